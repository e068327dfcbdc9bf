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
    } == set(found)
    assert (3, 1.0, 1.0) == (found["n"], found["balanced_accuracy"], found["kappa"])
    assert len(judge.asked) == asked
    assert "judged before" in second.stderr
    assert str(tmp_path / "calibration.sqlite") in second.stderr
    assert {k: v for k, v in found.items() if k not in ("claims_per_second", "peak_rss_mb")} == {k: v for k, v in again.items() if k not in ("claims_per_second", "peak_rss_mb")}
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
    assert cache_path({"RAGVIZ_STORE": "postgresql+psycopg://host/db", "HOME": "/home/ada", "XDG_DATA_HOME": "/d"}).name == "calibration.sqlite"
