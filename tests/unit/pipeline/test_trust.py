"""The figures of agreement equal scikit-learn's on the same predictions."""

from __future__ import annotations

import json

import numpy as np
import pytest

from ragviz.pipeline.calibrate import Answer, report
from ragviz.pipeline.label_files import read_labels as read
from ragviz.pipeline.trust import agreement, as_json
from ragviz.records import Grounding

SAID = (Grounding.SUPPORTED, Grounding.NOT_SUPPORTED, Grounding.CONTRADICTED, Grounding.CONFLICTED)


def made_up(n: int, *, unjudged: bool = False) -> list[Answer]:
    """Labels and verdicts drawn at random, with a lean towards agreement."""
    rng = np.random.default_rng(8)
    answers = []
    for i in range(n):
        label = ("supported", "not_supported", "contradicted")[rng.integers(3)]
        right = Grounding(label)
        said = right if rng.random() < 0.6 else SAID[rng.integers(4)]
        if unjudged and rng.random() < 0.1:
            said = Grounding.UNJUDGED
        raw = json.dumps(
            {"id": str(i), "dataset": "ab"[i % 2], "claim": "It is.", "passages": [{"id": "d", "text": "It is."}], "label": label, "group": f"g{i // 4}"}
        )
        answers.append(Answer(row=next(iter(read([raw]))), grounding=said, confidence=float(rng.uniform(0.5, 1)), evidence=()))
    return answers


def test_equal_to_scikit_learn() -> None:
    """Balanced accuracy, precision, recall, F1, kappa, and precision and recall of contradictions, on 400 rows."""
    metrics = pytest.importorskip("sklearn.metrics")
    answers = made_up(400)
    truth = [a.row.label is not Grounding.SUPPORTED for a in answers]
    said = [not a.grounding.is_supported for a in answers]
    found = agreement(answers)
    figures = found.figures

    assert figures["balanced_accuracy"] == pytest.approx(metrics.balanced_accuracy_score(truth, said))
    assert figures["precision_unsupported"] == pytest.approx(metrics.precision_score(truth, said))
    assert figures["recall_unsupported"] == pytest.approx(metrics.recall_score(truth, said))
    assert figures["f1_unsupported"] == pytest.approx(metrics.f1_score(truth, said))
    assert figures["kappa"] == pytest.approx(metrics.cohen_kappa_score(truth, said))
    assert figures["base_rate"] == pytest.approx(np.mean(truth))
    against = [a.row.label is Grounding.CONTRADICTED for a in answers]
    called = [a.grounding is Grounding.CONTRADICTED for a in answers]
    assert figures["contradiction"]["precision"] == pytest.approx(metrics.precision_score(against, called))
    assert figures["contradiction"]["recall"] == pytest.approx(metrics.recall_score(against, called))
    assert found.kappa is not None
    assert found.kappa.lo < figures["kappa"] < found.kappa.hi
    assert found.balanced_accuracy is not None
    assert found.balanced_accuracy.lo < figures["balanced_accuracy"] < found.balanced_accuracy.hi


def test_equal_to_scikit_learn_with_rows_nobody_could_judge() -> None:
    """An unjudged row counts as the class the person did not choose."""
    metrics = pytest.importorskip("sklearn.metrics")
    answers = made_up(300, unjudged=True)
    truth = [a.row.label is not Grounding.SUPPORTED for a in answers]
    said = [not t if a.grounding is Grounding.UNJUDGED else not a.grounding.is_supported for a, t in zip(answers, truth, strict=True)]
    figures = agreement(answers).figures

    assert figures["balanced_accuracy"] == pytest.approx(metrics.balanced_accuracy_score(truth, said))
    assert figures["recall_unsupported"] == pytest.approx(metrics.recall_score(truth, said))
    assert figures["kappa"] == pytest.approx(metrics.cohen_kappa_score(truth, said))


def test_reliability_is_over_the_two_classes() -> None:
    """Every judged row has a place on the curve; its bins hold equally many; the Brier score is scikit-learn's."""
    metrics = pytest.importorskip("sklearn.metrics")
    answers = made_up(200)
    curve = agreement(answers).reliability
    right = [a.grounding.is_supported == (a.row.label is Grounding.SUPPORTED) for a in answers]

    assert curve is not None
    assert [b.n for b in curve.bins] == [20] * 10
    assert curve.brier == pytest.approx(metrics.brier_score_loss(right, [a.confidence for a in answers]))


def test_json() -> None:
    """The documented object plus intervals and the curve; without confidences there is no curve."""
    answers = made_up(40)
    silent = [Answer(row=a.row, grounding=a.grounding, confidence=None, evidence=()) for a in answers]
    whole = report(answers, judge="local", seconds=2.0) | as_json(agreement(answers), calibrated=1.0)

    assert whole["claims_per_second"] == 20.0
    assert set(whole["per_dataset"]) == {"a", "b"}
    assert whole["reliability"]["n"] == 40
    assert json.loads(json.dumps(whole)) == whole
    assert as_json(agreement(silent), calibrated=None)["reliability"] is None
