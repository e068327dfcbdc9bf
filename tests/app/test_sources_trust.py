"""Sources: wrong mirrors are seen without references, and a person's word on a source decides."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from streamlit.testing.v1 import AppTest

from ragviz.contracts import View
from ragviz.pipeline import import_files, judge_run, score_view
from ragviz.store import Store
from tests.app.five import FILE, shown

Open = Callable[..., AppTest]


def without_references(store: Store, tmp_path: Path) -> View:
    """The five teaching cases, with nothing that says what was expected."""
    cases = json.loads(FILE.read_text(encoding="utf-8"))
    for trace in cases["TRACES"]:
        for name in ("reference", "expected_claims", "relevant_documents"):
            trace.pop(name, None)
    path = tmp_path / "bare.json"
    path.write_text(json.dumps(cases), encoding="utf-8")
    report = import_files(store, [path])
    return judge_run(store, report.run_id, "facts").view


def suspects(app: AppTest) -> list[tuple[str, str, str]]:
    """Question's trace is not shown; what it rests on, what denies it, and why."""
    found = [d.value for d in app.dataframe if "rests on" in d.value]
    return [tuple(row) for row in found[0][["rests on", "denied by", "why"]].to_numpy().tolist()] if found else []


def test_a_wrong_mirror_needs_no_reference(app_store: Store, open_at: Open, tmp_path: Path) -> None:
    """90 days from the fan site; the official page, retrieved elsewhere, says 30."""
    without_references(app_store, tmp_path)

    app = open_at("sources")

    assert not app.exception
    assert suspects(app) == [("returns_mirror", "returns_current", "a more authoritative source says otherwise")]


def test_a_persons_word_on_a_source_turns_it_round(app_store: Store, open_at: Open, tmp_path: Path) -> None:
    """Patterns are kept, the more exact one wins; with mirror and official page swapped the other answer is the suspect, and causes follow."""
    view = without_references(app_store, tmp_path)
    before = {r.trace_id: r.cause for r in app_store.results(view)}
    app = open_at("sources")
    app.text_input(key="trust-pattern").set_value("returns_*")
    app.selectbox(key="trust-word").set_value("mirror")
    next(b for b in app.button if b.label == "Set").click().run()
    app_store.keep("authority", "returns_mirror", "official")

    app = open_at("sources")
    score_view(app_store, view)
    after = {r.trace_id: r.cause for r in app_store.results(view)}

    assert not app.exception
    assert [(used, against) for used, against, _ in suspects(app)] == [("returns_current", "returns_mirror")]
    assert (before["wrong_mirror"], after["wrong_mirror"]) == ("source_wrong", after["wrong_mirror"])
    assert after["wrong_mirror"] != "source_wrong"
    assert "fits 2 documents here" in "\n".join(t.value for t in app.text)


def test_a_strange_pattern_does_no_harm(app_store: Store, open_at: Open, tmp_path: Path) -> None:
    """Brackets that do not close, markup: shown as they are, fitting nothing."""
    without_references(app_store, tmp_path)
    for pattern in ("[a-", "<b>*", "**bold**"):
        app_store.keep("authority", pattern, "forum")

    app = open_at("sources")

    assert not app.exception
    assert "**bold** is forum; fits 0 documents here" in "\n".join(t.value for t in app.text)
    assert "bold" not in shown(app)
