"""What a comparison of a claim with a premise found: clashes, agreements, what is missing, what was left out."""

from __future__ import annotations

import msgspec

from ragviz.records import Clash, ClashKind, Span

AMOUNTS = frozenset({ClashKind.NUMBER, ClashKind.UNIT, ClashKind.MONEY, ClashKind.PERCENT, ClashKind.DATE, ClashKind.DURATION})
"""Kinds of clash of figures and times."""


class Agreement(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A detail that both texts give."""

    kind: ClashKind
    hypothesis_span: Span
    premise_span: Span
    value: str
    """Normalised, for people."""
    said: bool = True
    """The premise gives this very value; False where it only follows from what it gives: "up to 5 days" from "2 to 4 days", a total from its parts."""


class Missing(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A detail of the claim of which the premise says nothing."""

    kind: ClashKind | None
    """None for a plain word of content."""
    hypothesis_span: Span
    value: str
    stands: bool = False
    """The premise gives this very amount, of something else as far as can be told."""


class Findings(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """
    All that a claim and a premise agree and disagree on.

    Premise spans are shifted by the ``start`` that ``check`` was given.
    """

    clashes: tuple[Clash, ...] = ()
    """Like with like: the same thing and attribute, a different word on it. Any of them speaks for "contradicted"."""
    dropped: tuple[Clash, ...] = ()
    """The premise says less than the claim: a qualifier left out ("in mice", "planned"), some → all, reported speech, "more than 50"
    → 67. Each speaks for "not supported", none for "contradicted". ``hypothesis_span`` may be None."""
    weak: tuple[Clash, ...] = ()
    """Signs of a clash that are too weak to be called one: the clauses are aligned loosely, or the relation may have several partners. Never
    shown as a contradiction; a feature for whoever weighs probabilities."""
    agreements: tuple[Agreement, ...] = ()
    missing: tuple[Missing, ...] = ()
    alignment: float = 0.0
    """How much of the claim's content the best aligned clause of the premise covers, in [0, 1]."""
    coverage: float = 0.0
    """How much of the claim's content the whole premise covers, in [0, 1]."""
    bound: float = 1.0
    """Of the claim's content that the premise has: how much one clause of it says of one thing, in [0, 1]."""
    certain: bool = False
    """A sentence denies the claim outright, in so many words: nothing has to be weighed."""

    @property
    def kinds(self) -> dict[ClashKind, int]:
        """Number of clashes by kind."""
        counts: dict[ClashKind, int] = {}
        for clash in self.clashes:
            counts[clash.kind] = counts.get(clash.kind, 0) + 1
        return counts

    @property
    def n_details(self) -> int:
        """Numbers, dates and names of the claim that were compared or missed."""
        return len(self.agreements) + len(self.clashes) + self.n_missing

    @property
    def n_missing(self) -> int:
        """Numbers, dates and names of the claim without a counterpart."""
        return sum(m.kind is not None for m in self.missing)

    @property
    def matched_share(self) -> float:
        """Share of the claim's details that the premise gives too, in [0, 1]; 1 for a claim without details."""
        return len(self.agreements) / self.n_details if self.n_details else 1.0
