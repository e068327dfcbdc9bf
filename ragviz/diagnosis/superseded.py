"""Sources that are no longer in force: by their own words, by their metadata, or because a newer revision of the same document says something else."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable
from datetime import datetime

from ragviz.consistency import check
from ragviz.diagnosis.authority import dated
from ragviz.diagnosis.wording import sentences_of, share_of_words, stems_of
from ragviz.records import Passage, Span
from ragviz.text.lexical import overlap
from ragviz.text.sentences import sentence_spans

STATED_FROM = 0.8
"""Share of a claim's words that one sentence must hold to count as stating it."""
SAME_SUBJECT_FROM = 0.5
"""Share of a claim's words that a newer revision must hold to be about the same thing: long documents are cut, and share their title."""
MOST_QUOTED = 120

_PAST = r"(?:replaced|superseded|withdrawn|retired|archived|deprecated|discontinued|repealed|revoked)"
_STALE = r"(?:out of date|outdated|obsolete|superseded|deprecated|archived|of historical interest only)"
_OWN = re.compile(
    r"\b(?:this|the present)\s+(?:\w+\s+)?(?:page|text|document|article|version|revision|edition|policy|notice|guide|leaflet|information|entry|manual|chapter|section|price list|terms)\b"
    r"(?:\s+(?:of|from|about|on|for|in)\s+(?:\w+\s+){0,3}?\w+)?\s+"
    rf"(?:(?:was|were|is|has been|have been)\s+(?:since\s+|now\s+|already\s+|recently\s+)?{_PAST}|(?:is|are)\s+(?:now\s+)?{_STALE}"
    r"|(?:is|are)\s+(?:only\s+|now\s+)?kept\s+(?:only\s+)?(?:for (?:reference|the record|historical|archiv\w+)|as (?:a record|an archive))"
    r"|(?:is|are|does|do)\s+no longer\b|no longer\s+(?:applies|apply)|[^.!?]{0,80}[;,]\s+it no longer (?:applies|is valid)|(?:applied|was valid|was in force) (?:only )?until\b)"
    r"|\b(?:diese|dieser|dieses)\s+(?:seite|text|dokument|artikel|fassung|version|richtlinie)\s+(?:wurde\b[^.!?]{0,40}\b(?:ersetzt|abgelöst|zurückgezogen|archiviert)|ist\s+(?:veraltet|überholt|nicht mehr (?:gültig|aktuell))|gilt nicht mehr)"
    r"|\b(?:cette|ce)\s+(?:page|texte|document|article|version|notice)\s+(?:a été\s+(?:remplacée?|retirée?|archivée?|abrogée?)|est\s+(?:obsolète|périmée?)|n['’]est plus\s+(?:valable|valide|en vigueur|à jour))",
    re.IGNORECASE,
)
_STATES = frozenset({"archived", "superseded", "deprecated", "obsolete", "withdrawn", "expired", "outdated", "retired", "replaced"})
_STATE_KEYS = ("status", "state", "lifecycle")
_SUCCESSOR_KEYS = ("superseded_by", "replaced_by")
_END_KEYS = ("valid_until", "valid_to", "expires", "expires_at", "expiry_date", "end_date")
_PAST_ASKED = re.compile(
    r"\b(?:used to|formerly|previously|historical(?:ly)?|at that time|back then|(?:old|earlier|previous|former|archived) (?:version|terms|policy|policies|price|prices|rules?|page)|(?:in|before|until|as of|during) (?:19|20)\d\d)\b",
    re.IGNORECASE,
)


def own_word(passage: Passage, *, asked_at: datetime | None = None) -> str | None:
    """
    What a passage or its metadata says of being out of force, for people; None when nothing does.

    Args:
        passage: Its text is searched for a sentence about itself ("this page was replaced"), its metadata for a state, a successor and an end date.
        asked_at: When the question was asked: an end date after that is no fault.
    """
    said = _sentence_about_itself(passage.text)
    if said:
        return f"it says “{said if len(said) <= MOST_QUOTED else said[: MOST_QUOTED - 1] + '…'}”"
    for key in _STATE_KEYS:
        state = passage.metadata.get(key, "").strip().casefold()
        if state in _STATES:
            return f"its {key} is {state}"
    successor = next((passage.metadata[key].strip() for key in _SUCCESSOR_KEYS if passage.metadata.get(key, "").strip()), "")
    if successor:
        return f"it is replaced by {successor[:MOST_QUOTED]}"
    if asked_at is not None:
        for key in _END_KEYS:
            end = passage.metadata.get(key, "").strip()[:10]
            if re.fullmatch(r"\d{4}-\d\d-\d\d", end) and end < asked_at.date().isoformat():
                return f"it was valid until {end}"
    return None


@functools.lru_cache(maxsize=1_024)
def _sentence_about_itself(text: str) -> str:
    found = _OWN.search(text)
    if found is None:
        return ""
    sentence = next((s for s in sentence_spans(text) if s.start <= found.start() < s.end), Span(found.start(), found.end()))
    return " ".join(sentence.of(text).split())


def asks_of_the_past(question: str) -> bool:
    """True when a question wants to know what once was: an archived page is then the right source."""
    return _PAST_ASKED.search(question) is not None


def newer_revisions(passage: Passage, among: Iterable[Passage]) -> list[Passage]:
    """Passages with the same title and a later effective date, newest first; [] where title or date is unknown."""
    title, date = title_key(passage), dated(passage)
    if not title or date is None:
        return []
    later = [(when, p) for p in among if p.text != passage.text and title_key(p) == title and (when := dated(p)) is not None and when > date]
    return [p for _, p in sorted(later, key=lambda pair: pair[0], reverse=True)]


def title_key(passage: Passage) -> str:
    """What two revisions of one document have in common; "" without a title."""
    return " ".join((passage.title or "").casefold().split())


def is_about(claim: str, passage: str) -> bool:
    """True when a passage speaks of what a claim speaks of, whatever it says."""
    return share_of_words(claim, passage) >= SAME_SUBJECT_FROM


def states(claim: str, passage: str) -> bool:
    """True when one sentence of a passage holds nearly all words of a claim, with no detail that is missing, different or left out."""
    wanted = stems_of(claim)
    for span, stems in sentences_of(passage):
        if (overlap(wanted, stems) or 0.0) >= STATED_FROM:
            sentence = span.of(passage)
            found = check(claim, sentence)
            if not found.clashes and not found.dropped and not found.n_missing:
                return True
    return False
