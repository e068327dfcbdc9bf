"""Pairs with a short answer read with their question, and findings on them led back to the texts as they are."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import msgspec

from ragviz.consistency import AMOUNTS
from ragviz.judges.local_alike import alike, boundless, named
from ragviz.judges.local_view import Look, look, view_claim, view_premise
from ragviz.records import Clash, Evidence, Pair, Span
from ragviz.text.lexical import stem_weight
from ragviz.text.short_answers import Completed, completed
from ragviz.text.tokens import content_tokens
from ragviz.text.verbs import FINITE, words_of

ANSWERED = 0.5
"""Share of the claim's own words, those the question does not have, that a supporting premise must have."""
ABOUT_IT = 0.5
"""Share of the question's words that must stand around a short answer for it to be the answer there too."""
_READ = "read with the question"
_BOUNDLESS = "read without “whatever …”"


class Reading(NamedTuple):
    """How a pair is read."""

    claim: Completed | None
    """None where the claim says by itself what it is about."""
    premise: Completed | None
    """The same of a reference or an answer; passages always stand for themselves."""
    asked: frozenset[str]
    """Content stems of the question."""
    note: str = _READ
    """How, for people."""


def read(pair: Pair) -> Reading | None:
    """What of the pair is completed by its question; None where both texts stand for themselves."""
    if not pair.question:
        claim = boundless(pair.hypothesis, pair.premise, None)
        return None if claim is None else Reading(claim, None, frozenset(), _BOUNDLESS)
    apart = not pair.key.table.against_passages
    claim = completed(pair.question, pair.hypothesis, apart=apart) if _begins_answer(pair) else None
    premise = completed(pair.question, pair.premise, apart=True) if apart else None
    claim = named(pair.question, pair.hypothesis, claim)
    if not pair.key.table.against_passages:
        premise = named(pair.question, pair.premise, premise)
        claim, premise = alike(pair, claim, premise)
    by_question = claim
    claim = boundless(pair.hypothesis, pair.premise, claim)
    if claim is None and premise is None:
        return None
    return Reading(claim, premise, frozenset(t.stem for t in content_tokens(pair.question)), _READ if claim is by_question else _BOUNDLESS)


def _begins_answer(pair: Pair) -> bool:
    """True unless the text the claim is from has said something before: "… It costs 5 EUR. Free for members." is no answer to the question."""
    at = pair.context.find(pair.hypothesis.strip())
    return not pair.context.strip() or (at >= 0 and not any(w in FINITE for _, _, w in words_of(pair.context[:at])))


def look_of(pair: Pair, reading: Reading | None) -> Look:
    """The pair as it is read."""
    claim, premise = (reading.claim, reading.premise) if reading else (None, None)
    return look(view_claim(claim.text if claim else pair.hypothesis), view_premise(premise.text if premise else pair.premise), pair.question)


def lacks_answer(seen: Look, reading: Reading) -> bool:
    """True where only words of the question are shared, and the answer itself is another one or missing."""
    if seen.together is not None and any(a.kind in AMOUNTS and _is_own(a.hypothesis_span.of(seen.claim.text), reading) for a in seen.together.agreements):
        return False
    own = [word for word in seen.claim.distinct if word.stem not in reading.asked]
    there = _stems(seen)
    total = sum(word.weight for word in own)
    return bool(total) and sum(word.weight for word in own if word.stem in there) < ANSWERED * total


def _is_own(words: str, reading: Reading) -> bool:
    return any(t.stem not in reading.asked for t in content_tokens(words))


def is_own(claim: Completed, place: Span) -> bool:
    """True for a place of the completed claim that the claim has itself; False for what only its question says."""
    return any(start < place.end and place.start < end for start, end, _ in claim.pieces)


def is_about_it(seen: Look, reading: Reading) -> bool:
    """True where enough of what the question gives stands around the evidence of a short claim, though not in the same words."""
    if reading.claim is None:
        return False
    units = seen.premise.indexed.units
    there = _stems(seen).union(*(units[i].stems for c in seen.chosen for i in (c.unit - 1, c.unit + 1) if 0 <= i < len(units)))
    total = sum(map(stem_weight, reading.claim.given))
    return sum(stem_weight(s) for s in reading.claim.given if s in there) >= ABOUT_IT * total


def _stems(seen: Look) -> frozenset[str]:
    units = seen.premise.indexed.units
    return frozenset().union(*(units[c.unit].stems for c in seen.chosen))


def led_back(said: Mapping[str, Any], pair: Pair, reading: Reading) -> dict[str, Any]:
    """The parts of a judgement with places in the texts as they are: what only the question says is shown as the short answer."""
    moved = dict(said)
    if reading.premise is not None:
        moved["evidence"] = _distinct(_evidence(e, pair.premise, reading.premise) for e in said.get("evidence", ()))
    moved["clashes"] = tuple(_clash(c, reading) for c in said.get("clashes", ()))
    moved["rationale"] = f"{said['rationale']}; {reading.note}"
    if said.get("alarm") is not None and reading.premise is not None:
        moved["alarm"] = said["alarm"] if said["alarm"] in pair.premise else pair.premise[reading.premise.anchor.start : reading.premise.anchor.end]
    return moved


def _evidence(found: Evidence, premise: str, completed_by: Completed) -> Evidence:
    span = completed_by.original(found.span)
    return msgspec.structs.replace(found, span=span, quote=span.of(premise))


def _distinct(found: Any) -> tuple[Evidence, ...]:
    by_span: dict[Span, Evidence] = {}
    for e in found:
        known = by_span.get(e.span)
        by_span[e.span] = e if known is None else msgspec.structs.replace(known, weight=round(known.weight + e.weight, 4))
    return tuple(by_span.values())


def _clash(clash: Clash, reading: Reading) -> Clash:
    ours, theirs = clash.hypothesis_span, clash.premise_span
    return msgspec.structs.replace(
        clash,
        hypothesis_span=reading.claim.original(ours) if reading.claim is not None and ours is not None else ours,
        premise_span=reading.premise.original(theirs) if reading.premise is not None and theirs is not None else theirs,
    )
