"""A passage that came without an id is called alike wherever somebody reads of it, and never by the id that was made up for it."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from ragviz.library import claims_frame
from ragviz.library import evaluate as evaluated
from ragviz.records import Passage
from ragviz.ui.linked_text.evidence_rows import passage_name
from tests.cli.test_commands import as_json, ragviz

PASSAGE = "Refunds are paid within 30 days."
ROW = {"question": "How long do refunds take?", "answer": "Refunds are paid within 90 days."}
CASES = {
    "passage 1 (no id)": {"text": PASSAGE},
    "Refund rules": {"text": PASSAGE, "title": "Refund rules"},
    "rules.md": {"text": PASSAGE, "source": "rules.md"},
    "d7": {"id": "d7", "text": PASSAGE},
}


@pytest.mark.parametrize(("name", "passage"), CASES.items(), ids=str)
def test_one_name_everywhere(name: str, passage: dict[str, str], tmp_path: Path) -> None:
    """Terminal, Markdown, HTML, a report, the table of claims, a data frame, the Inspector; JSON keeps the id beside it."""
    (tmp_path / "t.json").write_text(json.dumps([{**ROW, "passages": [passage]}]), encoding="utf-8")
    ragviz("import", "t.json", "--run", "t", cwd=tmp_path)
    shown = {"text": ragviz("evaluate", "t", cwd=tmp_path).stdout, "markdown": ragviz("evaluate", "t", "--markdown", cwd=tmp_path).stdout}
    for out, command in (("out.html", ("evaluate", "t", "--html")), ("report.md", ("report", "t")), ("claims.csv", ("export", "t"))):
        ragviz(*command, f"{'out.' if out == 'claims.csv' else ''}{out}", cwd=tmp_path)
    shown |= {out: (tmp_path / out).read_text(encoding="utf-8") for out in ("out.html", "report.md", "out.claims.csv")}

    plain = {where: text.replace("\\", "") for where, text in shown.items()}
    assert [where for where, text in plain.items() if name not in text] == []
    assert [where for where, text in plain.items() if "sha1:" in text] == []
    with (tmp_path / "out.claims.csv").open(encoding="utf-8-sig", newline="") as source:
        assert [row["passage_id"] for row in csv.DictReader(source)] == [name]
    found = evaluated([{**ROW, "passages": [passage]}])
    assert list(claims_frame(found)["passage"]) == [name]
    (evidence,) = as_json(ragviz("evaluate", "t", "--json", cwd=tmp_path))["traces"][0]["claims"][0]["evidence"]  # type: ignore[index]
    assert evidence.get("passage_name", evidence["passage_id"]) == name
    assert passage_name(Passage(id=evidence["passage_id"], text=PASSAGE, rank=1, title=passage.get("title"), source=passage.get("source"))) == name
