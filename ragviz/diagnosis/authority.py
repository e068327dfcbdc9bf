"""How far a source can be trusted: authority and date, from metadata or from rules a person sets."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fnmatch import fnmatchcase

import msgspec

from ragviz.records import Passage, Trace

AUTHORITY_RANKS = {
    "official": 3, "primary": 3, "authoritative": 3,
    "secondary": 2, "partner": 2,
    "forum": 1, "community": 1, "mirror": 1, "unofficial": 1,
}
"""Words in a passage's authority or source, best first. A passage whose words are unknown is not ranked at all."""


class AuthorityRule(msgspec.Struct, frozen=True, kw_only=True):
    """A person's word on a group of sources: "everything under wiki.example.org is a mirror"."""

    pattern: str
    """Shell pattern on document id, source or title, case ignored: ``*mirror*``."""
    authority: str
    """A word of ``AUTHORITY_RANKS``."""


def authority_rank(passage: Passage) -> int | None:
    """How authoritative a passage is: 3 official, 2 secondary, 1 forum or mirror; None when its metadata does not tell."""
    stated = " ".join(word for word in (passage.authority, passage.metadata.get("authority")) if word)
    # What is said of authority goes before what the source is called; "unofficial mirror" holds no word "official", the worst word decides.
    for text in (stated, " ".join(word for word in (passage.source, passage.metadata.get("source")) if word)):
        words = set(re.findall(r"[a-z]+", text.casefold()))
        known = [rank for word, rank in AUTHORITY_RANKS.items() if word in words]
        if known:
            return min(known)
    return None


def dated(passage: Passage) -> str | None:
    """The date a passage is effective from, as ISO text that sorts; None when unknown."""
    date = passage.effective_date or passage.metadata.get("effective_date")
    return date if date and re.match(r"\d{4}", date) else None


def apply_rules(trace: Trace, rules: Sequence[AuthorityRule]) -> Trace:
    """The trace with the authority of its passages as the rules say; the last rule that fits wins, others keep their own."""
    if not rules or not trace.passages:
        return trace
    return msgspec.structs.replace(trace, passages=tuple(apply_to(trace.passages, rules)))


def apply_to(passages: Sequence[Passage], rules: Sequence[AuthorityRule]) -> list[Passage]:
    """The same for passages that belong to no trace."""
    return [_ruled(p, rules) for p in passages] if rules else list(passages)


def _ruled(passage: Passage, rules: Sequence[AuthorityRule]) -> Passage:
    names = [n.casefold() for n in (passage.matching_id, passage.source or passage.metadata.get("source"), passage.title) if n]
    fitting = [rule for rule in rules if any(fnmatchcase(name, rule.pattern.casefold()) for name in names)]
    return msgspec.structs.replace(passage, authority=fitting[-1].authority) if fitting else passage
