"""What a question asks for, and whether a text holds something of that kind. English rules; unknown questions ask for anything."""

from __future__ import annotations

import re
from typing import NamedTuple

from ragviz.judges.asked_for import AskedFor
from ragviz.judges.asked_values import (
    COLOURS,
    counts_one,
    lacks_reason,
    lacks_way,
    measures_another,
    measures_otherwise,
    says_when,
    takes_no_side,
)
from ragviz.text.sentences import sentence_spans
from ragviz.text.tokens import STOP_WORDS, content_tokens, tokens

__all__ = ["AskedFor", "SubQuestion", "asked_for", "holds", "merely_offers", "says_yes_or_no", "sub_questions"]


class SubQuestion(NamedTuple):
    """One thing asked."""

    text: str
    asked_for: AskedFor


_KINDS: tuple[tuple[AskedFor, re.Pattern[str]], ...] = tuple(
    (kind, re.compile(pattern, re.IGNORECASE))
    for kind, pattern in (
        (
            AskedFor.TIME,
            (
                r"\b(?:(?:until |till |since |by |from )?when|(?:what|which|at what|on what|in what|in which|which) (?:year|date|day|month|time|times|century|hours)|"
                r"(?:un)?till? what|what time|(?:opening|business|office) hours)\b"
            ),
        ),
        (
            AskedFor.QUANTITY,
            (
                r"\bhow (?:many|much|long|fast|far|old|tall|big|large|high|deep|heavy|often|wide|hot|cold|quickly|soon|late|early|strong)\b|"
                r"\bwhat (?:percentage|percent|share|number|amount|price|fee|cost|size|weight|height|length|distance|temperature|rate|revenue|"
                r"sales|dose|speed|age|population|limit|maximum|minimum|capacity|duration)\b|\b(?:at )?what temperature\b|"
                r"\bwhat (?:is|was|are|were) the (?:\w+ ){0,3}(?:percentage|number|amount|price|fee|cost|weight|height|length|distance|"
                r"temperature|rate|revenue|dose|speed|population|size|age|limit|capacity|duration|deposit|rent|salary|discount|notice period)\b"
            ),
        ),
        (AskedFor.PERSON, r"\b(?:who|whom|whose|which (?:person|company|team|author|carrier|organi[sz]ation))\b"),
        (
            AskedFor.PLACE,
            r"\bwhat(?:['’]s| is| was) the (?:\w+ ){0,2}capital(?: city)? of\b|\b(?:where|(?:in |to |from |at )?(?:what|which) (?:city|country|countries|place|town|state|region|location|room))\b",
        ),
        (AskedFor.COLOUR, r"\b(?:what|which) colou?rs?\b"),
        (AskedFor.REASON, r"\bwhy\b|\bwhat (?:is|was) the reason\b|\bhow come\b"),
        (AskedFor.MANNER, r"\bhow (?:do|does|did|can|could|should|would|to|is|are|was|were|will)\b"),
    )
)
_YES_NO = re.compile(
    r"^\W*(?:and |but |so |also )?(?:is|are|was|were|am|do|does|did|has|have|had|can|could|may|might|must|shall|should|will|would|isn't|aren't|"
    r"don't|doesn't|didn't|can't|won't)\b",
    re.IGNORECASE,
)
_QUESTION_WORD = re.compile(r"\b(?:who|whom|whose|when|where|why|how|what|which)\b", re.IGNORECASE)
_WHO_VERB = re.compile(
    r"\bwho(?:m)? (?:(?:can|could|may|might|must|shall|should|will|would|does|do|did|has|have|had) )?(?!is\b|are\b|was\b|were\b|be\b)(\w+)", re.IGNORECASE
)
_INSTEAD_OF_A_PERSON = tuple(
    (re.compile(asks, re.IGNORECASE), re.compile(says, re.IGNORECASE))
    for asks, says in (
        (
            r"\bwho\b.{0,20}\b(?:pays?|paid|bears?|covers?|carries|liable|charged)\b",
            r"\b(?:free|charged?|deducted|refund\w*|taken off|included|no cost)\b|[$€£¥]\s?\d",
        ),
        (
            r"\bwhom?\b.{0,20}\b(?:call|contact|ask|phone|write|turn|reach|speak|talk)\b",
            r"\d|@|\b(?:dial|call|write|ask|contact|reception|hotline|desk|office|support)\b",
        ),
    )
)
"""What may stand for a person: "who pays" may be answered by "it is free", "who do I call" by a number."""
_SPLIT = re.compile(
    r"(?<=\?)\s+(?=\S)|,?\s+(?:and|or|as well as)\s+(?=(?:who|whom|whose|when|where|why|how|what|which)\b)|"
    r";\s+(?=\S)",
    re.IGNORECASE,
)
_VALUE: dict[AskedFor, re.Pattern[str]] = {
    AskedFor.COLOUR: COLOURS,
    AskedFor.QUANTITY: re.compile(
        r"\d|\b(?:zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|(?:thir|four|fif|six|seven|eigh|nine)teen|(?:twen|thir|for|fif|six|seven|eigh|nine)ty|hundreds?|thousands?|millions?|billions?|dozens?|"
        r"half|quarter|third|double|twice|once|none|no|nothing|free|several|few|many|both|all|unlimited|no limit|lifetime|forever|indefinitely|"
        r"as (?:many|much|long|often|soon|fast|far) as|until|till|immediately|instantly|overnight|daily|weekly|monthly|yearly|annually|always|never|included)\b",
        re.IGNORECASE,
    ),
    AskedFor.PERSON: re.compile(
        r"(?<![.!?]\s)(?<!^)\b[A-Z][\w'’-]+|^\W*[A-Z][\w'’-]+(?:\s+(?:[a-z]{1,3}\s+)?[A-Z][\w'’-]+)+|"
        r"(?i:\b(?:shops?|heads?|presidents?|authors?|compan(?:y|ies)|teams?|governments?|councils?|courts?|committees?|cooperatives?|admins?|administrators?|"
        r"departments?|banks?|staff|parents?|members?|employees?|people|persons?|adults?|children|students?|guests?|residents?|tenants?|recipients?"
        r"|applicants?|"
        r"everyone|everybody|anyone|anybody|someone|somebody|nobody|no one|both|either|neither|they|we|you|he|she|\w{2,}(?:[^mv]er|[^f]or|ist|ian|ess|wom[ae]n|m[ae]n)s)\b|"
        r"\b(?:the|an?|each|every|your|our|their|its|by)\s+(?:\w+\s+)?(?!(?:number|order|paper|water|letter|other|after|over|under|counter|register|computer|printer|"
        r"floor|door|colou?r|mirror|motor|error|register|corner|offer|power|summer|winter|river|tower|chapter|folder|server|drawer|user manual|access|process|address)\b)"
        r"(?:\w{2,}(?:er|or|ist|ian|ess|wom[ae]n|man)|agent|client|patient|accountant|assistant|consultant|recipient|applicant|student|parent|resident|president|tenant)\b)",
    ),
    AskedFor.PLACE: re.compile(
        r"(?<![.!?]\s)(?<!^)\b[A-Z][\w'’-]+|^\W*[A-Z][\w'’-]+\W*$|(?i:\b(?:in|at|on|near|to|from|inside|outside|behind|under|next to|north|south|east|west)\b)",
    ),
    AskedFor.REASON: re.compile(
        r"\b(?:because|since|as|due|so|therefore|reason|caused?|owing|to|by|when|means|allows?|lets?|makes?|after|wanted|needed)\b", re.IGNORECASE
    ),
    AskedFor.MANNER: re.compile(r"\b(?:by|using|use|with|via|through|open|click|choose|take|follow|press|go|from|to|into|so that|first|then)\b", re.IGNORECASE),
}
_MOST_OF_A_NAME = 3
"""Words of a name."""
_CHOICE = re.compile(r"\b(?:which|option|options|letter|letters|choice|choose|answer|grade|type|class|group|platform|vitamin|size|or)\b", re.IGNORECASE)
_CAPITAL = re.compile(r"\bcapital(?: city)? of\b", re.IGNORECASE)
"""Asks for a name that stands nowhere in the question."""
_BARE_ANSWER = re.compile(
    r"^\W*(?:yes|no|yeah|nope|correct|indeed|certainly|of course|not (?:yet|really|at all)|never|always|sometimes|partly)\b", re.IGNORECASE
)


_WHY_IT_IS = re.compile(
    r"\bwhy (?:was|were|is|are|am|did|does|do|has|have|had|isn't|aren't|wasn't|weren't|doesn't|don't|didn't|hasn't|haven't|can't|cannot|couldn't|won't)\b(?! (?:i|we|you|people|one) (?:need|have to|use)\b)|"
    r"\bhow come\b|\bwhat (?:is|was) the reason\b", re.IGNORECASE,
)
"""Asks why something is or happened; "why should I use it" is answered by what one can do with it."""
_OFFER = re.compile(
    r"^\W*(?:you|we|customers|clients|users|members|guests|visitors|passengers|travellers|students|employees|staff|owners|tenants|residents|patients|drivers|everyone|everybody|anyone|people) (?:can|may|could|are (?:able|free|welcome) to)\b",
    re.IGNORECASE,
)
_LIMITED = re.compile(
    r"\b(?:only|not|no|never|cannot|unless|until|if|when|once|after|before|because|since|as|so|due|instead|without|except|but)\b|n['’]t\b", re.IGNORECASE
)


def merely_offers(question: str, answer: str) -> bool:
    """True where the question asks why something is so, and the answer only says what one can do: "You can pay by card" says why of nothing."""
    if _WHY_IT_IS.search(question) is None:
        return False
    said = [span.of(answer) for span in sentence_spans(answer)]
    return bool(said) and all(_OFFER.match(one) is not None and _LIMITED.search(one) is None for one in said)


def sub_questions(question: str) -> list[SubQuestion]:
    """The things a question asks for, in order: "Who built it and when?" asks two. At least one, unless the text is blank."""
    parts = [part.strip() for part in _SPLIT.split(question) if part and part.strip()]
    asking = [part for part in parts if "?" in part or asked_for(part) is not AskedFor.ANY]
    return [SubQuestion(part, asked_for(part)) for part in (asking or parts[-1:])]


def asked_for(question: str) -> AskedFor:
    """What kind of thing the first question word asks for: "What happens when …" asks for no time."""
    if _YES_NO.search(question):
        return AskedFor.YES_NO
    word = _QUESTION_WORD.search(question)
    first = word.start() if word else len(question)
    found = [
        (match.start(), order, kind) for order, (kind, pattern) in enumerate(_KINDS)
        if (match := pattern.search(question)) and (match.start() <= first or not _QUESTION_WORD.match(match.group()))
    ]
    return min(found)[2] if found else AskedFor.ANY


def holds(answer: str, kind: AskedFor, question: str = "") -> bool | None:
    """
    Whether the answer has a value of that kind; None where any statement would do.

    With the question, a new subject of its verb is a "who" as well ("Owners can delete it", "it is paid by the recipient"), and "who
    pays" may be answered by what is paid.
    """
    if kind is AskedFor.TIME:
        return says_when(answer)
    if kind is AskedFor.QUANTITY and counts_one(answer):
        return True
    if kind is AskedFor.QUANTITY and (measures_otherwise(question, answer) or measures_another(question, answer)):
        return False
    if kind is AskedFor.PLACE and _CAPITAL.search(question) is not None:
        return _names_another(question, answer)
    pattern = _VALUE.get(kind)
    if pattern is None:
        return None
    named = kind in {AskedFor.PERSON, AskedFor.PLACE} and question
    known = {token.lower for token in tokens(question)} if named else set()
    # A name that the question brings along is no answer to it.
    if any(not named or any(token.lower not in known for token in tokens(match.group())) for match in pattern.finditer(answer)):
        return True
    if kind is not AskedFor.PERSON or not question:
        return False
    return _names_doer(question, answer) or any(asks.search(question) and says.search(answer) for asks, says in _INSTEAD_OF_A_PERSON)


def _names_another(question: str, answer: str) -> bool:
    """True where the answer has a word with a capital that the question does not have: "Paris" of France."""
    known = {token.lower for token in tokens(question)}
    new = [token for token in tokens(answer) if token.lower not in known and token.lower not in STOP_WORDS]
    # "paris", typed in small letters.
    return any(answer[token.span.start].isupper() for token in new) or (bool(new) and len(new) == len(tokens(answer)) <= _MOST_OF_A_NAME)


def _names_doer(question: str, answer: str) -> bool:
    """True where the verb of the question has a subject, or an agent with "by", that the question does not name."""
    match = _WHO_VERB.search(question)
    if match is None:
        return False
    asked = {token.stem for token in content_tokens(question)}
    verbs = {token.stem for token in tokens(match[1])}
    words = tokens(answer)
    for i, word in enumerate(words):
        if word.stem in verbs and any(w.lower not in STOP_WORDS and w.stem not in asked for w in words[max(0, i - 5) : i]):
            return True
        if word.lower == "by" and any(w.lower not in STOP_WORDS and w.stem not in asked for w in words[i + 1 : i + 4]):
            return True
    return False


TYPED = (AskedFor.TIME, AskedFor.QUANTITY, AskedFor.PERSON, AskedFor.PLACE, AskedFor.COLOUR)
"""Kinds of which a value is there or not."""
SURE, LIKELY = 1.0, 0.8
"""How surely an answer lacks what was asked: a value of a kind that can be looked up; a reason, a way or a yes, which may be said without a word for it."""


def lacking(part: SubQuestion, answer: str) -> float:
    """How surely the answer gives nothing of the kind a sub-question asks for, in [0, 1]; 0 where it does, or where any statement would do."""
    kind, question = part.asked_for, part.text
    if kind in TYPED:
        return SURE if holds(answer, kind, question) is False else 0.0
    if kind is AskedFor.REASON:
        return SURE if merely_offers(question, answer) else LIKELY if lacks_reason(answer) else 0.0
    if kind is AskedFor.MANNER:
        return LIKELY if lacks_way(question, answer) else 0.0
    if kind is AskedFor.YES_NO and not says_yes_or_no(answer):
        return LIKELY if takes_no_side(question, answer) else 0.0
    return 0.0


def says_yes_or_no(answer: str) -> bool:
    """Whether the answer begins with a yes, a no or a word to that effect."""
    return _BARE_ANSWER.search(answer) is not None


def asks_nothing(question: str) -> bool:
    """True for "a" and "?": no word of content, no question word, and no letters of a script that has no words between spaces."""
    said = [token.lower for token in tokens(question)]
    if any(len(word) > 1 or not word.isascii() for word in said if word not in STOP_WORDS):
        return False
    return _QUESTION_WORD.search(question) is None and _YES_NO.search(question) is None and all(len(word) == 1 for word in said)


def is_mere_letter(question: str, answer: str) -> bool:
    """True for "b" as an answer, unless the question offers letters or options to choose from."""
    said = answer.strip().strip(".()[]\"'").lower()
    if len(said) != 1 or not said.isascii() or not said.isalpha() or _CHOICE.search(question) is not None:
        return False
    return said not in {token.lower for token in tokens(question)}
