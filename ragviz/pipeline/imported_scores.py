"""Scores that other tools gave, over a run: theirs, summed up beside ours and never mixed with them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from ragviz.records import ImportedScore


class ImportedValue(msgspec.Struct, kw_only=True):
    """What the tool said of one trace."""

    value: float | None
    label: str | None
    reason: str


class ImportedSummary(msgspec.Struct, kw_only=True):
    """One imported score over the run."""

    mean: float | None
    """Of the traces that have a number; None where none has."""
    n: int
    """Traces with a number."""
    missing: int
    """Traces without: the tool failed, gave only a word, or did not look at them."""
    by_trace: dict[str, ImportedValue]
    """By id of the trace; one that the tool did not look at is not in it."""


def imported_summary(traces: Iterable[tuple[str, Sequence[ImportedScore]]]) -> dict[str, ImportedSummary]:
    """
    Mean, numbers and values per score, in the order of first mention.

    A score that ragviz had another tool make has its maker in its name, so that two tools' faithfulness stay two. Of a score that a trace has twice
    the last counts.

    Args:
        traces: Id and imported scores of every trace of the run.
    """
    found: dict[str, dict[str, ImportedValue]] = {}
    n_traces = 0
    for trace_id, scores in traces:
        n_traces += 1
        for score in scores:
            title = f"{score.name} ({score.maker})" if score.maker else score.name
            found.setdefault(title, {})[trace_id] = ImportedValue(value=score.value, label=score.label, reason=score.reason)
    return {title: _summary(by_trace, n_traces) for title, by_trace in found.items()}


def _summary(by_trace: dict[str, ImportedValue], n_traces: int) -> ImportedSummary:
    values = [one.value for one in by_trace.values() if one.value is not None]
    return ImportedSummary(mean=sum(values) / len(values) if values else None, n=len(values), missing=n_traces - len(values), by_trace=by_trace)
