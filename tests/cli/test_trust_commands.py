"""``ragviz stability`` and the provenance page, as a user calls them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ragviz.judges import fingerprint
from ragviz.pipeline.exporting import WRITERS
from tests.cli.test_commands import as_json, check_one_clear_sentence, ragviz
from tests.unit.pipeline.fakes import WordJudge, a_file


@pytest.fixture
def judge(monkeypatch: pytest.MonkeyPatch) -> WordJudge:
    """In place of the judge that would be loaded."""
    fake = WordJudge()
    monkeypatch.setattr("ragviz.cli.steadying.working_judge", lambda *_args, **_settings: fake)
    return fake


def test_stability_of_a_run_and_of_labels(judge: WordJudge, tmp_path: Path) -> None:
    """A line per probe with n, share and interval; the second time everything is remembered; another seed asks anew."""
    ragviz("import", a_file(tmp_path, 6), cwd=tmp_path)
    first = as_json(ragviz("stability", "traces", "--json", cwd=tmp_path))
    asked = len(judge.asked)
    again = as_json(ragviz("stability", "traces", "--json", cwd=tmp_path))
    remembered = len(judge.asked)
    ragviz("stability", "traces", "--seed", "1", "--probes", "repeated", cwd=tmp_path)
    labels = tmp_path / "labels.jsonl"
    labels.write_text(
        "".join(
            json.dumps({"claim": f"The sky is blue {n}.", "label": "supported", "passages": [{"id": "d", "text": "The sky is blue."}]}) + "\n" for n in range(3)
        ),
        encoding="utf-8",
    )
    of_labels = ragviz("stability", labels, cwd=tmp_path)

    assert ["repeated", "shuffled", "distractor", "reworded"] == [p["probe"] for p in first["probes"]]  # type: ignore[attr-defined]
    assert fingerprint(judge) == first["fingerprint"]
    assert {"n", "changed", "crossed", "unjudged", "share", "ci95"} <= set(first["probes"][0])  # type: ignore[index]
    assert first["probes"] == again["probes"]
    assert asked == remembered < len(judge.asked)
    assert "asked again" in of_labels.stdout
    assert "left out" in of_labels.stdout


@pytest.mark.usefixtures("judge")
def test_mistakes(tmp_path: Path) -> None:
    """No such run, no such probe, a judge that only repeats the file."""
    ragviz("import", a_file(tmp_path, 1), cwd=tmp_path)

    for args in (["nowhere"], ["traces", "--probes", "tickled"], ["traces", "--probes", ""]):
        check_one_clear_sentence(ragviz("stability", *args, cwd=tmp_path))


def test_an_unknown_ending_lists_all_that_there_are(tmp_path: Path) -> None:
    """Also those of provenance, which are written by another hand."""
    ragviz("import", a_file(tmp_path, 2), cwd=tmp_path)

    done = ragviz("export", "traces", "out.xlsx", cwd=tmp_path)

    check_one_clear_sentence(done)
    assert all(ending in done.stderr for ending in (*WRITERS, ".html", ".md", ".provenance.html", ".provenance.md"))


@pytest.mark.parametrize("ending", ["html", "md"])
def test_provenance_page(ending: str, tmp_path: Path) -> None:
    """Written beside other exports; the ending decides."""
    ragviz("import", a_file(tmp_path, 2), cwd=tmp_path)
    done = ragviz("export", "traces", f"out.provenance.{ending}", cwd=tmp_path)
    page = (tmp_path / f"out.provenance.{ending}").read_text(encoding="utf-8")

    assert done.returncode == 0
    assert "Evaluator" in page
    assert "The sky is blue" not in page
