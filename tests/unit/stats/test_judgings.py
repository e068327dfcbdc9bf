"""Whether a judge's moods explain a fall: numbers that can be dealt out by hand, then the laws."""

from __future__ import annotations

import math

import numpy as np
import pytest

from ragviz.stats.judgings import Judged, mood_p


def near(p: float, share: float) -> bool:
    """Within five standard errors of 10,000 deals."""
    return abs(p - share) <= 5 * math.sqrt(share * (1 - share) / 10_000) + 1e-4


def test_one_case_judged_three_times_on_both_sides() -> None:
    """Of the 20 ways to deal three ones and three zeros out, one is as bad as all ones before and all zeros after: 1/20."""
    assert near(mood_p([Judged((1.0, 1.0, 1.0), (0.0, 0.0, 0.0))]), 1 / 20)


def test_two_cases_of_which_the_baseline_was_asked_again() -> None:
    """Each has three places for its one zero: both after is one of nine deals."""
    assert near(mood_p([Judged((1.0, 1.0), (0.0,))] * 2), 1 / 9)


def test_cases_judged_once_change_signs() -> None:
    """Four that fell alike: all four signs as seen, 1/16; and beside one asked again, 1/2 · 1/3."""
    assert near(mood_p([Judged((1.0,), (0.5,))] * 4), 1 / 16)
    assert near(mood_p([Judged((1.0,), (0.0,)), Judged((1.0, 1.0), (0.0,))]), 1 / 6)


def test_where_nothing_fell_or_nothing_wavers_p_is_one() -> None:
    """A rise, no change, no case; a fall where less is better is a rise."""
    assert mood_p([]) == 1.0
    assert mood_p([Judged((0.0,), (1.0,))]) == 1.0
    assert mood_p([Judged((0.5, 0.5), (0.5,))] * 3) == 1.0
    assert mood_p([Judged((1.0, 1.0, 1.0), (0.0, 0.0, 0.0))], sign=-1) == 1.0
    assert near(mood_p([Judged((0.0, 0.0, 0.0), (1.0, 1.0, 1.0))], sign=-1), 1 / 20)


def test_a_case_that_never_wavers_adds_nothing() -> None:
    """However many of them there are: the rate is not thinned by claims that do not flip."""
    moody = [Judged((1.0, 1.0), (0.0,))] * 3

    assert mood_p(moody) == mood_p(moody + [Judged((1.0, 1.0), (1.0,))] * 500)


def test_a_case_without_a_value_on_one_side_is_refused() -> None:
    """Nothing could be dealt."""
    with pytest.raises(ValueError, match="both answers"):
        mood_p([Judged((), (1.0,))])


def test_under_moods_alone_p_is_below_a_level_no_more_often_than_it_says() -> None:
    """400 seeds; at most 5 % plus what 400 draws allow (32 of 400 are exceeded once in 250 times at 5 %)."""
    low = 0
    for seed in range(400):
        rng = np.random.default_rng([7, seed])
        moods = rng.choice([0.0, 0.5, 0.9], size=6)
        cases = [Judged(tuple((rng.random(2) < m).astype(float)), tuple((rng.random(3) < m).astype(float))) for m in moods]
        low += mood_p(cases, draws=1_000, rng=rng) < 0.05

    assert low <= 32
