"""
Text with marks, cut into pieces that can be drawn one after the other.

Offsets are Unicode code points here and UTF-16 units in a browser; so text is cut on this side and only pieces travel.
Nothing in this file makes HTML.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from typing import NamedTuple

from ragviz.records import Span


class Mark(NamedTuple):
    """A range of the text and what it stands for. Marks may nest and overlap."""

    span: Span
    name: str


class Segment(NamedTuple):
    """A piece of the text and the names of all marks that cover it, in the order the marks were given."""

    text: str
    names: tuple[str, ...]


def segments(text: str, marks: Sequence[Mark]) -> list[Segment]:
    """
    Cut ``text`` at every edge of every mark.

    Args:
        text: Any text; "" gives [].
        marks: In any order. What lies outside the text is ignored, what sticks out is cut off; a name may come twice.

    Returns:
        Non-empty pieces in reading order. Joined they are ``text`` again, and two neighbours never carry the same names.
    """
    size = len(text)
    inside = [m for m in marks if m.span.start < size]
    edges = sorted({0, size, *(m.span.start for m in inside), *(min(m.span.end, size) for m in inside)})
    place = {edge: i for i, edge in enumerate(edges)}
    opens: list[list[int]] = [[] for _ in edges]
    closes: list[list[int]] = [[] for _ in edges]
    for order, m in enumerate(inside):
        opens[place[m.span.start]].append(order)
        closes[place[min(m.span.end, size)]].append(order)
    cut: list[Segment] = []
    alive: set[int] = set()
    for i, (start, end) in enumerate(itertools.pairwise(edges)):
        alive.difference_update(closes[i])
        alive.update(opens[i])
        names = tuple(dict.fromkeys(inside[order].name for order in sorted(alive)))
        if cut and cut[-1].names == names:
            cut[-1] = Segment(cut[-1].text + text[start:end], names)
        else:
            cut.append(Segment(text[start:end], names))
    return cut


# Characters that draw nothing, or that change how their neighbours are drawn: they can hide or reverse what a judge has read. A flag is taken whole, first:
# a run of hidden characters that begins inside one may go on behind it. Its tags are a region's code of 3 to 6 signs; more are words that hide.
_HIDDEN = re.compile(
    "(?P<flag>\U0001f3f4[\U000e0030-\U000e0039\U000e0061-\U000e007a]{3,6}\U000e007f)|["
    "\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f"  # controls, without tab, line feed and carriage return
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e"
    "\u200b\u200e\u200f\u2028\u2029\u202a-\u202e\u2060-\u206f"  # zero width space, direction marks, embeddings, isolates
    "\u3164\ufeff\uffa0\ufff0-\ufffb"
    "\ue000\ue001"  # the delimiters that the viewer itself uses
    "\ud800-\udfff"
    "\U000e0000-\U000e0fff"  # tags: a whole hidden alphabet
    "]+"
    # Joiners are spelling in Arabic and Indic scripts and glue in emoji, but between plain Latin letters they only hide.
    "|(?<![^\x00-\x7f])[\u200c\u200d]+|[\u200c\u200d]+(?![^\x00-\x7f])",
)
_SHORT = {
    0x00: "NUL", 0x07: "BEL", 0x08: "BS", 0x1B: "ESC", 0x7F: "DEL", 0xAD: "SHY", 0x200B: "ZWSP", 0x200C: "ZWNJ", 0x200D: "ZWJ", 0x200E: "LRM", 0x200F: "RLM",
    0x202A: "LRE", 0x202B: "RLE", 0x202C: "PDF", 0x202D: "LRO", 0x202E: "RLO", 0x2060: "WJ", 0x2066: "LRI", 0x2067: "RLI", 0x2068: "FSI", 0x2069: "PDI",
    0xFEFF: "BOM", 0x061C: "ALM",
}


def reveal(text: str, *, before: str = "⟨", after: str = "⟩") -> str:
    r"""
    The text with every hidden character shown as a token: "a\\u202eb" becomes "a⟨RLO⟩b".

    A run becomes one token with a count, "⟨ZWSP×3⟩"; tag characters are spelled out as the letters they hide.
    Joiners inside emoji and between non-Latin letters are left alone, and so are the tags of a flag.
    """
    if text.isascii() and text.isprintable():
        return text

    def token(match: re.Match[str]) -> str:
        return match.group() if match.lastgroup else before + _named(match.group()) + after

    return _HIDDEN.sub(token, text)


def _named(run: str) -> str:
    """One word for a run of hidden characters."""
    hidden = "".join(chr(ord(c) - 0xE0000) for c in run if 0xE0020 <= ord(c) <= 0xE007E)
    if hidden:
        return f"tags: {hidden}"
    kinds: dict[str, int] = {}
    for char in run:
        name = _SHORT.get(ord(char)) or f"U+{ord(char):04X}"
        kinds[name] = kinds.get(name, 0) + 1
    return " ".join(name if n == 1 else f"{name}×{n}" for name, n in kinds.items())
