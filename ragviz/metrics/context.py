"""What was retrieved, held against the reference: recall of its claims, order and share of useful passages, use by the answer."""

from __future__ import annotations

from dataclasses import dataclass

from ragviz.metrics.counting import Fate, fates, has_reference, knows_passages, lacks_answer
from ragviz.metrics.passages import has_expected_claims, useful_passages
from ragviz.metrics.scoring import NO_ANSWER, NO_PASSAGES, NO_REFERENCE, failed, missing, no_claims, no_passages, ok, share, undefined
from ragviz.records import JudgedTrace, MetricInfo, Policy, RatingKind, Score, Side, Table
from ragviz.text.counts import counted

EXPECTED = Table.REFERENCE_X_PASSAGES
SAID = Table.REFERENCE_X_RESPONSE
RATED = RatingKind.QUESTION_TO_PASSAGE
USEFUL_FROM = 0.5
"""A rated passage is useful from this rating on, where there is no reference to tell."""


def _cannot(info: MetricInfo, case: JudgedTrace) -> Score | None:
    """The score of a trace that lacks reference, reference claims or passages; None when all are there."""
    if not has_reference(case):
        return missing(info, case, NO_REFERENCE)
    if not has_expected_claims(case):
        return no_claims(info, case, Side.REFERENCE, {Policy.RAGCHECKER: 0.0})
    if not knows_passages(case, EXPECTED):
        return no_passages(info, case, Side.REFERENCE)
    return None


@dataclass(frozen=True)
class ContextRecall:
    """Share of the reference's claims that the passages state."""

    info = MetricInfo(
        name="context_recall", version="1", label="Context recall", summary="Was what is needed retrieved?",
        formula="reference claims that the passages entail / judged reference claims",
        edge_cases=(
            "Equals RAGChecker's claim recall. No reference: missing input. Nothing retrieved: 0, not 1. Unjudged claims are left out (strict, "
            "ragchecker: not entailed). Offenders are reference claims (r1, r2, …)."
        ),
        source="Ragas context recall; RAGChecker claim recall, arXiv:2408.08067", needs=frozenset({EXPECTED}),
    )

    def score(self, case: JudgedTrace) -> Score:
        """Context recall of one trace."""
        return _cannot(self.info, case) or share(self.info, case, fates(case, EXPECTED), [Fate.SUPPORTED])


@dataclass(frozen=True)
class RelevantPassageRate:
    """Share of the passages that state at least one claim of the reference."""

    info = MetricInfo(
        name="relevant_passage_rate", version="1", label="Relevant-passage rate", summary="How many of the passages are useful?",
        formula="passages that entail at least one reference claim / judged passages",
        edge_cases=(
            "RAGChecker calls this context precision; renamed because Ragas' context precision is another figure. "
            "Nothing retrieved: no value (ragchecker: 0). Passages with unjudged claims and no entailed one are left out (strict, ragchecker: useless)."
        ),
        source="RAGChecker context precision, arXiv:2408.08067", needs=frozenset({EXPECTED}),
    )

    def score(self, case: JudgedTrace) -> Score:
        """Relevant-passage rate of one trace."""
        cannot = _cannot(self.info, case)
        if cannot is not None:
            return cannot
        useful = useful_passages(case)
        if not useful:
            if case.policy is Policy.RAGCHECKER:
                return ok(self.info, case, 0.0, support=0, reason="nothing was retrieved; ragchecker scores this 0")
            return undefined(self.info, case, "nothing was retrieved")
        unjudged = sum(v is None for v in useful.values())
        strict = case.policy in (Policy.STRICT, Policy.RAGCHECKER)
        in_it = {p: bool(v) for p, v in useful.items() if v is not None or strict}
        if not in_it:
            return failed(self.info, case, f"none of {counted(len(useful), 'passage')} could be judged", unjudged=unjudged)
        hits = sum(in_it.values())
        useless = sorted(p for p, v in in_it.items() if not v)
        return ok(self.info, case, hits / len(in_it), support=len(in_it), numerator=hits, unjudged=unjudged, claim_ids=useless)


@dataclass(frozen=True)
class ContextPrecision:
    """Are the useful passages first?"""

    info = MetricInfo(
        name="context_precision", version="1", label="Context precision", summary="Are the useful passages first?",
        formula="sum over ranks i of P@i · v_i / sum of v_i, v_i = 1 when passage i is useful",
        edge_cases=(
            "A passage is useful when it entails a claim of the reference; without a reference, when its relevance rating is at least 0.5. "
            "It is average precision over the retrieved list: useful passages that were not retrieved do not count. "
            "No passage useful: no value (ragas: 0). Passages without a verdict count as not useful and are reported."
        ),
        source="Ragas context precision", needs=frozenset({EXPECTED}), needs_ratings=frozenset({RATED}),
    )

    def score(self, case: JudgedTrace) -> Score:
        """Context precision of one trace."""
        if case.trace.passages is None and not knows_passages(case, EXPECTED):
            return missing(self.info, case, NO_PASSAGES)
        useful = useful_passages(case) if has_expected_claims(case) else self._rated(case)
        if useful is None:
            return missing(self.info, case, f"{NO_REFERENCE}, and the passages were not rated")
        if not useful:
            return self._nothing(case, "nothing was retrieved")
        unjudged = sum(v is None for v in useful.values())
        if unjudged == len(useful):
            return failed(self.info, case, f"none of {counted(len(useful), 'passage')} could be judged", unjudged=unjudged)
        found, total = 0, 0.0
        for rank, is_useful in enumerate(useful.values(), start=1):
            if is_useful:
                found += 1
                total += found / rank
        if not found:
            return self._nothing(case, "no retrieved passage is useful", unjudged=unjudged)
        useless = sorted(p for p, v in useful.items() if not v)
        return ok(self.info, case, total / found, support=len(useful) - unjudged, unjudged=unjudged, claim_ids=useless)

    def _nothing(self, case: JudgedTrace, reason: str, *, unjudged: int = 0) -> Score:
        if case.policy is Policy.RAGAS:
            return ok(self.info, case, 0.0, support=0, unjudged=unjudged, reason=f"{reason}; ragas scores this 0")
        return undefined(self.info, case, reason)

    def _rated(self, case: JudgedTrace) -> dict[str, bool | None] | None:
        values = {r.target_id: r.value for r in case.ratings if r.kind is RATED}
        if not values:
            return None if case.trace.passages else {}
        return {p.id: None if (v := values.get(p.id)) is None else v >= USEFUL_FROM for p in case.trace.first_passages(case.k)}


@dataclass(frozen=True)
class ContextUtilization:
    """Of what was needed and retrieved, how much did the answer use?"""

    info = MetricInfo(
        name="context_utilization", version="1", label="Context utilization", summary="Of what was needed and retrieved, how much was used?",
        formula="reference claims that passages and response entail / reference claims that passages entail",
        edge_cases=(
            "No reference claim retrieved: no value (ragchecker: 0). Claims unjudged against the response are left out (strict, ragchecker: unused). "
            "Not Ragas' ContextUtilization, which is context precision without a reference."
        ),
        source="RAGChecker context utilization, arXiv:2408.08067", needs=frozenset({EXPECTED, SAID}),
    )

    def score(self, case: JudgedTrace) -> Score:
        """Context utilization of one trace."""
        cannot = _cannot(self.info, case)
        if cannot is not None:
            return cannot
        if lacks_answer(case):
            return missing(self.info, case, NO_ANSWER)
        there, said = fates(case, EXPECTED), fates(case, SAID)
        retrieved = {c: said[c] for c, fate in there.items() if fate is Fate.SUPPORTED}
        if retrieved:
            return share(self.info, case, retrieved, [Fate.SUPPORTED])
        unjudged = sum(fate.is_unjudged for fate in there.values())
        if unjudged == len(there):
            return failed(self.info, case, f"none of {counted(len(there), 'reference claim')} could be judged", unjudged=unjudged)
        if case.policy is Policy.RAGCHECKER:
            return ok(self.info, case, 0.0, support=0, reason="no reference claim was retrieved; ragchecker scores this 0")
        return undefined(self.info, case, "no reference claim was retrieved")
