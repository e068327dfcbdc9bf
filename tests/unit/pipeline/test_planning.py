"""What judging will take, said before anything is spent: of a cascade the most, and less where its first step has spoken."""

from __future__ import annotations

from pathlib import Path

import pytest

from ragviz.backends.anthropic_client import DEFAULT_MODEL, AnthropicClient
from ragviz.judges.cascade import CascadeJudge
from ragviz.judges.hosted import AnthropicJudge
from ragviz.pipeline import Plan, import_files, judge_run, plan
from ragviz.store import Store, open_store
from ragviz.testing import MessagesServer, message, verdicts
from ragviz.testing.messages_server import claims_in
from ragviz.ui.views.data_judge import said_of_cost
from tests.unit.pipeline.fakes import WordJudge, a_file

pytestmark = pytest.mark.usefixtures("no_raters")

FIRST = WordJudge(joined=False)


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """Two traces whose claims the first step is sure of, one it is not."""
    made = open_store(":memory:")
    files = [a_file(tmp_path, 2, name="sure.jsonl"), a_file(tmp_path, 1, name="open.jsonl", response="The sea is red.")]
    import_files(made, files, run_name="r")
    return made


def the_plan(store: Store, *, model: str = DEFAULT_MODEL, first: WordJudge = FIRST) -> Plan:
    """Of the cascade on the one run."""
    return plan(store, store.runs()[0].run_id, CascadeJudge(steps=(first, AnthropicJudge(model, api_key="test"))))


def test_a_cascade_costs_at_most_what_its_last_step_would(store: Store) -> None:
    """Four calls a trace, and the money of asking Claude alone: known, though the cascade itself has no model."""
    alone = plan(store, store.runs()[0].run_id, AnthropicJudge(DEFAULT_MODEL, api_key="test"))
    found = the_plan(store)

    assert (found.at_most, alone.at_most) == (True, False)
    assert (found.calls, found.cost_usd) == (alone.calls, alone.cost_usd)
    assert found.calls == 3 * 4
    assert found.cost_usd is not None
    assert found.cost_usd > 0
    assert found.seconds > alone.seconds
    assert (found.expected_calls, found.expected_usd) == (None, None)
    assert "at most 12 calls for " in said_of_cost(found)


def test_what_the_first_step_has_settled_is_not_counted(store: Store) -> None:
    """It has judged the run: of twelve calls those about the one open answer are left, and the money for them."""
    judge_run(store, store.runs()[0].run_id, FIRST)

    found = the_plan(store)

    # Open are the answer's claim against passages and reference, and the reference's against the answer.
    assert (found.calls, found.expected_calls) == (12, 3)
    assert found.expected_usd is not None
    assert found.cost_usd is not None
    assert 0 < found.expected_usd < found.cost_usd
    assert said_of_cost(found).startswith("about 3 calls for ")


def test_the_estimate_is_what_is_called(store: Store) -> None:
    """The cascade is run against the local server: as many requests as were expected."""
    judge_run(store, store.runs()[0].run_id, FIRST)
    expected = the_plan(store, model="claude-test").expected_calls

    def none_supported(request: dict[str, object]) -> object:
        return message(verdicts([{"id": c, "reasoning": "no", "verdict": "not_supported", "evidence": [], "confidence": 0.9} for c in claims_in(request)]))

    with MessagesServer(none_supported) as server:  # type: ignore[arg-type]
        last = AnthropicJudge("claude-test", client=AnthropicClient(api_key="test", base_url=server.url, model="claude-test"))
        report = judge_run(store, store.runs()[0].run_id, CascadeJudge(steps=(FIRST, last)))

        assert len(server.requests) == expected == 3
    # The open answer has four pairs: with two passages, with the reference, and the reference's claim with it.
    assert report.by_step == {"words": 14, "anthropic": 4}


def test_an_unknown_price_stays_unknown(store: Store) -> None:
    """None, not 0; the calls are counted all the same."""
    found = the_plan(store, model="claude-nobody-knows")

    assert (found.cost_usd, found.calls) == (None, 12)
    assert "at an unknown price" in said_of_cost(found)


def test_joined_passages_may_go_to_the_last_step_too(store: Store) -> None:
    """A first step that wants passages joined asks once more: the most grows by these calls."""
    assert the_plan(store, first=WordJudge(joined=True)).calls > the_plan(store).calls
