"""Tags, comments and link targets: characters of an answer that are markup and say nothing."""

from __future__ import annotations

import re

from ragviz.records import Span

_TARGET = r"\]\([^\s()]{0,500}(?:\([^\s()]{0,200}\)[^\s()]{0,200}){0,3}(?:\s\"[^\"\n]{0,200}\")?\)"
_MARKUP = re.compile(
    r"<(?P<element>script|style|template|iframe|svg)(?:[\s/][^<>]{0,500})?>|<(?P<comment>!--)"
    r"|</?[a-zA-Z][a-zA-Z0-9-]{0,30}(?:\s[^<>]{0,500})?/?>"
    rf"|!\[[^\[\]\n]{{0,300}}{_TARGET}"
    # [shown](target): the brackets and the target; what is shown stays
    rf"|\[(?=[^\[\]\n]{{1,300}}{_TARGET})"
    rf"|(?<=[^\[\]\n]){_TARGET}",
    re.IGNORECASE,
)


def markup(text: str) -> list[Span]:
    """Markup in order, without overlaps: tags, scripts and comments with all they hold. "a < b" and "[1]" are none. Linear."""
    found: list[Span] = []
    lower = text.lower()
    unclosed: set[str] = set()
    at = 0
    while (match := _MARKUP.search(text, at)) is not None:
        start, at = match.span()
        name = (match["element"] or match["comment"] or "").lower()
        if name and name not in unclosed:
            closer = "-->" if name == "!--" else f"</{name}"
            end = lower.find(closer, at)
            if end < 0:
                unclosed.add(name)
            else:
                at = min(len(text), end + len(closer) if name == "!--" else (text.find(">", end) + 1 or len(text)))
        found.append(Span(start, at))
    return found
