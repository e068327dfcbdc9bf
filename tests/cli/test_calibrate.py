"""``ragviz calibrate``: the documented shape, and a second run that asks nothing again."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ragviz.cli.calibrating import cache_path
from tests.cli.test_commands import as_json, check_one_clear_sentence, ragviz
from tests.unit.pipeline.fakes import WordJudge


@pytest.fixture
def labels(tmp_path: Path) -> Path:
    """Three rows in two data sets, the sky blue in the passage and the grass not."""
    passages = [{"id": "d0", "text": "The sky is blue."}]
    rows = [
        {"id": "1", "dataset": "one", "claim": "The sky is blue.", "passages": passages, "label": "supported"},
        {"id": "2", "dataset": "one", "claim": "The grass is blue.", "passages": passages, "label": "not_supported"},
        {"id": "3", "dataset": "two", "claim": "The sky is grey.", "passages": passages, "label": "contradicted"},
    ]
    path = tmp_path / "labels.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


@pytest.fixture
def judge(monkeypatch: pytest.MonkeyPatch) -> WordJudge:
    """In place of the judge that would be loaded."""
    fake = WordJudge()
    monkeypatch.setattr("ragviz.cli.calibrating.working_judge", lambda *_args, **_settings: fake)
    return fake


def test_shape_and_second_run(labels: Path, judge: WordJudge, tmp_path: Path) -> None:
    """All documented keys; the second run takes everything from the cache, says so, and gives the same figures without a speed."""
    first = ragviz("calibrate", labels, "--json", cwd=tmp_path)
    found, asked = as_json(first), len(judge.asked)
    second = ragviz("calibrate", labels, "--json", cwd=tmp_path)
    again = as_json(second)

    assert {
        "judge", "n", "coverage", "balanced_accuracy", "precision_unsupported", "recall_unsupported", "f1_unsupported", "kappa", "base_rate", "confusion", "contradiction",
        "evidence", "per_dataset", "claims_per_second", "peak_rss_mb", "kappa_ci95", "balanced_accuracy_ci95", "reliability",
        "per_slice", "calibration", "calibration_note", "held_out",
    } == set(found)
    assert (3, 1.0, 1.0) == (found["n"], found["balanced_accuracy"], found["kappa"])
    assert len(judge.asked) == asked
    assert "judged before" in second.stderr
    assert str(tmp_path / "calibration.sqlite") in second.stderr
    assert {k: v for k, v in found.items() if k not in ("claims_per_second", "peak_rss_mb")} == {
        k: v for k, v in again.items() if k not in ("claims_per_second", "peak_rss_mb")
    }
    assert again["claims_per_second"] is None


@pytest.mark.usefixtures("judge")
def test_for_people(labels: Path, tmp_path: Path) -> None:
    """A table by data set, and what the confidence is worth."""
    done = ragviz("calibrate", labels, cwd=tmp_path)

    assert done.returncode == 0
    assert [line.split()[0] for line in done.stdout.splitlines()[2:5]] == ["all", "one", "two"]
    assert "not calibrated" in done.stdout


@pytest.mark.usefixtures("judge")
def test_unusable_rows(tmp_path: Path) -> None:
    """The line is named; an empty file is no label file."""
    bad, empty = tmp_path / "bad.jsonl", tmp_path / "empty.jsonl"
    bad.write_text('{"claim": "x"}\n', encoding="utf-8")
    empty.write_text("\n", encoding="utf-8")

    for file in (bad, empty, tmp_path / "absent.jsonl"):
        check_one_clear_sentence(ragviz("calibrate", file, cwd=tmp_path))


def test_where_answers_are_kept() -> None:
    """Beside the store; beside the user's own where the store is a server."""
    assert cache_path({"RAGVIZ_STORE": "/data/team.sqlite"}) == Path("/data/calibration.sqlite")
    assert cache_path({"RAGVIZ_STORE": "/data/team.sqlite"}, "/mine/own.sqlite") == Path("/mine/calibration.sqlite")
    assert cache_path({"HOME": "/home/ada", "XDG_DATA_HOME": "/d"}, "postgresql+psycopg://host/db").name == "calibration.sqlite"
    assert cache_path({"RAGVIZ_STORE": "postgresql+psycopg://host/db", "HOME": "/home/ada", "XDG_DATA_HOME": "/d"}).name == "calibration.sqlite"


@pytest.mark.usefixtures("judge")
def test_answers_go_with_the_store(labels: Path, tmp_path: Path) -> None:
    """Beside that of ``--store``, found again there, and nowhere else; a throw-away store keeps none."""
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    first, second = (ragviz("calibrate", labels, "--store", elsewhere / "runs.sqlite", cwd=tmp_path) for _ in range(2))
    before = sorted(tmp_path.rglob("calibration.sqlite"))
    thrown = ragviz("calibrate", labels, "--store", ":memory:", cwd=tmp_path)

    assert str(elsewhere / "calibration.sqlite") in first.stderr
    assert "3 of 3 pairs were judged before" in second.stderr
    assert before == sorted(tmp_path.rglob("calibration.sqlite")) == [elsewhere / "calibration.sqlite"]
    assert "calibration.sqlite" not in thrown.stderr


def many(tmp_path: Path, n: int = 240, **more: object) -> Path:
    """Pairs of labels: the sky is blue, the grass is not; every fifth label says the opposite."""
    path = tmp_path / "many.jsonl"
    rows = []
    for i in range(n):
        right = "supported" if i % 2 else "not_supported"
        wrong = "not_supported" if i % 2 else "supported"
        rows.append(
            {
                "id": str(i),
                "claim": "The sky is blue." if i % 2 else "The grass is blue.",
                "passages": [{"id": "d0", "text": f"The sky is blue, it says on page {i}."}],
                "label": wrong if i % 5 == 0 else right,
                "group": f"g{i // 2}",
                **more,
            }
        )
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


@pytest.mark.usefixtures("judge")
class TestFit:
    def test_fitted_on_one_part_reported_on_the_other_and_kept(self, tmp_path: Path) -> None:
        """The figures are those of the rows nothing was fitted on; the next run knows the calibration; its parts are named by hash."""
        file = many(tmp_path)
        found = as_json(ragviz("calibrate", file, "--fit", "--split", "0.5", "--seed", "3", "--json", cwd=tmp_path))
        calibration = found["calibration"]
        later = as_json(ragviz("calibrate", file, "--json", cwd=tmp_path))
        again = as_json(ragviz("calibrate", file, "--fit", "--seed", "3", "--json", cwd=tmp_path))

        assert isinstance(calibration, dict)
        split = calibration["split"]
        assert found["n"] == split["n_reported"]
        assert 240 == split["n_fit"] + split["n_reported"] == later["n"]
        assert 120 == split["groups_fit"] + split["groups_reported"]
        assert calibration["after"]["brier"] < calibration["before"]["brier"]
        assert calibration == later["calibration"]
        assert split == again["calibration"]["split"]  # type: ignore[index]

    def test_for_people(self, tmp_path: Path) -> None:
        """What was stored, what it rests on, and what it is worth on the other part."""
        done = ragviz("calibrate", many(tmp_path), "--fit", cwd=tmp_path)

        assert "labels nothing was fitted on: calibration error" in done.stdout
        assert "calibrated on" in done.stdout
        assert "Stored: confidences" in done.stderr

    def test_mistakes(self, labels: Path, tmp_path: Path) -> None:
        """Too few labels, a fraction outside (0, 1), a split no row has, options without --fit."""
        for args in (["--fit"], ["--fit", "--split", "1.5"], ["--fit", "--split", "development"], ["--split", "0.5"], ["--seed", "1"]):
            check_one_clear_sentence(ragviz("calibrate", labels, *args, cwd=tmp_path))

    def test_held_out_labels_are_counted(self, tmp_path: Path) -> None:
        """Each measurement of held-out rows is a look, and is said."""
        file = many(tmp_path, split="held-out")
        ragviz("calibrate", file, cwd=tmp_path)
        second = ragviz("calibrate", file, "--json", cwd=tmp_path)

        assert as_json(second)["held_out"] | {"last": ""} == {"n": 240, "opened": 0, "measured": 2, "moved": 0, "people": 1, "last": ""}  # type: ignore[operator]
        assert "measured twice" in second.stderr


def test_the_table_says_how_good_contradicted_is(tmp_path: Path) -> None:
    """It is the verdict that readers act on: precision 1 and recall 1 of one row the judge finds, beside one that is supported."""
    rows = [("The warranty lasts five years.", "contradicted"), ("The warranty lasts two years.", "supported")]
    path = tmp_path / "labels.jsonl"
    path.write_text(
        "".join(json.dumps({"claim": claim, "passages": ["The warranty lasts two years."], "label": label}) + "\n" for claim, label in rows), encoding="utf-8"
    )
    done = ragviz("calibrate", path, "--judge", "local", cwd=tmp_path)

    heading, _, line = done.stdout.splitlines()[:3]
    assert "precision contradicted" in heading
    assert line.split()[-2:] == ["1.000", "1.000"]
