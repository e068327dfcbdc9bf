"""
Looking further than a trace retrieved: does any passage of the run, or of a corpus given with it, state or deny a claim?

Candidates come from word search (BM25 over stems); what they say is decided by annotated facts where there are any, else by word coverage and the
consistency checks. A caller with a better judge passes it as ``decide``.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence

import msgspec

from ragviz.consistency import check
from ragviz.evidence.select import best_evidence
from ragviz.records import Claim, Clash, Evidence, Fact, Passage, Trace, Verdict
from ragviz.records.ids import text_hash
from ragviz.text.lexical import Bm25, overlap
from ragviz.text.tokens import content_tokens

CANDIDATES = 8
"""Passages looked at per claim."""
STATES_FROM = 0.8
"""Share of the claim's content a passage must cover to count as stating it, with no detail missing or different."""
DENIES_FROM = 0.7
"""Share of the claim's content that the clause with the different detail must cover: below, it speaks of something else."""

Decide = Callable[[Claim, Passage], tuple[Verdict, tuple[Clash, ...]]]


class Found(msgspec.Struct, frozen=True, kw_only=True):
    """A passage outside the trace that settles a claim."""

    claim_id: str
    passage: Passage
    verdict: Verdict
    """ENTAILED: it states the claim. CONTRADICTED: it says otherwise."""
    evidence: tuple[Evidence, ...] = ()
    clashes: tuple[Clash, ...] = ()


class Corpus:
    """Distinct passages, searchable by words and by annotated attribute."""

    def __init__(self, passages: Iterable[Passage]) -> None:
        """
        Args:
            passages: Any passages; equal texts are kept once, the first wins.
        """
        distinct: dict[str, Passage] = {}
        for passage in passages:
            if passage.text.strip():
                distinct.setdefault(text_hash(passage.text), passage)
        self.passages: tuple[Passage, ...] = tuple(distinct.values())
        self._index = Bm25([[token.stem for token in content_tokens(p.text)] for p in self.passages])
        self._by_attribute: dict[str, list[int]] = {}
        for number, passage in enumerate(self.passages):
            for attribute in {fact.attribute for fact in passage.facts or ()}:
                self._by_attribute.setdefault(attribute, []).append(number)

    @classmethod
    def of(cls, traces: Iterable[Trace], extra: Iterable[Passage] = ()) -> Corpus:
        """Everything the traces retrieved, and a corpus file's passages."""
        return cls([p for t in traces for p in t.passages or ()] + list(extra))

    def search(self, text: str, *, exclude: Collection[str] = (), limit: int = CANDIDATES) -> list[Passage]:
        """Passages that share most with a text, best first; ``exclude`` holds texts that are not wanted."""
        scores = self._index.scores(token.stem for token in content_tokens(text))
        ranked = sorted((i for i, score in enumerate(scores) if score > 0), key=lambda i: -scores[i])
        return [self.passages[i] for i in ranked if self.passages[i].text not in exclude][:limit]

    def about(self, fact: Fact, *, exclude: Collection[str] = ()) -> list[Passage]:
        """Passages annotated with the fact's attribute."""
        return [self.passages[i] for i in self._by_attribute.get(fact.attribute, ()) if self.passages[i].text not in exclude]


def decide_by_words(claim: Claim, passage: Passage) -> tuple[Verdict, tuple[Clash, ...]]:
    """Facts against facts where both are annotated; else coverage of the words with the consistency checks. Cautious: in doubt NEUTRAL."""
    if claim.fact is not None and passage.facts is not None:
        values = [f.value for f in passage.facts if f.attribute == claim.fact.attribute]
        if claim.fact.value in values:
            return Verdict.ENTAILED, ()
        return (Verdict.CONTRADICTED, ()) if values else (Verdict.NEUTRAL, ())
    findings = check(claim.text, passage.text)
    if findings.clashes:
        same_thing = findings.alignment >= DENIES_FROM and _shares_topic(claim.text, passage.text)
        return (Verdict.CONTRADICTED, findings.clashes) if same_thing else (Verdict.NEUTRAL, ())
    whole = not findings.dropped and all(missing.kind is None for missing in findings.missing)
    return (Verdict.ENTAILED, ()) if whole and findings.coverage >= STATES_FROM else (Verdict.NEUTRAL, ())


def _shares_topic(claim: str, passage: str) -> bool:
    """True when the passage names what the claim is about: its words other than figures, weighted by rarity."""
    about = {token.stem for token in content_tokens(claim) if not any(c.isdigit() for c in token.text)}
    share = overlap(about, {token.stem for token in content_tokens(passage)})
    return share is not None and share >= DENIES_FROM


def look_further(
    claims: Sequence[Claim], trace: Trace, corpus: Corpus, *, k: int | None = None, decide: Decide = decide_by_words, limit: int = CANDIDATES
) -> list[Found]:
    """
    Passages outside the trace's first ``k`` that state or deny the claims, best match first within each claim.

    Args:
        claims: Claims that nothing retrieved settles, or that someone doubts.
        trace: Where they come from; what it retrieved within ``k`` is left out.
        corpus: Where to look.
        k: As for the evidence; None = all retrieved passages are left out.
        decide: What a passage says of a claim.
        limit: Candidates looked at per claim.
    """
    seen = {p.text for p in trace.first_passages(k)}
    found = []
    for claim in claims:
        annotated = corpus.about(claim.fact, exclude=seen) if claim.fact is not None else []
        for passage in annotated or corpus.search(claim.text, exclude=seen, limit=limit):
            verdict, clashes = decide(claim, passage)
            if verdict in (Verdict.ENTAILED, Verdict.CONTRADICTED):
                evidence = tuple(best_evidence(claim.text, passage.text, max_spans=1))
                found.append(Found(claim_id=claim.id, passage=passage, verdict=verdict, evidence=evidence, clashes=clashes))
    return found
