"""Levels without the mix, steps without the drift."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray

from ragviz.compare.asked import Asked, told
from ragviz.stats.coded import Coded
from ragviz.stats.drift import chance_distance, jensen_shannon
from ragviz.stats.levels import Levels
from ragviz.stats.steps import Scan
from ragviz.stats.units import version_levels


def levels_of(means: list[float], *, error: float) -> Levels:
    """Levels that are known, each with the same error."""
    n = len(means)
    centre = np.eye(n) - 1 / n
    level = np.array(means) - np.mean(means)
    return Levels(level, error**2 * np.eye(n), error**2 * np.eye(n), centre, np.full(n, 100))


def test_a_version_that_only_got_harder_questions_keeps_its_level() -> None:
    """Two kinds, 1.0 and 0.0; the second version has more of the hard kind: raw means 0.5 and 0.2, levels alike."""
    kinds = np.array([0] * 50 + [1] * 50 + [0] * 20 + [1] * 80)
    values = np.where(kinds == 0, 1.0, 0.0)
    found = version_levels(values, np.repeat([0, 1], 100), np.arange(200), kinds, n_versions=2)

    assert found.level[1] - found.level[0] == pytest.approx(0.0, abs=1e-9)


def test_the_same_questions_are_compared_with_themselves() -> None:
    """Questions differ widely, each is 0.1 lower in the second version: the difference is known exactly."""
    rng = np.random.default_rng(1)
    own = rng.normal(0, 5, 40)
    found = version_levels(np.concatenate([own, own - 0.1]), np.repeat([0, 1], 40), np.tile(np.arange(40), 2), np.zeros(80, np.int64), n_versions=2)
    contrast = np.array([-1.0, 1.0])

    assert contrast @ found.level == pytest.approx(-0.1)
    assert found.variance(contrast) < 1e-12


def test_several_traces_of_one_question_count_once() -> None:
    """A question asked 50 times in one version is one unit."""
    values = np.array([1.0] * 50 + [0.0] + [1.0, 0.0])
    found = version_levels(values, np.array([0] * 51 + [1, 1]), np.array([0] * 50 + [1] + [2, 3]), np.zeros(53, np.int64), n_versions=2)

    assert found.level[1] - found.level[0] == pytest.approx(0.0, abs=1e-12)
    assert list(found.units) == [2, 2]


def test_versions_without_a_kind_in_common_cannot_be_told_apart() -> None:
    """All easy questions, then all hard ones: mix and version are one and the same."""
    found = version_levels(np.repeat([1.0, 0.0], 30), np.repeat([0, 1], 30), np.arange(60), np.repeat([0, 1], 30), n_versions=2)

    assert not found.can_tell(np.array([-1.0, 1.0]))
    assert [s.p for s in Scan(found).steps(looked_at=1)] == [1.0]


def row_by_row(values: NDArray[np.float64], versions: NDArray[np.int64], groups: NDArray[np.int64], kinds: NDArray[np.int64], n_versions: int) -> Levels:
    """Least squares with a row for every question of every version, as it stands in the module's first lines."""
    units: dict[tuple[int, int], list[int]] = {}
    for i, unit in enumerate(zip(versions.tolist(), groups.tolist(), strict=True)):
        units.setdefault(unit, []).append(i)
    recurs = Counter(group for _, group in units)
    strata = [("question", group) if recurs[group] > 1 else ("kind", int(kinds[rows[0]])) for (_, group), rows in units.items()]
    version_of = np.array([version for version, _ in units])
    told = np.array([values[rows].mean() for rows in units.values()])
    rows = np.eye(n_versions)[version_of]
    for stratum in set(strata):
        mine = [i for i, s in enumerate(strata) if s == stratum]
        rows[mine] -= rows[mine].mean(axis=0)
        told[mine] -= told[mine].mean()
    inverse = np.linalg.pinv(rows.T @ rows, rcond=1e-8, hermitian=True)
    level = inverse @ rows.T @ told
    errors = told - rows @ level
    left = max(len(told) - len(set(strata)) - int(np.linalg.matrix_rank(inverse, tol=1e-8, hermitian=True)), 1)
    own = rows.T @ np.diag(errors**2 * len(told) / left) @ rows
    return Levels(
        level, inverse @ own @ inverse, inverse * float(errors @ errors) / left, inverse @ rows.T @ rows, np.bincount(version_of, minlength=n_versions)
    )


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("pool", [8, 60, 100_000], ids=["the same questions", "some again", "all different"])
def test_levels_are_those_of_rows_written_out(seed: int, pool: int) -> None:
    """Sums by stratum and version say what a row for every question would: levels, both covariances, what can be told."""
    rng = np.random.default_rng((seed, pool))
    n_versions = int(rng.integers(2, 30)) if seed else 130
    versions = np.concatenate([np.arange(n_versions), rng.integers(0, n_versions, 300)])
    groups, kinds, values = rng.integers(0, pool, len(versions)), rng.integers(0, 4, len(versions)), rng.normal(3, 1, len(versions))

    found = version_levels(values, versions, groups, kinds, n_versions=n_versions)

    for one, other in zip(found, row_by_row(values, versions, groups, kinds, n_versions), strict=True):
        np.testing.assert_allclose(one, other, atol=1e-9)


@pytest.mark.parametrize("seed", range(6))
def test_questions_asked_once_are_summed_by_kind(seed: int) -> None:
    """The short way of questions that nobody asks twice gives the levels of the long one; versions with few questions take no part."""
    rng = np.random.default_rng(seed)
    sizes = [int(n) for n in rng.integers(10, 60, 6)]
    ends = np.cumsum([0, *sizes])
    parts = [_Part(np.arange(lo, hi), {"kind": Coded(("a", "b", "c"), rng.integers(-1, 3, hi - lo))}) for lo, hi in pairwise(ends.tolist())]
    columns = [told(np.where(rng.random(n) < 0.1, np.nan, rng.normal(0.7, 0.2, n))) for n in sizes]
    short, long = Asked(parts), Asked(parts)
    long._once = False

    one, other = short.levels(columns), long.levels(columns)

    assert one is not None
    assert other is not None
    assert one[1] == other[1] == [i for i, column in enumerate(columns) if len(column.values) >= 20]
    for mine, theirs in zip(one[0], other[0], strict=True):
        np.testing.assert_allclose(mine, theirs, atol=1e-9)


@pytest.mark.parametrize("seed", range(10))
def test_questions_with_a_value_in_some_versions_only(seed: int) -> None:
    """
    Of each quantity the questions that have a value of it, whichever versions these are in and however often they are asked there; versions with
    fewer than 20 take no part.
    """
    rng = np.random.default_rng(seed)
    sizes = [24 if seed == 0 else int(n) for n in rng.integers(18, 60, 70 if seed == 0 else 6)]
    drawn = [rng.choice(80, n, replace=bool(seed % 2)) for n in sizes]
    parts = [_Part(groups * 7_919, {"kind": Coded(("a", "b", "c"), rng.integers(-1, 3, len(groups)))}) for groups in drawn]
    asked = Asked(parts)
    for share in (0.0, 0.1, 0.4, 0.1):
        columns = [told(np.where(rng.random(n) < share, np.nan, rng.normal(0.7, 0.2, n))) for n in sizes]
        which = [i for i, column in enumerate(columns) if len(np.unique(column.rows(parts[i].groups))) >= 20]
        found = asked.levels(columns)
        if len(which) < 2:
            assert found is None
            continue
        assert found is not None
        assert found[1] == which
        groups, kinds = (
            np.concatenate([columns[i].rows(column) for i, column in ((i, of(parts[i])) for i in which)])
            for of in (lambda p: p.groups, lambda p: p.kinds["kind"].codes)
        )
        versions = np.repeat(np.arange(len(which)), [len(columns[i].values) for i in which])
        expected = row_by_row(np.concatenate([columns[i].values for i in which]), versions, groups, kinds, len(which))
        for mine, theirs in zip(found[0], expected, strict=True):
            np.testing.assert_allclose(mine, theirs, atol=1e-9)


class _Part(NamedTuple):
    groups: NDArray[np.int64]
    kinds: dict[str, Coded]


def test_a_step_without_any_noise_is_found() -> None:
    """Every answer right, then every one wrong: beyond chance, though nothing varies; where nothing steps either, nothing is said."""
    asked = {"versions": np.repeat([0, 1], 24), "groups": np.tile(np.arange(24), 2), "kinds": np.zeros(48, np.int64), "n_versions": 2}
    (step,) = Scan(version_levels(np.repeat([1.0, 0.0], 24), **asked)).steps(looked_at=1)  # type: ignore[arg-type]
    (same,) = Scan(version_levels(np.tile(np.linspace(0, 1, 24), 2), **asked)).steps(looked_at=1)  # type: ignore[arg-type]

    assert (step.at, step.effect, step.p) == (1, pytest.approx(-1.0), pytest.approx(0.0))
    assert (same.effect, same.p) == (0.0, 1.0)


def test_a_step_is_found_where_it_is() -> None:
    """0.9 five times, then 0.8, ten standard errors apart."""
    steps = Scan(levels_of([0.9] * 6 + [0.8] * 6, error=0.01)).steps(looked_at=11)
    sure = [s for s in steps if s.p * 11 <= 0.05]

    assert [s.at for s in sure] == [6]
    assert sure[0].effect == pytest.approx(-0.1)
    assert sure[0].lo < -0.1 < sure[0].hi < 0


def test_two_steps_do_not_hide_each_other() -> None:
    """Down at the fourth boundary, up again at the seventh: both, and nothing between them."""
    steps = Scan(levels_of([0.9] * 4 + [0.7] * 3 + [0.9] * 6, error=0.01)).steps(looked_at=12)

    assert [s.at for s in steps if s.p * 12 <= 0.05] == [4, 7]


@pytest.mark.parametrize("means", [
    [0.9 - 0.02 * i for i in range(24)], [0.9] * 6 + [0.9 - 0.01 * i for i in range(12)] + [0.79] * 6, [0.8 + 0.05 * np.sin(i / 3) for i in range(24)],
], ids=["a whole year down", "down for half a year", "with the seasons"])
def test_drift_is_no_step(means: list[float]) -> None:
    """However far it leads, what moves evenly steps nowhere."""
    steps = Scan(levels_of(means, error=0.005)).steps(looked_at=23)

    assert [s.at for s in steps if s.p * 23 <= 0.05] == []


def test_what_versions_differ_by_anyway_is_measured() -> None:
    """Levels that jump by 0.05 each time are no finding, however exactly each is known."""
    rng = np.random.default_rng(3)
    restless = levels_of(list(rng.normal(0.8, 0.05, 24)), error=0.002)

    assert Scan(restless).between_variance == pytest.approx(0.05**2, rel=1.0)
    assert [s.at for s in Scan(restless).steps(looked_at=23) if s.p * 23 <= 0.05] == []


def test_what_would_be_found_grows_with_the_noise() -> None:
    """Twice the error, twice the step."""
    one, two = (Scan(levels_of([0.5] * 8, error=e)).detectable(looked_at=7) for e in (0.01, 0.02))

    assert one is not None
    assert two == pytest.approx(2 * one)


def test_two_samples_of_one_mix_stay_within_the_noise() -> None:
    """95 of 100 pairs of samples lie below it; a really different mix lies above."""
    rng = np.random.default_rng(5)
    shares = [0.5, 0.3, 0.2]
    below = 0
    for _ in range(100):
        one, other = (dict(zip("abc", map(int, rng.multinomial(200, shares)), strict=True)) for _ in range(2))
        distance, noise = jensen_shannon(one, other), chance_distance(one, other)
        assert distance is not None
        assert noise is not None
        below += distance <= noise

    assert 88 <= below <= 100
    far, noise = jensen_shannon({"a": 180, "b": 20}, {"a": 60, "b": 140}), chance_distance({"a": 180, "b": 20}, {"a": 60, "b": 140})
    assert far is not None
    assert noise is not None
    assert far > 3 * noise
    assert chance_distance({}, {"a": 3}) is None
