"""The plain word right beside a number: where it is no word of measure, bound or label, nothing else about the number need be looked for."""

from __future__ import annotations

import re

_WORD_BEHIND = re.compile(r" ([A-Za-z]+)(?![^ .,;:!?)])")
_CLOSING = ",;!?)"
_LOOK_BACK = 33


def word_before(text: str, start: int) -> str:
    """The lower-case word in front of a place, where it has letters only and stands between single spaces; "" where it takes a closer look."""
    if start < 2 or text[start - 1] != " ":
        return ""
    word = text[max(0, start - _LOOK_BACK) : start - 1].rpartition(" ")[2]
    return word.lower() if word.isalpha() else ""


def word_behind(text: str, end: int) -> str | None:
    """
    The lower-case word behind a place, where it has ASCII letters only and a space in front.

    Returns:
        "" where a closing mark or nothing follows; None where it takes a closer look.
    """
    following = text[end : end + 1]
    if following == " ":
        match = _WORD_BEHIND.match(text, end)
        return None if match is None else match[1].lower()
    return "" if following in _CLOSING or (following == "." and end + 1 == len(text)) else None
