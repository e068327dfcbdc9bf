"""
Which traces, as query parameters: what "228 traces" on one page links to, and what the Traces page and the Inspector read back.

Every value is hostile: words are matched against ours, numbers against their range, and what does not fit is dropped.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, date, datetime, timedelta
from typing import Any
from urllib.parse import quote, unquote

from msgspec.structs import replace

from ragviz.records import Grounding
from ragviz.store import TraceFilter
from ragviz.ui import selection

TIMES = ("since", "until")
"""Days, both included, in UTC."""
NAMES = ("q", "failing", "quadrant", "cause", "verdict", "refusal", "tag", "source", "slice", "range", "lacking", *TIMES)
"""All parameters that narrow a list of traces."""

REFUSALS = {"right": "right ones", "wrong": "wrong ones", "unknown": "those of unknown kind"}
"""Kinds of declined answers, and what they are called."""

DIGITS, LARGEST = 9, 1e12
"""Of the ends of a range: what is read from an address can be written into the next one."""

JUST_BELOW = 1e-9
"""Ranges include both ends; "below 1" ends this much before 1."""

SCORES = (
    "faithfulness", "hallucination", "correctness", "relevance", "context_recall", "context_precision", "recall_at_k", "precision_at_k",
    "n_claims", "n_supported", "n_not_supported", "n_contradicted", "n_conflicted", "n_unjudged", "latency_ms", "cost_usd", "started_at",
)
"""What a range may speak of."""

MOMENT = 0.001
"""A day ends so many seconds before the next."""
LATEST = 4_102_531_200.0
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_WORD = re.compile(r"[a-z][a-z0-9_]{0,60}")
_SEPARATORS = re.compile(r"[%;:\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
_RANGE = re.compile(r"([a-z][a-z0-9_]{0,60}):(-?[0-9.]{1,24})?:(-?[0-9.]{1,24})?")


def from_params(params: Mapping[str, str]) -> TraceFilter:
    """The filter of a URL."""
    return TraceFilter(
        text=selection.text(params, "q") or "",
        failing=selection.text(params, "failing") == "1",
        quadrants=_words(params, "quadrant"),
        causes=_words(params, "cause"),
        lacking=tuple(word for word in _words(params, "lacking") if word in SCORES),
        verdicts=tuple(Grounding(word) for word in _words(params, "verdict") if word in list(Grounding)),
        refusals=tuple(word for word in _words(params, "refusal") if word in REFUSALS),
        tags=_tags(selection.text(params, "tag") or ""),
        source=selection.text(params, "source"),
        ranges=(*_ranges(selection.text(params, "range") or ""), *_time(_day(params, "since"), _day(params, "until"))),
    )


def to_params(where: TraceFilter) -> dict[str, str]:
    """The query parameters of a filter; conditions that are not set are left out. ``ids`` have no place in a URL, but what they have in common does."""
    found = {
        "q": where.text,
        "failing": "1" if where.failing else "",
        "quadrant": ",".join(where.quadrants),
        "cause": ",".join(where.causes),
        "verdict": ",".join(where.verdicts),
        "refusal": ",".join(where.refusals),
        "tag": _written(where.tags),
        "source": where.source or "",
        "slice": where.slice,
        "range": ";".join(f"{name}:{_end(lo)}:{_end(hi)}" for name, lo, hi in _scores(where)),
        "lacking": ",".join(where.lacking),
        **{name: day.isoformat() for name, day in zip(TIMES, days(where), strict=True) if day},
    }
    return {name: value for name, value in found.items() if value}


def also(where: TraceFilter, **more: Any) -> TraceFilter:
    """A filter with further conditions; those it has under the same names are replaced."""
    return replace(where, **more)


def days(where: TraceFilter) -> tuple[date | None, date | None]:
    """First and last day of a filter on whole days; (None, None) where it has none."""
    if not where.ranges or not _is_days(*where.ranges[-1]):
        return None, None
    _, lo, hi = where.ranges[-1]
    return _first_of(lo), _last_of(hi)


def _scores(where: TraceFilter) -> tuple[tuple[str, float | None, float | None], ...]:
    """All ranges but that of whole days, which stands last."""
    return where.ranges[:-1] if any(days(where)) else where.ranges


def _time(since: date | None, until: date | None) -> tuple[tuple[str, float | None, float | None], ...]:
    """From the first moment of a day to the last of another, as a range."""
    if since is None and until is None:
        return ()
    return (("started_at", None if since is None else _midnight(since), None if until is None else _midnight(until + timedelta(days=1)) - MOMENT),)


def _midnight(day: date) -> float:
    return datetime(day.year, day.month, day.day, tzinfo=UTC).timestamp()


def _first_of(at: float | None) -> date | None:
    return None if at is None else datetime.fromtimestamp(at, UTC).date()


def _last_of(at: float | None) -> date | None:
    return None if at is None else datetime.fromtimestamp(at + MOMENT, UTC).date() - timedelta(days=1)


def _is_days(name: str, lo: float | None, hi: float | None) -> bool:
    """True for a range that whole days can say."""
    if name != "started_at" or not all(end is None or 0 <= end <= LATEST for end in (lo, hi)):
        return False
    return (name, lo, hi) in _time(_first_of(lo), _last_of(hi))


def _day(params: Mapping[str, str], name: str) -> date | None:
    value = selection.text(params, name) or ""
    try:
        day = date.fromisoformat(value) if _DATE.fullmatch(value) else None
    except ValueError:
        return None
    return day if day is not None and date(1970, 1, 1) <= day <= date(2100, 1, 1) else None


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
    if where.failing:
        said.append(("failing", "a failure, by quadrant or else by claim"))
    for name, words in (("quadrant", where.quadrants), ("cause", where.causes), ("verdict", where.verdicts)):
        if words:
            said.append((name, f"{name} " + " or ".join(labels.get(w, w.replace("_", " ")) for w in words)))
    if where.refusals:
        said.append(("refusal", f"of refusals only {' or '.join(REFUSALS[kind] for kind in where.refusals)}"))
    if where.tags:
        said.append(("tag", ", ".join(f"{n} = {v}" for n, v in where.tags.items())))
    if where.source:
        said.append(("source", f"source {where.source}"))
    if where.slice:
        said.append(("slice", where.slice.replace(":", " = ", 1)))
    scores = _scores(where)
    if scores:
        said.append(("range", ", ".join(_in_words(labels.get(name, name.replace("_", " ")), lo, hi) for name, lo, hi in scores)))
    if where.lacking:
        said.append(("lacking", f"no {' or no '.join(labels.get(name, name.replace('_', ' ')) for name in where.lacking)}"))
    said += [(name, f"time {word} {day.isoformat()}") for name, word, day in zip(TIMES, ("from", "to"), days(where), strict=True) if day]
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


def _written(tags: Mapping[str, str]) -> str:
    """Tags as one value. Only what separates or cannot be printed is escaped: whole words in another script would outgrow what is read."""
    return ";".join(f"{_escaped(name)}:{_escaped(value)}" for name, value in sorted(tags.items()))


def _escaped(word: str) -> str:
    return _SEPARATORS.sub(lambda sign: quote(sign.group(), safe="", errors="replace"), word)


def _tags(text: str) -> dict[str, str]:
    found = {}
    for part in text.split(";"):
        name, colon, value = part.partition(":")
        if colon and name:
            found[unquote(name)] = unquote(value)
    # PostgreSQL refuses NUL, and what cannot be written again would be lost on the next page.
    return found if len(written := _written(found)) <= selection.MAX_VALUE and "%00" not in written else {}


def _ranges(text: str) -> tuple[tuple[str, float | None, float | None], ...]:
    found = []
    for part in text.split(";"):
        match = _RANGE.fullmatch(part)
        if match and match.group(1) in SCORES:
            try:
                lo, hi = (round(float(end), DIGITS) if end else None for end in match.group(2, 3))
            except ValueError:
                continue
            if any(end is not None and abs(end) >= LARGEST for end in (lo, hi)):
                continue
            if lo is not None or hi is not None:
                found.append((match.group(1), lo, hi))
    return tuple(found)


def _end(value: float | None) -> str:
    return "" if value is None else f"{value:.{DIGITS}f}".rstrip("0").rstrip(".")
