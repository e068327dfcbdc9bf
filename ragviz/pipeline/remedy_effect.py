"""Before and after, over the traces of a remedied run: what got better, and what it cost in answers."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import numpy as np

from ragviz.compare.paired import difference
from ragviz.contracts import View
from ragviz.records import Interval, RemedyNote, RemedyStatus, Trace
from ragviz.store import Store

_KEPT = frozenset({RemedyStatus.UNCHANGED, RemedyStatus.FAILED})
"""The answer is the old one."""
METRICS = ("faithfulness", "relevance", "correctness")
OWN_JUDGE = "The judge that removed them also scored the result: another judge, or people, must say what was lost."
"""Beside the figures of a remedy that acts on verdicts: what its judge took for unsupported and was not, its own figures cannot show."""


class MetricEffect(msgspec.Struct, frozen=True, kw_only=True):
    """One metric, before and after."""

    metric: str
    before: float | None
    """Mean over traces with a value before."""
    after: float | None
    n_before: int
    n_after: int
    difference: float | None
    """Over traces with a value on both sides; an answer that now abstains has none, and counts under coverage."""
    ci95: Interval | None
    """None below six pairs of different questions, as in every comparison of two runs."""
    n_pairs: int


class RemedyEffect(msgspec.Struct, frozen=True, kw_only=True):
    """What a remedied run came to."""

    n: int
    statuses: dict[str, int]
    answered_before: int
    """Traces whose answer stated something."""
    answered_after: int
    metrics: tuple[MetricEffect, ...]
    cost_usd: float
    """Paid for the calls of this run, as far as prices are known."""
    unpriced: int
    """Calls of unknown price."""
    tokens: int
    latency_ms: float | None
    """Mean time of the calls; None when there were none."""
    n_rejected: int
    """Claims of structured answers that were rejected."""
    n_removed: int
    """Unsupported claims taken out or marked."""
    n_lost: int
    """Supported claims that went with them."""
    failures: dict[str, int]
    """Reasons of failed traces, the most frequent first."""


def remedy_effect(store: Store, before: View, after: View) -> RemedyEffect:
    """Both runs through the same judge, paired by trace id; what kept its answer has its old figures on both sides, with people's words in them."""
    traces = list(store.traces(after.run_id))
    ids = [trace.id for trace in traces]
    old = {r.trace_id: r for r in store.results(before, ids)}
    new = {r.trace_id: r for r in store.results(after, ids)}

    def value(found: dict[str, float | None], name: str) -> float | None:
        return found.get(name)

    rows = {
        side: {i: {m: r.scores[m].value if m in r.scores else None for m in (*METRICS, "abstained")} for i, r in found.items()}
        for side, found in (("before", old), ("after", new))
    }
    for trace in traces:
        if trace.remedied is not None and trace.remedied.status in _KEPT and trace.id in rows["before"] and trace.id in rows["after"]:
            # The same answer: a person's word on it before is none on its copy, and would read as an effect of the remedy.
            rows["after"][trace.id] = rows["before"][trace.id]
    groups = {trace.id: trace.group if trace.group is not None else trace.question for trace in traces}
    made = [attempt for trace in traces if trace.remedied for attempt in trace.remedied.attempts if attempt.round > 0]
    times = [a.latency_ms for a in made if a.latency_ms is not None]
    return RemedyEffect(
        n=len(traces),
        statuses=_statuses(traces),
        answered_before=sum(value(r, "abstained") != 1.0 for r in rows["before"].values()),
        answered_after=sum(value(r, "abstained") != 1.0 for r in rows["after"].values()),
        metrics=tuple(_metric(name, rows["before"], rows["after"], groups) for name in METRICS),
        cost_usd=sum(trace.remedied.cost_usd for trace in traces if trace.remedied),
        unpriced=sum(a.cost_usd is None and a.tokens_in is not None for a in made),
        tokens=sum((a.tokens_in or 0) + (a.tokens_out or 0) for a in made if not a.repeated),
        latency_ms=float(np.mean(times)) if times else None,
        n_rejected=sum(bool(c.rejected) for a in made for c in a.claims),
        n_removed=sum(not r.reason for t in traces if t.remedied for r in t.remedied.removed),
        n_lost=sum(bool(r.reason) for t in traces if t.remedied for r in t.remedied.removed),
        failures=_failures(traces),
    )


def own_judge(note: RemedyNote | None, effect: RemedyEffect, after: View) -> str:
    """``OWN_JUDGE`` where claims went and the figures are of the judge that let them go; "" else."""
    went = effect.n_removed or effect.n_lost
    return OWN_JUDGE if note is not None and went and note.judge == after.judge else ""


def _statuses(traces: Sequence[Trace]) -> dict[str, int]:
    found = {status.value: 0 for status in RemedyStatus}
    for trace in traces:
        if trace.remedied is not None:
            found[trace.remedied.status.value] += 1
    return found


def _failures(traces: Sequence[Trace]) -> dict[str, int]:
    found: dict[str, int] = {}
    for trace in traces:
        if trace.remedied is not None and trace.remedied.status is RemedyStatus.FAILED:
            found[trace.remedied.reason] = found.get(trace.remedied.reason, 0) + 1
    return dict(sorted(found.items(), key=lambda pair: -pair[1]))


def _metric(name: str, before: dict[str, dict[str, float | None]], after: dict[str, dict[str, float | None]], groups: dict[str, str]) -> MetricEffect:
    old = {i: v for i, row in before.items() if (v := row[name]) is not None}
    new = {i: v for i, row in after.items() if (v := row[name]) is not None}
    both = [i for i in old if i in new]
    found = difference(name, [old[i] for i in both], [new[i] for i in both], groups=[groups[i] for i in both])
    return MetricEffect(
        metric=name, before=float(np.mean(list(old.values()))) if old else None, after=float(np.mean(list(new.values()))) if new else None,
        n_before=len(old), n_after=len(new), n_pairs=found.n, difference=found.difference, ci95=found.ci95,
    )
