"""What somebody who does not read traces must know of a run: a few large numbers, the worst failures with their evidence, what changed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

import msgspec
import numpy as np

from ragviz.compare.report import Comparison
from ragviz.contracts import View
from ragviz.diagnosis.standings import counts_without_reference
from ragviz.pipeline.column_means import Columns, clusters, mean_of, unsupported_share
from ragviz.pipeline.comparing import Seen, compare_seen
from ragviz.records import Grounding, Interval, JudgedTrace, Policy, TraceResult
from ragviz.store import TO_EXPLAIN, Store, TraceFilter, TraceRow

WORST = 3
LOOKED_AT = 20
"""How many candidates of each kind are looked at for the worst failures."""
OF_CLAIMS = ("n_claims", "n_supported", "n_not_supported", "n_contradicted", "n_conflicted", "n_unjudged")
RANKED = (
    TraceFilter(verdicts=(Grounding.CONTRADICTED,)), TraceFilter(quadrants=("wrong_mirror", "fabrication")), TraceFilter(verdicts=(Grounding.CONFLICTED,)),
    TraceFilter(verdicts=(Grounding.NOT_SUPPORTED,)), TraceFilter(quadrants=("off_topic",)),
)
"""Kinds of failure, worst first: a passage says the opposite; the reference does; passages disagree; nothing supports it; another question is answered."""


class Figure(msgspec.Struct, frozen=True, kw_only=True):
    """One large number."""

    name: str
    value: float | None
    interval: Interval | None
    n: int
    """Answers (for ``hallucination``: claims) it rests on."""
    of: int
    """How many there are."""


class Failure(msgspec.Struct, frozen=True, kw_only=True):
    """One answer that went wrong."""

    case: JudgedTrace
    result: TraceResult
    alike: int
    """Answers of the run in the same quadrant."""


class Briefing(msgspec.Struct, frozen=True, kw_only=True):
    """Everything the report says."""

    run: str
    imported_at: datetime
    judge: str
    """Name and version, with the model."""
    policy: Policy
    k: int | None
    n_traces: int
    n_rejected: int
    """Rows that could not be read, or are in doubt."""
    figures: tuple[Figure, ...]
    claims: Mapping[Grounding, int]
    quadrants: Mapping[str, int]
    causes: Mapping[str, int]
    """Traces per cause, wrong refusals included: the counts of the Overview."""
    worst: tuple[Failure, ...]
    standings: Mapping[str, int] | None = None
    """Answers by standing where none has a correctness; None where the quadrants say more."""
    base: str = ""
    """Name of the run it is compared with."""
    change: Comparison | None = None


def brief(seen: Seen, *, base: Seen | None = None, change: Comparison | None = None) -> Briefing:
    """
    Sum up a judged run.

    Args:
        seen: The run, judged and scored.
        base: An earlier run of the same questions, judged; None = nothing to compare with.
        change: Their comparison where it is known already; else it is made.
    """
    store, view = seen
    manifest = seen.manifest
    columns = store.columns(view, ("faithfulness", "correctness", "relevance", "quadrant", *OF_CLAIMS))
    if base is not None and change is None:
        change = compare_seen(base, seen)
    quadrants = store.counts_by(view, "quadrant", TraceFilter())
    return Briefing(
        run=manifest.name,
        imported_at=manifest.created_at,
        judge=_judge_words(store, view),
        policy=view.policy,
        k=view.k,
        n_traces=manifest.n_traces,
        n_rejected=manifest.n_issues,
        figures=_figures(columns, view.policy),
        claims=store.claim_counts(view, TraceFilter()),
        quadrants=quadrants,
        causes=store.counts_by(view, "cause", TO_EXPLAIN),
        worst=_worst(store, view, quadrants),
        standings=counts_without_reference(columns["faithfulness"], columns["correctness"], columns["relevance"], columns["quadrant"] == "abstained"),
        base=base.manifest.name if base is not None else "",
        change=change,
    )


def _figures(columns: Columns, policy: Policy) -> tuple[Figure, ...]:
    groups, n_traces = clusters(columns["group"]), len(columns["group"])
    value, interval, _, counted = unsupported_share(columns, groups, policy)
    n_claims = int(np.nansum(columns["n_claims"]))
    found = [Figure(name="hallucination", value=value, interval=interval, n=counted, of=n_claims)]
    for name in ("faithfulness", "correctness", "relevance"):
        value, interval, n = mean_of(columns[name], groups)
        found.append(Figure(name=name, value=value, interval=interval, n=n, of=n_traces))
    return tuple(found)


def _judge_words(store: Store, view: View) -> str:
    for case in store.judged(view, store.trace_ids(view.run_id)[:LOOKED_AT]):
        for judgement in case.judgements:
            p = judgement.provenance
            if p.fingerprint == view.judge:
                return f"{p.judge} {p.judge_version}" + (f" ({p.model})" if p.model else "")
    return "not judged"


def _worst(store: Store, view: View, quadrants: Mapping[str, int]) -> tuple[Failure, ...]:
    """Worst kind first, within a kind the least faithful; each quadrant once before any twice, so that three failures show more than one."""
    rows: dict[str, TraceRow] = {}
    for where in RANKED:
        for row in store.page(view, where, sort="faithfulness", limit=LOOKED_AT):
            if row.quadrant not in ("abstained", "good"):
                rows.setdefault(row.id, row)
    picked = _different_first(list(rows.values()))
    results = {r.trace_id: r for r in store.results(view, [row.id for row in picked])}
    cases = {case.trace.id: case for case in store.judged(view, [row.id for row in picked])}
    return tuple(
        Failure(case=cases[row.id], result=results[row.id], alike=quadrants.get(row.quadrant, 0)) for row in picked if row.id in cases and row.id in results
    )


def _different_first(rows: Sequence[TraceRow]) -> list[TraceRow]:
    first = list({row.quadrant: row for row in reversed(rows)}.values())
    order = {row.id: at for at, row in enumerate(rows)}
    first.sort(key=lambda row: order[row.id])
    return (first + [row for row in rows if row not in first])[:WORST]
