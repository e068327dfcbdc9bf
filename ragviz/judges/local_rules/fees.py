"""Prices by who pays them, free ones too: "£12 for adults, £6 for students and free for children under 16"; and what costs extra is not included."""

from __future__ import annotations

import re
from functools import cache, lru_cache

from ragviz.consistency.analysis import Analysis, analyse
from ragviz.judges.local_rules.rule import Beside, Told
from ragviz.records import ClashKind
from ragviz.text.word_sets import word_set

_PRICE = r"free(?: of charge)?|nothing|(?:[£€$]\s?\d[\d.,]*|\d[\d.,]*\s?(?:€|£|\$|EUR|GBP|USD|CHF|euros?|pounds?|dollars?|pence|p\b|cents?))"
_ENTRY = re.compile(rf"(?<![\w.,])({_PRICE}) for ([^,;.:]+?)(?=,| and (?:{_PRICE})|;|\.(?:\s|$)|$)", re.IGNORECASE)
_VALUE = re.compile(rf"(?<![\w.,])({_PRICE})(?![\w])|\b(?:no charge|not (?:have to )?pay|do(?:es)?n['’]t (?:have to )?pay)\b", re.IGNORECASE)
_FREE = re.compile(r"^(?:free|nothing|no charge|not|do(?:es)?n)", re.IGNORECASE)
_DIGITS = re.compile(r"\d[\d.,]*\d|\d")
_COMPARES = word_set("more less than half double twice both difference total if unless except only from over under each as")
_EXTRA = re.compile(r"\b(?:extra|additional (?:cost|charge|fee)|surcharge|supplement)\b", re.IGNORECASE)
_INCLUDED = re.compile(r"\b(?:included|inclusive|part of the (?:price|fee|ticket)|at no (?:extra|additional) (?:cost|charge)|free)\b", re.IGNORECASE)
_OF_PRICE = word_set("price cost fee charge ticket pay admission entry included extra additional rate free no")


def speaks_of_price(claim: Analysis) -> bool:
    """True where a claim names a price, or says that there is none."""
    return _VALUE.search(claim.text) is not None


def by_fee(beside: Beside) -> Told | None:
    """"Admission is free for students" of a sentence that lets children in free and takes £6 of students."""
    claim, unit, _ = beside
    found = _entries(unit.text)
    values = list(_VALUE.finditer(claim.text))
    if len(found) < 2 or len(values) != 1 or not _COMPARES.isdisjoint(claim.lowers):
        return None
    named = [entry for entry in found if entry[1] and entry[1] <= claim.all_keys]
    named = [entry for entry in named if not any(entry[1] < other[1] for other in named)]
    if len(named) != 1 or (claim.cues and _FREE.match(values[0][0]) is None):
        return None
    price, holder, start, end = named[0]
    ours = _price(values[0][0])
    rest = claim.all_keys - holder - unit.all_keys - _paying()
    if ours == price:
        return Told(True, full=not rest)
    if rest or not any(ours == other for other, *_ in found):
        return None
    return Told(False, _tokens(claim, *values[0].span()), _tokens(unit, start, end), ClashKind.NUMBER)


def is_included(claim: Analysis) -> bool:
    """True where a plain claim says that something comes at no extra cost."""
    return not claim.cues and _INCLUDED.search(claim.text) is not None


def by_extra(beside: Beside) -> Told | None:
    """"Guided tours are included in the price" of "guided tours start at 11 and cost an extra £3"."""
    claim, unit, _ = beside
    ours, theirs = _INCLUDED.search(claim.text), _EXTRA.search(unit.text)
    if ours is None or theirs is None or unit.cues or _INCLUDED.search(unit.text) is not None or any(claim.detail):
        return None
    own = {claim.keys[k] for k in range(len(claim.keys)) if claim.content[k] and claim.lowers[k] not in _OF_PRICE}
    before = {unit.keys[i] for i in range(len(unit.keys)) if unit.content[i] and unit.starts[i] < theirs.start()}
    if not own or not own <= before or not any(d.first for d in unit.quantities):
        return None
    return Told(False, _tokens(claim, *ours.span()), _tokens(unit, *theirs.span()), ClashKind.ANTONYM)


@lru_cache(maxsize=4096)
def _entries(text: str) -> tuple[tuple[str, frozenset[str], int, int], ...]:
    """Price, words of those who pay it, and place of the price."""
    return tuple([(_price(m[1]), analyse(m[2]).all_keys, *m.span(1)) for m in _ENTRY.finditer(text)])


def _price(text: str) -> str:
    digits = _DIGITS.search(text)
    return "0" if digits is None or _FREE.match(text) is not None else digits[0].replace(",", ".").rstrip("0").rstrip(".") if "." in digits[0] else digits[0]


def _tokens(text: Analysis, start: int, end: int) -> tuple[int, int]:
    inside = [i for i in range(len(text.lowers)) if text.starts[i] < end and text.ends[i] > start]
    return (inside[0], inside[-1]) if inside else (0, 0)


@cache
def _paying() -> frozenset[str]:
    """Words that say no more than that something is paid for. Asked for late: the list of frequent words is read for it."""
    return analyse("pay pays paid cost costs charge get in enter entry admission admitted ticket free nothing have").all_keys
