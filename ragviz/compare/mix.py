"""Do people ask other things than before? The mix of questions of each version against the first one's, beside what chance alone would show."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import msgspec

from ragviz.stats.coded import Coded
from ragviz.stats.drift import chance_distance, jensen_shannon, mix_changed_p
from ragviz.stats.significance import holm

ENOUGH = 20
"""Traces below which a version's mix is not compared."""
NAMED = 3


class Moved(msgspec.Struct, frozen=True, kw_only=True):
    """One kind whose share changed."""

    kind: str
    before: float
    after: float


class MixPoint(msgspec.Struct, frozen=True, kw_only=True):
    """One version's mix against the reference version's."""

    distance: float | None
    """Jensen-Shannon distance, 0 to 1; None for the reference itself and for versions with too few traces."""
    noise: float | None
    """What two samples of these sizes from one mix stay below 95 times of 100."""
    p_holm: float
    """Chi-squared, corrected for all versions and dimensions."""
    moved: tuple[Moved, ...]
    """The kinds whose shares changed most."""
    n: int

    @property
    def changed(self) -> bool:
        """Beyond chance."""
        return self.p_holm <= 0.05


class Mix(msgspec.Struct, frozen=True, kw_only=True):
    """One dimension over all versions."""

    dimension: str
    reference: int
    """Index of the version that the others are compared with: the first with enough traces."""
    points: tuple[MixPoint, ...]


def mixes(kinds: Sequence[Mapping[str, Coded]]) -> tuple[Mix, ...]:
    """One mix per dimension of two kinds or more that at least two versions have; ``kinds``: per version, by dimension, the kind of each trace."""
    dimensions = sorted({name for part in kinds for name in part}, key=lambda name: (name != "question", name))
    counts = {d: [Counter(part[d].counts() if d in part else {}) for part in kinds] for d in dimensions}
    usable = {d: reference for d in dimensions if len(set().union(*counts[d])) > 1 and (reference := _reference(counts[d])) is not None}
    tests = [(d, i) for d, reference in usable.items() for i, c in enumerate(counts[d]) if i != reference and c.total() >= ENOUGH]
    corrected = dict(zip(tests, holm([mix_changed_p(counts[d][usable[d]], counts[d][i]) for d, i in tests]), strict=True))
    return tuple(
        Mix(dimension=d, reference=reference, points=tuple(_point(counts[d][reference], c, corrected.get((d, i))) for i, c in enumerate(counts[d])))
        for d, reference in usable.items()
    )


def _reference(counts: Sequence[Counter[str]]) -> int | None:
    """The first version with enough traces, if there is another one to compare with it."""
    large = [i for i, c in enumerate(counts) if c.total() >= ENOUGH]
    return large[0] if len(large) > 1 else None


def _point(before: Counter[str], after: Counter[str], p: float | None) -> MixPoint:
    if p is None:
        return MixPoint(distance=None, noise=None, p_holm=1.0, moved=(), n=after.total())
    shares = {kind: (before[kind] / before.total(), after[kind] / after.total()) for kind in {*before, *after}}
    largest = sorted(shares, key=lambda kind: (-abs(shares[kind][1] - shares[kind][0]), kind))[:NAMED]
    return MixPoint(
        distance=jensen_shannon(before, after), noise=chance_distance(before, after), p_holm=p, n=after.total(),
        moved=tuple(Moved(kind=kind, before=shares[kind][0], after=shares[kind][1]) for kind in largest),
    )
