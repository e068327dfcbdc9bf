"""Dates, clock times and weekdays of a claim against those of the premise, like with like."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ragviz.consistency.align import Pairing, governed_better, governor_keys, head_keys
from ragviz.consistency.analysis import Analysis, Detail
from ragviz.consistency.date_relations import is_equal, near_miss, relate_dates
from ragviz.consistency.gathered import Gathered
from ragviz.consistency.lexicon import key
from ragviz.consistency.magnitudes import Relation
from ragviz.consistency.sides import is_taken_out_of_all, relate_sides, side_of
from ragviz.records import ClashKind
from ragviz.text.date_mention import DateKind, DateMention

CLASH_FROM = 0.6
"""Least alignment for a clash. Chosen on the development half of the labelled sets."""
SUSPECT_FROM = 0.3
"""Least alignment for a suspicion."""
NEAR_MISS = 0.3
"""Bonus where two dates differ in one field only: the same event, very likely."""
_YEAR_WORDS = (
    "in since of by until till from to early late mid circa during before after around about year between and on im seit bis en depuis de à through for"
)
_YEAR_PREPOSITIONS = frozenset(_YEAR_WORDS.split())
BORN, DIED = key("born"), key("died")


def _mention(detail: Detail) -> DateMention:
    assert isinstance(detail.record, DateMention)
    return detail.record


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
        if relation is Relation.OTHER and len(pair.claim.dates) > 1 and any(is_equal(_mention(d), theirs) for d in pair.claim.dates if d is not detail):
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
            said = is_equal(ours, _mention(same[1])) or detail.record.span.of(pair.claim.text).lower() in pair.premise.text.lower()
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
