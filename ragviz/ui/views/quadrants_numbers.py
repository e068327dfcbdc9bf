"""Which cell each trace is in under movable thresholds, as arrays; and the filter that opens exactly those traces. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ragviz.diagnosis.meanings import STANDING_MEANINGS
from ragviz.diagnosis.quadrants import FULL, Quadrant, Thresholds
from ragviz.diagnosis.standings import STANDINGS, standings, tells
from ragviz.store import TraceFilter
from ragviz.ui import filters

Floats = NDArray[np.float64]
Words = NDArray[np.str_]

PLACED = tuple(q.value for q in Quadrant if q not in (Quadrant.ABSTAINED, Quadrant.UNKNOWN))
NAMES = ("faithfulness", "correctness", "relevance", "n_claims", "n_unjudged", "abstention_precision")
NEAR = 0.05


class Mode(StrEnum):
    """What can be drawn."""

    FULL = "full"
    NO_REFERENCE = "no_reference"
    """No trace has a correctness: faithfulness and relevance only."""
    NOTHING = "nothing"
    """Not even those two."""


GROUNDED = STANDING_MEANINGS
"""Cells without a reference: label and meaning."""


CELLS = (*(q.value for q in Quadrant), *(name for name in GROUNDED if name not in set(Quadrant)))
"""All cells, with a reference and without."""
_CELL_NAMES = np.array(CELLS)
_CELL_OF_STANDING = np.array([CELLS.index(name.value) for name in STANDINGS], dtype=np.uint8)


@dataclass(frozen=True)
class Plane:
    """All traces with their cell. Arrays of shape (n_traces,)."""

    mode: Mode
    x: Floats
    """Faithfulness."""
    y: Floats
    """Correctness; relevance where there is no reference."""
    relevance: Floats
    cell: NDArray[np.uint8]
    """Place of the cell in ``CELLS``."""

    @property
    def kind(self) -> Words:
        """The cell of each trace in words."""
        return _CELL_NAMES[self.cell]

    def inside(self, name: str) -> NDArray[np.bool_]:
        """Which traces are in that cell."""
        made: NDArray[np.bool_] = self.cell == CELLS.index(name)
        return made

    @property
    def in_plot(self) -> NDArray[np.bool_]:
        """Traces drawn as spots: neither off-topic nor without one of the figures nor declined."""
        drawn = ~(self.inside("abstained") | self.inside("unknown"))
        return drawn if self.mode is Mode.NO_REFERENCE else drawn & ~self.inside("off_topic")

    @property
    def n_placed(self) -> int:
        """Traces in a cell that says something of the answer: all but those that declined and those without one of the figures."""
        return int((~(self.inside("abstained") | self.inside("unknown"))).sum())

    def counts(self) -> dict[str, int]:
        """Traces per cell."""
        return {name: int(n) for name, n in zip(CELLS, np.bincount(self.cell, minlength=len(CELLS)), strict=True) if n}


def has_correctness(columns: Mapping[str, NDArray[Any]]) -> bool:
    """Whether any answer that does not decline has a correctness, so that it can be placed by it."""
    return not np.isnan(np.asarray(columns["correctness"], dtype=np.float64)[columns["quadrant"] != Quadrant.ABSTAINED.value]).all()


def plane(columns: Mapping[str, NDArray[Any]], limits: Thresholds) -> Plane:
    """Place every trace. Which ones declined is the view's word; the rest follows from the three figures."""
    f, c, r = (np.asarray(columns[name], dtype=np.float64) for name in ("faithfulness", "correctness", "relevance"))
    declined = columns["quadrant"] == Quadrant.ABSTAINED.value
    if has_correctness(columns):
        return Plane(Mode.FULL, f, c, r, _quadrants(f, c, r, declined, limits))
    mode = Mode.NO_REFERENCE if tells(f, c, r, declined) else Mode.NOTHING
    return Plane(mode, f, r, r, _CELL_OF_STANDING[standings(f, r, declined, limits)])


def _quadrants(f: Floats, c: Floats, r: Floats, declined: NDArray[np.bool_], limits: Thresholds) -> NDArray[np.uint8]:
    faithful, correct = f >= limits.faithfulness, c >= limits.correctness
    cases = [
        (declined, "abstained"), (np.isnan(f) | np.isnan(c) | np.isnan(r), "unknown"), (r < limits.relevance, "off_topic"),
        (correct & ~faithful, "lucky_guess"), (correct & (f >= FULL), "good"), (correct, "extra_claim"), (faithful, "wrong_mirror"),
    ]
    return _first_of(cases, "fabrication")


def _first_of(cases: Sequence[tuple[NDArray[np.bool_], str]], otherwise: str) -> NDArray[np.uint8]:
    """For each trace the name of the first condition that holds, as its place in ``CELLS``."""
    found = np.full(len(cases[0][0]), CELLS.index(otherwise), dtype=np.uint8)
    for holds, name in reversed(cases):
        found[holds] = CELLS.index(name)
    return found


def cell_filter(cell: str, limits: Thresholds, mode: Mode) -> TraceFilter:
    """The traces of one cell, whatever the thresholds: for the default ones the stored quadrant, else ranges of the three figures."""
    if cell == "unknown" and mode is Mode.NO_REFERENCE:
        return TraceFilter(quadrants=(cell,), lacking=("faithfulness", "relevance"))
    if cell in ("abstained", "unknown"):
        return TraceFilter(quadrants=(cell,))
    if mode is Mode.FULL and limits == Thresholds():
        return TraceFilter(quadrants=(cell,))
    f, c, r = limits.faithfulness, limits.correctness, limits.relevance
    known, full = (0.0, None), (max(f, FULL), None)
    high_f, low_f, part_f = (f, None), (None, _under(f)), (f, _under(1.0))
    high_c, low_c, high_r, low_r = (c, None), (None, _under(c)), (r, None), (None, _under(r))
    spans = {
        "good": (full, high_c, high_r),
        "extra_claim": (part_f, high_c, high_r),
        "lucky_guess": (low_f, high_c, high_r),
        "wrong_mirror": (high_f, low_c, high_r),
        "fabrication": (low_f, low_c, high_r),
        "off_topic": (known, known, low_r),
        "grounded": (full, known, high_r),
        "partly_grounded": (part_f, known, high_r),
        "not_grounded": (low_f, known, high_r),
    }[cell]
    names = ("faithfulness", "correctness", "relevance")
    ranges = tuple((name, lo, hi) for name, (lo, hi) in zip(names, spans, strict=True) if mode is Mode.FULL or name != "correctness")
    return TraceFilter(ranges=ranges, quadrants=PLACED if mode is Mode.FULL else ("unknown",))


def spot_filter(x: float, y: float, mode: Mode) -> TraceFilter:
    """The traces of one spot."""
    half = 0.5e-4
    upright = "correctness" if mode is Mode.FULL else "relevance"
    ranges = (("faithfulness", x - half, x + half), (upright, y - half, y + half))
    return TraceFilter(ranges=ranges, quadrants=PLACED if mode is Mode.FULL else ("unknown",))


def _under(limit: float) -> float:
    return round(limit - filters.JUST_BELOW, 9)


@dataclass(frozen=True)
class Stability:
    """How much the cells depend on where the lines are, and on single verdicts."""

    near: int
    """Traces within NEAR of a line."""
    one_claim: int
    """Traces that one claim judged otherwise would carry over the faithfulness line."""


def stability(p: Plane, limits: Thresholds, judged: Floats) -> Stability:
    """
    Count the traces whose cell hangs by a thread.

    Args:
        p: The plane.
        limits: Its thresholds.
        judged: Judged claims per trace, shape (n,): one verdict moves faithfulness by 1 / judged.
    """
    drawn = p.in_plot
    upright = limits.correctness if p.mode is Mode.FULL else limits.relevance
    near = drawn & ((np.abs(p.x - limits.faithfulness) < NEAR) | (np.abs(p.y - upright) < NEAR))
    step = np.divide(1.0, judged, out=np.full(judged.shape, np.nan), where=judged > 0)
    high = p.x >= limits.faithfulness
    tips = np.where(high, p.x - step < limits.faithfulness, p.x + step >= limits.faithfulness)
    return Stability(int(near.sum()), int((drawn & tips).sum()))
