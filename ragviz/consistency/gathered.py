"""Collects findings of one pair while the checks run, and turns token places into spans."""

from __future__ import annotations

from collections.abc import Collection

from ragviz.consistency.analysis import Analysis, Detail
from ragviz.consistency.findings import Agreement, Missing
from ragviz.records import Clash, ClashKind, Span


class Gathered:
    """Findings so far. Premise spans are shifted by ``start``."""

    __slots__ = ("agreements", "claim", "clashes", "dropped", "missing", "places", "premise", "start", "weak")

    def __init__(self, claim: Analysis, premise: Analysis, start: int) -> None:
        self.claim = claim
        self.premise = premise
        self.start = start
        self.clashes: list[Clash] = []
        self.places: list[tuple[int, int, Detail | None]] = []
        """For each clash: its clauses in claim and premise, and the detail of the claim where it is one."""
        self.dropped: list[Clash] = []
        self.weak: list[Clash] = []
        self.agreements: list[Agreement] = []
        self.missing: list[Missing] = []

    def _ours(self, detail: Detail) -> Span:
        return self.claim.plain.original(detail.record.span)

    def _theirs(self, detail: Detail) -> Span:
        return self.premise.plain.original(detail.record.span).shift(self.start)

    def premise_span(self, first: int, last: int) -> Span:
        """Span of premise tokens first..last."""
        return self.premise.plain.original(Span(self.premise.starts[first], self.premise.ends[last])).shift(self.start)

    def claim_span(self, first: int, last: int) -> Span:
        """Span of claim tokens first..last."""
        return self.claim.plain.original(Span(self.claim.starts[first], self.claim.ends[last]))

    def clash(self, kind: ClashKind, ours: Detail, theirs: Detail, our_value: str, their_value: str) -> None:
        """Two details that cannot both hold."""
        self.places.append((ours.clause, theirs.clause, ours))
        self.clashes.append(
            Clash(kind=kind, hypothesis_span=self._ours(ours), premise_span=self._theirs(theirs), hypothesis_value=our_value, premise_value=their_value)
        )

    def drop(self, kind: ClashKind, ours: Detail, theirs: Detail, our_value: str, their_value: str) -> None:
        """A detail of which the premise says less."""
        self.dropped.append(
            Clash(kind=kind, hypothesis_span=self._ours(ours), premise_span=self._theirs(theirs), hypothesis_value=our_value, premise_value=their_value)
        )

    def suspect(self, kind: ClashKind, ours: Detail, theirs: Detail, our_value: str, their_value: str) -> None:
        """Two details that may not hold together."""
        self.weak.append(
            Clash(kind=kind, hypothesis_span=self._ours(ours), premise_span=self._theirs(theirs), hypothesis_value=our_value, premise_value=their_value)
        )

    def agree(self, kind: ClashKind, ours: Detail, theirs: Detail, value: str, *, said: bool = True) -> None:
        """A detail that both give, or, unless ``said``, that follows from what the premise gives."""
        self.agreements.append(Agreement(kind=kind, hypothesis_span=self._ours(ours), premise_span=self._theirs(theirs), value=value, said=said))

    def miss(self, kind: ClashKind, ours: Detail, value: str, *, stands: bool = False) -> None:
        """A detail without a counterpart; ``stands`` where the premise gives the value of something else."""
        self.missing.append(Missing(kind=kind, hypothesis_span=self._ours(ours), value=value, stands=stands))

    def word_clash(self, kind: ClashKind, ours: tuple[int, int], theirs: tuple[int, int]) -> None:
        """Two stretches of tokens that cannot both hold."""
        self.places.append((self.claim.clause[ours[0]], self.premise.clause[theirs[0]], None))
        self.clashes.append(self._words(kind, ours, theirs))

    def clear(self) -> None:
        """Forget what clashes."""
        self.clashes.clear()
        self.places.clear()
        self.weak.clear()

    def withdraw(self, numbers: Collection[int]) -> None:
        """Take back clashes by number: the premise says it of a part only, which is no support and no contradiction."""
        if not numbers:
            return
        for n in numbers:
            clash, (_, _, detail) = self.clashes[n], self.places[n]
            self.dropped.append(clash)
            if detail is not None:
                self.miss(clash.kind, detail, clash.hypothesis_value)
        self.clashes = [clash for n, clash in enumerate(self.clashes) if n not in numbers]
        self.places = [place for n, place in enumerate(self.places) if n not in numbers]

    def word_drop(self, kind: ClashKind, ours: tuple[int, int] | None, theirs: tuple[int, int]) -> None:
        """Words of the premise that the claim leaves out or goes beyond."""
        self.dropped.append(self._words(kind, ours, theirs))

    def _words(self, kind: ClashKind, ours: tuple[int, int] | None, theirs: tuple[int, int]) -> Clash:
        return Clash(
            kind=kind,
            hypothesis_span=None if ours is None else self.claim_span(*ours),
            premise_span=self.premise_span(*theirs),
            hypothesis_value="" if ours is None else self.claim.plain.surface(self.claim.starts[ours[0]], self.claim.ends[ours[1]]),
            premise_value=self.premise.plain.surface(self.premise.starts[theirs[0]], self.premise.ends[theirs[1]]),
        )
