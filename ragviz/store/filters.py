"""What a page asks for, and what it gets: filters, rows, neighbours."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

import msgspec

from ragviz.records import Grounding

OF_TRACES = ("started_at", "latency_ms", "cost_usd")
"""Numbers of the traces themselves: known before anything was judged. Times in seconds since 1970, UTC."""


FAILING_QUADRANTS = ("extra_claim", "lucky_guess", "wrong_mirror", "fabrication", "off_topic")
"""Quadrants that need somebody's attention, in the order of the diagnosis table."""
FAILING_VERDICTS = (Grounding.CONTRADICTED, Grounding.CONFLICTED, Grounding.NOT_SUPPORTED)
"""Of claims, worst first: what makes a trace fail that is in no quadrant."""


class TraceFilter(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Which traces. Every condition that is set must hold."""

    text: str = ""
    """Words in question or answer, all of them; in double quotes: in a row."""
    quadrants: tuple[str, ...] = ()
    causes: tuple[str, ...] = ()
    verdicts: tuple[Grounding, ...] = ()
    """At least one response claim has one of these."""
    tags: Mapping[str, str] = {}
    source: str | None = None
    """A source or document id that was retrieved."""
    ranges: tuple[tuple[str, float | None, float | None], ...] = ()
    """(score or one of ``OF_TRACES``, at least, at most): both ends belong to it; None = open."""
    ids: tuple[str, ...] = ()
    slice: str = ""
    """What ``ids`` have in common, for who shows the filter; it decides nothing."""
    refusals: tuple[str, ...] = ()
    """Of the answers that decline only those of these kinds, all others pass: ``right``, ``wrong`` (an answer exists), ``unknown`` (the file does not say)."""

    lacking: tuple[str, ...] = ()
    """Scores of which a trace has no value for one at least."""
    failing: bool = False
    """Only traces that fail: by their quadrant; those in no quadrant (without a reference, say) by a claim with one of ``FAILING_VERDICTS``."""

    @property
    def needs_results(self) -> bool:
        """True when only scored traces can pass."""
        return bool(self.failing or self.quadrants or self.causes or self.verdicts or self.lacking or any(name not in OF_TRACES for name, _, _ in self.ranges))

    @property
    def needs_traces(self) -> bool:
        """True when a trace's own numbers or id decide."""
        return bool(self.ids) or any(name in OF_TRACES for name, _, _ in self.ranges)


TO_EXPLAIN = TraceFilter(refusals=("wrong",))
"""
Whose causes are counted, on the Overview as in the report: all traces (those in no quadrant too, such as all without a reference) but refusals that
were not wrong.
"""


FAILING = TraceFilter(failing=True)
"""What the Overview counts as failing, the Inspector steps through and an export of failing traces holds."""


class TraceRow(msgspec.Struct, frozen=True, kw_only=True):
    """One line of the Traces page."""

    id: str
    question: str
    response_preview: str
    """The first characters of the answer."""
    quadrant: str
    """``unknown`` for a trace that was not scored in this view."""
    cause: str
    worst_claim: str
    worst_verdict: str | None
    n_claims: int
    n_supported: int
    n_not_supported: int
    n_contradicted: int
    n_conflicted: int
    n_unjudged: int
    scores: dict[str, float | None]
    """By metric name."""
    started_at: datetime | None
    latency_ms: float | None
    cost_usd: float | None
    tags: Mapping[str, str]


class Neighbours(msgspec.Struct, frozen=True, kw_only=True):
    """Where a trace stands in a filtered, sorted list."""

    previous: str | None
    next: str | None
    position: int | None
    """From 1; None when the trace is not in the list."""
    total: int
