"""A share of yes among n, with its interval."""

from __future__ import annotations

from math import sqrt
from statistics import NormalDist

from ragviz.records import Interval


def share_interval(yes: int, n: int, *, level: float = 0.95) -> Interval | None:
    """
    Wilson's score interval of a share: honest at 0 of n and n of n too, where a bootstrap would claim certainty.

    Args:
        yes: How many, 0..n.
        n: Of how many, drawn independently.
        level: In (0, 1).

    Returns:
        None for n = 0.

    Source: Wilson 1927, JASA 22(158).
    """
    if not n:
        return None
    z = NormalDist().inv_cdf(0.5 + level / 2)
    p = yes / n
    centre = (p + z**2 / (2 * n)) / (1 + z**2 / n)
    half = z / (1 + z**2 / n) * sqrt(p * (1 - p) / n + z**2 / (4 * n**2))
    return Interval(lo=max(0.0, min(centre - half, p)), hi=min(1.0, max(centre + half, p)), level=level)
