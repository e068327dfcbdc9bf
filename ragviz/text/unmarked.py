"""
Markdown's signs taken out of a claim for people to read; nothing is judged on it.

A claim keeps the words of the answer, signs and all, so that its spans stay true and its judge sees what was said. Only where it is shown alone, outside
the answer, stars around a word are noise.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ragviz.records import Span
from ragviz.records.span import merged

_WORD = re.compile(r"\w")
_SIGNS = re.compile(
    # A heading, a quotation or a bullet that begins the claim.
    r"^\s{0,3}(?:#{1,6}\s+|(?:>\s?)+|[-+*\u2022]\s+(?!\d))+|\s+#{1,6}\s*$"
    # Runs of two and three: also the half that was left when a clause was cut out of its sentence. Not the power of 2**3.
    r"|(?<![\w*])\*{2,3}(?=[^\s*])|(?<=[^\s*])\*{2,3}(?![\w*])|(?<=[^\W\d_])\*{2,3}(?=[^\W\d_])",
)
_PAIRS = re.compile(
    # One star or line on either side of words; a footnote's star and the product of 2*3 have no partner, snake_case has no edge.
    r"(?<![\w*\\])(\*)(?=[^\s*])[^*\n]{0,400}?(?<=[^\s*])(\*)(?![\w*])|(?<![\w\\])(_)(?=[^\s_])[^_\n]{0,400}?(?<=[^\s_])(_)(?!\w)"
    r"|(?<!`)(`)(?=[^\s`])[^`\n]{1,400}(`)(?!`)"
    # Two lines stay around a single name: __init__.
    r"|(?<![\w\\])(__)(?=[^\s_])[^_\n]{0,200}?\s[^_\n]{0,200}?(?<=[^\s_])(__)(?!\w)",
)


def signs(text: str) -> list[Span]:
    """
    Headings' signs, bullets, and the stars, lines and ticks of emphasis, in order. What may mean something (2**3, snake_case, __init__, a
    footnote's star) is none.
    """
    found = [Span(*match.span()) for match in _SIGNS.finditer(text)]
    for match in _PAIRS.finditer(text):
        found += [Span(*match.span(group)) for group in range(1, 1 + (match.lastindex or 0)) if match.span(group)[0] >= 0]
    return merged(found)


def unmarked(text: str) -> str:
    """The text without its signs; itself where nothing else would be left."""
    return unmarked_with(text, ())[0]


def unmarked_with(text: str, spans: Sequence[Span]) -> tuple[str, list[Span]]:
    """The same, and where the spans are in it. A span of signs alone is left out."""
    gone = signs(text) if any(sign in text for sign in "*_`#>-+\u2022") else []
    if not gone:
        return text, list(spans)
    kept = bytearray(b"\x01") * len(text)
    for sign in gone:
        kept[sign.start : sign.end] = bytes(sign.end - sign.start)
    left = "".join(c for c, keep in zip(text, kept, strict=True) if keep)
    if not _WORD.search(left):
        return text, list(spans)
    before = [0]
    for keep in kept:
        before.append(before[-1] + keep)
    moved = [(before[min(s.start, len(text))], before[min(s.end, len(text))]) for s in spans]
    return left, [Span(start, end) for start, end in moved if start < end]
