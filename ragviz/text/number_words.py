"""Numbers written as words: English in full, German and French as far as they occur in everyday text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal
from functools import lru_cache
from typing import NamedTuple

_ONES = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen"
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
_GERMAN = "null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn"
_GERMAN_TENS = "zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig"
_FRENCH = "zéro _ deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize"
_FRENCH_TENS = "vingt trente quarante cinquante soixante"
_ORDINALS = (
    "_ first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth "
    "seventeenth eighteenth nineteenth twentieth"
)
_TEN_ORDINALS = "thirtieth fortieth fiftieth sixtieth seventieth eightieth ninetieth"

SCALES: dict[str, Decimal] = {
    "hundred": Decimal(100), "thousand": Decimal(1000), "million": Decimal(10**6), "billion": Decimal(10**9), "trillion": Decimal(10**12),
    "dozen": Decimal(12), "lakh": Decimal(10**5), "crore": Decimal(10**7),
    "bn": Decimal(10**9), "mn": Decimal(10**6), "mln": Decimal(10**6), "tn": Decimal(10**12), "k": Decimal(1000),
    "hundert": Decimal(100), "tausend": Decimal(1000), "dutzend": Decimal(12), "millionen": Decimal(10**6), "mio": Decimal(10**6),
    "milliarde": Decimal(10**9), "milliarden": Decimal(10**9), "mrd": Decimal(10**9), "milliard": Decimal(10**9),
    "milliards": Decimal(10**9), "mille": Decimal(1000), "douzaine": Decimal(12), "billions": Decimal(10**9),
}
"""Words that multiply the number before them."""
PLURAL_SCALES: dict[str, Decimal] = {
    "dozens": Decimal(12), "hundreds": Decimal(100), "thousands": Decimal(1000), "millions": Decimal(10**6), "billions": Decimal(10**9),
    "trillions": Decimal(10**12),
}
"""``hundreds of`` and the like: an order of magnitude, not a number."""
FRACTION_WORDS: dict[str, tuple[int, int]] = {
    "half": (1, 2), "halves": (1, 2), "third": (1, 3), "thirds": (1, 3), "quarter": (1, 4), "quarters": (1, 4), "fifth": (1, 5),
    "fifths": (1, 5), "sixth": (1, 6), "eighth": (1, 8), "eighths": (1, 8), "tenth": (1, 10), "tenths": (1, 10),
    "hälfte": (1, 2), "drittel": (1, 3), "viertel": (1, 4), "moitié": (1, 2), "tiers": (1, 3), "quart": (1, 4), "quarts": (1, 4),
}
MULTIPLES: dict[str, int] = {"twice": 2, "double": 2, "doubled": 2, "thrice": 3, "triple": 3, "tripled": 3, "quadruple": 4, "quadrupled": 4, "once": 1}
"""How often, or how many times as much."""


def _numbered(words: str, start: int = 0, step: int = 1) -> dict[str, int]:
    return {w: start + i * step for i, w in enumerate(words.split()) if w != "_"}


CARDINALS: dict[str, int] = _numbered(_ONES) | _numbered(_TENS, 20, 10)
FOREIGN: dict[str, int] = (
    _numbered(_GERMAN) | _numbered(_GERMAN_TENS, 20, 10) | _numbered(_FRENCH) | _numbered(_FRENCH_TENS, 20, 10)
    | {"dreissig": 30, "zwo": 2, "cent": 100, "zwoelf": 12, "fuenf": 5}
)
"""Only read where the text is German or French: "elf" and "cent" are English words too."""
ORDINALS: dict[str, int] = _numbered(_ORDINALS) | _numbered(_TEN_ORDINALS, 30, 10) | {"hundredth": 100, "thousandth": 1000}
NEVER_ALONE = frozenset({"k", "mn", "mln", "bn", "tn", "mio", "mrd", "billions"})
"""Scales that need a digit in front."""

_GERMAN_MARKS = re.compile(r"\b(?:der|die|das|und|ist|ein|eine|von|nicht|mit|für|auf|wird|sind|beträgt|dauert|hat|wurde)\b")
_FRENCH_MARKS = re.compile(r"\b(?:le|la|les|et|est|une|des|du|dans|pour|pas|avec|sur|sont|dure|au|aux|il|elle)\b|\b(?:l|d|qu)['’]")
_GERMAN_STARTS = ("ein", "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht", "neun")
_COMPOUND = re.compile(r"(ein|zwei|drei|vier|fünf|sechs|sieben|acht|neun)und(\w+)")


class Word(NamedTuple):
    """One word of a number."""

    value: Decimal
    scale: bool


def is_foreign(text: str) -> bool:
    """True when the text has at least two German or two French function words; looks at the first 2,000 characters."""
    head = text[:2000].lower()
    for marks in (_GERMAN_MARKS, _FRENCH_MARKS):
        found = marks.finditer(head)
        if next(found, None) is not None and next(found, None) is not None:
            return True
    return False


@lru_cache(4096)
def _compound(lower: str) -> int | None:
    match = _COMPOUND.fullmatch(lower)
    if match and match[2] in FOREIGN:
        one = 1 if match[1] == "ein" else FOREIGN[match[1]]
        return FOREIGN[match[2]] + one
    return None


def may_be_foreign(lower: str) -> bool:
    """True for words that are numbers in German or French."""
    return lower in FOREIGN or (lower.startswith(_GERMAN_STARTS) and "und" in lower)


def word_value(lower: str, *, foreign: bool) -> Word | None:
    """The number word, or None. ``lower`` is lower-cased."""
    if lower in CARDINALS:
        return Word(Decimal(CARDINALS[lower]), scale=False)
    if lower in SCALES:
        return Word(SCALES[lower], scale=True)
    if foreign:
        number = FOREIGN.get(lower)
        if number is None and "und" in lower and len(lower) < 24:
            number = _compound(lower)
        if number is not None:
            return Word(Decimal(number), scale=False)
    return None


def combine(words: Sequence[Word]) -> tuple[Decimal, int]:
    """
    The number that the first words make together, and how many of them it took.

    "two hundred and five thousand" arrives as 2, 100, 5, 1000 and makes 205000; "two three" makes 2 (one word taken).
    """
    total = current = Decimal(0)
    taken = 0
    for value, scale in words:
        if not scale:
            seventeen = current == 10 and 7 <= value <= 9  # dix-sept
            room = 10 if seventeen else 100 if current % 100 == 0 and current else 10 if current % 10 == 0 and current % 100 >= 20 else 0
            if taken and current and (room == 0 or value >= room or (room == 10 and value == 0)):
                break
            current += value
        elif value in {100, 12}:
            current = (current or Decimal(1)) * value
        else:
            if total and value >= 10**15:
                break
            total += (current or Decimal(1)) * value
            current = Decimal(0)
        taken += 1
    return total + current, taken
