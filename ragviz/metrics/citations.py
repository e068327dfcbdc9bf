"""Do the sources an answer cites say what it says? The cited source counts, not any source."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from ragviz.metrics.cited import CitedClaim, CitedVerdict, belongs, cited_claims, cited_labels
from ragviz.metrics.counting import counts_unjudged, has_claims, lacks_answer
from ragviz.metrics.scoring import NO_ANSWER, NO_PASSAGES, failed, missing, no_claims, no_passages, ok, undefined
from ragviz.records import Direction, JudgedTrace, MetricInfo, Score, Side, Table
from ragviz.text.counts import counted

NEEDS = frozenset({Table.RESPONSE_X_PASSAGES})
NO_CITATION = "the answer cites nothing"
SOURCE = "ALCE, Gao et al. 2023, arXiv:2305.14627; Liu et al. 2023, arXiv:2304.09848"


def _per_claim(info: MetricInfo, case: JudgedTrace, good: Callable[[CitedClaim], bool | None]) -> Score:
    """Share of claims for which ``good`` holds; None leaves a claim out as unjudged (strict, ragchecker: counts against)."""
    if not has_claims(case, Side.RESPONSE):
        return no_claims(info, case, Side.RESPONSE, {})
    if case.trace.passages is None:
        return no_passages(info, case, Side.RESPONSE)
    marks = {claim_id: good(claim) for claim_id, claim in cited_claims(case).items()}
    unjudged = sum(m is None for m in marks.values())
    in_it = {c: bool(m) for c, m in marks.items() if m is not None or counts_unjudged(case.policy)}
    if not in_it:
        return failed(info, case, f"none of {counted(len(marks), 'claim')} could be judged", unjudged=unjudged)
    hits = sum(in_it.values())
    return ok(
        info, case, hits / len(in_it), support=len(in_it), numerator=hits, unjudged=unjudged, claim_ids=sorted(c for c, m in in_it.items() if not m)
    )


def _supported_by_cited(claim: CitedClaim) -> bool | None:
    if claim.cited is None:
        return False
    return None if claim.cited is CitedVerdict.UNJUDGED else claim.cited.is_supported


@dataclass(frozen=True)
class CitationRecall:
    """Share of the claims that what they cite supports."""

    info = MetricInfo(
        name="citation_recall", version="1", label="Citation recall", summary="How much of the answer do its own citations prove?",
        formula="claims supported by a source they cite / claims", source=SOURCE, needs=NEEDS, group="citations",
        edge_cases=(
            "A claim without a citation is not proved, whatever other passages say: an answer that cites nothing has 0. A mark behind several "
            "clauses stands for each of them; "
            "a list of sources at the end stands for none. Claims whose cited passage could not be judged are left out (strict, ragchecker: not proved). "
            "No claims: no value."
        ),
    )

    def score(self, case: JudgedTrace) -> Score:
        """Citation recall of one trace."""
        return _per_claim(self.info, case, _supported_by_cited)


@dataclass(frozen=True)
class CitationCoverage:
    """Share of the claims that cite anything."""

    info = MetricInfo(
        name="citation_coverage", version="1", label="Citation coverage", summary="How much of the answer cites anything?",
        formula="claims with at least one citation / claims", source="ours; the share of statements ALCE has citations for", group="citations",
        edge_cases="Right or wrong does not matter here, and neither does whether the source exists. An answer that cites nothing has 0. No claims: no value.",
    )

    def score(self, case: JudgedTrace) -> Score:
        """Citation coverage of one trace."""
        return _per_claim(self.info, case, lambda claim: claim.cited is not None)


@dataclass(frozen=True)
class CitationPrecision:
    """Share of the cited sources that support a claim they stand for."""

    info = MetricInfo(
        name="citation_precision", version="1", label="Citation precision", summary="How many of the citations help?",
        formula="cited sources that support a claim they stand for / cited sources", source=SOURCE, needs=NEEDS, group="citations",
        edge_cases=(
            "[1, 3] cites two sources. A source counts once per mark, and helps when it supports one of the mark's claims, alone or joined with others. "
            "A source that was never retrieved does not help. Marks that stand for no claim, and sources nobody could judge, are left out. "
            "No citation: no value."
        ),
    )

    def score(self, case: JudgedTrace) -> Score:
        """Citation precision of one trace."""
        if case.trace.passages is None:
            return missing(self.info, case, NO_PASSAGES)
        best: dict[tuple[int, str], list[tuple[str, CitedVerdict]]] = {}
        for claim in cited_claims(case).values():
            for citation in claim.citations:
                for source in claim.sources:
                    if source.marker == citation.marker and belongs(source, citation):
                        best.setdefault((citation.span.start, source.label), []).append((claim.claim_id, source.verdict))
        if not best:
            return undefined(self.info, case, NO_CITATION if not cited_labels(case) else "no citation stands for a claim")
        helpful = {key for key, said in best.items() if any(v.is_supported for _, v in said)}
        unjudged = {key for key, said in best.items() if key not in helpful and any(v is CitedVerdict.UNJUDGED for _, v in said)}
        in_it = best if counts_unjudged(case.policy) else {key: said for key, said in best.items() if key not in unjudged}
        if not in_it:
            return failed(self.info, case, f"none of {len(best)} cited sources could be judged", unjudged=len(unjudged))
        offenders = sorted({c for key, said in in_it.items() if key not in helpful for c, _ in said})
        return ok(
            self.info, case, len(helpful) / len(in_it), support=len(in_it), numerator=len(helpful), unjudged=len(unjudged), claim_ids=offenders
        )


@dataclass(frozen=True)
class InventedCitations:
    """How many cited sources were never retrieved."""

    info = MetricInfo(
        name="invented_citations", version="1", label="Invented citations", summary="How many cited sources do not exist?",
        formula="number of cited labels that name no retrieved passage", source="ours; fabricated citations", range=(0.0, math.inf),
        better=Direction.LOWER, group="citations",
        edge_cases=(
            "A number, not a share: the mean over a run is invented citations per answer. [1, 9] with three passages has one. "
            "An answer that cites nothing has 0. The file does not say what was retrieved: missing input."
        ),
    )

    def score(self, case: JudgedTrace) -> Score:
        """Number of invented sources in one trace."""
        if case.trace.passages is None:
            return missing(self.info, case, NO_PASSAGES)
        if lacks_answer(case):
            return missing(self.info, case, NO_ANSWER)
        labels = cited_labels(case)
        invented = [label for _, label, found in labels if not found]
        offenders = sorted(c.claim_id for c in cited_claims(case).values() if any(s.passage_id is None for s in c.sources))
        reason = f"not retrieved: {', '.join(invented[:5])}" if invented else ""
        return ok(self.info, case, len(invented), support=len(labels), reason=reason, claim_ids=offenders)
