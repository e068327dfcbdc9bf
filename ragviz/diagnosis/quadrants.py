"""
Where a trace stands: relevance, faithfulness and correctness, each high from its threshold on. Checked from top to bottom:

===========  =============  ===========  =========================================================================================================
relevance    faithfulness   correctness  we say
===========  =============  ===========  =========================================================================================================
no claims                                abstained
one of the three has no value            unknown, with the missing input named
low          any            any          off-topic: does not answer what was asked
high         1              high         good
high         high, below 1  high         extra claim: right, plus additions nobody can check
high         low            high         lucky guess: right, but what was retrieved does not support it
high         high           low          wrong mirror: faithfully repeats a wrong source (inferred: the passages support it, the reference disagrees)
high         low            low          fabrication
===========  =============  ===========  =========================================================================================================
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType

import msgspec

from ragviz.metrics.counting import abstained
from ragviz.records import JudgedTrace, Score

FULL = 1 - 1e-9
"""Faithfulness from here on is 1: fractions of claims carry rounding dust."""


class Quadrant(StrEnum):
    """What a trace's three figures say together."""

    GOOD = "good"
    EXTRA_CLAIM = "extra_claim"
    LUCKY_GUESS = "lucky_guess"
    WRONG_MIRROR = "wrong_mirror"
    FABRICATION = "fabrication"
    OFF_TOPIC = "off_topic"
    ABSTAINED = "abstained"
    UNKNOWN = "unknown"


FORMULAS: Mapping[Quadrant, str] = MappingProxyType({
    Quadrant.ABSTAINED: "the answer makes no claim",
    Quadrant.UNKNOWN: "relevance, faithfulness or correctness has no value",
    Quadrant.OFF_TOPIC: "relevance < R",
    Quadrant.GOOD: "relevance >= R and faithfulness == 1 and correctness >= C",
    Quadrant.EXTRA_CLAIM: "relevance >= R and F <= faithfulness < 1 and correctness >= C",
    Quadrant.LUCKY_GUESS: "relevance >= R and faithfulness < F and correctness >= C",
    Quadrant.WRONG_MIRROR: "relevance >= R and faithfulness >= F and correctness < C",
    Quadrant.FABRICATION: "relevance >= R and faithfulness < F and correctness < C",
})
"""When a trace is in each, from top to bottom; R, F and C are the three thresholds."""


class Thresholds(msgspec.Struct, frozen=True, kw_only=True):
    """At or above is high."""

    faithfulness: float = 0.5
    correctness: float = 0.5
    relevance: float = 0.5


def quadrant(case: JudgedTrace, scores: Mapping[str, Score], thresholds: Thresholds | None = None) -> Quadrant:
    """The quadrant of one trace."""
    if abstained(case):
        return Quadrant.ABSTAINED
    return quadrant_of(_value(scores, "relevance"), _value(scores, "faithfulness"), _value(scores, "correctness"), thresholds)


def quadrant_of(relevance: float | None, faithfulness: float | None, correctness: float | None, thresholds: Thresholds | None = None) -> Quadrant:
    """The quadrant of three figures of a trace that makes claims. One of them None: unknown."""
    limit = thresholds or Thresholds()
    if relevance is None or faithfulness is None or correctness is None:
        return Quadrant.UNKNOWN
    if relevance < limit.relevance:
        return Quadrant.OFF_TOPIC
    faithful = faithfulness >= limit.faithfulness
    if correctness >= limit.correctness:
        if not faithful:
            return Quadrant.LUCKY_GUESS
        return Quadrant.GOOD if faithfulness >= FULL else Quadrant.EXTRA_CLAIM
    return Quadrant.WRONG_MIRROR if faithful else Quadrant.FABRICATION


class Standing(StrEnum):
    """What can be said without a reference: relevance and faithfulness only."""

    GROUNDED = "grounded"
    PARTLY_GROUNDED = "partly_grounded"
    NOT_GROUNDED = "not_grounded"
    OFF_TOPIC = "off_topic"
    ABSTAINED = "abstained"
    UNKNOWN = "unknown"


STANDING_FORMULAS: Mapping[Standing, str] = MappingProxyType({
    Standing.ABSTAINED: "the answer makes no claim",
    Standing.UNKNOWN: "relevance or faithfulness has no value",
    Standing.OFF_TOPIC: "relevance < R",
    Standing.NOT_GROUNDED: "relevance >= R and faithfulness < F",
    Standing.GROUNDED: "relevance >= R and faithfulness == 1",
    Standing.PARTLY_GROUNDED: "relevance >= R and F <= faithfulness < 1",
})
"""The same without a reference."""


def standing(case: JudgedTrace, scores: Mapping[str, Score], thresholds: Thresholds | None = None) -> Standing:
    """Where a trace stands when there is no reference to be right by. A page that uses this says so."""
    if abstained(case):
        return Standing.ABSTAINED
    return standing_of(_value(scores, "relevance"), _value(scores, "faithfulness"), thresholds)


def standing_of(relevance: float | None, faithfulness: float | None, thresholds: Thresholds | None = None) -> Standing:
    """The standing of two figures of a trace that makes claims. One of them None: unknown."""
    limit = thresholds or Thresholds()
    if relevance is None or faithfulness is None:
        return Standing.UNKNOWN
    if relevance < limit.relevance:
        return Standing.OFF_TOPIC
    if faithfulness < limit.faithfulness:
        return Standing.NOT_GROUNDED
    return Standing.GROUNDED if faithfulness >= FULL else Standing.PARTLY_GROUNDED


def why_unknown(scores: Mapping[str, Score]) -> str:
    """Which figures have no value, and why (a reason that several share is said once); "" when all three have one."""
    names: dict[str, list[str]] = {}
    for name in ("relevance", "faithfulness", "correctness"):
        score = scores.get(name)
        if score is None or score.value is None:
            names.setdefault("not computed" if score is None else score.reason, []).append(name)
    return "; ".join(f"{', '.join(which)}: {reason}" for reason, which in names.items())


def _value(scores: Mapping[str, Score], name: str) -> float | None:
    score = scores.get(name)
    return None if score is None else score.value
