"""What trends read of a run's columns, against plain Python over the same traces and results."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, date, datetime, timedelta
from itertools import count, pairwise

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from ragviz.compare.behind import behind
from ragviz.compare.trend import Mean, Part, trend
from ragviz.pipeline.trend_facts import By, offer, run_facts
from ragviz.pipeline.trends import parts_within
from ragviz.records import Interval, Passage, Trace, TraceResult, Usage
from ragviz.records.ids import group_code
from ragviz.stats.bootstrap import mean_interval
from ragviz.store import Store, blocks, columns, open_store, refreshing
from ragviz.text.question_kinds import question_kind
from ragviz.text.version_tags import is_version_tag, version_of
from tests.contracts.store_laws import VIEW, manifest, result

_numbers = count()
DAYS = {"2026-04-03": date(2026, 4, 3), "2026-02": date(2026, 2, 1), "2025": date(2025, 1, 1)}


@pytest.fixture(scope="module")
def store() -> Iterator[Store]:
    """One store for all examples, each of which has a run of its own, in blocks of five traces."""
    made = open_store(":memory:")
    with pytest.MonkeyPatch.context() as patch:
        for module in (blocks, columns, refreshing):
            patch.setattr(module, "SIZE", 5)
        yield made
    made.close()


@st.composite
def traces(draw: st.DrawFn) -> list[tuple[Trace, TraceResult | None]]:
    """Traces of a few questions, versions, tags and days, each of which may be missing, with their results."""
    n = draw(st.integers(1, 14))
    tags = st.fixed_dictionaries(
        {},
        optional={
            "version": st.sampled_from(["v1", "v2", "v10", ""]),
            "build": st.sampled_from(["v2", "7"]),
            "topic": st.sampled_from(["a", "b", ""]),
            "lang": st.sampled_from(["de", "en"]),
        },
    )
    found = []
    for i in range(n):
        dates = draw(st.lists(st.sampled_from([None, "soon", *DAYS]), max_size=3))
        at = draw(st.none() | st.integers(0, 80).map(lambda days: datetime(2026, 4, 20, 23, 0, tzinfo=UTC) + timedelta(days=days)))
        trace = Trace(
            id=f"t{i}",
            question=draw(st.sampled_from(["What is it?", "How many?", "Is it?", "Tell me."])),
            response=" ".join(["word"] * draw(st.integers(0, 3))),
            passages=draw(st.sampled_from([None, 1]))
            and tuple(Passage(id=f"p{k}", text=f"Text {k}.", rank=k + 1, effective_date=day) for k, day in enumerate(dates)),
            tags=draw(tags),
            started_at=at,
            group=draw(st.none() | st.sampled_from(["g1", "g2"])),
            usage=draw(st.none() | st.floats(1, 900).map(lambda ms: Usage(latency_ms=ms))),
        )
        value = draw(st.none() | st.sampled_from([0.0, 0.5, 1.0]))
        found.append((trace, None if value is None else replace(result(trace.id, value), verdicts={"supported": 1, "conflicted": draw(st.integers(0, 1))})))
    return found


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(rows=traces())
def test_columns_say_what_the_traces_say(store: Store, rows: list[tuple[Trace, TraceResult | None]]) -> None:
    """Questions, kinds, times, versions, tags, words and ages; and of every way of dividing the run its parts, means with intervals, and the traces behind."""
    run_id = _stored(store, rows)
    every = [trace for trace, _ in rows]

    facts = run_facts(store, run_id)

    assert facts.groups.tolist() == [group_code(t.question if t.group is None else t.group) for t in every]
    assert facts.kinds.plain() == [question_kind(t.question) for t in every]
    assert [None if at != at else at for at in facts.started_at.tolist()] == [t.started_at and t.started_at.timestamp() for t in every]  # noqa: PLR0124 - the NaN test
    assert facts.versions.plain() == [_version(t) for t in every]
    assert {name: column.plain() for name, column in facts.tags.items()} == _tags(every)
    assert facts.words.tolist() == [len(t.response.split()) for t in every]
    np.testing.assert_allclose(facts.age_days, [_age(t) for t in every])
    told = offer(facts)
    assert (told.with_time, told.with_version) == (sum(t.started_at is not None for t in every), sum(_version(t) is not None for t in every))
    assert told.version_tag in {None, *(found[0] for t in every if (found := version_of(t.tags)))}
    for by in told.ways:
        parts = parts_within(store, replace(VIEW, run_id=run_id), facts, by)
        assert {part.key: store.ids_at(run_id, part.positions.tolist()) for part in parts} == _divided(every, by)
        _figures_are_those_of_the_traces(parts, dict(zip([t.id for t in every], rows, strict=True)))


def _stored(store: Store, rows: Sequence[tuple[Trace, TraceResult | None]]) -> str:
    run_id = f"run-{next(_numbers)}"
    store.create_run(manifest(run_id))
    store.add_traces(run_id, [trace for trace, _ in rows])
    store.put_results(replace(VIEW, run_id=run_id), [found for _, found in rows if found is not None])
    return run_id


def _version(trace: Trace) -> str | None:
    found = version_of(trace.tags)
    return found[1] if found else None


def _tags(every: Sequence[Trace]) -> dict[str, list[str | None]]:
    names = {name for trace in every for name in trace.tags if not is_version_tag(name)}
    return {name: [trace.tags.get(name) for trace in every] for name in names}


def _age(trace: Trace) -> float:
    known = [datetime(*DAYS[p.effective_date].timetuple()[:3], tzinfo=UTC) for p in trace.passages or () if p.effective_date in DAYS]
    if trace.started_at is None or not known:
        return float("nan")
    return sum((trace.started_at - day).total_seconds() for day in known) / len(known) / 86_400


def _divided(every: Sequence[Trace], by: By) -> dict[str, list[str]]:
    found: dict[str, list[str]] = defaultdict(list)
    for trace in every:
        if by is By.VERSION:
            key = _version(trace)
        elif trace.started_at is None:
            key = None
        else:
            day = trace.started_at.date()
            key = {By.DAY: day, By.WEEK: day - timedelta(days=day.weekday()), By.MONTH: day.replace(day=1)}[by].isoformat()
        if key is not None:
            found[key].append(trace.id)
    return dict(found)


def _figures_are_those_of_the_traces(parts: Sequence[Part], rows: dict[str, tuple[Trace, TraceResult | None]]) -> None:
    found = trend(parts, names=["faithfulness", "conflicted", "latency_ms"])
    ordered = list(rows.values())
    values = {
        "faithfulness": [float("nan") if r is None else r.scores["faithfulness"].value for _, r in ordered],
        "conflicted": [float("nan") if r is None else float(r.verdicts.get("conflicted", 0) > 0) for _, r in ordered],
        "latency_ms": [float("nan") if t.usage is None else math.log(t.usage.latency_ms or 0.0) for t, _ in ordered],
    }
    questions = {question: n for n, question in enumerate(dict.fromkeys(int(group) for part in parts for group in part.groups))}
    for name, means in found.means.items():
        for part, mean in zip(parts, means, strict=True):
            at = [(values[name][i], questions[int(g)]) for i, g in zip(part.positions.tolist(), part.groups, strict=True)]
            known = [(value, group) for value, group in at if value == value]  # noqa: PLR0124 - the NaN test
            assert _numbers_of(mean) == pytest.approx(
                _numbers_of(_plain_mean([v for v, _ in known], [g for _, g in known], back=math.exp if name == "latency_ms" else float))
            )
    for before, after in pairwise(parts):
        assert [(row.position, row.before, row.after) for row in behind(before, after, "faithfulness", rose=False)] == _plainly_behind(
            before, after, values["faithfulness"]
        )


def _plain_mean(known: list[float], groups: list[int], *, back: Callable[[float], float]) -> Mean:
    within = (0.0, 1.0) if back is float else (-math.inf, math.inf)
    found = mean_interval(known, groups=groups, within=within, resamples=1_000) if known else None
    return Mean(value=back(float(np.mean(known))) if known else None, n=len(known), ci95=Interval(lo=back(found.lo), hi=back(found.hi)) if found else None)


def _numbers_of(mean: Mean) -> list[float | None]:
    return [mean.value, mean.n, mean.ci95 and mean.ci95.lo, mean.ci95 and mean.ci95.hi]


def _plainly_behind(before: Part, after: Part, values: Sequence[float]) -> list[tuple[int, float | None, float]]:
    had: dict[int, list[float]] = defaultdict(list)
    for at, group in zip(before.positions.tolist(), before.groups.tolist(), strict=True):
        had[group] += [values[at]] if values[at] == values[at] else []
    rows = []
    for at, group in zip(after.positions.tolist(), after.groups.tolist(), strict=True):
        if values[at] == values[at]:
            mean = sum(had[group]) / len(had[group]) if had[group] else None
            rows.append((values[at] - mean if mean is not None else 0.0, values[at], len(rows), (at, mean, values[at])))
    return [row[3] for row in sorted(rows, key=lambda row: row[:3])[:5]]


def test_a_tag_of_too_many_values_is_no_kind_of_question(store: Store) -> None:
    """A tag that says which trace it is has no column; one with as many values as may be has."""
    run_id = f"run-{next(_numbers)}"
    store.create_run(manifest(run_id))
    store.add_traces(run_id, [Trace(id=f"t{i}", question="?", response="", passages=None, tags={"request": str(i), "shelf": str(i % 100)}) for i in range(101)])

    assert {name: Counter(column.counts().values()) for name, column in run_facts(store, run_id).tags.items()} == {"shelf": Counter({1: 99, 2: 1})}
