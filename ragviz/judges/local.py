"""The default judge: finds the sentence, checks its details, weighs what it found. Nothing leaves the machine."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ragviz.backends.embedder import Embedder
from ragviz.contracts import Availability, JudgeInfo
from ragviz.evidence.injection import addresses_judge
from ragviz.evidence.select import as_evidence, choose_units
from ragviz.evidence.windows import index_premise
from ragviz.judges.provenance import provenance_of
from ragviz.records import Judgement, Pair, Provenance, Verdict
from ragviz.text.tokens import content_tokens


@dataclass(frozen=True)
class LocalJudge:
    """Evidence by words and embeddings, consistency checks, calibrated probabilities."""

    embeddings: bool = True
    embedder: Embedder = field(default_factory=Embedder, repr=False, compare=False)

    info = JudgeInfo(
        name="local", version="0", summary="evidence search, consistency checks and calibrated probabilities, all on this machine",
        deterministic=True, network=False, max_batch=256, joined=True,
    )

    @property
    def _embeds(self) -> bool:
        return self.embeddings and self.embedder.available().ok

    @property
    def params(self) -> Mapping[str, object]:
        """Whether embeddings take part, and whose."""
        if not self._embeds:
            return {"embeddings": False}
        return {"embeddings": True, "model": self.embedder.name, "model_revision": self.embedder.revision}

    def available(self) -> Availability:
        """Always works; without embeddings by words alone, and says so."""
        state = self.embedder.available()
        if self.embeddings and not state.ok:
            return Availability(ok=True, degraded=f"{state.reason}: judged by words alone", fix=state.fix)
        return Availability(ok=True)

    def judge(self, pairs: Sequence[Pair]) -> list[Judgement]:
        """One judgement per pair."""
        provenance = provenance_of(self)
        return [_one(pair, provenance) for pair in pairs]


def _one(pair: Pair, provenance: Provenance) -> Judgement:
    indexed = index_premise(pair.premise)
    stems = frozenset(token.stem for token in content_tokens(pair.hypothesis))
    told = {i for i, unit in enumerate(indexed.units) if addresses_judge(unit.span.of(pair.premise))}
    alarm = " ".join(indexed.units[i].span.of(pair.premise) for i in sorted(told)) or None
    chosen = choose_units(stems, indexed, exclude=told)
    covered = sum(choice.gain for choice in chosen)
    p_entailed = 1 / (1 + math.exp(-12 * (covered - 0.72)))
    evidence = tuple(as_evidence(indexed, chosen))
    verdict = Verdict.ENTAILED if p_entailed >= 0.5 and evidence else Verdict.NEUTRAL
    return Judgement(
        key=pair.key, verdict=verdict, confidence=round(max(p_entailed, 1 - p_entailed), 4), evidence=evidence,
        rationale=f"{covered:.0%} of the claim's words, weighted by rarity, stand in the evidence", alarm=alarm, provenance=provenance,
    )
