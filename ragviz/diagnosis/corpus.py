"""
Looking further than a trace retrieved: does any passage of the run, or of a corpus given with it, state or deny a claim?

Candidates come from word search (BM25 over stems) and, where the caller brings vectors, from their similarity too, the two orders fused by reciprocal
ranks. What a candidate says is decided by annotated facts where there are any, else by ``decide``: word coverage and the consistency checks, or a judge
that the caller brings.
"""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable, Collection, Iterable, Sequence

import msgspec
import numpy as np
from numpy.typing import NDArray

from ragviz.consistency import check
from ragviz.diagnosis.other_values import other_value
from ragviz.diagnosis.superseded import title_key
from ragviz.diagnosis.wording import subject_share
from ragviz.evidence.select import best_evidence
from ragviz.records import Claim, Clash, Evidence, Fact, Passage, Trace, Verdict
from ragviz.records.ids import text_hash
from ragviz.text.lexical import Bm25
from ragviz.text.tokens import content_stem_list

CANDIDATES = 8
"""Passages looked at per claim."""
ANNOTATED = 4 * CANDIDATES
"""The same where passages are annotated with the claim's attribute: thousands may be, in a run about thousands of things, and all but a few speak of another one."""
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


class Said(msgspec.Struct, frozen=True, kw_only=True):
    """What a passage says of a claim."""

    verdict: Verdict
    clashes: tuple[Clash, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    by: str = "words"
    """Who says so: ``words``, ``facts``, ``figures`` (another value of the same attribute) or the name of a judge."""


Decide = Callable[[Claim, Sequence[Passage]], Sequence[Said]]
"""What each of the passages says of a claim."""


class Found(msgspec.Struct, frozen=True, kw_only=True):
    """A passage outside the trace that settles a claim."""

    claim_id: str
    passage: Passage
    verdict: Verdict
    """ENTAILED: it states the claim. CONTRADICTED: it says otherwise."""
    evidence: tuple[Evidence, ...] = ()
    clashes: tuple[Clash, ...] = ()
    rank: int | None = None
    """Where the search for the claim puts it among all passages; None: found by its annotation alone."""
    found_by: str = "words"
    """``words``, ``words and embeddings`` or ``annotation``."""
    judged_by: str = "words"


class Ranked(msgspec.Struct, frozen=True):
    """A passage and its place in a search, from 1."""

    rank: int
    passage: Passage


class Corpus:
    """Distinct passages, searchable by words, by vectors where there are any, and by annotated attribute."""

    def __init__(self, passages: Iterable[Passage], *, decide: Decide | None = None, embed: Embed | None = None, part: str = "") -> None:
        """
        Args:
            passages: Any passages; equal texts are kept once, the first wins.
            decide: What a passage says of a claim; None = ``decide_by_words``.
            embed: Vectors for the search; None = words alone.
            part: Which part of everything that could have been retrieved these are, in words; "" = all of it.
        """
        self.part = part
        self.decide: Decide = decide or decide_by_words
        self._embed = embed
        self._matrix: Vectors | None = None
        self._lock = threading.Lock()
        self._by_title: dict[str, list[int]] | None = None
        distinct: dict[str, Passage] = {}
        for passage in passages:
            if passage.text.strip():
                distinct.setdefault(text_hash(passage.text), passage)
        self.passages: tuple[Passage, ...] = tuple(distinct.values())
        self._index = Bm25([content_stem_list(p.text) for p in self.passages])
        self._number = {passage.text: number for number, passage in enumerate(self.passages)}
        by_attribute: dict[str, list[int]] = {}
        for number, passage in enumerate(self.passages):
            for attribute in {fact.attribute for fact in passage.facts or ()}:
                by_attribute.setdefault(attribute, []).append(number)
        self._by_attribute = {attribute: np.array(numbers, dtype=np.intp) for attribute, numbers in by_attribute.items()}

    @classmethod
    def of(cls, traces: Iterable[Trace], extra: Iterable[Passage] = (), *, decide: Decide | None = None, embed: Embed | None = None, part: str = "") -> Corpus:
        """A corpus file's passages, and everything the traces retrieved."""
        return cls(itertools.chain(extra, (p for t in traces for p in t.passages or ())), decide=decide, embed=embed, part=part)

    def passages_titled(self, like: Iterable[Passage | None]) -> list[Passage]:
        """Passages with the title of one of these, spelled in any case."""
        with self._lock:
            if self._by_title is None:
                self._by_title = {}
                for number, passage in enumerate(self.passages):
                    if passage.title:
                        self._by_title.setdefault(title_key(passage), []).append(number)
            titles = {title_key(p) for p in like if p is not None and p.title}
            return [self.passages[i] for title in titles for i in self._by_title.get(title, ())]

    def search(self, text: str, *, exclude: Collection[str] = (), limit: int = CANDIDATES) -> list[Passage]:
        """Passages that share most with a text, best first; ``exclude`` holds texts that are not wanted."""
        # Texts are distinct: so many more are enough, and the rest of a large corpus is not looked at.
        return [found.passage for found in self.ranked(text, limit=limit + len(exclude))[0] if found.passage.text not in exclude][:limit]

    def ranked(self, text: str, *, limit: int | None = None) -> tuple[list[Ranked], str]:
        """
        The passages the search finds with their ranks, best first, and how it searched: ``words`` or ``words and embeddings``.

        ``limit``: only so many; None = all that share a word.
        """
        order, how = self._order(text)
        return [Ranked(rank, self.passages[i]) for rank, i in enumerate(order[:limit].tolist(), start=1)], how

    def places(self, text: str, passages: Iterable[Passage]) -> tuple[dict[str, int], str]:
        """The ranks of certain passages by their text, where the search finds them, and how it searched."""
        order, how = self._order(text)
        wanted = [self._number[passage.text] for passage in passages if passage.text in self._number]
        at = np.flatnonzero(np.isin(order, wanted))
        return {self.passages[i].text: int(place) + 1 for place, i in zip(at, order[at].tolist(), strict=True)}, how

    def _order(self, text: str) -> tuple[NDArray[np.intp], str]:
        scores = self._index.weights(content_stem_list(text))
        sharing = np.flatnonzero(scores)
        by_words = sharing[np.argsort(-scores[sharing], kind="stable")]
        near = self._near(text)
        if near is None:
            return by_words, "words"
        fused: dict[int, float] = {}
        for one in (by_words[:FUSED_FROM].tolist(), near):
            for place, i in enumerate(one, start=1):
                fused[i] = fused.get(i, 0.0) + 1 / (RRF + place)
        first = np.array(sorted(fused, key=lambda i: (-fused[i], i)), dtype=np.intp)
        return np.concatenate([first, by_words[~np.isin(by_words, first)]]), "words and embeddings"

    def _near(self, text: str) -> list[int] | None:
        """The passages whose vectors are nearest to the text's, best first; None without vectors."""
        if self._embed is None or not self.passages:
            return None
        vector = self._embed([text])
        if vector is None:
            return None
        with self._lock:
            if self._matrix is None:
                self._matrix = self._embed([p.text for p in self.passages])
            matrix = self._matrix
        if matrix is None:
            return None
        return [int(i) for i in np.argsort(-(matrix @ vector[0]), kind="stable")[:FUSED_FROM]]

    def about(self, fact: Fact, *, exclude: Collection[str] = (), near: str = "", limit: int | None = None) -> list[Passage]:
        """Passages annotated with the fact's attribute; of more than ``limit``, those that share most with the text ``near``."""
        found = self._by_attribute.get(fact.attribute, np.empty(0, dtype=np.intp))
        found = found[~np.isin(found, [self._number[said] for said in exclude if said in self._number])]
        if limit is not None and len(found) > limit:
            scores = self._index.weights(content_stem_list(near))
            found = np.sort(found[np.argsort(-scores[found], kind="stable")[:limit]])
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


def _by_fact(claim: Claim, passage: Passage) -> Said | None:
    """Facts against facts where both are annotated; None where they are not."""
    if claim.fact is None or passage.facts is None:
        return None
    values = [f.value for f in passage.facts if f.attribute == claim.fact.attribute]
    if claim.fact.value in values:
        return Said(verdict=Verdict.ENTAILED, by="facts")
    return Said(verdict=Verdict.CONTRADICTED if values else Verdict.NEUTRAL, by="facts")


def names_its_subject(claim: str, passage: str) -> bool:
    """True when the passage names what the claim is about. A judge that is shown many passages errs on some without it."""
    return subject_share(claim, passage) >= DENIES_FROM


def look_further(
    claims: Sequence[Claim], trace: Trace, corpus: Corpus, *, k: int | None = None, decide: Decide | None = None, limit: int = CANDIDATES,
    with_quotes: bool = True,
) -> list[Found]:
    """
    Passages outside the trace's first ``k`` that state or deny the claims, best match first within each claim.

    Args:
        claims: Claims that nothing retrieved settles, or that someone doubts.
        trace: Where they come from; what it retrieved within ``k`` is left out.
        corpus: Where to look.
        k: As for the evidence; None = all retrieved passages are left out.
        decide: What a passage says of a claim; None = as the corpus has it.
        limit: Candidates looked at per claim.
        with_quotes: False where nobody wants the sentence of most of them: ``quoted`` finds it afterwards.
    """
    seen = {p.text for p in trace.first_passages(k)}
    found = []
    for claim in claims:
        about = corpus.about(claim.fact, exclude=seen, near=claim.text, limit=ANNOTATED) if claim.fact is not None else []
        candidates: Sequence[tuple[int | None, Passage]]
        if about:
            places, how = corpus.places(claim.text, about)
            candidates = [(places.get(passage.text), passage) for passage in about]
        else:
            ranked, how = corpus.ranked(claim.text, limit=limit + len(seen))
            candidates = [(r.rank, r.passage) for r in ranked if r.passage.text not in seen][:limit]
        said = _told(claim, [passage for _, passage in candidates], decide or corpus.decide)
        for (rank, passage), one in zip(candidates, said, strict=True):
            if one.verdict in (Verdict.ENTAILED, Verdict.CONTRADICTED):
                hit = Found(claim_id=claim.id, passage=passage, verdict=one.verdict, evidence=one.evidence, clashes=one.clashes, rank=rank,
                            found_by="annotation" if about else how, judged_by=one.by)
                found.append(quoted(hit, claim) if with_quotes else hit)
    return found


def quoted(found: Found, claim: Claim) -> Found:
    """The same with the sentence that says it, where who decided gave none."""
    return found if found.evidence else msgspec.structs.replace(found, evidence=tuple(best_evidence(claim.text, found.passage.text, max_spans=1)))


def _told(claim: Claim, passages: Sequence[Passage], decide: Decide) -> list[Said]:
    """What each passage says, annotations first; the others are asked about together."""
    told = [_by_fact(claim, passage) for passage in passages]
    open_ = [passage for passage, known in zip(passages, told, strict=True) if known is None]
    rest = iter(decide(claim, open_) if open_ else ())
    decided = [known if known is not None else next(rest) for known in told]
    return [_or_other_value(claim, passage, one) for passage, one in zip(passages, decided, strict=True)]


def _or_other_value(claim: Claim, passage: Passage, said: Said) -> Said:
    """Where nothing else is decided: another value of the same attribute denies the claim."""
    found = other_value(claim.text, passage.text) if said.verdict is Verdict.NEUTRAL and said.by != "facts" else None
    return said if found is None else Said(verdict=Verdict.CONTRADICTED, clashes=(found[0],), evidence=(found[1],), by="figures")
