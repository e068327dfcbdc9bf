"""
The root cause of a trace, by ordered rules. The first that fits is the answer, and each brings its evidence.

1. ``none``: good, or rightly declined: there is nothing to explain.
2. ``judge_undecided``: claims could not be judged, and what was judged shows no fault.
3. ``source_wrong``: a claim that a passage supports is denied by the reference, by another passage, or by a newer or more authoritative one, or its source
   is no longer in force: by its own words, or because a newer revision does not say it. That the reference is silent shows nothing about a source, nor does
   a denial that the judge's other verdicts or a person speak against.
4. ``ranked_below_k``: what was needed was retrieved, but only after the first k passages.
5. ``retrieval_missed``: a claim of the reference is in no passage, or a labelled passage was not retrieved, and the answer suffered from it.
   With a corpus to look in, the detail says whether it was there to be found.
6. ``generator_ignored``: what was needed was among the passages, and the answer does not say it.
7. ``generator_added``: the answer says what no passage supports.
8. ``unknown``: none of these can be shown from what the file holds.

Where the answer is right on the whole the fault lies elsewhere first: an extra claim is the generator's before it is the source's, and a lucky guess
is the retriever's.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum

import msgspec

from ragviz.diagnosis.against_reference import doubt
from ragviz.diagnosis.conflicts import better_sources, source_faults
from ragviz.diagnosis.corpus import Corpus
from ragviz.diagnosis.quadrants import Quadrant, Thresholds, quadrant, why_unknown
from ragviz.diagnosis.showing import elsewhere, retrieved, shown_name, stating
from ragviz.grounding import ClaimGrounding, groundings
from ragviz.metrics.ranked import ranking_of
from ragviz.records import CauseEvidence, Grounding, JudgedTrace, Score, Side, Table, Verdict

ANSWERED, CORRECT = Table.RESPONSE_X_PASSAGES, Table.RESPONSE_X_REFERENCE
NEEDED, SAID = Table.REFERENCE_X_PASSAGES, Table.REFERENCE_X_RESPONSE


ORDER = {Quadrant.LUCKY_GUESS: ("retrieval", "source", "added", "ignored"), Quadrant.EXTRA_CLAIM: ("added", "source", "retrieval", "ignored")}
"""Where another order than source, retrieval, ignored, added holds."""


class CauseName(StrEnum):
    """Names of root causes."""

    NONE = "none"
    JUDGE_UNDECIDED = "judge_undecided"
    SOURCE_WRONG = "source_wrong"
    RANKED_BELOW_K = "ranked_below_k"
    RETRIEVAL_MISSED = "retrieval_missed"
    GENERATOR_IGNORED = "generator_ignored"
    GENERATOR_ADDED = "generator_added"
    UNKNOWN = "unknown"


class Cause(msgspec.Struct, frozen=True, kw_only=True):
    """Why a trace failed, and what shows it."""

    name: str
    detail: str
    """One sentence for people."""
    passage_ids: tuple[str, ...] = ()
    """Passages (or labelled documents) the rule rests on."""
    claim_ids: tuple[str, ...] = ()
    evidence: tuple[CauseEvidence, ...] = ()
    """Where passages state or deny these claims, retrieved or not; () where the cause is that none does."""


def root_cause(
    case: JudgedTrace, scores: Mapping[str, Score], thresholds: Thresholds | None = None, *, corpus: Corpus | None = None
) -> Cause:
    """
    The root cause of one trace.

    Args:
        case: The trace, seen through a judge.
        scores: Its scores.
        thresholds: For the quadrant.
        corpus: Everything that could have been retrieved: finds what was missed, and better sources that deny what was used.
    """
    where = quadrant(case, scores, thresholds)
    cause = _cause(case, where, scores, corpus)
    if where is Quadrant.WRONG_MIRROR and cause.name not in (CauseName.SOURCE_WRONG, CauseName.JUDGE_UNDECIDED):
        # Half of the claims supported counts as faithful: the word of the cell is then harsher on the sources than anything that was seen.
        figures = f"faithfulness {scores['faithfulness'].value:.2f}, correctness {scores['correctness'].value:.2f}"
        why = doubt(case, groundings(case, ANSWERED))
        parts = [cause.detail, *([why] if why else []), f"a wrong mirror by its figures alone ({figures}): no source was shown to be wrong"]
        return msgspec.structs.replace(cause, detail="; ".join(parts))
    return cause


def _cause(case: JudgedTrace, where: Quadrant, scores: Mapping[str, Score], corpus: Corpus | None) -> Cause:
    if where is Quadrant.GOOD:
        return Cause(name=CauseName.NONE, detail="right, and every claim is supported")
    if where is Quadrant.ABSTAINED and case.trace.answerable is False:
        return Cause(name=CauseName.NONE, detail="rightly declined: the question cannot be answered from the sources")
    answer = groundings(case, ANSWERED)
    needed = groundings(case, NEEDED)
    undecided = _undecided(case, answer, needed)
    if undecided is not None:
        return undecided
    rules: dict[str, Callable[[], Cause | None]] = {
        "source": lambda: _source_wrong(case, answer, corpus),
        "retrieval": lambda: _not_found(case, where, needed, corpus),
        "ignored": lambda: _ignored(case, where, needed),
        "added": lambda: _added(case, answer, corpus),
    }
    for name in ORDER.get(where, tuple(rules)):
        cause = rules[name]()
        if cause is not None:
            return cause
    return _leftover(case, where, scores)


def _undecided(case: JudgedTrace, answer: Mapping[str, ClaimGrounding], needed: Mapping[str, ClaimGrounding]) -> Cause | None:
    open_ids = [c for c, g in answer.items() if g.grounding is Grounding.UNJUDGED]
    fault = any(not g.grounding.is_supported and g.grounding is not Grounding.UNJUDGED for g in (*answer.values(), *needed.values()))
    if not open_ids or fault:
        return None
    why = "" if case.trace.passages else "no passages to judge against: "
    return Cause(name=CauseName.JUDGE_UNDECIDED, detail=f"{why}{_count(open_ids, 'claim')} of the answer could not be judged", claim_ids=tuple(open_ids))


def _source_wrong(case: JudgedTrace, answer: Mapping[str, ClaimGrounding], corpus: Corpus | None) -> Cause | None:
    faults = source_faults(case, answer, corpus=corpus) or (better_sources(case, corpus, answer) if corpus is not None else [])
    if not faults:
        return None
    claims = tuple(dict.fromkeys(f.claim_id for f in faults))
    passages = tuple(dict.fromkeys(p for f in faults for p in f.passage_ids))
    shown = (*retrieved(case, ANSWERED, claims, within=passages), *(f.shown for f in faults if f.shown is not None))
    return Cause(name=CauseName.SOURCE_WRONG, detail=faults[0].detail, passage_ids=passages, claim_ids=claims, evidence=shown)


def _not_found(case: JudgedTrace, where: Quadrant, needed: Mapping[str, ClaimGrounding], corpus: Corpus | None) -> Cause | None:
    """Rules 4 and 5: what was needed is not among the passages that count."""
    lacking = [c for c, g in needed.items() if g.grounding in (Grounding.NOT_SUPPORTED, Grounding.CONTRADICTED)]
    lacking = [c for c in lacking if where in (Quadrant.LUCKY_GUESS, Quadrant.ABSTAINED) or not _said(case, c)]
    ranking = ranking_of(case.trace)
    cutoff = case.k if case.k is not None else len(case.trace.passages or ())
    later = tuple(s.passage_id for s in ranking.slots[cutoff:] if s.relevant) if ranking else ()
    found_in_time = ranking is not None and any(s.relevant for s in ranking.slots[:cutoff])
    if not lacking and (needed or found_in_time or ranking is None or not ranking.n_relevant or where is Quadrant.EXTRA_CLAIM):
        return None
    later = tuple(dict.fromkeys((*_states_later(case, lacking), *later)))
    if later:
        ranks = ", ".join(str(p.rank) for p in case.trace.passages or () if p.id in later)
        detail = f"what was needed came at rank {ranks}, after the first {cutoff}"
        return Cause(name=CauseName.RANKED_BELOW_K, detail=detail, passage_ids=later, claim_ids=tuple(lacking), evidence=stating(case, NEEDED, lacking, later))
    missed = ranking.missed if ranking else ()
    parts = []
    if lacking:
        parts.append(f"no retrieved passage states {_count(lacking, 'expected claim')}")
    if missed:
        parts.append(f"{_count(missed, 'relevant document')} not retrieved: {', '.join(missed[:3])}")
    if not parts:
        return None
    there: tuple[CauseEvidence, ...] = ()
    if corpus is not None and lacking:
        there = elsewhere(case, lacking, corpus, Verdict.ENTAILED)
        named = list(dict.fromkeys(map(shown_name, there)))
        n_stated = len({e.claim_id for e in there})
        some = f" {n_stated} of them" if there and n_stated < len(lacking) else " it"
        parts.append(f"the corpus has{some}: {', '.join(named[:3])}" if there else _nowhere(corpus))
    passages = tuple(dict.fromkeys((*missed, *(e.passage_id for e in there))))
    return Cause(name=CauseName.RETRIEVAL_MISSED, detail="; ".join(parts), passage_ids=passages, claim_ids=tuple(lacking), evidence=there)


def _nowhere(corpus: Corpus) -> str:
    return f"{corpus.part} were searched, and none states it" if corpus.part else "no other passage of the corpus states it"


def _states_later(case: JudgedTrace, claim_ids: Sequence[str]) -> tuple[str, ...]:
    """Passages after the first k that state one of the lacking claims, where they were judged."""
    inside = {p.id for p in case.trace.first_passages(case.k)}
    known = {p.id for p in case.trace.passages or ()} - inside
    return tuple(
        j.key.premise_id
        for j in case.judgements
        if j.key.table is NEEDED and j.key.claim_id in claim_ids and j.key.premise_id in known and j.verdict is Verdict.ENTAILED
    )


def _said(case: JudgedTrace, claim_id: str) -> bool:
    found = groundings(case, SAID).get(claim_id)
    return found is not None and found.grounding.is_supported


def _ignored(case: JudgedTrace, where: Quadrant, needed: Mapping[str, ClaimGrounding]) -> Cause | None:
    there = [c for c, g in needed.items() if g.grounding.is_supported and not _said(case, c)]
    said = groundings(case, SAID)
    unsaid = [c for c in there if where is Quadrant.ABSTAINED or (c in said and said[c].grounding is not Grounding.UNJUDGED)]
    if unsaid:
        passages = tuple(dict.fromkeys(j.key.premise_id for c in unsaid for j in needed[c].supporting))
        verb = "declines although" if where is Quadrant.ABSTAINED else "does not say"
        what = f"{_count(unsaid, 'expected claim')} {'stand' if len(unsaid) > 1 else 'stands'} in the passages" if where is Quadrant.ABSTAINED else (
            f"{_count(unsaid, 'expected claim')} that the passages state")
        return Cause(name=CauseName.GENERATOR_IGNORED, detail=f"the answer {verb} {what}", passage_ids=passages, claim_ids=tuple(unsaid),
                     evidence=retrieved(case, NEEDED, unsaid))
    if where is Quadrant.OFF_TOPIC:
        ranking = ranking_of(case.trace)
        cutoff = case.k if case.k is not None else len(case.trace.passages or ())
        relevant = tuple(s.passage_id for s in ranking.slots[:cutoff] if s.relevant) if ranking else ()
        if relevant:
            detail = f"the answer is about something else, although {_count(relevant, 'relevant passage')} was retrieved"
            return Cause(name=CauseName.GENERATOR_IGNORED, detail=detail, passage_ids=relevant)
    return None


def _added(case: JudgedTrace, answer: Mapping[str, ClaimGrounding], corpus: Corpus | None) -> Cause | None:
    added = [c for c, g in answer.items() if g.grounding in (Grounding.NOT_SUPPORTED, Grounding.CONTRADICTED)]
    if not added:
        return None
    denied = [c for c in added if answer[c].grounding is Grounding.CONTRADICTED]
    passages = tuple(dict.fromkeys(j.key.premise_id for c in denied for j in answer[c].contradicting))
    detail = f"the answer adds {_count(added, 'claim')} that no passage supports"
    if denied:
        detail += f"{', ' + str(len(denied)) + ' of them' if len(denied) < len(added) else ',' if len(added) == 1 else ', all of them'} against what a passage says"
    silent = [c for c in added if c not in denied]
    there = elsewhere(case, silent, corpus) if corpus is not None and silent else ()
    if there:
        states = any(e.verdict is Verdict.ENTAILED for e in there)
        detail += f"; in the corpus, not retrieved: {shown_name(there[0])} {'states one' if states else 'says otherwise'}"
    return Cause(name=CauseName.GENERATOR_ADDED, detail=detail, passage_ids=passages, claim_ids=tuple(added),
                 evidence=(*retrieved(case, ANSWERED, denied), *there))


def _leftover(case: JudgedTrace, where: Quadrant, scores: Mapping[str, Score]) -> Cause:
    if where is Quadrant.ABSTAINED:
        known = case.trace.answerable is not None
        detail = "the answer declines although the question can be answered" if known else "whether declining was right is not in the file"
        return Cause(name=CauseName.UNKNOWN, detail=detail)
    if where is Quadrant.UNKNOWN:
        answer = groundings(case, ANSWERED)
        if answer and all(g.grounding is Grounding.SUPPORTED for g in answer.values()):
            return Cause(name=CauseName.NONE, detail=f"every claim is supported; {why_unknown(scores)}")
        return Cause(name=CauseName.UNKNOWN, detail=why_unknown(scores))
    extra = [c.id for c in case.claims if c.side is Side.RESPONSE]
    return Cause(name=CauseName.UNKNOWN, detail="the passages support the answer, and nothing shows why it is not what was expected", claim_ids=tuple(extra))


def _count(things: Sequence[str], noun: str) -> str:
    return f"{len(things)} {noun}{'s' if len(things) != 1 else ''}"
