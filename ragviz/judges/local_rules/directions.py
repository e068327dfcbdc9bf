"""What is put into what, and what is opened or closed: "never add water to the acid", "close the window"."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ragviz.consistency.analysis import Analysis
from ragviz.consistency.lexicon import opposites
from ragviz.judges.local_rules.rule import Beside, Told
from ragviz.records import ClashKind
from ragviz.text.word_sets import word_set

MOVES = word_set(
    "add adding added pour pouring poured put putting tip tipping tipped drop dropping dropped empty emptying emptied mix mixing mixed stir "
    "stirring stirred give giving place placing placed insert inserting inserted"
)
_INTO = word_set("to into in onto")
_FORBIDS = word_set("never not don't mustn't can't cannot")
_MODALS = word_set("must may can should shall do")
_ASIDE = word_set("always slowly carefully gently first then gradually quickly immediately please also now directly simply")
_SUBJECTS = word_set("you we they one everyone")
_UN = ("un", "dis", "de")
_BEFORE_ORDER = word_set("please then and now first")
_OBJECT = 4
"""Words among which the object of an order stands."""
_SIDE = 8
"""Words that a thing put somewhere, or what it is put in, may have."""


class Move(NamedTuple):
    """Something put into something."""

    what: frozenset[str]
    into: frozenset[str]
    denied: bool
    at: int


def by_direction(beside: Beside) -> Told | None:
    """"Pour water into the solution" of "never add water to the solution; always add the solution to water"."""
    claim, unit, _ = beside
    ours = next(_moves(claim), None)
    if ours is None:
        return None
    theirs = [move for move in _moves(unit) if move.what and move.into]
    same = next((move for move in theirs if _goes(ours, move)), None)
    if same is None or same.denied is ours.denied or any(move.denied is ours.denied and _goes(ours, move) for move in theirs):
        return None
    return Told(False, (ours.at, ours.at), (same.at, same.at))


def _goes(ours: Move, theirs: Move) -> bool:
    """True for the same thing into the same: each names no other than the other does."""
    return bool(ours.what and ours.into) and ours.what <= theirs.what and ours.into <= theirs.into and not ours.what & theirs.into


def _moves(text: Analysis) -> Iterator[Move]:
    """What a text says to put into what."""
    for i, word in enumerate(text.lowers):
        if word not in MOVES or not (i == 0 or text.clause[i - 1] != text.clause[i] or _ordered(text, i)):
            continue
        end = next(
            (j for j in range(i + 1, min(len(text.lowers), i + _SIDE)) if text.clause[j] != text.clause[i] or text.commas[j - 1]),
            min(len(text.lowers), i + 2 * _SIDE),
        )
        into = next((j for j in range(i + 1, end) if text.lowers[j] in _INTO and text.clause[j] == text.clause[i]), None)
        if into is None:
            continue
        behind = next(
            (
                j
                for j in range(into + 1, len(text.lowers))
                if text.clause[j] != text.clause[i] or text.commas[j - 1] or text.lowers[j] in {"while", "and", "with"}
            ),
            len(text.lowers),
        )
        denied = any(text.lowers[j] in _FORBIDS for j in range(max(0, i - 3), i) if text.clause[j] == text.clause[i])
        yield Move(_named(text, i + 1, into), _named(text, into + 1, behind), denied, i)


def _ordered(text: Analysis, i: int) -> bool:
    """True for a verb in an order, or behind "must", "you can", "never"."""
    before = text.lowers[i - 1]
    return before in _FORBIDS or before in _MODALS or before in _ASIDE or before in _SUBJECTS


def _named(text: Analysis, first: int, last: int) -> frozenset[str]:
    return frozenset(text.keys[j] for j in range(first, last) if text.content[j] and text.lowers[j] not in _ASIDE)


def orders(claim: Analysis) -> bool:
    """True where a claim tells to do something that has an opposite."""
    return any(claim.roots[i] in opposites() or claim.lowers[i].startswith(_UN) for i, _ in _orders(claim))


def by_opposite_order(beside: Beside) -> Told | None:
    """"If the alarm sounds, open the window" of "if the alarm sounds, close the window and call the porter"."""
    claim, unit, _ = beside
    if claim.cues or (unit.cues and not any(unit.roots[cue.at] == "stop" for cue in unit.cues)):
        return None
    theirs = list(_orders(unit))
    for i, thing in _orders(claim):
        around = {claim.keys[k] for k in range(len(claim.keys)) if (claim.content[k] or claim.detail[k]) and claim.clause[k] != claim.clause[i]}
        if not around <= unit.all_keys:
            continue
        if any(other == thing and unit.roots[j] == claim.roots[i] for j, other in theirs):
            continue
        for j, other in theirs:
            if other == thing and _are_opposites(claim.lowers[i], unit.lowers[j], claim.roots[i], unit.roots[j]):
                return Told(False, (i, i), (j, j), ClashKind.ANTONYM)
    return None


def _orders(text: Analysis) -> Iterator[tuple[int, str]]:
    """Token of each verb that begins a stretch, and the key of the thing behind it: "close the window"."""
    for i in range(len(text.lowers) - 1):
        if not text.content[i] or not (i == 0 or text.commas[i - 1] or text.clause[i - 1] != text.clause[i] or text.lowers[i - 1] in _BEFORE_ORDER):
            continue
        if text.lowers[i + 1] not in {"the", "a", "an", "all", "your", "every", "both"}:
            continue
        thing = next((text.keys[j] for j in range(i + 2, min(len(text.lowers), i + 1 + _OBJECT)) if text.content[j]), "")
        if thing:
            yield i, thing


def _are_opposites(ours: str, theirs: str, root: str, other: str) -> bool:
    if any(prefix + theirs == ours or prefix + ours == theirs for prefix in _UN):
        return True
    table = opposites()
    return any(number == n and side != s for number, side in table.get(root, ()) for n, s in table.get(other, ()))
