"""A run judged by a service that fails: a colour, never a score, and nothing of it is remembered."""

from __future__ import annotations

from pathlib import Path

import pytest

from ragviz.backends.anthropic_client import AnthropicClient
from ragviz.judges.hosted import AnthropicJudge
from ragviz.pipeline import import_files, judge_run, plan
from ragviz.records import Grounding, ScoreStatus
from ragviz.store import open_store
from ragviz.testing import MessagesServer, message
from tests.unit.pipeline.fakes import a_file

pytestmark = pytest.mark.usefixtures("no_raters")


@pytest.mark.slow
def test_replies_that_make_no_sense_leave_every_claim_unjudged(tmp_path: Path) -> None:
    """Prose instead of JSON: all pairs unjudged, the score failed with a reason, tokens counted, the next try asks again."""
    store = open_store(":memory:")
    run_id = import_files(store, [a_file(tmp_path, 2)]).run_id
    with MessagesServer(lambda _request: message("I would rather not say.")) as server:
        judge = AnthropicJudge("claude-test", client=AnthropicClient(api_key="test", base_url=server.url, model="claude-test", max_retries=0))
        before = plan(store, run_id, judge)
        report = judge_run(store, run_id, judge)
        calls = len(server.requests)
        judge_run(store, run_id, judge, retry_unjudged=True)

        assert (report.n_pairs, 0) == (report.n_unjudged, report.n_cached)
        assert calls < len(server.requests)
    results = list(store.results(report.view))
    assert {ScoreStatus.FAILED} == {r.scores["faithfulness"].status for r in results}
    assert 2 == store.claim_counts(report.view)[Grounding.UNJUDGED]
    assert before.calls > 0
    assert before.tokens_in > 0
