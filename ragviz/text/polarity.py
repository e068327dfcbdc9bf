"""Words that turn a statement around, and answers that decline to answer."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ragviz.records import Span
from ragviz.text.refusals import refusal_sentences
from ragviz.text.tokens import runs
from ragviz.text.word_table import WordTable

_WORDS = (
    # English
    r"not|no|never|none|nobody|nothing|nowhere|neither|nor|without|hardly|barely|scarcely|cannot|lacks?|lacking|except|excluding|unless",
    # German
    r"nicht|kein(?:e[mnrs]?)?|nie|niemals|nichts|niemand|nirgends|weder|ohne|kaum|außer",
    # French
    r"ne|n(?=['\u2019][aeiouyhéêà])|pas|jamais|aucune?|rien|sans|ni",
    # Spanish
    r"nunca|jamás|ning[uú]n[ao]?|nada|nadie|sin|tampoco",
)
# "No. 5" is a number, and so is "no 5"; "pas" needs its "ne", yet spoken French drops it; "ni" and "sin" are rare in English.
_NEGATION = re.compile(
    rf"\b(?:{'|'.join(_WORDS)})\b(?!\.?\s?\d)|n['\u2019]t\b|[不没沒無无未]|ない|ません|\b(?:не|нет|ни|без)\b|\b(?:لا|ليس|لم|لن|بدون)\b",
    re.IGNORECASE,
)
_NOT_NEGATION = re.compile(
    r"\b(?:not only|nothing but|no longer than|no more than|no later than|no less than|not just|without (?:a )?doubt|nicht nur|non seulement)\b", re.IGNORECASE
)

_NEGATES = WordTable(lambda word: _NEGATION.fullmatch(word) is not None)


def may_negate(text: str, lowers: Iterable[str]) -> bool:
    """False where the words of the text, as ``lower_words`` gives them, show that it has no ``negations``; costs a look at each."""
    return not text.isascii() or "'" in text or any(map(_NEGATES.__getitem__, lowers))


def _is_plain(text: str) -> bool:
    """True where its words show that a text negates nothing: they are told apart much faster than places."""
    if "'" in text or "\u2019" in text:
        lower = text.lower()
        if "n'" in lower or "n\u2019" in lower:
            return False  # "n'" begins what is no word of its own
    words = runs(text)
    return words is not None and not any(map(_NEGATES.__getitem__, words))


def negations(text: str) -> list[Span]:
    """Places of words that negate or except, in order. "not only" and "no more than" do not."""
    if _is_plain(text):
        return []
    harmless = [Span(*m.span()) for m in _NOT_NEGATION.finditer(text)]
    found = []
    at = 0
    for match in _NEGATION.finditer(text):
        span = Span(*match.span())
        while at < len(harmless) and harmless[at].end <= span.start:
            at += 1
        if at == len(harmless) or not harmless[at].overlaps(span):
            found.append(span)
    return found


def refusal_span(text: str) -> Span | None:
    """The first sentence that declines to answer; None when there is none."""
    found, _ = refusal_sentences(text)
    return found[0] if found else None


def is_refusal(text: str) -> bool:
    """
    True when the answer declines and states nothing else.

    "I don't know the price, but delivery takes 3 days." states something and is not a refusal; an offer of help,
    a greeting or a remark on what the sources are about beside the refusal changes nothing.
    """
    found, stated = refusal_sentences(text)
    return bool(found) and not stated
