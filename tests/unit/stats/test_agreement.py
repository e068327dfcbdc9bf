"""Agreement of labels."""

from __future__ import annotations

import pytest

from ragviz.stats.agreement import balanced_accuracy, base_rate, cohen_kappa, confusion, corrected_rate, detection, stability

TRUTH = list("SSSSNNCC")
SAID = list("SSSNNNCS")


def test_equals_scikit_learn() -> None:
    """Kappa, balanced accuracy, precision, recall and F1 of one class."""
    # In here: every process that runs tests collects all of them, and one of them needs it.
    from sklearn.metrics import balanced_accuracy_score, cohen_kappa_score, precision_recall_fscore_support

    precision, recall, f1, _ = precision_recall_fscore_support(TRUTH, SAID, labels=["N"])
    found = detection(TRUTH, SAID, "N")

    assert cohen_kappa(TRUTH, SAID) == pytest.approx(cohen_kappa_score(TRUTH, SAID))
    assert balanced_accuracy(TRUTH, SAID) == pytest.approx(balanced_accuracy_score(TRUTH, SAID))
    assert (found.precision, found.recall, found.f1, found.n) == pytest.approx((precision[0], recall[0], f1[0], 2))


def test_kappa_is_agreement_beyond_chance() -> None:
    """3 of 4 agree where chance gives a half: (3/4 - 1/2) / (1 - 1/2)."""
    assert cohen_kappa(list("aabb"), list("abbb")) == pytest.approx(0.5)


def test_kappa_is_undefined_without_choice() -> None:
    """Always the same word on both sides, or nothing at all."""
    assert cohen_kappa(["a", "a"], ["a", "a"]) is None
    assert cohen_kappa([], []) is None


def test_nothing_called_has_no_precision() -> None:
    """There is one, nobody called it: recall 0, F1 0. There is none and none was called: nothing to say."""
    found, absent = detection(["x", "y"], ["y", "y"], "x"), detection(["y"], ["y"], "x")

    assert (found.precision, found.recall, found.f1) == (None, 0.0, 0.0)
    assert (absent.precision, absent.recall, absent.f1) == (None, None, None)


def test_rate_behind_an_imperfect_judge() -> None:
    """20 % called, sensitivity 0.8, specificity 0.9: (0.2 - 0.1) / 0.7. A judge at chance tells nothing; a rate stays in [0, 1]."""
    assert corrected_rate(0.2, sensitivity=0.8, specificity=0.9) == pytest.approx(1 / 7)
    assert corrected_rate(0.2, sensitivity=0.5, specificity=0.5) is None
    assert corrected_rate(0.02, sensitivity=0.8, specificity=0.9) == 0.0


def test_stability_counts_pairs_of_repeats() -> None:
    """Three answers, two alike: 1 of 3 pairs; asked once: no pair."""
    assert stability({"q": ["a", "a", "b"], "r": ["a"]}) == pytest.approx(1 / 3)
    assert stability({"r": ["a"]}) is None


def test_confusion_and_base_rate() -> None:
    """Counts by true and said label; the share of S."""
    assert confusion(list("aaa"), list("bba")) == {("a", "b"): 2, ("a", "a"): 1}
    assert base_rate(TRUTH, "S") == 0.5
    assert base_rate([], "S") is None
