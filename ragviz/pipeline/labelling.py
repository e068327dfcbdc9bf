"""
People's labels beside a judge's words: what each claim's kind is, which claim to label next, and the rate behind the judge's errors.

A kind is what is known before a person looks: the judge's class of two, whether a second judge sees it otherwise, whether the judge is unsure.
Within a kind the next claim is picked by chance, so that the labels of a kind stand for all of it; which kind comes next is decided by how much a
label there narrows the interval of the run's rate, and between equals by disagreement first, then low confidence.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from typing import NamedTuple

import msgspec

from ragviz.contracts import View
from ragviz.grounding.resolve import ClaimGrounding, groundings, word_in_force
from ragviz.pipeline.single_claims import TABLE
from ragviz.records import Annotation, Grounding, JudgedTrace
from ragviz.records.ids import digest
from ragviz.stats.prevalence import Cell, gain
from ragviz.store import Store

SURE = 0.75
"""Confidence below which a verdict counts as unsure."""
NEEDED = 30
"""Labels below which no figure of agreement is shown."""
NEEDED_PER_KIND = 5
COMMON = 0.05
"""Share of the claims from which a kind must have its own labels before the corrected rate is shown."""
CANNOT_SAY = "cannot say"
"""Reason of an annotation without a verdict: the person looked, and could not tell."""


class ClaimRef(NamedTuple):
    """A claim of the run's answers."""

    trace_id: str
    claim_id: str


class Doubt(StrEnum):
    """What speaks against taking the judge at its word, the strongest first."""

    DISPUTED = "disputed"
    UNSURE = "unsure"
    NONE = "none"


class Kind(NamedTuple):
    """What is known of a claim before a person looks."""

    says: str
    """``supported``, ``unsupported`` or ``unjudged``."""
    doubt: Doubt


class Looked(msgspec.Struct, frozen=True, kw_only=True):
    """A claim as judges see it; people's words take no part."""

    ref: ClaimRef
    grounding: Grounding
    confidence: float | None
    other: Grounding | None = None
    """What the second judge says; None where there is none, or it has not judged the claim."""

    @property
    def disputed(self) -> bool:
        """Two judges put it into different classes; where one of them could not judge there is no dispute."""
        spoke = self.other is not None and Grounding.UNJUDGED not in (self.grounding, self.other)
        return spoke and self.other is not None and self.grounding.is_supported != self.other.is_supported

    @property
    def kind(self) -> Kind:
        """Where it belongs."""
        if self.grounding is Grounding.UNJUDGED:
            return Kind("unjudged", Doubt.NONE)
        unsure = self.confidence is not None and self.confidence < SURE
        doubt = Doubt.DISPUTED if self.disputed else Doubt.UNSURE if unsure else Doubt.NONE
        return Kind("supported" if self.grounding.is_supported else "unsupported", doubt)


class Survey(msgspec.Struct, frozen=True, kw_only=True):
    """The claims of a run (or of a sample of its traces) as judges see them."""

    claims: tuple[Looked, ...]
    calibrated_share: float | None = None
    """Share of the judge's confidences that are calibrated; None without any confidence."""


def judge_words(case: JudgedTrace) -> dict[str, ClaimGrounding]:
    """What the judge alone says of each claim of the answer."""
    return groundings(msgspec.structs.replace(case, annotations=()), TABLE)


def survey(store: Store, view: View, *, other: View | None = None, ids: Sequence[str] | None = None) -> Survey:
    """
    Look at every claim through one judge, and through a second one.

    Args:
        store: Where the verdicts are.
        view: The judge in question.
        other: A second judge on the same claims.
        ids: Only these traces.
    """
    second: dict[ClaimRef, Grounding] = {}
    for case in store.judged(other, ids) if other is not None else ():
        second.update((ClaimRef(case.trace.id, claim_id), found.grounding) for claim_id, found in judge_words(case).items())
    claims: list[Looked] = []
    confident = calibrated = 0
    for case in store.judged(view, ids):
        for claim_id, found in judge_words(case).items():
            ref = ClaimRef(case.trace.id, claim_id)
            claims.append(Looked(ref=ref, grounding=found.grounding, confidence=found.confidence, other=second.get(ref)))
        told = [j for j in case.judgements if j.key.table is TABLE and j.confidence is not None]
        confident += len(told)
        calibrated += sum(j.calibrated for j in told)
    return Survey(claims=tuple(claims), calibrated_share=calibrated / confident if confident else None)


# ---------- people's words ----------


class Labels(msgspec.Struct, frozen=True, kw_only=True):
    """Everything people said of a claim set, by claim."""

    by_claim: Mapping[ClaimRef, tuple[Annotation, ...]] = {}
    """Oldest first; words that were taken back among them."""

    def in_force(self, ref: ClaimRef) -> Grounding | None:
        """The verdict that counts, of whoever spoke last."""
        word = word_in_force(self.by_claim.get(ref, ()))
        return word.grounding if word else None

    def by_author(self, ref: ClaimRef) -> dict[str, Annotation]:
        """Each person's standing verdict on the claim."""
        last = {note.author: note for note in self.by_claim.get(ref, ())}
        return {author: note for author, note in last.items() if note.grounding is not None}

    def has_spoken(self, ref: ClaimRef, author: str) -> bool:
        """Whether that person has a standing verdict, or looked and could not tell."""
        last = next((n for n in reversed(self.by_claim.get(ref, ())) if n.author == author), None)
        return last is not None and (last.grounding is not None or last.reason == CANNOT_SAY)

    def labelled(self) -> dict[ClaimRef, Grounding]:
        """Claims with a verdict in force."""
        found = {ref: self.in_force(ref) for ref in self.by_claim}
        return {ref: said for ref, said in found.items() if said is not None and said is not Grounding.UNJUDGED}

    def conflicts(self) -> dict[ClaimRef, dict[str, Annotation]]:
        """Claims on which two people's standing verdicts differ."""
        found = {ref: self.by_author(ref) for ref in self.by_claim}
        return {ref: said for ref, said in found.items() if len({note.grounding for note in said.values()}) > 1}

    def last_of(self, author: str) -> Annotation | None:
        """The latest word of that person which still stands (a "cannot say" among them)."""
        mine = [(ref, n) for ref, notes in self.by_claim.items() for n in notes if n.author == author and self.has_spoken(ref, author)]
        return max((n for _, n in mine), key=lambda n: n.at, default=None)


def labels_of(notes: Iterable[Annotation]) -> Labels:
    """People's words on claims of answers against passages, by claim."""
    found: dict[ClaimRef, list[Annotation]] = {}
    for note in notes:
        if note.table is TABLE:
            found.setdefault(ClaimRef(note.trace_id, note.claim_id), []).append(note)
    return Labels(by_claim={ref: tuple(sorted(said, key=lambda n: n.at)) for ref, said in found.items()})


# ---------- which claim next, and what the labels mean ----------


def cells(claims: Sequence[Looked], labelled: Mapping[ClaimRef, Grounding]) -> dict[Kind, Cell]:
    """Size of each kind, its labels, and how many of those say the claim is not supported."""
    size, seen, bad = Counter[Kind](), Counter[Kind](), Counter[Kind]()
    for looked in claims:
        size[looked.kind] += 1
        said = labelled.get(looked.ref)
        if said is not None:
            seen[looked.kind] += 1
            bad[looked.kind] += not said.is_supported
    return {kind: Cell(n=n, labelled=seen[kind], yes=bad[kind]) for kind, n in size.items()}


def still_needed(found: Mapping[Kind, Cell]) -> int:
    """How many more labels it takes before the corrected rate is shown: enough in all, and some of each common kind."""
    total = sum(c.n for c in found.values())
    per_kind = sum(_short(c, total) for c in found.values())
    return max(per_kind, min(NEEDED, total) - sum(c.labelled for c in found.values()), 0)


def _short(cell: Cell, total: int) -> int:
    """Labels a kind lacks before its share is worth anything; rare kinds may do without."""
    return max(0, min(NEEDED_PER_KIND, cell.n) - cell.labelled) if cell.n >= COMMON * total else 0


def queue(claims: Sequence[Looked], labels: Labels, *, author: str, second_opinion: bool = False) -> list[ClaimRef]:
    """
    Claims to label, the most useful first.

    Args:
        claims: Of the run.
        labels: What people said so far.
        author: Who labels; what they spoke about already is left out.
        second_opinion: Claims that somebody else has labelled, instead of those that nobody has.
    """
    labelled = labels.labelled()
    found = cells(claims, labelled)
    total = sum(c.n for c in found.values()) or 1
    order = list(Doubt)

    def usefulness(looked: Looked) -> tuple[bool, float, int, str]:
        cell = found[looked.kind]
        worth = 0.0 if second_opinion else gain(cell, total)
        # A common kind with hardly a label comes before all: without it there is no interval to narrow.
        return second_opinion or not _short(cell, total), -worth, order.index(looked.kind.doubt), digest((author, *looked.ref), length=8)

    open_ = [c for c in claims if (c.ref in labelled) == second_opinion and not labels.has_spoken(c.ref, author)]
    return [c.ref for c in sorted(open_, key=usefulness)]
