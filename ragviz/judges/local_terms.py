"""
Yes or no under a condition, in an answer and in what was expected: "No, there is no charge as long as you quote it" and "No, if you give it" say the
same.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from ragviz.records import Pair
from ragviz.text.polarity import negations
from ragviz.text.quantities import quantities
from ragviz.text.tokens import content_tokens
from ragviz.text.word_sets import word_set

_LEAD = re.compile(r"[\s\"'“(*_]*(yes|yeah|no|nope)\b[\s.,;:–—-]*", re.IGNORECASE)
_TERMS = re.compile(r"\b(if|as long as|so long as|provided(?: that)?|providing(?: that)?|on condition that|when|unless|only if|only when)\b\s*", re.IGNORECASE)
_UNLESS = "unless"
_LIGHT = word_set(
    "give gives quote quotes have has show shows provide provides present presents bring brings produce supply supplies state states can must need "
    "able tell tells long"
)
"""Verbs with which one meets a condition, whichever of them it says."""
_FIGURE = re.compile(r"\d")
ALIKE = 0.66
"""Share of the shorter condition's words that the other must have."""
MAX_CHARS = 400


class Terms(NamedTuple):
    """A yes or no, what is said behind it, and its condition."""

    yes: bool
    main: str
    condition: str
    excludes: bool
    """"Unless"."""


def agree_on_terms(pair: Pair) -> bool:
    """True where answer and reference say the same yes or no under the same condition, and the answer's statement brings no figure of its own."""
    at = pair.context.find(pair.hypothesis.strip()) if pair.hypothesis.strip() else -1
    lead = pair.context[:at] if at > 0 and _LEAD.fullmatch(pair.context[:at]) else ""
    ours, theirs = _terms(lead + pair.hypothesis.strip()), _terms(pair.premise)
    if ours is None or theirs is None or ours.yes is not theirs.yes or ours.excludes is not theirs.excludes:
        return False
    if any(_FIGURE.search(terms.main) for terms in (ours, theirs)) or bool(negations(ours.condition)) is not bool(negations(theirs.condition)):
        return False
    a, b = ({token.stem for token in content_tokens(terms.condition) if token.lower not in _LIGHT} for terms in (ours, theirs))
    figures = [sorted(q.label for q in quantities(terms.condition)) for terms in (ours, theirs)]
    return bool(a and b) and figures[0] == figures[1] and len(a & b) >= ALIKE * min(len(a), len(b))


def _terms(text: str) -> Terms | None:
    """The parts of a short text of one sentence; None where it has no yes or no in front, or no condition."""
    lead = _LEAD.match(text) if len(text) <= MAX_CHARS else None
    terms = _TERMS.search(text, lead.end()) if lead is not None else None
    if lead is None or terms is None or re.search(r"[.!?]\s+\S", text[lead.end() :]) is not None:
        return None
    return Terms(lead[1].lower().startswith("y"), text[lead.end() : terms.start()], text[terms.end() :], terms[1].lower() == _UNLESS)
