"""The Inspector: what a person says of a claim and of an answer, and how it is taken back."""

from __future__ import annotations

from collections.abc import Callable

from streamlit.testing.v1 import AppTest

from ragviz.records import Annotation, Grounding, JudgedTrace, Table, Trace
from ragviz.store import Store
from tests.app.inspected import content, words
from tests.browser.scenario import a_rich_case
from tests.stored import fill


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
