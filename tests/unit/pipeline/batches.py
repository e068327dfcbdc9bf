"""A server of batches that ends them when the test says so, and runs judged through it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from ragviz.backends.anthropic_client import AnthropicClient
from ragviz.judges.hosted import AnthropicJudge
from ragviz.pipeline import JudgeReport, import_files, judge_in_batches
from ragviz.records import Judgement, PairKey
from ragviz.store import Store
from ragviz.testing import MessagesServer, Scripted, message, verdicts
from ragviz.testing.messages_server import failure, prompt_of
from tests.unit.pipeline.fakes import a_file

_PASSAGE = re.compile(r"\[\w+ BEGIN PASSAGE (P\d+)\]\n(.*?)\n\[\w+ END PASSAGE\]", re.DOTALL)
_CLAIMS = re.compile(r"\[\w+ BEGIN CLAIMS\]\n(.*?)\n\[\w+ END CLAIMS\]", re.DOTALL)
MODEL = "claude-haiku-4-5"


def verbatim(request: dict[str, Any]) -> Scripted:
    """Supports what stands word for word in a passage."""
    text = prompt_of(request)
    rows = []
    for line in _CLAIMS.findall(text)[0].split("\n"):
        label, _, claim = line.partition(": ")
        quotes = [{"passage": p, "relation": "supports", "quote": claim} for p, body in _PASSAGE.findall(text) if claim in body]
        rows.append({"id": label, "reasoning": "word for word", "verdict": "supported" if quotes else "not_supported", "evidence": quotes, "confidence": 0.9})
    return message(verdicts(rows))


class Slow(MessagesServer):
    """Batches end when the test says so; counts what was sent."""

    ended = True
    gone = ""

    def __init__(self, answer: Any = verbatim) -> None:
        super().__init__(answer)
        self.sent: list[list[str]] = []

    def create_batch(self, body: dict[str, Any]) -> Scripted:
        self.sent.append([entry["custom_id"] for entry in body["requests"]])
        return super().create_batch(body)

    def batch(self, name: str, status: str = "ended") -> Scripted:
        if name == self.gone:
            return failure(404, "not_found_error", "gone")
        return super().batch(name, status if self.ended else "in_progress")


def a_judge(server: MessagesServer) -> AnthropicJudge:
    return AnthropicJudge(client=AnthropicClient(api_key="test", base_url=server.url, max_retries=0, model=MODEL))


def in_batches(store: Store, run_id: str, server: MessagesServer, **settings: Any) -> JudgeReport:
    return judge_in_batches(store, run_id, a_judge(server), first_wait_s=0.01, **settings)


def a_run(store: Store, folder: Path, n: int = 3, **fields: Any) -> str:
    """Traces whose questions differ; answer and passages are alike."""
    return import_files(store, [a_file(folder, n, **fields)]).run_id


def said(store: Store, report: JudgeReport) -> dict[PairKey, Judgement]:
    """All judgements; a pair that was judged twice fails."""
    every = [j for case in store.judged(report.view) for j in case.judgements]
    keys = [j.key for j in every]
    assert len(keys) == len(set(keys))
    for key in keys:
        assert len(store.history(report.run_id, key.trace_id, key.claim_id, report.view.claim_set)) == sum(
            (k.trace_id, k.claim_id) == (key.trace_id, key.claim_id) for k in keys
        )
    return {j.key: j for j in every}
