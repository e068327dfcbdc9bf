"""Annotated attribute-value pairs against annotated attribute-value pairs: exact, and the same on every machine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ragviz.contracts import Availability, JudgeInfo
from ragviz.evidence.quotes import find_quote
from ragviz.judges.provenance import provenance_of
from ragviz.records import Clash, ClashKind, Evidence, Fact, Judgement, Pair, Provenance, Span, Verdict


@dataclass(frozen=True)
class FactsJudge:
    """
    Entailed when the premise has the same pair, contradicted when it has the attribute with other values only, else neutral.

    A premise without annotations cannot be judged: nothing is known about what it says.
    """

    info = JudgeInfo(
        name="facts", version="1", summary="annotated attribute-value pairs, compared exactly",
        deterministic=True, network=False, max_batch=4096, claim_set="facts",
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
    claim = pair.hypothesis_fact
    if claim is None or pair.premise_facts is None:
        missing = "the claim is no attribute-value pair" if claim is None else "the premise has no annotated facts"
        return Judgement(key=pair.key, verdict=Verdict.UNJUDGED, rationale=missing, provenance=provenance)
    values = [fact.value for fact in pair.premise_facts if fact.attribute == claim.attribute]
    if claim.value in values:
        return Judgement(
            key=pair.key, verdict=Verdict.ENTAILED, confidence=1.0, evidence=_certificate(pair, claim.value),
            rationale=f"the premise states {claim.sentence}", provenance=provenance,
        )
    if values:
        return Judgement(
            key=pair.key, verdict=Verdict.CONTRADICTED, confidence=1.0, evidence=_certificate(pair, values[0]),
            clashes=(_clash(pair, claim, values[0]),),
            rationale=f"the premise says {' and '.join(values)}, the claim says {claim.value} ({claim.attribute})", provenance=provenance,
        )
    return Judgement(
        key=pair.key, verdict=Verdict.NEUTRAL, confidence=1.0, rationale=f"the premise says nothing about {claim.attribute}", provenance=provenance,
    )


def _certificate(pair: Pair, value: str) -> tuple[Evidence, ...]:
    """Where the value stands in the premise's text; () where the annotation is not worded there."""
    located = find_quote(value, pair.premise) if value.strip() and pair.premise.strip() else None
    if located is None:
        return ()
    share = 1 / len(located.spans)
    return tuple(Evidence(span=span, quote=span.of(pair.premise), weight=share, tier=located.tier) for span in located.spans)


def _clash(pair: Pair, claim: Fact, other: str) -> Clash:
    kind = ClashKind.NUMBER if any(c.isdigit() for c in claim.value) and any(c.isdigit() for c in other) else ClashKind.NAME
    return Clash(
        kind=kind, hypothesis_span=_first(claim.value, pair.hypothesis), premise_span=_first(other, pair.premise),
        hypothesis_value=claim.value, premise_value=other,
    )


def _first(value: str, text: str) -> Span | None:
    located = find_quote(value, text) if value.strip() and text.strip() else None
    return located.spans[0] if located else None
