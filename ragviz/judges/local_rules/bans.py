"""What must not be done, though the passage has all words of the claim: "must not be charged or used", "are not carried in the hold"."""

from __future__ import annotations

from typing import NamedTuple

from ragviz.consistency.analysis import Analysis
from ragviz.consistency.permissions import Force, marks
from ragviz.judges.local_rules.rule import Beside, Told
from ragviz.judges.local_rules.scene import Scene
from ragviz.text.word_sets import word_set

MAY = word_set("can may could")
_BEING = word_set("is are was were be been")
_JOINS = word_set("or nor and")
_AT_TIMES = word_set("unless without except if only when until before after provided while outside save but more than longer")
_NO_LEAVE = word_set(
    "charged required needed necessary obliged obligatory compulsory mandatory limited affected included covered refundable counted responsible liable known"
)
"""What may be denied of a thing that is allowed all the same: nobody has to pay for it."""
_DEEDS = 4


class Ban(NamedTuple):
    """A sentence that forbids."""

    what: frozenset[str]
    """Words of what must not be done to, or of who must not do it."""
    deeds: tuple[tuple[str, int], ...]
    """Root and token of each deed."""
    where: frozenset[str]
    """What the sentence says of when and where."""


def by_ban(beside: Beside) -> Told | None:
    """"You can use your power bank" of "power banks must not be charged or used"."""
    claim, unit, _ = beside
    deed = _allowed(claim)
    if deed is None:
        return None
    for ban in _bans(unit):
        at = next((j for root, j in ban.deeds if root == claim.roots[deed]), None)
        own = {claim.keys[k] for k in range(len(claim.keys)) if (claim.content[k] or claim.detail[k]) and k != deed}
        if at is not None and ban.what and ban.what <= own and own <= ban.what | ban.where:
            return Told(False, (deed - 1, deed), (at, at))
    return None


def leaves_ban_out(scene: Scene) -> bool:
    """
    "You may charge it on board" of "must not be charged during the flight"; "snub-nosed dogs may travel in the hold" of "snub-nosed breeds are not carried
    in the hold".

    The claim allows something, and the only sentence with its words forbids that deed of that thing, or denies something else of it there.
    """
    claim = scene.claim
    deed = _allowed(claim)
    if deed is None or not scene.units:
        return False
    own = {claim.keys[k] for k in range(len(claim.keys)) if claim.content[k] and k != deed}
    unit = max(scene.units, key=lambda u: len(own & u.all_keys))
    if any(ban.what and ban.what <= own and any(root == claim.roots[deed] for root, _ in ban.deeds) for ban in _bans(unit)):
        return True
    if len(unit.cues) != 1 or claim.keys[deed] in unit.all_keys or not _AT_TIMES.isdisjoint(unit.lowers):
        return False
    cue = unit.cues[0]
    if unit.lowers[cue.at] not in {"not", "never", "n't", "aren't", "isn't"} or unit.lowers[cue.at - 1] not in _BEING or not _NO_LEAVE.isdisjoint(unit.lowers):
        return False
    behind = {unit.keys[j] for j in range(cue.at + 1, len(unit.lowers)) if unit.content[j] and unit.clause[j] == unit.clause[cue.at]}
    before = {unit.keys[j] for j in range(cue.at) if unit.content[j] and unit.clause[j] == unit.clause[cue.at]}
    return bool(own & before) and bool(own & behind) and len(own & (before | behind)) * 2 > len(own)


def _allowed(claim: Analysis) -> int | None:
    """Token of what a plain claim says that one can or may do."""
    if claim.cues or claim.tongue:
        return None
    at = next((i for i, word in enumerate(claim.lowers) if word in MAY), None)
    if at is None or not _AT_TIMES.isdisjoint(claim.lowers):
        return None
    return next(
        (
            i
            for i in range(at + 1, min(len(claim.lowers), at + 4))
            if claim.lowers[i] not in _BEING and claim.lowers[i] not in {"also", "still", "now", "only", "always"}
        ),
        None,
    )


def _bans(unit: Analysis) -> list[Ban]:
    out: list[Ban] = []
    if not _AT_TIMES.isdisjoint(unit.lowers):
        return out
    for mark in marks(unit):
        if mark.force is not Force.FORBIDDEN or mark.is_noun or any(ban.deeds[0][1] >= mark.first > 0 for ban in out):
            continue
        clause = unit.clause[mark.first]
        i = mark.last + 1
        deeds: list[tuple[str, int]] = []
        while i < len(unit.lowers) and unit.clause[i] == clause and len(deeds) < _DEEDS:
            if unit.lowers[i] in _BEING or unit.lowers[i] in {"also", "to"}:
                i += 1
                continue
            deeds.append((unit.roots[i], i))
            i += 2 if i + 1 < len(unit.lowers) and unit.lowers[i + 1] in _JOINS else 1 if unit.commas[i] else len(unit.lowers)
        if deeds:
            last = deeds[-1][1]
            what = frozenset(unit.keys[j] for j in range(mark.first) if unit.content[j] and unit.clause[j] == clause)
            where = frozenset(unit.keys[j] for j in range(last + 1, len(unit.lowers)) if unit.content[j] and unit.clause[j] == clause)
            out.append(Ban(what, tuple(deeds), where))
    return out
