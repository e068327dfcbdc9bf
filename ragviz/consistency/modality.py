"""What is allowed, forbidden, required or left open: "may", "is not permitted to", "is exempt from", "nobody is allowed to"."""

from __future__ import annotations

from ragviz.consistency.align import Pairing, subject_chunk
from ragviz.consistency.analysis import Analysis
from ragviz.consistency.gathered import Gathered
from ragviz.consistency.permissions import Force, Mark, marks
from ragviz.consistency.subsets import is_other
from ragviz.records import ClashKind
from ragviz.text.word_sets import word_set

_CLASH = frozenset({
    (Force.PERMITTED, Force.FORBIDDEN), (Force.FORBIDDEN, Force.PERMITTED), (Force.REQUIRED, Force.OPTIONAL), (Force.OPTIONAL, Force.REQUIRED),
    (Force.REQUIRED, Force.FORBIDDEN), (Force.FORBIDDEN, Force.REQUIRED),
})
"""(premise, claim) that cannot both hold."""
_TOO_MUCH = frozenset(
    {(Force.PERMITTED, Force.REQUIRED), (Force.OPTIONAL, Force.FORBIDDEN), (Force.OPTIONAL, Force.PERMITTED), (Force.PERMITTED, Force.OPTIONAL)}
)
"""(premise, claim) where the claim says what the premise leaves open."""
_TAKING_UP = frozenset({"it", "them"})
_POINTING = frozenset({"this", "these", "the"})
_CONDITIONS = word_set("unless without except if only when until before after provided during while where outside save")
_SAME_FOR_BOTH = word_set("if when while before after during where outside")
ALIGNED = 0.6
"""Least share of the claim's clause, words of permission aside, that the premise's clause must cover."""


def check_modality(pair: Pairing, out: Gathered) -> bool:
    """
    Add what is allowed in one text and forbidden in the other. True when both speak of leave or duty for the same action: a difference in
    negation is explained then.
    """
    ours, theirs = marks(pair.claim), marks(pair.premise)
    compared = False
    for a in ours:
        for b in theirs:
            if not _same_action(pair, a, b):
                continue
            compared = True
            if (b.force, a.force) in _CLASH:
                if _has_condition(pair, b):
                    out.word_drop(ClashKind.QUALIFIER, (a.first, a.last), (b.first, b.last))
                elif not _also_said(pair, a, theirs):
                    out.word_clash(ClashKind.NEGATION, (a.first, a.last), (b.first, b.last))
                    return True
            elif (b.force, a.force) in _TOO_MUCH and not _also_said(pair, a, theirs):
                out.word_drop(ClashKind.QUALIFIER, (a.first, a.last), (b.first, b.last))
    return compared


def _also_said(pair: Pairing, a: Mark, theirs: list[Mark]) -> bool:
    """True when the premise has the claim's own force for the same action too, of other people or at another time."""
    return any(b.force is a.force and _same_action(pair, a, b) for b in theirs)


def _same_action(pair: Pairing, a: Mark, b: Mark) -> bool:
    claim, premise = pair.claim, pair.premise
    ours, theirs = claim.clause[a.first], premise.clause[b.first]
    if not a.action or not b.action:
        return False
    same = a.action == b.action or (a.is_noun and a.action in premise.context[theirs]) or (b.is_noun and b.action in claim.context[ours])
    if not same:
        return False
    keys = claim.clause_keys[ours] - _modal_keys(claim, ours)
    context = premise.context[theirs]
    missing = keys - context
    if pair.premise.open_subject[theirs]:
        missing -= pair.name_keys
    if not keys or len(missing) > (1 - ALIGNED) * len(keys):
        return False
    # What each of them says beyond the other tells two rules apart: smoking on balconies, smoking in the lobby.
    extra = (
        {
            premise.keys[j]
            for j in range(b.first, len(premise.lowers))
            if premise.clause[j] == theirs and premise.content[j] and premise.lowers[j] not in _CONDITIONS
        }
        - _modal_keys(premise, theirs)
        - _taken_up(claim, a, premise, b)
    )
    own = keys - premise.clause_keys[theirs]
    if premise.open_subject[theirs]:
        own -= {claim.keys[j] for j in subject_chunk(claim, ours)}
    return not (own and extra - claim.all_keys) and not is_other(pair, ours, theirs, (a.end, b.end))


def _taken_up(claim: Analysis, a: Mark, premise: Analysis, b: Mark) -> frozenset[str]:
    """What "it" of the claim stands for: the product of "must not work with this product"."""
    if not any(claim.lowers[j] in _TAKING_UP for j in range(a.last + 1, min(len(claim.lowers), a.end + 4))):
        return frozenset()
    at = next((j for j in range(b.last + 1, len(premise.lowers)) if premise.lowers[j] in _POINTING and premise.clause[j] == premise.clause[b.first]), None)
    return (
        frozenset()
        if at is None
        else frozenset(
            premise.keys[j] for j in range(at + 1, min(len(premise.lowers), at + 3)) if premise.content[j] and premise.clause[j] == premise.clause[at]
        )
    )


def _modal_keys(text: Analysis, clause: int) -> frozenset[str]:
    return frozenset(text.keys[m.first] for m in marks(text) if text.clause[m.first] == clause)


def _has_condition(pair: Pairing, b: Mark) -> bool:
    """"may not … without consent", "not … unless": the other way round it may hold."""
    premise, clause = pair.premise, pair.premise.clause[b.first]
    sentence = premise.sentence[clause]
    for j in range(b.last + 1, len(premise.lowers)):
        if premise.sentence[premise.clause[j]] != sentence:
            break
        if premise.lowers[j] in _CONDITIONS:
            behind = {premise.keys[k] for k in range(j + 1, len(premise.lowers)) if premise.content[k] and premise.sentence[premise.clause[k]] == sentence}
            # "while it is plugged in", and the claim says so too.
            return premise.lowers[j] not in _SAME_FOR_BOTH or not behind or not behind <= pair.claim.all_keys
    return False
