"""Sentences of a premise that speak to whoever judges it instead of stating something."""

from __future__ import annotations

import re
from collections.abc import Sequence

_ADDRESSES = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        # A message header of a chat, followed by an order.
        (r"(?:^|[\s\"'(\[>*])(?:system|assistant|developer|admin(?:istrator)?|user)\s*(?:message|prompt|note|override)?\s*[:>\]]\W*\w.{0,80}\b"
        r"(?:mark|label|rate|score|judge|treat|consider|return|answer|reply|respond|output|say|ignore|disregard|forget|classify|verdict|claims?|statements?)\b"),
        r"<\|?(?:im_start|im_end|system|endoftext|assistant)\|?>|\[/?INST\]|<</?SYS>>",
        # An order to forget earlier orders.
        (r"\b(?:ignore|disregard|forget|override|bypass)\b.{0,30}\b(?:previous|prior|above|earlier|preceding|all|any|your|these|the)\b.{0,25}"
        r"\b(?:instructions?|prompts?|rules?|guidelines?|directions?|orders?|messages?|context)\b"),
        # An order about verdicts.
        (r"\b(?:mark|label|rate|score|grade|judge|classify|treat|accept|report|flag|evaluate|count|verify)\b.{0,40}"
        r"\b(?:every|each|all|any|this|these|the (?:following|above|claims?|statements?|answers?|response))\b.{0,40}"
        r"\bas\b.{0,20}\b(?:supported|entailed|true|correct|faithful|grounded|verified|accurate|valid|contradicted|unsupported|false|passing)\b"),
        r"\b(?:dear|attention|note to|instructions? (?:to|for)|message (?:to|for))\b.{0,20}\b(?:the )?(?:judge|evaluator|grader|reviewer model|ai|llm|language model|assistant|verifier)\b",
        (r"\b(?:you (?:are|must|should|will|have to)|please|always|now)\b.{0,40}\b(?:respond|reply|answer|output|return|say|conclude|print)\b.{0,40}"
        r"\b(?:supported|entailed|entailment|verdict|faithful|grounded|score of \d|contradicted)\b"),
        r"\byou are (?:now )?(?:an? |the )?(?:ai|llm|language model|judge|evaluator|grader|assistant|chatbot)\b",
        r"\bset (?:the |your )?(?:verdict|label|score|grade)\b.{0,15}\bto\b",
    )
)
# For each of them, what must stand somewhere for it to match: a word of every group, the group that most texts lack first. Looking for words costs a
# hundredth of trying the pattern.
_VERDICTS = ("support", "entail", "true", "correct", "faithful", "grounded", "verified", "accurate", "valid", "contradicted", "false", "passing")
_MODELS = ("judge", "evaluator", "grader", "reviewer model", "ai", "llm", "language model", "assistant", "verifier", "chatbot")
_NEEDED: tuple[tuple[tuple[str, ...], ...], ...] = (
    (
        (":", ">", "]"), ("system", "assistant", "developer", "admin", "user"),
        ("mark", "label", "rate", "score", "judge", "treat", "consider", "return", "answer", "reply", "respond", "output", "say", "ignore", "disregard", "forget",
         "classify", "verdict", "claim", "statement"),
    ),
    (("<", "["), ("im_start", "im_end", "system", "endoftext", "assistant", "inst]", "sys>>")),
    (
        ("ignore", "disregard", "forget", "override", "bypass"),
        ("instruction", "prompt", "rule", "guideline", "direction", "order", "message", "context"),
    ),
    (
        ("as",), _VERDICTS,
        ("mark", "label", "rate", "score", "grade", "judge", "classify", "treat", "accept", "report", "flag", "evaluate", "count", "verify"),
        ("every", "each", "all", "any", "this", "these", "the "),
    ),
    (("dear", "attention", "note to", "instruction", "message to", "message for"), _MODELS),
    (
        ("supported", "entail", "verdict", "faithful", "grounded", "score of", "contradicted"),
        ("respond", "reply", "answer", "output", "return", "say", "conclude", "print"), ("you ", "please", "always", "now"),
    ),
    (("you are ",), _MODELS),
    (("set ",), ("verdict", "label", "score", "grade"), ("to",)),
)


def may_address_judge(text: str) -> bool:
    """False when no part of the text can be one that ``addresses_judge``; costs some microseconds."""
    return bool(_candidates(text))


def addresses_judge(sentence: str) -> bool:
    """
    True when the sentence tells a judge, an assistant or a model what to do.

    A rule of thumb that errs on the quiet side: a manual that says "ignore the previous warning light" is no alarm.
    """
    return any(_ADDRESSES[n].search(sentence) for n in _candidates(sentence))


def addressing(sentences: Sequence[str], text: str) -> frozenset[int]:
    """
    Which of the sentences of one text ``addresses_judge``.

    What a sentence needs the whole text needs: looking at it once spares most texts the look at every sentence.
    """
    likely = _candidates(text)
    if not likely:
        return frozenset()
    return frozenset(i for i, sentence in enumerate(sentences) if any(_ADDRESSES[n].search(sentence) for n in _candidates(sentence, among=likely)))


def _candidates(text: str, *, among: Sequence[int] = range(len(_NEEDED))) -> list[int]:
    """Patterns that have all the words they need."""
    folded = text.lower()
    if not text.isascii():
        # The letters that a pattern takes for i, k and s when it ignores case.
        folded = text.casefold().replace("\u0307", "").replace("\u0131", "i")
    return [n for n in among if _has_words(folded, _NEEDED[n])]


def _has_words(folded: str, groups: tuple[tuple[str, ...], ...]) -> bool:
    """True when a word of every group stands in the text."""
    for group in groups:
        for word in group:
            if word in folded:
                break
        else:
            return False
    return True
