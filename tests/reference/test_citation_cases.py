"""Citations on the tutorial's example and on faults reported in public."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ragviz.claims import extractors
from ragviz.diagnosis import claim_types
from ragviz.metrics import score_all
from ragviz.metrics.cited import cited_claims
from ragviz.records import JudgedTrace, Passage, Side, Table, Trace
from ragviz.text.citation_marks import resolve_citations
from tests.build import a_judgement, a_passage, a_trace


def judged(trace: Trace, rows: list[str]) -> JudgedTrace:
    """The trace split into claims by rules, with one row of verdict letters a claim, one letter a passage."""
    claims = extractors.make("rules").extract([trace], side=Side.RESPONSE)[0]
    assert len(claims) == len(rows)
    judgements = [
        a_judgement(Table.RESPONSE_X_PASSAGES, claim.id, passage.id, letter, trace_id=trace.id)
        for claim, row in zip(claims, rows, strict=True)
        for passage, letter in zip(trace.passages or (), row, strict=True)
    ]
    return JudgedTrace(trace=trace, claims=tuple(claims), judgements=tuple(judgements))


def test_egfr_tells_supported_from_supported_by_what_is_cited(shared: Path) -> None:
    """One good citation, one to the wrong source, one to a source that was never retrieved."""
    raw = json.loads((shared / "tutorial" / "citations_egfr.json").read_text(encoding="utf-8"))
    passages = tuple(Passage(id=name, text=text, rank=n) for n, (name, text) in enumerate(raw["sources"].items(), start=1))
    case = judged(Trace(id="egfr", question=raw["question"], response=raw["answer"], passages=passages), ["EN", "NN", "NN"])

    cited = list(cited_claims(case).values())
    types = list(claim_types(case).values())
    scores = score_all(case)

    assert [row["verdict"] for row in raw["expected"]] == [c.cited for c in cited]
    assert [None, "unsupported_claim", raw["expected"][2]["hallucination_type"]] == types
    assert raw["expected_faithfulness"] == {"supported": scores["faithfulness"].numerator, "claims": scores["faithfulness"].support}
    assert (1 / 3, 1 / 3, 1.0, 1.0) == pytest.approx(
        tuple(scores[n].value for n in ("citation_precision", "citation_recall", "citation_coverage", "invented_citations"))
    )


@pytest.fixture
def cases(shared: Path) -> dict[str, dict[str, Any]]:
    rows = (shared / "cases" / "public_reports.jsonl").read_text(encoding="utf-8").split("\n")
    return {row["id"]: row for row in map(json.loads, filter(None, rows))}


def test_styles_of_marks_and_invented_sources(cases: dict[str, dict[str, Any]]) -> None:
    """Lists in one bracket, links, a trailing list; a number beyond the passages is an invented source."""
    row = cases["citation-styles"]
    trace = a_trace(row["passages"], response=row["answer"])
    citations = resolve_citations(trace)

    assert row["expect"]["markers"] == [c.marker for c in citations]
    invented = [c.marker for c in citations if c.unresolved]
    assert set(row["expect"]["invented"]) <= set(invented)


def test_supported_by_another_source_than_the_one_cited(cases: dict[str, dict[str, Any]]) -> None:
    """The claim is true to the passages, its citation is not."""
    row = cases["cited-wrong-source"]
    case = judged(a_trace(passages=tuple(a_passage(n, t) for n, t in enumerate(row["passages_text"], start=1)), response=row["answer"]), ["EN"])

    (claim,) = cited_claims(case).values()

    assert row["expect"]["any source"] == claim.any_source
    assert row["expect"]["cited source"] == claim.cited
    assert claim.by_another_source
    assert [row["expect"]["type"]] == list(claim_types(case).values())


def test_a_refusal_that_cites_is_not_scored(cases: dict[str, dict[str, Any]]) -> None:
    """No claim, no faithfulness, and the citation is still there."""
    row = cases["refusal-with-citation"]
    case = judged(a_trace(3, response=row["answer"], answerable=False), [])

    scores = score_all(case)

    assert (None, 1.0, 1.0) == (scores["faithfulness"].value, scores["abstained"].value, scores["answerability_accuracy"].value)
    assert ["[2]"] == [c.marker for c in resolve_citations(case.trace)]


@pytest.mark.parametrize("name", ["recall-20-relevant", "short-list", "duplicates", "nothing-retrieved"])
def test_retrieval_at_a_fixed_cut_off(cases: dict[str, dict[str, Any]], name: str) -> None:
    """Ideal from all labelled documents, short lists padded, duplicates once, nothing retrieved is 0."""
    row = cases[name]
    passages = tuple(a_passage(n, id=f"p{n}", doc_id=doc) for n, doc in enumerate(row["retrieved"], start=1))
    case = JudgedTrace(trace=a_trace(passages=passages, relevant_ids=frozenset(row["relevant"])), retrieval_k=row["k"])
    names = {"P": "precision", "R": "recall", "nDCG": "ndcg"}

    scores = score_all(case)

    for measure, value in row["expect"].items():
        if "@" in measure:
            stem, _, k = measure.partition("@")
            assert value == pytest.approx(scores[f"{names[stem]}_at_{k}"].value, abs=5e-4)
    if "reported" in row["expect"]:
        assert row["expect"]["reported"] in scores[f"recall_at_{row['k']}"].reason
