"""Which passages are useful, by the claims of the reference that they state (RAGChecker's definition)."""

from __future__ import annotations

from ragviz.grounding import ClaimGrounding, verdict_grid
from ragviz.records import JudgedTrace, Side, Table, Verdict

EXPECTED = Table.REFERENCE_X_PASSAGES


def useful_passages(case: JudgedTrace) -> dict[str, bool | None]:
    """
    For each passage within ``case.k``, in rank order: does it entail at least one claim of the reference?

    None when it entails none and some claim could not be judged against it.
    """
    grid = verdict_grid(case, EXPECTED)
    out: dict[str, bool | None] = {}
    for passage in case.trace.first_passages(case.k):
        verdicts = [row[passage.id].verdict if passage.id in row else Verdict.UNJUDGED for row in grid.values()]
        if Verdict.ENTAILED in verdicts:
            out[passage.id] = True
        else:
            out[passage.id] = None if not verdicts or Verdict.UNJUDGED in verdicts else False
    return out


def supporting_passages(found: ClaimGrounding) -> frozenset[str]:
    """Ids of the passages that support a claim, alone or joined."""
    ids = set()
    for judgement in found.supporting:
        parts = {e.passage_id for e in judgement.evidence if e.passage_id is not None}
        ids |= parts or {judgement.key.premise_id}
    return frozenset(ids)


def has_expected_claims(case: JudgedTrace) -> bool:
    """True when the reference states anything."""
    return any(c.side is Side.REFERENCE for c in case.claims)
