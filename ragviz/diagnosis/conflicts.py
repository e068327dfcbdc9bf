"""
Sources that are wrong or out of date: a supported claim that the reference, another passage, or a newer or more authoritative one denies, or that rests
on a passage which is no longer in force.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeVar

import msgspec

from ragviz.consistency import check
from ragviz.diagnosis.against_reference import on_one_word, shown_wrong
from ragviz.diagnosis.authority import authority_rank, dated
from ragviz.diagnosis.corpus import DENIES_FROM, Corpus
from ragviz.diagnosis.faults import SourceFault
from ragviz.diagnosis.faults import fault as a_fault
from ragviz.diagnosis.looking_further import look_further, quoted
from ragviz.diagnosis.other_values import is_of_one_attribute, other_value
from ragviz.diagnosis.showing import evidence_of
from ragviz.diagnosis.superseded import STATED_FROM, asks_of_the_past, is_about, newer_revisions, own_word, states
from ragviz.diagnosis.wording import share_of_words, subject_share
from ragviz.grounding import ClaimGrounding, groundings
from ragviz.metrics.passages import supporting_passages
from ragviz.records import Claim, Grounding, JudgedTrace, Judgement, Passage, Table, Verdict

T = TypeVar("T")
SETTLED = "settled"
"""The passages disagree, and the one that was used is the better one."""


def source_faults(case: JudgedTrace, answer: Mapping[str, ClaimGrounding] | None = None, *, corpus: Corpus | None = None) -> list[SourceFault]:
    """
    Faults of the sources behind the answer's supported claims, the most certain first.

    Args:
        case: The trace, seen through a judge.
        answer: Its groundings, where they are known already.
        corpus: Clears a source that is no longer in force of what a current passage still says.
    """
    found = answer if answer is not None else groundings(case, Table.RESPONSE_X_PASSAGES)
    right = groundings(case, Table.RESPONSE_X_REFERENCE)
    claims = {c.id: c for c in case.claims}
    faults = []
    for claim_id, grounding in found.items():
        if not grounding.grounding.is_supported:
            continue
        used = _used(case, grounding)
        beside = right.get(claim_id)
        correct = beside.grounding if beside else None
        wrong = shown_wrong(case, claims[claim_id], grounding, beside, used) if beside is not None else None
        if wrong is not None:
            alone = on_one_word(case, claims[claim_id], grounding, wrong)
            faults.append(a_fault(case, claim_id, "wrong", wrong, word=_word_of(grounding) if alone else ""))
        elif correct is Grounding.CONTRADICTED:
            fault = _out_of_force(case, claims[claim_id], _resting(case, claims[claim_id], used), corpus)
            faults += [fault] if fault is not None else []
        elif correct is None or not correct.is_supported:
            fault = _within(case, claims[claim_id], grounding, used, corpus)
            faults += [fault] if fault is not None else []
    order = {"wrong": 0, "outdated": 1, "less_authoritative": 1, "superseded": 2, "older_revision": 2, "contested": 3}
    return sorted(faults, key=lambda f: order[f.kind])


def _within(case: JudgedTrace, claim: Claim, grounding: ClaimGrounding, used: tuple[str, ...], corpus: Corpus | None) -> SourceFault | None:
    """What the other retrieved passages, and the used ones themselves, say against a claim that the reference does not confirm."""
    against = tuple(dict.fromkeys((*(j.key.premise_id for j in denials(case, claim, grounding)), *_other_values(case, claim, used))))
    rests = _resting(case, claim, used)
    if against:
        kind = _standing(case, rests, against)
        if kind != SETTLED and (kind != "contested" or grounding.grounding is Grounding.CONFLICTED):
            return a_fault(case, claim.id, kind, used, against)
    return _out_of_force(case, claim, rests, corpus) or _older_revision(case, claim, rests, case.trace.first_passages(case.k))


def denials(case: JudgedTrace, claim: Claim, grounding: ClaimGrounding) -> list[Judgement]:
    """
    The verdicts that contradict a claim which other passages support, without those whose clash is with something else.

    A detail that differs ("cannot be returned") denies a claim only where it is a value of the same attribute, and where the passage names what the claim
    is about, about as much as the passage that
    supports it does. A verdict without such a detail, or between annotated facts, is taken as the judge gave it.
    """
    if claim.fact is not None or not any(j.clashes for j in grounding.contradicting):
        return list(grounding.contradicting)
    texts = {p.id: p.text for p in case.trace.passages or ()}
    named = max((subject_share(claim.text, texts[p]) for p in supporting_passages(grounding) if p in texts), default=1.0)
    return [
        j for j in grounding.contradicting
        if not j.clashes or j.key.premise_id not in texts
        or (subject_share(claim.text, texts[j.key.premise_id]) >= DENIES_FROM * named
            and any(is_of_one_attribute(c, claim.text, texts[j.key.premise_id]) for c in j.clashes))
    ]


def _other_values(case: JudgedTrace, claim: Claim, used: tuple[str, ...]) -> list[str]:
    """Retrieved passages that give another value for what the claim gives a value of, whatever the judge said of them."""
    if claim.fact is not None:
        return []
    return [p.id for p in case.trace.first_passages(case.k) if p.id not in used and other_value(claim.text, p.text) is not None]


def _word_of(grounding: ClaimGrounding) -> str:
    """How sure the judge is of what it alone says."""
    sure = max((j.confidence for j in grounding.supporting if j.confidence is not None), default=None)
    return "the judge's word alone" + (f", {sure:.0%} sure" if sure is not None else "")


def _used(case: JudgedTrace, grounding: ClaimGrounding) -> tuple[str, ...]:
    return tuple(sorted(supporting_passages(grounding), key=lambda p: _rank(case, p)))


def _resting(case: JudgedTrace, claim: Claim, used: tuple[str, ...]) -> tuple[str, ...]:
    """The passages a claim was taken from: of several that support it, those that hold its words, where any does."""
    if claim.fact is not None or len(used) < 2:
        return used
    full = tuple(p for p in used if (passage := case.trace.passage(p)) is not None and share_of_words(claim.text, passage.text) >= STATED_FROM)
    return full or used


def _out_of_force(case: JudgedTrace, claim: Claim, rests: tuple[str, ...], corpus: Corpus | None) -> SourceFault | None:
    """A claim whose every source says of itself that it no longer holds, unless a current passage still says it."""
    passages = [p for p in map(case.trace.passage, rests) if p is not None]
    words = [own_word(p, asked_at=case.trace.started_at) for p in passages]
    if not words or None in words or asks_of_the_past(case.trace.question):
        return None
    current = (p for p in corpus.search(claim.text, exclude={p.text for p in passages}) if own_word(p) is None) if corpus is not None else ()
    if any(states(claim.text, p.text) for p in current):
        return None
    return a_fault(case, claim.id, "superseded", rests, word=words[0] or "")


def _older_revision(case: JudgedTrace, claim: Claim, rests: tuple[str, ...], among: Iterable[Passage], corpus: Corpus | None = None) -> SourceFault | None:
    """A claim whose every source has a newer revision that speaks of the same thing and does not say it."""
    passages = [p for p in map(case.trace.passage, rests) if p is not None]
    if claim.fact is not None or not passages or asks_of_the_past(case.trace.question):
        return None
    pool = list(among)
    newest = []
    for passage in passages:
        later = [p for p in newer_revisions(passage, pool) if is_about(claim.text, p.text)]
        if not later or any(_states(claim, p, corpus) for p in later):
            return None
        newest.append(later[0])
    return a_fault(case, claim.id, "older_revision", rests, tuple(dict.fromkeys(_name_in(case, p) for p in newest)))


def _states(claim: Claim, passage: Passage, corpus: Corpus | None) -> bool:
    """In one sentence: what a judge pieces together from several sentences of a newer text is often what changed."""
    if states(claim.text, passage.text):
        return True
    said = corpus.decide(claim, [passage])[0] if corpus is not None else None
    return said is not None and said.verdict is Verdict.ENTAILED and len(said.evidence) == 1


def _name_in(case: JudgedTrace, passage: Passage) -> str:
    """The id of a retrieved passage, else of the document."""
    return next((p.id for p in case.trace.passages or () if p.text == passage.text), passage.matching_id)


def better_sources(case: JudgedTrace, corpus: Corpus, answer: Mapping[str, ClaimGrounding] | None = None) -> list[SourceFault]:
    """
    Claims that a newer or more authoritative passage elsewhere in the corpus denies, or whose source has a newer revision that does not say it: wrong mirrors
    that need no reference to be seen.

    Claims the reference confirms are left alone, and so are claims whose sources say nothing of date or authority. A claim that only left out a condition of
    its source counts too: with the condition it would still be an old text's word.
    """
    found = answer if answer is not None else groundings(case, Table.RESPONSE_X_PASSAGES)
    right = groundings(case, Table.RESPONSE_X_REFERENCE)
    doubtful = [c for c in case.claims if c.id in found and not (c.id in right and right[c.id].grounding.is_supported)]
    held = {c.id: c for c in doubtful if found[c.id].grounding.is_supported}
    faults = []
    for hit in look_further(list(held.values()), case.trace, corpus, k=case.k, in_full=False):
        if hit.verdict is not Verdict.CONTRADICTED:
            continue
        used = _resting(case, held[hit.claim_id], _used(case, found[hit.claim_id]))
        kind = _compared([p for p in map(case.trace.passage, used) if p is not None], [hit.passage])
        if kind not in ("contested", SETTLED):
            denied = a_fault(case, hit.claim_id, kind, used, (hit.passage.matching_id,))
            faults.append(msgspec.structs.replace(denied, shown=evidence_of(quoted(hit, held[hit.claim_id]))))
    told = {f.claim_id for f in faults}
    # Few passages have a newer revision, and only these need to be read against the claims: there may be a thousand.
    replaced = [p for p in case.trace.first_passages(case.k) if corpus.newer_revisions(p)]
    for claim in doubtful if replaced else ():
        rests = _resting(case, claim, _used(case, found[claim.id])) if claim.id in held else _shortened(claim, found[claim.id], replaced)
        fault = _older_revision(case, claim, rests, corpus.passages_titled(case.trace.passage(p) for p in rests), corpus) if claim.id not in told else None
        faults += [fault] if fault is not None else []
    return faults


def _shortened(claim: Claim, grounding: ClaimGrounding, replaced: Sequence[Passage]) -> tuple[str, ...]:
    """
    Of the passages that were replaced the one that says what an unsupported claim says, under a condition which it left out; () where that is not
    its fault.
    """
    if grounding.grounding is not Grounding.NOT_SUPPORTED or not replaced:
        return ()
    nearest = max(replaced, key=lambda p: share_of_words(claim.text, p.text))
    if share_of_words(claim.text, nearest.text) < STATED_FROM or not check(claim.text, nearest.text).dropped:
        return ()
    return (nearest.id,)


def _standing(case: JudgedTrace, used: tuple[str, ...], against: tuple[str, ...]) -> str:
    """Whether the denying passages are newer or more authoritative than all that were used."""
    mine = [p for p in map(case.trace.passage, used) if p is not None]
    return _compared(mine, [p for p in map(case.trace.passage, against) if p is not None])


def _compared(mine: Sequence[Passage], other: Sequence[Passage]) -> str:
    """
    How the passages that were used stand against those that deny them: ``less_authoritative``, ``outdated``, ``contested``, or ``settled`` in their favour.

    Settled: they are more authoritative and not older, or of equal authority and newer. An archived page does not make the current one doubtful.
    """
    my_ranks, other_ranks = _known(map(authority_rank, mine)), _known(map(authority_rank, other))
    my_dates, other_dates = _known(map(dated, mine)), _known(map(dated, other))
    newer = bool(my_dates and other_dates) and max(my_dates) > max(other_dates)
    older = bool(my_dates and other_dates) and max(my_dates) < max(other_dates)
    if my_ranks and other_ranks and max(other_ranks) != max(my_ranks):
        # A forum post of yesterday is not above the official text: date decides only among equals.
        if max(other_ranks) > max(my_ranks):
            return "less_authoritative"
        return "contested" if older else SETTLED
    if older:
        return "outdated"
    return SETTLED if newer else "contested"


def _known(values: Iterable[T | None]) -> list[T]:
    return [v for v in values if v is not None]


def _rank(case: JudgedTrace, passage_id: str) -> int:
    passage = case.trace.passage(passage_id)
    return passage.rank if passage else 0
