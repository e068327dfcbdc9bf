"""What trends read of a run: when, which version, what was asked, how long the answer, how old its documents, and what users reported."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import select

from ragviz.contracts import View
from ragviz.store import runs, schema, told
from ragviz.store.coded import Words
from ragviz.store.store import Store

Floats = NDArray[np.float64]


class TraceFacts(NamedTuple):
    """The traces of a run without their texts, in file order. Arrays are shared: read-only."""

    groups: NDArray[np.int64]
    """The question of each trace as a number (``records.ids.group_code``)."""
    started_at: Floats
    """Seconds since 1970, UTC; NaN = unknown."""
    kinds: Words
    """The kind of question (``text.question_kinds``)."""
    versions: Words
    """Words for ``told.version_in``."""
    tags: Mapping[str, Words]
    """By name, without those that give a version or have more than ``told.MOST_VALUES`` values. Words for ``told.value_of``."""
    words: Floats
    """Of the answer."""
    age_days: Floats
    """Mean age of the dated passages when the question was asked; NaN where neither is known."""


def trace_facts(store: Store, run_id: str) -> TraceFacts:
    """The facts of a run's traces."""
    db = store._db  # noqa: SLF001 - the same room
    with db.read() as conn:
        names = told.names_in(conn, runs.run_key(conn, run_id, db.where))
    # No judge has a say in these columns.
    found = store._columns.get(View(run_id=run_id, judge="", claim_set=""), ["group", "started_at", *names])  # noqa: SLF001 - the same room
    numbers = {name: column for name, column in found.items() if not isinstance(column, Words)}
    words = {name: column for name, column in found.items() if isinstance(column, Words)}
    return TraceFacts(
        groups=numbers["group"], started_at=numbers["started_at"], kinds=words["question_kind"], versions=words["version"],
        tags={name.removeprefix(told.TAG): column for name, column in words.items() if name.startswith(told.TAG) and column.words != (told.NONE,)},
        words=numbers["answer_words"], age_days=numbers["document_age"],
    )


def reports_by_run(store: Store, claim_set: str) -> dict[str, list[str]]:
    """Run ids to the ids of their traces that somebody reported, one entry a report."""
    db = store._db  # noqa: SLF001 - the same room
    a, t, r = schema.annotation.c, schema.trace.c, schema.run.c
    with db.read() as conn:
        rows = conn.execute(
            select(r.run_id, t.trace_id).select_from(schema.annotation.join(schema.trace, t.key == a.trace).join(schema.run, r.key == t.run))
            .where(a.claim_set == claim_set).order_by(a.key),
        ).all()
    found: dict[str, list[str]] = {}
    for run_id, trace_id in rows:
        found.setdefault(run_id, []).append(trace_id)
    return found
