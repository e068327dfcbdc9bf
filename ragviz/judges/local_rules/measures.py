"""Another amount of the same measure: "the first hour" of "the first 30 minutes", "Python 3.8 and up" of "Python 3.10 or newer"."""

from __future__ import annotations

import re

from ragviz.consistency.analysis import Analysis
from ragviz.judges.local_rules.rule import Beside, Told
from ragviz.records import ClashKind
from ragviz.text.quantities import quantities

_FIRST = re.compile(
    r"\bfirst ((?:\d[\d.,]*|an?|one|two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty|thirty|sixty|ninety) )?([a-z]+)\b", re.IGNORECASE
)
_LEAST = re.compile(r"\b([A-Z][\w.+#-]*) (?:version )?(\d+(?:\.\d+)*) ?(?:\+|(?:or|and) (?:newer|later|higher|above|up|upwards|greater|more recent)\b)")
_LEAST_FRONT = re.compile(r"\b(?:at least|minimum|from) ([A-Z][\w.+#-]*) (?:version )?(\d+(?:\.\d+)*)(?![\w.]*\d)")
_NEEDS = re.compile(r"\b(?:needs?|requires?|required|minimum|must)\b")
_RUNS = re.compile(r"\b(?:runs?|works?|is compatible|supports?|can be used|installs?)\b")


def by_first(beside: Beside) -> Told | None:
    """What the first stretch of something is, and how long that is; a shorter one than the sentence's may follow from it."""
    claim, unit, _ = beside
    ours, theirs = _first(claim), _first(unit)
    if ours is None or theirs is None or ours[1] != theirs[1] or claim.cues or unit.cues:
        return None
    if not _others(claim, ours[2]) <= unit.all_keys or not _others(claim, ours[2]):
        return None
    if ours[0] == theirs[0]:
        return Told(True)
    return Told(False, ours[2], theirs[2], ClashKind.DURATION) if ours[0] > theirs[0] else None


def _first(text: Analysis) -> tuple[float, str, tuple[int, int]] | None:
    """The one amount behind "first" in base units, its dimension, and its tokens."""
    found = list(_FIRST.finditer(text.text))
    if len(found) != 1:
        return None
    match = found[0]
    number = (match[1] or "1 ").strip()
    amounts = quantities(f"{'1' if number.lower() in {'a', 'an'} else number} {match[2]}")
    if len(amounts) != 1 or amounts[0].value is None or not amounts[0].unit.dimension:
        return None
    begin, end = match.start(1) if match[1] else match.start(2), match.end(2)
    inside = [i for i in range(len(text.lowers)) if begin <= text.starts[i] < end]
    return (round(amounts[0].base(amounts[0].value), 6), amounts[0].unit.dimension, (inside[0], inside[-1])) if inside else None


def _others(text: Analysis, place: tuple[int, int]) -> frozenset[str]:
    return frozenset(text.keys[i] for i in range(len(text.keys)) if text.content[i] and not place[0] <= i <= place[1])


def by_version(beside: Beside) -> Told | None:
    """A least version that is lower than the sentence's; parts are compared as numbers: 3.8 comes before 3.10."""
    claim, unit, _ = beside
    if claim.cues or unit.cues:
        return None
    theirs, ours = _least(unit), _least(claim)
    if len(theirs) != 1:
        return None
    name, least, place = theirs[0]
    if not ours:
        plain = [m for m in re.finditer(r"\b([A-Z][\w.+#-]*) (?:version )?(\d+(?:\.\d+)*)", claim.text) if m[1] == name]
        if len(plain) != 1 or not _RUNS.search(claim.text):
            return None
        if _parts(plain[0][2]) < least:
            return Told(False, _tokens(claim, plain[0].span(2)), place, ClashKind.NUMBER)
        return Told(True, full=claim.all_keys <= unit.all_keys)
    if len(ours) != 1 or ours[0][0] != name:
        return None
    lower = ours[0][1] < least
    if lower or (ours[0][1] > least and _NEEDS.search(claim.text)):
        return Told(False, ours[0][2], place, ClashKind.NUMBER)
    return None


def _least(text: Analysis) -> list[tuple[str, tuple[int, ...], tuple[int, int]]]:
    return [(m[1], _parts(m[2]), _tokens(text, m.span(2))) for pattern in (_LEAST, _LEAST_FRONT) for m in pattern.finditer(text.text)]


def _parts(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split("."))


def _tokens(text: Analysis, span: tuple[int, int]) -> tuple[int, int]:
    inside = [i for i in range(len(text.lowers)) if text.starts[i] < span[1] and text.ends[i] > span[0]]
    return (inside[0], inside[-1]) if inside else (0, 0)
