"""Sources that disagree: a supported claim that the reference, another passage, or a newer or more authoritative one denies."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeVar

import msgspec

from ragviz.diagnosis.authority import authority_rank, dated
from ragviz.diagnosis.corpus import Corpus, look_further
from ragviz.diagnosis.showing import evidence_of
from ragviz.grounding import ClaimGrounding, groundings
from ragviz.metrics.passages import supporting_passages, useful_passages
from ragviz.records import CauseEvidence, Grounding, JudgedTrace, Passage, Table, Verdict

T = TypeVar("T")
SETTLED = "settled"
"""The passages disagree, and the one that was used is the better one."""


class SourceFault(msgspec.Struct, frozen=True, kw_only=True):
    """One claim that rests on a source which something better denies."""

    claim_id: str
    kind: str
    """``wrong`` (the reference denies it), ``unconfirmed`` (it is silent), ``outdated``, ``less_authoritative`` or ``contested``."""
    detail: str
    used: tuple[str, ...]
    """Passages that support the claim."""
    against: tuple[str, ...]
    """Passages that deny it; () when the reference does."""
    shown: CauseEvidence | None = None
    """Where a passage that was not retrieved denies it."""

    @property
    def passage_ids(self) -> tuple[str, ...]:
        """All passages concerned."""
        return (*self.used, *self.against)


def source_faults(case: JudgedTrace, answer: Mapping[str, ClaimGrounding] | None = None) -> list[SourceFault]:
    """Faults of the sources behind the answer's supported claims, the most certain first."""
    found = answer if answer is not None else groundings(case, Table.RESPONSE_X_PASSAGES)
    right = groundings(case, Table.RESPONSE_X_REFERENCE)
    denies_reference = {j.key.premise_id for g in groundings(case, Table.REFERENCE_X_PASSAGES).values() for j in g.contradicting}
    gainsaid = _stating_what_was_gainsaid(case)
    faults = []
    for claim_id, grounding in found.items():
        if not grounding.grounding.is_supported:
            continue
        used = tuple(sorted(supporting_passages(grounding), key=lambda p: _rank(case, p)))
        beside = right.get(claim_id)
        correct = beside.grounding if beside else None
        repeats_denial = correct is Grounding.NOT_SUPPORTED and bool(denies_reference.intersection(used))
        if correct is Grounding.CONTRADICTED or repeats_denial:
            wrong = tuple(p for p in used if p not in gainsaid)
            if wrong or not used:
                faults.append(_fault(claim_id, "wrong", wrong, ()))
        elif grounding.grounding is Grounding.CONFLICTED and correct not in (Grounding.SUPPORTED, Grounding.CONFLICTED):
            against = tuple(j.key.premise_id for j in grounding.contradicting)
            kind = _standing(case, used, against)
            if kind != SETTLED:
                faults.append(_fault(claim_id, kind, used, against))
    order = {"wrong": 0, "outdated": 1, "less_authoritative": 1, "contested": 2}
    return sorted(faults, key=lambda f: order[f.kind])


def _stating_what_was_gainsaid(case: JudgedTrace) -> set[str]:
    """Passages that state an expected claim which the answer denies: they are right, whatever else a judge reads out of them."""
    needed = groundings(case, Table.REFERENCE_X_PASSAGES)
    said = groundings(case, Table.REFERENCE_X_RESPONSE)
    denied = [c for c, g in said.items() if g.grounding is Grounding.CONTRADICTED and c in needed]
    return {p for c in denied for p in supporting_passages(needed[c])}


def unconfirmed(case: JudgedTrace, answer: Mapping[str, ClaimGrounding]) -> list[SourceFault]:
    """
    Claims of a wrong mirror that the passages support and the reference does not confirm; [] when it confirms more of them than it leaves open.

    Only for answers that are wrong as a whole and faithful throughout: a reference is silent on many a true detail, and where a claim of the answer
    rests on nothing that claim is what went wrong. Claims taken from a passage that also states what was expected are left alone.
    """
    if any(not g.grounding.is_supported for g in answer.values()):
        return []
    right = groundings(case, Table.RESPONSE_X_REFERENCE)
    supported = [c for c, g in answer.items() if g.grounding.is_supported and c in right]
    # A passage that states something expected is no wrong source: the answer then took the wrong thing from a right one.
    useful = {p for p, is_useful in useful_passages(case).items() if is_useful}
    left_open = [c for c in supported if right[c].grounding is Grounding.NOT_SUPPORTED and not useful & supporting_passages(answer[c])]
    if 2 * len(left_open) < len(supported):
        return []
    used = {c: tuple(sorted(supporting_passages(answer[c]), key=lambda p: _rank(case, p))) for c in left_open}
    return [_fault(c, "unconfirmed", used[c], ()) for c in left_open]


def better_sources(case: JudgedTrace, corpus: Corpus, answer: Mapping[str, ClaimGrounding] | None = None) -> list[SourceFault]:
    """
    Supported claims that a newer or more authoritative passage elsewhere in the corpus denies: wrong mirrors that need no reference to be seen.

    Claims the reference confirms are left alone, and so are claims whose sources say nothing of date or authority.
    """
    found = answer if answer is not None else groundings(case, Table.RESPONSE_X_PASSAGES)
    right = groundings(case, Table.RESPONSE_X_REFERENCE)
    doubtful = [
        c for c in case.claims
        if c.id in found and found[c.id].grounding.is_supported and not (c.id in right and right[c.id].grounding.is_supported)
    ]
    faults = []
    for hit in look_further(doubtful, case.trace, corpus, k=case.k):
        if hit.verdict is not Verdict.CONTRADICTED:
            continue
        used = tuple(sorted(supporting_passages(found[hit.claim_id]), key=lambda p: _rank(case, p)))
        kind = _compared([p for p in map(case.trace.passage, used) if p is not None], [hit.passage])
        if kind not in ("contested", SETTLED):
            fault = _fault(hit.claim_id, kind, used, (hit.passage.matching_id,))
            faults.append(msgspec.structs.replace(fault, shown=evidence_of(hit)))
    return faults


def _standing(case: JudgedTrace, used: tuple[str, ...], against: tuple[str, ...]) -> str:
    """Whether the denying passages are newer or more authoritative than all that were used."""
    mine = [p for p in map(case.trace.passage, used) if p is not None]
    return _compared(mine, [p for p in map(case.trace.passage, against) if p is not None])


def _compared(mine: Sequence[Passage], other: Sequence[Passage]) -> str:
    """
    How the passages that were used stand against those that deny them: ``less_authoritative``, ``outdated``, ``contested``, or ``settled`` in their favour.

    Settled: they are more authoritative and not older, or of equal authority and newer. An archived page does not make the current one doubtful.
    """
    my_ranks, other_ranks = _known(map(authority_rank, mine)), _known(map(authority_rank, other))
    my_dates, other_dates = _known(map(dated, mine)), _known(map(dated, other))
    newer = bool(my_dates and other_dates) and max(my_dates) > max(other_dates)
    older = bool(my_dates and other_dates) and max(my_dates) < max(other_dates)
    if my_ranks and other_ranks and max(other_ranks) != max(my_ranks):
        # A forum post of yesterday is not above the official text: date decides only among equals.
        if max(other_ranks) > max(my_ranks):
            return "less_authoritative"
        return "contested" if older else SETTLED
    if older:
        return "outdated"
    return SETTLED if newer else "contested"


def _known(values: Iterable[T | None]) -> list[T]:
    return [v for v in values if v is not None]


def _fault(claim_id: str, kind: str, used: tuple[str, ...], against: tuple[str, ...]) -> SourceFault:
    name = ", ".join(used) or "what was retrieved"
    details = {
        "wrong": f"the answer repeats {name}, and the expected answer is another",
        "unconfirmed": f"the answer repeats {name}, and the expected answer confirms nothing of it",
        "outdated": f"the answer rests on {name}, but a newer passage says otherwise: {', '.join(against)}",
        "less_authoritative": f"the answer rests on {name}, but a more authoritative passage says otherwise: {', '.join(against)}",
        "contested": f"the sources disagree: {name} against {', '.join(against)}",
    }
    return SourceFault(claim_id=claim_id, kind=kind, detail=details[kind], used=used, against=against)


def _rank(case: JudgedTrace, passage_id: str) -> int:
    passage = case.trace.passage(passage_id)
    return passage.rank if passage else 0
