"""How an answer, its reference and their claims are read beside each other and with the question: what one may leave unsaid without saying another thing."""

from __future__ import annotations

import re

from ragviz.records import Pair, Span, Table
from ragviz.text.short_answers import Completed
from ragviz.text.tokens import content_tokens

_BOUND = re.compile(
    r"\b(?:at least|at (?:the )?most|up to|no (?:more|less|fewer) than|not more than|a (?:minimum|maximum) of|as (?:much|many) as(?=\s+(?:\D?\d|(?:one|two|three|four|five|six|seven|eight|nine|ten|twelve)\b))|mindestens|höchstens|bis zu|au moins|au plus|jusqu['’]à|al menos|como máximo)\b(?=\s+\D?\w)",
    re.IGNORECASE,
)
_LISTS = re.compile(r"^\W*(?:(?:on|from|in|for|at|to|with|by) )?(?:who|whom|whose|which|what|where|when)\b", re.IGNORECASE)
"""A question whose answer is taken to name all there are."""
_ONLY = re.compile(r"(?:^|(?<=[.!?]))\s*(?:yes,? )?(only)\s+(\w+(?: \w+){0,3}? (?:can|may|must|are|is|have|has|need|needs|get|gets))\b", re.IGNORECASE)
_MORE = re.compile(r"\b(?:also|too|as well|so (?:can|may|do|are)|including|even|likewise)\b", re.IGNORECASE)
_PROVISO = re.compile(
    r",\s*(?:provided(?: that)?|as long as|so long as|on (?:the )?condition that|sofern|vorausgesetzt,?(?: dass)?|à condition (?:que|de)|siempre que)\s[^.;:!?\[\n]*",
    re.IGNORECASE,
)
_CONDITION = re.compile(r"\b(?:provided|as long as|so long as|condition|if|unless|only|sofern|wenn|nur|falls|si|siempre)\b", re.IGNORECASE)
_UNCHARGED = re.compile(
    r",?\s+(?:with no|without(?: an?y?)?|with zero|at no|free of)\s(?:(?!and\b|or\b|but\b)[\w'’-]+\s){0,3}?(?:charge|fee|cost|penalt|surcharge)\w*(?=\s*[.;!]?\s*(?:$|\[))",
    re.IGNORECASE,
)
_CHARGES = re.compile(r"\b(?:charge|fee|cost|penalt|surcharge|free|pay)\w*", re.IGNORECASE)
_EACH = r"(?=\s+(?:calendar |working |tax |business |school )?(?:day|week|month|quarter|year)\b)"
_SAME = (
    (re.compile(r"\bdaily\b", re.IGNORECASE), re.compile(r"\b(?:every|each) day\b", re.IGNORECASE), "every day"),
    (re.compile(rf"\b(?:each|every|in each|in every){_EACH}", re.IGNORECASE), re.compile(rf"\b(?:per|an?){_EACH}", re.IGNORECASE), "per"),
)
"""What one text and the other say of the same: where each has its own, the first is read as the last."""
_UNITS = {"min": "minute", "minute": "minute", "s": "second", "sec": "second", "second": "second", "h": "hour", "hr": "hour", "hour": "hour", "d": "day", "day": "day", "week": "week", "month": "month", "mo": "month", "year": "year", "yr": "year"}
_SLASHED = re.compile(rf"(?<![\w/.,])(\d[\d.,]*)\s?/\s?({'|'.join(sorted(_UNITS, key=len, reverse=True))})\b(?!/)", re.IGNORECASE)
_SPELLED = re.compile(r"(?<![\w.,])\d[\d.,]*\s+((?:[a-z]+\s+){1,3}?)(?:per|an?|each|every)\s+(minute|second|hour|day|week|month|year)\b", re.IGNORECASE)
_ONE = re.compile(
    r"\b(?:need|needs|get|gets|have|has|buy|order|borrow|use|take|bring|want|require|requires|request|rent|hire|apply for|ask for|pay for)\s+(one)\b(?!\s+(?:of|or|and|day|week|month|year|hour|minute|time|more|\w+ed\b))",
    re.IGNORECASE,
)
"""Verbs whose object "one" is a thing spoken of before, and not a number."""
_WHATEVER = re.compile(
    r"(?P<each>,?\s*\b(?:for|on|with|to|from) (?:every|all|any|each) [\w'’-]+(?: (?!whatever|regardless|no\b)[\w'’-]+)?)?"
    r"(?P<whatever>,?\s*\b(?:whatever (?:its|their|the|his|her|your)|regardless of|irrespective of|independent of|no matter (?:what|which|how|where|when|who))\b[^.,;:!?\[]*)",
    re.IGNORECASE,
)
"""How a claim says that a thing knows no exception."""
_SIGNS = ("whatever", "regardless", "irrespective", "independent", "no matter")
_EVERYWHERE = re.compile(r"\b(?:for (?:everyone|everybody|anyone|anybody|all)|always|in (?:all|any) cases?|without exceptions?|every time)\b", re.IGNORECASE)
_CLAUSES = re.compile(r"[,:;.!?\n]\s*")
_SOMETIMES = re.compile(r"\b(?:if|unless|except|as long as|provided|when|only|not|never|from|over|above|below|under)\b|n['’]t\b", re.IGNORECASE)
_THING = re.compile(
    r"\b(an? (?:[^\W\d_][\w'’-]*)(?: [^\W\d_][\w'’-]*){0,3}?)(?=\s*(?:[?.,;:!]|$)|\s+(?:while|when|if|after|before|for|from|in|on|at|with|to|without|during|as|by|and|or|that|which|is|are)\b)",
    re.IGNORECASE,
)


def alike(pair: Pair, claim: Completed | None, premise: Completed | None) -> tuple[Completed | None, Completed | None]:
    """
    An answer and its reference, as they are read beside each other; None for a text that is read as it stands.

    * "At least" or "up to", where only one of them says so and one is short: "14 characters" is short for "at least 14 characters".
    * "Only", where who or which was asked: an answer names all there are. Not where anything says "also".
    * What only the answer sets apart as a proviso (", provided that …") takes nothing from what was expected; the passages decide whether it is right.
    * "600/min" beside "600 requests per minute", "daily" beside "every day", "each year" beside "per year".
    * What only the answer says to be not charged ("with no early repayment charge") beside a short reference.

    White space takes the place of words that are left out, so every place stays where it is.
    """
    if claim is not None or premise is not None:
        claim, premise = _but_for(_BOUND, claim, premise, pair)
    ours, theirs = _text(claim, pair.hypothesis), _text(premise, pair.premise)
    # Looking for a few letters is ten times faster than for a pattern, and most texts have none.
    if ("nly " in ours or "nly " in theirs) and _LISTS.match(pair.question) is not None:
        if _names_all(ours, theirs):
            claim = _blank(_as_it_is(claim, pair.hypothesis), _ONLY, group=1)
        elif _names_all(theirs, ours):
            premise = _blank(_as_it_is(premise, pair.premise), _ONLY, group=1)
    if "," not in ours and "," not in theirs:
        pass
    elif pair.key.table is Table.REFERENCE_X_RESPONSE and _PROVISO.search(theirs) is not None and _CONDITION.search(ours) is None:
        premise = _blank(_as_it_is(premise, pair.premise), _PROVISO)
    elif pair.key.table is Table.RESPONSE_X_REFERENCE and _PROVISO.search(ours) is not None and _CONDITION.search(theirs) is None:
        claim = _blank(_as_it_is(claim, pair.hypothesis), _PROVISO)
    if premise is not None and pair.key.table is Table.RESPONSE_X_REFERENCE and _UNCHARGED.search(ours) is not None and _CHARGES.search(theirs) is None:
        claim = _blank(_as_it_is(claim, pair.hypothesis), _UNCHARGED)
    claim, premise = _rates(pair, claim, premise)
    for words in _SAME:
        claim, premise = _in_one_word(pair, claim, premise, words)
    return claim, premise


def named(question: str, text: str, reading: Completed | None) -> Completed | None:
    """The text with "one" said in the question's words: "You need one from the fourth day" of a doctor's note. ``reading`` where there is nothing to name."""
    if "one" not in text or _ONE.search(_text(reading, text)) is None:
        return reading
    things = _THING.findall(question)
    return reading if not things else _replaced(_as_it_is(reading, text), _ONE, str(things[-1]), group=1)


def boundless(text: str, premise: str, reading: Completed | None) -> Completed | None:
    """
    The claim without its "for every order, whatever its value" where a clause that says the rest and no more says "for everyone" or "always".

    What holds for everyone holds whatever an order is worth. Elsewhere "for every order, whatever its value" is read as "for every order", which says the
    same. ``reading`` where nothing of the kind is said.
    """
    whole = _text(reading, text)
    if not any(sign in text for sign in _SIGNS) or (said := _WHATEVER.search(whole)) is None or not whole[: said.start()].strip():
        return reading
    rest = {token.stem for token in content_tokens(f"{whole[: said.start()]} {whole[said.end() :]}")}
    for clause in _CLAUSES.split(premise) if rest and _EVERYWHERE.search(premise) is not None else ():
        there = {token.stem for token in content_tokens(_EVERYWHERE.sub(" ", clause))}
        # A word more, and it holds for everyone on Sundays.
        if there == rest and _EVERYWHERE.search(clause) is not None and _SOMETIMES.search(clause) is None:
            return _blank(_as_it_is(reading, text), _WHATEVER)
    return reading if said["each"] is None else _blank(_as_it_is(reading, text), _WHATEVER, group="whatever")


def _text(reading: Completed | None, text: str) -> str:
    return text if reading is None else reading.text


def _as_it_is(reading: Completed | None, text: str) -> Completed:
    return reading or Completed(text, ((0, len(text), 0),), Span(0, len(text)), frozenset())


def _but_for(words: re.Pattern[str], claim: Completed | None, premise: Completed | None, pair: Pair) -> tuple[Completed | None, Completed | None]:
    ours, theirs = words.search(_text(claim, pair.hypothesis)), words.search(_text(premise, pair.premise))
    if ours and not theirs:
        return _blank(_as_it_is(claim, pair.hypothesis), words), premise
    if theirs and not ours:
        return claim, _blank(_as_it_is(premise, pair.premise), words)
    return claim, premise


def _names_all(one: str, other: str) -> bool:
    """True where one says "Only owners can" and the other "Owners can", and nothing is added."""
    found = _ONLY.search(one)
    if found is None or _MORE.search(other) is not None or re.search(r"\b(?:only|just|solely)\b", other, re.IGNORECASE) is not None:
        return False
    return re.search(rf"(?:^|[.!?\]])\s*(?:yes,? )?(?:the )?{re.escape(found[2])}\b", other, re.IGNORECASE) is not None


def _blank(text: Completed, words: re.Pattern[str], *, group: int | str = 0) -> Completed:
    said = text.text
    for match in words.finditer(said):
        said = f"{said[: match.start(group)]}{' ' * len(match[group])}{said[match.end(group) :]}"
    return text._replace(text=said)


def _in_one_word(
    pair: Pair, claim: Completed | None, premise: Completed | None, words: tuple[re.Pattern[str], re.Pattern[str], str],
) -> tuple[Completed | None, Completed | None]:
    one, other, instead = words
    ours, theirs = _text(claim, pair.hypothesis), _text(premise, pair.premise)
    if one.search(ours) is not None and other.search(theirs) is not None and one.search(theirs) is None:
        return _replaced(_as_it_is(claim, pair.hypothesis), one, instead), premise
    if one.search(theirs) is not None and other.search(ours) is not None and one.search(ours) is None:
        return claim, _replaced(_as_it_is(premise, pair.premise), one, instead)
    return claim, premise


def _rates(pair: Pair, claim: Completed | None, premise: Completed | None) -> tuple[Completed | None, Completed | None]:
    ours, theirs = _text(claim, pair.hypothesis), _text(premise, pair.premise)
    if "/" not in ours and "/" not in theirs:
        return claim, premise
    mine, other = _SLASHED.search(ours), _SLASHED.search(theirs)
    if mine and not other:
        return _spelled(_as_it_is(claim, pair.hypothesis), mine, theirs) or claim, premise
    if other and not mine:
        return claim, _spelled(_as_it_is(premise, pair.premise), other, ours) or premise
    return claim, premise


def _spelled(text: Completed, slashed: re.Match[str], other: str) -> Completed | None:
    """The text with its rate in the other's words, where that gives one by the same unit; its own figure stays."""
    unit = _UNITS[slashed[2].lower()]
    for match in _SPELLED.finditer(other):
        if match[2].lower() == unit or unit not in other.lower():
            return _replaced(text, _SLASHED, f"{slashed[1]} {match[1]}per {unit}")
    return None


def _replaced(text: Completed, words: re.Pattern[str], new: str, *, group: int = 0) -> Completed:
    """The text with the first match said otherwise; what was said instead is shown where the match stands."""
    match = words.search(text.text)
    assert match is not None
    start, end = match.span(group)
    shift = len(new) - (end - start)
    pieces: list[tuple[int, int, int]] = []
    for first, last, origin in text.pieces:
        if first < start:
            pieces.append((first, min(last, start), origin))
        if first <= start and end <= last:
            # A place inside the new words leads to the old ones: as many characters as both have.
            pieces.append((start, start + min(len(new), end - start), origin + start - first))
        if last > end:
            pieces.append((max(first, end) + shift, last + shift, origin + max(first, end) - first))
    return text._replace(text=f"{text.text[:start]}{new}{text.text[end:]}", pieces=tuple(pieces))
