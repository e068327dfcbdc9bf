"""Lists of "thing: value": what stands under one is not said of the other, and "non-" makes another thing."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from ragviz.consistency import Findings
from ragviz.consistency.analysis import Analysis
from ragviz.judges.local_rules.tabled import Tabled
from ragviz.records import Clash, ClashKind, Span
from ragviz.text.tokens import STEMS, STOP_WORDS

MAX_CHARS = 20_000
MAX_ENTRIES = 40
_ENTRY = re.compile(r"(?:^|(?<=[.;!?] )|(?<=\n))[ \t>*•·-]*([^\W\d_][^.:;!?|\n]{1,50}?)[ \t*]*:[ \t*]+([^.:;|\n]{2,120}?)(?=\.(?:\s|$)|;|\n|$)", re.MULTILINE)
_WORD = re.compile(r"[^\W_]+(?:[-‐‑][^\W_]+)*")
_NON = re.compile(r"^(?:non|not)[-‐‑]?(?=\w{4})", re.IGNORECASE)
_DENIES = re.compile(r"\b(?:no|not|none|never|without|except|only)\b|n['’]t\b", re.IGNORECASE)
_ASIDE = frozenset(
    {"go", "goes", "need", "needs", "use", "uses", "get", "gets", "take", "put", "belong", "belongs", "wear", "wears", "receive", "have", "has", "must", "come"}
)


class Entry(NamedTuple):
    """One entry."""

    label: frozenset[str]
    value: tuple[tuple[str, int, int], ...]
    """Stem, begin and end of each word of content."""


def by_entry(text: str, claim: Analysis, premise: str) -> Tabled | None:
    """"Residents need the white sticker" of "Residents: green sticker. Non-residents: white sticker."; None where no such list decides."""
    if premise.count(":") < 2 or any(claim.lowers[cue.at] != "non" for cue in claim.cues):
        return None
    found = entries(premise)
    said = _stems(text)
    named = [entry for entry in found if entry.label and entry.label <= said]
    # "Adults" is named, and "Adults over 60" with it: the longer label is meant.
    named = [entry for entry in named if not any(entry.label < other.label for other in named)]
    if len(named) != 1 or len(found) < 2:
        return None
    own = named[0]
    theirs = {stem for stem, _, _ in own.value}
    rest = said - own.label
    if theirs and rest <= theirs | _STEMS_ASIDE and rest & theirs:
        return Tabled(True, rest - _STEMS_ASIDE <= theirs, None)
    for other in found:
        if other is own or len(other.value) != len(own.value):
            continue
        apart = [n for n, (a, b) in enumerate(zip(own.value, other.value, strict=True)) if a[0] != b[0]]
        alike = {a[0] for n, a in enumerate(own.value) if n not in apart}
        taken = [n for n in apart if other.value[n][0] in rest - theirs]
        # Entries of one form, told apart by a word or two: the claim has the other's word, and what stands beside it.
        if not taken or not alike & rest or len(apart) > len(own.value) / 2 or any(own.value[n][0] in rest for n in apart):
            continue
        at = next((m for m in _WORD.finditer(text) if _stem(m[0]) == other.value[taken[0]][0]), None)
        if at is None:
            continue
        _, start, end = own.value[taken[0]]
        span = Span(start, end)
        clash = Clash(kind=ClashKind.ANTONYM, hypothesis_span=Span(*at.span()), premise_span=span, hypothesis_value=at[0], premise_value=span.of(premise))
        return Tabled(False, True, Findings(clashes=(clash,), alignment=1.0, coverage=1.0, certain=True))
    return None


@lru_cache(maxsize=2048)
def entries(text: str) -> tuple[Entry, ...]:
    """The entries of a text."""
    out = []
    for match in _ENTRY.finditer(text[:MAX_CHARS]):
        label = _stems(match[1])
        value = tuple((_stem(m[0]), match.start(2) + m.start(), match.start(2) + m.end()) for m in _WORD.finditer(match[2]) if m[0].lower() not in STOP_WORDS)
        if 0 < len(label) <= 4 and value and _DENIES.search(match[2]) is None:
            out.append(Entry(label, value))
    return tuple(out[:MAX_ENTRIES])


@lru_cache(maxsize=8192)
def _stems(text: str) -> frozenset[str]:
    return frozenset(_stem(w) for w in _WORD.findall(text) if w.lower() not in STOP_WORDS)


def _stem(word: str) -> str:
    lower = word.lower()
    other = _NON.match(lower)
    return f"non-{STEMS[lower[other.end() :]]}" if other is not None else STEMS[lower]


_STEMS_ASIDE = frozenset(STEMS[w] for w in _ASIDE)
