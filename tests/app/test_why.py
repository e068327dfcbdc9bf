"""Inspector and Quadrants say why a trace failed, with the passage that was never retrieved."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from streamlit.testing.v1 import AppTest

from ragviz.pipeline import import_files, judge_run
from ragviz.store import Store
from ragviz.ui.views.inspector_why import _sentence
from tests.app.five import five_cases, shown
from tests.cli.test_causes import STATED, files

Open = Callable[..., AppTest]
__all__ = ["files"]


def test_the_inspector_names_what_was_not_retrieved(app_store: Store, open_at: Open, files: tuple[Path, Path]) -> None:
    """The sentence, the passage with the rank of the search, the expected claim and the quote."""
    judge_run(app_store, import_files(app_store, [files[0]], documents=files[1]).run_id, "local")

    app = open_at("inspector", trace="there")
    texts = [t.value for t in app.text]

    assert not app.exception
    assert "Why: retrieval missed it" in [h.value for h in app.header]
    assert "**Not retrieved: cover states it** · found by words" in shown(app).replace("\\", "")
    assert any(t.startswith("Expected: The warranty of the Nimbus 4") for t in texts)
    assert any(t.startswith("Passage: “") and t.removeprefix("Passage: “").removesuffix("”") in STATED for t in texts)


def test_nothing_to_explain_draws_no_box(app_store: Store, open_at: Open) -> None:
    """A good answer."""
    five_cases(app_store)

    app = open_at("inspector", trace="good_return")

    assert not app.exception
    assert not [h.value for h in app.header if h.value.startswith("Why")]


def test_quadrants_say_why_beside_the_picked_trace(app_store: Store, open_at: Open) -> None:
    """The wrong mirror's source by name."""
    five_cases(app_store)

    app = open_at("quadrants", cell="wrong_mirror")

    assert not app.exception
    assert any("Source wrong or old: the answer repeats" in c.value for c in app.caption)


def test_a_sentence_keeps_its_blanks() -> None:
    """Whatever it begins with: a word, a figure, a sign that hides."""
    assert [_sentence(words) for words in ("2 claims could not be judged", "the answer repeats x", "\u202ea b")] == [
        "2 claims could not be judged.", "The answer repeats x.", "\ufffda b.",
    ]
