"""A line that an editor, a PDF or a mail wrapped goes on in the next one: such a line break is read as a blank."""

from __future__ import annotations

import re
from functools import lru_cache

from ragviz.text.sentences import BULLET, HEADING, blocks
from ragviz.text.tokens import STOP_WORDS
from ragviz.text.verbs import DETERMINERS, FINITE, SCOPES

_BREAK = re.compile(r"[\n\r\u2028\u2029]+")
_OPEN_ENDS = (",", "-", "\u2013", "&", "(")
_BLANKS = {ord(c): " " for c in "\n\r\u2028\u2029"}
_LABEL = re.compile(r"[ \t]*[^\W_][^.:;!?|\n()]{0,38}:(?:[ \t]|$)", re.MULTILINE)
_LAST_WORD = re.compile(r"([^\W\d_]+(?:['\u2019][^\W\d_]+)?),?$")
_OPEN = frozenset(STOP_WORDS) | FINITE | SCOPES | DETERMINERS
"""Words that end no sentence and no line of a list."""
_LAST_CHARS = 24
_WRAPPED = 50
"""Characters from which a line without an end was wrapped."""


@lru_cache(maxsize=4096)
def unwrapped(text: str) -> str:
    """
    The text with a blank for each soft line break: of the same length, so all places in it stay true. Linear.

    Lines of code, tables, lists, headings and of labels ("price: 5") keep their ends.
    """
    if _BREAK.search(text) is None:
        return text
    parts: list[str] = []
    at = 0
    caseless = text.islower()
    previous: tuple[int, int, bool] | None = None
    for start, end, whole in blocks(text):
        if previous is not None and not whole and not previous[2] and HEADING.match(text, previous[0]) is None and _goes_on(text, previous[1], start):
            parts.append(text[at : previous[1]])
            at = start
            parts.append(text[previous[1] : start].translate(_BLANKS))
        if not whole and _BREAK.search(text, start, end) is not None:
            parts.append(text[at:start])
            parts.append(_joined(text[start:end], caseless=caseless))
            at = end
        previous = start, end, whole
    parts.append(text[at:])
    return "".join(parts)


def _joined(block: str, *, caseless: bool) -> str:
    """A block of running text in one line, but for lines that begin with labels, and in a text without capitals for those that may be lines of a list."""
    parts: list[str] = []
    at = 0
    for match in _BREAK.finditer(block):
        line, end = block[at : match.start()], match.end()
        labels = _LABEL.match(line) is not None and _LABEL.match(block, end) is not None
        listed = caseless and len(line) < _WRAPPED and not line.rstrip().endswith(_OPEN_ENDS) and not _is_open(line)
        parts += [line, match.group() if labels or listed else " " * (end - match.start())]
        at = end
    return "".join([*parts, block[at:]])


def _goes_on(text: str, end: int, start: int) -> bool:
    """Whether a short line stops at a word that no line of its own ends with ("… lasts", "… in the"), and a capital or a figure follows."""
    between = text[end:start]
    if between.count("\n") > 1 or between.count("\r") > 1 or BULLET.match(text, start) or HEADING.match(text, start):
        return False
    return _is_open(text[max(0, end - _LAST_CHARS) : end])


def _is_open(line: str) -> bool:
    word = _LAST_WORD.search(line.rstrip())
    return word is not None and len(word[1]) > 1 and word[1].islower() and word[1] in _OPEN
