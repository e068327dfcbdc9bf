"""
Spans as they come in, put together into traces: a trace is stored when its root has arrived, or when nothing more comes, and told anew when spans
come late.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from ragviz.errors import RagvizError
from ragviz.loaders.format import in_words
from ragviz.loaders.otlp import is_span_id, spans_in, step_of
from ragviz.loaders.rows import Row
from ragviz.loaders.steps import Step, trace_of_steps
from ragviz.pipeline.growing import GrowingRun
from ragviz.records import LoadIssue, Trace

ROOT_S = 0.5
"""A trace whose root has arrived is stored after so long without a further span: children are often sent in the same second."""
QUIET_S = 3.0
"""A trace without a root is stored after so long without a further span."""
LATE_S = 600.0
"""For so long after its last span a stored trace still takes late ones."""
MOST_SPANS = 100_000
"""Spans held in memory. The oldest stored traces are let go first; when there are none, no more are taken."""
SPAN_BYTES = 1 << 20
"""A span of more text than that is refused."""
ORIGIN = "otlp"

_SURPRISES = (TypeError, ValueError, KeyError, AttributeError, IndexError, RecursionError, OverflowError)


class Taken(msgspec.Struct, frozen=True, kw_only=True):
    """What became of the spans of one request."""

    n_taken: int
    n_rejected: int
    why: str = ""
    """Of the first that was rejected."""


class _Open(msgspec.Struct, kw_only=True):
    """The spans of one trace so far."""

    steps: dict[str, Step] = {}
    has_root: bool = False
    last_s: float = 0.0
    stored: bool = False
    fresh: bool = True
    """Spans came in since it was stored."""


class Receiver:
    """Takes spans from any thread; ``store_ready`` puts finished traces into the run."""

    def __init__(self, run: GrowingRun, *, clock: Callable[[], float] = time.monotonic, most_spans: int = MOST_SPANS) -> None:
        self.run = run
        self.n_traces = self.n_updated = self.n_doubts = 0
        self._clock, self._most_spans = clock, most_spans
        self._open: OrderedDict[str, _Open] = OrderedDict()
        """In the order of their last spans."""
        self._n_spans = 0
        self._lock = threading.Lock()
        self.judging = threading.Lock()
        """Held while stored traces are judged: none of them is told anew meanwhile, or old verdicts would meet new words."""

    def take(self, payload: Mapping[str, Any]) -> Taken:
        """
        The spans of one OTLP request, as JSON says them.

        Spans that are no spans are rejected and the rest is taken; when memory is full, all that would not fit are rejected.
        """
        taken, rejected, why = 0, 0, ""
        try:
            spans = list(spans_in(payload))
        except _SURPRISES:
            return Taken(n_taken=0, n_rejected=1, why="no resourceSpans in the body")
        for span in spans:
            reason = self._take_one(span)
            if reason:
                rejected += 1
                why = why or reason
            else:
                taken += 1
        return Taken(n_taken=taken, n_rejected=rejected, why=why)

    def _take_one(self, span: Any) -> str:
        """"" when it was taken, else why not."""
        if not isinstance(span, Mapping):
            return "a span is no object"
        if not is_span_id(span.get("traceId", span.get("trace_id")), n_bytes=16) or not is_span_id(span.get("spanId", span.get("span_id")), n_bytes=8):
            return "a span without a valid trace id of 16 bytes and span id of 8 bytes"
        try:
            if len(msgspec.json.encode(span)) > SPAN_BYTES:
                return f"a span of more than {SPAN_BYTES >> 20} MiB"
            step = step_of(span, Row(ORIGIN, 0, span))
        except (*_SURPRISES, msgspec.MsgspecError) as exc:
            return f"a span has an unexpected shape ({in_words(exc)})"
        with self._lock:
            return self._put(step)

    def _put(self, step: Step) -> str:
        found = self._open.get(step.trace_id)
        if found is not None and step.id in found.steps:
            return ""  # sent twice is one span
        if self._n_spans >= self._most_spans and not self._make_room(step.trace_id):
            return "too many spans of unfinished traces are waiting; send them again later"
        if found is None:
            found = self._open[step.trace_id] = _Open(steps={})
        found.steps[step.id] = step
        found.has_root = found.has_root or not step.parent
        found.last_s, found.fresh = self._clock(), True
        self._open.move_to_end(step.trace_id)
        self._n_spans += 1
        return ""

    def _make_room(self, keep: str) -> bool:
        """Let the oldest stored trace go."""
        old = next((name for name, trace in self._open.items() if trace.stored and not trace.fresh and name != keep), None)
        if old is not None:
            self._n_spans -= len(self._open.pop(old).steps)
        return old is not None

    def store_ready(self, *, everything: bool = False) -> list[str]:
        """
        Put into the run what is finished; says which traces are new or told anew, and so not judged yet.

        Args:
            everything: Also what is still waiting: before the end.
        """
        free = self.judging.acquire(blocking=everything)
        try:
            return self._store_all(self._ready(everything=everything, told_anew=free))
        finally:
            if free:
                self.judging.release()

    def _ready(self, *, everything: bool, told_anew: bool) -> list[tuple[str, list[Step], bool]]:
        """Name, spans and whether it is stored already, of each trace that is finished."""
        now, ready = self._clock(), []
        with self._lock:
            for name, trace in list(self._open.items()):
                quiet = now - trace.last_s
                if trace.fresh and (told_anew or not trace.stored) and (everything or quiet >= (ROOT_S if trace.has_root else QUIET_S)):
                    ready.append((name, list(trace.steps.values()), trace.stored))
                    trace.fresh, trace.stored = False, True
                elif not trace.fresh and quiet >= LATE_S:
                    self._n_spans -= len(self._open.pop(name).steps)
        return ready

    def _store_all(self, ready: list[tuple[str, list[Step], bool]]) -> list[str]:
        changed: list[str] = []
        for at, (_, steps, _) in enumerate(ready):
            try:
                changed += self._store(steps)
            except RagvizError:
                with self._lock:
                    for name, _, stored in ready[at:]:
                        if name in self._open:
                            self._open[name].fresh, self._open[name].stored = True, stored
                raise
        return changed

    def _store(self, steps: list[Step]) -> list[str]:
        rows = [msgspec.structs.replace(row, origin=f"{ORIGIN}:{row.id}") if isinstance(row, Trace) else row for row in trace_of_steps(steps, 0)]
        self.n_doubts += sum(isinstance(row, LoadIssue) for row in rows)
        new = self.run.add(rows)
        self.n_traces += len(new)
        told_anew = [row.id for row in rows if isinstance(row, Trace) and row.id not in new and self._is_fuller(row) and self.run.replace(row)]
        self.n_updated += len(told_anew)
        return new + told_anew

    def _is_fuller(self, trace: Trace) -> bool:
        """Late spans of a trace that was let go, or stored before a restart, are only part of it: they do not take the place of the whole."""
        with self._lock:
            held = self._open.get(trace.id)
        return held is not None and held.has_root

    @property
    def n_waiting(self) -> int:
        """Traces that are not stored yet."""
        with self._lock:
            return sum(trace.fresh for trace in self._open.values())
