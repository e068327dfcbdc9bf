"""
From verdicts on pairs to the grounding of a claim: the only place where that step is taken.

Rules, in this order:

1. A person's latest word on the claim that was not withdrawn is in force.
2. Entailed by some passage and contradicted by none: supported. Both: conflicted. Contradicted by some, entailed by none: contradicted.
3. No single passage settles it, but the joined passages do: their verdict counts.
4. The joined passages were read whole and are neutral, or every passage is neutral: not supported.
5. Otherwise a pair is missing or could not be judged, and nothing else is decisive: unjudged.

A claim with nothing retrieved at all is not supported: there is no evidence that could be missing.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

import msgspec

from ragviz.grounding.memory import remembered
from ragviz.grounding.tables import joined_id
from ragviz.records import JOINED, REFERENCE, RESPONSE, Annotation, Claim, Grounding, JudgedTrace, Judgement, Table, Verdict


class ClaimGrounding(msgspec.Struct, frozen=True, kw_only=True):
    """What follows for one claim from all that was said about it in one table."""

    claim_id: str
    grounding: Grounding
    confidence: float | None = None
    """P(grounding is right) as far as the judge can say; None for a person's word."""
    supporting: tuple[Judgement, ...] = ()
    contradicting: tuple[Judgement, ...] = ()
    unjudged: int = 0
    """Premises without a verdict: not asked, or the judge failed."""
    by: str = "judge"
    """``human`` or ``judge``."""
    annotation: Annotation | None = None
    """The person's word in force, if any."""
    judged: Grounding | None = None
    """What the judge alone says, where a person overruled."""


def groundings(case: JudgedTrace, table: Table) -> dict[str, ClaimGrounding]:
    """
    Grounding of each claim of the table's side, in claim order.

    Only the first ``case.k`` passages count as evidence. A joined verdict counts when it is about exactly those passages,
    or when all its evidence lies in them.
    """
    return dict(remembered(case, ("groundings", table), lambda: _resolve_table(case, table)))


def premise_ids(case: JudgedTrace, table: Table) -> tuple[str, ...]:
    """The single premises of a table, in rank order."""
    if table.against_passages:
        return tuple(p.id for p in case.trace.first_passages(case.k))
    return (REFERENCE,) if table is Table.RESPONSE_X_REFERENCE else (RESPONSE,)


def verdict_grid(case: JudgedTrace, table: Table) -> Mapping[str, Mapping[str, Judgement]]:
    """Judgements by claim id and premise id, for the single premises within ``case.k``; what was not judged is absent."""
    return remembered(case, ("grid", table), lambda: _grid(case, table))


def _grid(case: JudgedTrace, table: Table) -> dict[str, dict[str, Judgement]]:
    wanted, side = set(premise_ids(case, table)), table.side
    grid: dict[str, dict[str, Judgement]] = {c.id: {} for c in case.claims if c.side is side}
    for judgement in _told(case).get(table, ()):
        key = judgement.key
        if key.claim_id in grid and key.premise_id in wanted:
            grid[key.claim_id][key.premise_id] = judgement
    return grid


def _told(case: JudgedTrace) -> dict[Table, list[Judgement]]:
    """Judgements by table: a large trace has fifty thousand, and four tables ask for theirs."""
    def compute() -> dict[Table, list[Judgement]]:
        told: dict[Table, list[Judgement]] = {}
        for judgement in case.judgements:
            told.setdefault(judgement.key.table, []).append(judgement)
        return told

    return remembered(case, "told", compute)


def word_in_force(notes: Sequence[Annotation]) -> Annotation | None:
    """
    The person's word that counts, from notes on one claim, oldest first.

    The latest one; a note with grounding None takes back everything its author said before.
    """
    standing: list[Annotation] = []
    for note in sorted(notes, key=lambda n: n.at):
        if note.grounding is None:
            standing = [n for n in standing if n.author != note.author]
        else:
            standing.append(note)
    return standing[-1] if standing else None


def _resolve_table(case: JudgedTrace, table: Table) -> dict[str, ClaimGrounding]:
    side = table.side
    claims = [c for c in case.claims if c.side is side]
    grid = verdict_grid(case, table)
    joined = _joined(case, table)
    # Where the file cannot say what was retrieved, that unknown evidence is one premise nobody has judged.
    expected = ("",) if table.against_passages and case.trace.passages is None else premise_ids(case, table)
    notes: defaultdict[tuple[str, str], list[Annotation]] = defaultdict(list)
    for note in case.annotations:
        if note.table is table:
            notes[note.claim_id, note.claim_set].append(note)
    return {c.id: _overrule(_resolve(c, grid[c.id], joined.get(c.id), expected), word_in_force(notes[c.id, c.extractor])) for c in claims}


def _joined(case: JudgedTrace, table: Table) -> dict[str, Judgement]:
    """By claim id, the joined verdict that speaks of the passages within ``case.k``."""
    if not table.against_passages:
        return {}
    exact = joined_id(case.trace, case.k)
    inside = {p.id for p in case.trace.first_passages(case.k)}
    out: dict[str, Judgement] = {}
    for judgement in _told(case).get(table, ()):
        key = judgement.key
        if not key.premise_id.startswith(JOINED):
            continue
        within = bool(judgement.evidence) and all(e.passage_id in inside for e in judgement.evidence)
        if key.premise_id == exact or (within and key.claim_id not in out):
            out[key.claim_id] = judgement
    return out


def _resolve(claim: Claim, verdicts: Mapping[str, Judgement], joined: Judgement | None, expected: Sequence[str]) -> ClaimGrounding:
    told = [verdicts[p] for p in expected if p in verdicts]
    supporting = tuple(j for j in told if j.verdict is Verdict.ENTAILED)
    contradicting = tuple(j for j in told if j.verdict is Verdict.CONTRADICTED)
    neutral = [j for j in told if j.verdict is Verdict.NEUTRAL]
    unjudged = len(expected) - len(supporting) - len(contradicting) - len(neutral)
    if not supporting and not contradicting and joined is not None:
        if joined.verdict is Verdict.ENTAILED:
            supporting = (joined,)
        elif joined.verdict is Verdict.CONTRADICTED:
            contradicting = (joined,)
        elif joined.verdict is Verdict.NEUTRAL:
            neutral, unjudged = [*neutral, joined], 0
    grounding, confidence = _decide(supporting, contradicting, neutral, unjudged)
    return ClaimGrounding(
        claim_id=claim.id, grounding=grounding, confidence=confidence, supporting=supporting, contradicting=contradicting, unjudged=unjudged
    )


def _decide(
    supporting: Sequence[Judgement], contradicting: Sequence[Judgement], neutral: Sequence[Judgement], unjudged: int
) -> tuple[Grounding, float | None]:
    pro, con = _surest(supporting), _surest(contradicting)
    if supporting and contradicting:
        return Grounding.CONFLICTED, min(pro, con) if pro is not None and con is not None else None
    if supporting:
        return Grounding.SUPPORTED, pro
    if contradicting:
        return Grounding.CONTRADICTED, con
    if unjudged:
        return Grounding.UNJUDGED, None
    # "No passage supports it" is as sure as its weakest part.
    doubts = [j.confidence for j in neutral if j.confidence is not None]
    return Grounding.NOT_SUPPORTED, min(doubts) if doubts and len(doubts) == len(neutral) else None


def _surest(judgements: Sequence[Judgement]) -> float | None:
    return max((j.confidence for j in judgements if j.confidence is not None), default=None)


def _overrule(found: ClaimGrounding, word: Annotation | None) -> ClaimGrounding:
    if word is None or word.grounding is None:
        return found
    return msgspec.structs.replace(found, grounding=word.grounding, confidence=None, by="human", annotation=word, judged=found.grounding)
