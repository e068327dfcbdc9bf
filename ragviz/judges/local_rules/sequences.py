"""Who comes first: "children board first, then families, then all others" puts nobody before the children."""

from __future__ import annotations

import re
from functools import cache

from ragviz.consistency.analysis import Analysis, analyse
from ragviz.judges.local_rules.rule import Beside, Told
from ragviz.text.word_sets import word_set

_ORDER = re.compile(r"\b(?:before|after|ahead of|earlier than|later than)\b", re.IGNORECASE)
_LATER = word_set("after later")
_ENDS = re.compile(r"\b(?:first|last)\b", re.IGNORECASE)
_THEN = re.compile(r"[,;]?\s*(?:and\s+)?(?:then|finally|lastly|after that|followed by|next)\b,?\s*", re.IGNORECASE)
_FIRST = re.compile(r"\bfirst\b", re.IGNORECASE)


def speaks_of_order(claim: Analysis) -> bool:
    """True where a plain claim puts one thing before another, or first or last."""
    return not claim.cues and (_ORDER.search(claim.text) is not None or _ENDS.search(claim.text) is not None)


def by_sequence(beside: Beside) -> Told | None:
    """"Rows 20 to 32 board before families" of "families board first, then rows 20 to 32"."""
    claim, unit, _ = beside
    if _FIRST.search(unit.text) is None or unit.cues:
        return None
    pieces = _THEN.split(unit.text)
    if len(pieces) < 2 or _FIRST.search(pieces[0]) is None:
        return None
    steps = [_words(analyse(piece), 0, len(piece)) for piece in pieces]
    # "Guests enter first": what they all do.
    shared = frozenset.intersection(*steps) | frozenset(unit.keys[max(0, _first(unit)[0] - 1) : _first(unit)[0]])
    named = re.search(_ORDER, claim.text)
    if named is not None:
        front, back = _step(claim, 0, named.start(), steps, shared), _step(claim, named.end(), len(claim.text), steps, shared)
        if front is None or back is None or front == back:
            return None
        says = (front < back) is (named[0].split()[0].lower() not in _LATER)
        return Told(says, *(((0, 0), (0, 0)) if says else (_tokens(claim, *named.span()), _first(unit))), full=not _strange(claim, unit))
    end = _ENDS.search(claim.text)
    who = _step(claim, 0, end.start(), steps, shared) if end is not None else None
    if who is None or end is None:
        return None
    says = who == (0 if end[0].lower() == "first" else len(steps) - 1)
    return Told(says, *(((0, 0), (0, 0)) if says else (_tokens(claim, *end.span()), _first(unit))), full=not _strange(claim, unit))


def _step(claim: Analysis, begin: int, end: int, steps: list[frozenset[str]], shared: frozenset[str]) -> int | None:
    """The one step with most of the words that a stretch of the claim has and not all steps have; None where it does not tell."""
    own = _words(claim, begin, end) - shared
    counts = [len(own & step) for step in steps]
    best = max(counts, default=0)
    return counts.index(best) if best and counts.count(best) == 1 and best * 2 > len(own) else None


def _words(text: Analysis, begin: int, end: int) -> frozenset[str]:
    """Words of content of a stretch, and its figures as they stand."""
    return frozenset(
        text.text[text.starts[i] : text.ends[i]] if text.detail[i] else text.keys[i]
        for i in range(len(text.keys))
        if begin <= text.starts[i] < end and (text.content[i] or text.detail[i])
    )


def _strange(claim: Analysis, unit: Analysis) -> bool:
    return bool(claim.all_keys - unit.all_keys - _ordering())


def _first(unit: Analysis) -> tuple[int, int]:
    at = next((i for i, word in enumerate(unit.lowers) if word == "first"), 0)
    return at, at


def _tokens(text: Analysis, start: int, end: int) -> tuple[int, int]:
    inside = [i for i in range(len(text.lowers)) if start <= text.starts[i] < end]
    return (inside[0], inside[-1]) if inside else (0, 0)


@cache
def _ordering() -> frozenset[str]:
    """Words that say no more than that there is an order. Asked for late: the list of frequent words is read for it."""
    return analyse("before after first last earlier later ahead come comes go goes").all_keys
