"""Figures of a claim that the evidence gives in another form: "twice" for two goals, "from 1979 to 1991" for twelve years."""

from __future__ import annotations

import re

from ragviz.consistency import Missing
from ragviz.judges.local_rules.scene import Scene
from ragviz.records import ClashKind
from ragviz.text.calendar_words import MONTHS

_SAID = {
    "0.5": r"half|halves|halved|50\s?(?:%|per ?cent)|hälfte|halb\w*|moitié|mitad",
    "1": r"once|single|sole|alone|an?|one|first|einmal|une? (?:seule )?fois|una vez",
    "2": r"twice|both|two|second|couple|pair|double\w*|zweimal|beide|deux|dos veces|ambos",
    "3": r"thrice|three|third|triple\w*|dreimal|trois|tres",
    "4": r"four|quarterly|quarter",
    "12": r"monthly|twelve|dozen|every month|each month",
    "52": r"weekly|every week|each week",
}
"""Words that give a small count."""
_WORDED = re.compile(r"(?:about )?(\d+(?:\.\d+)?)(?: times?(?: per \w+)?)?")
_MONEY = re.compile(r"(\d+(?:[.,]\d+)*)\s*(thousand|million|billion|trillion|mio|mrd|m|bn)?", re.IGNORECASE)
_DECADE = re.compile(r"(?:the )?(\d{3})0['\u2019]?s", re.IGNORECASE)
_YEARS = re.compile(r"(?<!\d)(1[0-9]\d\d|20\d\d)(?!\d)")
_SPAN = re.compile(r"(\d+) years?")
_PARTED = re.compile(r"(\w+) (\w+?)s?(?: (?:longer|more|later|extra))?", re.IGNORECASE)
_QUARTER = re.compile(r"(?:first|second|third|fourth|1st|2nd|3rd|4th)[- ]quarter", re.IGNORECASE)
_ORDER_OF = {"thousand": 1, "million": 2, "mio": 2, "m": 2, "billion": 3, "mrd": 3, "bn": 3, "trillion": 4}


def is_said_otherwise(missing: Missing, scene: Scene) -> bool:
    """True for a figure whose value the sentences that come near give in words, as a difference of years, or beside a currency that stands before it."""
    near = " ".join(text for text, _ in scene.near)
    span = missing.hypothesis_span
    said = span.of(scene.seen.claim.text)
    if missing.kind is ClashKind.DATE:
        return _is_month_of(said, near)
    if missing.kind is ClashKind.DURATION:
        decade = _DECADE.fullmatch(said.strip())
        if decade is not None:
            return any(year.startswith(decade[1]) for year in _YEARS.findall(near))
        parted = _PARTED.fullmatch(said.strip())
        if parted is not None and re.search(rf"\b{parted[1]} (?:additional|extra|more|further|full|whole) {parted[2]}s?\b", near, re.IGNORECASE):
            return True
        years = _SPAN.search(missing.value)
        return years is not None and _differ_by(int(years[1]), near)
    if missing.kind is ClashKind.MONEY or (missing.kind is ClashKind.NUMBER and not said.isalpha() and _MONEY.fullmatch(said.strip()) is not None):
        return _stands_as_money(said, near)
    if missing.kind is ClashKind.NUMBER:
        if _QUARTER.search(scene.seen.claim.text[max(0, span.start - 8) : span.end + 10]):
            return True
        worded = _WORDED.fullmatch(missing.value)
        forms = _SAID.get(worded[1]) if worded is not None else None
        return forms is not None and re.search(rf"\b(?:{forms})\b", near, re.IGNORECASE) is not None
    return False


def _is_month_of(said: str, near: str) -> bool:
    """True for "in May 2018" where the evidence says "in May", and the year elsewhere or not at all."""
    months = [word for word in re.findall(r"[^\W\d_]+", said.lower()) if word in MONTHS]
    return len(months) == 1 and not re.search(r"\b\d{1,2}\b", said) and re.search(rf"\b{months[0]}\b", near, re.IGNORECASE) is not None


def _differ_by(years: int, near: str) -> bool:
    found = sorted({int(year) for year in _YEARS.findall(near)})
    return any(b - a == years for i, a in enumerate(found) for b in found[i + 1 :])


def _stands_as_money(said: str, near: str) -> bool:
    """True where number and magnitude stand together: "381 million" beside "from 381 million a year earlier"."""
    ours = [(m[1], _ORDER_OF.get((m[2] or "").lower(), 0)) for m in _MONEY.finditer(said)]
    theirs = {(m[1], _ORDER_OF.get((m[2] or "").lower(), 0)) for m in _MONEY.finditer(near)}
    return bool(ours) and all(one in theirs for one in ours)
