"""
The level of a quantity in each version, with the mix of questions taken out.

Every question (or, where it occurs in one version only, every kind of question) is allowed a level of its own, and every version too:

    value = level of the question or kind + level of the version + noise

Least squares over both. A version that merely got more of the hard questions keeps its level; a version that answers the same questions worse does not.
The covariance of the levels is known twice: heteroscedasticity-robust (White 1980, Econometrica 48(4), with the degrees-of-freedom correction HC1), and
from the variance of all versions together. The larger of the two counts: in a version where by chance hardly any rare event happened, the spread looks
small exactly because the level does.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Codes = NDArray[np.int64]

TOLERANCE = 1e-8


class Levels(NamedTuple):
    """Levels of V versions up to a common constant."""

    level: Floats
    """Shape (V,), mean 0."""
    robust: Floats
    """Shape (V, V): covariance of the levels, each version with the spread of its own."""
    pooled: Floats
    """Shape (V, V): covariance of the levels, all versions with the same spread."""
    span: Floats
    """Shape (V, V): projection on the differences that the questions in common allow; a contrast outside it cannot be told from a change of mix."""
    units: Codes
    """Shape (V,): questions behind each level."""

    def variance(self, contrast: Floats) -> float:
        """Of a contrast of the levels: the larger of what the two covariances say."""
        return max(float(contrast @ self.robust @ contrast), float(contrast @ self.pooled @ contrast), 0.0)

    def can_tell(self, contrast: Floats) -> bool:
        """Whether a contrast of versions is free of the mix."""
        return bool(np.abs(self.span @ contrast - contrast).max() < TOLERANCE ** 0.5 * max(1.0, float(np.abs(contrast).max())))


def version_levels(values: Floats, versions: Codes, groups: Codes, kinds: Codes, *, n_versions: int) -> Levels:
    """
    Levels of the versions.

    Args:
        values: One a trace, shape (n,), no NaN.
        versions: Which version each trace is of, 0 to n_versions - 1.
        groups: Which question each trace asks; traces of one question in one version count as one unit, their mean.
        kinds: Which kind of question it is.
        n_versions: V.
    """
    unit_values, unit_versions, strata = _units(values, versions, groups, kinds)
    n_units, n_strata = len(unit_values), int(strata.max(initial=-1)) + 1
    counts = np.bincount(strata * n_versions + unit_versions, minlength=n_strata * n_versions).reshape(n_strata, n_versions).astype(np.float64)
    size = counts.sum(axis=1)
    # Each unit as its version, less the mix of versions its stratum has: least squares on these rows needs no level of strata any more.
    rows = -counts[strata] / size[strata][:, None]
    rows[np.arange(n_units), unit_versions] += 1.0
    centred = unit_values - (np.bincount(strata, weights=unit_values, minlength=n_strata) / size)[strata]
    inverse = np.linalg.pinv(rows.T @ rows, rcond=TOLERANCE, hermitian=True)
    level = inverse @ (rows.T @ centred)
    errors = centred - rows @ level
    left = max(n_units - n_strata - int(np.linalg.matrix_rank(inverse, tol=TOLERANCE, hermitian=True)), 1)
    per_version = np.bincount(unit_versions, minlength=n_versions)
    own = (rows * (errors * errors * (n_units / left))[:, None]).T @ rows
    return Levels(level, inverse @ own @ inverse, inverse * (float(errors @ errors) / left), inverse @ (rows.T @ rows), per_version)


def _units(values: Floats, versions: Codes, groups: Codes, kinds: Codes) -> tuple[Floats, Codes, Codes]:
    """Mean value, version and stratum of each question of each version. The stratum is the question where other versions have it too, else its kind."""
    n_groups = int(groups.max(initial=-1)) + 1
    unit, where = np.unique(versions * max(n_groups, 1) + groups, return_inverse=True)
    means = np.bincount(where, weights=values) / np.bincount(where)
    unit_versions, unit_groups = unit // max(n_groups, 1), unit % max(n_groups, 1)
    kind_of = np.zeros(len(unit), np.int64)
    kind_of[where[::-1]] = kinds[::-1]
    recurs = np.bincount(unit_groups, minlength=n_groups)[unit_groups] > 1
    raw = np.where(recurs, unit_groups, n_groups + kind_of)
    return means, unit_versions, np.unique(raw, return_inverse=True)[1]
