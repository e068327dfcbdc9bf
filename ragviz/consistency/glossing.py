"""Words of grammar and measure of another language in English, so that one set of checks reads them all: "no dura cinco años" as "not dura 5 years"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from ragviz.consistency.gloss_table import GlossTable, table_of
from ragviz.text.calendar_words import MONTH_NAMES

_WORD = re.compile(r"[^\W\d_]+|\d+(?:[.,:]\d+)*")
_HOUR = re.compile(r"(?<![\w.,:])(\d{1,2})\s?h(?:\s?([0-5]\d))?(?!\w|[.,]\d)")
_DAY = re.compile(r"(?<![\w.,])(\d{1,2})(er|[°º])?( de| di)? $")
_NUMBER = r"(\d{1,2}(?![\w:]|[.,]\d)|[^\W\d_]{3,})"
_CLOCK = {
    "french": re.compile(
        rf"\b(?:(?:à|dès|avant|après|vers)\s{_NUMBER}(\sheures?)\b|de\s{_NUMBER}(\sheures?)?(?=\sà\s(?:\d|[^\W\d_]+\sheures?)))", re.IGNORECASE
    ),
    "spanish": re.compile(rf"\b(?:a|de|desde|hasta)\slas?\s{_NUMBER}(\shoras?\b)?", re.IGNORECASE),
    "italian": re.compile(rf"\b(?:alle|dalle)\s(?:ore\s)?{_NUMBER}()", re.IGNORECASE),
    "portuguese": re.compile(rf"\b(?:às|das)\s{_NUMBER}(\shoras?\b)?", re.IGNORECASE),
}
"""Hours without minutes, by the words in front of them: "a las diez", "dalle 9", "à 18 heures"."""
_LAST_HOUR = 24
_TIME_UNITS = frozenset({"second", "minute", "hour", "day", "week", "month", "year", "business day"})
_TWICE_DENIED = frozenset({"spanish", "italian", "portuguese"})
"""Languages in which two negations are one: "no hay nada"."""
_AGAIN = {"no": "any", "nothing": "anything", "nobody": "anybody", "never": "ever", "not": "also", "neither": "or"}
"""What a second negation of a sentence says there."""
_MONTHS = frozenset(MONTH_NAMES[1:])
_JOINTS = frozenset({" ", "-", "'", "’", "\u00a0", "’ ", "\u2011"})
_AT_HOURS = frozenset({"at", "to", "from", "of"})
_BOUNDS = {"@most": ("up to", "maximum"), "@least": ("at least", "minimum")}
"""What a bound says in front of a number, and elsewhere."""


class Piece(NamedTuple):
    """A stretch that is said in English."""

    start: int
    end: int
    english: str


class Glossed(NamedTuple):
    """A text with its words of grammar and measure in English."""

    text: str
    offsets: list[int]
    """For each character the place it stands for, and the end."""
    english: list[tuple[int, int]]
    """Stretches of ``text`` that were put in, in order."""


def gloss(text: str, tongue: str) -> Glossed:
    """
    A text with its numbers, units, months, weekdays and words of grammar in English; words of content stay as they are.

    Args:
        text: Any text.
        tongue: One of TONGUES (tongues.py).
    """
    pieces = _pieces(text, tongue)
    parts: list[str] = []
    offsets: list[int] = []
    put: list[tuple[int, int]] = []
    at = 0
    for start, end, english in pieces:
        parts.append(text[at:start])
        offsets.extend(range(at, start))
        begin, n = len(offsets), len(english)
        # First and last character of the new words stand for first and last of the old ones.
        offsets.extend([start + (end - 1 - start) * k // (n - 1) if n > 1 else end - 1 for k in range(n)])
        parts.append(english)
        put.append((begin, begin + n))
        at = end
    parts.append(text[at:])
    offsets.extend(range(at, len(text) + 1))
    return Glossed("".join(parts), offsets, put)


def _pieces(text: str, tongue: str) -> list[Piece]:
    return _with_days(text, _Reader(text, tongue).read())


class _Reader:
    """Walks over the words of one text once, and notes what each stretch of them is in English."""

    def __init__(self, text: str, tongue: str) -> None:
        self.text, self.tongue = text, tongue
        self.table = table_of(tongue)
        self.spans = [match.span() for match in _WORD.finditer(text)]
        self.lowers = [text[start:end].lower() for start, end in self.spans]
        self.hours = _hours(text, self.table, tongue) if tongue in _CLOCK else {}
        self.found: list[Piece] = []
        self.denied = self.joining = False

    def read(self) -> list[Piece]:
        """All stretches, in order."""
        i = 0
        while i < len(self.spans):
            start = self.spans[i][0]
            gap = self.text[self.spans[i - 1][1] : start] if i else " "
            if gap != " " and any(mark in gap for mark in ".;!?\n"):
                self.denied = self.joining = False
            i += self._hour(i) or self._number(i) or self._phrase(i)
        return self.found

    def _hour(self, i: int) -> int:
        """Note an hour that begins with word ``i``; how many words it takes, 0 for none."""
        piece = self.hours.get(self.spans[i][0])
        if piece is None:
            return 0
        self.found.append(piece)
        return sum([start < piece.end for start, _ in self.spans[i:]])

    def _number(self, i: int) -> int:
        """The same of a number in words."""
        number = self.table.number(self.lowers, i)
        if number is None or not self._is_joined(i, number[1]):
            return 0
        self.found.append(Piece(self.spans[i][0], self.spans[i + number[1] - 1][1], f"{number[0]}"))
        return number[1]

    def _phrase(self, i: int) -> int:
        """The same of a phrase or word of grammar or measure; 1 for any other word."""
        text, (start, end) = self.text, self.spans[i]
        known = self.table.phrase(self.lowers, i)
        if known is not None and known[1] > 1 and not self._is_joined(i, known[1]):
            single = self.table.single[self.lowers[i]]
            known = None if single is None else (single, 1)
        inside = start > 1 and text[start - 1] == "-" and text[start - 2].isalpha()  # "rendez-vous"
        if known is None or (inside and known[1] == 1):
            return 1
        english, taken = known
        last = self.spans[i + taken - 1][1]
        ahead = self.lowers[i + taken] if i + taken < len(self.lowers) else ""
        if english in {"of", "from", "to"} and ahead.isdecimal() and len(ahead) == 4 and self.found and self.found[-1].english in _MONTHS:
            self.found.append(Piece(start - 1, last, ","))  # "marzo de 2026"
            return taken
        english = self._by_place(english, i, i + taken, ahead)
        if taken == 1 and text[end : end + 1] in {"'", "’"} and ahead:
            last, english = last + 1, english + " "
        self.found.append(Piece(start, last, _cased(english, text[start])))
        return taken

    def _by_place(self, english: str, i: int, behind: int, ahead: str) -> str:
        """What a phrase at words i..behind is where that depends on its neighbours."""
        counts = ahead[:1].isdigit() or self.table.number(self.lowers, behind) is not None
        if english in _BOUNDS:
            return _BOUNDS[english][not counts]
        if english == "@hours":
            return "Uhr" if _is_clock(self.lowers, i) else "hours"
        if english == "@nor":
            english, self.joining = ("nor" if self.joining else "neither"), True
            return english
        if english == "@from":
            return "at least" if ahead[:1].isdigit() and not self._is_moment(behind) else "from"
        if english == "all" and counts:
            return "every"  # "tous les deux ans"
        if english in _AT_HOURS and behind < len(self.spans) and self.spans[behind][0] in self.hours:
            # "de 9 h à 12 h", "de las nueve a las doce"
            return "from" if english == "from" else "to" if self.found and ":" in self.found[-1].english else "at"
        if english == "an":
            following = self.table.phrase(self.lowers, behind) if ahead else None
            return "1" if following is not None and following[0] in _TIME_UNITS else english
        if self.tongue in _TWICE_DENIED and english in _AGAIN:
            english, self.denied = (_AGAIN[english] if self.denied else english), True
        return english

    def _is_moment(self, i: int) -> bool:
        """True where word ``i`` begins a date or an hour."""
        if self.text[self.spans[i][1] :].lstrip().lower().startswith((".", "uhr", "uur", "h", ":")):
            return True
        return any((self.table.single[word] or "") in _MONTHS for word in self.lowers[i + 1 : i + 3])

    def _is_joined(self, i: int, n: int) -> bool:
        """True where nothing but a space, a hyphen or an apostrophe stands between ``n`` words from word ``i`` on."""
        return all(self.text[self.spans[k][1] : self.spans[k + 1][0]] in _JOINTS for k in range(i, i + n - 1))


def _is_clock(lowers: Sequence[str], i: int) -> bool:
    """True for the "uur" of "12.30 uur", "9 tot 12 uur" and "om 9 uur", False for that of "24 uur"."""
    number, before = lowers[i - 1] if i else "", lowers[i - 2] if i > 1 else ""
    return number[:1].isdigit() and ("." in number or ":" in number or before in {"om", "tot", "vanaf", "na", "voor"})


def _hours(text: str, table: GlossTable, tongue: str) -> dict[int, Piece]:
    """Hours of the day by where they begin."""
    found = {match.start(): Piece(*match.span(), f"{int(match[1])}:{match[2] or '00'}") for match in _HOUR.finditer(text)} if "h" in text else {}
    for match in _CLOCK[tongue].finditer(text):
        group = 1 if match[1] else 3
        said = match[group].lower()
        hour = int(said) if said.isdecimal() else table.numbers.get((said,), _LAST_HOUR + 1)
        end = match.end(group + 1) if match[group + 1] else match.end(group)
        behind = _WORD.match(text, end + 1) if text[end : end + 1] == " " else None
        # "a las 10 personas" is no hour.
        if hour <= _LAST_HOUR and (behind is None or table.single[behind.group().lower()] is not None or behind.group().isdecimal()):
            found.setdefault(match.start(group), Piece(match.start(group), end, f"{hour}:00"))
    return found


def _with_days(text: str, found: list[Piece]) -> list[Piece]:
    """"1er mars", "1° marzo" and "1 de marzo" as "1 March"."""
    out: list[Piece] = []
    for piece in found:
        if piece.english in _MONTHS:
            day = _DAY.search(text, max(0, piece.start - 8), piece.start)
            if day is not None and (day[2] or day[3]):
                while out and out[-1].start >= piece.start - len(day[0]):
                    out.pop()
                out.append(Piece(piece.start - len(day[0]), piece.end, f"{day[1]} {piece.english}"))
                continue
        out.append(piece)
    return out


def _cased(english: str, letter: str) -> str:
    """With a capital where the word begins with one."""
    return english[0].upper() + english[1:] if letter.isupper() and english[0].islower() else english
