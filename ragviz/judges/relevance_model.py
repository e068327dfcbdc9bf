"""From a question and an answer to a probability that one answers the other. Pure functions; weights from benchmarks/quality/relevance.py."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from ragviz.judges.asked_for import AskedFor
from ragviz.judges.question_languages import EAST_ASIAN, ENGLISH, asked_in, holds_in, says_yes_or_no_in
from ragviz.judges.questions import TYPED, SubQuestion, lacking, says_yes_or_no
from ragviz.text.citation_marks import citation_marks
from ragviz.text.lexical import stem_weight
from ragviz.text.sentences import sentence_spans
from ragviz.text.tokens import content_tokens

MAX_SENTENCES = 40
"""An answer's sentences compared one by one; a longer answer is compared as a whole as well, so nothing is left out."""
_SATURATED = 0.5
"""A cosine above this says no more than this one: repeating the question is no better answer."""
_SHORT = 6
_PREFIX = 5

FEATURES = ("closeness", "lacks_kind", "lacks_kind_but_close", "says_yes_or_no", "says_neither", "short_and_fitting")
EMBEDDED_WEIGHTS = (17.4, -8.83, -2.65, 2.8, -1.33, -0.33)
EMBEDDED_INTERCEPT = -1.8
WORD_WEIGHTS = (6.24, -6.34, -2.32, 0.65, -0.76, 0.53)
WORD_INTERCEPT = 0.61

PRIOR = 0.6
"""Where nothing can be told, an answer is taken to be about its question, barely."""
_FOREIGN_PRIOR = math.log(PRIOR / (1 - PRIOR))
_FOREIGN_WORDS, _FOREIGN_HAS, _FOREIGN_LACKS, _FOREIGN_YES = 2.0, 1.0, -2.0, 1.5
"""
Set by hand, not fitted (there are too few pairs): shared words, a value of the kind asked for, none of it, a yes or no where that was asked. The embedding
model is English: cosines of German, French or Japanese pairs that belong together and of pairs that do not overlap almost entirely.
"""


def features(closeness: float, asked: SubQuestion, answer: str) -> tuple[float, ...]:
    """
    What an English sub-question and an answer have to do with each other, in the order of FEATURES.

    Args:
        closeness: Cosine of question and answer, or ``shared_words`` of them; in [0, 1].
        asked: The sub-question.
        answer: The whole answer, without citation marks.
    """
    lacks = lacking(asked, answer)
    near = min(closeness, _SATURATED)
    yes_or_no = asked.asked_for is AskedFor.YES_NO
    bare = yes_or_no and says_yes_or_no(answer)
    short = len(content_tokens(answer)) <= _SHORT and (bare or (not lacks and asked.asked_for in TYPED))
    return near, lacks, lacks * near, float(bare), float(yes_or_no and not bare), float(short)


def probability(values: Sequence[float], *, embedded: bool) -> float:
    """Probability that the answer belongs to the question; 0.5 separates it from a fluent answer to another one."""
    weights, intercept = (EMBEDDED_WEIGHTS, EMBEDDED_INTERCEPT) if embedded else (WORD_WEIGHTS, WORD_INTERCEPT)
    return _sigmoid(intercept + sum(w * v for w, v in zip(weights, values, strict=True)))


def foreign_probability(question: str, answer: str, language: str) -> tuple[float, str]:
    """
    The same for a question that is not in English, by words, characters and what the question asks for; with the reason.

    PRIOR, and saying so, where neither a shared word nor the kind of value tells anything.
    """
    kind = asked_in(question, language)
    held = holds_in(answer, kind, language)
    bare = kind is AskedFor.YES_NO and says_yes_or_no_in(answer)
    shared = shared_characters(question, answer) if language == EAST_ASIAN else shared_words(question, answer)
    z = _FOREIGN_PRIOR + _FOREIGN_WORDS * shared + _FOREIGN_HAS * (held is True) + _FOREIGN_LACKS * (held is False) + _FOREIGN_YES * bare
    if held is False:
        return _sigmoid(z), f"the question asks for {kind.value}, the answer gives none"
    if not shared and held is None and not bare:
        return PRIOR, f"question in {language}: no word in common and no kind of value that could be checked, so nothing can be told"
    return _sigmoid(z), f"question in {language}: rated by shared words and by what it asks for"


def shared_words(question: str, answer: str) -> float:
    """Share of the question's words, weighted by rarity, that the answer takes up in some form ("guarantee", "guaranteed"); in [0, 1]."""
    theirs = {token.stem for token in content_tokens(answer)}
    prefixes = {stem[:_PREFIX] for stem in theirs if len(stem) >= _PREFIX}
    found = total = 0.0
    for stem in dict.fromkeys(token.stem for token in content_tokens(question)):
        weight = stem_weight(stem)
        total += weight
        if stem in theirs or stem[:_PREFIX] in prefixes:
            found += weight
    return found / total if total else 0.0


def shared_characters(question: str, answer: str) -> float:
    """Share of the question's pairs of neighbouring characters, kana of inflection left out, that the answer has; in [0, 1]."""
    ours, theirs = set(_pairs(question)), set(_pairs(answer))
    return len(ours & theirs) / len(ours) if ours else 0.0


def _pairs(text: str) -> Iterator[str]:
    for left, right in itertools.pairwise(text):
        if all(c.isalnum() and not "\u3040" <= c <= "\u309f" for c in (left, right)):
            yield left + right


def closeness_by_vectors(question: NDArray[np.float32], answer: NDArray[np.float32]) -> float:
    """Largest cosine between the question, shape (d,), and the whole answer or one of its sentences, shape (n, d); at least 0."""
    return max(0.0, float((answer @ question).max()))


def without_marks(answer: str) -> str:
    """The answer without citation marks: the figure in "[1]" answers no "how many"."""
    pieces, at = [], 0
    for mark in citation_marks(answer):
        pieces.append(answer[at : mark.span.start])
        at = mark.span.end
    return "".join([*pieces, answer[at:]]).strip() or answer


def answer_texts(answer: str) -> list[str]:
    """The answer and its first sentences: a long answer may say what was asked in one of them."""
    sentences = [span.of(answer) for span in sentence_spans(answer)[:MAX_SENTENCES]]
    return [answer, *sentences] if len(sentences) > 1 else [answer]


def is_english(language: str | None) -> bool:
    """True for English, and where no word tells (a list of keywords)."""
    return language in {None, ENGLISH}


def _sigmoid(z: float) -> float:
    return 1 / (1 + math.exp(-z)) if z >= 0 else math.exp(z) / (1 + math.exp(z))
