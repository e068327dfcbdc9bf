"""Characters that are there and cannot be seen: zero-width marks, direction overrides, tags, control characters."""

from __future__ import annotations

import re
import unicodedata

import msgspec

from ragviz.records import Span

# Zero width and soft hyphen, direction marks, embeddings and isolates, invisible operators, byte order mark, interlinear marks, tags.
INVISIBLE_CLASS = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff\ufff9-\ufffb\U000e0000-\U000e01ef"
)
_HIDDEN = re.compile(f"[{INVISIBLE_CLASS}\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
# A joiner between emoji and a selector after one are part of a visible picture; the two joiners also shape Indic and Persian words.
_PICTURE_PARTS = "\u200c\u200d\ufe0e\ufe0f"
_OVERRIDES = "\u202a\u202b\u202d\u202e\u2066\u2067\u2068"


class Invisible(msgspec.Struct, frozen=True, kw_only=True):
    """One hidden character."""

    span: Span
    name: str
    """As Unicode calls it: "ZERO WIDTH SPACE"."""
    reorders: bool
    """True when it changes the order in which the text around it is shown."""


def invisibles(text: str) -> list[Invisible]:
    """Every hidden character of the text, in order; joiners that belong to a visible emoji or word are left out."""
    found = []
    for match in _HIDDEN.finditer(text):
        char = match.group()
        if char in _PICTURE_PARTS and match.start() > 0 and not text[match.start() - 1].isascii():
            continue
        name = unicodedata.name(char, f"CONTROL U+{ord(char):04X}")
        found.append(Invisible(span=Span(*match.span()), name=name, reorders=char in _OVERRIDES))
    return found
