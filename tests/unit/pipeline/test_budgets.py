"""What may be spent is not exceeded; what was paid for is kept, what is left is said."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from ragviz.backends.anthropic_client import AnthropicClient
from ragviz.backends.budget import Budget
from ragviz.claims import AnthropicExtractor
from ragviz.errors import BudgetSpent, Cancelled, JudgeUnavailable
from ragviz.judges.hosted import AnthropicJudge
from ragviz.pipeline import import_files, judge_in_batches, judge_run, make_judge
from ragviz.pipeline.spending import AtMost, at_most
from ragviz.records import Pair, PairKey, Table
from ragviz.store import Store, open_store
from ragviz.testing import MessagesServer, claims_in, message, verdicts
from tests.unit.pipeline.fakes import a_file

pytestmark = pytest.mark.usefixtures("no_raters")

MODEL = "claude-haiku-4-5"


@pytest.fixture
def server() -> Iterator[MessagesServer]:
    """Nothing supports anything; each call is 150 tokens."""
    def rows(request: dict[str, object]) -> list[dict[str, object]]:
        return [{"id": c, "reasoning": "", "verdict": "not_supported", "evidence": [], "confidence": 0.9} for c in claims_in(request)]

    with MessagesServer(lambda request: message(verdicts(rows(request)))) as found:
        yield found


def a_client(server: MessagesServer, budget: Budget | None, model: str = MODEL) -> AnthropicClient:
    return AnthropicClient(api_key="test", base_url=server.url, max_retries=0, max_concurrency=1, model=model, budget=budget)


def judged(store: Store, run_id: str) -> int:
    return sum(bool(case.judgements) for view, _ in store.views(run_id) for case in store.judged(view))


def test_the_run_stops_and_goes_on_where_it_was(store: Store, server: MessagesServer, tmp_path: Path) -> None:
    """
    Four calls a trace at 150 tokens and eight traces at a time: 5,000 tokens end in the second eight. No claim is stored as unjudged, no call is
    paid for twice.
    """
    run_id, budget = import_files(store, [a_file(tmp_path, 12)]).run_id, Budget(max_tokens=5_000)
    with pytest.raises(BudgetSpent, match=r"5,000 tokens is spent: 8 of 12 traces are judged, 4 are left") as caught:
        judge_run(store, run_id, AnthropicJudge(client=a_client(server, budget)), budget=budget)
    spent = len(server.requests)
    assert (judged(store, run_id), spent, budget.spent_tokens) == (8, 34, 5_100)
    assert "--max-tokens" in caught.value.fix

    report = judge_run(store, run_id, AnthropicJudge(client=a_client(server, None)))
    assert (report.n_traces, report.n_unjudged, judged(store, run_id)) == (4, 0, 12)
    assert len(server.requests) == 46  # 16 for four traces, less two that were paid for and two that ask about the same texts


def test_claims_that_the_budget_left_to_the_rules_are_not_kept(store: Store, server: MessagesServer, tmp_path: Path) -> None:
    """Or the run would be split by rules for good."""
    run_id, budget = import_files(store, [a_file(tmp_path, 2)]).run_id, Budget(max_tokens=150)
    with pytest.raises(BudgetSpent):
        judge_run(store, run_id, AnthropicJudge(client=a_client(server, budget)), claims=AnthropicExtractor(client=a_client(server, budget)), budget=budget)
    assert store.claim_sets(run_id, "anthropic", ["q0", "q1"]) == {}


def test_a_limit_in_dollars_needs_a_price() -> None:
    """Refused before anything is spent; a limit in tokens needs none."""
    judge = make_judge("anthropic:no-such-model", api_key="k", budget=Budget(max_usd=1.0))
    assert (judge.available().ok, judge.available().fix) == (False, "set a limit in tokens: --max-tokens")
    with pytest.raises(JudgeUnavailable, match="price of no-such-model is not known"):
        judge.judge([_pair()])
    assert make_judge("anthropic:no-such-model", api_key="k", budget=Budget(max_tokens=5)).available().ok


def _pair() -> Pair:
    return Pair(key=PairKey(Table.RESPONSE_X_PASSAGES, "t", "c1", "p1"), premise="a", hypothesis="a")


class Counting(MessagesServer):
    """Counts calls per batch."""

    def __init__(self, answer) -> None:
        super().__init__(answer)
        self.bodies: list[list[dict[str, object]]] = []

    def create_batch(self, body):
        self.bodies.append([entry["params"] for entry in body["requests"]])
        return super().create_batch(body)


def test_batches_send_what_fits_and_say_what_does_not(store: Store, server: MessagesServer, tmp_path: Path) -> None:
    """Room for three of five traces at their worst: three are sent and judged, two are named as left, and nothing more is sent by the same command."""
    run_id = import_files(store, [a_file(tmp_path, 5)]).run_id
    heard: list[str] = []
    with Counting(server._answer) as batches:
        each = _one_trace_at_most(batches, tmp_path)
        budget = Budget(max_tokens=3 * each.tokens + 5)
        with pytest.raises(BudgetSpent, match=r"would be exceeded: 3 of 5 traces are judged, 2 are left"):
            judge_in_batches(store, run_id, AnthropicJudge(client=a_client(batches, None)), first_wait_s=0.01, budget=budget, say=heard.append)
        assert judged(store, run_id) == 3
        report = judge_in_batches(store, run_id, AnthropicJudge(client=a_client(batches, None)), first_wait_s=0.01)
    assert (report.n_traces, report.n_already) == (2, 3)
    assert [len(bodies) for bodies in batches.bodies] == [2, 6, 4]
    assert any(re.search(r"2 traces are not sent", words) for words in heard)


def _one_trace_at_most(batches: Counting, folder: Path) -> AtMost:
    """What one such trace can take, as counted from what is really sent for one."""
    (folder / "one").mkdir()
    store = open_store(":memory:")
    run_id = import_files(store, [a_file(folder / "one", 1)]).run_id
    judge_in_batches(store, run_id, AnthropicJudge(client=a_client(batches, None)), first_wait_s=0.01)
    store.close()
    return at_most(batches.bodies[0], model=MODEL)


def test_batches_under_way_count(store: Store, server: MessagesServer, tmp_path: Path) -> None:
    """Killed after sending and started again with the same limit, the command does not send as much once more."""
    run_id = import_files(store, [a_file(tmp_path, 5)]).run_id
    with Counting(server._answer) as batches:
        each = _one_trace_at_most(batches, tmp_path)
        settings = {"first_wait_s": 0.01, "budget": Budget(max_tokens=3 * each.tokens + 5)}
        batches.batch = lambda name, status="ended": MessagesServer.batch(batches, name, "in_progress")
        stop = threading.Event()
        with pytest.raises(Cancelled, match="stopped"):
            judge_in_batches(
                store,
                run_id,
                AnthropicJudge(client=a_client(batches, None)),
                cancel=stop,
                say=lambda words: stop.set() if words.startswith("waiting") else None,
                **settings,
            )
        del batches.batch
        with pytest.raises(BudgetSpent, match="3 of 5 traces are judged"):
            judge_in_batches(store, run_id, AnthropicJudge(client=a_client(batches, None)), **settings)
    assert [len(bodies) for bodies in batches.bodies] == [2, 6]


def test_the_upper_estimate_holds() -> None:
    """Every non-ASCII character counts as a token, and replies as long as they may be; priced as batches are."""
    body = {"model": MODEL, "max_tokens": 100, "messages": [{"role": "user", "content": "あ" * 50}]}
    found = at_most([body, body], model=MODEL)
    assert found.tokens >= 2 * 150
    assert found.usd is not None
    assert at_most([body], model="no-such-model").usd is None
