"""Where the passages behind a root cause say what they say: those that were retrieved, and those that a search of the corpus finds."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from ragviz.diagnosis.corpus import Corpus, stated_elsewhere
from ragviz.diagnosis.looking_further import Found, look_further
from ragviz.diagnosis.wording import share_of_words
from ragviz.grounding import groundings
from ragviz.records import CauseEvidence, Evidence, JudgedTrace, Judgement, Table, Verdict
from ragviz.records.ids import is_made_up
from ragviz.records.naming import name_without_id

HUMAN = "human"
MOST_SHOWN = 4
"""Places kept for one cause: enough to see it, and results stay small."""
MOST_PER_CLAIM = 2
MOST_NAMED = 80


def retrieved(case: JudgedTrace, table: Table, claim_ids: Sequence[str], *, within: Collection[str] | None = None) -> tuple[CauseEvidence, ...]:
    """Where retrieved passages state or deny claims. ``within``: only these passages; None = all that settle one."""
    grounded = groundings(case, table)
    shown = []
    for claim_id in claim_ids:
        found = grounded.get(claim_id)
        if found is None or (found.by == HUMAN and found.grounding is not found.judged):
            continue  # a person said otherwise: what the judge read there shows nothing
        said = [place for j in (*found.supporting[:1], *found.contradicting[:1]) for place in _places(case, j)]
        shown += [e for e in said if within is None or e.passage_id in within][:MOST_PER_CLAIM]
    return tuple(shown[:MOST_SHOWN])


def stating(case: JudgedTrace, table: Table, claim_ids: Collection[str], passage_ids: Collection[str]) -> tuple[CauseEvidence, ...]:
    """Where certain passages state claims, also those after the cut-off."""
    said = [
        place for j in case.judgements
        if j.key.table is table and j.key.claim_id in claim_ids and j.key.premise_id in passage_ids and j.verdict is Verdict.ENTAILED
        for place in _places(case, j)
    ]
    return tuple(said[:MOST_SHOWN])


def elsewhere(case: JudgedTrace, claim_ids: Collection[str], corpus: Corpus, verdict: Verdict | None = None) -> tuple[CauseEvidence, ...]:
    """Where passages that were not retrieved state or deny claims, what states them first. ``verdict``: only passages that say so."""
    claims = [c for c in case.claims if c.id in claim_ids]
    by_id = {c.id: c for c in claims}
    found = [
        f for f in look_further(claims, case.trace, corpus, k=case.k)
        if (verdict is None or f.verdict is verdict) and (f.verdict is not Verdict.ENTAILED or stated_elsewhere(by_id[f.claim_id], f.passage))
    ]
    kept: list[Found] = []
    for one in sorted(found, key=lambda f: f.verdict is not Verdict.ENTAILED):
        if sum(k.claim_id == one.claim_id for k in kept) < MOST_PER_CLAIM:
            kept.append(one)
    return tuple(evidence_of(one) for one in kept[:MOST_SHOWN])


def evidence_of(found: Found) -> CauseEvidence:
    """The same as evidence of a cause."""
    place = found.evidence[0] if found.evidence else None
    return CauseEvidence(
        claim_id=found.claim_id,
        verdict=found.verdict,
        passage_id=found.passage.matching_id,
        retrieved=False,
        rank=found.rank,
        span=place.span if place else None,
        quote=place.quote if place else "",
        further=tuple(found.evidence[1:]),
        source=found.passage.source or "",
        title=found.passage.title or "",
        found_by=found.found_by,
        judged_by=found.judged_by,
    )


def called(case: JudgedTrace, passage_id: str) -> str:
    """What a sentence calls a passage: its id; where the file gave none, its rank and title, since a made-up id says nothing to anyone."""
    passage = case.trace.passage(passage_id) if is_made_up(passage_id) else None
    if passage is None:
        return passage_id if not is_made_up(passage_id) else "a passage without an id"
    name = cut(name_without_id(passage.rank, title=passage.title, source=passage.source))
    return f"#{passage.rank} {name}" if passage.title or passage.source else name


def shown_name(shown: CauseEvidence) -> str:
    """The same for a passage that was not retrieved."""
    return cut(shown.title or shown.source or "a passage without an id") if is_made_up(shown.passage_id) else shown.passage_id


def cut(name: str) -> str:
    """A title that fits into a sentence."""
    words = " ".join(name.split())
    return words if len(words) <= MOST_NAMED else words[: MOST_NAMED - 1] + "…"


def _places(case: JudgedTrace, judgement: Judgement) -> list[CauseEvidence]:
    """One of each passage with all its places; a joined verdict has some in each of its parts."""
    by_passage: dict[str, list[Evidence]] = {}
    for place in judgement.evidence:
        by_passage.setdefault(place.passage_id or judgement.key.premise_id, []).append(place)
    if len(by_passage) > 1:
        # Of a joined verdict the first sentence carries it; another passage is shown only where it names what the claim is about.
        claim = next((c.text for c in case.claims if c.id == judgement.key.claim_id), "")
        first = max(judgement.evidence, key=lambda e: e.weight).passage_id
        by_passage = {p: found for p, found in by_passage.items() if p == first or any(share_of_words(claim, e.quote) > 0 for e in found)}
    by_passage = by_passage or {judgement.key.premise_id: []}
    places = []
    for passage_id, found in sorted(by_passage.items()):
        passage = case.trace.passage(passage_id)
        if passage is not None:
            places.append(CauseEvidence(
                claim_id=judgement.key.claim_id, verdict=judgement.verdict, passage_id=passage_id, rank=passage.rank,
                span=found[0].span if found else None, quote=found[0].quote if found else "", further=tuple(found[1:]), judged_by=judgement.provenance.judge,
            ))
    return places
