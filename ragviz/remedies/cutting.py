"""
Claims cut out of an answer: whole sentences, or whole clauses where the rest still stands; every other character keeps its place.

What is left is the old text with stretches missing. One letter may change: the first of a clause that now begins its sentence.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from typing import NamedTuple

from ragviz.records import Span
from ragviz.records.span import merged
from ragviz.text.sentences import sentence_spans


class Piece(NamedTuple):
    """A claim where it stands in the answer."""

    claim_id: str
    text: str
    """Self-contained wording."""
    spans: tuple[Span, ...]
    bad: bool
    """To be taken out."""


class Cut(NamedTuple):
    """The answer without its bad claims."""

    text: str
    gone: tuple[Span, ...]
    """Stretches of the old text that are missing, ascending."""
    capital_at: tuple[int, ...]
    """Places of the old text whose letter became a capital."""
    removed: tuple[str, ...]
    lost: tuple[str, ...]
    """Claims that were not bad and had to go with a sentence that cannot be parted."""
    not_placed: tuple[str, ...]
    """Bad claims that have no place in the answer, so nothing can be cut."""
    doubts: tuple[str, ...]

    def moved(self, span: Span) -> Span | None:
        """Where a stretch of the old text now stands; None when any of it is gone."""
        if any(span.overlaps(gone) for gone in self.gone):
            return None
        return span.shift(-sum(len(gone) for gone in self.gone if gone.end <= span.start))


_MARKS = r"(?:\s*(?:\[[^\[\]\n]{1,60}\](?:\([^()\s]*\))?|\((?:source|doc|document|passage|ref)s?\.?[^()\n]{0,40}\)))*"
_MARKS_AFTER = re.compile(_MARKS, re.IGNORECASE)
_JOINT = re.compile(
    r"\s*[,;:]?\s*(?:[\u2013\u2014]\s*)?(?:(?:and|but|while|whereas|yet|though|although|und|aber|während|jedoch|et|mais|y|pero|e|ma)\b)?\s*", re.IGNORECASE
)
_END = re.compile(r"[\s.!?\u2026\u3002\uff01\uff1f\"'\u201c\u201d\u2019)]*")
_LEANS_BACK = re.compile(
    r"(?:it|its|they|their|them|these|those|this|that|he|she|his|her|such|both|the latter|the former|however|therefore|instead|otherwise|also"
    r"|besides|thus|so|then"
    r"|er|sie|es|diese[rsmn]?|dies|jedoch|deshalb|stattdessen|auch|il|elle|ils|elles|cela|ceci|toutefois|donc|esto|esta|este|ello|sin embargo)\b",
    re.IGNORECASE,
)
_EMPTY_LINE_BEFORE = re.compile(r"\n\r?\n$")
_BULLET = re.compile(r"(?:[-*\u2022+]|\d{1,3}[.)])\s+")


def cut_out(text: str, pieces: Sequence[Piece]) -> Cut:
    """
    The answer without the bad pieces.

    A sentence whose claims are all bad goes whole, with its citation marks. In a mixed sentence a bad clause goes where joints ("and", "but",
    a semicolon) set it off and what stays can be read alone; where they do not, the whole sentence goes, and its other claims are ``lost``.
    """
    placed = [piece for piece in pieces if piece.spans]
    gone: list[Span] = []
    capitals: list[int] = []
    lost: list[str] = []
    doubts: list[str] = []
    before_gone = False
    for sentence in sentence_spans(text):
        inside = sorted((p for p in placed if any(s.overlaps(sentence) for s in p.spans)), key=lambda p: p.spans[0])
        if not any(p.bad for p in inside):
            words = _BULLET.sub("", sentence.of(text), count=1)
            if before_gone and _LEANS_BACK.match(words):
                doubts.append(f"“{_short(words)}” began by pointing to what was removed before it")
            before_gone = False
            continue
        parts = _clauses_to_cut(text, sentence, inside) if not all(p.bad for p in inside) else None
        if parts is None:
            lost += [p.claim_id for p in inside if not p.bad]
            gone.append(_with_space(text, sentence))
            before_gone = True
        else:
            gone += parts[0]
            capitals += parts[1]
            before_gone = inside[-1].bad
    cuts = merged(gone)
    return Cut(
        text=_without(text, cuts, capitals), gone=tuple(cuts), capital_at=tuple(capitals), removed=tuple(dict.fromkeys(p.claim_id for p in placed if p.bad)),
        lost=tuple(dict.fromkeys(lost)), not_placed=tuple(p.claim_id for p in pieces if p.bad and not p.spans), doubts=tuple(doubts),
    )


def _clauses_to_cut(text: str, sentence: Span, inside: Sequence[Piece]) -> tuple[list[Span], list[int]] | None:
    """Stretches to take out of a mixed sentence, and letters to raise; None where it cannot be parted."""
    spans = [p.spans[0] for p in inside]
    if any(len(p.spans) != 1 or not sentence.contains(p.spans[0]) for p in inside) or any(a.end > b.start for a, b in itertools.pairwise(spans)):
        return None
    ends = [_after_marks(text, span.end, sentence.end) for span in spans]
    if any(_JOINT.fullmatch(text, end, span.start) is None for end, span in zip(ends, spans[1:], strict=False)):
        return None
    first_kept = next(i for i, p in enumerate(inside) if not p.bad)
    if first_kept and not _stands_alone(inside[first_kept], text):
        return None
    cuts = [Span(spans[0].start, spans[first_kept].start)] if first_kept else []
    last_kept = max(i for i, p in enumerate(inside) if not p.bad)
    for i in range(first_kept + 1, len(inside)):
        if not inside[i].bad:
            if inside[i - 1].bad and not _stands_alone(inside[i], text):
                return None
            continue
        # Marks at the very end of a sentence speak for all of it, unless the clause that stays has its own.
        shared = i == len(inside) - 1 and ends[last_kept] == spans[last_kept].end and _END.fullmatch(text, ends[i], sentence.end)
        cuts.append(Span(ends[i - 1], spans[i].end if shared else ends[i]))
    starts_sentence = first_kept and not _BULLET.sub("", text[sentence.start : spans[0].start], count=1).strip()
    raised = [spans[first_kept].start] if starts_sentence and text[spans[first_kept].start].islower() else []
    return cuts, raised


def _stands_alone(piece: Piece, text: str) -> bool:
    """True when the clause says by itself all that the claim says: no subject or pronoun was filled in from elsewhere."""
    return " ".join(piece.text.split()).casefold().strip(".") == " ".join(piece.spans[0].of(text).split()).casefold().strip(".")


def _after_marks(text: str, at: int, limit: int) -> int:
    found = _MARKS_AFTER.match(text, at, limit)
    return found.end() if found else at


def _with_space(text: str, sentence: Span) -> Span:
    """The sentence with the white space that goes with it, so that neither a double space nor an empty line is left."""
    start, end = sentence.start, sentence.end
    while end < len(text) and text[end] in " \t\u00a0":
        end += 1
    alone = start == 0 or text[start - 1] == "\n" or not text[text.rfind("\n", 0, start) + 1 : start].strip()
    if end < len(text) and text[end] not in "\r\n":
        return Span(start, end)
    if not alone:
        while start and text[start - 1] in " \t\u00a0":
            start -= 1
        return Span(start, sentence.end)
    start = text.rfind("\n", 0, start) + 1
    if end < len(text):
        end = _past_line_end(text, end)
        # Of the two empty lines around a paragraph that is gone, one is left.
        paragraph = start == 0 or _EMPTY_LINE_BEFORE.search(text, max(0, start - 4), start) is not None
        return Span(start, _past_line_end(text, end) if paragraph and text[end : end + 1] in ("\r", "\n") else end)
    while start and text[start - 1] in " \t\r\n":
        start -= 1
    return Span(start, end)


def _past_line_end(text: str, at: int) -> int:
    return at + (2 if text[at : at + 2] == "\r\n" else 1)


def _without(text: str, gone: Sequence[Span], capitals: Sequence[int]) -> str:
    letters = list(text)
    for at in capitals:
        raised = letters[at].upper()
        letters[at] = raised if len(raised) == 1 else letters[at]
    kept, at = [], 0
    for span in gone:
        kept.append("".join(letters[at : span.start]))
        at = span.end
    return "".join([*kept, "".join(letters[at:])])


def _short(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= 60 else flat[:59].rstrip() + "…"
