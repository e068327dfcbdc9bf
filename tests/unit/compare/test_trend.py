"""A made-up year: the planted regressions are found, and nothing else."""

from __future__ import annotations

import msgspec
import numpy as np
import pytest

from ragviz.compare.behind import behind
from ragviz.compare.trend import Part, trend
from ragviz.testing import year
from ragviz.testing.year import MISSED_FROM, WRONG_FROM, Year

SEEDS = range(6)


@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS)
def test_the_planted_regressions_are_found(seed: int) -> None:
    """Both of them, in the versions where they were planted, whatever season and drift do."""
    found = trend(year.parts(Year(seed=seed, wrong=0.2, missed=0.25)))
    regressions = {c.after: {s.quantity for s in c.shifts if s.worse} for c in found.changes if c.is_regression}

    assert set(regressions) == {WRONG_FROM, MISSED_FROM}
    assert "contradicted_rate" in regressions[WRONG_FROM]
    assert regressions[MISSED_FROM] == {"recall_at_5"}


@pytest.mark.slow
@pytest.mark.parametrize("quiet", [
    Year(wrong=0, missed=0), Year(wrong=0, missed=0, drift=0.15, season=0.95), Year(wrong=0, missed=0, n_traces=25), Year(wrong=0, missed=0, restless=0.03),
], ids=["nothing planted", "strong season and drift", "small versions", "restless versions"])
def test_a_year_without_regressions_has_none(quiet: Year) -> None:
    """Season, drift, small versions and versions that differ by themselves are not called regressions."""
    alarms = [c.after for seed in SEEDS for c in trend(year.parts(quiet._replace(seed=seed))).changes if c.is_regression]

    # Each year may raise one with a probability of 5 %: two or more in six would come up once in thirty times.
    assert len(alarms) <= 1


def test_the_season_shows_in_the_mix() -> None:
    """A quarter of a year later people ask of other topics; half a year later of the first ones again."""
    found = trend(year.parts(Year(wrong=0, missed=0)), names=["faithfulness"])
    (mix,) = found.mixes

    assert mix.dimension == "tag: topic"
    assert mix.points[6].changed
    assert mix.points[6].distance > (mix.points[6].noise or 0)  # type: ignore[operator]
    assert {m.kind for m in mix.points[6].moved} >= {"returns", "billing"}
    assert not mix.points[12].changed


def test_small_versions_take_no_part() -> None:
    """Below 20 questions a version is drawn, but not searched."""
    parts = year.parts(Year(n_traces=15))

    found = trend(parts)

    assert found.looked_at == 0
    assert found.changes == ()
    assert found.small == tuple(range(24))
    assert found.means["faithfulness"][0].n == 15


def test_a_missing_quantity_is_missing() -> None:
    """No column, or nothing but gaps: not among the means; one version without values has a mean of None."""
    parts = year.parts(Year(n_traces=30))
    parts[3] = msgspec.structs.replace(parts[3], values=parts[3].values | {"faithfulness": np.full(30, np.nan)})

    found = trend(parts)

    assert "correctness" not in found.means
    assert found.means["faithfulness"][3].value is None
    assert found.means["faithfulness"][3].n == 0


def test_the_traces_behind_a_step_are_those_that_moved() -> None:
    """First the questions that were right before and are wrong now."""
    before, after = year.parts(Year(n_traces=500, seed=2))[WRONG_FROM - 1 : WRONG_FROM + 1]

    rows = behind(before, after, "faithfulness", rose=False, limit=3)

    assert all(row.before is not None and row.before > row.after for row in rows)
    drops = [row.before - row.after for row in rows if row.before is not None]
    assert drops == sorted(drops, reverse=True)


@pytest.mark.parametrize("once", [True, False], ids=["each asked once", "some asked twice"])
def test_the_traces_behind_a_step_do_not_depend_on_the_order(*, once: bool) -> None:
    """Two runs of one file of questions, and the same with the first one's traces in another order: what each question had before is found by the question."""
    rng = np.random.default_rng(3)
    template = year.parts(Year(n_traces=60))[0]
    groups = np.arange(60) * 11 if once else rng.integers(0, 40, 60) * 11

    def run(values: np.ndarray, order: np.ndarray) -> Part:
        return msgspec.structs.replace(template, positions=np.arange(60), groups=groups[order], values={"faithfulness": values[order]})

    was, now = (np.where(rng.random(60) < 0.2, np.nan, rng.random(60)) for _ in range(2))
    after, before, shuffled = run(now, np.arange(60)), run(was, np.arange(60)), run(was, rng.permutation(60))

    found = behind(before, after, "faithfulness", rose=False, limit=60)

    had = {int(g): float(np.nanmean(was[groups == g])) if not np.isnan(was[groups == g]).all() else None for g in groups}
    assert found == [
        row._replace(before=pytest.approx(had[int(groups[row.position])])) for row in behind(shuffled, after, "faithfulness", rose=False, limit=60)
    ]
    assert sorted(row.position for row in found) == np.flatnonzero(~np.isnan(now)).tolist()
