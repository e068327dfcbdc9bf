"""The Inspector without a browser: what it says of a trace, and what happens when something is missing."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from streamlit.testing.v1 import AppTest

from ragviz.gate.rules import MustPass, read_rules
from ragviz.loaders import read
from ragviz.pipeline import judge_run
from ragviz.pipeline.standing import NOT_CALIBRATED
from ragviz.records import Annotation, Cost, Grounding, JudgedTrace, Table, Trace
from ragviz.store import Store
from tests.app.five import five_cases
from tests.browser.scenario import a_rich_case
from tests.stored import fill, renamed


def content(app: AppTest) -> dict[str, Any]:
    """What the viewer was given."""
    return dict(json.loads(app.get("bidi_component")[0].proto.bytes))


def words(app: AppTest) -> str:
    """All our own words on the page."""
    return " ".join(e.value for kind in (app.markdown, app.caption, app.error) for e in kind)


class TestTrace:
    def test_verdicts_scores_and_diagnosis(self, app_store: Store, open_at: Callable[..., AppTest]) -> None:
        """Three of five judged claims are supported or conflicted, one of six could not be judged."""
        fill(app_store, a_rich_case())

        app = open_at("inspector", trace="tr-0417", claim="c1")

        shown = content(app)
        assert not app.exception
        assert "".join(c["v"] for c in shown["claims"]) == "xsscnu"
        assert ["faithfulness ↑", "0.60", "3 of 5 · strict 0.33", "Does the answer stick to what was retrieved?"] in shown["scores"]
        assert all(hint for *_, hint in shown["scores"])
        assert shown["selected"] == "c1"
        assert shown["smaller"].startswith("at 4, c3 loses its only support; at 3, c1 loses its contradiction and reads as supported")
        assert [c[1] for c in shown["claims"][4]["c"]] == ["invented, 5 were given"]

    def test_without_a_trace_the_first_failing_one_is_shown(self, app_store: Store, open_at: Callable[..., AppTest]) -> None:
        """The address stays as it was."""
        fill(app_store, a_rich_case(), renamed(a_rich_case(), "tr-0418"))

        app = open_at("inspector")

        assert content(app)["trace"] == "tr-0417"
        assert "trace" not in app.query_params

    def test_k_leaves_out_later_passages(self, app_store: Store, open_at: Callable[..., AppTest]) -> None:
        """With three passages c1 is supported and c3 has lost its support; k out of range is ignored."""
        fill(app_store, a_rich_case())

        assert "".join(c["v"] for c in content(open_at("inspector", trace="tr-0417", k="3"))["claims"]) == "ssncnu"
        assert "".join(c["v"] for c in content(open_at("inspector", trace="tr-0417", k="99"))["claims"]) == "xsscnu"

    def test_next_and_previous_walk_the_failing_traces(self, app_store: Store, open_at: Callable[..., AppTest]) -> None:
        """Two failing traces: forward and back."""
        fill(app_store, a_rich_case(), renamed(a_rich_case(), "tr-0418"))
        app = open_at("inspector", trace="tr-0417")

        assert "1 of 2" in words(app)
        app.button(key="next_failing").click().run()

        assert app.query_params["trace"] == "tr-0418"

    def test_an_answer_without_claims_says_why(self, app_store: Store, open_at: Callable[..., AppTest]) -> None:
        """Nothing to judge is a sentence, not an error and not a zero."""
        case = JudgedTrace(trace=Trace(id="quiet", question="Why?", response="Sorry, I could not find anything about that.", passages=()))
        fill(app_store, case)

        app = open_at("inspector", trace="quiet")

        assert not app.exception
        assert content(app)["claims"] == []
        assert content(app)["noClaims"]
        assert ["faithfulness ↑", "–"] in [s[:2] for s in content(app)["scores"]]

    def test_an_unknown_trace_offers_a_known_one(self, app_store: Store, open_at: Callable[..., AppTest]) -> None:
        """The link may belong to another run."""
        fill(app_store, a_rich_case())

        app = open_at("inspector", trace="elsewhere")

        assert "No such trace in this run" in words(app)
        assert not app.exception

    @pytest.mark.parametrize("claim", ["c99", "<script>", "c1' --"])
    def test_an_unknown_claim_is_no_claim(self, app_store: Store, open_at: Callable[..., AppTest], claim: str) -> None:
        """Nothing is selected."""
        fill(app_store, a_rich_case())

        assert content(open_at("inspector", trace="tr-0417", claim=claim))["selected"] is None


class TestPanels:
    def test_a_persons_word_comes_first_and_can_be_taken_back(self, app_store: Store, open_at: Callable[..., AppTest]) -> None:
        """Ada overrules c5; the machine's word stays in the history; taking it back restores it."""
        fill(app_store, a_rich_case())
        note = Annotation(trace_id="tr-0417", claim_id="c5", grounding=Grounding.SUPPORTED, author="Ada", reason="gift card terms", at=app_store.now())
        app_store.annotate("made-up", note)

        app = open_at("inspector", trace="tr-0417", claim="c5")

        claim = content(app)["claims"][4]
        assert (claim["v"], claim["by"]) == ("s", "Ada: supported, gift card terms (the judge said not supported)")
        history = app.dataframe[0].value
        assert list(history["who"]) == ["Ada", "local 1"]
        assert list(history["note"]) == ["in force; gift card terms", ""]
        app.selectbox(key="overrule_verdict").set_value("withdraw")
        app.text_input(key="author").set_value("Ada")
        next(b for b in app.button if b.label == "Save").click().run()
        assert content(app)["claims"][4]["v"] == "n"

    def test_the_verdict_on_the_expected_answer_can_be_overruled_too(self, app_store: Store, open_at: Callable[..., AppTest]) -> None:
        """c1 is right, says Ada: stored beside the verdict on the passages, which stays; the history says what the word is about, and it can be taken back."""
        fill(app_store, a_rich_case())
        app = open_at("inspector", trace="tr-0417", claim="c1")
        before = content(app)["claims"][0]["v"]

        app.segmented_control(key="against-tr-0417-c1").set_value("the expected answer").run()
        app.selectbox(key="overrule_expected").set_value("supported")
        app.text_input(key="author").set_value("Ada")
        next(b for b in app.button if b.label == "Save").click().run()

        assert not app.exception
        (note,) = [w.said for w in app_store.words("made-up", "tr-0417", "c1", "rules") if isinstance(w.said, Annotation)]
        assert (note.table, note.grounding) == (Table.RESPONSE_X_REFERENCE, Grounding.SUPPORTED)
        assert content(app)["claims"][0]["v"] == before
        assert "on the expected answer" in list(app.dataframe[0].value["note"])
        assert "c1 is supported by the expected answer, says Ada" in words(app).replace("\\", "")
        assert "withdraw" in app.selectbox(key="overrule_expected").options or any(
            "take my word back" in o for o in app.selectbox(key="overrule_expected").options
        )

    def test_overruling_needs_a_name(self, app_store: Store, open_at: Callable[..., AppTest]) -> None:
        """Without one nothing is stored, and the page says so."""
        fill(app_store, a_rich_case())
        app = open_at("inspector", trace="tr-0417", claim="c5")

        next(b for b in app.button if b.label == "Save").click().run()

        assert "An overrule needs a name" in words(app).replace("\\", "")
        assert [w for w in app_store.words("made-up", "tr-0417", "c5", "rules") if isinstance(w.said, Annotation)] == []

    def test_a_judge_that_cannot_read_the_claim_is_a_sentence(self, app_store: Store, open_at: Callable[..., AppTest]) -> None:
        """The facts judge wants annotated pairs: reason and way out, no traceback; the verdict in force stays."""
        fill(app_store, a_rich_case())
        app = open_at("inspector", trace="tr-0417", claim="c5")

        app.selectbox(key="rejudge_with").set_value("facts").run()
        app.button(key="rejudge").click().run()
        for _ in range(40):
            if app.error:
                break
            time.sleep(0.1)
            app.run()

        assert not app.exception
        assert "annotated attribute" in app.error[0].value.replace("\\", "")
        assert content(app)["claims"][4]["v"] == "n"

    def test_judging_again_says_that_it_would_repeat_where_nobody_else_can_be_asked(self, app_store: Store, open_at: Callable[..., AppTest]) -> None:
        """And names a model that could be; with another judge shown, judging is no repetition."""
        five_cases(app_store)
        run = app_store.runs()[0].run_id
        judge_run(app_store, run, "local")
        local = next(view for view, _ in app_store.views(run) if view.judge.startswith("local"))

        for judge, repeats in ((local.judge, True), (next(v.judge for v, _ in app_store.views(run) if v.judge.startswith("facts")), False)):
            app = open_at("inspector", run=run, judge=judge)
            app.selectbox(key="rejudge_with").set_value("local").run()
            assert not app.exception
            assert ("nli:cross-encoder/nli-deberta-v3-base" in words(app)) is repeats

    def test_a_button_that_could_only_repeat_is_held_back(self, app_store: Store, open_at: Callable[..., AppTest]) -> None:
        """Local has judged all of it: the button says so and waits for "Ask all the same"; a judge that has not spoken is asked at once."""
        five_cases(app_store)
        run = app_store.runs()[0].run_id
        judge_run(app_store, run, "local")
        local = next(view for view, _ in app_store.views(run) if view.judge.startswith("local"))

        app = open_at("inspector", run=run, judge=local.judge)
        app.selectbox(key="rejudge_with").set_value("local").run()
        assert app.button(key="rejudge").disabled
        assert "would repeat that" in words(app)
        app.checkbox(key="rejudge_all_the_same").set_value(True).run()
        assert not app.button(key="rejudge").disabled
        app.selectbox(key="rejudge_with").set_value("facts").run()
        assert not app.button(key="rejudge").disabled
        assert "would repeat that" not in words(app)

    def test_one_claim_took_one_time(self, app_store: Store, open_at: Callable[..., AppTest]) -> None:
        """What the certificate says a claim took is what the history says, silent passages included; the same of every claim."""
        case = a_rich_case()
        timed = tuple(msgspec.structs.replace(j, cost=Cost(elapsed_ms=7.0)) for j in case.judgements)
        fill(app_store, msgspec.structs.replace(case, judgements=timed))

        for claim in ("c1", "c2", "c4"):
            app = open_at("inspector", trace="tr-0417", claim=claim)
            shown = next(c for c in content(app)["claims"] if c["id"] == claim)
            (took,) = list(app.dataframe[0].value["took"])
            assert shown["who"].endswith(f"· {took}")
            assert took != "7 ms"

    @pytest.mark.parametrize("calibrated", [True, False])
    def test_history_and_certificate_say_one_thing_of_a_confidence(self, app_store: Store, open_at: Callable[..., AppTest], calibrated: bool) -> None:
        """Calibrated by its makers or not: the same sentence in both places."""
        case = a_rich_case()
        told = tuple(msgspec.structs.replace(j, calibrated=calibrated, confidence=0.9) for j in case.judgements)
        fill(app_store, msgspec.structs.replace(case, judgements=told))

        app = open_at("inspector", trace="tr-0417", claim="c1")

        sentence = NOT_CALIBRATED.worth(by_makers=calibrated)
        assert any(sure.endswith(sentence) for sure in content(app)["confs"])
        assert f"is {sentence}." in words(app).replace("\\", "")

    def test_two_verdicts_stand_side_by_side(self, app_store: Store, open_at: Callable[..., AppTest]) -> None:
        """Ada overrules c1; the judge's row is picked: her word beside the judge's quotes, 90 days for and 30 days against."""
        fill(app_store, a_rich_case())
        note = Annotation(trace_id="tr-0417", claim_id="c1", grounding=Grounding.CONTRADICTED, author="Ada", reason="the terms count", at=app_store.now())
        app_store.annotate("made-up", note)
        app = open_at("inspector", trace="tr-0417", claim="c1")
        assert "Pick a row" in words(app)

        app.session_state["history-tr-0417-c1-6"] = {"selection": {"rows": [1], "columns": [], "cells": []}}
        app.run()

        assert not app.exception
        assert [t.value for t in app.text if t.value.startswith("“")] == [
            "“an unopened item can be sent back within 90 days of delivery”", "“an unopened item can be sent back within 30 days of delivery”",
        ]
        assert "**Ada** ✕ contradicted" in words(app)
        assert "the terms count" in words(app)
        assert "contradicts · #4 returns" in words(app).replace("\\", "")


class TestAnswerOrRefusal:
    """A person's word on whether the answer answers."""

    REFUSAL = "Sorry, I could not find anything about that."

    def _said(self, app: AppTest, label: str, *, name: str = "Ada") -> None:
        app.text_input(key="author-of-answer").set_value(name)
        next(b for b in app.button if b.label == label).click().run()

    def test_a_refusal_becomes_an_answer_and_back(self, app_store: Store, open_at: Callable[..., AppTest]) -> None:
        """Ada says that it answers: a claim appears, unjudged, and can be judged; she takes it back: it declines again, and her words stay on the page."""
        fill(app_store, JudgedTrace(trace=Trace(id="quiet", question="Why?", response=self.REFUSAL, passages=())))
        app_store.add_claim_sets("made-up", {("quiet", "rules"): []})
        app = open_at("inspector", trace="quiet")
        assert "No claim of this answer to judge again" in words(app)

        self._said(app, "This is an answer")

        assert not app.exception
        assert [c["v"] for c in content(app)["claims"]] == ["n"]  # nothing was retrieved that could support it
        assert any(t.value.startswith("An answer, says Ada, ") for t in app.text)
        assert app.button(key="rejudge").label == "Re-judge all 1"

        self._said(app, "Take my word back")

        assert content(app)["claims"] == []
        assert [t.value.split(",")[0] for t in app.text if "Ada" in t.value] == ["Ada took the word back", "An answer"]

    def test_an_answer_becomes_a_refusal(self, app_store: Store, open_at: Callable[..., AppTest]) -> None:
        """Its claims leave the page and the figures; the viewer says by whose word."""
        fill(app_store, a_rich_case())
        app = open_at("inspector", trace="tr-0417")

        self._said(app, "This is a refusal")

        assert not app.exception
        assert (content(app)["claims"], content(app)["noClaims"]) == ([], "Ada says that this is a refusal, so there is nothing to judge.")
        assert ["diagnosis", "Abstained"] in [s[:2] for s in content(app)["scores"]]

    def test_a_word_needs_a_name(self, app_store: Store, open_at: Callable[..., AppTest]) -> None:
        """Without one nothing is stored, and the page says so."""
        fill(app_store, a_rich_case())
        app = open_at("inspector", trace="tr-0417")

        self._said(app, "This is a refusal", name=" ")

        assert "needs a name" in words(app)
        assert content(app)["claims"]


class TestKeep:
    def test_a_failure_becomes_a_test(self, app_store: Store, open_at: Callable[..., AppTest]) -> None:
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
        self, app_store: Store, open_at: Callable[..., AppTest], claim: str, words_: str, hint: str
    ) -> None:
        """A contradicted claim offers the passage's value; of one that nothing supports nothing is known of a good answer."""
        fill(app_store, a_rich_case())
        app = open_at("inspector", trace="tr-0417", claim=claim)

        assert app.text_input(key=f"test-words-{app_store.runs()[0].run_id}-tr-0417-{claim}").value == words_
        assert hint in words(app)

    def test_a_test_without_words_is_a_sentence(self, app_store: Store, open_at: Callable[..., AppTest]) -> None:
        """Nothing is written."""
        fill(app_store, a_rich_case())
        app = open_at("inspector", trace="tr-0417")

        next(b for b in app.button if b.label == "Keep as a test").click().run()

        assert "needs words" in words(app)
        assert not (Path(app_store.address).parent / "regressions" / "gate.toml").exists()
