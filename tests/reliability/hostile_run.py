"""A judged run with hostile words wherever a file or a person may put some."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ragviz.contracts import View
from ragviz.pipeline import import_files
from ragviz.pipeline.judging import judge_run
from ragviz.pipeline.scoring import score_view
from ragviz.records import Annotation, Grounding, ImportedScore, LoadIssue
from ragviz.store import Store, open_store
from tests.contracts.store_laws import NOW
from tests.unit.pipeline.fakes import WordJudge, without_models

HOSTILE = (
    "<script>alert(1)</script><img src=x onerror=alert(2)>",
    '"><svg onload=alert(3)>',
    "]]><x/>&lt;b&gt;",
    "[a](javascript:alert(4)) ![b](http://evil.test/i.png)",
    ":material/home: :red[h] %{customdata} eve@evil.test",
    "http://evil.test/?q=1 www.evil.test",
    "@everyone `c` | d | $e$\n\n# f\n- g",
    '=HYPERLINK("http://evil.test")',
    "\t=1+1",
    "\u200b@SUM(A1)",
    "\u202ehtml.exe\u2066",
    "\x1b]8;;http://evil.test\x07h\x1b[2J",
)


def hostile_run(folder: Path) -> tuple[Store, View]:
    """The store ``s.sqlite`` in that folder, open, with the run in it."""
    rows = []
    for n, said in enumerate(HOSTILE):
        rows.append({
            "id": f"{said}{n}", "question": f"{said} {n}", "response": f"{said} is false. {said} [1].", "reference": f"{said}.", "model": said, "group": said, "tags": {"topic": said, f"t{said}": "x"},
            "passages": [{"id": f"{said}p", "doc_id": said, "title": said, "source": said, "text": f"{said} is true. broken {said}", "rank": 1, "authority": said, "effective_date": said,
                          "facts": [{"attribute": said, "value": said}], "metadata": {said: said}}],
            "claims": [{"text": f"{said} is false.", "side": "response", "attribute": said, "value": f"not {said}"}], "relevant_ids": [f"{said}p"], "metadata": {said: said},
        })
    (folder / "hostile.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    store = open_store(folder / "s.sqlite")
    with pytest.MonkeyPatch.context() as patch:
        without_models(patch)
        report = import_files(store, [folder / "hostile.jsonl"], run_name=HOSTILE[0])
        assert report.n_traces == len(HOSTILE), report.issues
        view = judge_run(store, report.run_id, WordJudge()).view
    store.add_issues(report.run_id, [LoadIssue(where=said, message=said, fix=said) for said in HOSTILE])
    for case in list(store.judged(view)):
        store.annotate(
            report.run_id,
            Annotation(
                trace_id=case.trace.id, claim_id=case.claims[0].id, grounding=Grounding.CONTRADICTED, author=HOSTILE[1], reason=case.trace.question, at=NOW
            ),
        )
    store.add_scores(
        report.run_id, {i: [ImportedScore(name=HOSTILE[6], value=0.5, label=HOSTILE[0], reason=HOSTILE[3])] for i in store.trace_ids(report.run_id)}
    )
    score_view(store, view)
    return store, view
