"""Claims of answers written in Markdown: signs are shown nowhere, and every mark stays on its words."""

from __future__ import annotations

import json
from pathlib import Path

from ragviz.cli.evaluating import words
from ragviz.grounding import groundings
from ragviz.judges.local import LocalJudge
from ragviz.pipeline import import_files, judge_run
from ragviz.pipeline.briefing import brief
from ragviz.pipeline.comparing import Seen
from ragviz.pipeline.evaluating import evaluation
from ragviz.records import Table
from ragviz.reports.briefing import briefing_html
from ragviz.reports.briefing_markdown import briefing_markdown
from ragviz.reports.case import case_html
from ragviz.reports.html import evaluation_html
from ragviz.reports.markdown import evaluation_markdown
from ragviz.store import open_store
from ragviz.ui.linked_text.content import Frame, build

ANSWER = "## Terms\n\n**Warranty:** The warranty is **five years**.\n- The *battery* lasts `20 hours`.\n"


def test_no_sign_is_shown_and_the_clash_is_marked(tmp_path: Path) -> None:
    """In the terminal, in every report and in the Inspector; the stored claim keeps the answer's words, and its spans point at them."""
    (tmp_path / "f.jsonl").write_text(
        json.dumps({"question": "How long?", "answer": ANSWER, "contexts": ["The warranty is two years. The battery lasts 10 hours."]}), encoding="utf-8"
    )
    with_store = open_store(":memory:")
    done = judge_run(with_store, import_files(with_store, [tmp_path / "f.jsonl"]).run_id, LocalJudge(embeddings=False))
    found, (case,) = evaluation(with_store, done.view, done.judge), with_store.judged(done.view)
    content = build(case, groundings(case, Table.RESPONSE_X_PASSAGES), (), Frame(mode="full"))
    report = briefing_html(brief(Seen(with_store, done.view)))

    assert [c.verdict for c in found.traces[0].claims] == ["contradicted", "contradicted"]
    assert "Warranty: The warranty is five years" in words(found)
    for shown in (words(found), evaluation_html(found), "".join(part.split("The source says")[0] for part in report.split("It claims")[1:])):
        assert "**" not in shown
        assert "The battery lasts 20 hours" in shown.replace("<mark class=clash>", "").replace("</mark>", "")
    assert "<mark class=clash>five years</mark>" in report
    for shown in (evaluation_markdown(found), briefing_markdown(brief(Seen(with_store, done.view)))):
        assert "The battery lasts 20 hours" in shown
        assert "\\*battery" not in shown
    assert "Warranty: The warranty is five years" in case_html(case, run="r", judge="j")
    assert [row["t"] for row in content["claims"]] == ["Warranty: The warranty is five years", "The battery lasts 20 hours"]
    for claim in case.claims:
        assert "".join(span.of(ANSWER) for span in claim.spans) == claim.text
    with_store.close()
