"""Ages in one word: "under-twelves" and "over-65s" are "children under 12" and "people over 65" in a passage that says so."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from ragviz.text.number_words import CARDINALS

_FUSED = re.compile(r"\b(under|over)[-\u2010-\u2015 ]?(?:(\d{1,2})s|([a-z]+?)(?:e?s|ies))\b", re.IGNORECASE)
_UNDER, _OVER = r"under|below|younger than|less than", r"over|above|older than|more than"
_PEOPLE = r"(?:(?:children|kids|minors|youngsters|people|persons|adults|visitors|guests|anyone|anybody|those|pupils|students|seniors|residents|members|travellers|passengers|customers|everyone)\s+)"
_NO_AGE = r"(?![.,]\d|\s*(?:[%€$£°]|(?:kg|g|km|m|cm|mm|euros?|eur|gbp|usd|gb|mb|seconds?|minutes?|hours?|days?|weeks?|months?|lit(?:re|er)s?|people|persons|pages|degrees?|per ?cent)\b))"
"""What follows no age."""


class Age(NamedTuple):
    """People of an age, in one word."""

    start: int
    end: int
    said: re.Pattern[str]
    """How a passage says it in several."""


@lru_cache(maxsize=8192)
def ages(claim: str) -> tuple[Age, ...]:
    """The ages in one word of a claim; most have none."""
    lower = claim.lower()
    if "under" not in lower and "over" not in lower:
        return ()
    return tuple(age for match in _FUSED.finditer(claim) if (age := _age(match)) is not None)


def _age(match: re.Match[str]) -> Age | None:
    number = int(match[2]) if match[2] else _number(match[3].lower())
    if number is None:
        return None
    words = "|".join(word for word, value in CARDINALS.items() if value == number)
    bound = _UNDER if match[1].lower() == "under" else _OVER
    figure = rf"(?:{number}{'|' + words if words else ''})"
    return Age(
        *match.span(),
        re.compile(
            rf"\b{_PEOPLE}?(?:aged\s+|who are\s+)?(?:{bound})\s+(?:the age of\s+|age\s+)?{figure}\b{_NO_AGE}(?:\s+years(?: old| of age)?)?", re.IGNORECASE
        ),
    )


def _number(plural: str) -> int | None:
    """Twelve of "twelv", five of "fiv", twenty of "twent"."""
    return next((CARDINALS[word] for word in (plural, plural + "e", plural + "y") if word in CARDINALS), None)
