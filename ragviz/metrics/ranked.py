"""The ranking of a trace as retrieval metrics see it: list order, fixed slots, labels from wherever the file has them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

import msgspec

from ragviz.records import Passage, Trace

TEXT = "text:"
"""Prefix of the label key of a passage that is known by its text only."""


class Slot(msgspec.Struct, frozen=True, kw_only=True):
    """One place of the ranked list."""

    passage_id: str
    label_id: str
    gain: float
    """0 for a repetition, whatever its label: a document counts once, at its first rank."""
    labelled: bool
    """False when nobody said whether it is relevant."""
    duplicate_of: int | None = None
    """Rank of its first occurrence."""

    @property
    def relevant(self) -> bool:
        """True when it counts as a relevant document at this rank."""
        return self.gain > 0


class Ranking(msgspec.Struct, frozen=True, kw_only=True):
    """What was retrieved, in list order, and everything that is labelled."""

    slots: tuple[Slot, ...]
    ideal: tuple[float, ...]
    """Gains of all judged documents with a positive label, highest first."""
    missed: tuple[str, ...]
    """Relevant documents that are nowhere in the list."""
    only_retrieved_labelled: bool = False
    """True when labels exist for retrieved passages only, so what was missed is unknown."""
    equal_scores: int = 0
    """Neighbours in the list with the same retriever score: their order is the list's, never re-sorted."""

    @property
    def n_relevant(self) -> int:
        """Number of relevant documents, retrieved or not."""
        return len(self.ideal)

    @property
    def gains(self) -> list[float]:
        """Gain by rank."""
        return [slot.gain for slot in self.slots]

    @property
    def relevant(self) -> list[bool]:
        """Relevant or not, by rank."""
        return [slot.relevant for slot in self.slots]

    def duplicates(self, k: int) -> int:
        """Repetitions among the first ``k``."""
        return sum(slot.duplicate_of is not None for slot in self.slots[:k])

    def unlabelled(self, k: int) -> int:
        """Distinct documents among the first ``k`` that nobody labelled."""
        return sum(not slot.labelled and slot.duplicate_of is None for slot in self.slots[:k])


def ranking_of(trace: Trace) -> Ranking | None:
    """
    The ranking of a trace; None when the file does not say what was retrieved, or labels nothing.

    Labels come from graded labels, the list of expected passages, labels on the passages themselves, and expected texts, all that exist.
    Where two of them speak of one document the higher gain counts.
    """
    if trace.passages is None:
        return None
    labels = labels_of(trace)
    if labels is None:
        return None
    places = places_of(trace.passages, labels)
    slots = [
        Slot(passage_id=p.id, label_id=key, gain=gain, labelled=labelled, duplicate_of=first)
        for p, (key, gain, labelled, first) in zip(trace.passages, places, strict=True)
    ]
    ideal = ideal_of(labels)
    found = {key for key, *_ in places}
    missed = tuple(sorted(key for key, gain in labels.items() if gain > 0 and key not in found))
    only_retrieved = trace.relevant_ids is None and trace.relevance_grades is None and trace.relevant_texts is None
    scores = [p.score for p in trace.passages]
    equal = sum(a is not None and a == b for a, b in pairwise(scores))
    return Ranking(slots=tuple(slots), ideal=ideal, missed=missed, only_retrieved_labelled=only_retrieved, equal_scores=equal)


def places_of(passages: Sequence[Passage], labels: Mapping[str, float]) -> list[tuple[str, float, bool, int | None]]:
    """
    Each place of the list: under which key its label is found, its gain, whether it has a label, and the rank of its first occurrence.

    A repetition gains nothing. By themselves, since an import asks for them a million times and needs no slots.
    """
    first: dict[str, int] = {}
    by_text = any([key.startswith(TEXT) for key in labels])  # noqa: C419 - of a few keys a list is faster
    places: list[tuple[str, float, bool, int | None]] = []
    for rank, passage in enumerate(passages, start=1):
        # Without labels by text its matching_id, written out: the call would take longer than all else here.
        key = _label_id(passage, labels) if by_text else passage.doc_id if passage.doc_id is not None else passage.id
        label, earlier = labels.get(key), first.setdefault(key, rank)
        if earlier != rank:
            places.append((key, 0.0, label is not None, earlier))
        else:
            places.append((key, label if label is not None and label > 0 else 0.0, label is not None, None))
    return places


def ideal_of(labels: Mapping[str, float]) -> tuple[float, ...]:
    """Gains of all judged documents with a positive label, highest first."""
    return tuple(sorted([gain for gain in labels.values() if gain > 0], reverse=True))


def labels_of(trace: Trace) -> dict[str, float] | None:
    """Gain by label key; None when nothing at all is labelled."""
    labels: dict[str, float] = {}
    known = False
    if trace.relevance_grades is not None:
        known = True
        labels.update({doc: float(grade) for doc, grade in trace.relevance_grades.items()})
    if trace.relevant_ids is not None:
        known = True
        for doc in trace.relevant_ids:
            labels[doc] = max(1.0, labels.get(doc, 0.0))
    elif trace.relevant_texts is not None and trace.relevance_grades is None:
        known = True
        labels.update({TEXT + text: 1.0 for text in trace.relevant_texts})
    for passage in trace.passages or ():
        if passage.relevance is not None:
            known = True
            key = _label_id(passage, labels)
            labels[key] = max(float(passage.relevance), labels.get(key, float(passage.relevance)))
    return labels if known else None


def _label_id(passage: Passage, labels: Mapping[str, float]) -> str:
    """The key under which a passage's label is found: its text where only expected texts are known, else its document id."""
    by_text = TEXT + passage.text
    return by_text if by_text in labels else passage.matching_id
