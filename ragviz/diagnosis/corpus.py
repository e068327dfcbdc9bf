"""
Everything that could have been retrieved, searchable: the passages of a run, and of a file of documents given with it.

By words (BM25 over stems) and, where the caller brings vectors, by their similarity too, the two orders fused by reciprocal ranks.
"""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable, Collection, Iterable, Sequence

import msgspec
import numpy as np
from numpy.typing import NDArray

from ragviz.consistency import check
from ragviz.diagnosis.authority import dated
from ragviz.diagnosis.passage_index import PassageIndex, best
from ragviz.diagnosis.superseded import newer_revisions, title_key
from ragviz.diagnosis.wording import subject_share
from ragviz.records import Claim, Clash, Evidence, Fact, Passage, Trace, Verdict
from ragviz.text.tokens import tokens
from ragviz.text.word_sets import word_set

CANDIDATES = 8
"""Passages looked at per claim."""
STATES_FROM = 0.8
"""Share of the claim's content a passage must cover to count as stating it, with no detail missing or different."""
DENIES_FROM = 0.7
"""Share of the claim's content that the clause with the different detail must cover: below, it speaks of something else."""

FUSED_FROM = 50
"""So many of the best by words and by vectors each take part in the fused order."""
RRF = 60.0
"""Rank constant of reciprocal rank fusion (Cormack, Clarke & Buettcher 2009)."""

Vectors = NDArray[np.float32]
Embed = Callable[[Sequence[str]], Vectors | None]
"""Unit vectors of texts, one row each; None where there are none just now."""

Read = Callable[[], tuple[Iterable[Passage], str]]
"""Reads passages, and says which part of everything that could have been retrieved they are, in words; "" = all of it."""


_PRONOUNS = word_set("it they he she this that these those both its their his her es er sie dies il elle ils elles ce cela ello ella ellos ellas")


class Said(msgspec.Struct, frozen=True, kw_only=True):
    """What a passage says of a claim."""

    verdict: Verdict
    clashes: tuple[Clash, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    by: str = "words"
    """Who says so: ``words``, ``facts``, ``figures`` (another value of the same attribute) or the name of a judge."""


Decide = Callable[[Claim, Sequence[Passage]], Sequence[Said]]
"""What each of the passages says of a claim."""


class Ranked(msgspec.Struct, frozen=True):
    """A passage and its place in a search, from 1."""

    rank: int
    passage: Passage


class Corpus:
    """Distinct passages, searchable by words, by vectors where there are any, and by annotated attribute."""

    def __init__(self, passages: Iterable[Passage] | Read, *, decide: Decide | None = None, embed: Embed | None = None, part: str = "") -> None:
        """
        Args:
            passages: Any passages; equal texts are kept once, the first wins. Or what reads them at the first look: many a trace needs none.
            decide: What a passage says of a claim; None = ``decide_by_words``.
            embed: Vectors for the search; None = words alone.
            part: Which part of everything that could have been retrieved these are, in words; "" = all of it. One who reads says so himself.
        """
        self.decide: Decide = decide or decide_by_words
        self._embed = embed
        self._matrix: Vectors | None = None
        self._lock = threading.Lock()
        self._read: Read | None = passages if callable(passages) else None
        self._held: tuple[PassageIndex, str] | None = None if callable(passages) else (PassageIndex(passages), part)

    @property
    def passages(self) -> tuple[Passage, ...]:
        """All of them, distinct."""
        return self._index.passages

    @property
    def n_held(self) -> int:
        """How many passages it holds in memory by now; reads none."""
        held = self._held
        return 0 if held is None else len(held[0].passages)

    @property
    def part(self) -> str:
        """Which part of everything that could have been retrieved these are, in words; "" = all of it."""
        return self._all[1]

    @property
    def _index(self) -> PassageIndex:
        return self._all[0]

    @property
    def _all(self) -> tuple[PassageIndex, str]:
        with self._lock:
            if self._held is None:
                assert self._read is not None
                passages, part = self._read()
                self._held, self._read = (PassageIndex(passages), part), None
            return self._held

    @classmethod
    def of(cls, traces: Iterable[Trace], extra: Iterable[Passage] = (), *, decide: Decide | None = None, embed: Embed | None = None, part: str = "") -> Corpus:
        """A corpus file's passages, and everything the traces retrieved."""
        return cls(itertools.chain(extra, (p for t in traces for p in t.passages or ())), decide=decide, embed=embed, part=part)

    def passages_titled(self, like: Iterable[Passage | None]) -> list[Passage]:
        """Passages with the title of one of these, spelled in any case."""
        titles = {title_key(p) for p in like if p is not None and p.title}
        return [self.passages[i] for title in titles for i in self._index.by_title.get(title, ())] if titles else []

    def newer_revisions(self, passage: Passage) -> list[Passage]:
        """Passages with its title and a later date, newest first; [] where it has no title or no date."""
        newest = self._index.latest.get(title_key(passage)) if passage.title else None
        # Most have none: then the others of its title, which may be many, are not looked at.
        return newer_revisions(passage, self.passages_titled([passage])) if newest is not None and newest > (dated(passage) or newest) else []

    def search(self, text: str, *, exclude: Collection[str] = (), limit: int = CANDIDATES) -> list[Passage]:
        """Passages that share most with a text, best first; ``exclude`` holds texts that are not wanted."""
        # Texts are distinct: so many more are enough, and the rest of a large corpus is not looked at.
        return [found.passage for found in self.ranked(text, limit=limit + len(exclude))[0] if found.passage.text not in exclude][:limit]

    def ranked(self, text: str, *, limit: int | None = None) -> tuple[list[Ranked], str]:
        """
        The passages the search finds with their ranks, best first, and how it searched: ``words`` or ``words and embeddings``.

        ``limit``: only so many; None = all that share a word.
        """
        order, how = self._order(text, first=limit)
        return [Ranked(rank, self.passages[i]) for rank, i in enumerate(order[:limit].tolist(), start=1)], how

    def places(self, text: str, passages: Iterable[Passage]) -> tuple[dict[str, int], str]:
        """The ranks of certain passages by their text, where the search finds them, and how it searched."""
        order, how = self._order(text)
        number = self._index.number
        wanted = [number[passage.text] for passage in passages if passage.text in number]
        at = np.flatnonzero(np.isin(order, wanted))
        return {self.passages[i].text: int(place) + 1 for place, i in zip(at, order[at].tolist(), strict=True)}, how

    def _order(self, text: str, *, first: int | None = None) -> tuple[NDArray[np.intp], str]:
        """Numbers of the passages that share a word, best first, and how they were searched; ``first``: only so many are needed."""
        scores = self._index.weights(text)
        sharing = np.flatnonzero(scores)
        by_words = sharing[best(scores[sharing], None if first is None else max(first, FUSED_FROM))]
        near = self._near(text)
        if near is None:
            return by_words, "words"
        fused: dict[int, float] = {}
        for one in (by_words[:FUSED_FROM].tolist(), near):
            for place, i in enumerate(one, start=1):
                fused[i] = fused.get(i, 0.0) + 1 / (RRF + place)
        ahead = np.array(sorted(fused, key=lambda i: (-fused[i], i)), dtype=np.intp)
        return np.concatenate([ahead, by_words[~np.isin(by_words, ahead)]]), "words and embeddings"

    def _near(self, text: str) -> list[int] | None:
        """The passages whose vectors are nearest to the text's, best first; None without vectors."""
        passages = self.passages
        if self._embed is None or not passages:
            return None
        vector = self._embed([text])
        if vector is None:
            return None
        with self._lock:
            if self._matrix is None:
                self._matrix = self._embed([p.text for p in passages])
            matrix = self._matrix
        if matrix is None:
            return None
        return [int(i) for i in np.argsort(-(matrix @ vector[0]), kind="stable")[:FUSED_FROM]]

    def about(self, fact: Fact, *, exclude: Collection[str] = (), near: str = "", limit: int | None = None) -> list[Passage]:
        """Passages annotated with the fact's attribute; of more than ``limit``, those that share most with the text ``near``."""
        number, found = self._index.number, self._index.annotated(fact.attribute)
        found = found[~np.isin(found, [number[said] for said in exclude if said in number])]
        if limit is not None and len(found) > limit:
            scores = self._index.weights(near)
            found = np.sort(found[best(scores[found], limit)])
        return [self.passages[i] for i in found.tolist()]


def decide_by_words(claim: Claim, passages: Sequence[Passage]) -> list[Said]:
    """Coverage of the words with the consistency checks. Cautious: in doubt NEUTRAL."""
    return [_by_words(claim, passage) for passage in passages]


def _by_words(claim: Claim, passage: Passage) -> Said:
    findings = check(claim.text, passage.text)
    if findings.clashes:
        same_thing = findings.alignment >= DENIES_FROM and names_its_subject(claim.text, passage.text)
        return Said(verdict=Verdict.CONTRADICTED, clashes=findings.clashes) if same_thing else Said(verdict=Verdict.NEUTRAL)
    whole = not findings.dropped and all(missing.kind is None for missing in findings.missing)
    return Said(verdict=Verdict.ENTAILED if whole and findings.coverage >= STATES_FROM else Verdict.NEUTRAL)


def stated_elsewhere(claim: Claim, passage: Passage) -> bool:
    """
    Whether a judge's word that a passage states a claim counts where the passage was found by a search and not by a retriever.

    The claim must say what it is about (a claim that begins with a pronoun does not), the passage must name it, and each detail must be given, not only follow:
    £1.50 for something else is within "at most £50". Annotated facts are compared as they are.
    """
    if claim.fact is not None and passage.facts:
        return True
    first = next((t.lower for t in tokens(claim.text)), "")
    return first not in _PRONOUNS and names_its_subject(claim.text, passage.text) and all(a.said for a in check(claim.text, passage.text).agreements)


def names_its_subject(claim: str, passage: str) -> bool:
    """True when the passage names what the claim is about. A judge that is shown many passages errs on some without it."""
    return subject_share(claim, passage) >= DENIES_FROM
