"""What the Inspector says of passages in words: what those that are cited do for a claim, what is better than one, and what fewer would change."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from ragviz.diagnosis.faults import SourceFault
from ragviz.grounding.resolve import groundings
from ragviz.metrics.cited import CitedClaim, CitedVerdict, citation_verdict
from ragviz.metrics.passages import supporting_passages
from ragviz.records import Citation, Grounding, JudgedTrace, Judgement, Table
from ragviz.ui.marks import GROUNDING_LABEL

CITED_WORDS = {
    CitedVerdict.SUPPORTED: "cited source supports", CitedVerdict.CONTRADICTED: "cited source contradicts", CitedVerdict.CONFLICTED: "cited sources disagree",
    CitedVerdict.NOT_SUPPORTED: "cited source is silent", CitedVerdict.UNJUDGED: "not judged", CitedVerdict.SOURCE_NOT_FOUND: "invented",
}

MAX_SURVIVAL_STEPS = 4
"""How many changes the "if k were smaller" line names before it says "and so on"."""
MAX_SURVIVAL_PAIRS = 4_000
"""Above so many claim-passage pairs the line is left out: each step would resolve them all again."""


def citation_words(case: JudgedTrace, cited: Mapping[str, CitedClaim]) -> dict[str, list[tuple[str, str, bool]]]:
    """Per claim: marker, what the source behind it does for the claim, and whether that source was retrieved at all."""
    return {
        claim_id: [(c.marker, _cited(case, claim, c), bool(c.passage_ids)) for c in claim.citations] for claim_id, claim in cited.items() if claim.citations
    }


def _cited(case: JudgedTrace, claim: CitedClaim, citation: Citation) -> str:
    n = len(case.trace.passages or ())
    verdict = citation_verdict(claim, citation)
    if verdict is CitedVerdict.SOURCE_NOT_FOUND:
        return f"invented, {n} {'was' if n == 1 else 'were'} given"
    if verdict is CitedVerdict.NOT_SUPPORTED and claim.by_another_source:
        supporting = supporting_passages(groundings(case, Table.RESPONSE_X_PASSAGES)[claim.claim_id])
        ranks = [f"#{p.rank}" for p in case.trace.passages or () if p.id in supporting]
        return "another source: " + ", ".join(ranks[:3])
    contested = verdict is CitedVerdict.SUPPORTED and claim.any_source is Grounding.CONFLICTED
    return CITED_WORDS[verdict] + (", disputed" if contested else "")


def passage_flags(case: JudgedTrace, faults: Sequence[SourceFault]) -> dict[str, str]:
    """A remark on passages that something better denies."""
    remark = {
        "outdated": "older than #{}", "less_authoritative": "less official than #{}", "contested": "contested by #{}", "wrong": "denied by the reference",
        "superseded": "no longer in force", "older_revision": "an older revision of #{}",
    }
    rank = {p.id: p.rank for p in case.trace.passages or ()}
    out: dict[str, str] = {}
    for fault in faults:
        against = next((rank[p] for p in fault.against if p in rank), None)
        for passage_id in fault.used:
            if fault.kind in ("wrong", "superseded") or against is not None:
                out.setdefault(passage_id, remark[fault.kind].format(against))
    return out


def survival(case: JudgedTrace) -> str:
    """
    What fewer passages would change: "at 4, c3 loses its only support; at 3, c1 is no longer contradicted and reads as supported".

    Only cut-offs that drop a decisive passage are looked at. "" when nothing changes, or when the trace is too large to try.
    """
    passages = case.trace.passages or ()
    k = len(passages) if case.k is None else min(case.k, len(passages))
    if k < 2 or len(case.claims) * k > MAX_SURVIVAL_PAIRS:
        return ""
    before = groundings(case, Table.RESPONSE_X_PASSAGES)
    rank = {p.id: at for at, p in enumerate(passages)}
    decisive = {rank[p] for g in before.values() for p in _premises((*g.supporting, *g.contradicting)) if p in rank}
    parts: list[str] = []
    for smaller in sorted(decisive - {0}, reverse=True):
        after = groundings(msgspec.structs.replace(case, k=smaller), Table.RESPONSE_X_PASSAGES)
        changed = [
            _changed(claim_id, before[claim_id].grounding, g.grounding) for claim_id, g in after.items() if g.grounding is not before[claim_id].grounding
        ]
        if changed:
            parts.append(f"at {smaller}, " + " and ".join(changed[:3]) + (f" and {len(changed) - 3} more" if len(changed) > 3 else ""))
        before = after
    if not parts:
        return ""
    return "; ".join(parts[:MAX_SURVIVAL_STEPS]) + ("; and so on." if len(parts) > MAX_SURVIVAL_STEPS else ".")


def _changed(claim_id: str, before: Grounding, after: Grounding) -> str:
    if before is Grounding.CONFLICTED:
        lost = "contradiction" if after is Grounding.SUPPORTED else "support" if after is Grounding.CONTRADICTED else "evidence"
        return f"{claim_id} loses its {lost} and reads as {GROUNDING_LABEL[after]}"
    if before is Grounding.SUPPORTED and after in (Grounding.NOT_SUPPORTED, Grounding.UNJUDGED):
        return f"{claim_id} loses its only support"
    if before is Grounding.CONTRADICTED and after is Grounding.NOT_SUPPORTED:
        return f"{claim_id} loses its contradiction"
    return f"{claim_id} turns from {GROUNDING_LABEL[before]} to {GROUNDING_LABEL[after]}"


def _premises(judgements: Sequence[Judgement]) -> set[str]:
    """Passages behind judgements, also behind those on several passages together."""
    return {e.passage_id or j.key.premise_id for j in judgements for e in j.evidence} | {j.key.premise_id for j in judgements}
