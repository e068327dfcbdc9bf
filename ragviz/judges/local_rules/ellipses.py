"""Sentences and clauses whose verb stands before them: "Opened rolls cannot be returned. Sealed rolls can.", "the K5 does not", "and so do trams"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from ragviz.consistency.analysis import Analysis
from ragviz.consistency.pairings import is_verb
from ragviz.evidence.windows import plain
from ragviz.judges.local_rules.rule import Beside, Told
from ragviz.judges.local_view import Look
from ragviz.records import ClashKind
from ragviz.text.tokens import STOP_WORDS, tokens
from ragviz.text.word_sets import word_set

_BORROWING = word_set("is are was were can could may might must will would should does do did has have had")
_NT = ("n't", "n’t")
_CLOSERS = word_set("either too yet anymore")
_TURNS = word_set("so neither nor as")
_DENYING_TURNS = word_set("neither nor")
_JOINS = word_set("but whereas while though although and or yet however")
_BOTH = word_set("both all each every")
_MOST_SUBJECT = 4
_MOST_TURNED = 8
_AUXILIARIES = word_set("can may must will should does do is are was were has have")
_ELLIPSIS = re.compile(rf"\W*(.{{2,120}}?) ({'|'.join(sorted(_AUXILIARIES))})[.!]?", re.IGNORECASE | re.DOTALL)


def is_elliptical(seen: Look) -> bool:
    """"Opened rolls cannot be returned. Sealed rolls can." says that sealed rolls can be returned: the verb stands in the sentence before."""
    if seen.claim.negated or not seen.chosen or len(seen.claim.sentences) != 1:
        return False
    indexed = seen.premise.indexed
    for choice in seen.chosen:
        text = plain(indexed.units[choice.unit].span.of(indexed.text))
        if text.rpartition(" ")[2].rstrip(".!").casefold() not in _AUXILIARIES:
            continue  # hardly any sentence ends so, and a pattern looks at all of it
        match = _ELLIPSIS.fullmatch(text)
        if match is None:
            continue
        subject, auxiliary, rest = seen.claim.text.partition(f" {match[2]} ")
        if not auxiliary or choice.unit == 0 or choice.unit - 1 in seen.premise.excluded:
            continue
        ours, verb = ({t.stem for t in tokens(part) if t.lower not in STOP_WORDS} for part in (plain(subject), plain(rest)))
        theirs = {t.stem for t in tokens(match[1]) if t.lower not in STOP_WORDS}
        if ours and verb and ours == theirs and verb <= indexed.units[choice.unit - 1].stems:
            return True
    return False


class Elliptical(NamedTuple):
    """A clause that borrows its verb from the one before it."""

    subject: frozenset[str]
    """Its own words."""
    borrowed: frozenset[str]
    """Words of the clause it borrows from."""
    lender: str
    """The first of them that it does not have itself: who or what the clause before is about."""
    denies: bool
    lender_denies: bool
    place: tuple[int, int]
    """Tokens first..last of what stands for the verb."""


def may_borrow(text: str) -> bool:
    """True for a sentence that ends on an auxiliary or a "not": its verb may stand in the sentence before."""
    last = text.rpartition(" ")[2].rstrip(".!;").casefold()
    return last in _BORROWING or last in {"not", "cannot"} or last.endswith(_NT)


def by_ellipsis(beside: Beside) -> Told | None:
    """"The K5 cannot" behind "the K7 can be charged wirelessly": of the K5 it is denied, and so of both; "and so do trams" says it of trams."""
    claim, unit, last = beside
    found = elliptical(unit, last)
    if found is None or not claim.all_keys:
        return None
    ours = frozenset(_words(claim, range(len(claim.lowers))))
    own, denied = found.subject - found.borrowed, len(claim.cues) % 2 == 1
    at = max((i for i in range(len(claim.keys)) if claim.content[i] and claim.keys[i] in found.borrowed and claim.keys[i] != found.lender), default=None)
    if at is None or not own or found.lender in ours:
        return None
    kind = next((i for i, word in enumerate(claim.lowers) if word in _BOTH), None)
    if own <= ours:
        rest = ours - found.subject
        if not rest or not rest <= found.borrowed:
            return None
        return Told(True) if denied is found.denies else Told(False, (at, at), found.place)
    if kind is None or not own.isdisjoint(ours) or denied or not (found.denies or found.lender_denies):
        return None
    # "Both tablets can …": the noun behind "both" says what the two are.
    noun = next((claim.keys[i] for i in range(kind + 1, min(len(claim.keys), kind + _MOST_SUBJECT)) if claim.content[i]), "")
    rest = ours - {noun}
    return Told(False, (kind, kind), found.place, ClashKind.QUANTIFIER) if rest and rest <= found.borrowed else None


def elliptical(unit: Analysis, last: Analysis | None) -> Elliptical | None:
    """The clause without a verb of its own with which a sentence ends, and what it borrows; None where there is none."""
    if len(unit.lowers) < 2:
        return None
    found = _ends_on_auxiliary(unit) or _ends_turned(unit)
    if found is None:
        return None
    begin, subject, place, denies = found
    words = _words(unit, subject)
    if not words or len(words) > _MOST_SUBJECT or any(unit.lowers[i] in _BORROWING or is_verb(unit, i) for i in subject):
        return None
    lender: Analysis | None = unit
    places = range(begin)
    if not _words(unit, places):
        lender, places = last, range(len(last.lowers)) if last is not None else range(0)
    borrowed = _words(lender, places) if lender is not None else []
    first = next((word for word in borrowed if word not in words), "")
    if lender is None or not first:
        return None
    lender_denies = sum(cue.at in places for cue in lender.cues) % 2 == 1
    if unit.lowers[place[0]] in _TURNS and lender_denies is not denies:
        return None
    return Elliptical(frozenset(words), frozenset(borrowed), first, denies, lender_denies, place)


def _ends_on_auxiliary(text: Analysis) -> tuple[int, range, tuple[int, int], bool] | None:
    """Where "the K5 does not" begins, its subject, its auxiliary with the negation, and whether there is one."""
    lowers, end = text.lowers, len(text.lowers) - 1
    while end > 0 and lowers[end] in _CLOSERS:
        end -= 1
    denies = lowers[end] in {"not", "cannot"} or lowers[end].endswith(_NT)
    at = end - (lowers[end] == "not")
    if at < 1 or not (lowers[at] in _BORROWING or (denies and at == end)):
        return None
    begin = next((i + 1 for i in range(at - 1, -1, -1) if lowers[i] in _JOINS or text.commas[i] or text.clause[i] != text.clause[at]), 0)
    return begin, range(begin, at), (at, end), denies


def _ends_turned(text: Analysis) -> tuple[int, range, tuple[int, int], bool] | None:
    """The same of "and so do trams"."""
    lowers, n = text.lowers, len(text.lowers)
    if _TURNS.isdisjoint(lowers):
        return None
    at = next((i for i in range(n - 3, -1, -1) if lowers[i] in _TURNS and lowers[i + 1] in _BORROWING), None)
    if at is None or n - at > _MOST_TURNED:
        return None
    return at, range(at + 2, n), (at, at + 1), lowers[at] in _DENYING_TURNS


def _words(text: Analysis, places: Sequence[int]) -> list[str]:
    """Words of content, figures and names, in text order."""
    return [text.keys[i] for i in places if text.content[i] or text.detail[i] or text.is_name[i]]
