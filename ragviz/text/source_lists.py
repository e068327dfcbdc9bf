"""The list of sources at the end of an answer: it says where, not what."""

from __future__ import annotations

import re

from ragviz.records import Span

_TITLE = re.compile(
    r"(?:^|\n|(?<=[.!?\])\"\u3002])[ \t]{1,3})[ \t]{0,3}(?P<title>(?:#{1,6}\s{0,3}|[*_]{1,3})?"
    r"(?:sources?(?:\s(?:used|cited|consulted))?|references?|citations?|footnotes?|bibliography|works\scited|further\sreading"
    r"|quellen?(?:angaben?|verzeichnis)?|literatur|einzelnachweise|sources?\sconsult\u00e9es|r\u00e9f\u00e9rences?|fuentes?|referencias|\u51fa\u5178|\u53c2\u8003\u6587\u732e|\u53c2\u8003\u8cc7\u6599|\u6765\u6e90)"
    r"[*_]{0,3}[ \t]?(?P<colon>[:\uff1a])?[*_]{0,3})(?P<rest>[^\n]{0,2000})",
    re.IGNORECASE,
)
_DEFINITION = re.compile(r"\s*\[\^?[\w-]{1,40}\](?::\s*\S|\s+(?:https?://|www\.)\S)")
_ENTRY = re.compile(r"\s*(?:[-*+\u2022]\s|\[\^?[\w-]{1,40}\]|\(?\d{1,3}[.):\]]\s|https?://|www\.|\u3010)")
_LONGEST_ENTRY = 300
_SENTENCE_INSIDE = re.compile(r"[a-z]{2}[.!?]\s+[A-Z][a-z]+\s+[a-z]+\s+[a-z]+")


def trailing_sources(text: str) -> Span | None:
    """
    The list of sources that ends the text, with its title; None when there is none.

    Either a title ("Sources:", "## References") followed by nothing but entries, or footnote definitions ("[^1]: …", "[1] https://…").
    """
    title = max(_TITLE.finditer(text), key=lambda m: m.start(), default=None)
    if title is not None and _is_list(title, text[title.end() :]):
        return Span(title.start("title"), len(text.rstrip()))
    start = len(text)
    found = False
    for line in reversed(list(re.finditer(r"[^\n]+", text))):
        if _DEFINITION.match(line.group()):
            start, found = line.start(), True
        elif line.group().strip():
            break
    return Span(start, len(text.rstrip())) if found else None


def _is_list(title: re.Match[str], below: str) -> bool:
    rest = title["rest"].strip()
    if rest and not title["colon"]:
        return False
    lines = [line for line in [rest, *below.split("\n")] if line.strip()]
    if not lines:
        return False
    entries = [line for line in lines if len(line) <= _LONGEST_ENTRY or _ENTRY.match(line)]
    if len(entries) < len(lines) or any(_SENTENCE_INSIDE.search(line) and not _ENTRY.match(line) for line in lines):
        return False
    return bool(rest and len(lines) == 1) or all(_ENTRY.match(line) for line in lines[1 if rest else 0 :])
