"""What a question asks for, and whether a text holds something of that kind. English rules; unknown questions ask for anything."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import NamedTuple


class AskedFor(StrEnum):
    """Kind of thing that would answer a question."""

    PERSON = "a person or organisation"
    TIME = "a time"
    QUANTITY = "a quantity"
    PLACE = "a place"
    REASON = "a reason"
    MANNER = "a way of doing it"
    YES_NO = "yes or no"
    ANY = "anything"


class SubQuestion(NamedTuple):
    """One thing asked."""

    text: str
    asked_for: AskedFor


_KINDS: tuple[tuple[AskedFor, re.Pattern[str]], ...] = tuple(
    (kind, re.compile(pattern, re.IGNORECASE))
    for kind, pattern in (
        (AskedFor.TIME, (r"\b(?:when|(?:what|which|at what|on what|in what|in which|which) (?:year|date|day|month|time|times|century|hours)|"
                        r"(?:un)?till? (?:when|what)|since when|what time|opening hours)\b")),
        (AskedFor.QUANTITY, (r"\bhow (?:many|much|long|fast|far|old|tall|big|large|high|deep|heavy|often|wide|hot|cold|quickly|soon|late|early|strong)\b|"
                            r"\bwhat (?:percentage|percent|share|number|amount|price|fee|cost|size|weight|height|length|distance|temperature|rate|revenue|"
                            r"sales|dose|speed|age|population)\b|\b(?:at )?what temperature\b|"
                            r"\bwhat (?:is|was|are|were) the (?:\w+ ){0,3}(?:percentage|number|amount|price|fee|cost|weight|height|length|distance|"
                            r"temperature|rate|revenue|dose|speed|population)\b")),
        (AskedFor.PERSON, r"\b(?:who|whom|whose|which (?:person|company|team|author|carrier|organi[sz]ation))\b"),
        (AskedFor.PLACE, r"\b(?:where|(?:in |to |from |at )?(?:what|which) (?:city|country|countries|place|town|state|region|location|room))\b"),
        (AskedFor.REASON, r"\bwhy\b|\bwhat (?:is|was) the reason\b|\bhow come\b"),
        (AskedFor.MANNER, r"\bhow (?:do|does|did|can|could|should|would|to|is|are|was|were|will)\b"),
    )
)
_YES_NO = re.compile(
    r"^\W*(?:and |but |so |also )?(?:is|are|was|were|am|do|does|did|has|have|had|can|could|may|might|must|shall|should|will|would|isn't|aren't|"
    r"don't|doesn't|didn't|can't|won't)\b",
    re.IGNORECASE,
)
_SPLIT = re.compile(
    r"(?<=\?)\s+(?=\S)|,?\s+(?:and|or|as well as)\s+(?=(?:who|whom|whose|when|where|why|how|what|which)\b)|"
    r";\s+(?=\S)",
    re.IGNORECASE,
)
_VALUE: dict[AskedFor, re.Pattern[str]] = {
    AskedFor.TIME: re.compile(
        r"\d|\b(?:jan(?:uary)?|feb(?:ruary)?|march|april|may|june|july|aug(?:ust)?|sept(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?|"
        r"(?:mon|tues|wednes|thurs|fri|satur|sun)days?|weekdays?|weekends?|daily|yesterday|today|tomorrow|morning|noon|evening|night|midnight|"
        r"spring|summer|autumn|winter|(?:second|minute|hour|day|week|month|year|decade|centur)(?:s|y|ies)?|before|after|during|until|always|never)\b",
        re.IGNORECASE,
    ),
    AskedFor.QUANTITY: re.compile(
        r"\d|\b(?:zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|(?:thir|four|fif|six|seven|eigh|nine)teen|(?:twen|thir|for|fif|six|seven|eigh|nine)ty|hundreds?|thousands?|millions?|billions?|dozens?|"
        r"half|quarter|double|twice|once|none|free of charge|for free|is free|several|few)\b",
        re.IGNORECASE,
    ),
    AskedFor.PERSON: re.compile(
        r"(?<![.!?]\s)(?<!^)\b[A-Z][\w'’-]+|^\W*[A-Z][\w'’-]+(?:\s+(?:[a-z]{1,3}\s+)?[A-Z][\w'’-]+)+|"
        r"(?i:\b(?:owner|customer|shop|head|director|manager|president|teacher|author|engineer|company|team|government|council|court|"
        r"committee|cooperative|user|admin\w*|department|bank|staff|they|we|you|he|she)\b)",
    ),
    AskedFor.PLACE: re.compile(
        r"(?<![.!?]\s)(?<!^)\b[A-Z][\w'’-]+|^\W*[A-Z][\w'’-]+\W*$|(?i:\b(?:in|at|on|near|to|from|inside|outside|behind|under|next to|north|south|east|west)\b)",
    ),
    AskedFor.REASON: re.compile(r"\b(?:because|since|as|due|so|therefore|reason|caused?|owing|to|by|when|means|allows?|lets?|makes?|after|wanted|needed)\b", re.IGNORECASE),
    AskedFor.MANNER: re.compile(r"\b(?:by|using|use|with|via|through|open|click|choose|take|follow|press|go|from|to|into|so that|first|then)\b", re.IGNORECASE),
}
_BARE_ANSWER = re.compile(r"^\W*(?:yes|no|yeah|nope|correct|indeed|certainly|of course|not (?:yet|really|at all)|never|always|sometimes|partly)\b", re.IGNORECASE)


def sub_questions(question: str) -> list[SubQuestion]:
    """The things a question asks for, in order: "Who built it and when?" asks two. At least one, unless the text is blank."""
    parts = [part.strip() for part in _SPLIT.split(question) if part and part.strip()]
    asking = [part for part in parts if "?" in part or asked_for(part) is not AskedFor.ANY]
    return [SubQuestion(part, asked_for(part)) for part in (asking or parts[-1:])]


def asked_for(question: str) -> AskedFor:
    """What kind of thing the first question word asks for."""
    if _YES_NO.search(question):
        return AskedFor.YES_NO
    found = [(match.start(), order, kind) for order, (kind, pattern) in enumerate(_KINDS) if (match := pattern.search(question))]
    return min(found)[2] if found else AskedFor.ANY


def holds(answer: str, kind: AskedFor) -> bool | None:
    """Whether the answer has a value of that kind; None where any statement would do."""
    pattern = _VALUE.get(kind)
    return None if pattern is None else pattern.search(answer) is not None


def says_yes_or_no(answer: str) -> bool:
    """Whether the answer begins with a yes, a no or a word to that effect."""
    return _BARE_ANSWER.search(answer) is not None
