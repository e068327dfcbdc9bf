"""The smallest spans of a premise that speak about a claim. Words only, no model."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from ragviz.evidence.windows import IndexedPremise, index_premise, plain
from ragviz.records import Evidence
from ragviz.text.tokens import content_tokens

MAX_SPANS = 3
"""A claim resting on more than three places is hard to check by eye."""
MAX_SPANS_OF_ALL = 8
"""The same of a claim of several sentences."""
_MIN_GAIN = 0.12
"""A further span must add at least this share of the claim's weight."""
_NEIGHBOUR_BONUS = 1.15
"""A sentence next to a chosen one is preferred: it continues the thought ("It weighs 3 kg")."""
_ROUNDING = 1e-8
"""What lies so far behind is behind after rounding too."""


class Choice(NamedTuple):
    """A unit of the premise and the share of the claim's weight it adds to those chosen before it."""

    unit: int
    gain: float


def best_evidence(hypothesis: str, premise: str, *, max_spans: int = MAX_SPANS, exclude: Collection[int] = ()) -> list[Evidence]:
    """
    The spans of the premise that share most with the hypothesis, best first.

    Args:
        hypothesis: The claim.
        premise: Any text; long ones are windowed.
        max_spans: At most so many.
        exclude: Indices of units (``index_premise(premise).units``) that must not be shown as evidence.

    Returns:
        Certificates with weights that sum to 1; [] when nothing is shared.
    """
    indexed = index_premise(premise)
    stems = frozenset(token.stem for token in content_tokens(plain(hypothesis)))
    chosen = choose_units(stems, indexed, max_spans=max_spans, exclude=exclude)
    return as_evidence(indexed, chosen)


def as_evidence(indexed: IndexedPremise, chosen: Sequence[Choice]) -> list[Evidence]:
    """Certificates of the chosen units, weighted by what each adds."""
    total = sum([choice.gain for choice in chosen])
    if total <= 0:
        return []
    spans = [(indexed.units[unit].span, gain / total) for unit, gain in chosen]
    return [Evidence(span=span, quote=span.of(indexed.text), weight=round(weight, 4)) for span, weight in spans]


def choose_units(stems: frozenset[str], indexed: IndexedPremise, *, max_spans: int = MAX_SPANS, exclude: Collection[int] = ()) -> list[Choice]:
    """
    Greedy cover of the claim's stems by units of the premise.

    Args:
        stems: Content stems of the claim.
        indexed: The premise.
        max_spans: At most so many units.
        exclude: Units left out.

    Returns:
        Units in the order chosen; equal ones are decided for the shorter, then the earlier.
    """
    weights = indexed.weights(sorted(stems))
    total = sum(weights.values())
    if not total:
        return []
    postings, units = indexed.postings, indexed.units
    left = [stem for stem in weights if stem in postings]
    chosen: list[Choice] = []
    taken: set[int] = set()
    while left and len(chosen) < max_spans:
        gains: dict[int, float] = {}
        for stem in left:
            weight = weights[stem]
            for unit in postings[stem]:
                gains[unit] = gains.get(unit, 0.0) + weight
        best: tuple[float, int, int] | None = None
        for unit, gain in gains.items():
            if unit in taken or unit in exclude:
                continue
            value = gain / total
            if taken and (unit - 1 in taken or unit + 1 in taken):
                value *= _NEIGHBOUR_BONUS
            if best is not None and value < best[0] - _ROUNDING:
                continue
            value = round(value, 9)
            if best is None or value >= best[0]:
                key = (value, -len(units[unit].span), -unit)
                best = key if best is None else max(best, key)
        if best is None or best[0] <= 0 or (chosen and best[0] < _MIN_GAIN):
            break
        unit = -best[2]
        chosen.append(Choice(unit, best[0]))
        taken.add(unit)
        known = units[unit].stems
        left = [stem for stem in left if stem not in known]
    return chosen


def choose_for_sentences(sentences: Sequence[frozenset[str]], indexed: IndexedPremise, *, exclude: Collection[int] = ()) -> tuple[Choice, ...]:
    """
    Evidence for each sentence of a claim, most telling first.

    Args:
        sentences: Content stems of each sentence.
        indexed: The premise.
        exclude: Units left out.

    Returns:
        As ``choose_units`` for one sentence; for several the units by the sum of what they add to each, at most MAX_SPANS_OF_ALL.
    """
    if len(sentences) <= 1:
        return tuple(choose_units(sentences[0], indexed, exclude=exclude)) if sentences else ()
    gains: dict[int, float] = {}
    for stems in sentences:
        for unit, gain in choose_units(stems, indexed, exclude=exclude):
            gains[unit] = gains.get(unit, 0.0) + gain
    ranked = sorted(gains, key=lambda unit: (-round(gains[unit], 6), unit))[:MAX_SPANS_OF_ALL]
    return tuple([Choice(unit, gains[unit]) for unit in ranked])
