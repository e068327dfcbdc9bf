"""Ragas' metrics on a run, kept beside what came with the file: another tool's word, never mixed with ours."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from ragviz.backends.ragas_scorer import METRICS, RagasScorer, RagasSettings
from ragviz.errors import Cancelled, UnknownName
from ragviz.pipeline.scoring import Progress
from ragviz.records import ImportedScore, Trace
from ragviz.store import Store

TRACES_AT_ONCE = 8
"""So many are lost, and paid for again, when the program is killed."""
FAILED = "failed"


class MetricScored(msgspec.Struct, frozen=True, kw_only=True):
    """One metric over the run."""

    name: str
    n: int
    """Traces with a value."""
    mean: float | None
    """Over these; None without any."""
    missing: Mapping[str, int]
    """How many have no value, by reason."""


class RagasReport(msgspec.Struct, frozen=True, kw_only=True):
    """What scoring came to."""

    run_id: str
    n_traces: int
    n_asked: int
    """Pairs of trace and metric that Ragas was asked for now."""
    n_known: int
    """Pairs that had been answered before."""
    metrics: tuple[MetricScored, ...]
    made_with: Mapping[str, str]
    """Library, version, model and settings."""


def score_with_ragas(
    store: Store, run_id: str, metrics: Sequence[str], settings: RagasSettings, *, limit: int | None = None, on_progress: Progress | None = None,
    cancel: threading.Event | None = None,
) -> RagasReport:
    """
    Ask what is not answered yet, and store the answers as imported scores. Stopped and started again, it goes on where it was.

    A failed call is a score without a value, with the reason, and asked again next time; a sample that Ragas cannot score stays without one.

    Args:
        store: Where the run is.
        run_id: The run.
        metrics: Ragas' names (``METRICS``).
        settings: Whom it asks.
        limit: Only the first so many traces.
        on_progress: Told how many of how many traces are done.
        cancel: Stops between batches.

    Raises:
        UnknownName: No such metric.
        JudgeUnavailable: Ragas, the key or embeddings are missing; or the service refuses the key.
        Cancelled: Stopped; what was scored is stored.
    """
    unknown = [name for name in metrics if name not in METRICS]
    if unknown:
        raise UnknownName(f"no metric of Ragas named {unknown[0]!r}", fix=f"Known: {', '.join(METRICS)}")
    ids = store.trace_ids(run_id)[:limit]
    n_asked = n_known = 0
    with RagasScorer(metrics, settings) as scorer:
        made_with = {name: scorer.made_with(name) for name in metrics}
        for start in range(0, len(ids), TRACES_AT_ONCE):
            if cancel is not None and cancel.is_set():
                raise Cancelled("scoring was stopped", fix="start it again to go on from here")
            traces = list(store.traces(run_id, ids[start : start + TRACES_AT_ONCE]))
            asked = [(trace, name) for trace in traces for name in metrics if not _known(trace, name, made_with[name])]
            n_asked, n_known = n_asked + len(asked), n_known + len(traces) * len(metrics) - len(asked)
            found: dict[str, list[ImportedScore]] = {}
            for (trace, name), value in zip(asked, scorer.score([(name, sample_of(trace)) for trace, name in asked]), strict=True):
                score = ImportedScore(name=name, value=value.value, label=value.status or None, reason=value.reason, made_with=made_with[name])
                found.setdefault(trace.id, []).append(score)
            if found:
                store.add_scores(run_id, found)
            if on_progress is not None:
                on_progress(min(start + TRACES_AT_ONCE, len(ids)), len(ids))
    scored = tuple(_summary(store, run_id, ids, name, made_with[name]) for name in metrics)
    return RagasReport(run_id=run_id, n_traces=len(ids), n_asked=n_asked, n_known=n_known, metrics=scored, made_with=_shared(list(made_with.values())))


def sample_of(trace: Trace) -> dict[str, Any]:
    """The trace as Ragas names its fields."""
    return {
        "user_input": trace.question.strip() and trace.question, "response": trace.response.strip() and trace.response,
        "retrieved_contexts": [passage.text for passage in trace.passages or () if passage.text.strip()], "reference": trace.reference,
    }


def _known(trace: Trace, name: str, made_with: Mapping[str, str]) -> bool:
    return any(score.name == name and dict(score.made_with) == made_with and score.label != FAILED for score in trace.scores)


def _summary(store: Store, run_id: str, ids: Sequence[str], name: str, made_with: Mapping[str, str]) -> MetricScored:
    found = [score for trace in store.traces(run_id, ids) for score in trace.scores if score.name == name and dict(score.made_with) == made_with]
    values = [score.value for score in found if score.value is not None]
    missing = Counter(f"{score.label}: {score.reason}" if score.label else score.reason for score in found if score.value is None)
    return MetricScored(name=name, n=len(values), mean=sum(values) / len(values) if values else None, missing=dict(missing.most_common()))


def _shared(every: Sequence[Mapping[str, str]]) -> dict[str, str]:
    """What all metrics were made with."""
    first, *others = every
    shared = {word: value for word, value in first.items() if word != "metric" and all(other.get(word, value) == value for other in others)}
    for other in others:
        shared |= {word: value for word, value in other.items() if word == "embeddings"}
    return shared
