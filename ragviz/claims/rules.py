"""Atomic claims by rules: sentences, then clauses. No model."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ragviz.claims.clauses import clauses
from ragviz.claims.layout import Unit, trimmed, units
from ragviz.claims.subjects import Subject, has_verb, leading_pronoun_verb, subject_of
from ragviz.records import Claim, Side, Span, Trace
from ragviz.records.span import merged
from ragviz.text.citation_marks import citation_marks, trailing_sources
from ragviz.text.courtesies import is_referral
from ragviz.text.idle import is_idle
from ragviz.text.markup import markup
from ragviz.text.polarity import is_refusal
from ragviz.text.refusals import refusal_sentences

_WORD = re.compile(r"[^\W_]")
_YES_NO = re.compile(r"\W*(?:yes|no|ja|nein|oui|non|s\u00ed|si)\W*", re.IGNORECASE)
_SPACE_BEFORE_STOP = re.compile(r"\s+(?=[,;.:!?])")
_SPACES = re.compile(r"\s+")


@dataclass(frozen=True, kw_only=True)
class RulesExtractor:
    """
    Sentences, then clauses, with exact spans; citations, greetings, wishes, announcements, questions, headings, refusals and source lists are no claims,
    nor is a sentence that only sends on to somebody ("Please call our customer service."), unless an answer has nothing else.

    Claims that are stored stay as they were split: judgements and people's words belong to them. A run imported anew is split by this version.

    A claim's text is what its spans show, but for three safe completions: a leading pronoun or a missing subject is replaced by the
    subject of the clause before ("it is free" becomes "Express shipping is free"), a list item gets the words that lead in its list,
    a table row its column titles.
    """

    name: str = "rules"
    version: str = "2"
    as_answers: bool = False
    """Take every text for an answer: a person said that it is no refusal."""

    def extract(self, traces: Sequence[Trace], *, side: Side) -> list[list[Claim]]:
        """Claims of that side of each trace."""
        return [self._claims(trace, side) for trace in traces]

    def _claims(self, trace: Trace, side: Side) -> list[Claim]:
        text = trace.response if side is Side.RESPONSE else trace.reference or ""
        if not text.strip() or (is_refusal(text) and not self.as_answers):
            return []
        names = {name for p in trace.passages or () for name in (p.id, p.doc_id, p.title, p.source) if name} if side is Side.RESPONSE else set()
        letter = "c" if side is Side.RESPONSE else "r"
        return [
            Claim(id=f"{letter}{n}", trace_id=trace.id, side=side, text=words, spans=spans, extractor=self.name)
            for n, (words, spans) in enumerate(statements(text, names, as_answer=self.as_answers), start=1)
        ]


def statements(text: str, names: set[str] | None = None, *, as_answer: bool = False) -> list[tuple[str, tuple[Span, ...]]]:
    """
    Text and spans of every statement, in order; spans ascend and do not overlap.

    Args:
        text: An answer or a reference.
        names: Ids and titles that count as citations where they stand in brackets.
        as_answer: Sentences that sound like declining state something too.
    """
    sources = trailing_sources(text)
    end = sources.start if sources else len(text)
    marks = merged([*(mark.span for mark in citation_marks(text, names or ())), *markup(text)])
    declined, stated = ([], []) if as_answer else refusal_sentences(text)
    found: list[tuple[str, tuple[Span, ...]]] = []
    answers: list[tuple[str, tuple[Span, ...]]] = []
    referrals: list[tuple[str, tuple[Span, ...]]] = []
    before: Subject | None = None
    at = at_stated = 0
    for unit in units(text, end):
        while at < len(marks) and marks[at].end <= unit.span.start:
            at += 1
        while declined and at_stated < len(stated) and stated[at_stated].end <= unit.span.start:
            at_stated += 1
        inside = []
        i = at
        while i < len(marks) and marks[i].start < unit.span.end:
            inside.append(marks[i])
            i += 1
        if unit.cells:
            found.extend(_row(text, unit))
            before = None
            continue
        if not declined and not found and is_referral(unit.span.of(text)):
            referrals.append((unit.span.of(text), (unit.span,)))
        for words, spans, subject in _of_unit(text, unit, inside, stated[at_stated : at_stated + 8] if declined else None, before):
            (answers if _YES_NO.fullmatch(words) else found).append((words, spans))
            before = subject
    return found or answers or referrals


def _of_unit(
    text: str, unit: Unit, marks: list[Span], stated: list[Span] | None, before: Subject | None
) -> Iterator[tuple[str, tuple[Span, ...], Subject | None]]:
    """The statements of one sentence."""
    # Citations and markup are blanked, not cut out, so that every offset stays true while the grammar sees none of them.
    words = list(unit.span.of(text))
    for mark in marks:
        for i in range(max(0, mark.start - unit.span.start), min(len(words), mark.end - unit.span.start)):
            words[i] = " "
    sentence = "".join(words)
    if is_idle(sentence) and not _YES_NO.fullmatch(sentence):
        return
    for clause in clauses(sentence):
        place = trimmed(sentence, clause.span)
        if place is None or not _WORD.search(place.of(sentence)):
            continue
        here = place.shift(unit.span.start)
        if (stated is not None and not any(s.overlaps(here) for s in stated)) or (is_idle(place.of(sentence)) and not _YES_NO.fullmatch(place.of(sentence))):
            continue
        shown = _SPACE_BEFORE_STOP.sub("", _SPACES.sub(" ", place.of(sentence))) if marks else place.of(sentence)
        complete = clause.complete(shown)
        if clause.subject is None and before is not None and not unit.is_item:
            complete = _with_subject(complete, before)
        if unit.prefix and not has_verb(shown):
            complete = f"{unit.prefix} {shown}"
        subject = subject_of(complete) or (before if complete != shown else None)
        yield complete, _pieces(place.shift(unit.span.start), marks, text), subject


def _with_subject(words: str, before: Subject) -> str:
    verb = leading_pronoun_verb(words)
    if verb is None or not before.agrees(verb.pronoun, verb.verb):
        return words
    return f"{before.text}{words[verb.pronoun_end :]}"


def _pieces(place: Span, marks: list[Span], text: str) -> tuple[Span, ...]:
    """What is left of a span when the citation marks are taken out of it."""
    found = []
    start = place.start
    for mark in [*(m for m in marks if m.overlaps(place)), None]:
        end = mark.start if mark else place.end
        while start < end and (text[start].isspace() or text[start] in ",;"):
            start += 1
        while end > start and text[end - 1].isspace():
            end -= 1
        if end > start and _WORD.search(text, start, end):
            found.append(Span(start, end))
        start = mark.end if mark else place.end
    return tuple(found) or (place,)


def _row(text: str, unit: Unit) -> list[tuple[str, tuple[Span, ...]]]:
    """One claim for each cell beside the first, which names the row: "Pro: Price 5 €"."""
    first = unit.cells[0][1].of(text).strip("*_ ")
    found: list[tuple[str, tuple[Span, ...]]] = []
    for title, place in unit.cells[1:]:
        if _WORD.search(place.of(text)):
            found.append((f"{first}: {title} {place.of(text)}".replace("  ", " "), (place,)))
    return found or [(first, (unit.cells[0][1],))]
