"""Means over a run, both named, with coverage and interval."""

from __future__ import annotations

import pytest

from ragviz.metrics.aggregate import group_of, summarise, summarise_all
from ragviz.records import Policy
from tests.build import a_score, a_trace


def ratio(hits: int, n: int, *, unjudged: int = 0, name: str = "faithfulness"):
    return a_score(hits / n, name, support=n, numerator=hits, unjudged=unjudged)


def test_micro_pools_claims_and_macro_pools_traces() -> None:
    """1 of 1 and 1 of 4: macro 0.625, micro 2/5."""
    found = summarise("faithfulness", [ratio(1, 1), ratio(1, 4)])

    assert (found.macro, found.micro, found.n) == (pytest.approx(0.625), pytest.approx(0.4), 2)


def test_missing_values_are_counted_and_explained() -> None:
    """One of three has a value; the most frequent reason is given."""
    found = summarise("faithfulness", [ratio(1, 2), a_score(None), a_score(None)])

    assert (found.n, found.undefined, found.reason) == (1, 2, "2 of 3 without a value: nothing to count")
    assert found.ci95 is None


def test_coverage_is_the_judged_share_of_claims() -> None:
    """Three judged, one not: 3/4. Under a policy that counts the unjudged one it is in the support already."""
    assert summarise("faithfulness", [ratio(2, 3, unjudged=1)]).coverage == 0.75
    assert summarise("faithfulness", [ratio(2, 4, unjudged=1)], policy=Policy.STRICT).coverage == 0.75


def test_coverage_of_other_metrics_is_in_traces() -> None:
    """Retrieval: one of two traces is labelled."""
    assert summarise("recall_at_5", [a_score(0.5, "recall_at_5", unjudged=3), a_score(None, "recall_at_5")]).coverage == 0.5


def test_nothing_at_all() -> None:
    """No traces, no numbers."""
    found = summarise("faithfulness", [])

    assert (found.macro, found.micro, found.n, found.coverage, found.ci95) == (None, None, 0, None, None)


def test_interval_knows_which_traces_share_a_question() -> None:
    """Ten repeats of six questions, three good and three bad: six draws, not sixty, so one in 64 has no good one. Of one question nothing can be said."""
    rows = [ratio(n % 2, 1) for n in range(60)]
    alone, together = summarise("faithfulness", rows), summarise("faithfulness", rows, groups=["abcdef"[n % 6] for n in range(60)])

    assert alone.ci95 is not None
    assert together.ci95 is not None
    assert (together.ci95.lo, together.ci95.hi) == pytest.approx((1 / 6, 5 / 6))
    assert alone.ci95.lo > 0.3
    assert summarise("faithfulness", rows, groups=["a"] * 60).ci95 is None


def test_groups_must_fit() -> None:
    """As many groups as scores."""
    with pytest.raises(ValueError, match="groups"):
        summarise("faithfulness", [ratio(1, 1)], groups=[])


def test_every_metric_of_a_run() -> None:
    """A metric that only some traces have is summarised over those."""
    found = summarise_all([{"faithfulness": ratio(1, 1)}, {"faithfulness": ratio(0, 1), "other": a_score(0.5, "other")}])

    assert [(n, s.n) for n, s in found.items()] == [("faithfulness", 2), ("other", 1)]


def test_a_question_is_its_own_group() -> None:
    """Unless the file names one."""
    assert group_of(a_trace(question="What  IS it?")) == group_of(a_trace(question="what is it?"))
    assert group_of(a_trace(group="q7")) == "q7"
