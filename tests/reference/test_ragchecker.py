"""RAGChecker's eleven metrics on its own worked examples. Its per-answer values are fractions, its overall ones percent."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ragviz.metrics import score_all
from ragviz.records import REFERENCE, RESPONSE, JudgedTrace, Policy, Side, Table
from tests.build import a_claim, a_judgement, a_passage, a_trace

NAMES = {
    "precision": "correctness_precision", "recall": "correctness_recall", "f1": "correctness", "claim_recall": "context_recall",
    "context_precision": "relevant_passage_rate", "context_utilization": "context_utilization",
    "noise_sensitivity_in_relevant": "noise_sensitivity_relevant", "noise_sensitivity_in_irrelevant": "noise_sensitivity_irrelevant",
    "hallucination": "ragchecker_hallucination", "self_knowledge": "self_knowledge", "faithfulness": "faithfulness",
}
LETTER = {"Entailment": "E", "Neutral": "N", "Contradiction": "C"}
FIELDS = {
    "answer2response": Table.RESPONSE_X_REFERENCE, "response2answer": Table.REFERENCE_X_RESPONSE, "retrieved2response": Table.RESPONSE_X_PASSAGES,
    "retrieved2answer": Table.REFERENCE_X_PASSAGES,
}


def a_ragchecker_case(row: dict[str, Any], policy: Policy = Policy.DEFAULT) -> JudgedTrace:
    passages = tuple(a_passage(n, doc["text"]) for n, doc in enumerate(row["retrieved_context"], start=1))
    trace = a_trace(passages=passages, reference=row["gt_answer"], response=row["response"])
    claims = [a_claim(f"c{n}") for n in range(len(row["response_claims"]))]
    claims += [a_claim(f"r{n}", side=Side.REFERENCE) for n in range(len(row["gt_answer_claims"]))]
    judgements = []
    for field, table in FIELDS.items():
        prefix = "c" if table.side is Side.RESPONSE else "r"
        for n, said in enumerate(row[field]):
            words = said if table.against_passages else [said]
            ids = [p.id for p in passages] if table.against_passages else [REFERENCE if table is Table.RESPONSE_X_REFERENCE else RESPONSE]
            judgements += [a_judgement(table, f"{prefix}{n}", i, LETTER[w]) for i, w in zip(ids, words, strict=True)]
    return JudgedTrace(trace=trace, claims=tuple(claims), judgements=tuple(judgements), policy=policy)


@pytest.mark.parametrize("policy", [Policy.DEFAULT, Policy.RAGCHECKER])
def test_worked_examples(shared: Path, policy: Policy) -> None:
    """All eleven figures of both examples, under our policy and under theirs."""
    raw = json.loads((shared / "formats" / "ragchecker" / "checking_outputs.json").read_text(encoding="utf-8"))
    totals: dict[str, float] = {}

    for row in raw["results"]:
        scores = score_all(a_ragchecker_case(row, policy))
        ours = {theirs: scores[name].value for theirs, name in NAMES.items()}
        assert ours == pytest.approx(row["metrics"])
        totals = {name: totals.get(name, 0) + (value or 0) / len(raw["results"]) for name, value in ours.items()}

    for group in raw["metrics"].values():
        for name, percent in group.items():
            assert percent == pytest.approx(100 * totals[name], abs=0.051)
