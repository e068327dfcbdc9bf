"""Names in running text: capitalised names, acronyms, identifiers; and when two of them mean the same."""

from __future__ import annotations

import re
import unicodedata
from enum import StrEnum
from functools import lru_cache

import msgspec

from ragviz.records import Span
from ragviz.text.calendar_words import MONTHS, WEEKDAYS
from ragviz.text.units import currency_named
from ragviz.text.word_sets import word_set
from ragviz.text.word_table import WordTable

GIVEN = word_set("""
alice james john robert michael william david richard joseph thomas charles christopher daniel matthew anthony donald paul andrew kevin brian george edward jason ryan jacob
gary nicholas eric jonathan stephen larry scott benjamin samuel alexander patrick jerry mary elizabeth barbara susan sarah margaret emily anna emma helen rachel catherine
maria julie victoria kelly ann frances julia charlotte marie bob tom jim joe dan sam ben peter simon adam henry arthur oliver louis martin carl karl anne jane kate lucas ethan
""")
"""Given names that are frequent words too: at the beginning of a sentence still a name, which "Demand" and "Grace" need not be."""


class NameKind(StrEnum):
    """How a name is written."""

    NAME = "name"
    ACRONYM = "acronym"
    IDENTIFIER = "identifier"
    """Letters and digits together: A320, GPT-4, ISO 9001."""


class Name(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """One name as written."""

    span: Span
    text: str
    kind: NameKind
    parts: tuple[str, ...]
    """Its words, lower-cased, without titles, particles and accents."""
    first: bool = False
    """True where it is a single capitalised word at the start of a sentence: perhaps only a word."""


_DIGIT = re.compile(r"\d")
_STOP_BEFORE = re.compile(r"(?:^|[.!?:;\n•|]|\s[-–—*]|[“\"(])[\s*_#>“\"(‘'-]*$")
_PARTICLES_WORDS = """
of the de la le du des van von der den di da del and & et und for in on al el bin y für
"""
_PARTICLES = frozenset(_PARTICLES_WORDS.split())
_INNER_WORDS = """
of de la le du des van von der den di da del & al el bin y für
"""
_INNER = frozenset(_INNER_WORDS.split())
# A word in small letters that stands by itself and may not stand inside a name is passed over.
_WORD = re.compile(
    rf"(?<![^\W_])(?!(?!(?:{'|'.join(w for w in sorted(_INNER) if w.isalpha() and w.isascii())})\b)[a-z]++(?![\w.&'’/-]))"
    r"[^\W\d_][\w]*(?:[.&'’/-](?=[^\W_])[\w]+)*(?:\.(?=[A-Z]\.?\b)|(?<=\b[A-Z])\.)*"
)
_ASCII_WORD = re.compile(_WORD.pattern, re.ASCII)
_FIGURE_INSIDE = re.compile(r"[A-Za-z_.&'/-]\d")
"""Without it no word of an ASCII text holds a figure."""
_TITLES_WORDS = """
mr mrs ms dr prof professor sir lord lady dame king queen prince princess president senator general captain saint st herr frau monsieur madame
"""
_TITLES = frozenset(_TITLES_WORDS.split())
_NOT_NAMES_WORDS = """
the a an this that these those it its he she they we i you his her their our your my in on at by for from to with and or but if when while
after before since although because as so then there here what which who whose where why how all some no none most many each every both
however therefore moreover also not only yes another other such one two three first second new old more is are was were do does did has have had
can could may might must shall should will would be been being than under over about between during within without
der die das ein eine einen dem den des und ist sind nicht mit für auf im am bei nach vor seit er sie es wir ihr alle keine kein viele wenn aber
le la les un une des et est sont pas avec pour dans sur il elle ils elles ce cette tous aucun
"""
_NOT_NAMES = frozenset(_NOT_NAMES_WORDS.split())
_SHORT_FORMS: dict[tuple[str, ...], str] = {("united", "states"): "us", ("united", "kingdom"): "uk", ("european", "union"): "eu", ("united", "nations"): "un"}
_ACRONYM = re.compile(r"(?:[A-Z]\.){2,}|[A-Z][A-Z&]{1,6}s?|[A-Z][a-z]?[A-Z]+")


_NUMBER_BEHIND = re.compile(r"[ -]((?![12]\d{3}\b)\d[\w]*)\b(?!\s?%|[.,]\d)")
"""ISO 9001, but not UK 2012."""


def names(text: str) -> list[Name]:
    """
    All names in the text, in reading order.

    A run of capitalised words with particles between them ("Bank of England") is one name; a sentence's first word counts only when
    it goes on ("Mara Olsen …") or is marked ``first``. Month and weekday names are dates, not names. Linear in the length of the text.

    Returns:
        Records with spans in code points of ``text``; none of them overlap.
    """
    ascii_only = text.isascii()
    if ascii_only and text[1:].islower() and _FIGURE_INSIDE.search(text) is None:
        return _at_beginning(text)
    found: list[Name] = []
    run: list[tuple[int, int, str]] = []
    for match in (_ASCII_WORD if ascii_only else _WORD).finditer(text):
        word = match.group()
        if not run and word.islower() and word.isalpha():
            continue
        start, end = match.span()
        if run and not _adjoins(text, run[-1], start):
            _close(text, run, found)
            run = []
        capital = word[0].isupper() or any(c.isupper() for c in word[1:3])
        lower = word.lower()
        if (
            (capital or (not word[-1].islower() and _DIGIT.search(word) is not None))
            and not (lower in _NOT_NAMES and not (run and lower in _INNER) and not ((len(word) > 1 or run) and word.isupper()))
            and lower not in MONTHS
            and lower not in WEEKDAYS
        ) or (run and lower in _INNER and len(run) < 12):
            run.append((start, end, word))
        elif run:
            _close(text, run, found)
            run = []
    _close(text, run, found)
    return found


def _at_beginning(text: str) -> list[Name]:
    """The name that an ASCII text begins with, where its first letter is the only capital and no word holds a figure: nothing else can be one."""
    found: list[Name] = []
    match = _ASCII_WORD.match(text) if text[0].isupper() else None
    if match is not None:
        lower = match.group().lower()
        if lower not in _NOT_NAMES and lower not in MONTHS and lower not in WEEKDAYS:
            _close(text, [(0, match.end(), match.group())], found)
    return found


def _adjoins(text: str, last: tuple[int, int, str], start: int) -> bool:
    """True when nothing but a space, hyphen or the dot of an abbreviation stands between a name's last word and the next word."""
    gap = text[last[1] : start]
    if gap == ". ":
        return last[2].lower() in _TITLES or last[2].isupper()
    return gap in {" ", "\u00a0", "-", " & "}


def _close(text: str, run: list[tuple[int, int, str]], found: list[Name]) -> None:
    """Make a name of the words gathered, if it is one."""
    while run and run[-1][2].lower() in _INNER:
        run.pop()
    if not run:
        return
    start, end = run[0][0], run[-1][1]
    words = [w for _, _, w in run]
    single = len(run) == 1
    raw = text[start:end]
    if raw.endswith(("'s", "’s")):
        raw, end = raw[:-2], end - 2
        words[-1] = words[-1][:-2]
    is_acronym = single and _IS_ACRONYM[words[0]]
    number = _NUMBER_BEHIND.match(text, end) if is_acronym and currency_named(raw) is None else None
    if number:
        end = number.end()
        raw = text[start:end]
        words.append(number[1])
    parts = _PARTS[words[0]] if len(words) == 1 else tuple([part for word in words for part in _PARTS[word]])
    short = _SHORT_FORMS.get(parts[:2])
    if short is not None:
        parts = (short, *parts[2:])
    if not _TITLES.isdisjoint(parts):
        parts = tuple([part for part in parts if part not in _TITLES]) or parts
    if not parts or len(raw) < 2 or (single and currency_named(raw) is not None):
        return
    if _DIGIT.search(raw) is not None:
        kind = NameKind.IDENTIFIER
    elif is_acronym:
        kind = NameKind.ACRONYM
    else:
        kind = NameKind.NAME
    first = single and kind is NameKind.NAME and _begins_sentence(text, start)
    found.append(Name(span=Span(start, end), text=raw, kind=kind, parts=parts, first=first))


def _begins_sentence(text: str, start: int) -> bool:
    """True for a word at the beginning of the text or behind a stop, a bullet, a bracket or a quotation mark."""
    if start > 1 and text[start - 1] == " " and text[start - 2].isalnum():
        return False
    return _STOP_BEFORE.search(text, max(0, start - 6), start) is not None


def _bare(word: str) -> str:
    """Lower case, without accents: "Noël" and "Noel" are one name."""
    lower = word.lower()
    if lower.isascii():
        return lower
    return "".join(c for c in unicodedata.normalize("NFD", lower) if not unicodedata.combining(c)) or lower


_PARTS = WordTable(lambda word: tuple([part for part in _bare(word).replace(".", "").split("-") if part and part not in _PARTICLES]))
"""A word of a name as the parts of the name it makes."""
_IS_ACRONYM = WordTable(lambda word: _ACRONYM.fullmatch(word) is not None)


@lru_cache(maxsize=16384)
def _same(a: tuple[str, ...], b: tuple[str, ...], a_short: str, b_short: str) -> bool:
    if a == b:
        return True
    if set(a) <= set(b) or set(b) <= set(a):
        longer, shorter = (b, a) if len(b) > len(a) else (a, b)
        # "Plan B" and "Plan", "Type 2" and "Type" are not one thing; "J. Olsen" and "Olsen" are.
        return longer[-1] in shorter or not (len(longer[-1]) == 1 or longer[-1].isdecimal())
    if (a_short and a_short == _initials(b)) or (b_short and b_short == _initials(a)):
        return True
    if a[-1] == b[-1] and len(a) > 1 and len(b) > 1:
        return all(x[0] == y[0] and (len(x) == 1 or len(y) == 1 or x.startswith(y) or y.startswith(x)) for x, y in zip(a[:-1], b[:-1], strict=False))
    return len(a) == len(b) and all(x == y or (len(x) > 4 and len(y) > 4 and (x.startswith(y[:-1]) or y.startswith(x[:-1]))) for x, y in zip(a, b, strict=True))


def _initials(parts: tuple[str, ...]) -> str:
    return "".join(p[0] for p in parts) if len(parts) > 1 else ""


def same_name(a: Name, b: Name) -> bool:
    """
    True when one can stand for the other.

    Equal words, a surname for the full name ("Olsen", "Mara Olsen"), initials ("M. Olsen"), an acronym for its long form
    ("WHO", "World Health Organization"), inflected endings ("Berlin", "Berlins"), one word for two ("DropShare", "Drop Share").
    """
    return _same(a.parts, b.parts, _short(a), _short(b)) or (len(a.parts) != len(b.parts) and "".join(a.parts) == "".join(b.parts))


def _short(name: Name) -> str:
    return name.text.replace(".", "").lower() if name.kind is NameKind.ACRONYM else ""
