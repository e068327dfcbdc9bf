"""What every metric must keep, whatever it measures. Each law takes a metric and a case."""

from __future__ import annotations

import math

import msgspec

from ragviz.contracts import Metric
from ragviz.metrics import filled_name
from ragviz.records import JudgedTrace, ScoreStatus, Verdict


def check_value_lies_in_the_declared_range(metric: Metric, case: JudgedTrace) -> None:
    score = metric.score(case)
    lo, hi = metric.info.range

    assert (score.value is None) == (score.status is not ScoreStatus.OK)
    assert score.value is not None or score.reason
    assert score.value is None or lo - 1e-12 <= score.value <= hi + 1e-12
    assert score.value is None or math.isfinite(score.value)


def check_score_says_whose_it_is(metric: Metric, case: JudgedTrace) -> None:
    score = metric.score(case)

    assert (filled_name(metric.info.name, case.retrieval_k), metric.info.version, case.trace.id) == (score.metric, score.metric_version, score.trace_id)


def check_ratio_is_what_it_says(metric: Metric, case: JudgedTrace) -> None:
    score = metric.score(case)

    if score.numerator is not None and score.value is not None:
        assert math.isclose(score.value * score.support, score.numerator, rel_tol=1e-9, abs_tol=1e-9)


def check_depends_on_declared_needs_only(metric: Metric, case: JudgedTrace) -> None:
    needed = tuple(j for j in case.judgements if j.key.table in metric.info.needs)
    rated = tuple(r for r in case.ratings if r.kind in metric.info.needs_ratings)
    bare = msgspec.structs.replace(case, judgements=needed, ratings=rated)

    assert metric.score(bare) == metric.score(case)


def check_order_of_claims_and_verdicts_changes_nothing(metric: Metric, case: JudgedTrace) -> None:
    turned = msgspec.structs.replace(case, claims=case.claims[::-1], judgements=case.judgements[::-1])

    before, after = metric.score(case), metric.score(turned)

    assert (before.status, before.support, before.unjudged) == (after.status, after.support, after.unjudged)
    assert before.value == after.value or math.isclose(before.value or 0, after.value or 0, rel_tol=1e-12)
    assert sorted(before.claim_ids) == sorted(after.claim_ids)


def check_unjudged_is_no_evidence(metric: Metric, case: JudgedTrace) -> None:
    """A pair that could not be judged counts like one that was never asked."""
    asked = msgspec.structs.replace(case, judgements=tuple(j for j in case.judgements if j.verdict is not Verdict.UNJUDGED))
    before, after = metric.score(case), metric.score(asked)

    if metric.info.group != "cost":
        assert (before.value, before.status, before.support) == (after.value, after.status, after.support)


def check_same_case_same_score(metric: Metric, case: JudgedTrace) -> None:
    before = msgspec.json.encode(case)

    assert metric.score(case) == metric.score(case)
    assert before == msgspec.json.encode(case)


LAWS = [law for name, law in sorted(globals().items()) if name.startswith("check_")]
