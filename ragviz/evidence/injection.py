"""Sentences of a premise that speak to whoever judges it instead of stating something."""

from __future__ import annotations

import re

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
_MAY_ADDRESS = re.compile(
    r"system|assistant|developer|admin|user|<\||\[/?inst|<<|ignore|disregard|forget|override|bypass|mark|label|rate|score|grade|judge|classif|treat|"
    r"accept|report|flag|evaluat|count|verif|attention|note to|instruction|message|you |please|always|now|verdict|dear",
    re.IGNORECASE,
)


def addresses_judge(sentence: str) -> bool:
    """
    True when the sentence tells a judge, an assistant or a model what to do.

    A rule of thumb that errs on the quiet side: a manual that says "ignore the previous warning light" is no alarm.
    """
    if _MAY_ADDRESS.search(sentence) is None:
        return False
    return any(pattern.search(sentence) for pattern in _ADDRESSES)
