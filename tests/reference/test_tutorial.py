"""The five diagnostic cases, to the last digit."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ragviz.diagnosis.causes import root_cause
from ragviz.diagnosis.quadrants import quadrant
from ragviz.metrics import score_all
from ragviz.metrics.aggregate import summarise
from ragviz.records import Claim, Fact, JudgedTrace, Passage, Side, Trace
from tests.build import a_claim, judged_by_facts

CAUSES = {
    "good_return": "none", "extra_claim": "generator_added", "lucky_guess": "retrieval_missed", "wrong_mirror": "source_wrong",
    "off_topic": "generator_ignored",
}


def the_cases(shared: Path) -> dict[str, JudgedTrace]:
    raw = json.loads((shared / "tutorial" / "five_cases.json").read_text(encoding="utf-8"))
    return {row["name"]: judged(row, raw["DOCUMENTS"]) for row in raw["TRACES"]}


def judged(row: dict[str, Any], documents: dict[str, Any]) -> JudgedTrace:
    passages = tuple(
        Passage(
            id=doc, doc_id=doc, rank=rank, text=documents[doc]["text"], facts=tuple(Fact(attribute=a, value=v) for a, v in documents[doc]["facts"]),
            metadata=documents[doc]["metadata"],
        )
        for rank, doc in enumerate(row["retrieved"], start=1)
    )
    trace = Trace(
        id=row["name"], question=row["question"], response=row["response"], passages=passages, reference=row["reference"],
        relevant_ids=frozenset(row["relevant_documents"]), facets=tuple(row["requested_facets"]),
    )
    return judged_by_facts(trace, (*claims(row, "response_claims", Side.RESPONSE), *claims(row, "expected_claims", Side.REFERENCE)), k=2, retrieval_k=2)


def claims(row: dict[str, Any], key: str, side: Side) -> tuple[Claim, ...]:
    letter = "c" if side is Side.RESPONSE else "r"
    return tuple(a_claim(f"{letter}{n}", side=side, trace_id=row["name"], fact=tuple(pair)) for n, pair in enumerate(row[key], start=1))


def test_scores_are_those_of_the_tutorial(shared: Path) -> None:
    """Every figure of every case, at k = 2 with the rule of the facts judge."""
    expected = json.loads((shared / "tutorial" / "expected.json").read_text(encoding="utf-8"))
    cases = the_cases(shared)

    got = {name: score_all(case) for name, case in cases.items()}

    for name, figures in expected["cases"].items():
        assert figures == {figure: got[name][figure].value for figure in figures}
    rate = summarise("hallucination", [s["hallucination"] for s in got.values()])
    assert expected["micro_unsupported_claim_rate"]["value"] == pytest.approx(rate.micro)
    correctness = summarise("correctness", [s["correctness"] for s in got.values()])
    assert expected["macro_correctness_f1"] == pytest.approx(correctness.macro, abs=1e-12)


def test_quadrants_and_causes_are_those_of_the_tutorial(shared: Path) -> None:
    """Each case stands in its own quadrant, and the reason is the one it was made to show."""
    expected = json.loads((shared / "tutorial" / "expected.json").read_text(encoding="utf-8"))["quadrant"]
    cases = the_cases(shared)

    got = {name: quadrant(case, score_all(case)).value for name, case in cases.items()}
    causes = {name: root_cause(case, score_all(case)).name for name, case in cases.items()}

    assert expected == got
    assert causes == CAUSES
