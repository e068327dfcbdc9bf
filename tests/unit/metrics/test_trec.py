"""Rank measures of a run file: cut-offs beyond every list, scores beyond single precision."""

from __future__ import annotations

import pytest

from ragviz.metrics.trec import evaluate_run

RUN = {"q1": {"a": 3.0, "b": 2.0, "c": 1.0}, "q2": {"d": 1.0}, "q3": {}}
QRELS = {"q1": {"a": 1, "c": 1, "x": 1}, "q2": {"d": 0}, "q3": {"e": 1}}


def test_a_cut_off_beyond_every_list_takes_no_memory_and_divides_precision() -> None:
    """As if the lists went on with documents that nobody judged."""
    found = evaluate_run(RUN, QRELS, ks=[4, 300_000_000])

    assert 2 / 300_000_000 == found["per_query"]["q1"]["P@300000000"]
    assert 2 / 4 == found["per_query"]["q1"]["P@4"]
    for name in ("R", "nDCG", "AP", "RR", "hit"):
        assert found["mean"][f"{name}@4"] == found["mean"][f"{name}@300000000"]


def test_no_list_at_all() -> None:
    """Judged queries without results and without labels are 0."""
    assert {0.0} == set(evaluate_run({}, {"q": {}}, ks=[1, 5])["mean"].values())


@pytest.mark.filterwarnings("error")
def test_scores_beyond_single_precision_are_endless() -> None:
    """Without a word of numpy; equal ones are ordered by id, as trec_eval does."""
    assert 1.0 == evaluate_run({"q": {"a": 1e39, "b": float("inf"), "c": -1e39}}, {"q": {"b": 1}})["mean"]["RR"]
