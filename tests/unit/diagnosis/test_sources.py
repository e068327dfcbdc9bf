"""Documents by the damage they do, conflicts between them, authority."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as hst
from hypothesis.extra.numpy import arrays

from ragviz.diagnosis.authority import AuthorityRule, apply_rules, authority_rank, dated
from ragviz.diagnosis.conflicts import source_faults
from ragviz.diagnosis.corpus import Corpus
from ragviz.diagnosis.looking_further import ANNOTATED, look_further
from ragviz.diagnosis.passage_index import best
from ragviz.diagnosis.sources import SourceLedger, source_conflicts, source_reports
from ragviz.diagnosis.superseded import newer_revisions
from ragviz.records import SPLIT_TAG, Clash, ClashKind, Fact, JudgedTrace, Passage, Side, Span, Split, Table
from ragviz.records.ids import synthetic_passage_id
from tests.build import a_claim, a_judgement, a_passage, a_trace, judged_by_facts

OFFICIAL = a_passage(1, "30 days.", id="now", doc_id="now", facts=(Fact(attribute="window", value="30 days"),), metadata={"source": "official"})
MIRROR = a_passage(2, "90 days.", id="old", doc_id="old", facts=(Fact(attribute="window", value="90 days"),), metadata={"source": "unofficial mirror"})


def a_repeater(trace_id: str = "t1", *passages: Passage) -> JudgedTrace:
    """An answer that says 90 days, against a reference of 30."""
    claims = (a_claim("c1", trace_id=trace_id, fact=("window", "90 days")), a_claim("r1", side=Side.REFERENCE, trace_id=trace_id, fact=("window", "30 days")))
    return judged_by_facts(a_trace(id=trace_id, passages=passages or (MIRROR,), reference="30 days."), claims)


def test_the_source_that_misleads_comes_first() -> None:
    """Two answers rest on the mirror, both wrong; in one of them the official text was there as well."""
    reports = source_reports([a_repeater("t1"), a_repeater("t2", OFFICIAL, MIRROR)])

    first, second = reports
    assert (first.doc_id, first.misled, first.retrieved, first.supports, first.trace_ids) == ("old", 2, 2, 2, ["t1", "t2"])
    assert (first.authority, second.authority) == (1, 3)
    assert (second.doc_id, second.damage, second.contradicts) == ("now", 0, 1)


def test_a_document_without_an_id_is_called_by_its_words() -> None:
    """Title or source before them; the words of a held-out trace stay closed until another trace retrieves the same text."""
    bare = a_passage(1, "The tram rests on public holidays.", id=synthetic_passage_id("The tram rests"))
    titled = a_passage(2, "It costs 3 euros.", id=synthetic_passage_id("It costs"), title="Fares")
    closed = judged_by_facts(a_trace(id="t2", passages=(bare,), tags={SPLIT_TAG: Split.HELD_OUT}), ())
    seen = judged_by_facts(a_trace(id="t1", passages=(bare, titled, OFFICIAL)), ())

    assert [r.name for r in source_reports([closed])] == ["a passage without an id"]
    assert {r.name for r in source_reports([closed, seen])} == {"“The tram rests on public holidays.”", "Fares", "now"}


def test_annotated_sources_that_disagree() -> None:
    """Same attribute, other value: which is better, why, and where it matters."""
    (conflict,) = source_conflicts([a_repeater("t2", OFFICIAL, MIRROR)])

    assert (conflict.attribute, conflict.first_value, conflict.second_value, conflict.better, conflict.why) == (
        "window", "30 days", "90 days", "now", "more authoritative",
    )
    assert conflict.trace_ids == ("t2",)


def test_texts_that_disagree_show_the_detail() -> None:
    """A claim one passage supports and another denies: their values, and the newer one."""
    trace = a_trace(passages=(a_passage(1, "90 days.", effective_date="2023"), a_passage(2, "30 days.", effective_date="2026")))
    clash = Clash(kind=ClashKind.DURATION, hypothesis_span=Span(0, 2), premise_span=Span(0, 2), hypothesis_value="90 days", premise_value="30 days")
    judgements = (a_judgement(Table.RESPONSE_X_PASSAGES, "a", "p1", "E"), a_judgement(Table.RESPONSE_X_PASSAGES, "a", "p2", "C", clashes=(clash,)))

    (conflict,) = source_conflicts([JudgedTrace(trace=trace, claims=(a_claim("a"),), judgements=judgements)])

    assert (conflict.attribute, conflict.first_value, conflict.second_value, conflict.better, conflict.why) == (
        "duration", "90 days", "30 days", "p2", "newer",
    )


@pytest.mark.parametrize(
    ("fields", "rank"),
    [
        ({"source": "official"}, 3), ({"source": "unofficial mirror"}, 1), ({"authority": "partner", "source": "official"}, 2), ({"source": "shop"}, None),
        ({"metadata": {"source": "Community forum"}}, 1), ({}, None),
    ],
)
def test_authority_from_metadata(fields: dict[str, object], rank: int | None) -> None:
    """What is said of authority goes before what the source is called; unknown words rank nothing."""
    assert authority_rank(a_passage(1, **fields)) == rank


def test_a_person_ranks_sources_by_pattern() -> None:
    """Ids, sources and titles are matched, case ignored; the last rule wins."""
    trace = a_trace(passages=(a_passage(1, doc_id="fan_wiki_3"), a_passage(2, title="Terms"), a_passage(3, authority="official")))
    rules = [
        AuthorityRule(pattern="FAN_*", authority="official"),
        AuthorityRule(pattern="*wiki*", authority="mirror"),
        AuthorityRule(pattern="terms", authority="official"),
    ]

    assert [authority_rank(p) for p in apply_rules(trace, rules).passages or ()] == [1, 3, 3]
    assert apply_rules(trace, []) is trace


def test_dates_that_do_not_sort_are_unknown() -> None:
    """A year first, or nothing."""
    assert dated(a_passage(1, metadata={"effective_date": "2026-01-01"})) == "2026-01-01"
    assert dated(a_passage(1, effective_date="Spring")) is None


def test_one_pass_says_the_same() -> None:
    """Reports and conflicts of a ledger that reads each trace once, with faults that somebody else worked out, are those of two passes without."""
    cases = [a_repeater("t1"), a_repeater("t2", OFFICIAL, MIRROR), a_repeater("t3", MIRROR, OFFICIAL)]
    ledger = SourceLedger()
    for case in cases:
        ledger.add(case, source_faults(case))

    assert ledger.reports() == source_reports(cases)
    assert ledger.conflicts() == source_conflicts(cases) != []
    assert [r.trace_ids for r in ledger.reports()] == [["t1", "t2", "t3"], []]


class TestCorpus:
    CORPUS = Corpus(
        [a_passage(1, "The pump weighs 4.1 kg."), a_passage(2, "The motor weighs 3.2 kg."), a_passage(3, "The pump weighs 4.1 kg."), a_passage(4, " ")]
    )

    def test_equal_and_empty_texts_are_kept_once_or_never(self) -> None:
        """Four passages, two texts."""
        assert len(self.CORPUS.passages) == 2

    def test_search_finds_by_words_and_leaves_out(self) -> None:
        """The pump first; excluded, only the motor is left."""
        assert self.CORPUS.search("weight of the pump")[0].id == "p1"
        assert [p.id for p in self.CORPUS.search("pump weighs", exclude={"The pump weighs 4.1 kg."})] == ["p2"]

    @given(scores=arrays(np.float64, hst.integers(0, 30), elements=hst.sampled_from([0.0, 0.5, 1.0, 2.0])), n=hst.integers(0, 40))
    def test_the_best_without_ordering_the_rest(self, scores: np.ndarray, n: int) -> None:
        """The same as the beginning of all in order, equals by their place."""
        assert best(scores, n).tolist() == np.argsort(-scores, kind="stable")[:n].tolist()

    def test_newer_revisions(self) -> None:
        """The same as a look at every passage of the title, and none is looked at where the title has no later date."""
        dates = ("2024-01-01", "2025-01-01", None, "2026-01-01")
        corpus = Corpus([a_passage(n + 1, f"Text {n}.", title="Tickets" if n % 2 else " tickets", effective_date=dates[n % 4]) for n in range(12)])

        for passage in (*corpus.passages, a_passage(1, "Another.", title="Fares", effective_date="2020-01-01"), a_passage(1, "No date.", title="Tickets")):
            assert corpus.newer_revisions(passage) == newer_revisions(passage, corpus.passages)

    def test_of_many_annotated_passages_the_nearest_are_looked_at(self) -> None:
        """A thousand things with a weight each: the claim's own thing is found, and the work does not grow with the others."""
        things = [a_passage(n + 1, f"The pump number {n} weighs {n} kg.", id=f"p{n}", facts=(Fact(attribute="weight", value=f"{n} kg"),)) for n in range(1000)]
        claim = a_claim("a", text="The pump number 417 weighs 9 kg.", fact=("weight", "9 kg"))

        found = look_further([claim], a_trace(passages=()), Corpus(things))

        assert len(found) <= ANNOTATED
        assert ("p417", "contradicted") in [(f.passage.id, f.verdict.value) for f in found]

    def test_states_and_denies(self) -> None:
        """The right weight is stated, a wrong one denied, another thing neither."""
        trace = a_trace()

        def verdicts(text: str) -> list[tuple[str, str]]:
            return [(f.passage.id, f.verdict.value) for f in look_further([a_claim("a", text=text)], trace, self.CORPUS)]

        assert verdicts("The pump weighs 4.1 kg.") == [("p1", "entailed")]
        assert ("p1", "contradicted") in verdicts("The pump weighs 9 kg.")
        assert verdicts("The tower is green.") == []

    def test_what_was_retrieved_is_left_out(self) -> None:
        """It was looked at already."""
        trace = a_trace(passages=(a_passage(1, "The pump weighs 4.1 kg."),))

        assert look_further([a_claim("a", text="The pump weighs 4.1 kg.")], trace, self.CORPUS) == []
