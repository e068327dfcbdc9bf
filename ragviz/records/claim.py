"""Atomic statements and where they stand in their text."""

from __future__ import annotations

import msgspec

from ragviz.records.span import Span
from ragviz.records.trace import Fact
from ragviz.records.verdict import Side


class Claim(msgspec.Struct, frozen=True, kw_only=True, gc=False, omit_defaults=True):
    """One atomic, checkable statement of an answer or of a reference."""

    id: str
    """Unique within the trace and claim set, in reading order: ``c1`` for the answer, ``r1`` for the reference."""
    trace_id: str
    side: Side
    text: str
    """Self-contained where the extractor could make it so; else the characters of its spans."""
    spans: tuple[Span, ...] = ()
    """In the text of its side; () when it cannot be located there."""
    extractor: str
    """The claim set: ``rules``, ``facts``, ``imported``, ``anthropic``."""
    fact: Fact | None = None
