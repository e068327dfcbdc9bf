"""Statements that look alike and speak of different cases: other goods, another destination, other days. They clash with nothing."""

from __future__ import annotations

from ragviz.consistency.align import Pairing
from ragviz.consistency.analysis import Analysis
from ragviz.consistency.gathered import Gathered
from ragviz.consistency.lexicon import exclusive
from ragviz.records import Clash, ClashKind
from ragviz.text.date_mention import DateKind, DateMention

REACH = 6
"""Tokens from the beginning of a clause in which its subject ends."""
_SKIPPED = frozenset("a an the all any every each our your their its his her my no some most many few these those this that only also and or but if".split())
_ENDS = frozenset(
    "is are was were be been can cannot could may might must shall should will would do does did has have had not never who which that it they he she we you i".split()
)
_PLACES = frozenset("to from for in at within".split())
_LIMITS = frozenset("from with without in over under above below for bought ordered sold made placed paid".split())
_DAYS = {"weekends": frozenset({5, 6}), "weekend": frozenset({5, 6}), "weekdays": frozenset(range(5)), "weekday": frozenset(range(5))}
_HOLIDAY = frozenset({7})
_FEASTS = frozenset({"christmas", "easter", "eve", "holiday", "holidays"})

Found = tuple[tuple[int, int], tuple[int, int]]
"""Tokens of the claim and of the premise that name the two cases."""


def set_apart(pair: Pairing, out: Gathered) -> None:
    """
    Clashes between statements on different cases become suspicions; what tells the cases apart is kept in ``out.apart``.

    "Monthly plans can be cancelled" says nothing of annual plans; "parcels to Canada take 6 days" nothing of Australia; "closed on public
    holidays" nothing of Mondays. Only clashes of one sentence with one clause are looked at: a longer premise may say both.
    """
    if pair.claim.n_clauses != 1 or pair.premise.n_clauses != 1:
        return
    places = _other_kind(pair) or _other_place(pair)
    if places is None and any(clash.kind is not ClashKind.DATE for clash in out.clashes) | (len(out.clashes) > 1):
        places = _other_days(pair)
    if places is None:
        return
    differs = len(pair.claim.cues) % 2 != len(pair.premise.cues) % 2
    if not out.clashes and not differs:
        return
    ours, theirs = places
    out.apart.append(_named(out, pair, ours, theirs))
    out.weak += out.clashes
    out.clashes.clear()


def _named(out: Gathered, pair: Pairing, ours: tuple[int, int], theirs: tuple[int, int]) -> Clash:
    claim, premise = pair.claim, pair.premise
    return Clash(
        kind=ClashKind.QUALIFIER, hypothesis_span=out.claim_span(*ours), premise_span=out.premise_span(*theirs),
        hypothesis_value=claim.text[claim.starts[ours[0]] : claim.ends[ours[1]]], premise_value=premise.text[premise.starts[theirs[0]] : premise.ends[theirs[1]]],
    )


def _subject(text: Analysis) -> list[int]:
    """Tokens of the first noun phrase, articles aside."""
    out: list[int] = []
    for i in range(min(REACH, len(text.lowers))):
        if text.lowers[i] in _ENDS or text.lowers[i] in _PLACES or text.commas[i] or (text.detail[i] and not text.is_label(i)):
            break
        if text.lowers[i] not in _SKIPPED:
            out.append(i)
    return out


def _other_kind(pair: Pairing) -> Found | None:
    """Both subjects end in one noun, and each has a word before it, or a limit behind it, that the other text lacks."""
    claim, premise = pair.claim, pair.premise
    ours, theirs = _subject(claim), _subject(premise)
    for n, i in enumerate(ours):
        if not n or not claim.content[i] or claim.is_name[i] or (i + 1 < len(claim.lowers) and claim.is_name[i + 1]):
            continue
        j = next((k for k in theirs if premise.keys[k] == claim.keys[i]), None)
        mine = [k for k in ours[:n] if claim.keys[k] not in premise.index]
        if j is None or not mine:
            continue
        their_own = [k for k in theirs if k < j and premise.keys[k] not in claim.index]
        if their_own and len(their_own) == sum(k < j for k in theirs) and not (j + 1 < len(premise.lowers) and premise.is_name[j + 1]):
            return (mine[0], mine[-1]), (their_own[0], their_own[-1])
        if j == (theirs[0] if theirs else -1) and j + 2 < len(premise.lowers) and premise.lowers[j + 1] in _LIMITS:
            end = next((k for k in range(j + 1, min(len(premise.lowers), j + 8)) if premise.lowers[k] in _ENDS), None)
            if end is not None and any(premise.content[k] and premise.keys[k] not in claim.index for k in range(j + 1, end)):
                return (mine[0], mine[-1]), (j + 1, end - 1)
        return None
    return None


def _other_place(pair: Pairing) -> Found | None:
    """"Parcels to Australia …" and "Parcels to Canada …": the same noun and preposition begin both, with other names behind."""
    claim, premise = pair.claim, pair.premise
    ours, theirs = _destination(claim), _destination(premise)
    if ours is None or theirs is None or claim.lowers[ours - 1] != premise.lowers[theirs - 1] or claim.keys[ours - 2] != premise.keys[theirs - 2]:
        return None
    if claim.keys[ours] in premise.index or premise.keys[theirs] in claim.index or any(pair.matches):
        return None
    return (ours, ours), (theirs, theirs)


def _destination(text: Analysis) -> int | None:
    """The name behind a noun and a preposition with which a text begins."""
    for i in range(2, min(REACH, len(text.lowers))):
        before = text.lowers[i - 2]
        if text.lowers[i - 1] in _PLACES and text.content[i - 2] and before not in _ENDS and (text.is_name[i] or text.lowers[i] in exclusive()):
            return i if not any(word in _ENDS for word in text.lowers[: i - 1]) else None
    return None


def _other_days(pair: Pairing) -> Found | None:
    """Both say on which days, and no day is of both."""
    ours, theirs = _days(pair.claim), _days(pair.premise)
    if ours is None or theirs is None or not ours[0].isdisjoint(theirs[0]):
        return None
    return ours[1], theirs[1]


def _days(text: Analysis) -> tuple[frozenset[int], tuple[int, int]] | None:
    """The days of the week a text speaks of (7: holidays), and where."""
    days: frozenset[int] = frozenset()
    places: list[int] = []
    for detail in text.dates:
        if isinstance(detail.record, DateMention) and detail.record.kind is DateKind.WEEKDAY:
            days |= frozenset(detail.record.weekdays)
            places += [detail.first, detail.last]
    for i, word in enumerate(text.lowers):
        if word in _DAYS or word in _FEASTS:
            days |= _DAYS.get(word, _HOLIDAY)
            places.append(i)
    return (days, (min(places), max(places))) if places else None
