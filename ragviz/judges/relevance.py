"""Raters without a language model: does the answer give what the question asks for; how close are answer and reference."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ragviz.backends.embedder import Embedder
from ragviz.contracts import DECLINES, Ask, Availability, JudgeInfo
from ragviz.judges.provenance import provenance_of
from ragviz.judges.question_languages import language_of
from ragviz.judges.questions import asks_nothing, is_mere_letter, lacking, sub_questions
from ragviz.judges.relevance_model import (
    PRIOR,
    answer_texts,
    closeness_by_vectors,
    features,
    foreign_probability,
    is_english,
    probability,
    shared_words,
    without_marks,
)
from ragviz.records import Provenance, Rating, RatingKind
from ragviz.text.lexical import total_weight
from ragviz.text.polarity import is_refusal
from ragviz.text.tokens import content_tokens


@dataclass(frozen=True)
class DirectRelevance:
    """
    Does the answer give what the question asks for?

    Closeness of question and answer together with whether a value of the kind asked for is there (a name for "who", a date for
    "when", a figure for "how many", a yes or no). Sub-questions each count; a refusal rates 0. Not the Ragas measure: that one
    needs a language model.
    """

    embeddings: bool = True
    embedder: Embedder = field(default_factory=Embedder, repr=False, compare=False)

    info = JudgeInfo(
        name="direct_relevance", version="5", summary="does the answer give what the question asks for, without a language model",
        deterministic=True, network=False, max_batch=256,
    )
    kinds = frozenset({RatingKind.QUESTION_TO_RESPONSE_DIRECT})

    @property
    def params(self) -> Mapping[str, object]:
        """Whether embeddings take part, and whose."""
        return _params(self.embedder, wanted=self.embeddings)

    def available(self) -> Availability:
        """Always works; without embeddings by words alone, and says so."""
        return _availability(self.embedder, wanted=self.embeddings)

    def rate(self, asks: Sequence[Ask]) -> list[Rating]:
        """One rating per ask; ``left`` is the question, ``right`` the answer."""
        provenance = provenance_of(self)
        embedded = bool(self.params["embeddings"])
        close = _closeness(self.embedder if embedded else None, asks)
        return [self._one(ask, near, provenance, embedded=embedded) for ask, near in zip(asks, close, strict=True)]

    def _one(self, ask: Ask, near: float, provenance: Provenance, *, embedded: bool) -> Rating:
        value: float | None = None
        reason = ""
        if not sub_questions(ask.left):
            reason = "there is no question"
        elif asks_nothing(ask.left):
            reason = "the question has no word that says what is asked"
        elif not ask.right.strip():
            value, reason = 0.0, "there is no answer"
        elif is_mere_letter(ask.left, ask.right):
            value, reason = 0.0, "the answer is a single letter that the question does not offer"
        elif is_refusal(ask.right) and not ask.is_answer:
            value, reason = 0.0, DECLINES
        else:
            value, reason = self._rated(ask.left, without_marks(ask.right), near, embedded=embedded)
        return Rating(kind=ask.kind, trace_id=ask.trace_id, target_id=ask.target_id, value=value, reason=reason, provenance=provenance)


    @staticmethod
    def _rated(question: str, answer: str, near: float, *, embedded: bool) -> tuple[float, str]:
        """Mean over the sub-questions, and why; questions that are not in English by rules of their own."""
        language, said_in = language_of(question), language_of(answer)
        language = language or said_in
        if language is not None and not is_english(language):
            if said_in not in {None, language}:
                return PRIOR, f"question in {language}, answer in {said_in}: what it asks for cannot be looked up"
            p, why = foreign_probability(question, answer, language)
            return round(p, 6), why
        if said_in is not None and not is_english(said_in):
            return PRIOR, f"question in English, answer in {said_in}: what it asks for cannot be looked up"
        parts = sub_questions(question)
        rated = [probability(features(near, part, answer), embedded=embedded) for part in parts]
        missing = [part.asked_for.value for part in parts if lacking(part, answer)]
        return round(sum(rated) / len(rated), 6), f"the question asks for {' and '.join(missing)}, the answer gives none" if missing else ""


@dataclass(frozen=True)
class ReferenceSimilarity:
    """Semantic similarity of answer and reference: cosine of their embeddings, 0 for negative ones; without embeddings F1 of weighted words."""

    embeddings: bool = True
    embedder: Embedder = field(default_factory=Embedder, repr=False, compare=False)

    info = JudgeInfo(
        name="reference_similarity", version="1", summary="cosine of answer and reference", deterministic=True, network=False, max_batch=256,
    )
    kinds = frozenset({RatingKind.RESPONSE_TO_REFERENCE})

    @property
    def params(self) -> Mapping[str, object]:
        """Whether embeddings take part, and whose."""
        return _params(self.embedder, wanted=self.embeddings)

    def available(self) -> Availability:
        """Always works; without embeddings by words alone, and says so."""
        return _availability(self.embedder, wanted=self.embeddings)

    def rate(self, asks: Sequence[Ask]) -> list[Rating]:
        """One rating per ask; the order of the two texts makes no difference."""
        provenance = provenance_of(self)
        if self.params["embeddings"]:
            left, right = self.embedder.encode([a.left for a in asks]), self.embedder.encode([a.right for a in asks])
            values = [max(0.0, min(1.0, float(x @ y))) for x, y in zip(left, right, strict=True)]
        else:
            values = [_word_f1(ask.left, ask.right) for ask in asks]
        return [
            Rating(kind=a.kind, trace_id=a.trace_id, target_id=a.target_id, value=round(v, 6), provenance=provenance)
            for a, v in zip(asks, values, strict=True)
        ]


def _word_f1(left: str, right: str) -> float:
    ours = {token.stem for token in content_tokens(left)}
    theirs = {token.stem for token in content_tokens(right)}
    both = total_weight(ours & theirs)
    total = total_weight(ours) + total_weight(theirs)
    return min(1.0, 2 * both / total) if total else float(left.strip() == right.strip())


def _closeness(embedder: Embedder | None, asks: Sequence[Ask]) -> list[float]:
    if embedder is None:
        return [shared_words(ask.left, without_marks(ask.right)) for ask in asks]
    texts = [[ask.left, *answer_texts(without_marks(ask.right))] for ask in asks]
    vectors = embedder.encode([text for group in texts for text in group])
    close: list[float] = []
    at = 0
    for group in texts:
        close.append(closeness_by_vectors(vectors[at], vectors[at + 1 : at + len(group)]))
        at += len(group)
    return close


def _params(embedder: Embedder, *, wanted: bool) -> Mapping[str, object]:
    if not (wanted and embedder.available().ok):
        return {"embeddings": False}
    return {"embeddings": True, "model": embedder.name, "model_revision": embedder.revision}


def _availability(embedder: Embedder, *, wanted: bool) -> Availability:
    state = embedder.available()
    if wanted and not state.ok:
        return Availability(ok=True, degraded=f"{state.reason}: rated by words alone", fix=state.fix)
    return Availability(ok=True)
