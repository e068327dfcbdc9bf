"""Two runs in one record: what the compare page, the command line and the gate show."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import msgspec

from ragviz.compare.columns import paired_scores
from ragviz.compare.fairness import Documents, Unfairness, corpora_differ, documents
from ragviz.compare.flips import AnswerChange, ClaimFlip, FlipReason, TraceFlip, answer_change, claim_flips, n_same_claims, trace_flip
from ragviz.compare.noise import NoiseCheck, NoiseFloor, check_noise
from ragviz.compare.paired import MetricDifference, SliceDifference
from ragviz.compare.pairing import Pairing, pair_traces, question_key
from ragviz.records import JudgedTrace, Trace, TraceResult
from ragviz.text.counts import counted

Judged = tuple[JudgedTrace, TraceResult]
NO_FLOOR = NoiseFloor(n=0, flips=0, rate=None, ci95=None)
NO_PAIR = "Nothing is compared: no question stands once in each of the two runs."
NO_CORRECTNESS = "no pair has a correctness in both runs, which takes an expected answer"
CORRECT_FROM = 0.5
"""An answer of this correctness or more counts as correct."""


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
    answers: tuple[AnswerChange, ...] = ()
    """Answers that became incorrect, then those that became correct."""
    answers_unknown: str = ""
    """Why it cannot be said which answers became incorrect or correct; "" where it can."""
    n_looked_into: int | None = None
    """Pairs whose claims were compared one by one; None = all. Metrics are always of all pairs."""

    @property
    def declined(self) -> tuple[TraceFlip, ...]:
        """Answers that the candidate declines to give, and that the base gave: they have no correctness, and are worse off all the same."""
        return tuple(f for f in self.trace_flips if f.after == "abstained" and f.before != "abstained")

    def __repr__(self) -> str:
        """One line: what a notebook shows of it."""
        return f"<Comparison: {counted(len(self.pairing.pairs), 'pair')}, {counted(len(self.metrics), 'metric')}, {counted(len(self.claim_flips), 'claim')} changed, {counted(len(self.unfair), 'doubt')} of fairness>"


class Changes(msgspec.Struct, frozen=True, kw_only=True):
    """What changed inside pairs of traces, claim by claim."""

    claims: tuple[ClaimFlip, ...]
    traces: tuple[TraceFlip, ...]
    answers: tuple[AnswerChange, ...]
    n_same: int
    """Claims judged on identical inputs on both sides."""

    @property
    def n_idle(self) -> int:
        """Flips on identical inputs."""
        return sum(f.reason is FlipReason.ONLY_VERDICT_CHANGED for f in self.claims)


def changes_of(matched: Sequence[tuple[Judged, Judged]]) -> Changes:
    """Flips of claims and traces, and answers that became incorrect or correct, of pairs of judged traces."""
    answers = [
        change for (b, br), (c, cr) in matched
        if (change := answer_change(b, c, _value(br, "correctness"), _value(cr, "correctness"), limit=CORRECT_FROM)) is not None
    ]
    return Changes(
        claims=tuple(f for (b, _), (c, _) in matched for f in claim_flips(b, c)),
        traces=tuple(f for (b, br), (c, cr) in matched if (f := trace_flip(b, c, br.quadrant, cr.quadrant)) is not None),
        answers=tuple(sorted(answers, key=lambda change: not change.worse)), n_same=sum(n_same_claims(b, c) for (b, _), (c, _) in matched),
    )


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
    changes = changes_of([(mine[b], theirs[c]) for b, c in pairing.pairs])
    scores = paired_scores(
        {i: r.scores for i, (_, r) in mine.items()}, {i: r.scores for i, (_, r) in theirs.items()}, pairing.pairs,
        groups={i: question_key(c.trace) for i, (c, _) in mine.items()}, properties=[by(mine[b][0].trace) for b, _ in pairing.pairs] if by else None,
    )
    wanted = scores.metrics if metrics is None else [m for m in metrics if m in scores.metrics]
    return Comparison(
        pairing=pairing,
        metrics=tuple(scores.differences(wanted)),
        trace_flips=changes.traces,
        claim_flips=changes.claims,
        answers=changes.answers,
        answers_unknown=unknown_answers(scores.n, scores.difference("correctness").n if "correctness" in scores.metrics else 0),
        noise=check_noise(floor or NO_FLOOR, observed=changes.n_idle, n=changes.n_same),
        unfair=with_corpus(unfair, documents(c.trace for c, _ in base), documents(c.trace for c, _ in candidate)),
        slices=tuple(scores.by_slice(slice_metric)) if by is not None and slice_metric in scores.metrics else (),
    )


def unknown_answers(n_pairs: int, n_valued: int) -> str:
    """Why nothing can be said of answers that became incorrect or correct; "" where it can. ``n_valued``: pairs with a correctness on both sides."""
    return NO_CORRECTNESS if n_pairs and not n_valued else ""


def with_corpus(known: Sequence[Unfairness], base: Documents, candidate: Documents) -> tuple[Unfairness, ...]:
    """What is known to differ, and whether the documents do."""
    corpus = corpora_differ(base, candidate)
    return (*known, corpus) if corpus is not None and all(u.name != "corpus" for u in known) else tuple(known)


def _value(result: TraceResult, metric: str) -> float | None:
    score = result.scores.get(metric)
    return None if score is None else score.value
