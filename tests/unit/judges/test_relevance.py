"""Answer relevance and similarity without a language model."""

from __future__ import annotations

import pytest

from ragviz.contracts import Ask
from ragviz.judges.relevance import DirectRelevance, ReferenceSimilarity
from ragviz.records import RESPONSE, Rating, RatingKind


def rate(question: str, answer: str, *, embeddings: bool = False) -> Rating:
    ask = Ask(kind=RatingKind.QUESTION_TO_RESPONSE_DIRECT, trace_id="t", target_id=RESPONSE, left=question, right=answer)
    return DirectRelevance(embeddings=embeddings).rate([ask])[0]


class TestDirectRelevance:
    def test_answer_to_this_question(self) -> None:
        """Above one half for an answer, below for a fluent answer to another question."""
        question = "Until when may I send back an unopened item?"

        assert (rate(question, "An unopened item can be sent back within 30 days.").value or 0) > 0.5
        assert (rate(question, "Gift boxes can be recycled.").value or 0) < 0.5

    def test_lacking_the_kind(self) -> None:
        """The topic alone is no answer to "how long": the reason says what is missing."""
        rating = rate("How long is the coastal path?", "The coastal path runs along steep cliffs.")

        assert (rating.value or 0) < 0.5
        assert "a quantity" in rating.reason

    def test_each_sub_question_counts(self) -> None:
        """Half an answer rates lower than a whole one."""
        question = "Who built the bridge and when did it open?"
        whole, part = rate(question, "Ida Kellner built the bridge, it opened in 1998."), rate(question, "Ida Kellner built the bridge.")

        assert (whole.value or 0) > (part.value or 0)
        assert "a time" in part.reason

    def test_no_answer_no_question(self) -> None:
        """An empty answer rates 0; without a question there is no value, with the reason."""
        assert 0.0 == rate("How long?", " ").value
        assert rate("", "30 days").value is None
        assert rate("", "30 days").reason

    @pytest.mark.weights
    @pytest.mark.slow
    @pytest.mark.parametrize(("question", "answer", "fits"), [
        ("What causes tides?", "The gravity of the moon and the sun.", True),
        ("What is the capital of France?", "Paris", True),
        ("Is tracking part of express shipping?", "Gift boxes can be recycled.", False),
        ("When did the band split up?", "The band split up over money.", False),
    ])
    def test_with_weights(self, question: str, answer: str, fits: bool) -> None:
        """Short answers in other words are recognised once embeddings take part."""
        if DirectRelevance().available().degraded:
            pytest.skip("needs sentence-transformers and its weights")

        assert fits is ((rate(question, answer, embeddings=True).value or 0) >= 0.5)


class TestReferenceSimilarity:
    def test_words(self) -> None:
        """Without embeddings: equal texts 1, nothing shared 0, and the order of the two makes no difference."""
        def similar(left: str, right: str) -> float:
            ask = Ask(kind=RatingKind.RESPONSE_TO_REFERENCE, trace_id="t", target_id=RESPONSE, left=left, right=right)
            return ReferenceSimilarity(embeddings=False).rate([ask])[0].value or 0.0

        assert 1.0 == similar("The pump hums.", "The pump hums!")
        assert 0.0 == similar("The pump hums.", "Zebras quux.")
        assert similar("The pump hums loudly.", "The pump leaks.") == similar("The pump leaks.", "The pump hums loudly.")


class TestOtherLanguages:
    @pytest.mark.parametrize(("question", "answer"), [
        ("Wer leitet den Chor?", "Frau Petra Hollmann."),
        ("Peut-on prendre des photos ?", "Les photos sans flash sont autorisées."),
        ("送料はいくらですか？", "全国一律500円です。"),
        ("Ile kosztuje bilet?", "Dwadzieścia złotych."),
        ("Wie lange dauert der Versand?", "It takes three days."),
    ])
    def test_no_confident_off_topic(self, question: str, answer: str) -> None:
        """What cannot be told is near the prior, and the reason says why."""
        rating = rate(question, answer)

        assert (rating.value or 0) >= 0.5
        assert rating.reason

    def test_lacking_the_kind(self) -> None:
        """A price was asked for, none is given."""
        assert (rate("¿Cuánto cuesta una transferencia?", "Rellene el formulario.").value or 0) < 0.5


def test_citation_marks_are_no_figures() -> None:
    """The 1 of "[1]" does not say how long the path is."""
    assert "a quantity" in rate("How long is the coastal path?", "The coastal path runs along steep cliffs [1].").reason


@pytest.mark.parametrize(("question", "answer", "value"), [
    ("a", "b", None), ("?", "yes", None), ("x y", "It is 3 m long.", None), ("What is this?", "b", 0.0),
])
def test_nonsense_is_no_relevant_answer(question: str, answer: str, value: float | None) -> None:
    """A question that asks nothing has no value and a reason; a letter answers nothing."""
    ask = Ask(kind=RatingKind.QUESTION_TO_RESPONSE_DIRECT, trace_id="t", target_id=RESPONSE, left=question, right=answer)

    rating = DirectRelevance(embeddings=False).rate([ask])[0]

    assert rating.value == value
    assert rating.reason


@pytest.mark.parametrize(
    ("question", "answer"), [("Why?", "It rained."), ("Which option is right?", "B"), ("Who?", "Ann Lee."), ("Is it?", "Yes."), ("東京は?", "日本")]
)
def test_short_is_not_nonsense(question: str, answer: str) -> None:
    """A question word, a choice, another script."""
    ask = Ask(kind=RatingKind.QUESTION_TO_RESPONSE_DIRECT, trace_id="t", target_id=RESPONSE, left=question, right=answer)

    value = DirectRelevance(embeddings=False).rate([ask])[0].value

    assert value is not None
    assert value > 0
