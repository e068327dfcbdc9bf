"""The Inspector without a browser: what it says of a trace, and what happens when something is missing."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import pytest
from streamlit.testing.v1 import AppTest

from ragviz.pipeline.standing import NOT_CALIBRATED
from ragviz.records import Annotation, Cost, Grounding, JudgedTrace, Trace
from ragviz.store import Store
from tests.app.inspected import content, words
from tests.browser.scenario import a_rich_case
from tests.stored import fill, renamed


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
