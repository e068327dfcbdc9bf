"""
Looking further than a trace retrieved: does any passage of the corpus state or deny a claim?

What a candidate says is decided by annotated facts where there are any, else by ``decide``: word coverage and the consistency checks, or a judge that the
caller brings.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from ragviz.diagnosis.corpus import CANDIDATES, Corpus, Decide, Said
from ragviz.diagnosis.other_values import other_value
from ragviz.evidence.select import best_evidence
from ragviz.records import Claim, Clash, Evidence, Passage, Trace, Verdict

ANNOTATED = 4 * CANDIDATES
"""
The same where passages are annotated with the claim's attribute: thousands may be, in a run about thousands of things, and all but a few speak of
another one.
"""


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


def look_further(
    claims: Sequence[Claim], trace: Trace, corpus: Corpus, *, k: int | None = None, decide: Decide | None = None, limit: int = CANDIDATES,
    in_full: bool = True,
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
        in_full: False where nobody wants sentence and rank of most of them: ``quoted`` finds the sentence afterwards, and the rank of what its annotation
            found stays None.
    """
    seen = {p.text for p in trace.first_passages(k)}
    found = []
    for claim in claims:
        about = corpus.about(claim.fact, exclude=seen, near=claim.text, limit=ANNOTATED) if claim.fact is not None else []
        candidates: Sequence[tuple[int | None, Passage]]
        if about:
            places, how = corpus.places(claim.text, about) if in_full else ({}, "")
            candidates = [(places.get(passage.text), passage) for passage in about]
        else:
            ranked, how = corpus.ranked(claim.text, limit=limit + len(seen))
            candidates = [(r.rank, r.passage) for r in ranked if r.passage.text not in seen][:limit]
        said = _told(claim, [passage for _, passage in candidates], decide or corpus.decide)
        for (rank, passage), one in zip(candidates, said, strict=True):
            if one.verdict in (Verdict.ENTAILED, Verdict.CONTRADICTED):
                hit = Found(claim_id=claim.id, passage=passage, verdict=one.verdict, evidence=one.evidence, clashes=one.clashes, rank=rank,
                            found_by="annotation" if about else how, judged_by=one.by)
                found.append(quoted(hit, claim) if in_full else hit)
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


def _by_fact(claim: Claim, passage: Passage) -> Said | None:
    """Facts against facts where both are annotated; None where they are not."""
    if claim.fact is None or passage.facts is None:
        return None
    values = [f.value for f in passage.facts if f.attribute == claim.fact.attribute]
    if claim.fact.value in values:
        return Said(verdict=Verdict.ENTAILED, by="facts")
    return Said(verdict=Verdict.CONTRADICTED if values else Verdict.NEUTRAL, by="facts")
