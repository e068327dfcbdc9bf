"""Whose value it is: "lift A carries 450 kg; lift B carries 630 kg" gives lift A no 630 kg."""

from __future__ import annotations

import re
from collections.abc import Mapping
from decimal import Decimal
from functools import lru_cache

from ragviz.consistency import Findings
from ragviz.consistency.analysis import Analysis, Detail, analyse
from ragviz.judges.local_rules.tabled import Tabled
from ragviz.records import Clash, ClashKind, Span
from ragviz.text.bounds import Bound
from ragviz.text.quantity import Quantity, QuantityKind
from ragviz.text.tokens import STOP_WORDS
from ragviz.text.word_sets import word_set

MAX_CHARS = 20_000
MAX_MEMBERS = 12
_MEMBER = re.compile(r"(?<![\w’'-])([^\W\d_][\w-]*[a-z]) ([A-HJ-Z][\w+-]*|[A-Z]|\d{1,3}(?:\.\d+)*)(?![\w’'%€$£-]|[.,]\d)")
"""Something and what tells it from others of its name."""
_ENDS = re.compile(r"[.!?;](?:\s|$)|\n")
_JOINS = re.compile(r"\s*(?:,|/|and|or|,\s*and|,\s*or)\s*(?:the\s+)?", re.IGNORECASE)
_COMPARES = word_set("than difference total together both twice half between not more less heavier lighter")
_ALLOWS = word_set("can may could")
_SURE = frozenset({QuantityKind.MEASURE, QuantityKind.MONEY, QuantityKind.PERCENT})
_UNKNOWN = 1
"""Words of a claim that may stand nowhere in the passage."""

Member = tuple[str, str]
Families = Mapping[Member, tuple[tuple[int, int], ...]]


def by_bearer(text: str, claim: Analysis, premise: str) -> Tabled | None:
    """Whether the claim's value is another member's while its own member has one of the same kind; None where that is not known."""
    ours = _members(text)
    if len(ours) != 1 or claim.cues or not _COMPARES.isdisjoint(claim.lowers):
        return None
    values = [d for d in claim.quantities if isinstance(d.record, Quantity) and d.record.kind in _SURE and _amount(d) is not None]
    found = families(premise[:MAX_CHARS]) if len(values) == 1 else {}
    if not found or ours[0] not in found:
        return None
    own = [(start, d) for start, end in found[ours[0]] for d in _same_kind(premise[start:end], values[0])]
    if len(own) != 1 or _amount(own[0][1]) == _amount(values[0]):
        return None
    others = [d for name, spans in found.items() if name != ours[0] and name[0] == ours[0][0] for a, b in spans for d in _same_kind(premise[a:b], values[0])]
    if not any(_amount(d) == _amount(values[0]) for d in others) or _is_within(claim, values[0], own[0][1]):
        return None
    rest = {claim.keys[i] for i in range(len(claim.keys)) if claim.content[i] and not claim.detail[i]} - analyse(premise[:MAX_CHARS]).all_keys
    if len(rest) > _UNKNOWN:
        return None
    start, theirs = own[0]
    ours_at, theirs_at = _span(claim, values[0]), theirs.record.span.shift(start)
    clash = Clash(
        kind=ClashKind.NUMBER, hypothesis_span=ours_at, premise_span=theirs_at, hypothesis_value=ours_at.of(text), premise_value=theirs_at.of(premise)
    )
    return Tabled(False, True, Findings(clashes=(clash,), alignment=1.0, coverage=1.0, certain=True))


def _is_within(claim: Analysis, ours: Detail, theirs: Detail) -> bool:
    """"You can load it with up to 450 kg" where it carries 630 kg."""
    a, b = ours.record, theirs.record
    assert isinstance(a, Quantity)
    assert isinstance(b, Quantity)
    bounded = {a.bound, b.bound} & {Bound.AT_MOST, Bound.LESS}
    mine, most = _amount(ours), _amount(theirs)
    return bool(bounded) and not _ALLOWS.isdisjoint(claim.lowers) and mine is not None and most is not None and mine < most


def _same_kind(text: str, ours: Detail) -> list[Detail]:
    record = ours.record
    assert isinstance(record, Quantity)
    return [
        d for d in analyse(text).quantities
        if isinstance(d.record, Quantity) and d.record.kind is record.kind and _amount(d) is not None and d.record.unit.dimension == record.unit.dimension
        and (record.unit.dimension != "money" or d.record.unit.name == record.unit.name)
    ]


def _amount(detail: Detail) -> Decimal | None:
    """The figure or the one bound there is; None for a stretch from one to another."""
    record = detail.record
    assert isinstance(record, Quantity)
    if record.low is not None and record.high is not None and record.low != record.high:
        return None
    given = record.low if record.low is not None else record.high
    return given * record.unit.factor if given is not None else None


def _span(text: Analysis, detail: Detail) -> Span:
    return text.plain.original(Span(text.starts[detail.first], text.ends[detail.last]))


def _members(text: str) -> list[Member]:
    return list(dict.fromkeys([_name(m) for m in _MEMBER.finditer(text) if m[1].lower() not in STOP_WORDS]))


def _name(match: re.Match[str]) -> Member:
    return match[1].casefold(), match[2]


@lru_cache(maxsize=2048)
def families(text: str) -> Families:
    """Places of what is said of each thing that has a namesake, from where it is named to the next one or the end of the clause; {} without any."""
    found = [m for m in _MEMBER.finditer(text) if m[1].lower() not in STOP_WORDS]
    tails: dict[str, set[str]] = {}
    for match in found:
        tails.setdefault(match[1].casefold(), set()).add(match[2])
    found = [m for m in found if len(tails[m[1].casefold()]) > 1][:MAX_MEMBERS]
    out: dict[Member, list[tuple[int, int]]] = {}
    waiting: list[Member] = []
    for n, match in enumerate(found):
        end = _ENDS.search(text, match.end())
        stop = end.start() if end is not None else len(text)
        last = min(stop, found[n + 1].start()) if n + 1 < len(found) else stop
        waiting.append(_name(match))
        if last < stop and _JOINS.fullmatch(text, match.end(), last) is not None:
            continue
        for name in waiting:
            out.setdefault(name, []).append((match.end(), last))
        waiting = []
    return {name: tuple(spans) for name, spans in out.items()}
