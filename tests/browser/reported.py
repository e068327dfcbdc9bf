"""
Faults that users of other tools reported in public, as traces that the local judge has read: what the Inspector must show of them is in
``test_reported.py``.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ragviz.backends.anthropic_client import Reply
from ragviz.contracts import Availability, JudgeInfo
from ragviz.judges import judges, provenance_of
from ragviz.judges.hosted import judgements
from ragviz.judges.hosted_prompt import sheets
from ragviz.pipeline import judge_run
from ragviz.records import Judgement, Pair, Passage, RunManifest, Table, Trace
from ragviz.store import Store

KINDS = ("claim", "quote", "render", "citations")


def reported(shared: Path) -> dict[str, dict[str, Any]]:
    """The cases of the four kinds by id."""
    rows = map(json.loads, (shared / "cases" / "public_reports.jsonl").read_text(encoding="utf-8").split("\n")[:-1])
    return {row["id"]: row for row in rows if row["kind"] in KINDS}


def trace_of(case: dict[str, Any]) -> Trace:
    """The case as a trace. A text to be rendered is question, answer, passage, title, source and reference at once; a bent quote is what the answer says."""
    if case["kind"] == "render":
        text = case["text"]
        passages = (
            Passage(id="p1", title=text, source=text, text=f"Before it. {text} And after it.", rank=1),
            Passage(id="p2", text="Something else is said here.", rank=2),
        )
        return Trace(id=case["id"], question=text, response=text, reference=text, passages=passages, tags={"system": text})
    answer = case.get("claim") or case.get("answer") or case["quote"].replace("... ", "").capitalize() + " the flat."
    texts = case.get("passages_text") or case.get("passages") or [case["passage"]]
    if isinstance(texts, int):
        texts = [f"Passage {n} speaks of the weather on day {n}." for n in range(1, texts + 1)]
    return Trace(
        id=case["id"],
        question="What do the documents say?",
        response=answer,
        passages=tuple(Passage(id=f"p{n}", text=text, rank=n) for n, text in enumerate(texts, 1)),
    )


class QuotingJudge:
    """A hosted judge whose reply supports every claim with one quote: read, located and downgraded as any reply of Claude's."""

    info = JudgeInfo(
        name="quoting", version="1", summary="quotes", deterministic=True, network=False, max_batch=100, tables=frozenset({Table.RESPONSE_X_PASSAGES})
    )
    params: Mapping[str, object] = {}

    def __init__(self, quote: str) -> None:
        self.quote = quote

    def available(self) -> Availability:
        return Availability(ok=True)

    def judge(self, pairs: Sequence[Pair]) -> list[Judgement]:
        said: dict[int, Judgement] = {}
        for sheet in sheets(pairs):
            evidence = [{"passage": label, "supports": True, "quote": self.quote} for label in sheet.passages.values()]
            reply = {
                "claims": [
                    {"id": label, "reasoning": "it says so", "verdict": "supported", "confidence": 0.9, "evidence": evidence} for label in sheet.claims.values()
                ]
            }
            said |= judgements(sheet, Reply(text=json.dumps(reply), stop_reason="end_turn", model="m", elapsed_ms=None), provenance_of(self))
        return [said[at] for at in range(len(pairs))]


def fill_with_reported(store: Store, shared: Path) -> None:
    """Each case is a trace of the run of its kind, split by rules; judged by words and checks, which need no model, or by the reply that was reported."""
    cases = reported(shared)
    for kind in KINDS:
        some = {name: case for name, case in cases.items() if case["kind"] == kind}
        run = RunManifest(run_id=kind, name=kind, created_at=store.now(), ragviz_version="0", format="native", n_traces=len(some))
        store.create_run(run)
        store.add_traces(kind, [trace_of(case) for case in some.values()])
        store.finish_run(run)
        if kind == "quote":
            for name, case in some.items():
                judge_run(store, kind, QuotingJudge(case["quote"]), trace_ids=[name])
        else:
            judge_run(store, kind, judges.make("local", embeddings=False))
