"""
What kind of fault a claim of the answer has. The first that fits:

1. ``fabricated_citation``: it cites a source that was never retrieved.
2. ``distorted_evidence``: a passage speaks of it and says otherwise. Kind ``sources_blended`` when the claim's value stands in another passage,
   ``qualifier_dropped`` when only a condition or limit is lost, else ``contradicted``.
3. ``unsupported_claim``: no passage speaks for it.
4. ``incomplete_attribution``: supported, but uncited in an answer that cites, or cited to a source that does not support it.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from ragviz.grounding import ClaimGrounding, groundings, verdict_grid
from ragviz.metrics.cited import CitedClaim, CitedVerdict, citations_in, cited_claims
from ragviz.records import Clash, ClashKind, Grounding, JudgedTrace, Judgement, Table

ANSWERED = Table.RESPONSE_X_PASSAGES
Grid = Mapping[str, Mapping[str, Judgement]]


class HallucinationType(StrEnum):
    """Kind of fault of one claim."""

    FABRICATED_CITATION = "fabricated_citation"
    UNSUPPORTED_CLAIM = "unsupported_claim"
    DISTORTED_EVIDENCE = "distorted_evidence"
    INCOMPLETE_ATTRIBUTION = "incomplete_attribution"


class Distortion(StrEnum):
    """How the evidence was distorted."""

    CONTRADICTED = "contradicted"
    QUALIFIER_DROPPED = "qualifier_dropped"
    SOURCES_BLENDED = "sources_blended"


def claim_type(case: JudgedTrace, claim_id: str) -> HallucinationType | None:
    """The fault of one claim of the answer; None when it has none or nobody could judge it."""
    return claim_types(case).get(claim_id)


def claim_types(case: JudgedTrace) -> dict[str, HallucinationType | None]:
    """The fault of each claim of the answer, in claim order."""
    found = groundings(case, ANSWERED)
    grid, texts = verdict_grid(case, ANSWERED), _texts(case)
    cites = case.trace.passages is not None and bool(citations_in(case))
    beside = cited_claims(case) if cites else {}
    return {claim_id: _type(grounding, beside.get(claim_id), grid, texts) for claim_id, grounding in found.items()}


def distortion(case: JudgedTrace, claim_id: str) -> Distortion | None:
    """How a claim distorts its evidence; None when it does not."""
    found = groundings(case, ANSWERED).get(claim_id)
    return None if found is None else _distortion(found, verdict_grid(case, ANSWERED), _texts(case))


def _distortion(found: ClaimGrounding, grid: Grid, texts: Mapping[str, str]) -> Distortion | None:
    if found.grounding not in (Grounding.CONTRADICTED, Grounding.NOT_SUPPORTED):
        return None
    clashes = _clashes(found, grid)
    if found.grounding is Grounding.NOT_SUPPORTED:
        return Distortion.QUALIFIER_DROPPED if any(c.kind is ClashKind.QUALIFIER for _, c in clashes) else None
    if any(_stands_elsewhere(texts, premise_id, clash) for premise_id, clash in clashes):
        return Distortion.SOURCES_BLENDED
    only_qualifiers = bool(clashes) and all(c.kind is ClashKind.QUALIFIER for _, c in clashes)
    return Distortion.QUALIFIER_DROPPED if only_qualifiers else Distortion.CONTRADICTED


def _type(found: ClaimGrounding, beside: CitedClaim | None, grid: Grid, texts: Mapping[str, str]) -> HallucinationType | None:
    if beside is not None and any(s.passage_id is None for s in beside.sources):
        return HallucinationType.FABRICATED_CITATION
    if found.grounding is Grounding.UNJUDGED:
        return None
    if _distortion(found, grid, texts) is not None:
        return HallucinationType.DISTORTED_EVIDENCE
    if found.grounding is Grounding.NOT_SUPPORTED:
        return HallucinationType.UNSUPPORTED_CLAIM
    if beside is None:
        return None
    poorly_cited = beside.cited is None or (not beside.cited.is_supported and beside.cited is not CitedVerdict.UNJUDGED)
    return HallucinationType.INCOMPLETE_ATTRIBUTION if poorly_cited else None


def _clashes(found: ClaimGrounding, grid: Grid) -> list[tuple[str, Clash]]:
    """Premise and clash of what denies the claim; for a claim nothing settles, of the passages that come near."""
    if found.contradicting:
        return [(j.key.premise_id, c) for j in found.contradicting for c in j.clashes]
    row = grid.get(found.claim_id, {})
    return [(premise_id, c) for premise_id, j in row.items() for c in j.clashes]


def _texts(case: JudgedTrace) -> dict[str, str]:
    """Passages within the cut-off as they are searched for a value: one line, small letters. A trace may have a thousand claims; once is enough."""
    return {p.id: " ".join(p.text.split()).casefold() for p in case.trace.first_passages(case.k)}


def _stands_elsewhere(texts: Mapping[str, str], premise_id: str, clash: Clash) -> bool:
    """True when the value the claim gives is the value of another retrieved passage."""
    word = clash.hypothesis_value.strip().casefold()
    return len(word) >= 2 and any(word in text for passage_id, text in texts.items() if passage_id not in (premise_id, clash.passage_id))
