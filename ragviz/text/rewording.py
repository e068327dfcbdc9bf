"""The same sentence written otherwise, by edits that change no meaning: a steady judge does not care."""

from __future__ import annotations

import re

_SHORT = {
    "is not": "isn't",
    "are not": "aren't",
    "was not": "wasn't",
    "were not": "weren't",
    "do not": "don't",
    "does not": "doesn't",
    "did not": "didn't",
    "has not": "hasn't",
    "have not": "haven't",
    "had not": "hadn't",
    "cannot": "can't",
    "could not": "couldn't",
    "should not": "shouldn't",
    "would not": "wouldn't",
    "will not": "won't",
    "must not": "mustn't",
}
_LONG = {short: long for long, short in _SHORT.items()}
_FUNCTION_WORDS = frozenset({"A", "An", "The", "This", "That", "These", "Those", "It", "Its", "He", "She", "They", "There", "In", "On", "At", "For", "From", "With", "Each", "Every", "All", "Some", "If", "When"})
_FULL_STOP = re.compile(r"(?:[^\W\d_]{2}|[\d\"”])\.$")
"""Not the dot of an initial."""
_CONTRACTED = re.compile("|".join(rf"\b{re.escape(words)}\b" for words in (*_SHORT, *_LONG)), re.IGNORECASE)


def reworded(text: str) -> str:
    """
    The sentence with contractions opened or closed, quotes curly or straight, its first function word in the other case, wider spaces and without its full
    stop.

    No word that carries meaning is touched: names, numbers and units keep their letters and their case. Empty text stays empty.
    """
    said = _CONTRACTED.sub(_other_form, text.replace("’", "'"))
    said = _other_quotes(said, curly='"' in text)
    said = _other_case(said.strip())
    if " " in said and _FULL_STOP.search(said):
        said = said[:-1]
    return re.sub(r" +", "  ", said)


def _other_form(found: re.Match[str]) -> str:
    words = found.group(0)
    other = _SHORT.get(words.lower()) or _LONG.get(words.lower())
    if other is None or words.isupper():
        return words
    return other[0].upper() + other[1:] if words[0].isupper() else other


def _other_quotes(text: str, *, curly: bool) -> str:
    if not curly:
        return text.replace("“", '"').replace("”", '"')
    return re.sub(r'"([^"]*)"', r"“\1”", text)


def _other_case(text: str) -> str:
    first, space, rest = text.partition(" ")
    if first in _FUNCTION_WORDS:
        return first.lower() + space + rest
    return first.capitalize() + space + rest if first.capitalize() in _FUNCTION_WORDS and first.islower() else text
