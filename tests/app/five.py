"""The five teaching cases in a store, judged by their annotated facts: numbers a reader can redo by hand."""

from __future__ import annotations

from pathlib import Path

from streamlit.testing.v1 import AppTest

from ragviz.contracts import View
from ragviz.pipeline import import_files, judge_run
from ragviz.store import Store
from tests.stored import once

FILE = Path(__file__).resolve().parents[2] / "sample_traces" / "five_cases.json"


def five_cases(store: Store, name: str = "five cases") -> View:
    """Import and judge; gives the view that pages show."""
    return once(store, f"five cases as {name}".encode(), lambda: _judged(store, name))


def _judged(store: Store, name: str) -> View:
    report = import_files(store, [FILE], run_name=name)
    return judge_run(store, report.run_id, "facts").view


def shown(app: AppTest) -> str:
    """All Markdown and captions of the page."""
    return "\n".join([*(m.value for m in app.markdown), *(c.value for c in app.caption)])
