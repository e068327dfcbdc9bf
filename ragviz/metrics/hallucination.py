"""Claims without a source, split by whether a passage says otherwise, and RAGChecker's two narrower figures."""

from __future__ import annotations

from dataclasses import dataclass

from ragviz.metrics.counting import AGAINST, Fate, fates, has_claims, has_reference, knows_passages
from ragviz.metrics.scoring import NO_REFERENCE, failed, missing, no_claims, no_passages, ok, share
from ragviz.records import Direction, JudgedTrace, MetricInfo, Policy, Score, Side, Table
from ragviz.text.counts import counted

ANSWERED = Table.RESPONSE_X_PASSAGES
CORRECT = Table.RESPONSE_X_REFERENCE
EMPTY = {Policy.DEEPEVAL: 0.0, Policy.RAGCHECKER: 0.0}
EDGES = (
    "Same claims, passages and verdicts as faithfulness, so hallucination = contradicted_rate + not_supported_rate = 1 - faithfulness. "
    "A claim may be true and still unsupported: this measures missing evidence, not falsehood. Unjudged claims are left out (strict, ragchecker: "
    "not supported). Conflicted claims count as supported (strict: not supported). Under deepeval a claim no passage settles counts as supported. "
    "No claims: no value (deepeval, ragchecker: 0)."
)


def _passage_share(info: MetricInfo, case: JudgedTrace, hits: tuple[Fate, ...]) -> Score:
    if not has_claims(case, Side.RESPONSE):
        return no_claims(info, case, Side.RESPONSE, EMPTY)
    if not knows_passages(case, ANSWERED):
        return no_passages(info, case, Side.RESPONSE)
    return share(info, case, fates(case, ANSWERED, undecided_passes=True), hits, better_when_hit=False)


@dataclass(frozen=True)
class Hallucination:
    """Share of the answer's judged claims that no passage supports."""

    info = MetricInfo(
        name="hallucination", version="1", label="Hallucination rate", summary="How much of the answer has no source?",
        formula="(contradicted + not supported response claims) / judged response claims", edge_cases=EDGES,
        source="1 - faithfulness on the same verdicts (Es et al. 2023, arXiv:2309.15217); intrinsic and extrinsic after Maynez et al. 2020",
        better=Direction.LOWER, needs=frozenset({ANSWERED}),
    )

    def score(self, case: JudgedTrace) -> Score:
        """Hallucination rate of one trace."""
        return _passage_share(self.info, case, AGAINST)


@dataclass(frozen=True)
class ContradictedRate:
    """Share of the answer's judged claims that a passage contradicts and none supports."""

    info = MetricInfo(
        name="contradicted_rate", version="1", label="Contradicted", summary="How much of the answer do the passages deny?",
        formula="contradicted response claims / judged response claims", edge_cases=EDGES,
        source="intrinsic hallucination, Maynez et al. 2020, arXiv:2005.00661; evident conflict, RAGTruth, arXiv:2401.00396",
        better=Direction.LOWER, needs=frozenset({ANSWERED}),
    )

    def score(self, case: JudgedTrace) -> Score:
        """Contradicted rate of one trace."""
        return _passage_share(self.info, case, (Fate.CONTRADICTED,))


@dataclass(frozen=True)
class NotSupportedRate:
    """Share of the answer's judged claims on which the passages are silent."""

    info = MetricInfo(
        name="not_supported_rate", version="1", label="Not supported", summary="On how much of the answer are the passages silent?",
        formula="not supported response claims / judged response claims", edge_cases=EDGES,
        source="extrinsic hallucination, Maynez et al. 2020, arXiv:2005.00661; baseless information, RAGTruth, arXiv:2401.00396",
        better=Direction.LOWER, needs=frozenset({ANSWERED}),
    )

    def score(self, case: JudgedTrace) -> Score:
        """Not-supported rate of one trace."""
        return _passage_share(self.info, case, (Fate.NOT_SUPPORTED, Fate.UNJUDGED_AGAINST))


def _two_table_share(info: MetricInfo, case: JudgedTrace, *, correct: bool) -> Score:
    """Share of claims without support in the passages that the reference does (or does not) state. Claims unjudged in either table are left out."""
    if not has_reference(case):
        return missing(info, case, NO_REFERENCE)
    if not has_claims(case, Side.RESPONSE):
        return no_claims(info, case, Side.RESPONSE, {Policy.RAGCHECKER: 0.0})
    if not knows_passages(case, ANSWERED):
        return no_passages(info, case, Side.RESPONSE)
    supported, right = fates(case, ANSWERED), fates(case, CORRECT)
    in_it = [c for c in supported if supported[c].is_counted and right[c].is_counted]
    unjudged = sum(supported[c].is_unjudged or right[c].is_unjudged for c in supported)
    if not in_it:
        return failed(info, case, f"none of {counted(len(supported), 'claim')} could be judged against both passages and reference", unjudged=unjudged)
    hits = [c for c in in_it if supported[c] in AGAINST and (right[c] is Fate.SUPPORTED) == correct]
    return ok(info, case, len(hits) / len(in_it), support=len(in_it), numerator=len(hits), unjudged=unjudged, claim_ids=sorted(hits))


@dataclass(frozen=True)
class RagcheckerHallucination:
    """Share of the answer's claims that neither the passages nor the reference state."""

    info = MetricInfo(
        name="ragchecker_hallucination", version="1", label="Hallucination (RAGChecker)",
        summary="How much of the answer is neither supported nor correct?",
        formula="response claims neither entailed by a passage nor by the reference / response claims judged in both tables",
        edge_cases=(
            "Needs a reference. Narrower than hallucination: a correct claim without a source is self-knowledge here. "
            "No claims: no value (ragchecker: 0). faithfulness + self_knowledge + ragchecker_hallucination = 1 when nothing is unjudged."
        ),
        source="RAGChecker, Ru et al. 2024, arXiv:2408.08067, generator metrics", better=Direction.LOWER, needs=frozenset({ANSWERED, CORRECT}),
    )

    def score(self, case: JudgedTrace) -> Score:
        """RAGChecker's hallucination of one trace."""
        return _two_table_share(self.info, case, correct=False)


@dataclass(frozen=True)
class SelfKnowledge:
    """Share of the answer's claims that are correct although no passage states them."""

    info = MetricInfo(
        name="self_knowledge", version="1", label="Self-knowledge", summary="How much of the answer is right without a source?",
        formula="response claims entailed by the reference but by no passage / response claims judged in both tables",
        edge_cases="Needs a reference. Neither direction is better: it says where the answer came from. No claims: no value (ragchecker: 0).",
        source="RAGChecker, Ru et al. 2024, arXiv:2408.08067, generator metrics", better=Direction.NEITHER, needs=frozenset({ANSWERED, CORRECT}),
    )

    def score(self, case: JudgedTrace) -> Score:
        """Self-knowledge of one trace."""
        return _two_table_share(self.info, case, correct=True)
