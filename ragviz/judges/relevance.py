"""Raters without a language model: does the answer give what the question asks for; how close are answer and reference."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ragviz.backends.embedder import Embedder
from ragviz.contracts import Ask, Availability, JudgeInfo
from ragviz.judges.provenance import provenance_of
from ragviz.judges.questions import AskedFor, SubQuestion, holds, says_yes_or_no, sub_questions
from ragviz.records import Provenance, Rating, RatingKind
from ragviz.text.lexical import overlap, total_weight
from ragviz.text.polarity import is_refusal
from ragviz.text.sentences import sentence_spans
from ragviz.text.tokens import content_tokens

_TYPED = (AskedFor.TIME, AskedFor.QUANTITY, AskedFor.PERSON, AskedFor.PLACE)
_MAX_SENTENCES = 40
"""An answer's sentences compared one by one; a longer answer is compared as a whole as well, so nothing is left out."""

FEATURES = ("closeness", "has_kind", "lacks_kind", "lacks_kind_but_close", "says_yes_or_no", "short_and_fitting")
# Logistic regression, balanced classes, on benchmarks/quality/relevance_pairs.txt; benchmarks/quality/relevance.py fits and checks.
EMBEDDED_WEIGHTS = (10.54, 0.54, -4.48, -2.95, 1.99, 0.93)
EMBEDDED_INTERCEPT = -2.96
WORD_WEIGHTS = (5.3, 0.91, -4.37, -2.36, 1.55, 1.01)
WORD_INTERCEPT = -0.66


def features(closeness: float, asked: SubQuestion, answer: str) -> tuple[float, ...]:
    """
    What a sub-question and an answer have to do with each other, in the order of FEATURES.

    Args:
        closeness: Cosine of question and answer, or share of the question's words in the answer; in [0, 1].
        asked: The sub-question.
        answer: The whole answer.
    """
    held = holds(answer, asked.asked_for)
    bare = asked.asked_for is AskedFor.YES_NO and says_yes_or_no(answer)
    lacks = float(held is False and asked.asked_for in _TYPED)
    short = len(content_tokens(answer)) <= 4 and (bare or (held is True and asked.asked_for in _TYPED))
    return closeness, float(held is True), lacks, lacks * closeness, float(bare), float(short)


def probability(values: Sequence[float], *, embedded: bool) -> float:
    """Probability that the answer belongs to the question; 0.5 separates it from a fluent answer to another one."""
    weights, intercept = (EMBEDDED_WEIGHTS, EMBEDDED_INTERCEPT) if embedded else (WORD_WEIGHTS, WORD_INTERCEPT)
    return 1 / (1 + math.exp(-(intercept + sum(w * v for w, v in zip(weights, values, strict=True)))))


def closeness_by_words(question: str, answer: str) -> float:
    """Share of the question's words, weighted by rarity, that the answer takes up."""
    asked = {token.stem for token in content_tokens(question)}
    return overlap(asked, {token.stem for token in content_tokens(answer)}) or 0.0


def closeness_by_vectors(question: NDArray[np.float32], answer: NDArray[np.float32]) -> float:
    """Largest cosine between the question, shape (d,), and the whole answer or one of its sentences, shape (n, d); at least 0."""
    return max(0.0, float((answer @ question).max()))


def answer_texts(answer: str) -> list[str]:
    """The answer and its first sentences: a long answer may say what was asked in one of them."""
    sentences = [span.of(answer) for span in sentence_spans(answer)[:_MAX_SENTENCES]]
    return [answer, *sentences] if len(sentences) > 1 else [answer]


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
        name="direct_relevance", version="1", summary="does the answer give what the question asks for, without a language model",
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
        parts = sub_questions(ask.left)
        if not parts:
            reason = "there is no question"
        elif not ask.right.strip():
            value, reason = 0.0, "there is no answer"
        elif is_refusal(ask.right):
            value, reason = 0.0, "the answer declines"
        else:
            rated = [probability(features(near, part, ask.right), embedded=embedded) for part in parts]
            value = round(sum(rated) / len(rated), 6)
            lacking = [part.asked_for.value for part in parts if part.asked_for in _TYPED and holds(ask.right, part.asked_for) is False]
            reason = f"the question asks for {' and '.join(lacking)}, the answer gives none" if lacking else ""
        return Rating(kind=ask.kind, trace_id=ask.trace_id, target_id=ask.target_id, value=value, reason=reason, provenance=provenance)


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
        return [closeness_by_words(ask.left, ask.right) for ask in asks]
    texts = [[ask.left, *answer_texts(ask.right)] for ask in asks]
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
