"""A claim said in the words of the passage: "resigned" becomes "stepped down" where the passage says that. What is compared afterwards are equal words."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple, TypeVar

import msgspec

from ragviz.consistency import Agreement, Findings, Missing
from ragviz.consistency.wordings import ASCII_WORD, FAMILIES, FOLDS, WORD, Folds, beginnings, wordings
from ragviz.evidence.windows import IndexedPremise
from ragviz.records import Clash, ClashKind, Span
from ragviz.text.tokens import STOP_WORDS
from ragviz.text.word_table import WordTable

_Record = TypeVar("_Record", Clash, Agreement, Missing)
MAX_PIECES = 8
"""Phrases of one claim that are replaced; a claim that shares nothing else is not made to share everything."""
MAX_CHARS = 600
"""A longer claim is left as it is: it shares words enough."""
MAX_PREMISE = 40_000
"""In a longer passage anything can be found."""


class Piece(NamedTuple):
    """A stretch that was replaced."""

    new: Span
    """In the claim as reworded."""
    old: Span
    """In the claim as it was."""


class Wording(NamedTuple):
    """The claim in other words."""

    text: str
    pieces: tuple[Piece, ...]
    """In text order."""

    def original(self, span: Span) -> Span:
        """Where a stretch of the reworded claim came from; a stretch that touches a replaced piece covers all of it."""
        return Span(self._back(span.start, end=False), self._back(span.end, end=True))

    def _back(self, at: int, *, end: bool) -> int:
        shift = 0
        for piece in self.pieces:
            if at < piece.new.start or (end and at == piece.new.start):
                break
            if at < piece.new.end or (end and at == piece.new.end):
                return piece.old.end if end else piece.old.start
            shift = piece.old.end - piece.new.end
        return at + shift


class _Place(NamedTuple):
    """A phrase of the claim that may be said otherwise."""

    span: Span
    words: Folds
    others: tuple[Folds, ...]
    begin: frozenset[str]
    """The first words of ``others``."""


class _Single(NamedTuple):
    """A word of content."""

    start: int
    end: int
    fold: str
    family: str


class _Sayable(NamedTuple):
    """What of a claim may be said otherwise."""

    places: tuple[_Place, ...]
    """Phrases that the word list knows, longest first at each word."""
    single: tuple[_Single, ...]
    """Its single words of content."""
    begins: frozenset[str]
    """All words with which something that stands for one of the phrases begins."""
    families: frozenset[str]
    """Of the single words."""


@lru_cache(maxsize=8192)
def _sayable(claim: str) -> _Sayable:
    words = [(*match.span(), match[0].lower()) for match in (ASCII_WORD if claim.isascii() else WORD).finditer(claim)]
    folds = [FOLDS[lower] for _, _, lower in words]
    table, begins = wordings(), beginnings()
    found: list[_Place] = []
    for i, first in enumerate(folds):
        known = table.get(first)
        if known is None:
            continue
        following = folds[i + 1] if i + 1 < len(folds) else None
        for phrase, others in known.items():
            n = len(phrase)
            if n == 1 or (phrase[1] == following and (n == 2 or tuple(folds[i : i + n]) == phrase)):
                found.append(_Place(Span(words[i][0], words[i + n - 1][1]), phrase, others, begins[phrase]))
    single = tuple([_Single(start, end, fold, family) for (start, end, lower), fold in zip(words, folds, strict=True) if (family := _RELATED[lower]) and lower.isalpha()])
    return _Sayable(tuple(found), single, frozenset().union(*[place.begin for place in found]), frozenset([word.family for word in single]))


_RELATED: WordTable[str | None] = WordTable(lambda lower: FAMILIES[lower] if len(lower) > 3 and lower not in STOP_WORDS else None)
"""Family of a word that a word of the claim may be replaced by."""


@lru_cache(maxsize=4096)
def _known(text: str) -> tuple[frozenset[str], frozenset[str]]:
    """Folded words of a passage, and their families."""
    words = set(ASCII_WORD.findall(text.lower()) if text.isascii() else [word.lower() for word in WORD.findall(text)])
    return frozenset(map(FOLDS.__getitem__, words)), frozenset(filter(None, map(_RELATED.__getitem__, words)))


class _UnitWord(NamedTuple):
    """A word of a unit."""

    start: int
    end: int
    lower: str
    fold: str


@lru_cache(maxsize=8192)
def _unit_words(text: str) -> tuple[_UnitWord, ...]:
    return tuple([_UnitWord(match.start(), match.end(), lower, FOLDS[lower]) for match in WORD.finditer(text) for lower in [match.group().lower()]])


def reworded(claim: str, premise: IndexedPremise, units: Sequence[int]) -> Wording | None:
    """
    The claim with phrases that the passage does not have replaced by what stands for them there.

    Args:
        claim: The claim, cleaned of marks.
        premise: The passage.
        units: Its units in the order in which they are asked for words, the likeliest first.

    Returns:
        None where nothing was replaced. Numbers, dates and names are left alone.
    """
    if len(claim) > MAX_CHARS or len(premise.text) > MAX_PREMISE:
        return None
    places, single, begins, wanted = _sayable(claim)
    folds, families = _known(premise.text)
    if folds.isdisjoint(begins) and families.isdisjoint(wanted):
        return None
    taken: list[tuple[Span, str]] = []
    end = -1
    for place in places if not folds.isdisjoint(begins) else ():
        if place.span.start < end:
            continue
        if place.words[0] in folds and folds.issuperset(place.words):
            if len(place.words) > 1 and _find(premise, units, place.words) is not None:
                end = place.span.end
            continue
        if folds.isdisjoint(place.begin):
            continue
        surface = _said(premise, units, place.others, folds)
        if surface is not None:
            taken.append((place.span, surface))
            end = place.span.end
            if len(taken) == MAX_PIECES:
                break
    done = [span for span, _ in taken]
    for word in [word for word in single if word.fold not in folds and word.family in families]:
        if any(word.start < d.end and d.start < word.end for d in done) or len(taken) >= MAX_PIECES:
            continue
        other = _relative(premise, units, word.family)
        if other is not None:
            taken.append((Span(word.start, word.end), other))
    return _replaced(claim, sorted(taken)) if taken else None


def _said(premise: IndexedPremise, units: Sequence[int], others: Sequence[Folds], folds: frozenset[str]) -> str | None:
    """How the passage says one of the phrases."""
    there = [phrase for phrase in others if phrase[0] in folds and folds.issuperset(phrase)]
    for unit in units if there else ():
        words = _unit_words(premise.units[unit].span.of(premise.text))
        for phrase in there:
            surface = _in_unit(premise, unit, words, phrase)
            if surface is not None:
                return surface
    return None


def _find(premise: IndexedPremise, units: Sequence[int], phrase: Folds) -> str | None:
    for unit in units:
        surface = _in_unit(premise, unit, _unit_words(premise.units[unit].span.of(premise.text)), phrase)
        if surface is not None:
            return surface
    return None


def _in_unit(premise: IndexedPremise, unit: int, words: Sequence[_UnitWord], phrase: Folds) -> str | None:
    n = len(phrase)
    for i in range(len(words) - n + 1):
        if words[i].fold == phrase[0] and all(words[i + k].fold == phrase[k] for k in range(1, n)):
            text = premise.units[unit].span.of(premise.text)
            return _uncapitalised(text[words[i].start : words[i + n - 1].end], first=i == 0)
    return None


def _relative(premise: IndexedPremise, units: Sequence[int], mine: str) -> str | None:
    """A word of the passage of the same family: "swimmers" for "swim"."""
    for unit in units:
        text = premise.units[unit].span.of(premise.text)
        for n, word in enumerate(_unit_words(text)):
            if _RELATED[word.lower] == mine:
                return _uncapitalised(text[word.start : word.end], first=n == 0)
    return None


def _uncapitalised(surface: str, *, first: bool) -> str:
    """Without the capital of a sentence's beginning, which would make a name of it."""
    return surface[0].lower() + surface[1:] if first and len(surface) > 1 and surface[1].islower() else surface


def _replaced(claim: str, taken: Sequence[tuple[Span, str]]) -> Wording:
    parts: list[str] = []
    pieces: list[Piece] = []
    at = length = 0
    for span, surface in taken:
        said = surface[0].upper() + surface[1:] if span.start == 0 else surface
        parts += [claim[at : span.start], said]
        start = length + span.start - at
        length = start + len(said)
        pieces.append(Piece(Span(start, length), span))
        at = span.end
    return Wording("".join([*parts, claim[at:]]), tuple(pieces))


def _is_word_for_word(piece: Piece, said: str, claim: str) -> bool:
    """True where one word stands for one word; of phrases it is not known which word of one is which of the other."""
    return len(WORD.findall(piece.new.of(said))) == len(WORD.findall(piece.old.of(claim))) == 1


def moved(found: Findings, said: Wording | None, claim: str) -> Findings:
    """Findings on the reworded claim as findings on the claim as written: its places, and its own words where a replaced one is meant."""
    if said is None:
        return found
    wording = said

    def back(record: _Record) -> _Record:
        span = record.hypothesis_span
        if span is None:
            return record
        place = wording.original(span)
        if isinstance(record, Clash) and any(piece.new.overlaps(span) for piece in wording.pieces):
            return msgspec.structs.replace(record, hypothesis_span=place, hypothesis_value=place.of(claim))
        return msgspec.structs.replace(record, hypothesis_span=place)

    # A word may stand for another with its sides exchanged ("follow", "is succeeded by"): who does what to whom is not read off such words.
    sure = [clash for clash in found.clashes if clash.hypothesis_span is None or not any(
        piece.new.overlaps(clash.hypothesis_span) and (clash.kind is ClashKind.ROLE or not _is_word_for_word(piece, wording.text, claim)) for piece in wording.pieces
    )]
    return msgspec.structs.replace(
        found, clashes=tuple(map(back, sure)), dropped=tuple(map(back, found.dropped)), weak=tuple(map(back, [*found.weak, *(clash for clash in found.clashes if clash not in sure)])),
        agreements=tuple(map(back, found.agreements)), missing=tuple(map(back, found.missing)),
    )
