"""Which p-values are corrected together: what a page happens to show changes none."""

from __future__ import annotations

import pytest

from ragviz.compare.families import corrected, headline_place
from ragviz.compare.paired import MetricDifference
from ragviz.records import Direction


def a_difference(metric: str, p: float | None) -> MetricDifference:
    return MetricDifference(metric=metric, n=10, left_out=0, base=0.5, candidate=0.6, difference=0.1, ci95=None, p=p, p_holm=None, wins=5, losses=3, ties=2, better=Direction.HIGHER)


FOUND = [a_difference("faithfulness", 0.01), a_difference("context_recall", 0.001), a_difference("recall_at_5", 0.03), a_difference("abstained", 0.2), a_difference("correctness", None)]


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
