"""Retrieval by slice: each tag against the other questions, worst first, corrected for looking at many."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import streamlit as st
from numpy.typing import NDArray

from ragviz.contracts import View
from ragviz.figures.plot_text import count, counted, cut, interval, number, visible
from ragviz.pipeline import RetrievalCurves
from ragviz.pipeline.column_means import codes
from ragviz.records import Interval
from ragviz.stats.bootstrap import SHARE, mean_interval
from ragviz.stats.significance import holm, two_sample_p
from ragviz.store import TraceFilter
from ragviz.ui import filters, openers, resources, tables, widgets

MOST_VALUES = 12
"""A tag with more values than this names single questions rather than slices."""
MOST_SLICES = 40
MOST_QUESTIONS, SAMPLE = 50_000, 20_000
"""Questions up to which all are compared, and how many are drawn otherwise."""
FEWEST = 3
"""Questions with labels from which on a slice is shown."""


@dataclass(frozen=True)
class Row:
    """One slice at the cut-off."""

    name: str
    value: str
    n: int
    recall: float
    recall_interval: Interval | None
    ndcg: float
    hit: float
    rest: float
    """Recall of the other questions."""
    p: float
    """Of the difference in recall, corrected for all slices of the table."""


def render(view: View, found: RetrievalCurves, k: int) -> None:
    """The box."""
    with widgets.box("by-slice", "By slice", f"recall at {k} of each tag against the other questions, worst first; p corrected for all rows"):
        some = _drawn(found)
        rows = resources.query(lambda: _rows(view, some, k), "retrieval_slices", view, k, run_id=view.run_id)
        if some is not found:
            st.caption(f"From a seeded sample of {count(SAMPLE)} of {counted(len(found.positions), 'question')} with labels.")
        if not rows:
            st.caption(f"No tag in this run has {FEWEST} or more questions with labels, and at most {MOST_VALUES} values.")
            return
        key = f"by-slice-{view.run_id}-{k}-{len(rows)}"
        tables.show(
            frame(rows, k), row_height=28, key=key, alt="Retrieval of each slice",
            column_config={
                "open": openers.opening(f"{key}-open", "traces", [_place(row) for row in rows]), "slice": st.column_config.TextColumn(width=220),
                "questions": st.column_config.NumberColumn(width=80),
            },
        )
        sure = sum(row.p < 0.05 for row in rows)
        st.caption(f"{counted(sure, 'slice')} beyond chance." if sure else f"None of the {count(len(rows))} slices differs from the rest beyond chance.")


def _place(row: Row) -> dict[str, str]:
    return {**filters.to_params(TraceFilter(tags={row.name: row.value})), "sort": "recall_at_k"}


def _drawn(found: RetrievalCurves) -> RetrievalCurves:
    """All rows, or as many as a click can take."""
    n = len(found.positions)
    if n <= MOST_QUESTIONS:
        return found
    rows = np.random.default_rng(n).choice(n, size=SAMPLE, replace=False)
    rows.sort()
    return found.only(rows)


def _rows(view: View, found: RetrievalCurves, k: int) -> list[Row]:
    store = resources.store()
    slices: dict[tuple[str, str], NDArray[np.bool_]] = {}
    labels = {name: values for name, values in store.labels(view.run_id, "tag").items() if 1 < len(values) <= MOST_VALUES}
    for name, value in [(name, value) for name, values in labels.items() for value in values][:MOST_SLICES]:
        slices[name, value] = store.mask(view, TraceFilter(tags={name: value}))[found.positions]
    return rows_of(slices, found, k)


def rows_of(slices: Mapping[tuple[str, str], NDArray[np.bool_]], found: RetrievalCurves, k: int) -> list[Row]:
    """
    The table, worst recall first.

    Args:
        slices: By (tag, value): which rows of the curves belong to it, shape (n_traces,).
        found: The curves.
        k: The cut-off, one of ``found.ks``.
    """
    recall, ndcg, hit = (found.at(name, k) for name in ("recall", "ndcg", "hit"))
    known, groups = ~np.isnan(recall), codes(found.groups)
    made = []
    for (name, value), mask in slices.items():
        inside, outside = mask & known, ~mask & known
        if inside.sum() < FEWEST or not outside.any():
            continue
        made.append(
            Row(
                name=name,
                value=value,
                n=int(inside.sum()),
                recall=float(recall[inside].mean()),
                recall_interval=mean_interval(recall[inside], groups=groups[inside], within=SHARE),
                ndcg=float(ndcg[inside].mean()),
                hit=float(hit[inside].mean()),
                rest=float(recall[outside].mean()),
                p=two_sample_p(recall[inside], recall[outside]),
            )
        )
    corrected = [Row(**{**vars(row), "p": p}) for row, p in zip(made, holm([row.p for row in made]), strict=True)]
    return sorted(corrected, key=lambda row: (row.recall, -row.n, row.name, row.value))


def frame(rows: Sequence[Row], k: int) -> pa.Table:
    """One row a slice; numbers as words, so that none is shown with more digits than it has."""
    return tables.of_rows([
        {
            "open": "Open ›", "slice": cut(visible(f"{row.name}: {row.value}"), 60), "questions": row.n, f"recall@{k}": number(row.recall),
            "95 % interval": interval(row.recall_interval.lo, row.recall_interval.hi) if row.recall_interval else "–", "the others": number(row.rest),
            f"hit@{k}": number(row.hit), f"nDCG@{k}": number(row.ndcg), "p": f"{row.p:.3f}" if row.p >= 0.001 else "< 0.001",
        }
        for row in rows
    ])
