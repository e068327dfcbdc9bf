"""Hosted judge, extractor and raters inside the pipeline: keys, cancelling, and what is said of failures."""

from __future__ import annotations

import json
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar

import pytest

from ragviz.backends.anthropic_client import AnthropicClient
from ragviz.claims import AnthropicExtractor
from ragviz.contracts import Ask, Availability, JudgeInfo
from ragviz.errors import Cancelled, InputError, JudgeUnavailable
from ragviz.judges import provenance_of
from ragviz.judges.hosted import AnthropicJudge
from ragviz.pipeline import import_files, judge_run, make_judge
from ragviz.pipeline.claiming import working_extractor
from ragviz.pipeline.rating import working_raters
from ragviz.records import Rating, RatingKind, Verdict
from ragviz.store import Store
from ragviz.testing import MessagesServer, Scripted, claims_in, message, verdicts
from ragviz.testing.messages_server import failure
from tests.unit.pipeline.fakes import WordJudge, a_file


@pytest.fixture(autouse=True)
def _no_raters(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    """Raters bring a model."""
    if not request.node.name.startswith("test_names"):
        monkeypatch.setattr("ragviz.pipeline.rating.raters", type("None", (), {"names": staticmethod(list)}))


def a_client(server: MessagesServer) -> AnthropicClient:
    return AnthropicClient(api_key="test", base_url=server.url, max_retries=0)


def silent(request: dict[str, Any]) -> Scripted:
    """Nothing supports anything."""
    rows = [{"id": c, "reasoning": "", "verdict": "not_supported", "evidence": [], "confidence": 0.9} for c in claims_in(request)]
    return message(verdicts(rows))


@pytest.mark.parametrize("name", ["anthropic", "anthropic:claude-haiku-5-5"])
def test_the_key_reaches_judge_and_extractor(name: str) -> None:
    """Handed in by the command line or the dashboard."""
    assert make_judge(name, api_key="k").available().ok
    assert not make_judge(name).available().ok
    extractor = working_extractor(name, api_key="k")
    assert isinstance(extractor, AnthropicExtractor)
    assert name.partition(":")[2] in extractor.client.model


def test_names_of_raters(monkeypatch: pytest.MonkeyPatch) -> None:
    """``anthropic`` stands for both; without a key it is refused."""
    monkeypatch.setattr("ragviz.backends.embedder.Embedder.available", lambda _: Availability(ok=True))
    assert ["anthropic_relevance", "anthropic_passages"] == [r.info.name for r in working_raters(["anthropic"], api_key="k")]
    (one,) = working_raters(["anthropic_passages:claude-haiku-5-5"], api_key="k")
    assert one.params["model"] == "claude-haiku-5-5"
    with pytest.raises(JudgeUnavailable, match="no API key"):
        working_raters(["anthropic_passages"])


def test_a_call_that_cancelling_cut_short_leaves_no_gap(store: Store, tmp_path: Path) -> None:
    """Cancelled inside the first call: nothing is stored as unjudged, and the next run judges all."""
    run_id, cancel = import_files(store, [a_file(tmp_path, 2)]).run_id, threading.Event()

    def answer(request: dict[str, Any]) -> Scripted:
        cancel.set()
        return silent(request)

    with MessagesServer(answer) as server:
        client = AnthropicClient(api_key="test", base_url=server.url, max_retries=0, max_concurrency=1)
        with pytest.raises(Cancelled):
            judge_run(store, run_id, AnthropicJudge(client=client, cancelled=cancel.is_set), cancel=cancel)
        report = judge_run(store, run_id, AnthropicJudge(client=client))

    verdicts_found = {j.verdict for case in store.judged(report.view) for j in case.judgements}
    assert (report.n_traces, report.n_unjudged, verdicts_found) == (2, 0, {Verdict.NEUTRAL})


def test_claims_that_cancelling_left_to_the_rules_are_not_kept(store: Store, tmp_path: Path) -> None:
    """Or the run would be split by rules for good."""
    run_id, cancel = import_files(store, [a_file(tmp_path, 2)]).run_id, threading.Event()

    def answer(_: dict[str, Any]) -> Scripted:
        cancel.set()
        return message(json.dumps({"claims": [{"text": "The sky is blue.", "quote": "The sky is blue."}]}))

    with MessagesServer(answer) as server:
        client = AnthropicClient(api_key="test", base_url=server.url, max_retries=0, max_concurrency=1)
        with pytest.raises(Cancelled):
            judge_run(store, run_id, WordJudge(), claims=AnthropicExtractor(client=client, cancelled=cancel.is_set), cancel=cancel)
    assert store.claim_sets(run_id, "anthropic", ["q0", "q1"]) == {}
    assert store.issues(run_id) == []


def test_each_text_that_rules_had_to_split_is_an_issue(store: Store, tmp_path: Path) -> None:
    """Answer and reference of one trace; said once, however often the run is judged."""
    run_id = import_files(store, [a_file(tmp_path, 1)]).run_id
    with MessagesServer(lambda _: failure(500, "api_error", "x")) as server:
        for judge in (WordJudge(), WordJudge(joined=False)):
            report = judge_run(store, run_id, judge, claims=AnthropicExtractor(client=a_client(server)))
    issues = store.issues(run_id)

    assert report.view.claim_set == "anthropic"
    assert [("its answer" in i.message, "its reference" in i.message, i.rejected) for i in issues] == [(True, False, False), (False, True, False)]
    assert all("500" in i.message and i.fix for i in issues)


def test_a_judge_of_the_files_claims_takes_no_others(store: Store, tmp_path: Path) -> None:
    """Facts are annotated, not split."""
    with pytest.raises(InputError, match="reads the claims that came with the file"):
        judge_run(store, import_files(store, [a_file(tmp_path, 1)]).run_id, "facts", claims="rules")


class Stars:
    """Rates every passage 1, except that it fails at first."""

    info = JudgeInfo(name="stars", version="1", summary="", deterministic=True, network=True, max_batch=10)
    kinds = frozenset({RatingKind.QUESTION_TO_PASSAGE})
    params: ClassVar[dict[str, object]] = {}
    spent_usd = 0.25

    def __init__(self) -> None:
        self.asked: list[list[str]] = []

    def available(self) -> Availability:
        return Availability(ok=True)

    def rate(self, asks: Sequence[Ask]) -> list[Rating]:
        self.asked.append([a.target_id for a in asks])
        value = None if len(self.asked) == 1 else 1.0
        return [
            Rating(kind=a.kind, trace_id=a.trace_id, target_id=a.target_id, value=value, reason="down" if value is None else "", provenance=provenance_of(self))
            for a in asks
        ]


def test_ratings_that_failed_are_asked_for_again(store: Store, tmp_path: Path) -> None:
    """First at k = 1, where it fails; then for both passages; then not any more. What it cost is in the report."""
    run_id, stars = import_files(store, [a_file(tmp_path, 1)]).run_id, Stars()
    first = judge_run(store, run_id, WordJudge(), k=1, rater_names=[stars])
    assert [s.scores["context_relevance"].value for s in store.results(first.view)] == [None]
    second = judge_run(store, run_id, WordJudge(), rater_names=[stars])
    judge_run(store, run_id, WordJudge(), rater_names=[stars])

    assert stars.asked == [["p1"], ["p1", "p2"]]
    assert [s.scores["context_relevance"].value for s in store.results(second.view)] == [1.0]
    assert second.cost_usd == 0.25

