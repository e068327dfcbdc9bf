"""Confidence corrected on one part of the labels and reported on the other; the correction belongs to one version of a judge."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace

from ragviz.errors import InputError
from ragviz.grounding import groundings
from ragviz.pipeline import evaluate_run, import_files, judge_run
from ragviz.pipeline.calibrate import Answer
from ragviz.pipeline.fitting import corrected, fit, part_rows, rows_hash
from ragviz.pipeline.label_files import LabelRow, read_labels
from ragviz.pipeline.label_slices import kinds, per_slice
from ragviz.pipeline.standing import NOT_CALIBRATED, confidences, standing
from ragviz.records import Calibration, Grounding, Table
from ragviz.store import open_store
from ragviz.store.calibrations import add_calibration

NOW = datetime(2026, 3, 1, tzinfo=UTC)


def rows(n: int, *, per_group: int = 3, split: str = "") -> list[LabelRow]:
    """Labels in groups; every other one is supported."""
    raw = [
        {"id": str(i), "dataset": "d", "claim": f"Claim {i}.", "passages": [{"id": "p", "text": "x"}], "label": "not_supported" if i % 2 else "supported",
         "group": f"g{i // per_group}", "split": split}
        for i in range(n)
    ]
    return list(read_labels([json.dumps(r) for r in raw]))


def too_sure(of: list[LabelRow], *, right: float = 0.7, seed: int = 0) -> list[Answer]:
    """A judge that is right seven times in ten and says 0.95 or 0.9 each time."""
    rng = np.random.default_rng(seed)
    found = []
    for row in of:
        agrees = rng.random() < right
        bad = (row.label is not Grounding.SUPPORTED) == agrees
        found.append(Answer(row=row, grounding=Grounding.NOT_SUPPORTED if bad else Grounding.SUPPORTED, confidence=float(rng.choice([0.9, 0.95])), evidence=()))
    return found


def fitted(n: int = 900) -> Calibration:
    train, test, split = part_rows(rows(n))
    return fit(too_sure(train), too_sure(test, seed=1), judge="local", fingerprint="local:1", split=split, now=NOW)


class TestParts:
    def test_a_group_is_on_one_side_and_stays_there(self) -> None:
        """Half of the groups; twice the labels move none of them; another seed parts otherwise; the hashes name both parts."""
        train, test, split = part_rows(rows(600))
        more, _, _ = part_rows(rows(1_200))
        other, _, _ = part_rows(rows(600), seed=7)

        assert not {r.group for r in train} & {r.group for r in test}
        assert 600 == len(train) + len(test) == split.n_fit + split.n_reported
        assert 0.4 < len(train) / 600 < 0.6
        assert {r.group for r in train} == {r.group for r in more if int(r.group[1:]) < 200}
        assert {r.group for r in other} != {r.group for r in train}
        assert (rows_hash(train), rows_hash(test)) == (split.fit_hash, split.reported_hash)
        assert rows_hash(list(reversed(train))) == split.fit_hash

    def test_the_files_own_split(self) -> None:
        """Fitted on the rows that say so, and no group may be on both sides."""
        train, test, split = part_rows([*rows(60, split="development"), *[r for r in rows(120) if int(r.group[1:]) >= 20]], split="development")
        torn = [*rows(60, split="development"), *rows(60)]

        assert (60, 60, None) == (len(train), len(test), split.seed)
        with pytest.raises(InputError, match="inside and outside"):
            part_rows(torn, split="development")

    @pytest.mark.parametrize("asked", [{"split": "nowhere"}, {"fraction": 1e-9}])
    def test_an_empty_part_is_told(self, asked: dict[str, object]) -> None:
        """With how many rows are on each side."""
        with pytest.raises(InputError, match="0 rows to fit on and 60"):
            part_rows(rows(60), **asked)  # type: ignore[arg-type]


class TestFit:
    def test_equal_to_scikit_learn(self) -> None:
        """The corrected probability is that of IsotonicRegression fitted on the same part, on every answer of the other part."""
        isotonic = pytest.importorskip("sklearn.isotonic")
        train, test, split = part_rows(rows(900))
        told, held = too_sure(train), too_sure(test, seed=1)
        found = fit(told, held, judge="j", fingerprint="f", split=split, now=NOW)
        theirs = isotonic.IsotonicRegression(out_of_bounds="clip").fit([_p(a) for a in told], [a.row.label is not Grounding.SUPPORTED for a in told])

        expected = theirs.predict([_p(a) for a in held])
        ours = [corrected(found, a.grounding, a.confidence) for a in held]
        assert [p if not a.grounding.is_supported else 1 - p for p, a in zip(expected, held, strict=True)] == pytest.approx(ours)

    def test_a_judge_that_is_too_sure_is_brought_down(self) -> None:
        """It says 0.9 and more and is right in 0.7: corrected it says about that, on labels nothing was fitted on; both errors fall."""
        found = fitted()

        assert corrected(found, Grounding.SUPPORTED, 0.95) == pytest.approx(0.7, abs=0.1)
        assert corrected(found, Grounding.NOT_SUPPORTED, 0.95) == pytest.approx(0.7, abs=0.1)
        assert found.before is not None
        assert found.after is not None
        assert found.after.ece < found.before.ece / 2
        assert found.after.brier < found.before.brier
        assert 0.4 < found.base_rate < 0.6

    @pytest.mark.parametrize(("grounding", "confidence"), [(Grounding.UNJUDGED, 0.9), (Grounding.SUPPORTED, None)])
    def test_nothing_is_made_up(self, grounding: Grounding, confidence: float | None) -> None:
        """An unjudged claim and a verdict without confidence have no corrected one."""
        assert corrected(fitted(), grounding, confidence) is None

    def test_too_few_or_no_confidence_is_told(self) -> None:
        """30 judged on each side; a judge without confidence has nothing to calibrate."""
        train, test, split = part_rows(rows(120))
        bare = [Answer(row=r, grounding=Grounding.SUPPORTED, confidence=None, evidence=()) for r in train]

        with pytest.raises(InputError, match="fewer than 30"):
            fit(too_sure(train)[:29], too_sure(test), judge="j", fingerprint="f", split=split, now=NOW)
        with pytest.raises(InputError, match="no confidence"):
            fit(bare, bare, judge="j", fingerprint="f", split=split, now=NOW)


class TestStanding:
    def test_another_version_does_not_apply(self, tmp_path: Path) -> None:
        """Stored for local:1; local:2 is told that it belongs to another version, nli that there is none."""
        store = open_store(tmp_path / "s.sqlite")
        add_calibration(store, fitted())

        assert standing(store, "local:1").of(Grounding.SUPPORTED, 0.95) == corrected(fitted(), Grounding.SUPPORTED, 0.95)
        assert "another version" in standing(store, "local:2").words
        assert standing(store, "local:2").of(Grounding.SUPPORTED, 0.95) is None
        assert standing(store, "nli:1").words == "not calibrated on labels"
        store.close()


class TestSlices:
    def test_kinds_of_a_row(self) -> None:
        """By length, numbers, passages, question; what the row lacks is absent."""
        raw = {
            "claim": "one two three 4 five six seven eight nine ten eleven",
            "passages": [{"id": f"p{n}", "text": "x"} for n in range(3)],
            "label": "supported",
            "question": "How many?",
        }
        row = next(read_labels([json.dumps(raw)]))

        assert {"claim length": "11 to 20 words", "numbers in the claim": "some", "passages": "2 to 4", "question": "how many"} == kinds(row)
        assert "question" not in kinds(next(read_labels([json.dumps(raw | {"question": None})])))

    def test_each_slice_with_n_and_interval(self) -> None:
        """Short and long claims apart; a property that all rows share is none; a slice of three is left out."""
        words = " ".join(["word"] * 15)
        answers = [*too_sure(rows(60)), *(_with_claim(a, words) for a in too_sure(rows(40), seed=3)), *(_with_claim(a, words * 3) for a in too_sure(rows(3)))]
        found = per_slice(answers)

        assert ["claim length", "numbers in the claim"] == list(found)
        assert {"up to 10 words": 60, "11 to 20 words": 40} == {value: figures["n"] for value, figures in found["claim length"].items()}
        low, high = found["claim length"]["up to 10 words"]["balanced_accuracy_ci95"]
        assert low < found["claim length"]["up to 10 words"]["balanced_accuracy"] < high


def _p(answer: Answer) -> float:
    assert answer.confidence is not None
    return 1 - answer.confidence if answer.grounding.is_supported else answer.confidence


def _with_claim(answer: Answer, claim: str) -> Answer:
    return replace(answer, row=replace(answer.row, claim=claim))


def test_every_place_says_one_sentence_about_a_confidence(tmp_path: Path) -> None:
    """What ``evaluate`` notes of the judge is what the Inspector says of each claim of it, whether its makers calibrated it or not."""
    (tmp_path / "a.json").write_text(
        json.dumps([{"question": "How long?", "answer": "It takes 30 days.", "passages": ["It takes 30 days."]}]), encoding="utf-8"
    )
    store = open_store(":memory:")
    run = import_files(store, [tmp_path / "a.json"]).run_id
    note = evaluate_run(store, run, judge="local").judge.calibration_note
    (case,) = store.judged(judge_run(store, run, "local").view)
    (said,) = confidences(case, groundings(case, Table.RESPONSE_X_PASSAGES), NOT_CALIBRATED).values()

    assert said.split(", ", 1)[1] == note == NOT_CALIBRATED.worth(by_makers=True) == "calibrated by its makers, not calibrated on labels"
    assert NOT_CALIBRATED.worth(by_makers=False) == "not calibrated by its makers, and not calibrated on labels"
