"""
Which member of a list inside one sentence a value belongs to: "5 users on Basic and 50 on Plus", "to 21:00 on weekdays and to 19:00 at weekends"; and
days on which something is closed.
"""

from __future__ import annotations

from ragviz.consistency.analysis import Analysis, Detail
from ragviz.consistency.date_relations import relate_dates
from ragviz.consistency.magnitudes import Relation
from ragviz.judges.local_rules.rule import Beside, Told
from ragviz.records import ClashKind
from ragviz.text.date_mention import DateKind, DateMention
from ragviz.text.quantity import Quantity, QuantityKind
from ragviz.text.word_sets import word_set

_CLOSED = word_set("closed shut")
_OPEN = word_set("open opens opened hours")
_BEGINS, _ENDS = word_set("opens starts begins open"), word_set("closes close shuts ends finishes until till")
_HOURS = _BEGINS | _ENDS | _OPEN
_OTHERWISE = word_set("except unless not never no only also if when")
_HOLDS = word_set("on for at in with under during")
_JOINS = word_set("and but or while")
_AMOUNTS = frozenset({QuantityKind.NUMBER, QuantityKind.MEASURE, QuantityKind.MONEY, QuantityKind.PERCENT})
MAX_MEMBERS = 4
FITS = 0.6
"""Share of the claim's words that the sentence must have."""


def days_of(text: Analysis, first: int = 0, last: int = 10_000) -> frozenset[int]:
    """Weekdays named by tokens first..last, 1 = Monday."""
    found: frozenset[int] = frozenset()
    for d in text.dates:
        if isinstance(d.record, DateMention) and d.record.kind is DateKind.WEEKDAY and first <= d.first <= last:
            found |= d.record.weekdays
    return found


def by_closed_day(beside: Beside) -> Told | None:
    """"It is closed on Mondays" of "on Mondays it is open from 9:00 to 17:00"."""
    claim, unit, last = beside
    before = last.all_keys if last is not None else frozenset()
    days = days_of(claim)
    if not days or claim.cues or not _CLOSED.isdisjoint(claim.lowers) or not _OTHERWISE.isdisjoint(unit.lowers):
        return None
    at = next((i for i, word in enumerate(claim.lowers) if word in _OPEN), None) if _times(claim) or not _OPEN.isdisjoint(claim.lowers) else -1
    if at == -1 or (at is None and not _times(claim)):
        return None
    for j, word in enumerate(unit.lowers):
        if word not in _CLOSED:
            continue
        clause = [i for i in range(len(unit.lowers)) if unit.clause[i] == unit.clause[j]]
        theirs = days_of(unit, clause[0], clause[-1])
        extra = {unit.keys[i] for i in clause if unit.content[i] and not unit.detail[i] and i != j} - claim.all_keys
        subject = {claim.keys[i] for i in range(len(claim.keys)) if claim.content[i] and not claim.detail[i] and claim.lowers[i] not in _HOURS}
        dated = any(clause[0] <= d.first <= clause[-1] for d in unit.dates if isinstance(d.record, DateMention) and d.record.kind is not DateKind.WEEKDAY)
        if not days <= theirs or extra or dated or not subject <= unit.all_keys | before:
            continue
        ours = (at, at) if at is not None else _place(_times(claim)[0])
        return Told(False, ours, (j, j), ClashKind.ANTONYM)
    return None


def by_member(beside: Beside) -> Told | None:
    """Whether the claim's value belongs to the holder that the claim gives it; None where the sentence is no such list."""
    claim, unit, _ = beside
    if claim.cues or unit.cues or unit.sentence[-1] != unit.sentence[0]:
        return None
    for family in (_times, _amounts):
        values, ours = family(unit), family(claim)
        if len(ours) != 1 or not 2 <= len(values) <= MAX_MEMBERS:
            continue
        holder = _holder(claim, unit, values)
        rest = [k for k in claim.all_keys if k not in unit.all_keys]
        hours = {claim.keys[i] for i, w in enumerate(claim.lowers) if w in _HOURS} if family is _times else set()
        if holder is None or len([k for k in rest if k not in hours]) > (1 - FITS) * len(claim.all_keys):
            continue
        side = _side(claim) if family is _times else 0
        if _same(ours[0], values[holder], side):
            return Told(True, full=not [k for k in rest if k not in hours])
        if any(_same(ours[0], value, side) for value in values):
            return Told(False, _place(ours[0]), _place(values[holder]), ClashKind.DATE if family is _times else ClashKind.NUMBER)
    return None


def _times(text: Analysis) -> list[Detail]:
    return [d for d in text.dates if isinstance(d.record, DateMention) and d.record.kind is DateKind.TIME]


def _amounts(text: Analysis) -> list[Detail]:
    return [d for d in text.quantities if isinstance(d.record, Quantity) and d.record.kind in _AMOUNTS and d.record.value is not None]


def _place(detail: Detail) -> tuple[int, int]:
    return detail.first, detail.last


def _side(claim: Analysis) -> int:
    """-1 where the claim says when something begins, 1 where it says when it ends, 0 where it gives both or neither is known."""
    if not _ENDS.isdisjoint(claim.lowers):
        return 1
    return -1 if not _BEGINS.isdisjoint(claim.lowers) and "to" not in claim.lowers else 0


def _same(ours: Detail, theirs: Detail, side: int) -> bool:
    a, b = ours.record, theirs.record
    if isinstance(a, Quantity) and isinstance(b, Quantity):
        return a.value == b.value and (a.unit.dimension == b.unit.dimension or not a.unit.dimension or not b.unit.dimension)
    if isinstance(a, DateMention) and isinstance(b, DateMention):
        if a.minutes[1] >= 0:
            return a.minutes == b.minutes
        ends = b.minutes[1] if b.minutes[1] >= 0 else b.minutes[0]
        return a.minutes[0] in ({ends} if side == 1 else {b.minutes[0]} if side == -1 else {b.minutes[0], ends})
    return False


def _holder(claim: Analysis, unit: Analysis, values: list[Detail]) -> int | None:
    """Number of the member that the claim speaks of; None where the values have no holders of one form, or it speaks of several or none."""
    n, end = len(values), len(unit.lowers)
    behind = [(values[k].last + 1, values[k + 1].first if k + 1 < n else end) for k in range(n)]
    front = [(values[k - 1].last + 1 if k else 0, values[k].first) for k in range(n)]
    dated = _by_date(claim, unit, (behind, front))
    if dated is not None:
        return dated
    days = days_of(claim)
    for spans in (behind, front) if days else (behind,):
        if days:
            theirs = [days_of(unit, a, b - 1) for a, b in spans]
            if all(theirs) and all(a is b or not a & b or a < b or b < a for a in theirs for b in theirs):
                # "Tuesday to Sunday … and on Thursdays": what is said of fewer days counts on these.
                held = sorted((len(some), k) for k, some in enumerate(theirs) if days & some)
                return held[0][1] if held and days <= theirs[held[0][1]] and len(set(theirs)) == n else None
            continue
        members = [_keys_behind(unit, a, b) for a, b in spans]
        if not all(members):
            return None
        own = [m - frozenset().union(*(o for j, o in enumerate(members) if j != k)) for k, m in enumerate(members)]
        named = [k for k in range(n) if own[k] and own[k] <= claim.all_keys]
        touched = [k for k in range(n) if own[k] & claim.all_keys]
        return named[0] if len(named) == 1 and touched == named and all(own) else None
    return None


def _by_date(claim: Analysis, unit: Analysis, sides: tuple[list[tuple[int, int]], list[tuple[int, int]]]) -> int | None:
    """
    The number of the member whose year or month is the claim's: "12 million in 2021 and 9 million in 2020"; None where not each has one date and
    nothing else.
    """
    ours = _calendar(claim)
    if len(ours) != 1:
        return None
    theirs = _calendar(unit)
    for spans in sides:
        here = [[d for d in theirs if a <= d.first < b] for a, b in spans]
        if len(theirs) != len(spans) or not all(len(some) == 1 for some in here):
            continue
        between = range(spans[0][0] if spans is sides[0] else spans[1][0], spans[-1][0] if spans is sides[0] else spans[-1][1])
        if any(unit.content[i] and not unit.detail[i] and unit.keys[i] not in claim.all_keys for i in between):
            return None
        relations = [relate_dates(_mention(ours[0]), _mention(some[0])) for some in here]
        if relations.count(Relation.SAME) == 1 and relations.count(Relation.OTHER) == len(relations) - 1:
            return relations.index(Relation.SAME)
    return None


def _calendar(text: Analysis) -> list[Detail]:
    return [d for d in text.dates if isinstance(d.record, DateMention) and d.record.kind in {DateKind.DAY, DateKind.PERIOD}]


def _mention(detail: Detail) -> DateMention:
    assert isinstance(detail.record, DateMention)
    return detail.record


def _keys_behind(unit: Analysis, first: int, end: int) -> frozenset[str]:
    """Words of content behind the first preposition of a stretch, up to what the next member begins with; nothing where something else stands in front."""
    at = next((i for i in range(first, min(end, first + 6)) if unit.lowers[i] in _HOLDS), None)
    if at is None:
        return frozenset()
    stop = next((i for i in range(at + 1, end) if unit.lowers[i] in _JOINS), end)
    return frozenset(unit.keys[i] for i in range(at + 1, stop) if unit.content[i])
