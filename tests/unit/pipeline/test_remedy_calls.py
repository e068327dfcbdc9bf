"""The calls of hosted remedies: failing, stopped, repeated, limited; each is paid for once."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ragviz.backends.anthropic_client import AnthropicClient
from ragviz.backends.budget import Budget
from ragviz.errors import BackendError, BudgetSpent, Cancelled, JudgeUnavailable
from ragviz.pipeline import import_files
from ragviz.pipeline.remedying import remedy_run
from ragviz.store import Store
from ragviz.testing import MessagesServer, Scripted, message
from ragviz.testing.messages_server import failure
from ragviz.testing.remedy_replies import material, remedy_reply
from tests.unit.pipeline.fakes import WordJudge
from tests.unit.pipeline.remedied import PASSAGES, ROWS, a_store, client_of, made, tried

pytestmark = pytest.mark.usefixtures("no_raters")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    yield from a_store(tmp_path)


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        (message("", stop_reason="refusal"), "declined"),
        (message('{"answer": "Red', stop_reason="max_tokens"), "cut off"),
        (message("Sorry!"), "could not be read"),
        (failure(529, "overloaded_error", "x"), "529"),
    ],
)
def test_a_call_that_fails_keeps_the_old_answer_and_is_counted(store: Store, bad: Scripted, reason: str) -> None:
    """One of two fails: its reason is kept, the other goes on; a second turn asks only the failed one again."""
    broken = True

    def reply(request: dict[str, Any]) -> Scripted:
        return bad if broken and "blue" in material(request)["QUESTION"] else remedy_reply(request)

    with MessagesServer(reply) as server:
        report = tried(store, "constrained", client_of(server), trace_ids=["warm", "cold"])
        broken = False
        n = len(server.requests)
        again = tried(store, "constrained", client_of(server), trace_ids=["warm", "cold"], turn=2)
        asked = server.requests[n:]
    traces = made(store, report)

    assert (report.statuses["failed"], report.statuses["changed"]) == (1, 1)
    assert traces["cold"].response == ROWS[1]["response"]
    assert reason in traces["cold"].remedied.reason  # type: ignore[union-attr]
    assert [material(r)["QUESTION"] for r in asked] == ["Is blue cold?"]
    assert again.run_id != report.run_id
    assert again.statuses["failed"] == 0


def test_stopped_half_way_it_goes_on_without_asking_twice(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Cancelled after the first batch's second call: the same call later asks only what was not answered, and ends in one whole run."""
    monkeypatch.setattr("ragviz.pipeline.remedying.HOSTED_BATCH", 2)
    monkeypatch.setattr("ragviz.pipeline.remedy_asking.PARALLEL_CALLS", 1)
    stop = threading.Event()

    def reply(request: dict[str, Any]) -> Scripted:
        if "blue" in material(request)["QUESTION"]:
            stop.set()
        return remedy_reply(request)

    with MessagesServer(reply) as server:
        with pytest.raises(Cancelled):
            tried(store, "constrained", client_of(server), cancel=stop)
        first = len(server.requests)
        report = tried(store, "constrained", client_of(server))
    questions = [material(r)["QUESTION"] for r in server.requests]

    assert first == 2
    assert questions == [row["question"] for row in ROWS]
    assert report.n_repeated == 2
    assert [t.id for t in store.traces(report.run_id)] == [row["id"] for row in ROWS]
    assert len(store.runs()) == 2


def test_equal_questions_are_asked_once(store: Store, tmp_path: Path) -> None:
    """Two traces with one question and the same passages share the reply; it is paid for once."""
    rows = [{**ROWS[0], "id": f"t{n}", "passages": PASSAGES} for n in range(3)]
    (tmp_path / "twins.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    run_id = import_files(store, [tmp_path / "twins.jsonl"], run_name="twins").run_id
    with MessagesServer(remedy_reply) as server:
        report = remedy_run(store, run_id, "constrained", judge_name=WordJudge(joined=False), client=client_of(server))

    assert len(server.requests) == 1
    assert (report.n_calls, report.n_repeated) == (1, 2)
    assert sum(t.remedied.cost_usd for t in store.traces(report.run_id) if t.remedied) == pytest.approx(report.cost_usd)


def test_the_budget_stops_and_a_larger_one_goes_on(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """One sentence; no trace counts as failed for it."""
    monkeypatch.setattr("ragviz.pipeline.remedy_asking.PARALLEL_CALLS", 1)
    with MessagesServer(remedy_reply) as server:
        with pytest.raises(BudgetSpent, match="budget"):
            tried(store, "constrained", client_of(server, budget=Budget(max_usd=0.0003)))
        report = tried(store, "constrained", client_of(server))

    assert len(server.requests) == 4
    assert report.statuses["failed"] == 0


@pytest.mark.parametrize(("reply", "says"), [
    (failure(401, "authentication_error", "x"), "401"), (failure(404, "not_found_error", "no such model"), "404"),
])
def test_what_waiting_does_not_cure_stops_everything(store: Store, reply: Scripted, says: str) -> None:
    """A wrong key or model is one sentence, not a run of failures."""
    with MessagesServer(lambda _: reply) as server, pytest.raises((BackendError, JudgeUnavailable), match=says):
        tried(store, "constrained", client_of(server))

    assert all(store.trace_ids(run.run_id) == [] for run in store.runs() if run.remedy)


def test_without_a_key_hosted_remedies_say_so(store: Store) -> None:
    """Before anything is made."""
    with pytest.raises(JudgeUnavailable, match="no API key"):
        tried(store, "refine", AnthropicClient(api_key=None))

    assert len(store.runs()) == 1


def test_no_text_is_left_behind(store: Store) -> None:
    """Deleting the remedied run forgets its replies: the same remedy is paid for again."""
    with MessagesServer(remedy_reply) as server:
        report = tried(store, "constrained", client_of(server))
        store.delete_run(report.run_id)
        tried(store, "constrained", client_of(server))

    assert len(server.requests) == 8
