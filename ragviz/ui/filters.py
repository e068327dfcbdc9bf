"""
Which traces, as query parameters: what "228 traces" on one page links to, and what the Traces page and the Inspector read back.

Every value is hostile: words are matched against ours, numbers against their range, and what does not fit is dropped.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from urllib.parse import quote, unquote

from ragviz.records import Grounding
from ragviz.store import TraceFilter
from ragviz.ui import selection

NAMES = ("q", "quadrant", "cause", "verdict", "tag", "source", "range")
"""All parameters that narrow a list of traces."""

JUST_BELOW = 1e-9
"""Ranges include both ends; "below 1" ends this much before 1."""

SCORES = (
    "faithfulness", "hallucination", "correctness", "relevance", "context_recall", "context_precision", "recall_at_k", "precision_at_k",
    "n_claims", "n_supported", "n_not_supported", "n_contradicted", "n_conflicted", "n_unjudged",
)
"""What a range may speak of."""

_WORD = re.compile(r"[a-z][a-z0-9_]{0,60}")
_RANGE = re.compile(r"([a-z][a-z0-9_]{0,60}):(-?[0-9.]{1,24})?:(-?[0-9.]{1,24})?")


def from_params(params: Mapping[str, str]) -> TraceFilter:
    """The filter of a URL."""
    return TraceFilter(
        text=selection.text(params, "q") or "", quadrants=_words(params, "quadrant"), causes=_words(params, "cause"),
        verdicts=tuple(Grounding(word) for word in _words(params, "verdict") if word in list(Grounding)),
        tags=_tags(selection.text(params, "tag") or ""), source=selection.text(params, "source"), ranges=_ranges(selection.text(params, "range") or ""),
    )


def to_params(where: TraceFilter) -> dict[str, str]:
    """The query parameters of a filter; conditions that are not set are left out. ``ids`` have no place in a URL."""
    found = {
        "q": where.text, "quadrant": ",".join(where.quadrants), "cause": ",".join(where.causes), "verdict": ",".join(where.verdicts),
        "tag": ";".join(f"{quote(n, safe='')}:{quote(v, safe='')}" for n, v in sorted(where.tags.items())), "source": where.source or "",
        "range": ";".join(f"{name}:{_end(lo)}:{_end(hi)}" for name, lo, hi in where.ranges),
    }
    return {name: value for name, value in found.items() if value}


def below(name: str, limit: float) -> TraceFilter:
    """Traces whose score lies below a limit."""
    return TraceFilter(ranges=((name, None, round(limit - JUST_BELOW, 9)),))


def at_least(name: str, limit: float) -> TraceFilter:
    """Traces whose score is a limit or more."""
    return TraceFilter(ranges=((name, limit, None),))


def describe(where: TraceFilter, labels: Mapping[str, str]) -> list[tuple[str, str]]:
    """
    Each condition as (parameter, words): what "nothing found" names and "Clear" takes away.

    Args:
        where: The filter.
        labels: Words for quadrants, causes, verdicts and scores, by their names.
    """
    said = []
    if where.text:
        said.append(("q", f"words “{where.text}”"))
    for name, words in (("quadrant", where.quadrants), ("cause", where.causes), ("verdict", where.verdicts)):
        if words:
            said.append((name, f"{name} " + " or ".join(labels.get(w, w.replace("_", " ")) for w in words)))
    if where.tags:
        said.append(("tag", ", ".join(f"{n} = {v}" for n, v in where.tags.items())))
    if where.source:
        said.append(("source", f"source {where.source}"))
    if where.ranges:
        said.append(("range", ", ".join(_in_words(labels.get(name, name.replace("_", " ")), lo, hi) for name, lo, hi in where.ranges)))
    return said


def _in_words(name: str, lo: float | None, hi: float | None) -> str:
    if hi is not None and abs(round(hi, 6) - hi) > JUST_BELOW / 10:
        upper = f"below {round(hi, 6):g}"
    else:
        upper = "" if hi is None else f"at most {hi:g}"
    if lo is not None and lo == hi:
        return f"{name} = {lo:g}"
    lower = "" if lo is None else f"at least {lo:g}"
    return f"{name} " + " and ".join(part for part in (lower, upper) if part)


def _words(params: Mapping[str, str], name: str) -> tuple[str, ...]:
    given = (selection.text(params, name) or "").split(",")
    return tuple(dict.fromkeys(word for word in given if _WORD.fullmatch(word)))


def _tags(text: str) -> dict[str, str]:
    found = {}
    for part in text.split(";"):
        name, colon, value = part.partition(":")
        if colon and name:
            found[unquote(name)] = unquote(value)
    return found


def _ranges(text: str) -> tuple[tuple[str, float | None, float | None], ...]:
    found = []
    for part in text.split(";"):
        match = _RANGE.fullmatch(part)
        if match and match.group(1) in SCORES:
            try:
                lo, hi = (float(end) if end else None for end in match.group(2, 3))
            except ValueError:
                continue
            if lo is not None or hi is not None:
                found.append((match.group(1), lo, hi))
    return tuple(found)


def _end(value: float | None) -> str:
    return "" if value is None else f"{value:.9f}".rstrip("0").rstrip(".")
