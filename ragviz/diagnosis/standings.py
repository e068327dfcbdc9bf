"""Where the answers of a run without expected answers stand: the same words and counts for page, command line and reports."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ragviz.diagnosis.meanings import QUADRANT_MEANINGS, STANDING_MEANINGS
from ragviz.diagnosis.quadrants import FULL, Quadrant, Standing, Thresholds, standing_of
from ragviz.text.counts import counted

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
STANDINGS = tuple(Standing)
"""``standings`` gives places in it."""
WITHOUT_REFERENCE = "no expected answer in the file: faithfulness and relevance only, so nothing here says whether an answer is right"


def tells(faithfulness: Floats, correctness: Floats, relevance: Floats, declined: Flags) -> bool:
    """
    Whether standings are what can be said: no answer that claims anything has a correctness, and one at least has the other two. All of shape
    (n_traces,), NaN = no value.
    """
    return bool(np.isnan(correctness[~declined]).all() and (~(np.isnan(faithfulness) | np.isnan(relevance)) & ~declined).any())


def standings(faithfulness: Floats, relevance: Floats, declined: Flags, limits: Thresholds | None = None) -> NDArray[np.uint8]:
    """The standing of each trace as its place in ``STANDINGS``; ``ragviz.diagnosis.quadrants.standing`` of all of them at once."""
    limit = limits or Thresholds()
    cases = [
        (declined, Standing.ABSTAINED), (np.isnan(faithfulness) | np.isnan(relevance), Standing.UNKNOWN), (relevance < limit.relevance, Standing.OFF_TOPIC),
        (faithfulness < limit.faithfulness, Standing.NOT_GROUNDED), (faithfulness >= FULL, Standing.GROUNDED),
    ]
    found = np.full(len(faithfulness), STANDINGS.index(Standing.PARTLY_GROUNDED), dtype=np.uint8)
    for holds, name in reversed(cases):
        found[holds] = STANDINGS.index(name)
    return found


def counts_without_reference(
    faithfulness: Sequence[float | None] | Floats,
    correctness: Sequence[float | None] | Floats,
    relevance: Sequence[float | None] | Floats,
    declined: Sequence[bool] | Flags,
) -> dict[str, int] | None:
    """
    Traces by standing at the default thresholds, every standing named, in the order in which they are shown; None where the quadrants say more,
    or nothing can be said.
    """
    f, c, r = (np.asarray(column, dtype=np.float64) for column in (faithfulness, correctness, relevance))
    said = np.asarray(declined, dtype=np.bool_)
    if not tells(f, c, r, said):
        return None
    n = np.bincount(standings(f, r, said), minlength=len(STANDINGS))
    return {name: int(n[STANDINGS.index(Standing(name))]) for name in STANDING_MEANINGS}


def told_of(quadrant: str, relevance: float | None, faithfulness: float | None, *, without_reference: bool) -> tuple[str, str]:
    """
    Label and meaning of where one answer stands: its quadrant; in a run without expected answers what can be said without one, as the counts of the run
    have it.

    Args:
        quadrant: As stored; an unknown name stands for itself.
        relevance: Of the answer.
        faithfulness: The same.
        without_reference: Whether no answer of the run has a correctness.
    """
    if without_reference and quadrant == Quadrant.UNKNOWN:
        return STANDING_MEANINGS[standing_of(relevance, faithfulness)]
    return QUADRANT_MEANINGS.get(quadrant, (quadrant, ""))


def all_the_same(quadrant: str, n_contradicted: int) -> str:
    """What the name of a quadrant leaves out of an answer: that a passage contradicts some of it; "" where none does, or where the name says so."""
    if not n_contradicted or quadrant not in (Quadrant.WRONG_MIRROR, Quadrant.EXTRA_CLAIM):
        return ""
    are = "is" if n_contradicted == 1 else "are"
    return f" That goes by its share of supported claims: {counted(n_contradicted, 'claim')} of this answer {are} contradicted by a passage."


def in_words(counts: dict[str, int]) -> str:
    """"Grounded 10, Partly grounded 5, …": every standing, also those without a trace."""
    return ", ".join(f"{STANDING_MEANINGS[name][0]} {n:,}" for name, n in counts.items())
