"""A pair as the rules look at it: the claim and the sentences that come near it, each read once, when a rule first asks."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from functools import cached_property

from ragviz.consistency import Findings
from ragviz.consistency.analysis import Analysis, analyse
from ragviz.judges.local_view import Look

MAX_CHARS = 8_000
"""Characters of a claim or a sentence that are read."""
NOTHING = Findings()


class Needs(Enum):
    """What must hold for a rule to be asked."""

    SENTENCE = "a sentence of the passage shares words with the claim"
    ONE_THING = "the claim is one sentence"
    CHECKED = "its details were compared"
    ENGLISH = "its words are English, as far as they tell"


class Scene:
    """What one pair shows, and what the rules ask of it."""

    def __init__(self, seen: Look) -> None:
        self.seen = seen

    @cached_property
    def claim(self) -> Analysis:
        """The claim, in the words of the passage."""
        return analyse((self.seen.wording or self.seen.claim.text)[:MAX_CHARS])

    @cached_property
    def met(self) -> frozenset[Needs]:
        """What the pair fulfils of what rules need."""
        seen = self.seen
        met = set()
        if seen.chosen:
            met.add(Needs.SENTENCE)
            if not self.claim.tongue and self.claim.lowers:
                met.add(Needs.ENGLISH)
        if len(seen.claim.sentences) == 1:
            met.add(Needs.ONE_THING)
        if seen.together is not None:
            met.add(Needs.CHECKED)
        return frozenset(met)

    @property
    def found(self) -> Findings:
        """Findings on the sentences that carry the verdict; empty ones where nothing was compared."""
        return self.seen.together or NOTHING

    @cached_property
    def known(self) -> frozenset[str]:
        """Words of claim and question: what the question names is not left out ("What happens when the card is lost?" "It is blocked.")."""
        return self.claim.all_keys | analyse(self.seen.question[:MAX_CHARS]).all_keys if self.seen.question else self.claim.all_keys

    @cached_property
    def text(self) -> str:
        """The sentences that carry the verdict, in text order, as one text."""
        return " ".join(self._of(sorted(choice.unit for choice in self.seen.chosen)))

    @cached_property
    def compared(self) -> list[str]:
        """The sentences that carry the verdict, then the others that were compared with the claim."""
        chosen = [choice.unit for choice in self.seen.chosen]
        return self._of([*chosen, *(unit for unit, _ in self.seen.findings if unit not in chosen)])

    @cached_property
    def units(self) -> list[Analysis]:
        """The same, taken apart."""
        return [analyse(text[:MAX_CHARS]) for text in self.compared]

    @cached_property
    def ranked(self) -> list[tuple[str, frozenset[str]]]:
        """Text and stems of the sentences that carry the verdict, then of all that come near."""
        return self._with_stems(dict.fromkeys([*(choice.unit for choice in self.seen.chosen), *self.seen.near]))

    @cached_property
    def near(self) -> list[tuple[str, frozenset[str]]]:
        """The same in text order."""
        return self._with_stems(sorted({*self.seen.near, *(choice.unit for choice in self.seen.chosen)}))

    def _of(self, units: Sequence[int]) -> list[str]:
        indexed = self.seen.premise.indexed
        return [indexed.units[unit].span.of(indexed.text) for unit in units]

    def _with_stems(self, units: Sequence[int] | dict[int, None]) -> list[tuple[str, frozenset[str]]]:
        indexed = self.seen.premise.indexed
        return [(indexed.units[unit].span.of(indexed.text), indexed.units[unit].stems) for unit in units]
