"""The page for auditors: everything that a score depends on, no word of a trace, nothing a browser would run."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ragviz.pipeline import import_files, judge_run
from ragviz.pipeline.held_out import look_at
from ragviz.pipeline.provenance import ProvenanceReport, provenance_report
from ragviz.records import LookKind, Split
from ragviz.reports.provenance import provenance_html, provenance_markdown
from ragviz.store import open_store
from tests.unit.pipeline.fakes import WordJudge

HOSTILE = "<img src=x onerror=alert(1)>|`x`\u202e"


@pytest.fixture
def report(tmp_path: Path) -> ProvenanceReport:
    """Two held-out traces with a document of a revision and hostile names, judged, looked at once."""
    path = tmp_path / "traces.jsonl"
    rows = [
        {"id": f"t{n}", "question": f"secret question {n}", "response": "secret answer",
         "passages": [{"id": "p1", "text": f"secret passage {n}", "rank": 1, "doc_id": f"policy{HOSTILE}", "revision": "v3", "effective_date": "2026-01-01"}]}
        for n in range(2)
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    store = open_store(tmp_path / "s.sqlite")
    run = import_files(store, [path], run_name=f"run {HOSTILE}", split=Split.HELD_OUT)
    view = judge_run(store, run.run_id, WordJudge()).view
    look_at(store, ["secret question 0"], who=f"Ada {HOSTILE}", kind=LookKind.OPENED, place="Inspector")
    found = provenance_report(store, view)
    store.close()
    return found


def test_what_a_score_depends_on(report: ProvenanceReport) -> None:
    """Evaluator with fingerprint and settings, numbers with n and interval, splits and looks, documents by revision, packages, and how to repeat it."""
    sections = {s.title: s for s in report.sections}
    values = {s.title: dict(s.rows) for s in report.sections if not s.columns}  # type: ignore[arg-type]

    assert {"Run", "Evaluator", "Numbers", "Agreement with people", "Confidence", "Stability", "Splits and looks", "Documents", "Software", "To repeat"} <= set(
        sections
    )
    assert "words:1:" in values["Evaluator"]["fingerprint"]
    assert "2" == values["Evaluator"]["traces judged"]
    assert "faithfulness" in {row[0] for row in sections["Numbers"].rows}
    assert "not calibrated on labels" in sections["Confidence"].note
    assert "held-out 2" in sections["Splits and looks"].note
    assert [("opened", "Inspector", "1")] == [row[2:] for row in sections["Splits and looks"].rows]
    document = sections["Documents"].rows[0]
    assert ("v3", "2026-01-01", "2", "2") == (document[1], document[2], document[4], document[5])
    assert "not installed" != values["Software"]["msgspec"]
    assert "Fewer than 30 labels" in sections["Agreement with people"].note


@pytest.mark.parametrize("write", [provenance_html, provenance_markdown])
def test_no_text_of_a_trace_and_nothing_active(report: ProvenanceReport, write: object) -> None:
    """Names out of files are inert; hidden characters cannot hide; questions, answers and passages are not in it at all."""
    page = write(report)  # type: ignore[operator]

    assert "secret" not in page
    assert "<img" not in page
    assert "<script" not in page
    assert "\u202e" not in page


def test_standalone(report: ProvenanceReport) -> None:
    """No address is fetched, and the page says so to the browser."""
    page = provenance_html(report)

    assert "default-src 'none'" in page
    assert "http://" not in page
    assert "https://" not in page
    assert page.count("<section") == page.count("</section>") == len(report.sections)


def test_markdown_tables_keep_their_columns(report: ProvenanceReport) -> None:
    """A bar in a name is escaped: each row has as many cells as its head."""
    lines = [line for line in provenance_markdown(report).splitlines() if line.startswith("| ")]
    cells = [len([part for part in line.replace("\\|", "").split("|") if part.strip() or part == " "]) for line in lines]

    assert cells
    assert min(cells) >= 2
