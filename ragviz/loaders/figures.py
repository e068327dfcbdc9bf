"""Figures that no system can have: below zero, or beyond what a store can hold. They are left out and told, and the rest of the trace stays."""

from __future__ import annotations

import math

import msgspec

from ragviz.records import Passage, Trace, Usage

MOST = 1 << 53
"""Whole numbers up to here are exact in every format that ragviz writes."""
MOST_ID_BYTES = 1_000
"""An id takes part in indexes of the store; PostgreSQL's hold 2,700 bytes with everything beside it."""
KEPT_CHARS = 100
_USAGE = ("latency_ms", "tokens_in", "tokens_out", "cost_usd")


def sound(trace: Trace) -> tuple[Trace, list[str]]:
    """
    The trace without figures that cannot be, and what was left out, in words.

    Negative or endless latency, tokens and cost become unknown, as do relevance labels beyond 2**53; an id of more than 1,000 bytes keeps its beginning.
    Negative relevance is a label like any other (TREC's junk pages).
    """
    if _is_usual(trace):
        return trace, []
    doubts: list[str] = []
    changed: dict[str, object] = {}
    if trace.usage is not None and (odd := [name for name in _USAGE if not _can_be(getattr(trace.usage, name))]):
        doubts += [f"{name} is {getattr(trace.usage, name):.4g}, which cannot be; it is left out" for name in odd]
        left = {name: getattr(trace.usage, name) for name in _USAGE if name not in odd}
        changed["usage"] = Usage(**left) if any(value is not None for value in left.values()) else None
    if trace.passages and any(p.relevance is not None and abs(p.relevance) > MOST for p in trace.passages):
        doubts.append("a relevance label is too large to be one; it is left out")
        changed["passages"] = tuple(_without_label(p) for p in trace.passages)
    if trace.relevance_grades and any(abs(grade) > MOST for grade in trace.relevance_grades.values()):
        doubts.append("a relevance label is too large to be one; it is left out")
        changed["relevance_grades"] = {name: grade for name, grade in trace.relevance_grades.items() if abs(grade) <= MOST}
    if len(trace.id) * 4 > MOST_ID_BYTES and len(trace.id.encode()) > MOST_ID_BYTES:
        doubts.append(f"the id has {len(trace.id):,} characters; its first {KEPT_CHARS} are kept")
        changed["id"] = trace.id[:KEPT_CHARS]
    return (msgspec.structs.replace(trace, **changed), doubts) if changed else (trace, doubts)


def _is_usual(trace: Trace) -> bool:
    """True of nearly all traces, which are asked for by the hundred thousand: nothing in them is to be looked at."""
    if trace.usage is not None or trace.relevance_grades or len(trace.id) * 4 > MOST_ID_BYTES:
        return False
    for passage in trace.passages or ():  # noqa: SIM110 - any() would take four times as long
        if passage.relevance is not None:
            return False
    return True


def _can_be(figure: float | None) -> bool:
    return figure is None or (math.isfinite(figure) and 0 <= figure <= MOST)


def _without_label(passage: Passage) -> Passage:
    return msgspec.structs.replace(passage, relevance=None) if passage.relevance is not None and abs(passage.relevance) > MOST else passage
