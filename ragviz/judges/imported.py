"""The verdict that came with the file, repeated as that tool's word, with evidence looked up in our passages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ragviz.contracts import Availability, JudgeInfo
from ragviz.evidence.quotes import find_quote
from ragviz.evidence.select import best_evidence
from ragviz.judges.provenance import provenance_of
from ragviz.records import Evidence, ImportedVerdict, Judgement, Pair, Provenance, Verdict

_DECIDED = (Verdict.ENTAILED, Verdict.CONTRADICTED)


@dataclass(frozen=True)
class ImportedJudge:
    """Repeats verdicts; never has an opinion of its own. A pair the file says nothing about is unjudged."""

    info = JudgeInfo(
        name="imported", version="1", summary="verdicts that came with the file", deterministic=True, network=False, max_batch=4096,
        claim_set="imported",
    )

    @property
    def params(self) -> Mapping[str, object]:
        """There is nothing to set."""
        return {}

    def available(self) -> Availability:
        """Works everywhere."""
        return Availability(ok=True)

    def judge(self, pairs: Sequence[Pair]) -> list[Judgement]:
        """One judgement per pair."""
        provenance = provenance_of(self)
        return [_one(pair, provenance) for pair in pairs]


def _one(pair: Pair, provenance: Provenance) -> Judgement:
    said = pair.imported
    if said is None:
        return Judgement(key=pair.key, verdict=Verdict.UNJUDGED, rationale="the file holds no verdict on this pair", provenance=provenance)
    evidence, where = _evidence(pair, said)
    confidence = said.confidence if said.confidence is not None and 0 <= said.confidence <= 1 else None
    rationale = "; ".join(part for part in (f'the file says "{said.label}"', said.reason.strip(), where) if part)
    return Judgement(key=pair.key, verdict=said.verdict, confidence=confidence, evidence=evidence, rationale=rationale, provenance=provenance)


def _evidence(pair: Pair, said: ImportedVerdict) -> tuple[tuple[Evidence, ...], str]:
    """Certificates, and a note when they are ours rather than the file's."""
    if said.verdict not in _DECIDED:
        return (), ""
    note = ""
    if said.quote and said.quote.strip():
        located = find_quote(said.quote, pair.premise)
        if located is not None:
            share = 1 / len(located.spans)
            return tuple(Evidence(span=s, quote=s.of(pair.premise), weight=share, tier=located.tier) for s in located.spans), ""
        note = "its quote is not in the passage; "
    nearest = tuple(best_evidence(pair.hypothesis, pair.premise, max_spans=1))
    return nearest, note + ("the nearest sentence is shown" if nearest else "no sentence of the passage comes near")
