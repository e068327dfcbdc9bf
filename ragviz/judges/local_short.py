"""A bare "yes", "no" or value as the expected answer: what it says of an answer to the same question, beside the words it has itself."""

from __future__ import annotations

import re
from typing import Any

from ragviz.consistency import AMOUNTS, Findings
from ragviz.judges.local_polarity import asks_yes_no, lead_of, says_no_more
from ragviz.judges.local_reading import Reading
from ragviz.judges.local_stated import names_another, parts_of, stated
from ragviz.judges.local_terms import agree_on_terms
from ragviz.judges.local_view import Look
from ragviz.records import Evidence, Pair, Span, Table, Verdict
from ragviz.text.polarity import negations
from ragviz.text.sentences import sentence_spans
from ragviz.text.tokens import content_tokens
from ragviz.text.verbs import FINITE, words_of

_LONGEST = 200
"""Characters of a short expected answer."""
_LONGEST_ANSWER = 4_000
_GERMAN = re.compile(r"\b(?:der|die|das|und|ist|ein|eine|nicht|mit|für|wie|wer|wann|wo|wird|muss|kann|ich)\b", re.IGNORECASE)
_PERIOD = re.compile(r"\b(?:per|each|every)\s+(?:calendar |tax |business |school )?(minute|hour|day|week|month|quarter|year)\b", re.IGNORECASE)
_SAYS = {True: "yes", False: "no"}
_SURE = 0.9


def by_question(pair: Pair, said: dict[str, Any], seen: Look, reading: Reading | None) -> dict[str, Any]:
    """
    What was said, or what follows from the question that answer and reference share.

    * "No, prices are identical for both" beside "No": the statement behind "no" is that of the question in other words, as far as it sets no terms of its own.
      It is given where both say no, and contradicted where the reference says yes.
    * "You have 120 days from the transaction" beside "120 days from the transaction": that the answer leaves out a word of the question ("to dispute")
    narrows nothing.
    * "Per month" does not give "per year".
    * "No, there is no charge as long as you can quote the reference" beside "No, if you give the reference": both say no under one condition.
    * "24 hours" beside "It works for one day": the answer need not repeat the question.
    """
    if pair.key.table.against_passages:
        return said
    if said["verdict"] is not Verdict.ENTAILED and agree_on_terms(pair):
        whole = Span(len(pair.premise) - len(pair.premise.lstrip()), len(pair.premise.rstrip()))
        return said | {
            "verdict": Verdict.ENTAILED, "confidence": _SURE, "evidence": (Evidence(span=whole, quote=whole.of(pair.premise)),), "clashes": (),
            "rationale": "both answer alike under the same condition; read with the question",
        }
    if pair.key.table is Table.RESPONSE_X_REFERENCE:
        if said["verdict"] is not Verdict.ENTAILED:
            said = _by_polarity(pair, _but_for_the_question(pair, said, seen, reading))
        said = _by_statement(pair, said)
    else:
        if reading is not None and reading.claim is not None and said["verdict"] is Verdict.NEUTRAL:
            said = _by_value(pair, said, seen, reading)
        said = _by_answer(pair, said)
    return _by_period(pair, said) if said["verdict"] is Verdict.ENTAILED else said


def _but_for_the_question(pair: Pair, said: dict[str, Any], seen: Look, reading: Reading | None) -> dict[str, Any]:
    found = seen.together
    if reading is None or reading.premise is None or found is None or said["verdict"] is not Verdict.NEUTRAL or found.clashes or not found.dropped:
        return said
    own = {token.stem for token in content_tokens(pair.hypothesis)} - reading.asked
    there = {token.stem for token in content_tokens(pair.premise)}
    left_out = {token.stem for clash in found.dropped for token in content_tokens(clash.premise_value)}
    if (
        not own
        or not left_out
        or not own <= there
        or not left_out <= reading.asked
        or left_out & there
        or negations(pair.hypothesis)
        or negations(pair.premise)
    ):
        return said
    return said | {
        "verdict": Verdict.ENTAILED,
        "confidence": _SURE,
        "clashes": (),
        "rationale": f"all {len(own)} words that the claim adds to the question stand in the evidence; read with the question",
    }


def _by_polarity(pair: Pair, said: dict[str, Any]) -> dict[str, Any]:
    expected = lead_of(pair.premise)
    if expected is None or not pair.question or len(pair.premise) > _LONGEST:
        return said
    at = pair.context.find(pair.hypothesis.strip())
    lead = lead_of(pair.context[:at]) if at > 0 else None
    ends = at
    if lead is None:
        # "Unfortunately not: it can't be combined" is one claim.
        lead = lead_of(pair.hypothesis)
        ends = lead.end if lead is not None else 0
    if lead is None or lead.end != ends or not asks_yes_no(pair.question):
        return said
    claim = pair.hypothesis if at > 0 and ends == at else pair.hypothesis[lead.end :]
    if not says_no_more(pair.question, claim, pair.context[:at] if at > 0 else pair.hypothesis[: lead.end], says_yes=lead.says_yes, tongue=_tongue(pair)):
        return said
    shown = (Evidence(span=Span(expected.start, expected.start + len(expected.word)), quote=expected.word),)
    if lead.says_yes is expected.says_yes:
        if said["verdict"] is Verdict.ENTAILED:
            return said
        # A clash with the question's own words is none where both say no to them.
        why = f"both say {_SAYS[lead.says_yes]} to the question; read with the question"
        return said | {"verdict": Verdict.ENTAILED, "confidence": _SURE, "evidence": shown, "clashes": (), "rationale": why}
    if said["verdict"] is Verdict.CONTRADICTED:
        return said
    why = f"the passage says {_SAYS[expected.says_yes]} to the question, the claim says {_SAYS[lead.says_yes]}; read with the question"
    return said | {"verdict": Verdict.CONTRADICTED, "confidence": _SURE, "evidence": shown, "clashes": (), "rationale": why}


def _by_statement(pair: Pair, said: dict[str, Any]) -> dict[str, Any]:
    """A claim that states a short expected answer is what was expected, whatever else it tells of the same thing; a value of another thing is not."""
    if len(pair.premise) > _LONGEST or not pair.question:
        return said
    if said["verdict"] is Verdict.ENTAILED:
        if not names_another(f"{pair.question} {pair.premise}", pair.hypothesis, tongue=_tongue(pair)):
            return said
        why = "the claim is about another thing than the question names; read with the question"
        return said | {"verdict": Verdict.NEUTRAL, "confidence": _SURE, "clashes": (), "rationale": why}
    if said["verdict"] not in {Verdict.NEUTRAL, Verdict.UNJUDGED}:
        return said
    at = pair.context.find(pair.hypothesis.strip())
    before = pair.context[: max(at, 0)]
    lead, expected = lead_of(before), lead_of(pair.premise)
    answers = lead is not None and expected is not None and at > 0 and lead.end == at and lead.says_yes is expected.says_yes
    if lead is not None and expected is not None and lead.says_yes is not expected.says_yes:
        return said
    is_first = at >= 0 and not any(word in FINITE for _, _, word in words_of(before))
    tongue = _tongue(pair)
    found = stated(pair.question, pair.premise, pair.hypothesis, tongue=tongue, is_first=is_first, answers=answers)
    if found is None:
        return said
    start = max(0, pair.premise.find(found.value))
    span = Span(start, start + len(found.value))
    return said | _found(Evidence(span=span, quote=span.of(pair.premise)), found.value)


def _by_answer(pair: Pair, said: dict[str, Any]) -> dict[str, Any]:
    """A short expected answer is given where a sentence of the answer states it, or where its parts are stated one by one."""
    if said["verdict"] is Verdict.ENTAILED or not pair.question or len(pair.hypothesis) > _LONGEST or len(pair.premise) > _LONGEST_ANSWER:
        return said
    ours, theirs = lead_of(pair.hypothesis), lead_of(pair.premise)
    is_bare = ours is not None and ours.end == len(pair.hypothesis)
    if said["verdict"] is Verdict.CONTRADICTED and not is_bare:
        return said
    if ours is not None and is_bare:
        if theirs is None or not asks_yes_no(pair.question):
            return said
        span = Span(theirs.start, theirs.start + len(theirs.word))
        shown = Evidence(span=span, quote=theirs.word)
        if ours.says_yes is theirs.says_yes:
            return said | _found(shown, _SAYS[ours.says_yes])
        why = f"the passage says {_SAYS[theirs.says_yes]} to the question, the claim says {_SAYS[ours.says_yes]}; read with the question"
        return said | {"verdict": Verdict.CONTRADICTED, "confidence": _SURE, "evidence": (shown,), "clashes": (), "rationale": why}
    expected = lead_of(pair.context)
    if expected is not None and theirs is not None and expected.says_yes is not theirs.says_yes:
        return said
    answers = expected is not None and theirs is not None
    tongue, places = _tongue(pair), sentence_spans(pair.premise)
    for parts in ([pair.hypothesis], parts_of(pair.hypothesis)):
        shown_at: list[Span] = []
        for part in parts:
            place = next(
                (
                    p
                    for n, p in enumerate(places)
                    if stated(pair.question, part, p.of(pair.premise), tongue=tongue, is_first=n == 0, answers=answers and n == 0, whole=True)
                ),
                None,
            )
            if place is None:
                break
            shown_at.append(place)
        else:
            if shown_at:
                first = _found(Evidence(span=shown_at[0], quote=shown_at[0].of(pair.premise)), pair.hypothesis.strip())
                return said | first | {"evidence": tuple(Evidence(span=p, quote=p.of(pair.premise)) for p in dict.fromkeys(shown_at))}
    return said


def _found(shown: Evidence, value: str) -> dict[str, Any]:
    return {
        "verdict": Verdict.ENTAILED,
        "confidence": _SURE,
        "evidence": (shown,),
        "clashes": (),
        "rationale": f"both answer the question with {value}; read with the question",
    }


def _tongue(pair: Pair) -> str:
    """"german", where every noun has a capital; "" else."""
    return "german" if len(_GERMAN.findall(f"{pair.question} {pair.hypothesis}")) > 1 else ""


def _by_period(pair: Pair, said: dict[str, Any]) -> dict[str, Any]:
    """10 % per month is not what was expected where that is 10 % per year."""
    ours, theirs = ({m[1].lower() for m in _PERIOD.finditer(text)} for text in (pair.hypothesis, pair.premise))
    if not ours or not theirs or ours & theirs:
        return said
    why = f"the passage says per {min(theirs)}, the claim says per {min(ours)}"
    return said | {"verdict": Verdict.NEUTRAL, "confidence": _SURE, "clashes": (), "rationale": why}


def _by_value(pair: Pair, said: dict[str, Any], seen: Look, reading: Reading) -> dict[str, Any]:
    for unit, found in seen.findings:
        span = seen.premise.indexed.units[unit].span
        words = {token.stem for token in content_tokens(span.of(seen.premise.indexed.text))}
        if (
            words & reading.asked
            and _gives_all(pair, found, reading)
            and not found.clashes
            and not names_another(pair.question, span.of(seen.premise.indexed.text))
        ):
            place = span if reading.premise is None else reading.premise.original(span)
            shown = Evidence(span=place, quote=place.of(pair.premise))
            value = next(a.value for a in found.agreements if a.kind in AMOUNTS and not _is_given(a.hypothesis_span, reading))
            return said | {
                "verdict": Verdict.ENTAILED,
                "confidence": _SURE,
                "evidence": (shown,),
                "clashes": (),
                "rationale": f"both answer the question with {value}; read with the question",
            }
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
