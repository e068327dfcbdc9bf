"""Runs, and times or versions inside one run, as parts of a trend; and the trend of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from ragviz.compare.behind import behind
from ragviz.compare.quantities import QUANTITIES
from ragviz.compare.trend import Part, Trend, Version, trend
from ragviz.compare.version_names import are_numbered, family, natural
from ragviz.contracts import View
from ragviz.pipeline.trend_facts import OWN, By, Facts, bins, divides, rows_by
from ragviz.records import RunManifest
from ragviz.store import Store
from ragviz.store.facts import reports_by_run
from ragviz.store.labels import REPORTS

Floats = NDArray[np.float64]
Rows = slice | NDArray[np.int64]

STORED = tuple(q.name for q in QUANTITIES if q.name not in ("conflicted", "document_age", "reported", "answer_words"))
"""Quantities that are columns of the store."""
ALIKE = 0.1
"""Runs with that share of their questions in common are of one system."""
BEHIND, MOST_CHANGES = 3, 12
"""Traces named behind a change, and changes of which they are looked for."""


class Moved(msgspec.Struct, frozen=True, kw_only=True):
    """One trace behind a change."""

    trace_id: str
    before: float | None
    """What the same question had before; None where it was not asked then."""
    after: float


class Followed(msgspec.Struct, frozen=True, kw_only=True):
    """A trend and what is said of it, without the traces: some thousand numbers, whatever the size of the runs."""

    versions: tuple[Version, ...]
    trend: Trend | None
    """None of fewer than two versions."""
    behind: Mapping[int, tuple[Moved, ...]]
    """By the index of the version with which something changed: the traces that moved most, of the first changes."""


def related(runs: Sequence[RunManifest], chosen: RunManifest, groups: Callable[[str], NDArray[np.int64]]) -> list[RunManifest]:
    """
    The runs of the chosen one's system: the same name but for numbers, or a tenth of the smaller one's questions in common (``groups``: those of
    a run as numbers).
    """
    mine: NDArray[np.int64] | None = None
    found = []
    for run in runs:
        alike = run.run_id == chosen.run_id or (family(run.name) == family(chosen.name) != "")
        if not alike:
            mine = np.unique(groups(chosen.run_id)) if mine is None else mine
            theirs = np.unique(groups(run.run_id))
            alike = len(np.intersect1d(mine, theirs, assume_unique=True)) >= max(1.0, ALIKE * min(len(mine), len(theirs)))
        if alike:
            found.append(run)
    return found


def follow(store: Store, parts: Sequence[Part]) -> Followed:
    """The trend of these parts, and the traces behind its changes. From one look into the store: a trend of few values must not be taken for one of all."""
    found = trend(parts) if len(parts) > 1 else None
    moved: dict[int, tuple[Moved, ...]] = {}
    for change in found.changes[:MOST_CHANGES] if found else ():
        before, after = parts[change.before], parts[change.after]
        rows = behind(before, after, change.lead.quantity, rose=change.lead.effect > 0, limit=BEHIND)
        ids = store.ids_at(after.run_id, [row.position for row in rows])
        moved[change.after] = tuple(Moved(trace_id=trace_id, before=row.before, after=row.after) for trace_id, row in zip(ids, rows, strict=True))
    return Followed(versions=tuple(part.version for part in parts), trend=found, behind=moved)


def parts_by_run(store: Store, views: Sequence[tuple[RunManifest, View]], facts: Callable[[str], Facts]) -> list[Part]:
    """One part a run, oldest first: by the time of the traces, else by the numbers in the names, else by import."""
    reported = reports_by_run(store, REPORTS)
    known = [facts(run.run_id) for run, _ in views]
    labels = [_label(run, told) for (run, _), told in zip(views, known, strict=True)]
    labels = [label if labels.count(label) == 1 else run.name for label, (run, _) in zip(labels, views, strict=True)]
    made = [
        _part(label, told, _values(store, view, told, reported), slice(None), key=run.run_id, run_id=run.run_id)
        for label, told, (run, view) in zip(labels, known, views, strict=True)
    ]
    timed, numbered = all(p.at for p in made), are_numbered([run.name for run, _ in views])
    order = sorted(range(len(made)), key=lambda i: _place(made[i], views[i][0], timed=timed, numbered=numbered))
    return _without_own_tags([made[i] for i in order])


def parts_within(store: Store, view: View, facts: Facts, by: By) -> list[Part]:
    """The versions, months, weeks or days of one run, oldest first; traces without one are left out."""
    values = _values(store, view, facts, reports_by_run(store, REPORTS))
    made = [
        _part(key, facts, values, rows, key=key, run_id=view.run_id)
        for key, rows in rows_by(facts.versions if by is By.VERSION else bins(facts.started_at, by))
    ]
    timed = by is not By.VERSION or all(p.at for p in made)
    made.sort(key=lambda p: (p.at.timestamp() if p.at and timed else 0.0, natural(p.key)))
    return _without_own_tags(made)


def _label(run: RunManifest, facts: Facts) -> str:
    """The version that nearly all traces give, else the run's name."""
    counts = facts.versions.counts()
    version, n = max(counts.items(), key=lambda one: one[1], default=("", 0))
    return version if n >= OWN * facts.n and n else run.name


def _place(part: Part, run: RunManifest, *, timed: bool, numbered: bool) -> tuple[Any, ...]:
    if timed and part.at is not None:
        return (part.at.timestamp(),)
    return natural(run.name) if numbered else (run.created_at.timestamp(),)


def _values(store: Store, view: View, facts: Facts, reported: Mapping[str, Sequence[str]]) -> dict[str, Floats]:
    """Every quantity of every trace of a run."""
    columns = store.numbers(view, [*STORED, "n_conflicted"])
    found = {name: columns[name] for name in STORED}
    found["conflicted"] = np.where(np.isnan(columns["n_conflicted"]), np.nan, columns["n_conflicted"] > 0)
    found["document_age"], found["answer_words"] = facts.age_days, facts.words
    of_users = reported.get(view.run_id, ())
    if of_users:
        found["reported"] = np.zeros(facts.n)
        found["reported"][list(store.positions_of(view.run_id, of_users).values())] = 1.0
    return found


class _Some(Mapping[str, Floats]):
    """Some rows of columns, each read when it is asked for: of a million traces all of them would be a second copy of everything."""

    def __init__(self, columns: Mapping[str, Floats], rows: Rows) -> None:
        self._columns, self._rows = columns, rows

    def __getitem__(self, name: str) -> Floats:
        return self._columns[name][self._rows]

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)


def _part(label: str, facts: Facts, values: Mapping[str, Floats], rows: Rows, *, key: str, run_id: str) -> Part:
    times = facts.started_at[rows]
    known = times[~np.isnan(times)]
    positions = np.arange(*rows.indices(facts.n)) if isinstance(rows, slice) else rows
    return Part(
        key=key,
        label=label,
        at=datetime.fromtimestamp(float(np.median(known)), UTC) if len(known) else None,
        run_id=run_id,
        positions=positions,
        groups=facts.groups[rows],
        kinds={"question": facts.kinds.take(rows)} | {f"tag: {name}": column.take(rows) for name, column in facts.tags.items()},
        values=_Some(values, rows),
    )


def _without_own_tags(parts: list[Part]) -> list[Part]:
    """Only the tags that divide questions."""
    names = {name for part in parts for name in part.kinds if name != "question"}
    kept = {"question"} | {name for name in names if divides([part.kinds.get(name) for part in parts], sum(part.n for part in parts if name in part.kinds))}
    return [msgspec.structs.replace(part, kinds={name: column for name, column in part.kinds.items() if name in kept}) for part in parts]
