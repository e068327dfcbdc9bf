"""Slices that are no tag (the kind of question, how long the answer is, how many passages) as part of a URL: only looking at the traces tells which belong."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from ragviz.diagnosis.slices import TAG, dimensions
from ragviz.store import TraceFilter
from ragviz.ui import filters, resources, selection

PARAM = "slice"
MOST_TRACES = 20_000
"""Of larger runs a sample is looked into, so that no list of theirs is known whole."""


def here(run_id: str) -> TraceFilter:
    """The filter of the page's URL for a run."""
    return asked(st.query_params, run_id)


def asked(params: Mapping[str, str], run_id: str) -> TraceFilter:
    """The filter of a URL; a slice that the run does not have is dropped, like everything that fits nothing."""
    where = filters.from_params(params)
    word = selection.text(params, PARAM)
    if word is None or resources.store().run(run_id).n_traces > MOST_TRACES:
        return where
    ids = _members(run_id).get(word, ())
    return filters.also(where, slice=word, ids=ids) if ids else where


def of(run_id: str, name: str, value: str) -> TraceFilter | None:
    """The filter that opens a slice; None where its name is too long for a URL."""
    params = {PARAM: f"{name}:{value}"}
    found = asked(params, run_id)
    return found if found.slice else None


def _members(run_id: str) -> dict[str, tuple[str, ...]]:
    """Trace ids by slice, as it is written in a URL."""
    def made() -> dict[str, tuple[str, ...]]:
        found: dict[str, list[str]] = {}
        for trace in resources.store().traces(run_id):
            for name, value in dimensions(trace).items():
                if not name.startswith(TAG):
                    found.setdefault(f"{name}:{value}", []).append(trace.id)
        return {word: tuple(ids) for word, ids in found.items()}

    return resources.shared(made, "slices", run_id, run_id=run_id)
