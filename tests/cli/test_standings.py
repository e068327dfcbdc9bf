"""
Runs without expected answers: terminal, report and CSV tell each answer's standing with the counts of the run; what machines read of the quadrant
stays as promised.
"""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from pathlib import Path

import pytest

from tests.cli.hosted import at_home, ragviz

PASSAGE = "The warranty lasts two years. The kettle holds 1.7 litres."
ANSWERS = [
    "The warranty lasts two years.",
    "The warranty lasts five years.",
    "The warranty lasts two years. The kettle holds 9 litres. The kettle holds 1.7 litres.",
    "I cannot answer that from the sources.",
]


@pytest.fixture
def home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A run "bare" without expected answers, and "told", the same with them."""
    at_home(monkeypatch, tmp_path)
    for name, more in (("bare", {}), ("told", {"reference": "The warranty lasts two years."})):
        rows = [{"id": f"q{n}", "question": "How long does the warranty last?", "answer": a, "contexts": [PASSAGE], **more} for n, a in enumerate(ANSWERS)]
        (tmp_path / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        assert ragviz("import", f"{name}.jsonl", "--run", name)[0] == 0
        assert ragviz("judge", name, "--judge", "local")[0] == 0
    return tmp_path


def column(run: str, name: str) -> list[str]:
    """Of the run as CSV."""
    assert ragviz("export", run, "out.csv")[0] == 0
    return [row[name] for row in csv.DictReader(io.StringIO(Path("out.csv").read_text("utf-8-sig")))]


def test_table_sentence_and_csv_agree(home: Path) -> None:
    """Row by row; the sentence below the table counts the same rows."""
    code, out, _ = ragviz("evaluate", "bare", "--judge", "local")
    told = column("bare", "standing")
    head = next(line for line in out.splitlines() if line.startswith("trace "))
    rows = [line.split("  ") for line in out.splitlines() if line.startswith(("q0 ", "q1 ", "q2 ", "q3 "))]
    assert ragviz("evaluate", "bare", "--judge", "local", "--html", "out.html")[0] == 0

    assert (code, "standing" in head, "quadrant" in head) == (0, True, False)
    assert [next(cell.strip() for cell in row[1:] if cell.strip()) for row in rows] == [name.replace("_", " ") for name in told]
    assert told[0] == "grounded"
    assert told[3] == "abstained"
    assert "unknown" not in told
    assert all(f"{name.replace('_', ' ').replace('off topic', 'off-topic')} {n}" in out for name, n in Counter(told).items())
    assert f"q1 · {told[1].replace('_', ' ')} ·" in Path("out.html").read_text("utf-8")


def test_what_machines_read_stays(home: Path) -> None:
    """``quadrant`` is unknown in JSON and CSV; a run with expected answers has no standing, since its quadrants say more."""
    found = json.loads(ragviz("evaluate", "bare", "--judge", "local", "--json")[1])

    assert [t["quadrant"] for t in found["traces"]] == column("bare", "quadrant") == ["unknown", "unknown", "unknown", "abstained"]
    assert set(column("told", "standing")) == {""}
    assert "unknown" not in column("told", "quadrant")


def test_no_quotation_marks_stand_empty(home: Path, repo: Path) -> None:
    """A fact that is noted at a passage without words in its text settles a claim, and has no quote."""
    for way in ((), ("--html", "five.html"), ("--markdown",)):
        code, out, _ = ragviz("evaluate", str(repo / "sample_traces" / "five_cases.json"), "--judge", "facts", *way)
        text = Path("five.html").read_text("utf-8") if "--html" in way else out

        assert code == 0
        assert not any(empty in text for empty in ("“”", '""'))
        assert way or "(no quote)" in text


def test_feedback_of_which_nothing_fits_is_unusable_input(home: Path) -> None:
    """Exit code 2, as of any file that cannot be used; one row that fits is enough for 0."""
    (home / "none.csv").write_text("trace_id,claim,verdict\nnobody,nothing,contradicted\n", encoding="utf-8")
    (home / "some.csv").write_text("trace_id,claim,verdict\nnobody,nothing,contradicted\nq0,The warranty lasts two years.,supported\n", encoding="utf-8")

    assert [ragviz("feedback", file, "--run", "bare")[0] for file in ("none.csv", "some.csv")] == [2, 0]
