"""What running text says of one code and not of another: "E4 means that the filter is clogged; E5 …" gives E5 no filter."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from ragviz.judges.local_rules.scene import Scene
from ragviz.text.tokens import STOP_WORDS, tokens
from ragviz.text.verbs import FINITE

MAX_CHARS = 20_000
MAX_CODES = 60
_CODE = re.compile(
    r"(?<![\w/.-])(?:[A-Z]{1,5}-?\d{1,4}[A-Z]?|[A-Z]{2,3}[- ]\d{1,4}|(?:(?<=rror )|(?<=ode )|(?<=odel )|(?<=ine )|(?<=latform )|(?<=ersion )|(?<=ule )|(?<=ection )|(?<=ate )|(?<=ute )|(?<=oom )|(?<=one )|(?<=ype )|(?<=lass )|(?<=roup )|(?<=evel ))\d{1,4}|(?<=[a-z] )[A-HJ-Z](?=[\s,;:)]|[.!?](?:\s|$)|$))(?![\w-]|[.,]\d)"
)
_ENDS = re.compile(r"[.!?;](?:\s|$)|\n")
_LISTED = re.compile(r"\s*(?:,|/|and|or|,\s*and|,\s*or|to|–|-)\s*(?:(?:the|error|code|model|line)s?\s+)*", re.IGNORECASE)
_CASE = re.compile(r"\b(?:if|when|where|because|for|after|before|unless|with)\b", re.IGNORECASE)
_LABEL = re.compile(r"(?:[,;]|\b(?:and|or|while|but|the|a))\s+(?:[^\W\d_]+\s+){0,2}$", re.IGNORECASE)
_SHORT = 2
"""Letters of words that say little."""


class Sayings(NamedTuple):
    """What is said of codes."""

    bodies: dict[str, frozenset[str]]
    """Code → stems of all that stands from its mention to the next code or the end of the sentence."""
    outside: frozenset[str]
    """Stems of sentences without a code."""


def is_said_of_another_code(scene: Scene) -> bool:
    """True when the claim names one code of several, and more of what it says stands only with other codes than stands with it."""
    seen = scene.seen
    named = {_folded(m.group()) for m in _CODE.finditer(seen.claim.text[:MAX_CHARS])}
    if len(named) != 1:
        return False
    told = told_of_codes(seen.premise.indexed.text[:MAX_CHARS])
    code = next(iter(named))
    if told is None or code not in told.bodies:
        return False
    own = told.bodies[code]
    others = frozenset().union(*(body for other, body in told.bodies.items() if other != code))
    labels = {t.stem for name in told.bodies for t in tokens(name)}
    rest = [word for word in seen.claim.distinct if word.stem not in labels and word.stem not in told.outside and len(word.stem) > _SHORT]
    apart = sum(word.weight for word in rest if word.stem in others and word.stem not in own)
    inside = sum(word.weight for word in rest if word.stem in own and word.stem not in others)
    figures = [word.stem for word in seen.claim.distinct if word.is_figure and word.stem not in labels]
    if figures and all(figure in own for figure in figures):
        return False  # "room 101 seats 20 people, room 102 seats 40"
    return any(figure in others and figure not in own for figure in figures) or (apart > 0 and apart > inside)


@lru_cache(maxsize=2048)
def told_of_codes(text: str) -> Sayings | None:
    """
    What the text says of each of its codes; None where it has fewer than two, or where what is said of a code stands in front of it ("if the door
    is open, E9 appears").
    """
    found = list(_CODE.finditer(text))[:MAX_CODES]
    if len({_folded(m.group()) for m in found}) < 2:
        return None
    bodies: dict[str, set[str]] = {}
    ends = [m.end() for m in _ENDS.finditer(text)]
    covered: list[tuple[int, int]] = []
    waiting: list[str] = []
    goes_on: set[str] = set()
    outside: set[str] = set()
    for n, match in enumerate(found):
        stop = next((end for end in ends if end >= match.end()), len(text))
        start = max((end for end in ends if end <= match.start()), default=0)
        if not any(start <= other.start() < match.start() for other in found[:n]):
            if "," in text[start : match.start()] and _CASE.search(text[start : match.start()]) is not None:
                return None
            covered.append((start, stop))
        last = found[n + 1].start() if n + 1 < len(found) and found[n + 1].start() < stop else stop
        waiting.append(_folded(match.group()))
        if last < stop and _LISTED.fullmatch(text, match.end(), last) is not None:
            continue  # "E7 and E9 mean …"
        label = _LABEL.search(text, match.end(), last) if last < stop else None
        if label is not None:
            outside.update(t.stem for t in tokens(label.group()))  # the "bus" of "and bus M6"
        words = [t for t in tokens(text[match.end() : last if label is None else label.start()]) if t.lower not in STOP_WORDS]
        said = {t.stem for t in words} | goes_on
        # "M4 leaves from bay 2 and M6 from bay 5": the verb goes on
        goes_on = {t.stem for t in words[:1] if t.lower in FINITE or (t.lower.endswith("s") and not t.lower.endswith("ss"))} if last < stop else set()
        for code in waiting:
            bodies.setdefault(code, set()).update(said)
        waiting = []
    if len(bodies) < 2 or sum(bool(body) for body in bodies.values()) < len(bodies):
        return None
    at = 0
    for start, stop in [*covered, (len(text), len(text))]:
        outside.update(t.stem for t in tokens(text[at:start]) if t.lower not in STOP_WORDS)
        at = max(at, stop)
    return Sayings({code: frozenset(body) for code, body in bodies.items()}, frozenset(outside))


def _folded(code: str) -> str:
    return code.replace("-", "").replace(" ", "").lower()
