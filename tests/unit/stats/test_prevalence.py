"""The rate behind a judge's errors: simulated people and judges, whose errors we know, give the true rate back."""

from __future__ import annotations

import numpy as np
import pytest

from ragviz.stats.agreement import corrected_rate
from ragviz.stats.prevalence import Cell, corrected, gain, sensitivity_specificity


def test_by_hand() -> None:
    """
    Judge: 200 of 1,000 unsupported. People: 30 of 40 of those are, 4 of 40 of the others.

    0.2 · 0.75 + 0.8 · 0.1 = 0.23; sensitivity 150 / 230, specificity 720 / 770.
    """
    positive, negative = Cell(n=200, labelled=40, yes=30), Cell(n=800, labelled=40, yes=4)
    rate = corrected([positive, negative])

    assert rate is not None
    assert rate.value == pytest.approx(0.23)
    assert rate.interval.lo < 0.23 < rate.interval.hi
    assert sensitivity_specificity([positive], [negative]) == (pytest.approx(150 / 230), pytest.approx(720 / 770))


def test_equals_rogan_gladen_where_labels_are_a_plain_sample() -> None:
    """A tenth of each cell labelled: the same rate as through sensitivity and specificity."""
    positive, negative = Cell(n=300, labelled=30, yes=24), Cell(n=700, labelled=70, yes=7)
    rate = corrected([positive, negative])

    assert rate is not None
    assert rate.value == pytest.approx(corrected_rate(0.3, sensitivity=24 / 31, specificity=63 / 69) or -1)


def test_everything_labelled_leaves_no_doubt() -> None:
    """The rate is a count then; an unlabelled cell leaves all of it open; no label says nothing."""
    certain = corrected([Cell(n=10, labelled=10, yes=3)])
    half_open = corrected([Cell(n=50, labelled=50, yes=0), Cell(n=50, labelled=0, yes=0)])

    assert certain is not None
    assert half_open is not None
    assert (0.3, 0.3, 0.3) == (certain.value, certain.interval.lo, certain.interval.hi)
    assert half_open.interval.hi - half_open.interval.lo > 0.45
    assert corrected([Cell(n=5, labelled=0, yes=0)]) is None


def test_gain_prefers_large_uncertain_cells() -> None:
    """Larger, more mixed, less labelled: each is worth more; a finished cell is worth nothing."""
    plain = gain(Cell(n=100, labelled=10, yes=1), 200)

    assert gain(Cell(n=150, labelled=10, yes=1), 200) > plain
    assert gain(Cell(n=100, labelled=10, yes=5), 200) > plain
    assert gain(Cell(n=100, labelled=5, yes=1), 200) > plain
    assert gain(Cell(n=10, labelled=10, yes=1), 200) == 0


def _simulated(rng: np.random.Generator, *, n: int, rate: float, sensitivity: float, specificity: float) -> tuple[np.ndarray, np.ndarray]:
    truth = rng.random(n) < rate
    return truth, np.where(truth, rng.random(n) < sensitivity, rng.random(n) >= specificity)


def test_a_judge_with_known_error() -> None:
    """
    True rate 0.15, judge with sensitivity 0.7 and specificity 0.8: it reports 0.275.

    80 labels, each where it narrows the interval most, bring back 0.15: on average within 0.01, and in about 95 of 100 runs inside the interval.
    """
    rng = np.random.default_rng(11)
    values, held, reported = [], 0, []
    for _ in range(100):
        truth, said = _simulated(rng, n=1_000, rate=0.15, sensitivity=0.7, specificity=0.8)
        order = {verdict: list(rng.permutation(np.flatnonzero(said == verdict))) for verdict in (True, False)}
        cells = {verdict: Cell(n=len(order[verdict]), labelled=0, yes=0) for verdict in (True, False)}
        for _ in range(80):
            best = max(cells, key=lambda v: gain(cells[v], 1_000))
            at = order[best].pop()
            cells[best] = Cell(n=cells[best].n, labelled=cells[best].labelled + 1, yes=cells[best].yes + bool(truth[at]))
        rate = corrected(list(cells.values()), rng=rng)
        assert rate is not None
        values.append(rate.value - truth.mean())
        held += rate.interval.lo <= truth.mean() <= rate.interval.hi
        reported.append(said.mean())

    assert np.mean(reported) == pytest.approx(0.275, abs=0.01)
    assert abs(np.mean(values)) < 0.01
    assert held >= 90


def test_annotators_with_known_error() -> None:
    """
    People who miss a fifth of the faults and see one in ten where there is none report 0.2 · 0.8 + 0.8 · 0.1 = 0.24 on a true rate of 0.2.

    Their sensitivity and specificity give the 0.2 back.
    """
    rng = np.random.default_rng(4)
    found = []
    for _ in range(200):
        _, said = _simulated(rng, n=400, rate=0.2, sensitivity=0.8, specificity=0.9)
        found.append((said.mean(), corrected_rate(float(said.mean()), sensitivity=0.8, specificity=0.9)))

    assert np.mean([raw for raw, _ in found]) == pytest.approx(0.24, abs=0.01)
    assert np.mean([value for _, value in found]) == pytest.approx(0.2, abs=0.01)
