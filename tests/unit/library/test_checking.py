"""``ragviz.check``: one statement against passages."""

from __future__ import annotations

import pytest

import ragviz
from ragviz.errors import InputError
from ragviz.judges.facts import FactsJudge
from ragviz.judges.local import LocalJudge

WORDS = LocalJudge(embeddings=False)
KETTLE = "The kettle holds 1.7 litres. The warranty lasts two years."


def test_a_contradiction_comes_with_its_certificate_and_both_values() -> None:
    """What clashes is named on both sides, and the quote stands in the passage."""
    found = ragviz.check("The warranty lasts five years.", {"manual": KETTLE}, judge=WORDS)

    (shown,) = found.contradicting
    assert (found.verdict, shown.passage_id, KETTLE[shown.start : shown.end]) == ("contradicted", "manual", shown.quote)
    assert [(c.claim_value, c.passage_value, c.passage_id) for c in found.clashes] == [("5 years", "2 years", "manual")]
    assert "2 years" in found.reason


def test_support_comes_with_its_certificate() -> None:
    """Texts of a list are called by their places."""
    found = ragviz.check("The warranty lasts two years.", ["Nothing of the kind.", KETTLE], judge=WORDS)

    (shown,) = found.supporting
    assert (found.verdict, shown.passage_id, shown.quote, found.clashes) == ("supported", "2", "The warranty lasts two years.", [])


def test_two_passages_that_disagree_make_a_conflict() -> None:
    """Both sides have certificates."""
    found = ragviz.check("The warranty lasts two years.", [KETTLE, "The warranty lasts three years."], judge=WORDS)

    assert (found.verdict, [e.passage_id for e in found.supporting], [e.passage_id for e in found.contradicting]) == ("conflicted", ["1"], ["2"])


def test_two_passages_may_support_a_claim_together() -> None:
    """Where no single one settles it, they are read together; each quote is cut from its own passage."""
    passages = {"a": "The Heron 3 is a drone for surveys.", "b": "Its battery lasts up to 31 minutes."}
    found = ragviz.check("The Heron 3 is a drone for surveys, and its battery lasts up to 31 minutes.", passages, judge=WORDS)

    assert found.verdict == "supported"
    assert all(passages[e.passage_id][e.start : e.end] == e.quote for e in found.supporting)


def test_the_question_completes_a_short_answer() -> None:
    """"Two years." alone says nothing."""
    found = ragviz.check("Two years.", KETTLE, question="How long does the warranty last?", judge=WORDS)

    assert found.verdict == "supported"


def test_without_passages_nothing_is_supported() -> None:
    """And the reason says why."""
    found = ragviz.check("The warranty lasts two years.", [], judge=WORDS)

    assert (found.verdict, found.confidence, found.reason) == ("not_supported", None, "there is no passage")


def test_a_judge_that_cannot_read_texts_leaves_the_claim_unjudged() -> None:
    """The facts judge needs annotations; that is no verdict."""
    found = ragviz.check("The warranty lasts two years.", KETTLE, judge=FactsJudge())

    assert found.verdict == "unjudged"
    assert found.reason


@pytest.mark.parametrize(
    ("claim", "passages"), [("", KETTLE), (" ", KETTLE), ("A claim.", [None]), ("A claim.", {"a": 3}), ("A claim.", None), (5, KETTLE), ([KETTLE], "A claim.")]
)
def test_bad_input_is_said(claim: object, passages: object) -> None:
    """One sentence and what helps."""
    with pytest.raises(InputError) as caught:
        ragviz.check(claim, passages, judge=WORDS)  # type: ignore[arg-type]

    assert caught.value.fix
