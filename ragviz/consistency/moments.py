"""Dates, clock times and weekdays of a claim against those of the premise, like with like."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ragviz.consistency.align import Pairing, governed_better, governor_keys, head_keys
from ragviz.consistency.analysis import Analysis, Detail
from ragviz.consistency.gathered import Gathered
from ragviz.consistency.lexicon import key
from ragviz.consistency.magnitudes import Relation
from ragviz.consistency.sides import is_taken_out_of_all, relate_sides, side_of
from ragviz.records import ClashKind
from ragviz.text.date_mention import DateKind, DateMention, Reading

CLASH_FROM = 0.6
"""Least alignment for a clash. Chosen on the development half of the labelled sets."""
SUSPECT_FROM = 0.3
"""Least alignment for a suspicion."""
NEAR_MISS = 0.3
"""Bonus where two dates differ in one field only: the same event, very likely."""
_QUARTERS = {"Q1": (1, 3), "Q2": (4, 6), "Q3": (7, 9), "Q4": (10, 12), "H1": (1, 6), "H2": (7, 12)}
_YEAR_WORDS = (
    "in since of by until till from to early late mid circa during before after around about year between and on im seit bis en depuis de à through for"
)
_YEAR_PREPOSITIONS = frozenset(_YEAR_WORDS.split())
_HALF_DAY = 720
BORN, DIED = key("born"), key("died")


def _mention(detail: Detail) -> DateMention:
    assert isinstance(detail.record, DateMention)
    return detail.record


def relate_dates(claim: DateMention, premise: DateMention) -> Relation | None:
    """
    Compare two mentions that might be of one event.

    Returns:
        SAME where the claim's follows, VAGUE where the premise is less exact, OTHER where both cannot hold, None where they speak of
        different things (a year and a weekday).
    """
    if DateKind.TIME in {claim.kind, premise.kind}:
        return _relate_times(claim, premise) if claim.kind is premise.kind else None
    if DateKind.WEEKDAY in {claim.kind, premise.kind}:
        return _relate_weekdays(claim, premise) if claim.kind is premise.kind else None
    if claim.kind is DateKind.DAY and premise.kind is DateKind.DAY:
        relations = [_relate_readings(a, b) for a in claim.readings for b in premise.readings]
        for relation in (Relation.SAME, Relation.VAGUE):
            if relation in relations:
                return relation
        return None if None in relations else Relation.OTHER
    return _relate_periods(claim, premise)


def _relate_readings(a: Reading, b: Reading) -> Relation | None:
    shared = vague = False
    for ours, theirs in ((a.year, b.year), (a.month, b.month), (a.day, b.day)):
        if ours and theirs:
            if ours != theirs:
                return Relation.OTHER
            shared = True
        elif ours:
            vague = True
    if not shared:
        return None
    return Relation.VAGUE if vague else Relation.SAME


def _relate_periods(claim: DateMention, premise: DateMention) -> Relation | None:
    ours, theirs = _years(claim), _years(premise)
    if not ours[0] or not theirs[0]:
        return (
            Relation.OTHER
            if claim.part and premise.part and claim.part != premise.part
            else Relation.SAME
            if claim.part and claim.part == premise.part
            else None
        )
    if ours[1] < theirs[0] or theirs[1] < ours[0]:
        slack = 3 if claim.approximate or premise.approximate else 0
        return Relation.VAGUE if min(abs(ours[1] - theirs[0]), abs(theirs[1] - ours[0])) <= slack else Relation.OTHER
    if claim.part and premise.part:
        return Relation.SAME if claim.part == premise.part else Relation.OTHER
    if claim.part in _QUARTERS and premise.kind is DateKind.DAY and premise.readings[0].month:
        low, high = _QUARTERS[claim.part]
        return Relation.SAME if low <= premise.readings[0].month <= high else Relation.OTHER
    if claim.kind is DateKind.DAY and ours[0] in theirs:
        return Relation.SAME
    if claim.kind is DateKind.PERIOD and premise.kind is DateKind.PERIOD and ours != theirs and _is_span(claim) and _is_span(premise):
        return Relation.OTHER
    return Relation.SAME if ours[0] <= theirs[0] and theirs[1] <= ours[1] else Relation.VAGUE


def _is_span(mention: DateMention) -> bool:
    """True for "1991–1995", False for decades and centuries."""
    return mention.years[1] - mention.years[0] not in {0, 9, 99}


def _years(mention: DateMention) -> tuple[int, int]:
    if mention.kind is DateKind.PERIOD:
        return mention.years
    year = mention.readings[0].year
    return year, year


def _relate_times(claim: DateMention, premise: DateMention) -> Relation:
    def same(a: int, b: int) -> bool:
        return a == b or (abs(a - b) == _HALF_DAY and not (claim.half_day and premise.half_day))

    ours, theirs = claim.minutes, premise.minutes
    if ours[1] < 0:
        return Relation.SAME if any(same(ours[0], t) for t in theirs if t >= 0) else Relation.OTHER
    if theirs[1] < 0:
        return Relation.VAGUE if any(same(theirs[0], t) for t in ours) else Relation.OTHER
    return Relation.SAME if same(ours[0], theirs[0]) and same(ours[1], theirs[1]) else Relation.OTHER


def _relate_weekdays(claim: DateMention, premise: DateMention) -> Relation:
    if claim.weekdays <= premise.weekdays:
        return Relation.SAME
    return Relation.OTHER


def near_miss(claim: DateMention, premise: DateMention) -> bool:
    """True when two calendar dates share two of three fields."""
    if claim.kind is not DateKind.DAY or premise.kind is not DateKind.DAY:
        return False
    for a in claim.readings:
        for b in premise.readings:
            equal = (a.year == b.year != 0) + (a.month == b.month != 0) + (a.day == b.day != 0)
            known = sum(bool(x and y) for x, y in ((a.year, b.year), (a.month, b.month), (a.day, b.day)))
            if equal >= 1 and known == equal + 1 and equal + known >= 3:
                return True
    return False


class Found(NamedTuple):
    """The premise's dates closest to the claim's."""

    best: tuple[float, Detail] | None
    """The best aligned that differs."""
    same: tuple[float, Detail, Relation] | None
    """The best aligned that agrees."""
    n_like: int
    """How many dates of the premise can be compared at all."""


def check_moments(pair: Pairing, out: Gathered) -> None:
    """Add what the claim's dates and times say to ``out``."""
    for detail in pair.claim.dates:
        _check_one(pair, detail, out)


def _check_one(pair: Pairing, detail: Detail, out: Gathered) -> None:
    ours = _mention(detail)
    if _is_label(pair.claim, detail, ours):
        equal = _equal(pair, ours)
        if equal is None:
            out.miss(ClashKind.DATE, detail, ours.label)
        else:
            out.agree(ClashKind.DATE, detail, equal, ours.label)
        return
    row = pair.row(pair.keys_of(detail.clause))
    governors = governor_keys(pair.claim, detail)
    heads = head_keys(pair.claim, detail, reach=2)
    side = side_of(pair.claim, detail)
    best: tuple[float, Detail] | None = None
    same: tuple[float, Detail, Relation] | None = None
    taken: list[Detail] = []
    n_like = 0
    for other in pair.premise.dates:
        theirs = _mention(other)
        relation = relate_sides(ours, side, theirs, side_of(pair.premise, other)) if side is not None else None
        relation = relation or relate_dates(ours, theirs)
        if relation is Relation.OTHER and is_taken_out_of_all(pair.premise, other) and not is_taken_out_of_all(pair.claim, detail):
            relation = Relation.SAME  # Tuesday, and "every day except Friday"
        if relation is None:
            continue
        if relation is Relation.OTHER and _is_open(pair.premise, other) and not _is_open(pair.claim, detail):
            continue  # "at noon" beside "before 2 p.m."
        heads_shared = not set(heads).isdisjoint(head_keys(pair.premise, other, reach=2))
        if relation is Relation.OTHER and not heads_shared and (_names_something(pair.premise, other) or _names_something(pair.claim, detail)):
            continue
        if relation is Relation.OTHER and len(pair.claim.dates) > 1 and any(_is_equal(_mention(d), theirs) for d in pair.claim.dates if d is not detail):
            taken.append(other)
        n_like += 1
        their_governors = governor_keys(pair.premise, other)
        governed = bool(governors and their_governors and governors[0] == their_governors[0]) or _of_a_life(pair.premise, other, governors)
        loosely = not set(governors).isdisjoint(their_governors)
        score = 0.7 * row[other.clause] + (0.3 if governed else 0.2 if loosely or heads_shared else 0.0)
        if relation is not Relation.OTHER:
            if same is None or score > same[0] or (same[2] is Relation.VAGUE and relation is Relation.SAME):
                same = (score, other, relation)
            continue
        if near_miss(ours, theirs):
            score += NEAR_MISS
        if best is None or score > best[0]:
            best = (score, other)
    if best is not None and same is None and best[1] in taken:
        best = None
    if same is not None and best is not None and _was_moved(pair, same[1], best[1]):
        best, same = (max(best[0], CLASH_FROM + 0.15), best[1]), None
    _decide(pair, detail, Found(best, same, n_like), out, taken)


_MOVED = frozenset(
    {"moved", "postponed", "rescheduled", "changed", "shifted", "brought", "delayed", "verschoben", "verlegt", "reporté", "reportée", "aplazado", "aplazada"}
)
_MOVING = frozenset({"from", "original", "originally", "moved", "postponed", "was", "were", "before", "earlier"})


def _was_moved(pair: Pairing, old: Detail, new: Detail) -> bool:
    """True where the claim's date is the one given up: Tuesday in "moved from Tuesday to Thursday"."""
    premise = pair.premise
    if old.clause != new.clause or not old.first or not new.first or not _MOVING.isdisjoint(pair.claim.lowers):
        return False
    return (
        premise.lowers[old.first - 1] in {"from", "vom", "von", "du", "del"}
        and premise.lowers[new.first - 1] in {"to", "auf", "au", "al"}
        and not _MOVED.isdisjoint(premise.lowers)
    )


def _is_label(text: Analysis, detail: Detail, mention: DateMention) -> bool:
    """True for "The 2021 conference was …": the year says which one."""
    year_only = mention.kind is DateKind.DAY and not mention.readings[0].month
    start = text.first_of(detail.clause)
    return year_only and not any(text.content[i] for i in range(start, detail.first)) and bool(head_keys(text, detail, reach=1))


def _names_something(text: Analysis, detail: Detail) -> bool:
    """True for a bare year without a preposition: "the Beijing 2008 games", "the 2015 budget"."""
    mention = _mention(detail)
    if mention.kind is not DateKind.DAY or mention.readings[0].month:
        return False
    before = text.lowers[detail.first - 1] if detail.first else ""
    gap = text.text[max(0, detail.record.span.start - 2) : detail.record.span.start]
    return before not in _YEAR_PREPOSITIONS and not gap.rstrip().endswith(("(", "–", "-", ",", ":"))


def _is_equal(a: DateMention, b: DateMention) -> bool:
    """The same date, equally exact."""
    return relate_dates(a, b) is Relation.SAME and relate_dates(b, a) is Relation.SAME


def _equal(pair: Pairing, ours: DateMention) -> Detail | None:
    return next((d for d in pair.premise.dates if relate_dates(ours, _mention(d)) is Relation.SAME), None)


def _of_a_life(text: Analysis, detail: Detail, governors: list[str]) -> bool:
    """True for the birth, or death, in "Mara Olsen (4 May 1901 – 2 June 1980)"."""
    before = text.text[max(0, detail.record.span.start - 8) : detail.record.span.start].rstrip()
    if BORN in governors:
        return before.endswith(("(", ";")) or "born" in before
    return DIED in governors and before.endswith(("–", "-", "—", "†")) and "(" in text.text[max(0, detail.record.span.start - 60) : detail.record.span.start]


def _decide(pair: Pairing, detail: Detail, found: Found, out: Gathered, taken: Sequence[Detail]) -> None:
    best, same, n_like = found
    ours = _mention(detail)
    kind = ClashKind.DATE
    if same is not None and not (best is not None and same[2] is Relation.SAME and _belongs_elsewhere(pair, detail, best, same, taken)):
        if same[2] is Relation.VAGUE:
            out.miss(kind, detail, ours.label)
        else:
            said = _is_equal(ours, _mention(same[1])) or detail.record.span.of(pair.claim.text).lower() in pair.premise.text.lower()
            out.agree(kind, detail, same[1], ours.label, said=said)
        return
    near = best is not None and near_miss(ours, _mention(best[1]))
    clear = CLASH_FROM if n_like == 1 or near else CLASH_FROM + 0.15
    if best is None or best[0] < clear or pair.other_subject(detail.clause, best[1].clause):
        out.miss(kind, detail, ours.label)
        if best is not None and SUSPECT_FROM <= best[0] < clear and not pair.other_subject(detail.clause, best[1].clause):
            out.suspect(kind, detail, best[1], ours.label, _mention(best[1]).label)
        return
    if pair.claim.parity[detail.first] != pair.premise.parity[best[1].first]:
        out.miss(kind, detail, ours.label)
        return
    out.clash(kind, detail, best[1], ours.label, _mention(best[1]).label)


def _belongs_elsewhere(pair: Pairing, detail: Detail, best: tuple[float, Detail], same: tuple[float, Detail, Relation], taken: Sequence[Detail]) -> bool:
    """True when the equal date belongs to another verb: "opens at 9, closes at 17" and the claim says it closes at 9."""
    # A date that the claim gives for something else is no rival: "since 1993, and in Switzerland since 2000".
    if (
        best[1] not in taken
        and best[1].clause != same[1].clause
        and pair.other_subject(detail.clause, same[1].clause)
        and not pair.other_subject(detail.clause, best[1].clause)
    ):
        return best[0] > same[0]
    if _is_elided(pair.claim, detail) or _is_elided(pair.premise, same[1]):
        return False
    return best[0] - same[0] > -0.15 and governed_better(pair, detail, best[1], same[1])


def _is_elided(text: Analysis, detail: Detail) -> bool:
    """True for "that of 1997": what it belongs to stands elsewhere."""
    return detail.first > 1 and text.lowers[detail.first - 2] in {"that", "those"} and text.lowers[detail.first - 1] in {"of", "in"}


def _is_open(text: Analysis, detail: Detail) -> bool:
    """True for "before 2 p.m.": it says on which side, not when."""
    return detail.first > 0 and text.lowers[detail.first - 1] in {"before", "after", "vor", "nach", "avant", "après"}
