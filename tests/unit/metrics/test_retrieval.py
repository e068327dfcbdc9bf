"""Retrieval metrics of a trace: where labels come from, what is padded, repeated, unlabelled."""

from __future__ import annotations

from typing import Any

import pytest

from ragviz.metrics import score_all
from ragviz.metrics.ranked import ranking_of
from ragviz.records import JudgedTrace, Score
from tests.build import a_claim, a_passage, a_trace


def scores(docs: str, *, k: int, **fields: Any) -> dict[str, Score]:
    """Scores of a trace whose passages are the documents named by single letters."""
    passages = tuple(a_passage(n, id=f"p{n}", doc_id=d) for n, d in enumerate(docs, start=1))
    return score_all(JudgedTrace(trace=a_trace(passages=passages, **fields), retrieval_k=k))


def values(found: dict[str, Score], *names: str) -> tuple[float | None, ...]:
    return tuple(found[n].value for n in names)


def test_short_lists_are_padded() -> None:
    """One relevant of three, a list of one, k = 5: P 1/5, R 1/3."""
    found = scores("a", k=5, relevant_ids=frozenset("abc"))

    assert values(found, "precision_at_5", "recall_at_5", "hit_at_5") == pytest.approx((1 / 5, 1 / 3, 1))
    assert found["precision_at_5"].reason == "4 of 5 places padded"
    assert found["recall_at_5"].claim_ids == ("b", "c")


def test_a_repeated_document_counts_once_and_keeps_its_place() -> None:
    """a, a, b with a and b relevant: P@2 = 1/2, R@2 = 1/2, R@3 = 1."""
    at_two, at_three = scores("aab", k=2, relevant_ids=frozenset("ab")), scores("aab", k=3, relevant_ids=frozenset("ab"))

    assert values(at_two, "precision_at_2", "recall_at_2") == (0.5, 0.5)
    assert at_three["recall_at_3"].value == 1.0
    assert "1 duplicate" in at_two["precision_at_2"].reason


def test_nothing_retrieved_is_zero() -> None:
    """The retriever ran and found nothing."""
    found = scores("", k=3, relevant_ids=frozenset("a"))

    names = ("precision_at_3", "recall_at_3", "hit_at_3", "reciprocal_rank_at_3", "average_precision_at_3", "ndcg_at_3")
    assert values(found, *names) == (0.0,) * 6


def test_unknown_list_and_no_labels_are_missing_inputs() -> None:
    """Two different things the file may lack."""
    nothing = score_all(JudgedTrace(trace=a_trace(passages=None, relevant_ids=frozenset("a"))))
    unlabelled = scores("ab", k=5)

    assert [nothing["recall_at_5"].status, unlabelled["recall_at_5"].status] == ["missing_input"] * 2
    assert nothing["recall_at_5"].reason != unlabelled["recall_at_5"].reason


def test_cited_passages_are_not_the_retrieved_list() -> None:
    """A file that holds only what was cited says nothing of ranks."""
    found = scores("ab", k=2, relevant_ids=frozenset("a"), passages_are="cited")

    assert found["recall_at_2"].status == "missing_input"


def test_ids_without_texts_can_be_ranked_but_not_judged() -> None:
    """A TREC run: recall has a value, faithfulness lacks its input."""
    passages = (a_passage(1, "", doc_id="a"),)
    trace = a_trace(passages=passages, relevant_ids=frozenset("a"), passages_are="ids")
    found = score_all(JudgedTrace(trace=trace, claims=(a_claim("c1"),)))

    assert (found["recall_at_5"].value, found["faithfulness"].status) == (1.0, "missing_input")


def test_no_relevant_document_leaves_recall_undefined() -> None:
    """Known that none is relevant: precision 0, nothing else has a value."""
    found = scores("ab", k=2, relevant_ids=frozenset())

    assert values(found, "precision_at_2", "recall_at_2", "ndcg_at_2", "hit_at_2") == (0.0, None, None, None)
    assert found["recall_at_2"].status == "undefined"


def test_graded_labels_are_gains() -> None:
    """Levels 1 and 3 in the wrong order: nDCG below 1; a negative level is not relevant."""
    found = scores("abc", k=3, relevance_grades={"a": 1, "b": 3, "c": -1})

    assert found["ndcg_at_3"].value == pytest.approx((1 + 3 / 1.5849625) / (3 + 1 / 1.5849625))
    assert found["precision_at_3"].value == pytest.approx(2 / 3)


def test_unlabelled_passages_are_counted() -> None:
    """b is labelled not relevant, c is not labelled at all: one of the first three is unlabelled."""
    assert scores("abc", k=3, relevance_grades={"a": 1, "b": 0})["precision_at_3"].unjudged == 1


def test_expected_texts_match_word_for_word() -> None:
    """Where no ids are known, the text is the id."""
    passages = (a_passage(1, "Right text."), a_passage(2, "Other."))
    found = score_all(JudgedTrace(trace=a_trace(passages=passages, relevant_texts=("Right text.", "Never found.")), retrieval_k=2))

    assert values(found, "recall_at_2", "precision_at_2") == (0.5, 0.5)


def test_labels_on_the_passages_say_nothing_of_what_was_missed() -> None:
    """Recall is of the retrieved ones only, and the score says so."""
    passages = (a_passage(1, relevance=0), a_passage(2, relevance=1))
    found = score_all(JudgedTrace(trace=a_trace(passages=passages), retrieval_k=1))

    assert found["recall_at_1"].value == 0.0
    assert "what was missed is unknown" in found["recall_at_1"].reason


def test_list_order_is_the_rank() -> None:
    """Scores that rise down the list, or are equal, change nothing."""
    passages = tuple(a_passage(n, doc_id=d, score=s) for n, (d, s) in enumerate([("x", 0.1), ("a", 0.9), ("y", 0.9)], start=1))
    trace = a_trace(passages=passages, relevant_ids=frozenset("a"))
    ranking = ranking_of(trace)

    assert ranking is not None
    assert (ranking.equal_scores, ranking.relevant) == (1, [False, True, False])
    assert score_all(JudgedTrace(trace=trace))["reciprocal_rank_at_5"].value == 0.5
