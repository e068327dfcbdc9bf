"""What counts as a fall below the baseline: more than chance, than the judge's noise, and than what the metric is known to."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from ragviz.compare.columns import PairedScores
from ragviz.compare.moods import moods_of
from ragviz.compare.noise import JudgeNoise, NoiseFloor
from ragviz.errors import InputError
from ragviz.gate.baseline import against_baseline, least_fall
from ragviz.gate.check import GateLine
from ragviz.gate.rules import Rules, read_rules
from ragviz.metrics import metrics

ESTIMATES = ("relevance", "answer_relevance", "answer_relevance_direct", "context_relevance", "ragas_harmonic_mean")
COUNTED = ("faithfulness", "hallucination", "correctness", "context_recall", "recall_at_5", "citation_precision")


def pairs(metric: str, before: Sequence[float], after: Sequence[float]) -> PairedScores:
    """Each pair a question of its own."""
    return PairedScores(base={metric: np.array(before)}, candidate={metric: np.array(after)}, groups=np.arange(len(before)))


def line(metric: str, before: Sequence[float], after: Sequence[float], *, noise: JudgeNoise | None = None, **more: object) -> GateLine:
    """The line of one rule."""
    (found,) = against_baseline(Rules(no_regression=(metric,), **more), [], pairs(metric, before, after), noise)  # type: ignore[arg-type]
    return found


@pytest.mark.parametrize("n", [1, 4, 40])
@pytest.mark.parametrize("metric", ESTIMATES)
def test_a_fall_that_an_estimate_cannot_tell_fails_nothing(metric: str, n: int) -> None:
    """
    0.998 before, 0.996 after, in every case alike: not with few cases, where every fall counts, and not with many, where it is beyond chance. The
    line says why.
    """
    told = line(metric, [0.998] * n, [0.996] * n)

    assert told.passed
    assert told.reason.startswith(f"0.998 before, −0.002 over {n} case")
    assert told.reason.endswith("not more than 0.01; it is an estimate, and not known more closely")


@pytest.mark.parametrize("n", [4, 40])
@pytest.mark.parametrize("metric", [*ESTIMATES, *COUNTED])
def test_a_fall_that_can_be_told_fails_at_any_size(metric: str, n: int) -> None:
    """By 0.05 in every case."""
    worse = 0.95 if metric != "hallucination" else 1.0
    told = line(metric, [1.0 if metric != "hallucination" else 0.95] * n, [worse] * n)

    assert not told.passed
    assert ("too few to tell chance" if n == 4 else "more than chance") in told.reason


@pytest.mark.parametrize("metric", COUNTED)
def test_counts_are_held_to_what_reports_show(metric: str) -> None:
    """Of 4 cases a fall by 0.002 counts where it is counted from verdicts; one that no report shows does not."""
    down = 1 if metric == "hallucination" else -1

    assert not line(metric, [0.5] * 4, [0.5 + down * 0.002] * 4).passed
    unseen = line(metric, [0.5] * 4, [0.5 + down * 0.0004] * 4)
    assert unseen.passed
    assert unseen.reason.endswith("too small to show in three decimals")


def test_relevance_by_facets_is_counted() -> None:
    """It is no estimate then."""
    (told,) = against_baseline(Rules(no_regression=("relevance",)), [], pairs("relevance", [0.998] * 4, [0.996] * 4), facets=True)

    assert not told.passed


def test_time_and_money_have_no_such_precision() -> None:
    """A fiftieth of a cent more may be twice as much, and is shown with digits that count."""
    told = line("cost_usd", [0.0002] * 4, [0.0004] * 4)

    assert not told.passed
    assert told.reason == "0.000200 before, +0.0002 over 4 cases; too few to tell chance, so every fall counts"


@pytest.mark.parametrize("metric", ["cost_usd", "latency_ms", "tokens"])
@pytest.mark.parametrize("scale", [0.001, 1.0, 30_000.0])
def test_a_thousandth_of_time_and_money_is_no_rise(metric: str, scale: float) -> None:
    """However many cases make it sure, at any scale; two thousandths are one, and the rules may ask for more."""
    before = [scale] * 40

    assert line(metric, before, [scale * 1.0009] * 40).reason.endswith("not more than a thousandth of what it was")
    assert line(metric, before, [scale * 1.0001] * 40).passed
    assert not line(metric, before, [scale * 1.002] * 40).passed
    assert not line(metric, before, [scale * 1.0009] * 40, tolerance={metric: 0.0}).passed


def test_the_rules_may_tolerate_more_or_less() -> None:
    """By metric; the line says that it was the rules."""
    tolerant = line("faithfulness", [1.0] * 4, [0.97] * 4, tolerance={"faithfulness": 0.03})

    assert tolerant.passed
    assert tolerant.reason == "1.000 before, −0.030 over 4 cases: not more than 0.03; tolerated by the rules"
    assert not line("relevance", [0.998] * 4, [0.996] * 4, tolerance={"relevance": 0.0}).passed


def test_a_fall_within_noise_or_chance_says_so() -> None:
    """Passing lines have a reason too, wherever something fell; where nothing did there is none."""
    noise = JudgeNoise(floor=NoiseFloor(n=9, flips=1, rate=1 / 9, ci95=None), spread={"faithfulness": 0.1}, n_traces=20)
    values = [0.0, 1.0] * 20

    assert line("faithfulness", [1.0] * 4, [0.95] * 4, noise=noise).reason == "1.000 before, −0.050 over 4 cases: within the judge's own noise, ±0.104"
    assert line("faithfulness", values, [0.0, *values[:-1]]).reason.endswith("within chance")
    assert not line("faithfulness", values, values).reason


class TestMoods:
    """What the judge said when it was asked again decides, case by case."""

    @staticmethod
    def told(metric: str, before: Sequence[float], after: Sequence[float], again: Sequence[tuple[float, ...]], **more: object) -> GateLine:
        """``again``: what it said of the baseline's answers later."""
        ids = [f"q{i}" for i in range(len(before))]
        noise = JudgeNoise(floor=NoiseFloor(n=9, flips=1, rate=1 / 9, ci95=None), again={"old": {metric: dict(zip(ids, again, strict=True))}})
        moods = moods_of(noise, "old", "new", [(i, i) for i in ids])
        rules = Rules(no_regression=(metric,), **more)  # type: ignore[arg-type]
        (found,) = against_baseline(rules, [], pairs(metric, before, after), noise, moods=moods)
        return found

    def test_a_baseline_that_was_praised_by_luck_makes_no_regression(self) -> None:
        """Four answers, 1 before and 0 now; asked again the judge finds the same of the baseline's."""
        told = self.told("faithfulness", [1.0] * 4, [0.0] * 4, [(0.0, 0.0, 0.0)] * 4)

        assert told.passed
        assert told.reason.startswith("1.000 before, −1.000 over 4 cases: within the judge's own noise, which alone does that with a corrected p of 0.")

    def test_a_fall_that_it_stands_by_counts(self) -> None:
        """The baseline's answers are found good again, each time: one deal of 5 ** 4 is as bad."""
        told = self.told("faithfulness", [1.0] * 4, [0.0] * 4, [(1.0, 1.0, 1.0)] * 4)

        assert not told.passed
        assert told.reason.startswith("1.000 before, −1.000 over 4 cases; too few to tell chance, so every fall counts that is beyond the judge's own noise (corrected p 0.0")

    def test_where_less_is_better_a_rise_is_held_against_them(self) -> None:
        """The same with the signs turned."""
        assert not self.told("hallucination", [0.0] * 4, [1.0] * 4, [(0.0, 0.0, 0.0)] * 4).passed
        assert self.told("hallucination", [0.0] * 4, [1.0] * 4, [(1.0, 1.0, 1.0)] * 4).passed

    def test_many_traces_of_few_questions_are_few(self) -> None:
        """Twelve traces ask three questions: no p can get below 0.05, so chance cannot be told and every fall counts."""
        scores = PairedScores(base={"faithfulness": np.ones(12)}, candidate={"faithfulness": np.zeros(12)}, groups=np.repeat(np.arange(3), 4))
        (told,) = against_baseline(Rules(no_regression=("faithfulness",)), [], scores)

        assert not told.passed
        assert "too few to tell chance" in told.reason


@pytest.mark.parametrize(
    "written",
    [
        "tolerance = { relevance = -0.1 }",
        "tolerance = { relevance = inf }",
        "tolerance = { relevance = true }",
        "tolerance = 0.1",
        'tolerance = { relevance = "much" }',
        "tolerance = { luck = 0.1 }",
    ],
)
def test_a_tolerance_that_is_none_is_refused(written: str) -> None:
    """Below 0, no number, or for a metric that no rule is about."""
    with pytest.raises(InputError, match=r"g\.toml"):
        read_rules(f'no_regression = ["relevance"]\n{written}', filename="g.toml")


def test_every_metric_that_is_rated_is_an_estimate_and_no_other() -> None:
    """Also one that is registered later."""
    for name in metrics.names():
        info = metrics.make(name).info
        assert (least_fall(name).size == 0.01) is bool(info.needs_ratings)
        assert least_fall(name).size <= 0.01
