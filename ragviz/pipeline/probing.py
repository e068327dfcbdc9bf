"""The same question in another dress: what a steady judge should not care about."""

from __future__ import annotations

import random
from collections.abc import Sequence
from enum import StrEnum

from msgspec.structs import replace

from ragviz.pipeline.label_files import LabelRow
from ragviz.records import Passage
from ragviz.text.rewording import reworded

TRIED = 20
"""Passages of other traces among which the most unrelated one is taken."""
DISTRACTOR_ID = "ragviz-distractor"


class Probe(StrEnum):
    """What was done to the question before it was put again."""

    REPEATED = "repeated"
    """Nothing: the very same question, asked anew."""
    SHUFFLED = "shuffled"
    """The passages in another order."""
    DISTRACTOR = "distractor"
    """One more passage, of another trace, that speaks of other things."""
    REWORDED = "reworded"
    """The claim with contractions, quotes, spaces and its first letter otherwise."""


def put_otherwise(row: LabelRow, probe: Probe, rows: Sequence[LabelRow], *, seed: int = 0) -> LabelRow | None:
    """
    The question as the probe puts it; None where it cannot be changed. The same seed changes it the same way.

    ``rows``: the whole sample, out of whose other groups an unrelated passage is taken.
    """
    rng = random.Random(f"{seed} {probe} {row.dataset} {row.group} {row.id}")  # noqa: S311 - no secret
    if probe is Probe.REPEATED:
        return row
    if probe is Probe.REWORDED:
        claim = reworded(row.claim)
        return replace(row, claim=claim) if claim != row.claim else None
    if probe is Probe.SHUFFLED:
        return _shuffled(row, rng)
    other = _unrelated(row, rows, rng)
    if other is None:
        return None
    passages = [*row.passages, Passage(id=DISTRACTOR_ID, text=other, rank=0)]
    return replace(row, passages=_ranked(passages))


def _shuffled(row: LabelRow, rng: random.Random) -> LabelRow | None:
    if len(row.passages) < 2:
        return None
    order = list(row.passages)
    while [p.id for p in order] == [p.id for p in row.passages]:
        rng.shuffle(order)
    return replace(row, passages=_ranked(order))


def _ranked(passages: Sequence[Passage]) -> tuple[Passage, ...]:
    return tuple(replace(p, rank=rank) for rank, p in enumerate(passages, start=1))


def _unrelated(row: LabelRow, rows: Sequence[LabelRow], rng: random.Random) -> str | None:
    """The text of a passage of another group that shares the fewest words with the claim, of some drawn by chance; None where there is no other group."""
    words = set(row.claim.casefold().split())
    own = {p.text for p in row.passages}
    others = [r for r in rows if (r.dataset, r.group) != (row.dataset, row.group) and r.passages]
    texts = [p.text for r in rng.sample(others, min(TRIED, len(others))) for p in r.passages[:1] if p.text not in own]
    return min(texts, key=lambda text: len(words & set(text.casefold().split())), default=None)
