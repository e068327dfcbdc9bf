"""Which p-values are corrected together: what a page happens to show changes none."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from ragviz.compare.families import corrected, headline_place, is_cost, judging_cost, word_of
from ragviz.compare.paired import MetricDifference
from ragviz.metrics import metrics
from ragviz.records import Direction, Interval


def a_difference(metric: str, p: float | None) -> MetricDifference:
    return MetricDifference(
        metric=metric, n=10, left_out=0, base=0.5, candidate=0.6, difference=0.1, ci95=None, p=p, p_holm=None, wins=5, losses=3, ties=2, better=Direction.HIGHER
    )


FOUND = [
    a_difference("faithfulness", 0.01),
    a_difference("context_recall", 0.001),
    a_difference("recall_at_5", 0.03),
    a_difference("abstained", 0.2),
    a_difference("correctness", None),
]


def test_headline_metrics_are_corrected_among_themselves() -> None:
    """Two of them have a p: 0.01 counts twice, 0.03 once. The others are corrected for all four."""
    p = {d.metric: d.p_holm for d in corrected(FOUND)}

    assert p["faithfulness"] == pytest.approx(0.02)
    assert p["recall_at_5"] == pytest.approx(0.03)
    assert p["context_recall"] == pytest.approx(0.004)
    assert p["abstained"] == pytest.approx(0.2)
    assert p["correctness"] is None


def test_what_is_shown_changes_no_headline_p() -> None:
    """The Compare page may show the headline metrics alone, the command line shows all: the same p."""
    alone = [d for d in FOUND if headline_place(d.metric) is not None]
    every = {d.metric: d.p_holm for d in corrected(FOUND)}

    assert all(d.p_holm == every[d.metric] for d in corrected(alone))


def test_a_cut_off_keeps_its_place() -> None:
    """recall_at_5 stands where recall_at_k does; other metrics have no place."""
    assert headline_place("recall_at_5") == headline_place("recall_at_k")
    assert headline_place("ndcg_at_5") is None


@pytest.mark.parametrize("name", metrics.names())
def test_time_and_money_are_never_better_or_worse(name: str) -> None:
    """Nor headline metrics; every other metric keeps its verdict. Also one that is registered later."""
    info = metrics.make(name).info
    for difference in (-2.0, 2.0):
        found = replace(a_difference(name, 0.001), difference=difference, ci95=Interval(lo=difference - 1, hi=difference + 1), better=info.better)
        costs = info.group == "cost"
        assert is_cost(name) is costs
        assert word_of(found) == (("more" if difference > 0 else "less") if costs else found.verdict)
        assert not (costs and headline_place(name) is not None)


JUDGING = [name for name in metrics.names() if name.startswith("judge_")]


@pytest.mark.parametrize("name", JUDGING)
def test_what_judging_cost_is_a_fact_without_a_p(name: str) -> None:
    """However sure the difference: it has no p, nobody calls it more or less, and it makes no other p larger."""
    sure = replace(a_difference(name, 0.001), ci95=Interval(lo=0.05, hi=0.2), better=Direction.LOWER)

    out = {d.metric: d for d in corrected([*FOUND, sure])}

    assert (out[name].p, out[name].p_holm, word_of(out[name])) == (None, None, "no_difference")
    assert {m: d.p_holm for m, d in out.items() if m != name} == {d.metric: d.p_holm for d in corrected(FOUND)}
    assert "0.500 → 0.600" in judging_cost(list(out.values()))


def test_nothing_is_said_of_a_judge_that_states_nothing() -> None:
    """Nor of one that worked for nothing in both runs."""
    nothing = [replace(a_difference(name, None), base=value, candidate=value) for name in JUDGING for value in (None, 0.0)]

    assert (judging_cost(nothing), judging_cost(FOUND), len(JUDGING)) == ("", "", 2)
