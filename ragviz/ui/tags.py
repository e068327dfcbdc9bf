"""Tags of a run as choices: each is one query parameter, the same on every page."""

from __future__ import annotations

import streamlit as st

from ragviz.figures.plot_text import cut, visible
from ragviz.store import TraceFilter
from ragviz.ui import address, filters, resources, selection

MAX_OPTIONS = 400
"""Offered in a select box; more are found by search."""


def options(run_id: str) -> dict[str, str]:
    """Every tag as query parameter and label; a combination that came in a link is offered too."""
    found = resources.query(lambda: dict(resources.store().labels(run_id, "tag", limit=MAX_OPTIONS)), "tags", run_id, run_id=run_id)
    offered = {
        filters.to_params(TraceFilter(tags={name: value}))["tag"]: cut(visible(f"{name}: {value}"), 40) for name, values in found.items() for value in values
    }
    known = {word: label for word, label in offered.items() if filters.from_params({"tag": word}).tags}  # a page-long value fits no address
    asked = filters.from_params(st.query_params).tags
    word = filters.to_params(TraceFilter(tags=asked)).get("tag")
    given = selection.text(st.query_params, "tag")
    if word and given and given not in known:
        known[given] = ", ".join(f"{n}: {v}" for n, v in asked.items())
    return known


def choose(run_id: str, *, title: str = "Tag", none: str = "any") -> TraceFilter:
    """The select box; gives the filter that it stands for."""
    known = options(run_id)
    address.select_box(title, "tag", ["", *known], labels={"": none, **known}, disabled=not known)
    return TraceFilter(tags=filters.from_params(st.query_params).tags)
