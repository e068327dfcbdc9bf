"""Spans that arrive one by one, late, twice, or broken: traces are put together, and told anew."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ragviz.pipeline.growing import GrowingRun
from ragviz.pipeline.receiving import LATE_S, QUIET_S, ROOT_S, Receiver
from ragviz.store import Store, open_store
from tests.unit.pipeline.otlp_spans import ROOT, TRACE, a_span, batch, retriever_span, root_span


class Clock:
    """Time that moves when told."""

    now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """An empty store."""
    made = open_store(tmp_path / "store.sqlite")
    yield made
    made.close()


class TestAssembling:
    def test_a_trace_is_stored_when_its_root_has_arrived(self, store: Store) -> None:
        """Child first, root in another request; half a second later one trace with passage, version and answer."""
        clock = Clock()
        receiver = Receiver(GrowingRun(store, "live", kind="receive"), clock=clock)
        receiver.take(batch(retriever_span()))
        receiver.take(batch(root_span()))
        assert receiver.store_ready() == []

        clock.now += ROOT_S
        assert receiver.store_ready() == [TRACE]

        (trace,) = store.traces(receiver.run.run_id)
        assert (trace.question, trace.response) == ("How long?", "It takes 30 days.")
        assert trace.passages is not None
        assert [p.doc_id for p in trace.passages] == ["d1"]
        assert trace.tags["service.version"] == "2.4.1"

    def test_without_a_root_it_waits_for_quiet(self, store: Store) -> None:
        """A tracer that never sends the root: three seconds after the last span."""
        clock = Clock()
        receiver = Receiver(GrowingRun(store, "live", kind="receive"), clock=clock)
        receiver.take(batch(retriever_span()))
        clock.now += QUIET_S - 0.1
        assert receiver.store_ready() == []
        clock.now += 0.2
        assert receiver.store_ready() == [TRACE]

    def test_late_spans_tell_the_trace_anew(self, store: Store) -> None:
        """The retriever's span comes after the trace was stored and judged: the trace has its passage, and is judged again."""
        from ragviz.pipeline import judge_run

        clock = Clock()
        receiver = Receiver(GrowingRun(store, "live", kind="receive"), clock=clock)
        receiver.take(batch(root_span()))
        clock.now += ROOT_S
        receiver.store_ready()
        view = judge_run(store, receiver.run.run_id, "local").view
        assert store.missing_results(view) == []
        receiver.take(batch(retriever_span()))
        clock.now += ROOT_S

        with receiver.judging:
            assert receiver.store_ready() == []  # not while the judge is at work
        assert receiver.store_ready() == [TRACE]

        (trace,) = store.traces(receiver.run.run_id)
        assert trace.passages is not None
        assert len(trace.passages) == 1
        assert store.missing_results(view) == [TRACE]
        assert store.not_judged(receiver.run.run_id, view.judge, view.claim_set, 0) == [TRACE]
        assert store.count(view) == 1
        assert store.run(receiver.run.run_id).n_traces == 1
        judge_run(store, receiver.run.run_id, "local")
        assert store.missing_results(view) == []
        assert store.views(receiver.run.run_id)[0][1] == 1

    def test_the_same_spans_again_change_nothing(self, store: Store) -> None:
        """Tracers send again what was not answered in time."""
        clock = Clock()
        receiver = Receiver(GrowingRun(store, "live", kind="receive"), clock=clock)
        for _ in range(2):
            receiver.take(batch(root_span(), retriever_span()))
            clock.now += QUIET_S
            receiver.store_ready()

        assert (receiver.n_traces, receiver.n_updated) == (1, 0)

    def test_memory_is_bounded(self, store: Store) -> None:
        """Ten spans at most: unfinished traces are kept, stored ones let go, and what does not fit is refused for now."""
        clock = Clock()
        receiver = Receiver(GrowingRun(store, "live", kind="receive"), clock=clock, most_spans=10)
        spans = [a_span(ROOT, trace=f"{n:032x}", input__value=f"Question {n}?", output__value="Yes.") for n in range(1, 13)]

        first = receiver.take(batch(*spans))
        assert (first.n_taken, first.n_rejected) == (10, 2)
        assert "later" in first.why
        clock.now += ROOT_S
        assert len(receiver.store_ready()) == 10
        again = receiver.take(batch(*spans[10:]))

        assert (again.n_taken, again.n_rejected) == (2, 0)

    def test_forgotten_after_a_while(self, store: Store) -> None:
        """Ten minutes after its last span a trace is only in the store; a late child alone does not take its place."""
        clock = Clock()
        receiver = Receiver(GrowingRun(store, "live", kind="receive"), clock=clock)
        receiver.take(batch(root_span()))
        clock.now += ROOT_S
        receiver.store_ready()
        clock.now += LATE_S
        receiver.store_ready()
        receiver.take(batch(retriever_span()))
        clock.now += QUIET_S

        assert receiver.store_ready() == []
        (trace,) = store.traces(receiver.run.run_id)
        assert trace.question == "How long?"

    @pytest.mark.parametrize(
        "span",
        [
            "text",
            7,
            None,
            {},
            {"traceId": "zz", "spanId": ROOT},
            {"traceId": TRACE},
            {"traceId": "0" * 32, "spanId": ROOT},
            {"traceId": TRACE, "spanId": "0" * 16},
        ],
        ids=str,
    )
    def test_what_is_no_span_is_rejected_and_the_rest_taken(self, store: Store, span: Any) -> None:
        """With the reason, as partialSuccess wants it."""
        receiver = Receiver(GrowingRun(store, "live", kind="receive"))

        taken = receiver.take(batch(span, root_span()))

        assert (taken.n_taken, taken.n_rejected) == (1, 1)
        assert taken.why
