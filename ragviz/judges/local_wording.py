"""A claim said in the words of the passage: "resigned" becomes "stepped down" where the passage says that. What is compared afterwards are equal words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import islice
from typing import NamedTuple, TypeVar

import msgspec

from ragviz.consistency import Agreement, Findings, Missing
from ragviz.consistency.wordings import ASCII_WORD, FAMILIES, FOLDS, WORD, Folds
from ragviz.evidence.windows import IndexedPremise
from ragviz.judges.local_inflected import inflected
from ragviz.judges.local_sayable import NOT, sayable
from ragviz.records import Clash, ClashKind, Span
from ragviz.text.tokens import STOP_WORDS, runs
from ragviz.text.word_table import WordTable

_Record = TypeVar("_Record", Clash, Agreement, Missing)
_DUTY = frozenset({"must", "have to", "has to", "had to", "need to", "needs to"})
_WITHOUT = re.compile(r"\b(?:free (?:of|from)|without)(?: any)? (\w{3,})\b", re.IGNORECASE)
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


_RELATED: WordTable[str | None] = WordTable(lambda lower: FAMILIES[lower] if len(lower) > 3 and lower not in STOP_WORDS else None)
"""Family of a word that a word of the claim may be replaced by."""


@lru_cache(maxsize=4096)
def _known(text: str) -> tuple[frozenset[str], frozenset[str]]:
    """Folded words of a passage, and their families."""
    split = runs(text) if "'" not in text and "\u2019" not in text else None
    if split is not None:
        words = set(split)
    elif text.isascii():
        words = set(ASCII_WORD.findall(text.lower()))
    else:
        words = {word.lower() for word in WORD.findall(text)}
    return frozenset(map(FOLDS.__getitem__, words)), frozenset(filter(None, map(_RELATED.__getitem__, words)))


class _UnitWords(NamedTuple):
    """The words of a unit, in order."""

    lowers: list[str]
    folds: list[str]


@lru_cache(maxsize=8192)
def _unit_words(text: str) -> _UnitWords:
    lowers = ASCII_WORD.findall(text.lower()) if text.isascii() else [word.lower() for word in WORD.findall(text)]
    return _UnitWords(lowers, list(map(FOLDS.__getitem__, lowers)))


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
    places, known, bounds, begins, wanted, of_age, tongue = sayable(claim)
    folds, families = _known(premise.text)
    may_say, may_relate = not folds.isdisjoint(begins), not families.isdisjoint(wanted)
    taken = [(age.start, age.end, said.group()) for age in of_age if (said := age.said.search(premise.text)) is not None] if of_age else []
    if "free" in folds:
        taken += _freed(claim, premise.text)
    if not (tongue or taken or may_say or may_relate):
        return None
    behind = -1
    for start, end, phrase in places if may_say else ():
        if start < behind or (taken and any(start < last and first < end for first, last, _ in taken)):
            continue
        words = phrase.words
        if words[0] in folds and folds.issuperset(words):
            if len(words) > 1 and _find(premise, units, words) is not None:
                behind = end
            continue
        if folds.isdisjoint(phrase.begins):
            continue
        surface = _said(premise, units, phrase.others, folds)
        if surface is not None:
            taken.append((start, end, surface))
            behind = end
            if len(taken) == MAX_PIECES:
                break
    done = [(start, end) for start, end, _ in taken]
    for n, (fold, family, _, _) in enumerate(known) if may_relate else ():
        if family is None or family not in families or fold in folds or len(taken) >= MAX_PIECES:
            continue
        start, end = bounds[2 * n : 2 * n + 2]
        if any(start < last and first < end for first, last in done):
            continue
        other = _relative(premise, units, family)
        if other is not None:
            taken.append((start, end, other))
    if tongue:
        taken += [piece for piece in inflected(claim, premise, units, tongue) if all(piece[1] <= start or end <= piece[0] for start, end, _ in taken)]
    return _replaced(claim, sorted(taken)) if taken else None


def _freed(claim: str, text: str) -> list[tuple[int, int, str]]:
    """"Free of interest" and "without interest" as the "interest-free" of the passage."""
    out: list[tuple[int, int, str]] = []
    for match in _WITHOUT.finditer(claim):
        said = re.search(rf"\b{re.escape(match[1])}[-\u2010\u2011]free\b", text, re.IGNORECASE)
        if said is not None:
            out.append((*match.span(), said.group().lower()))
    return out


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


def _in_unit(premise: IndexedPremise, unit: int, words: _UnitWords, phrase: Folds) -> str | None:
    lowers, folds = words
    first, n = phrase[0], len(phrase)
    i = -1
    for _ in range(folds.count(first)):
        i = folds.index(first, i + 1)
        if lowers[i] != NOT if n == 1 else tuple(folds[i : i + n]) == phrase:
            return _surface(premise, unit, i, n)
    return None


def _relative(premise: IndexedPremise, units: Sequence[int], mine: str) -> str | None:
    """A word of the passage of the same family: "swimmers" for "swim"."""
    for unit in units:
        related = list(map(_RELATED.__getitem__, _unit_words(premise.units[unit].span.of(premise.text)).lowers))
        if mine in related:
            return _surface(premise, unit, related.index(mine), 1)
    return None


def _surface(premise: IndexedPremise, unit: int, first: int, n: int) -> str:
    """``n`` words of a unit as they stand there."""
    text = premise.units[unit].span.of(premise.text)
    places = [match.span() for match in islice(WORD.finditer(text), first, first + n)]
    return _uncapitalised(text[places[0][0] : places[-1][1]], first=first == 0)


def _uncapitalised(surface: str, *, first: bool) -> str:
    """Without the capital of a sentence's beginning, which would make a name of it."""
    return surface[0].lower() + surface[1:] if first and len(surface) > 1 and surface[1].islower() else surface


def _replaced(claim: str, taken: Sequence[tuple[int, int, str]]) -> Wording:
    parts: list[str] = []
    pieces: list[Piece] = []
    at = length = 0
    for start, end, surface in taken:
        said = surface[0].upper() + surface[1:] if start == 0 else surface
        parts += [claim[at:start], said]
        begin = length + start - at
        length = begin + len(said)
        pieces.append(Piece(Span(begin, length), Span(start, end)))
        at = end
    return Wording("".join([*parts, claim[at:]]), tuple(pieces))


def _is_word_for_word(piece: Piece, said: str, claim: str) -> bool:
    """True where one word stands for one word; of phrases it is not known which word of one is which of the other."""
    return len(WORD.findall(piece.new.of(said))) == len(WORD.findall(piece.old.of(claim))) == 1


def _is_duty(piece: Piece, said: str, claim: str) -> bool:
    """True for "must" said as "have to": a duty denied is denied in either."""
    return {piece.old.of(claim).lower(), piece.new.of(said).lower()} <= _DUTY


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
    sure = [
        clash
        for clash in found.clashes
        if clash.hypothesis_span is None
        or not any(
            piece.new.overlaps(clash.hypothesis_span)
            and (clash.kind is ClashKind.ROLE or not (_is_word_for_word(piece, wording.text, claim) or _is_duty(piece, wording.text, claim)))
            for piece in wording.pieces
        )
    ]
    return msgspec.structs.replace(
        found,
        clashes=tuple(map(back, sure)),
        dropped=tuple(map(back, found.dropped)),
        weak=tuple(map(back, [*found.weak, *(clash for clash in found.clashes if clash not in sure)])),
        agreements=tuple(map(back, found.agreements)),
        missing=tuple(map(back, found.missing)),
    )
