"""How often the passages mislead: incorrect claims that a passage supports."""

from __future__ import annotations

from dataclasses import dataclass

from ragviz.grounding import groundings
from ragviz.metrics.counting import Fate, fates, has_claims, has_reference, knows_passages
from ragviz.metrics.passages import has_expected_claims, supporting_passages, useful_passages
from ragviz.metrics.scoring import NO_REFERENCE, failed, missing, no_claims, no_passages, ok, undefined
from ragviz.records import Direction, JudgedTrace, MetricInfo, Policy, Score, Side, Table
from ragviz.text.counts import counted

ANSWERED = Table.RESPONSE_X_PASSAGES
CORRECT = Table.RESPONSE_X_REFERENCE
NEEDS = frozenset({ANSWERED, CORRECT, Table.REFERENCE_X_PASSAGES})
EDGES = (
    "A passage is relevant when it entails at least one claim of the reference. A claim supported by both kinds counts under relevant only, so "
    "correctness_precision + both noise sensitivities + ragchecker_hallucination = 1 when nothing is unjudged. "
    "Claims unjudged against passages or reference are left out. No claims: no value (ragchecker: 0)."
)


def _noise(info: MetricInfo, case: JudgedTrace, *, relevant: bool) -> Score:
    if not has_reference(case):
        return missing(info, case, NO_REFERENCE)
    if not has_claims(case, Side.RESPONSE):
        return no_claims(info, case, Side.RESPONSE, {Policy.RAGCHECKER: 0.0})
    if not knows_passages(case, ANSWERED):
        return no_passages(info, case, Side.RESPONSE)
    if not has_expected_claims(case):
        return undefined(info, case, "no claim in the expected answer, so no passage can be told relevant")
    supported, right, found = fates(case, ANSWERED), fates(case, CORRECT), groundings(case, ANSWERED)
    useful = {passage_id for passage_id, is_useful in useful_passages(case).items() if is_useful}
    in_it = [c for c in supported if supported[c].is_counted and right[c].is_counted]
    unjudged = sum(supported[c].is_unjudged or right[c].is_unjudged for c in supported)
    if not in_it:
        return failed(info, case, f"none of {counted(len(supported), 'claim')} could be judged against both passages and reference", unjudged=unjudged)
    misled = [c for c in in_it if supported[c] is Fate.SUPPORTED and right[c] is not Fate.SUPPORTED]
    hits = [c for c in misled if bool(useful & supporting_passages(found[c])) == relevant]
    return ok(info, case, len(hits) / len(in_it), support=len(in_it), numerator=len(hits), unjudged=unjudged, claim_ids=sorted(hits))


@dataclass(frozen=True)
class NoiseSensitivityRelevant:
    """Incorrect claims that a relevant passage supports."""

    info = MetricInfo(
        name="noise_sensitivity_relevant", version="1", label="Noise sensitivity (relevant)",
        summary="How much of the answer is wrong text taken from useful passages?",
        formula="incorrect response claims supported by a relevant passage / response claims judged in both tables", edge_cases=EDGES,
        source="RAGChecker, Ru et al. 2024, arXiv:2408.08067, generator metrics", better=Direction.LOWER, needs=NEEDS,
    )

    def score(self, case: JudgedTrace) -> Score:
        """Relevant noise sensitivity of one trace."""
        return _noise(self.info, case, relevant=True)


@dataclass(frozen=True)
class NoiseSensitivityIrrelevant:
    """Incorrect claims that only irrelevant passages support."""

    info = MetricInfo(
        name="noise_sensitivity_irrelevant", version="1", label="Noise sensitivity (irrelevant)",
        summary="How much of the answer is wrong text taken from useless passages?",
        formula="incorrect response claims supported by irrelevant passages only / response claims judged in both tables", edge_cases=EDGES,
        source="RAGChecker, Ru et al. 2024, arXiv:2408.08067, generator metrics", better=Direction.LOWER, needs=NEEDS,
    )

    def score(self, case: JudgedTrace) -> Score:
        """Irrelevant noise sensitivity of one trace."""
        return _noise(self.info, case, relevant=False)
