"""Citations: the cited source counts, not any source."""

from __future__ import annotations

import pytest

from ragviz.metrics import score_all
from ragviz.metrics.cited import CitedVerdict, citation_verdict, cited_claims
from ragviz.records import Citation, Evidence, Grounding, JudgedTrace, Policy, Side, Span, Table
from ragviz.records import Claim as ClaimRecord
from tests.build import a_case, a_judgement, a_note, a_trace

ANSWERED = Table.RESPONSE_X_PASSAGES


def a_cited_case(response: str, rows: dict[str, str], *, n_passages: int = 3, policy: Policy = Policy.DEFAULT, **fields) -> JudgedTrace:
    """An answer of sentences that end in their marks; row keys are the sentences' words, values one verdict letter a passage."""
    trace = a_trace(n_passages, response=response, **fields)
    claims, judgements = [], []
    for n, (words, letters) in enumerate(rows.items(), start=1):
        start = response.index(words)
        claims.append(ClaimRecord(id=f"c{n}", trace_id="t1", side=Side.RESPONSE, text=words, spans=(Span(start, start + len(words)),), extractor="rules"))
        judgements += [a_judgement(ANSWERED, f"c{n}", f"p{i}", letter) for i, letter in enumerate(letters, start=1) if letter != "-"]
    return JudgedTrace(trace=trace, claims=tuple(claims), judgements=tuple(judgements), policy=policy)


def test_cited_verdict_and_any_source() -> None:
    """One proved by its source, one by another source, one uncited, one citing a source that does not exist."""
    response = "One thing [1]. Two things [1]. Three things. Four things [9]."
    case = a_cited_case(response, {"One thing": "ENN", "Two things": "NEN", "Three things": "EEE", "Four things": "NNN"})

    found = list(cited_claims(case).values())

    assert [c.cited for c in found] == ["supported", "not_supported", None, "source_not_found"]
    assert [c.by_another_source for c in found] == [False, True, False, False]
    scores = score_all(case)
    assert [scores[n].value for n in ("citation_recall", "citation_coverage", "citation_precision", "invented_citations")] == [
        0.25, 0.75, pytest.approx(1 / 3), 1.0,
    ]
    assert scores["citation_recall"].claim_ids == ("c2", "c3", "c4")
    assert scores["invented_citations"].claim_ids == ("c4",)


def test_a_mark_with_two_sources_counts_each() -> None:
    """[1, 2] where only the second helps: precision 1/2, recall 1."""
    scores = score_all(a_cited_case("One thing [1, 2].", {"One thing": "NEN"}))

    assert (scores["citation_precision"].value, scores["citation_recall"].value) == (0.5, 1.0)


def test_sources_that_help_together_both_help() -> None:
    """Neither passage alone, both together: the joined evidence lies in both."""
    case = a_cited_case("One thing [1, 2].", {"One thing": "NNN"})
    evidence = tuple(Evidence(span=Span(0, 4), quote="Text", passage_id=p) for p in ("p1", "p2"))
    joined = a_judgement(ANSWERED, "c1", "*", "E", evidence=evidence)
    case = JudgedTrace(trace=case.trace, claims=case.claims, judgements=(*case.judgements, joined))

    assert score_all(case)["citation_precision"].value == 1.0


def test_unjudged_sources_are_left_out_unless_strict() -> None:
    """One proved, one whose source nobody judged: 1 of 1, strictly 1 of 2."""
    rows = {"One thing": "ENN", "Two things": "N?N"}
    default = score_all(a_cited_case("One thing [1]. Two things [2].", rows))["citation_recall"]
    strict = score_all(a_cited_case("One thing [1]. Two things [2].", rows, policy=Policy.STRICT))["citation_recall"]

    assert (default.value, default.unjudged, strict.value) == (1.0, 1, 0.5)


def test_a_person_who_denies_a_claim_denies_its_source() -> None:
    """Overruled to not supported: the citation proves nothing any more."""
    case = a_cited_case("One thing [1].", {"One thing": "ENN"})
    case = JudgedTrace(trace=case.trace, claims=case.claims, judgements=case.judgements, annotations=(a_note("c1", Grounding.NOT_SUPPORTED),))

    assert cited_claims(case)["c1"].cited is CitedVerdict.NOT_SUPPORTED


def test_no_citation_and_unknown_passages() -> None:
    """Precision has no value, invented is 0; without knowing what was retrieved nothing can be called invented."""
    plain = score_all(a_cited_case("One thing.", {"One thing": "E"}, n_passages=1))
    unknown = score_all(a_case("a", response="One thing [1].", passages=None))

    assert (plain["citation_precision"].value, plain["citation_coverage"].value, plain["invented_citations"].value) == (None, 0.0, 0.0)
    assert unknown["invented_citations"].status == "missing_input"


def test_verdict_of_one_mark() -> None:
    """Two marks on one claim keep their own verdicts."""
    case = a_cited_case("One thing [1] [2].", {"One thing": "ECN"})
    claim = cited_claims(case)["c1"]

    assert [citation_verdict(claim, c) for c in claim.citations] == ["supported", "contradicted"]
    assert claim.cited is CitedVerdict.CONFLICTED


def test_citations_of_the_file_without_a_known_passage() -> None:
    """A mark that the file itself resolves to nothing is invented, under its own name."""
    citation = Citation(span=Span(10, 13), marker="[x]", passage_ids=())
    case = a_cited_case("One thing [x].", {"One thing": "N"}, n_passages=1, citations=(citation,))

    assert score_all(case)["invented_citations"].reason == "not retrieved: [x]"
