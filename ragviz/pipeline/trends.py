"""Runs, and times or versions inside one run, as parts of a trend."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from enum import StrEnum
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from ragviz.compare.quantities import QUANTITIES
from ragviz.compare.trend import Part
from ragviz.compare.version_names import are_numbered, family, is_version_tag, natural, version_of
from ragviz.contracts import View
from ragviz.diagnosis.slices import question_kind
from ragviz.records import RunManifest
from ragviz.records.ids import group_code
from ragviz.store import Store
from ragviz.store.facts import reports_by_run, trace_facts
from ragviz.store.labels import REPORTS

Floats = NDArray[np.float64]

STORED = tuple(q.name for q in QUANTITIES if q.name not in ("conflicted", "document_age", "reported", "answer_words"))
"""Quantities that are columns of the store."""
KINDS = (2, 12)
"""A tag with so many different values divides questions into kinds."""
OWN = 0.9
"""A tag with one value in that share of the parts or more describes the system, not the question."""
ALIKE = 0.1
"""Runs with that share of their questions in common are of one system."""
DAY_S = 86_400.0


class By(StrEnum):
    """What one part is."""

    RUN = "run"
    VERSION = "version"
    MONTH = "month"
    WEEK = "week"
    DAY = "day"


class Facts(msgspec.Struct, frozen=True, kw_only=True):
    """A run's traces without their texts, in file order."""

    ids: NDArray[Any]
    groups: NDArray[np.int64]
    """The question of each trace as a number (``records.ids.group_code``): texts of a hundred thousand take 12 MiB."""
    kinds: NDArray[Any]
    """The question word each question opens with."""
    started_at: Floats
    """Seconds since 1970; NaN = unknown."""
    versions: NDArray[Any]
    """None = unknown."""
    version_tag: str | None
    """Name of the tag that gives most versions."""
    tags: Mapping[str, NDArray[Any]]
    """Without those that give a version; None where a trace has none of that name."""
    words: Floats
    age_days: Floats
    """Mean age of the dated passages when the question was asked; NaN where neither is known."""

    @property
    def with_time(self) -> int:
        """Traces that say when."""
        return int((~np.isnan(self.started_at)).sum())

    @property
    def with_version(self) -> int:
        """Traces that say of which version they are."""
        return sum(version is not None for version in self.versions)


def run_facts(store: Store, run_id: str) -> Facts:
    """Read a run once, without the texts of its passages, and keep of each trace no more than its columns: words that come often once."""
    columns: dict[str, list[Any]] = {name: [] for name in ("ids", "groups", "kinds", "versions", "started_at", "words", "age_days")}
    tags: dict[str, list[str | None]] = {}
    named: Counter[str] = Counter()
    days: dict[str, float | None] = {}
    known: dict[str, str] = {}
    n = 0
    for n, row in enumerate(trace_facts(store, run_id), start=1):
        version = version_of(row.tags)
        named.update([version[0]] if version else [])
        kind = question_kind(row.question)
        for column, value in zip(columns.values(), (
            row.id, group_code(row.group), known.setdefault(kind, kind), known.setdefault(version[1], version[1]) if version else None,
            np.nan if row.started_at is None else row.started_at, row.words, _age(row.dates, row.started_at, days),
        ), strict=True):
            column.append(value)
        for name, value in row.tags.items():
            if not is_version_tag(name):
                of_name = tags.setdefault(name, [])
                of_name += [None] * (n - 1 - len(of_name))
                of_name.append(known.setdefault(value, value))
    return Facts(
        **{name: _objects(columns[name]) for name in ("ids", "kinds", "versions")}, groups=np.array(columns["groups"], dtype=np.int64),
        **{name: np.array(columns[name], dtype=np.float64) for name in ("started_at", "words", "age_days")},
        version_tag=named.most_common(1)[0][0] if named else None,
        tags={name: _objects([*values, *[None] * (n - len(values))]) for name, values in sorted(tags.items())},
    )


def _objects(values: Sequence[Any]) -> NDArray[Any]:
    made = np.empty(len(values), dtype=object)
    made[:] = values
    return made


def _age(dates: Sequence[str], at: float | None, days: dict[str, float | None]) -> float:
    if at is None:
        return float("nan")
    known = [day for date in dates if (day := _remembered(date, days)) is not None]
    return (at - sum(known) / len(known)) / DAY_S if known else float("nan")


def _remembered(date: str, days: dict[str, float | None]) -> float | None:
    """Seconds since 1970 of an ISO date, or of its year or month alone; dates repeat from trace to trace."""
    if date not in days:
        days[date] = None
        for text in (date, f"{date[:7]}-01", f"{date[:4]}-01-01"):
            try:
                found = datetime.fromisoformat(text)
            except ValueError:
                continue
            days[date] = (found if found.tzinfo else found.replace(tzinfo=UTC)).timestamp()
            break
    return days[date]


def ways(facts: Facts) -> list[By]:
    """How one run can be divided: by version where there are several, by time where it spans more than one of them."""
    found = [By.VERSION] if len({v for v in facts.versions if v is not None}) > 1 else []
    return found + [by for by in (By.MONTH, By.WEEK, By.DAY) if len(set(_bins(facts.started_at, by)) - {None}) > 1]


def related(runs: Sequence[RunManifest], chosen: RunManifest, facts: Callable[[str], Facts]) -> list[RunManifest]:
    """The runs of the chosen one's system: the same name but for numbers, or a tenth of the smaller one's questions in common."""
    mine = np.unique(facts(chosen.run_id).groups)
    found = []
    for run in runs:
        alike = run.run_id == chosen.run_id or (family(run.name) == family(chosen.name) != "")
        if not alike:
            theirs = np.unique(facts(run.run_id).groups)
            alike = len(np.intersect1d(mine, theirs, assume_unique=True)) >= max(1.0, ALIKE * min(len(mine), len(theirs)))
        if alike:
            found.append(run)
    return found


def parts_by_run(store: Store, views: Sequence[tuple[RunManifest, View]], facts: Callable[[str], Facts]) -> list[Part]:
    """One part a run, oldest first: by the time of the traces, else by the numbers in the names, else by import."""
    reported = reports_by_run(store, REPORTS)
    found = [(run, facts(run.run_id), _values(store, view, facts(run.run_id), reported)) for run, view in views]
    labels = [_label(run, told) for run, told, _ in found]
    labels = [label if labels.count(label) == 1 else run.name for label, (run, _, _) in zip(labels, found, strict=True)]
    made = [
        _part(label, told, values, np.arange(len(told.ids)), key=run.run_id, run_id=run.run_id) for label, (run, told, values) in zip(labels, found, strict=True)
    ]
    order = sorted(range(len(made)), key=lambda i: _place(made[i], found[i][0], timed=all(p.at for p in made), numbered=are_numbered([run.name for run, _, _ in found])))
    return _without_own_tags([made[i] for i in order])


def parts_within(store: Store, view: View, facts: Facts, by: By) -> list[Part]:
    """The versions, months, weeks or days of one run, oldest first; traces without one are left out."""
    values = _values(store, view, facts, reports_by_run(store, REPORTS))
    keys = facts.versions if by is By.VERSION else _bins(facts.started_at, by)
    where: dict[str, list[int]] = {}
    for index, key in enumerate(keys):
        if key is not None:
            where.setdefault(key, []).append(index)
    made = [_part(key, facts, values, np.array(rows), key=key, run_id=view.run_id) for key, rows in where.items()]
    timed = by is not By.VERSION or all(p.at for p in made)
    made.sort(key=lambda p: (p.at.timestamp() if p.at and timed else 0.0, natural(p.key)))
    return _without_own_tags(made)


def _bins(started_at: Floats, by: By) -> NDArray[Any]:
    """The first day of the month or week of each trace, or its day itself, as ISO text in UTC; None without a time. Worked out once a day, not once a trace."""
    found = np.empty(len(started_at), dtype=object)
    known = np.flatnonzero(~np.isnan(started_at))
    days, place = np.unique(np.floor(started_at[known] / DAY_S), return_inverse=True)
    found[known] = _objects([_first_day(datetime.fromtimestamp(float(day) * DAY_S, UTC).date(), by).isoformat() for day in days])[place]
    return found


def _first_day(day: date, by: By) -> date:
    if by is By.MONTH:
        return day.replace(day=1)
    return day - timedelta(days=day.weekday()) if by is By.WEEK else day


def _label(run: RunManifest, facts: Facts) -> str:
    """The version that nearly all traces give, else the run's name."""
    counts = Counter(v for v in facts.versions if v is not None)
    version, n = counts.most_common(1)[0] if counts else ("", 0)
    return version if n >= OWN * len(facts.versions) and n else run.name


def _place(part: Part, run: RunManifest, *, timed: bool, numbered: bool) -> tuple[Any, ...]:
    if timed and part.at is not None:
        return (part.at.timestamp(),)
    return natural(run.name) if numbered else (run.created_at.timestamp(),)


def _values(store: Store, view: View, facts: Facts, reported: Mapping[str, Sequence[str]]) -> dict[str, Floats]:
    """Every quantity of every trace of a run."""
    columns = store.columns(view, [*STORED, "n_conflicted"])
    found = {name: columns[name] for name in STORED}
    found["conflicted"] = np.where(np.isnan(columns["n_conflicted"]), np.nan, columns["n_conflicted"] > 0)
    found["document_age"], found["answer_words"] = facts.age_days, facts.words
    of_users = set(reported.get(view.run_id, ()))
    if of_users:
        found["reported"] = np.fromiter((trace_id in of_users for trace_id in facts.ids), np.float64, len(facts.ids))
    return found


def _part(label: str, facts: Facts, values: Mapping[str, Floats], rows: NDArray[Any], *, key: str, run_id: str) -> Part:
    times = facts.started_at[rows]
    known = times[~np.isnan(times)]
    kinds = {"question": facts.kinds[rows]} | {f"tag: {name}": column[rows] for name, column in facts.tags.items()}
    return Part(
        key=key, label=label, at=datetime.fromtimestamp(float(np.median(known)), UTC) if len(known) else None, run_id=run_id, ids=facts.ids[rows], groups=facts.groups[rows],
        kinds=kinds, values={name: column[rows] for name, column in values.items()},
    )


def _without_own_tags(parts: list[Part]) -> list[Part]:
    """Only the tags that divide questions: few values, on most traces, and not one value a version."""
    names = {name for part in parts for name in part.kinds if name != "question"}
    kept = {"question"} | {name for name in names if _divides([part.kinds.get(name) for part in parts])}
    return [msgspec.structs.replace(part, kinds={name: column for name, column in part.kinds.items() if name in kept}) for part in parts]


def _divides(columns: Sequence[NDArray[Any] | None]) -> bool:
    values = [[v for v in column if v is not None] if column is not None else [] for column in columns]
    n_traces, n_tagged = sum(len(c) for c in columns if c is not None), sum(map(len, values))
    different = {v for some in values for v in some}
    if not KINDS[0] <= len(different) <= KINDS[1] or n_tagged < n_traces / 2:
        return False
    return sum(len(set(some)) <= 1 for some in values) < OWN * len(values)
