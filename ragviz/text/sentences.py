"""
Sentence spans, without a model.

Looked at first: sentencex 1.0 (exact spans, 300 languages, but quadratic as soon as a text holds one non-ASCII letter: 6 s for 100 kB,
minutes for 1 MB; its language must be told, and "approx. 5 km" or "No. He left" go wrong) and pysbd 0.3 (quadratic too, unmaintained).
Hence these rules: one pass over line breaks, one over sentence ends.
"""

from __future__ import annotations

import re

from ragviz.records import Span
from ragviz.text.abbreviations import ALWAYS, BEFORE_LOWER, BEFORE_NAME, BEFORE_NUMBER, LETTERED, MONTHS, STARTERS
from ragviz.text.word_sets import word_set

_LINE = re.compile(r"[^\r\n\u2028\u2029]+")
_FENCE = re.compile(r"\s*(?:```|~~~)")
HEADING = re.compile(r"\s{0,3}#{1,6}\s")
BULLET = re.compile(r"\s*(?:[-*+\u2022\u2023\u25e6\u2043\u2013\u2014\u00b7]\s+|\(?(?:\d{1,3}|[a-zA-Z]|[ivx]{1,5})[.)]\s+|\[\d{1,3}\]:?\s+)(?=\S)")
_TABLE_ROW = re.compile(r"\s*\|.*\|\s*$")
_RULE = re.compile(r"\s*(?:[-=_*\u2500\u2014]\s*){3,}$|\s*\|?[\s:|-]+\|[\s:|-]*$")
_RULE_MARKS = "-=_*\u2500\u2014|:"
_NO_PLAIN_LINE = _RULE_MARKS + "`~"
_SHORTEST_WRAPPED = 50

# Marks that belong to the sentence before them although they follow its end.
_CITATION = r"(?:\[\^?\d[\d,;\s\u2013-]{0,40}\](?:\([^)\s]{0,500}\))?|\u3010[^\u3011]{0,60}\u3011|[\u00b9\u00b2\u00b3\u2070\u2074-\u2079]{1,3})"
_CLOSERS = "\"'\u201d\u2019\u00bb\u203a)\\]*_`\u300d\u300f\uff09\u3011"
_ASCII_STOP = re.compile(r"[.!?]")
_STOPS, _OTHER_STOPS = ".!?\u2026", "\u3002\uff01\uff1f\uff61\u061f\u06d4\u0964\u0965"
_END = re.compile(
    # One set first, which is looked for faster than one of two.
    rf"[{_STOPS}{_OTHER_STOPS}](?:(?<=[{_STOPS}])[{_STOPS}]*|[{_OTHER_STOPS}]*)"
    rf"(?:[{_CLOSERS}]{{1,6}}|\s?[\u00bb\u201d](?=\s|$)|[ \u00a0]?{_CITATION}){{0,12}}"
)
_UNSPACED_ENDS = "\u3002\uff01\uff1f\uff61"
_WORD_BEFORE = re.compile(r"[^\W_](?:[\w.\u00a0-]|(?<=\.)\s(?=\w\.))*$|§$")
_FIRST_WORD = re.compile(r"[^\W\d_]+")
_GERMAN_ARTICLES = word_set("der die das dem den des am im zum zur vom beim jeder jede jedes")
_BEFORE_INITIAL = word_set("by and with von und par et")
_LOOK_BACK = 24
_LONGEST_UNKNOWN_ABBREVIATION = 5
_SHORTENED = ALWAYS | BEFORE_NUMBER | BEFORE_NAME | BEFORE_LOWER
_OPENERS = "\"'\u201c\u2018\u201e\u00ab\u2039([*_`\u300c\u300e\uff08\u00bf\u00a1"


# Quotations and brackets, whole on one line: a full stop inside them ends no sentence of ours. The opener is shut out from the
# inside, so a text of openers alone stays cheap.
_INSIDE = re.compile(
    r"(?<![^\s(\[\u2014-])\"[^\s\"][^\"\n]{0,400}\"(?![^\W_])|\u201c[^\u201c\u201d\n]{1,400}\u201d|\u201e[^\u201e\u201c\u201d\n]{1,400}[\u201c\u201d]|\u00ab[^\u00ab\u00bb\n]{1,400}\u00bb"
    r"|\u300c[^\u300c\u300d\n]{1,400}\u300d|\u300e[^\u300e\u300f\n]{1,400}\u300f|\([^()\n]{1,400}\)|\uff08[^\uff08\uff09\n]{1,400}\uff09|`[^`\n]{1,400}`|https?://[^\s<>\"]{1,400}",
)
_ENCLOSING = tuple('"(`\u201c\u201e\u00ab\u300c\u300e\uff08')
_ASCII_ENCLOSING = _ENCLOSING[:3]
# A Japanese particle after a closing quotation mark goes on with the sentence.
_PARTICLES = "\u3068\u3063\u306e\u3092\u304c\u306f\u306b\u3067\u3082"


def sentence_spans(text: str) -> list[Span]:
    """
    Sentences in order, without the white space around them.

    Every visible character outside code fences' marker lines and table rules lies in exactly one span. List items, headings,
    table rows and code blocks are sentences of their own; a sentence may run over a soft line break. Linear.
    """
    if text.isascii() and text.isprintable() and (whole := _alone(text)) is not None:
        return [whole]
    spans: list[Span] = []
    encloses = "://" in text or any(map(text.__contains__, _ASCII_ENCLOSING if text.isascii() else _ENCLOSING))
    for start, end, is_whole in blocks(text):
        if is_whole:
            spans.append(Span(start, end))
        else:
            spans.extend(_split(text, start, end, encloses=encloses))
    return spans


def _alone(text: str) -> Span | None:
    """The one sentence of a line of ASCII in which nothing but its last character can end one, as in most claims; None where it takes a closer look."""
    end = len(text.rstrip())
    start = len(text) - len(text.lstrip())
    if start >= end or text[start] in _NO_PLAIN_LINE:
        return None
    return Span(start, end) if _ASCII_STOP.search(text, start, end - 1) is None else None


def blocks(text: str) -> list[tuple[int, int, bool]]:
    """Runs of lines that belong together, stripped; True for those that are not split further (code, table rows)."""
    if "\n" not in text and "\r" not in text and (text.isascii() or ("\u2028" not in text and "\u2029" not in text)):
        # One line of plain text is one run: its first character tells that it is no table, no rule and no fence.
        end = len(text.rstrip())
        start = len(text) - len(text.lstrip())
        if start >= end:
            return []
        if text[start] not in _NO_PLAIN_LINE:
            return [(start, end, False)]
    found: list[tuple[int, int, bool]] = []
    fence_start: int | None = None
    fence_end = 0
    previous_end = -1
    open_block = False
    for match in _LINE.finditer(text):
        line = match.group()
        start, end = match.start() + len(line) - len(line.lstrip()), match.start() + len(line.rstrip())
        # What a line may be besides plain text is told by its first character.
        mark = text[start] if start < end else " "
        if mark in "`~" and _FENCE.match(line):
            if fence_start is not None and fence_end > fence_start:
                found.append((fence_start, fence_end, True))
            fence_start = match.end() if fence_start is None else None
            fence_end = 0
            open_block = False
            continue
        if start >= end:
            continue
        if fence_start is not None:
            fence_start = fence_start if fence_end else start
            fence_end = end
            continue
        if mark in _RULE_MARKS and _RULE.match(line):
            open_block = False
            continue
        whole = mark == "|" and bool(_TABLE_ROW.match(line))
        if open_block and not whole and _continues(text, found[-1], start, line, previous_end):
            found[-1] = (found[-1][0], end, False)
        else:
            found.append((start, end, whole))
        open_block = not whole and not (mark == "#" and HEADING.match(line))
        previous_end = match.end()
    if fence_start is not None and fence_end > fence_start:
        found.append((fence_start, fence_end, True))
    return found


def _continues(text: str, block: tuple[int, int, bool], start: int, line: str, previous_end: int) -> bool:
    """Whether a line goes on where the block stopped: a soft line break."""
    between = text[previous_end:start].strip(" \t")
    if between.count("\n") > 1 or between.count("\r") > 1 or BULLET.match(line) or HEADING.match(line):
        return False
    last = text[block[1] - 1]
    if last in ",;-\u2013&(" or text[start].islower():
        return True
    if last in ".!?:\u2026\u3002\uff01\uff1f\u061f*_\"'\u201d)]":
        return False
    # A long line without an end was wrapped by an editor; a short one is a title, an address, a line of a list.
    line_start = max(text.rfind("\n", block[0], block[1]) + 1, block[0])
    return block[1] - line_start >= _SHORTEST_WRAPPED


def _split(text: str, start: int, end: int, *, encloses: bool) -> list[Span]:
    spans = []
    at = start
    inside: list[tuple[int, int]] | None = None if encloses else []
    i = 0
    for match in _END.finditer(text, start, end):
        stop = match.end()
        if stop >= end:
            break
        if inside == [] and stop - 1 > at and _ends_plainly(text, at, stop):
            spans.append(Span(at, stop))
            at = stop + 1
            continue
        if inside is None:
            inside = [m.span() for m in _INSIDE.finditer(text, start, end)]
        while i < len(inside) and inside[i][1] <= match.start():
            i += 1
        enclosed = i < len(inside) and inside[i][0] < match.start() and inside[i][1] > stop
        if enclosed or match.start() <= at or not _ends_here(text, at, match, end):
            continue
        spans.append(Span(at, stop))
        at = stop
        while at < end and text[at].isspace():
            at += 1
    if at < end:
        spans.append(Span(at, end))
    return spans


def _ends_here(text: str, at: int, match: re.Match[str], end: int) -> bool:
    mark = match.group()
    stop = match.end()
    if _ends_plainly(text, at, stop):
        return True
    if mark[0] in _UNSPACED_ENDS:
        return not (mark[-1] in "\u300d\u300f" and text[stop] in _PARTICLES)
    if not text[stop].isspace():
        # "end.[1]Next" and "end.)Next" end a sentence; "3.5", "x.y" and "file.txt!" do not.
        return mark[-1] in "])\u3011" and len(mark) > 1 and text[stop].isupper()
    following = stop
    while following < end and (text[following].isspace() or text[following] in _OPENERS):
        following += 1
    if following >= end:
        return True
    nxt = text[following]
    if mark[0] != ".":
        # "Yahoo! is", "he asked “why?” and left"
        return not nxt.islower() and nxt not in ",;"
    if nxt.islower() and (mark.startswith("..") or (len(mark) > 1 and mark[1] in _CLOSERS)):
        return False
    return len(mark.rstrip(_CLOSERS)) != 1 or not _is_abbreviation(text, at, match.start(), following, end)


def _ends_plainly(text: str, at: int, stop: int) -> bool:
    """True for the end that most sentences have: a word that is written out, a full stop, a capital."""
    if text[stop - 1] != "." or text[stop] != " " or not text[stop + 1].isupper():
        return False
    word = text[max(at, stop - _LOOK_BACK) : stop - 1].rpartition(" ")[2]
    return len(word) > 1 and word.isalpha() and word.lower() not in _SHORTENED


def _is_abbreviation(text: str, at: int, dot: int, following: int, end: int) -> bool:
    """Whether the full stop at ``dot`` belongs to the word before it."""
    first = max(at, dot - _LOOK_BACK)
    before = text[max(first, text.rfind(" ", first, dot) + 1) : dot]
    if not before.isalpha():
        found = _WORD_BEFORE.search(text[first:dot])
        if found is None:
            return False
        before = found.group()
    word = before.lower().replace(" ", "").replace("\u00a0", "")
    nxt = text[following]
    if word.isdigit():
        return _is_ordinal(text, at, dot, len(word), following)
    if (word in BEFORE_NUMBER and nxt.isdigit()) or (word in ALWAYS and not (len(word) == 1 and before.isupper())):
        return True
    if len(word) == 1 and word.isalpha():
        return _is_initial(text, at, dot, following)
    next_word = _FIRST_WORD.match(text, following, min(following + 16, end))
    if word in BEFORE_NAME and nxt.isupper():
        return next_word is not None and next_word.group().lower() not in STARTERS
    if nxt.islower():
        # "iPhone costs …": lower case, then a capital inside the word, starts a sentence.
        starts = next_word is not None and any(c.isupper() for c in next_word.group()[1:4])
        return not starts and (word in BEFORE_LOWER or "." in word or len(word) <= _LONGEST_UNKNOWN_ABBREVIATION)
    if word in BEFORE_LOWER:
        return nxt.isdigit()
    # "z.T.", "i.V.": letters with full stops between them
    return "." in word and nxt.isalpha() and len(word) <= _LONGEST_UNKNOWN_ABBREVIATION and all(len(part) == 1 for part in word.split("."))


def _is_ordinal(text: str, at: int, dot: int, n_digits: int, following: int) -> bool:
    """"5. Januar", "der 3. Mann", and the number of a list item; not the end of "It costs 5."."""
    start = dot - n_digits
    if start == at:
        return True
    word = _FIRST_WORD.match(text, following, following + 16)
    if n_digits > 2 or word is None:
        return False
    if word.group().lower() in MONTHS or word.group()[0].islower():
        return True
    before = text[max(at, start - 8) : start].lower().split()
    return bool(before) and before[-1] in _GERMAN_ARTICLES


def _is_initial(text: str, at: int, dot: int, following: int) -> bool:
    """"J. K. Rowling", "George W. Bush", "by A. Smith"; not "plan B. Yes", "vitamin C. It"."""
    nxt = text[following]
    if not text[dot - 1].isupper():
        return not nxt.isupper()
    before = text[max(at, dot - _LOOK_BACK) : dot - 1].split()
    if not before:
        return True
    word = before[-1]
    if word.endswith(".") or (nxt.isupper() and word[:1].isupper() and word[1:].islower() and word.lower() not in LETTERED):
        return True
    name = _FIRST_WORD.match(text, following, following + 16)
    if name is None or word.lower() in LETTERED:
        return False
    if len(name.group()) == 1:
        return name.group().isupper() and text[following + 1 : following + 2] == "."
    return word.lower() in _BEFORE_INITIAL and name.group()[0].isupper() and name.group()[1:].islower() and name.group().lower() not in STARTERS
