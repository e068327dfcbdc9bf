"""Identities between metrics: the partition of claims behind RAGChecker's figures, and what must add up."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragviz.metrics import score_all
from ragviz.records import JudgedTrace, Policy
from ragviz.stats.ranking import average_precision, hit, ndcg, precision, recall, reciprocal_rank
from tests.property.judged import judged_cases


@settings(max_examples=150, deadline=None)
@given(case=judged_cases(with_reference=True, unjudged=False, min_claims=1))
def test_every_claim_has_one_fate(case: JudgedTrace) -> None:
    """Correct, misled by relevant or by irrelevant passages, or hallucinated: the shares sum to one. So do supported, known and made up."""
    scores = score_all(case)

    def total(*names: str) -> float:
        return sum(scores[name].value or 0.0 for name in names)

    assert total("correctness_precision", "noise_sensitivity_relevant", "noise_sensitivity_irrelevant", "ragchecker_hallucination") == pytest.approx(1)
    assert total("faithfulness", "self_knowledge", "ragchecker_hallucination") == pytest.approx(1)


@settings(max_examples=150, deadline=None)
@given(case=judged_cases(policies=True, min_claims=1))
def test_hallucination_is_the_rest_of_faithfulness(case: JudgedTrace) -> None:
    """On the same verdicts, under every policy: split in two, and together with faithfulness one."""
    scores = score_all(case)
    faithfulness, hallucination = scores["faithfulness"], scores["hallucination"]

    assert faithfulness.status == hallucination.status
    if faithfulness.value is not None:
        assert faithfulness.value + hallucination.value == pytest.approx(1)
        assert scores["contradicted_rate"].value + scores["not_supported_rate"].value == pytest.approx(hallucination.value)


@settings(max_examples=100, deadline=None)
@given(case=judged_cases(min_claims=1))
def test_strict_is_never_kinder_than_default(case: JudgedTrace) -> None:
    """Counting conflicted and unjudged claims as not supported cannot raise faithfulness."""
    default = score_all(case)["faithfulness"].value
    strict = score_all(JudgedTrace(trace=case.trace, claims=case.claims, judgements=case.judgements, k=case.k, policy=Policy.STRICT))["faithfulness"].value

    if default is not None:
        assert strict is not None
        assert strict <= default + 1e-12


@given(relevant=st.lists(st.booleans(), max_size=12), beyond=st.integers(0, 5), k=st.integers(1, 15))
def test_rank_measures_agree_with_each_other(relevant: list[bool], beyond: int, k: int) -> None:
    """All lie in [0, 1]; hit is 1 exactly when RR is positive; P·k = R·(relevant); nDCG of a perfect list is 1."""
    total = sum(relevant) + beyond
    ideal = [1.0] * total
    p, rr, h = precision(relevant, k=k), reciprocal_rank(relevant, k=k), hit(relevant, k=k)
    r, ap, n = recall(relevant, total, k=k), average_precision(relevant, total, k=k), ndcg([float(x) for x in relevant], ideal, k=k)

    assert (h == 1) == (rr > 0)
    if total:
        assert None not in (r, ap, n)
        assert p * k == pytest.approx(r * total)
        assert all(0 <= v <= 1 + 1e-12 for v in (p, rr, r, ap, n))
        assert ndcg(ideal, ideal, k=k) == pytest.approx(1)
    else:
        assert (r, ap, n) == (None, None, None)
