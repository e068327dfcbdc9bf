"""A bare "yes", "no" or value as the expected answer: what it says of an answer to the same question, beside the words it has itself."""

from __future__ import annotations

import re
from typing import Any

from ragviz.consistency import AMOUNTS, Findings
from ragviz.judges.local_reading import Reading
from ragviz.judges.local_view import Look
from ragviz.records import Evidence, Pair, Span, Table, Verdict
from ragviz.text.polarity import negations
from ragviz.text.question_frames import frame_of
from ragviz.text.tokens import content_tokens, lower_words

_WORD = r"yes|yeah|yep|no|nope|ja|nein|oui|non|sí"
_BARE = re.compile(rf"[\s\"'“(*_]*({_WORD})(?:[\s.!,;:–—\-\"'”)*_]|\[\d+\])*", re.IGNORECASE)
_YES = frozenset({"yes", "yeah", "yep", "ja", "oui", "sí"})
_OWN_TERMS = re.compile(
    r"\b(?:if|unless|only|provided|as long as|so long as|when|whenever|until|except|but|from|after|before|between|about|within|because|since|while|although|though|however|sometimes|usually|most|some|with|without|during|on|at|by|via|through|in|into|inside|outside|"
    r"wenn|falls|sofern|nur|aber|außer|weil|si|sauf|mais|seulement|parce|salvo|pero|solo|sólo|porque)\b|[\d€$£%]",
    re.IGNORECASE,
)
"""A condition, an exception, a reason or a figure: what the answer adds to its yes or no, and a bare yes or no does not say."""
_NAME = re.compile(r"(?<=[\w,;] )[A-ZÀ-Þ]\w+")
_PERIOD = re.compile(r"\b(?:per|each|every)\s+(?:calendar |tax |business |school )?(minute|hour|day|week|month|quarter|year)\b", re.IGNORECASE)
_SAYS = {True: "yes", False: "no"}
_SURE = 0.9


def by_question(pair: Pair, said: dict[str, Any], seen: Look, reading: Reading | None) -> dict[str, Any]:
    """
    What was said, or what follows from the question that answer and reference share.

    * "No, prices are identical for both" beside "No": the statement behind "no" is that of the question in other words, as far as it sets no terms of its own.
      It is given where both say no, and contradicted where the reference says yes.
    * "You have 120 days from the transaction" beside "120 days from the transaction": that the answer leaves out a word of the question ("to dispute") narrows nothing.
    * "Per month" does not give "per year".
    * "24 hours" beside "It works for one day": the answer need not repeat the question.
    """
    if said["verdict"] is Verdict.ENTAILED and not pair.key.table.against_passages:
        return _by_period(pair, said)
    if pair.key.table is Table.RESPONSE_X_REFERENCE:
        return _by_polarity(pair, _but_for_the_question(pair, said, seen, reading))
    if pair.key.table is Table.REFERENCE_X_RESPONSE and reading is not None and reading.claim is not None and said["verdict"] is Verdict.NEUTRAL:
        return _by_value(pair, said, seen, reading)
    return said


def _but_for_the_question(pair: Pair, said: dict[str, Any], seen: Look, reading: Reading | None) -> dict[str, Any]:
    found = seen.together
    if reading is None or reading.premise is None or found is None or said["verdict"] is not Verdict.NEUTRAL or found.clashes or not found.dropped:
        return said
    own = {token.stem for token in content_tokens(pair.hypothesis)} - reading.asked
    there = {token.stem for token in content_tokens(pair.premise)}
    left_out = {token.stem for clash in found.dropped for token in content_tokens(clash.premise_value)}
    if not own or not left_out or not own <= there or not left_out <= reading.asked or left_out & there or negations(pair.hypothesis) or negations(pair.premise):
        return said
    return said | {"verdict": Verdict.ENTAILED, "confidence": _SURE, "clashes": (), "rationale": f"all {len(own)} words that the claim adds to the question stand in the evidence; read with the question"}


def _by_polarity(pair: Pair, said: dict[str, Any]) -> dict[str, Any]:
    expected = _BARE.fullmatch(pair.premise)
    if expected is None or not pair.question:
        return said
    at = pair.context.find(pair.hypothesis.strip())
    lead = _BARE.fullmatch(pair.context[:at]) if at > 0 else None
    frame = frame_of(pair.question) if lead is not None else None
    if lead is None or frame is None or not frame.is_yes_no or not _says_no_more(pair, lead[0]):
        return said
    ours, theirs = lead[1].lower() in _YES, expected[1].lower() in _YES
    shown = (Evidence(span=Span(*expected.span(1)), quote=expected[1]),)
    if ours is theirs:
        if said["verdict"] is Verdict.ENTAILED:
            return said
        # A clash with the question's own words is none where both say no to them.
        why = f"both say {_SAYS[ours]} to the question; read with the question"
        return said | {"verdict": Verdict.ENTAILED, "confidence": _SURE, "evidence": shown, "clashes": (), "rationale": why}
    if said["verdict"] is Verdict.CONTRADICTED:
        return said
    why = f"the passage says {_SAYS[theirs]} to the question, the claim says {_SAYS[ours]}; read with the question"
    return said | {"verdict": Verdict.CONTRADICTED, "confidence": _SURE, "evidence": shown, "clashes": (), "rationale": why}


def _by_period(pair: Pair, said: dict[str, Any]) -> dict[str, Any]:
    """10 % per month is not what was expected where that is 10 % per year."""
    ours, theirs = ({m[1].lower() for m in _PERIOD.finditer(text)} for text in (pair.hypothesis, pair.premise))
    if not ours or not theirs or ours & theirs:
        return said
    why = f"the passage says per {min(theirs)}, the claim says per {min(ours)}"
    return said | {"verdict": Verdict.NEUTRAL, "confidence": _SURE, "clashes": (), "rationale": why}


def _says_no_more(pair: Pair, lead: str) -> bool:
    """True for a statement about what was asked, without figures, names, conditions or reasons that the question lacks."""
    words = f" {' '.join(lower_words(pair.question))} "
    # Behind "No," a capital at the beginning is a name's; behind "No." every sentence has one.
    said = pair.hypothesis.strip() if re.search(r"[.!]", lead) else f", {pair.hypothesis.strip()}"
    for terms in (_OWN_TERMS, _NAME):
        if any(f" {m.group().lower()} " not in words for m in terms.finditer(said)):
            return False
    asked = {token.stem for token in content_tokens(pair.question)}
    return any(token.stem in asked for token in content_tokens(pair.hypothesis))


def _by_value(pair: Pair, said: dict[str, Any], seen: Look, reading: Reading) -> dict[str, Any]:
    for unit, found in seen.findings:
        span = seen.premise.indexed.units[unit].span
        words = {token.stem for token in content_tokens(span.of(seen.premise.indexed.text))}
        if words & reading.asked and _gives_all(pair, found, reading) and not found.clashes:
            place = span if reading.premise is None else reading.premise.original(span)
            shown = Evidence(span=place, quote=place.of(pair.premise))
            value = next(a.value for a in found.agreements if a.kind in AMOUNTS and not _is_given(a.hypothesis_span, reading))
            return said | {"verdict": Verdict.ENTAILED, "confidence": _SURE, "evidence": (shown,), "clashes": (), "rationale": f"both answer the question with {value}; read with the question"}
    return said


def _gives_all(pair: Pair, found: Findings, reading: Reading) -> bool:
    """True where the expected answer is nothing but amounts and times, and the premise gives all of them."""
    assert reading.claim is not None
    places = [reading.claim.original(a.hypothesis_span) for a in found.agreements if a.kind in AMOUNTS and a.said and not _is_given(a.hypothesis_span, reading)]
    if not places:
        return False
    own = [token for token in content_tokens(pair.hypothesis) if token.stem not in reading.asked]
    return bool(own) and all(any(place.start <= token.span.start and token.span.end <= place.end for place in places) for token in own)


def _is_given(span: Span, reading: Reading) -> bool:
    """True for a figure that only the question has."""
    assert reading.claim is not None
    return not any(start < span.end and span.start < end for start, end, _ in reading.claim.pieces)
