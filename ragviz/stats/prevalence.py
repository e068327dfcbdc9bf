"""
How common something is, from a cheap word on everything and a person's word on a few.

Claims are split into kinds by what the judges say of them (cells). A person labels some of each cell, picked by chance within it. The rate is then
the sum over cells of (share of the run) x (share of the cell's labels), whatever the judge's errors are: no cell is taken at the judge's word.
Picked in proportion to the cells, this equals the Rogan-Gladen correction; picked where it helps most, its interval is narrower.

Source: double sampling after Tenenbein 1970, JASA 65(331); stratified allocation after Neyman 1934.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import numpy as np

from ragviz.records import Interval

PRIOR = 0.5
"""Jeffreys: what is added to both counts of a cell, so that five of five is not certainty."""
DRAWS = 20_000


class Cell(msgspec.Struct, frozen=True, kw_only=True):
    """Claims of one kind."""

    n: int
    """Claims of the run in it, > 0."""
    labelled: int
    """Of these, labelled by a person."""
    yes: int
    """Of these, those that have the property."""


class Rate(msgspec.Struct, frozen=True, kw_only=True):
    """The rate of the whole run behind the judge's words."""

    value: float
    interval: Interval
    n_labelled: int


def corrected(cells: Sequence[Cell], *, level: float = 0.95, rng: np.random.Generator | None = None) -> Rate | None:
    """
    The true rate with its interval.

    Args:
        cells: All kinds of the run. A cell nobody has labelled is as wide as ignorance: anything from 0 to 1.
        level: Of the interval, in (0, 1).
        rng: Source of randomness; by default a fixed seed.

    Returns:
        None where no cell has a label. The value is the labels' own share in each labelled cell, and a half in the others.
    """
    there = [c for c in cells if c.n > 0]
    total = sum(c.n for c in there)
    n_labelled = sum(c.labelled for c in there)
    if not n_labelled:
        return None
    source = np.random.default_rng(0) if rng is None else rng
    value, draws = 0.0, np.zeros(DRAWS)
    for cell in there:
        share = cell.n / total
        value += share * (cell.yes / cell.labelled if cell.labelled else 0.5)
        known, left = cell.yes, cell.n - cell.labelled
        # What was labelled is known; only the rest is guessed, as a beta-binomial.
        p = source.beta(cell.yes + PRIOR, cell.labelled - cell.yes + PRIOR, size=DRAWS)
        draws += (known + source.binomial(max(left, 0), p)) / total
    lo, hi = np.percentile(draws, [50 * (1 - level), 50 * (1 + level)])
    # The middle of a skewed guess may lie beside the labels' own share: the interval always holds the value it belongs to.
    return Rate(value=value, interval=Interval(lo=float(min(lo, value)), hi=float(max(hi, value)), level=level), n_labelled=n_labelled)


def gain(cell: Cell, total: int) -> float:
    """
    How much one more label in this cell lowers the variance of the rate, as expected now; 0 when all of it is labelled.

    variance of the cell's part = (n / total)^2 · p (1 - p) / (labelled + 1), with p from the labels so far and the prior.
    """
    if cell.n <= cell.labelled:
        return 0.0
    p = (cell.yes + PRIOR) / (cell.labelled + 2 * PRIOR)
    spread = (cell.n / total) ** 2 * p * (1 - p)
    return spread * (1 / (cell.labelled + 1) - 1 / (cell.labelled + 2))


def sensitivity_specificity(positive: Sequence[Cell], negative: Sequence[Cell]) -> tuple[float | None, float | None]:
    """
    How well the judge finds the property, were all claims labelled: labels weighted by the size of their cells.

    Labels picked by the judge's word would otherwise flatter it (verification bias).

    Args:
        positive: Cells the judge calls yes.
        negative: Cells it calls no.

    Returns:
        Shares in [0, 1]; None where that class is empty as far as the labels say.

    Source: Begg & Greenes 1983, Biometrics 39(1).
    """
    caught, alarmed = _weighed(positive)
    missed, passed = _weighed(negative)
    yes, no = caught + missed, alarmed + passed
    return caught / yes if yes else None, passed / no if no else None


def _weighed(cells: Sequence[Cell]) -> tuple[float, float]:
    """Claims with and without the property in some cells, as their labels say."""
    seen = [c for c in cells if c.labelled]
    yes = sum(c.n * c.yes / c.labelled for c in seen)
    return yes, sum(c.n for c in seen) - yes
