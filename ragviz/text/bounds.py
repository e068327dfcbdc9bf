"""Words that turn a number into a bound or an estimate: "more than", "at least", "up to", "about", "or more"."""

from __future__ import annotations

import re
from enum import StrEnum

from ragviz.text.beside import word_before


class Bound(StrEnum):
    """What a number limits."""

    EXACT = "exact"
    ABOUT = "about"
    MORE = "more than"
    LESS = "less than"
    AT_LEAST = "at least"
    AT_MOST = "at most"


_BEFORE = {
    Bound.MORE: (
        "more than|over|above|greater than|higher than|larger than|longer than|older than|exceeding|exceeds|exceed|exceeded|upwards of|beyond|>"
        "|in excess of|mehr als|über|plus de|heavier than|faster than|well over|just over|slightly over|surpassing|surpassed|topped"
    ),
    Bound.LESS: (
        "less than|fewer than|under|below|lower than|smaller than|shorter than|younger than|<|weniger als|unter|moins de|well under|just under"
        "|slower than|lighter than|within"
    ),
    Bound.AT_LEAST: (
        "at least|no less than|no fewer than|not less than|not fewer than|minimum of|minimum|a minimum of|min|≥|>=|as many as|mindestens|au moins"
        "|from|at minimum|starting at|wenigstens"
    ),
    Bound.AT_MOST: (
        "at most|up to|no more than|not more than|maximum of|a maximum of|maximum|max|≤|<=|no longer than|not exceeding|not exceed|limited to"
        "|capped at|höchstens|maximal|bis zu|jusqu'à|jusqu’à|au plus|at maximum"
    ),
    Bound.ABOUT: (
        "about|around|approximately|roughly|some|circa|ca|c|~|≈|nearly|almost|close to|approx|an estimated|estimated|etwa|rund|ungefähr|fast|environ"
        "|presque|just about|near|est|approaching|more or less|knapp"
    ),
}
BEFORE: dict[str, Bound] = {phrase: bound for bound, phrases in _BEFORE.items() for phrase in phrases.split("|")}
_AFTER = {
    Bound.AT_LEAST: "or more|or above|or older|or over|or greater|or higher|or longer|and over|and above|and older|and up|or later|oder mehr|ou plus|upwards|plus|minimum",
    Bound.AT_MOST: "or less|or fewer|or under|or below|or younger|or lower|and under|and below|oder weniger|ou moins|maximum",
}
AFTER: dict[str, Bound] = {phrase: bound for bound, phrases in _AFTER.items() for phrase in phrases.split("|")}

_WORD = re.compile(r"[^\W\d_]+(?:['’]\w+)?|[<>~≈≥≤]=?")
_LAST_BEFORE = frozenset(phrase.split()[-1] for phrase in BEFORE)
"""Words of which one stands before every number that is bounded in front; looked for first, since most numbers are not."""
_MAY_FOLLOW = re.compile(rf"[ *_\u00a0]*(?:{'|'.join(sorted({phrase.split()[0] for phrase in AFTER}))})", re.IGNORECASE)
_FILLER = frozenset({"the", "a", "an", "just", "only", "well", "very", "den", "der", "die"})
_SPENT_BEFORE = frozenset({"for", "of", "is", "was", "lasted", "spanning", "with", "after", "has", "have", "had", "lasts", "takes", "took"})
_NO_BOUND_IF_DURATION = frozenset({"over", "within", "from", "über"})
LOOK_BACK = 32
LOOK_AHEAD = 18
_TAG = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9-]{0,30})(?:\s[^<>]{0,200})?/?>$")
_TAG_CHARS = 240
_IN_A_LINE = frozenset({"a", "abbr", "b", "big", "code", "em", "font", "i", "ins", "kbd", "mark", "small", "span", "strong", "u"})
"""Tags around words of a sentence; what stands in front of any other tag is another cell or paragraph."""
_LINE_BACK = 120
_STEP = re.compile(r"\w\s?>\s?\w")
_MENUS = frozenset(
    {"settings", "menu", "file", "edit", "view", "tools", "options", "preferences", "home", "account", "profile", "help", "einstellungen", "datei"}
)


def bound_before(text: str, start: int, *, duration: bool) -> tuple[Bound, int]:
    """
    The bound in front of the number at ``start``, and where its words begin (``start`` where there is none).

    "over five years" is a period, "for over five years" a bound.
    """
    at = _before_tags(text, start)
    if at is None:
        return Bound.EXACT, start
    bound, outer = _bound_before(text, at, in_words=not text[start].isdigit(), duration=duration)
    return bound, start if bound is Bound.EXACT else outer


def _before_tags(text: str, start: int) -> int | None:
    """Where tags of HTML right in front of a number begin, ``start`` where there is none; None where a cell or a paragraph begins there."""
    at = start
    while at > 1 and text[at - 1] in " >":
        end = at - 1 if text[at - 1] == " " else at
        tag = _TAG.search(text, max(0, end - _TAG_CHARS), end) if text[end - 1] == ">" else None
        if tag is None:
            break
        if tag[2].lower() not in _IN_A_LINE:
            return None
        at = tag.start()
    return at


def _compares(text: str, at: int, start: int) -> bool:
    """Whether the sign at ``at`` compares with the number at ``start``: none of an arrow, of a quoted line or of the steps through a menu does."""
    if text[at] == "<":
        return at + 1 == start or text[at + 1] not in "-="
    if text[at - 1 : at] in {"-", "=", "–", "—", ">"}:
        return False
    line = text[max(0, at - _LINE_BACK, text.rfind("\n", 0, at) + 1) : at].rstrip()
    if not line:
        return at + 1 == start or "\n" not in text
    return _STEP.search(line) is None and line.rpartition(" ")[2].lower() not in _MENUS


def _bound_before(text: str, start: int, *, in_words: bool, duration: bool) -> tuple[Bound, int]:
    at = start
    word = word_before(text, at)
    while word in _FILLER:
        at -= len(word) + 1
        word = word_before(text, at)
    if word and word not in _LAST_BEFORE:
        return Bound.EXACT, start
    back = text[max(0, start - LOOK_BACK) : start]
    if not word and _LAST_BEFORE.isdisjoint(_WORD.findall(back.lower())):
        return Bound.EXACT, start
    words = [(m.start(), m.group().lower()) for m in _WORD.finditer(back)]
    if not words or ";" in back[words[-1][0] :] or "," in back[words[-1][0] :]:
        return Bound.EXACT, start
    while len(words) > 1 and words[-1][1] in _FILLER:
        words.pop()
    if words[-1][1] not in _LAST_BEFORE:
        return Bound.EXACT, start
    for n in (3, 2, 1):
        if len(words) < n:
            continue
        phrase = " ".join([w for _, w in words[-n:]])
        bound = BEFORE.get(phrase)
        if bound is None:
            continue
        if phrase == "from" or (duration and phrase in _NO_BOUND_IF_DURATION):
            before = words[-n - 1][1] if len(words) > n else ""
            if phrase == "from" or before not in _SPENT_BEFORE:
                continue
        if n == 1 and phrase in {"more", "c", "est", "fast", "some", "near"} and in_words:
            continue
        if phrase in {"<", ">"} and not _compares(text, start - len(back) + words[-1][0], start):
            return Bound.EXACT, start
        return bound, start - len(back) + words[-n][0]
    return Bound.EXACT, start


def bound_after(text: str, end: int) -> tuple[Bound, int]:
    """The bound behind the number ending at ``end``, and where its words end."""
    if text[end : end + 1] == "+":
        return Bound.AT_LEAST, end + 1
    if _MAY_FOLLOW.match(text, end) is None:
        return Bound.EXACT, end
    words = list(_WORD.finditer(text[end : end + LOOK_AHEAD]))[:2]
    if not words or text[end : end + words[0].start()].strip(" *_\u00a0"):
        return Bound.EXACT, end
    for n in (2, 1):
        if len(words) >= n:
            bound = AFTER.get(" ".join(w.group().lower() for w in words[:n]))
            if bound is not None:
                return bound, end + words[n - 1].end()
    return Bound.EXACT, end
