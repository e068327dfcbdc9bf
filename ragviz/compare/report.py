"""Two runs in one record: what the compare page, the command line and the gate show."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import msgspec

from ragviz.compare.fairness import Unfairness, corpora_differ, documents
from ragviz.compare.flips import ClaimFlip, FlipReason, TraceFlip, claim_flips, n_same_claims, trace_flip
from ragviz.compare.noise import NoiseCheck, NoiseFloor, check_noise
from ragviz.compare.paired import MetricDifference, SliceDifference, compare_scores, difference_by_slice
from ragviz.compare.pairing import Pairing, pair_traces, question_key
from ragviz.records import JudgedTrace, Trace, TraceResult

Judged = tuple[JudgedTrace, TraceResult]


class Comparison(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that is said of two runs side by side."""

    pairing: Pairing
    metrics: tuple[MetricDifference, ...]
    trace_flips: tuple[TraceFlip, ...]
    claim_flips: tuple[ClaimFlip, ...]
    noise: NoiseCheck
    """Flips on identical inputs against the judge's noise."""
    unfair: tuple[Unfairness, ...]
    slices: tuple[SliceDifference, ...] = ()


def compare_runs(
    base: Sequence[Judged], candidate: Sequence[Judged], *, metrics: Sequence[str] | None = None, floor: NoiseFloor | None = None,
    unfair: Sequence[Unfairness] = (), slice_metric: str = "faithfulness", by: Callable[[Trace], Mapping[str, str]] | None = None,
) -> Comparison:
    """
    Compare two judged runs.

    Args:
        base: Traces with their results.
        candidate: The same of the other run.
        metrics: Only these; None = all that both have.
        floor: The judge's noise, where it was measured.
        unfair: Differences already known from fingerprints; those of the documents are added.
        slice_metric: The metric whose difference is shown by slice.
        by: Properties of a trace that make slices; None = no slices.
    """
    mine, theirs = {c.trace.id: (c, r) for c, r in base}, {c.trace.id: (c, r) for c, r in candidate}
    pairing = pair_traces([c.trace for c, _ in base], [c.trace for c, _ in candidate])
    matched = [(mine[b], theirs[c]) for b, c in pairing.pairs]
    flips = [f for (b, _), (c, _) in matched for f in claim_flips(b, c)]
    moved = [f for (b, br), (c, cr) in matched if (f := trace_flip(b, c, br.quadrant, cr.quadrant)) is not None]
    same = sum(n_same_claims(b, c) for (b, _), (c, _) in matched)
    idle = sum(f.reason is FlipReason.ONLY_VERDICT_CHANGED for f in flips)
    corpus = corpora_differ(documents(c.trace for c, _ in base), documents(c.trace for c, _ in candidate))
    known = list(unfair)
    if corpus is not None and all(u.name != "corpus" for u in known):
        known.append(corpus)
    return Comparison(
        pairing=pairing,
        metrics=tuple(
            compare_scores(
                {i: r.scores for i, (_, r) in mine.items()}, {i: r.scores for i, (_, r) in theirs.items()}, pairing, metrics=metrics,
                groups={i: question_key(c.trace) for i, (c, _) in mine.items()},
            )
        ),
        trace_flips=tuple(moved), claim_flips=tuple(flips),
        noise=check_noise(floor or NoiseFloor(n=0, flips=0, rate=None, ci95=None), observed=idle, n=same),
        unfair=tuple(known),
        slices=tuple(_slices(matched, slice_metric, by)) if by is not None else (),
    )


def _slices(matched: Sequence[tuple[Judged, Judged]], metric: str, by: Callable[[Trace], Mapping[str, str]]) -> list[SliceDifference]:
    rows = [(by(b.trace), _value(br, metric), _value(cr, metric)) for (b, br), (_, cr) in matched]
    return difference_by_slice(metric, rows)


def _value(result: TraceResult, metric: str) -> float | None:
    score = result.scores.get(metric)
    return None if score is None else score.value
