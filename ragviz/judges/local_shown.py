"""Which of the units that carry a verdict a reader is shown: a sentence rather than the heading above it."""

from __future__ import annotations

from ragviz.evidence.select import MAX_SPANS, Choice
from ragviz.judges.local_view import CHECK_FROM, Look

_AS_GOOD = 0.9
"""Share of the weight that a heading holds of the claim from which a sentence says as much."""
_LITTLE = 0.05
"""Say of a place that adds no word to those chosen."""
_SHORT = 90
"""Characters up to which a line without a full stop is a heading, a caption or a label."""
_ENDS = ".!?…。！？;:\"'”’»)]"


def shown_units(seen: Look) -> list[Choice]:
    """The chosen units, a heading among them replaced by a sentence that holds the same words of the claim. Verdicts rest on the chosen ones as they are."""
    chosen = list(seen.chosen)
    if not any(_is_heading(seen, choice.unit) for choice in chosen):
        return chosen
    taken = {choice.unit for choice in chosen}
    for n, choice in enumerate(chosen):
        if _is_heading(seen, choice.unit):
            other = _sentence_for(seen, choice.unit, taken)
            if other is not None:
                taken.add(other)
                chosen[n] = Choice(other, choice.gain)
    return chosen


def with_nearest(seen: Look, shown: list[Choice]) -> list[Choice]:
    """Further places that could be about the claim, so that three are there to look at where nothing decides: what a person would read before saying so."""
    units = seen.premise.indexed.units
    taken = {choice.unit for choice in shown}
    for unit in seen.near:
        if len(shown) >= MAX_SPANS:
            break
        share = sum(word.weight for word in seen.claim.distinct if word.stem in units[unit].stems)
        if unit not in taken and share >= CHECK_FROM * seen.claim.weight:
            shown.append(Choice(unit, _LITTLE))
    return shown


def _is_heading(seen: Look, unit: int) -> bool:
    span = seen.premise.indexed.units[unit].span
    text = seen.premise.indexed.text
    return text.startswith("#", span.start) or (len(span) <= _SHORT and text[span.end - 1] not in _ENDS)


def _sentence_for(seen: Look, heading: int, taken: set[int]) -> int | None:
    """
    The unit that holds most of the claim among those that hold what the heading holds; the shorter of two; None where no sentence does, or the
    heading is the claim.
    """
    units = seen.premise.indexed.units
    if seen.claim.wanted <= units[heading].stems:
        return None
    held = [word for word in seen.claim.distinct if word.stem in units[heading].stems]
    least = _AS_GOOD * sum(word.weight for word in held)
    found: list[tuple[float, int, int]] = []
    for unit in seen.near:
        if unit not in taken and not _is_heading(seen, unit) and sum(word.weight for word in held if word.stem in units[unit].stems) >= least:
            share = sum(word.weight for word in seen.claim.distinct if word.stem in units[unit].stems)
            found.append((-round(share, 6), len(units[unit].span), unit))
    return min(found)[2] if found and least else None
