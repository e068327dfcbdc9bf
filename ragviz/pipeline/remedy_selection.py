"""Which traces a remedy is tried on."""

from __future__ import annotations

from collections.abc import Sequence

from ragviz.contracts import View
from ragviz.errors import InputError
from ragviz.records import Grounding
from ragviz.store import Store, TraceFilter

FAILING = TraceFilter(verdicts=(Grounding.NOT_SUPPORTED, Grounding.CONTRADICTED))
"""Traces with a claim that no passage supports: what a remedy is for."""
WORDS = "failing, all, trace=ID, quadrant=NAME, cause=NAME, verdict=NAME, tag=NAME:VALUE, source=ID"


def read_selection(parts: Sequence[str]) -> TraceFilter | None:
    """
    A filter out of words of the command line, all of which must hold; None for all traces.

    Raises:
        InputError: A word is none of these.
    """
    found: dict[str, list[str]] = {}
    base = TraceFilter()
    for part in parts:
        name, equals, value = part.partition("=")
        if part == "failing":
            base = FAILING
        elif part == "all":
            continue
        elif equals and value and name in ("trace", "quadrant", "cause", "verdict", "tag", "source"):
            found.setdefault(name, []).append(value)
        else:
            raise InputError(f"{part!r} selects nothing", fix=f"use one of: {WORDS}")
    verdicts = tuple(_verdict(value) for values in found.get("verdict", ()) for value in values.split(",")) or base.verdicts
    tags = dict(_tag(value) for value in found.get("tag", ()))
    names = {name: tuple(word for value in found.get(name, ()) for word in value.split(",")) for name in ("trace", "quadrant", "cause")}
    where = TraceFilter(
        ids=names["trace"], quadrants=names["quadrant"], causes=names["cause"], verdicts=verdicts, tags=tags, source=next(iter(found.get("source", ())), None),
    )
    return None if where == TraceFilter() else where


def _verdict(word: str) -> Grounding:
    try:
        return Grounding(word)
    except ValueError as exc:
        raise InputError(f"no verdict named {word!r}", fix=f"Known: {', '.join(Grounding)}") from exc


def _tag(text: str) -> tuple[str, str]:
    name, colon, value = text.partition(":")
    if not colon or not name:
        raise InputError(f"tag={text} names no value", fix="write tag=NAME:VALUE, as in tag=topic:returns")
    return name, value


def chosen_ids(store: Store, view: View, where: TraceFilter | None, *, limit: int | None = None) -> list[str]:
    """Ids of the traces that pass, in file order; a filter on verdicts or quadrants sees only what the view has judged."""
    found = store.trace_ids(view.run_id) if where is None else store.passing(view, where)
    return found[:limit]
