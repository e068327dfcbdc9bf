"""Figures across two languages: "the deposit is 350 euros" of "el depósito es de 150 euros", where figures and units are all that can be compared."""

from __future__ import annotations

import unicodedata

from ragviz.consistency import Findings
from ragviz.consistency.analysis import Analysis, Detail, analyse
from ragviz.judges.local_rules.tabled import Tabled
from ragviz.records import Clash, ClashKind, Span
from ragviz.text.quantity import Quantity, QuantityKind
from ragviz.text.sentences import sentence_spans

MAX_CHARS = 8_000
_ALIKE = 5
"""First letters that words of one origin share: "depósito" and "deposit"."""
_SURE = frozenset({QuantityKind.MEASURE, QuantityKind.MONEY, QuantityKind.PERCENT})


def by_foreign_figure(text: str, claim: Analysis, premise: str) -> Tabled | None:
    """
    Denied where the passage is in another language, has one figure of the claim's unit in all, another one, and its sentence a word of the claim's origin.

    A claim that compares, denies or has several figures is not told from it; nor is anything ever supported.
    """
    ours = [d for d in claim.quantities if _amount(d) is not None]
    if len(ours) != 1 or len(claim.quantities) != 1 or claim.cues or len(premise) > MAX_CHARS or not claim.lowers:
        return None
    spans = sentence_spans(premise)
    units = [(span, analyse(span.of(premise))) for span in spans]
    if claim.tongue in {unit.tongue for _, unit in units}:
        return None
    theirs = [(span, unit, d) for span, unit in units for d in unit.quantities if _amount(d) is not None and _kind(d) == _kind(ours[0])]
    if len(theirs) != 1:
        return None
    span, unit, given = theirs[0]
    if _amount(given) == _amount(ours[0]) or _bound(given) != _bound(ours[0]) or not _share_word(claim, unit):
        return None
    at = claim.plain.original(Span(claim.starts[ours[0].first], claim.ends[ours[0].last]))
    there = unit.plain.original(Span(unit.starts[given.first], unit.ends[given.last])).shift(span.start)
    clash = Clash(kind=ClashKind.NUMBER, hypothesis_span=at, premise_span=there, hypothesis_value=at.of(text), premise_value=there.of(premise))
    return Tabled(False, True, Findings(clashes=(clash,), alignment=1.0, coverage=1.0, certain=True))


def _kind(detail: Detail) -> tuple[str, str]:
    record = detail.record
    assert isinstance(record, Quantity)
    return record.unit.dimension, record.unit.name if record.unit.dimension == "money" else ""


def _bound(detail: Detail) -> object:
    return detail.record.bound if isinstance(detail.record, Quantity) else None


def _amount(detail: Detail) -> object:
    record = detail.record
    if not isinstance(record, Quantity) or record.kind not in _SURE or (record.low is not None and record.high is not None and record.low != record.high):
        return None
    given = record.low if record.low is not None else record.high
    return given * record.unit.factor if given is not None else None


def _share_word(claim: Analysis, unit: Analysis) -> bool:
    """True where both have a word of content that begins alike, without accents, or the same name."""
    ours, theirs = _begins(claim), _begins(unit)
    return not ours.isdisjoint(theirs)


def _begins(text: Analysis) -> frozenset[str]:
    return frozenset(
        _bare(text.lowers[i])[:_ALIKE] for i in range(len(text.lowers)) if text.content[i] and not text.detail[i] and len(text.lowers[i]) >= _ALIKE
    )


def _bare(word: str) -> str:
    return word if word.isascii() else "".join(c for c in unicodedata.normalize("NFD", word) if not unicodedata.combining(c))
