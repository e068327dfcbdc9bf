"""What is text to split, what is a heading, a lead-in, a table, code; and where the words of a statement begin and end."""

from __future__ import annotations

import re

import msgspec

from ragviz.records import Span
from ragviz.text.idle import is_idle
from ragviz.text.sentences import sentence_spans
from ragviz.text.verbs import FINITE, words_of


class Unit(msgspec.Struct, frozen=True, kw_only=True):
    """A stretch of text that may hold statements, without bullet, emphasis marks around it, lead-in words and final stop."""

    span: Span
    prefix: str = ""
    """Words from elsewhere that it needs to be understood: the lead-in of its list ("The kit includes"), the row's column titles."""
    cells: tuple[tuple[str, Span], ...] = ()
    """Column title and place of each cell, for a table row."""
    is_item: bool = False


_FENCE = re.compile(r"^[ \t]*(```|~~~)[^\n]*\n.*?(?:^[ \t]*\1[^\n]*$|\Z)", re.MULTILINE | re.DOTALL)
_BULLET = re.compile(r"\s*(?:>\s*)*(?:[-*+\u2022\u2023\u25e6\u2043\u2013\u2014\u00b7]\s+(?:\[[ xX]\]\s+)?|\(?(?:\d{1,3}|[a-zA-Z])[.)]\s+|>\s*)")
_HEADING = re.compile(r"\s{0,3}#{1,6}\s")
_BOLD_LINE = re.compile(r"\s*(?:\*\*|__)[^*_\n]{1,120}(?:\*\*|__)\s*:?\s*$")
_TABLE_ROW = re.compile(r"\s*\|.*\|\s*$")
_TABLE_RULE = re.compile(r"\s*\|?[\s:|-]*-[\s:|-]*\|?\s*$")
_LEAD_WORDS = re.compile(
    r"(?:(?:yes|no|sure|certainly|of course|absolutely|correct|indeed|ja|nein|oui|non|s[i\u00ed]|so|also|and|but|however|additionally|furthermore|moreover|in addition|finally|note that|please note that|therefore|thus|hence|overall|in (?:short|summary)|to summari[sz]e|zudem|au\u00dferdem|ferner|jedoch|en outre|de plus|cependant|adem\u00e1s|sin embargo)\s*[,:!.\u2013\u2014-]\s*"
    r"|(?:and|but|so|und|aber|et|mais|y|pero)\s+"
    r"|(?:according to|based on|as (?:stated|mentioned|described|noted) in|per|laut|gem\u00e4\u00df|selon|d'apr\u00e8s|seg\u00fan)\s+(?:the |this |these |your |my |our |den |der |dem |les? |la |los |las )?(?:\w+ ){0,2}?(?:passages?|documents?|sources?|contexts?|excerpts?|information|texts?|dokumente?n?|quellen?|unterlagen|documents|documentos|fuentes)(?:\s+(?:\d+|provided|above|given|you provided))?(?:\s*\[[^\]]{1,20}\])?\s*,\s*"
    r"|(?:the )?(?:passage|document|source|context|text|article)s?(?: \d+)?(?:\s*\[[^\]]{1,20}\])? (?:states?|says?|mentions?|indicates?|notes?|confirms?|explains?) that\s+)",
    re.IGNORECASE,
)
_LEAD_END = re.compile(
    r"\s*(?:,?\s*(?:the following|as follows|these|folgende[sn]?|suivant(?:e?s)?|siguientes?|los siguientes|les suivants)(?:\s+\w+){0,2})?\s*[:\uff1a]\W*$",
    re.IGNORECASE,
)
_EMPTY_LEAD = re.compile(
    r"\W*(?:(?:it|they|this|these|er|sie|es|dies|diese|das|il|elle|ils|elles|cela|se|esto)\b[^:]{0,60}\b(?:as follows|like this|in this way|so|wie folgt|folgendermaßen|comme suit|ainsi|así|de la siguiente manera)\b[^:]{0,20}|(?:[^:]{1,60}\b(?:setzt|setzen) sich (?:so|wie folgt|folgendermaßen)\b[^:]{0,20}))\W*$",
    re.IGNORECASE,
)
"""Words that lead in a list and say nothing that its items need: "It is made up as follows:"."""
_OPENING, _CLOSING = " \t\r\n*_~\u00a0", " \t\r\n*_~\u00a0,;"
_MOST_LEADS = 4


def units(text: str, end: int) -> list[Unit]:
    """Everything before ``end`` that may hold statements, in order. Headings, code, table heads and lead-ins ("It includes:") are left out."""
    fenced = [m.span() for m in _FENCE.finditer(text, 0, end)]
    found: list[Unit] = []
    lead = ""
    header: list[str] | None = None
    at = 0
    spans = [s if s.end <= end else Span(s.start, end) for s in sentence_spans(text) if s.start < end]
    for n, span in enumerate(spans):
        while at < len(fenced) and fenced[at][1] <= span.start:
            at += 1
        if at < len(fenced) and fenced[at][0] <= span.start:
            lead = ""
            continue
        words = span.of(text)
        if _TABLE_ROW.match(words):
            lead = ""
            header = _table_row(text, span, spans[n + 1].start if n + 1 < len(spans) else end, header, found)
            continue
        header = None
        bullet = _bullet(text, span)
        if _HEADING.match(words) or _BOLD_LINE.match(words):
            lead = ""
            continue
        inner = trimmed(text, Span(span.start + bullet, span.end) if bullet < len(span) else span)
        if inner is None:
            continue
        if words.rstrip(" *_").endswith((":", "\uff1a")):
            lead = "" if bullet else _lead_in(inner.of(text))
            continue
        found.append(Unit(span=inner, prefix=lead if bullet else "", is_item=bullet > 0))
        lead = lead if bullet else ""
    return found


def _bullet(text: str, span: Span) -> int:
    """Length of a bullet or quotation mark at the start of a line; 0 when there is none."""
    if text[max(0, span.start - 40) : span.start].rstrip(" \t")[-1:] not in ("", "\n", "\r"):
        return 0
    match = _BULLET.match(text, span.start, span.end)
    return match.end() - span.start if match else 0


def _lead_in(words: str) -> str:
    """What to put before the items of a list: "The kit includes", or "Steps:" when the words do not end with a verb that takes the item."""
    if _EMPTY_LEAD.match(words) or is_idle(words):
        return ""
    lead = _LEAD_END.sub("", words).strip(" *_")
    last = words_of(lead)[-1:]
    return lead if not lead or (last and last[0][2] in FINITE) else f"{lead}:"


def _table_row(text: str, span: Span, following: int, header: list[str] | None, found: list[Unit]) -> list[str]:
    """Keep a row of cells; the first row of a table, and a row above a rule, are its titles."""
    cells = _cells(text, span)
    titles = [place.of(text).strip("*_ ") for place in cells]
    is_header = header is None and any(_TABLE_RULE.match(line) for line in text[span.end : following].split("\n") if line.strip())
    if is_header:
        return titles
    named = tuple((header[i] if header and i < len(header) else "", place) for i, place in enumerate(cells))
    if cells:
        found.append(Unit(span=Span(cells[0].start, cells[-1].end), cells=named))
    return header or []


def _cells(text: str, span: Span) -> list[Span]:
    found = []
    for match in re.finditer(r"(?:[^|\\]|\\.)+", text[span.start : span.end]):
        words = match.group()
        left = len(words) - len(words.lstrip())
        right = len(words.rstrip())
        if right > left:
            found.append(Span(span.start + match.start() + left, span.start + match.start() + right))
    return found


def trimmed(text: str, span: Span) -> Span | None:
    """The span without emphasis marks, introductory words and final stop around its words; None when nothing is left."""
    start, end = span.start, span.end
    for _ in range(_MOST_LEADS):
        while start < end and text[start] in _OPENING:
            start += 1
        lead = _LEAD_WORDS.match(text, start, end)
        if lead is None or lead.end() >= end:
            break
        start = lead.end()
    end = _without_stop(text, start, end)
    if text.count("**", start, end) % 2 == 1:
        # "**Window:** 30 days": the marks belong to a part of the words, not around them all.
        if text[max(span.start, start - 2) : start] == "**":
            start -= 2
        elif text[end : min(span.end, end + 2)] == "**":
            end += 2
    return Span(start, end) if start < end else None


def _without_stop(text: str, start: int, end: int) -> int:
    while end > start:
        last = text[end - 1]
        if last not in _CLOSING and last not in "!\u3002\uff01" and (last != "." or _is_abbreviated(text, start, end)):
            break
        end -= 1
    return end


def _is_abbreviated(text: str, start: int, end: int) -> bool:
    """"U.S.", "a.m.", "etc.", "…": the stop belongs to the word."""
    word = text[max(start, end - 12) : end].split()[-1:] or [""]
    return "." in word[0][:-1] or word[0].lower() in ("etc.", "inc.", "ltd.", "co.", "corp.", "jr.", "sr.", "usw.")
