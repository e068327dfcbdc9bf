"""``ragviz report``, ``compare --html`` and ``metrics NAME`` as people type them."""

from __future__ import annotations

from pathlib import Path

import pytest

from ragviz.cli.main import main

SAMPLES = Path(__file__).resolve().parents[2] / "sample_traces"
FIVE = str(SAMPLES / "five_cases.json")


def test_report_of_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One file in, one page out; what changed is told with --since."""
    out = tmp_path / "report.html"

    assert main(["report", FIVE, str(out), "--judge", "facts", "--since", FIVE]) == 0
    assert "Report on 5 answers" in capsys.readouterr().out
    assert "What changed since five_cases" in out.read_text(encoding="utf-8")


def test_report_as_markdown(tmp_path: Path) -> None:
    """The ending decides."""
    assert main(["report", FIVE, str(tmp_path / "report.md"), "--judge", "facts"]) == 0
    assert (tmp_path / "report.md").read_text(encoding="utf-8").startswith("# five\\_cases")


def test_report_with_an_ending_that_says_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Refused before anything is judged."""
    assert main(["report", FIVE, str(tmp_path / "report.pdf")]) == 2
    assert "use one of .html, .md" in capsys.readouterr().err


def test_compare_writes_a_page(tmp_path: Path) -> None:
    """The comparison without the terminal."""
    out = tmp_path / "change.html"

    assert main(["compare", FIVE, FIVE, "--judge", "facts", "--html", str(out)]) == 0
    assert "five_cases → five_cases" in out.read_text(encoding="utf-8")


def test_one_metric_is_explained(capsys: pytest.CaptureFixture[str]) -> None:
    """Formula, edge cases and source; a cut-off may be given as people write it."""
    assert main(["metrics", "recall_at_5"]) == 0
    said = capsys.readouterr().out
    assert "formula" in said
    assert "source" in said
    assert main(["metrics", "faithfulnes"]) == 2
    assert "faithfulness" in capsys.readouterr().err


@pytest.mark.parametrize("columns", [60, 80, 120])
def test_tables_fit_the_terminal(columns: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """COLUMNS is obeyed; words are cut, names and numbers of the first columns are not lost."""
    monkeypatch.setenv("COLUMNS", str(columns))
    assert main(["formats"]) == 0

    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= columns
    assert any("ragchecker" in line for line in lines)
