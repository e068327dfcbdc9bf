"""The Inspector: a failure is kept as a test."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from ragviz.gate.rules import MustPass, read_rules
from ragviz.loaders import read
from ragviz.records import Grounding, Trace
from ragviz.store import Store
from tests.app.inspected import words
from tests.browser.scenario import a_rich_case
from tests.stored import fill


def test_a_failure_becomes_a_test(app_store: Store, open_at: Callable[..., AppTest]) -> None:
    """Case and rule are written beside the store, and the page says where and how to check them."""
    fill(app_store, a_rich_case())
    app = open_at("inspector", trace="tr-0417", claim="c4")
    home = Path(app_store.address).parent / "regressions"

    assert str(home) in words(app).replace("\\", "")
    app.text_input(key=f"test-words-{app_store.runs()[0].run_id}-tr-0417-c4").set_value("€75")
    next(b for b in app.button if b.label == "Keep as a test").click().run()

    assert not app.exception
    rules = read_rules((home / "gate.toml").read_text(encoding="utf-8"), filename="gate.toml")
    assert rules.must_pass == (MustPass(case="tr-0417", claim="€75", verdict=Grounding.SUPPORTED),)
    assert [t.id for t in read(home / "cases.jsonl") if isinstance(t, Trace)] == ["tr-0417"]
    assert "1 case and 1 rule" in words(app)
    assert app.code[0].value.startswith("ragviz gate CANDIDATE --against '")


@pytest.mark.parametrize(("claim", "words_", "hint"), [("c4", "€75 or more", "what the passage says"), ("c5", "", "no good answer has it")])
def test_a_wrong_claim_is_not_what_a_good_answer_must_say(
    app_store: Store, open_at: Callable[..., AppTest], claim: str, words_: str, hint: str
) -> None:
    """A contradicted claim offers the passage's value; of one that nothing supports nothing is known of a good answer."""
    fill(app_store, a_rich_case())
    app = open_at("inspector", trace="tr-0417", claim=claim)

    assert app.text_input(key=f"test-words-{app_store.runs()[0].run_id}-tr-0417-{claim}").value == words_
    assert hint in words(app)


def test_a_test_without_words_is_a_sentence(app_store: Store, open_at: Callable[..., AppTest]) -> None:
    """Nothing is written."""
    fill(app_store, a_rich_case())
    app = open_at("inspector", trace="tr-0417")

    next(b for b in app.button if b.label == "Keep as a test").click().run()

    assert "needs words" in words(app)
    assert not (Path(app_store.address).parent / "regressions" / "gate.toml").exists()
