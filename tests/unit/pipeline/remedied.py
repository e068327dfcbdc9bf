"""A small failing run, and remedies tried on it through the real SDK."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ragviz.backends.anthropic_client import AnthropicClient
from ragviz.pipeline import import_files
from ragviz.pipeline.remedying import RemedyReport, remedy_run
from ragviz.records import Trace
from ragviz.store import Store, open_store
from ragviz.testing import MessagesServer
from tests.unit.pipeline.fakes import WordJudge

ROWS = [
    {"id": "warm", "question": "Is red warm?", "response": "Red is warm [1]. Blue is warm [2].", "group": "g1"},
    {"id": "cold", "question": "Is blue cold?", "response": "Blue is a fish [2].", "group": "g2"},
    {"id": "right", "question": "Is it true that red is warm?", "response": "Red is warm [1].", "group": "g3"},
    {"id": "none", "question": "Who sings on Tuesday?", "response": "The choir sings.", "group": "g4"},
]
PASSAGES = [{"id": "p1", "text": "Red is warm.", "rank": 1, "score": 0.9}, {"id": "p2", "text": "Blue is cold.", "rank": 2, "score": 0.4}]


def a_store(folder: Path) -> Iterator[Store]:
    """A run "old" of four traces: one half right, one wrong, one right, one that nothing answers."""
    (folder / "old.jsonl").write_text("".join(json.dumps({**row, "passages": PASSAGES}) + "\n" for row in ROWS), encoding="utf-8")
    found = open_store(":memory:")
    import_files(found, [folder / "old.jsonl"], run_name="old")
    yield found
    found.close()


def client_of(server: MessagesServer, **more: Any) -> AnthropicClient:
    return AnthropicClient(api_key="test", base_url=server.url, model="claude-haiku-4-5", max_retries=0, **more)


def tried(store: Store, remedy: str, client: AnthropicClient | None = None, **more: Any) -> RemedyReport:
    return remedy_run(store, store.run("old").run_id, remedy, judge_name=more.pop("judge", None) or WordJudge(joined=False), client=client, **more)


def made(store: Store, report: RemedyReport) -> dict[str, Trace]:
    return {trace.id: trace for trace in store.traces(report.run_id)}
