"""
A quoted string, found again in its passage.

Tried in this order: exact, folded (case, quotes, dashes, spaces, ligatures, markdown, invisible characters), in pieces around an
ellipsis, fuzzy (a few mistyped characters). A quote that was bent until it says something else is not found: numbers and negations
must agree, and an ellipsis may not swallow a "not" or an "except".
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from ragviz.evidence.near_quotes import find_near
from ragviz.records import MatchTier, Span
from ragviz.text.normalize import Folded, fold
from ragviz.text.polarity import negations
from ragviz.text.sentences import sentence_spans
from ragviz.text.tokens import content_stems, lower_words


class Located(NamedTuple):
    """Where a quote stands: one span, or one for each piece around an ellipsis; ``premise[span]`` is what to show."""

    spans: tuple[Span, ...]
    tier: MatchTier


_ELLIPSIS = re.compile(r"\s*(?:\[\s*(?:\.{3}|\u2026)\s*\]|\(\s*(?:\.{3}|\u2026)\s*\)|\.{3,}|(?:\.\s){2,}\.|\u2026)\s*")
_WRAPPING = " \t\r\n\"'\u201c\u201d\u201e\u2018\u2019\u00ab\u00bb\u300c\u300d"
_EXCEPTION = re.compile(
    r"\b(?:except|excluding|unless|but|only|if|other than|apart from|rather than|instead of|until|provided|however|al(?:though|beit)|despite"
    r"|au\u00dfer|ausgenommen|sofern|wenn|falls|nur|sondern|statt|jedoch|sauf|\u00e0 moins|seulement|salvo|excepto|solo|sino|si)\b",
    re.IGNORECASE,
)
_UNSPACED = re.compile("[\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")
_SENTENCE_END = re.compile("[.!?\n\u3002\uff01\uff1f]")
_MOST_PLACES = 10_000
_MOST_STARTS = 32
_WHOLE_SENTENCE_GAP = 2_000


def find_quote(quote: str, premise: str) -> Located | None:
    """
    The place of a quote in a passage.

    A quote may be cut at words only: "5 days" does not stand in "15 days". Of several places the first is given.

    Returns:
        None when the passage does not hold the quote, or holds it only by leaving out what turns its meaning.
    """
    needle = quote.strip()
    if not premise or not any(map(str.isalnum, needle)):  # a full stop stands in every passage and shows nothing
        return None
    for words in dict.fromkeys((needle, needle.strip(_WRAPPING))):
        if words and (at := _first(words, premise)) is not None:
            return Located((Span(at, at + len(words)),), MatchTier.EXACT)
    folded = fold(premise)
    wanted = fold(needle.strip(_WRAPPING)).text
    if not wanted:
        return None
    at = _first(wanted, folded.text)
    if at is not None:
        return Located((folded.original(Span(at, at + len(wanted))),), MatchTier.FOLDED)
    pieces = [piece for piece in (fold(part.strip(_WRAPPING + ",;:")).text for part in _ELLIPSIS.split(needle)) if piece]
    if len(pieces) > 1:
        return _in_pieces(pieces, folded, needle, premise)
    near = find_near(pieces[0] if pieces else wanted, folded.text)
    return None if near is None else Located((folded.original(near),), MatchTier.FUZZY)


def shows_something(quote: str, premise: str) -> bool:
    """
    False for a quote of function words alone, such as "the": it stands in nearly every passage. A "No" that is all of the premise, or denies,
    says something.
    """
    words = lower_words(quote)
    return not words or bool(content_stems(quote)) or bool(negations(quote)) or quote.strip(_WRAPPING + ".!") == premise.strip(_WRAPPING + ".!")


def _first(needle: str, text: str) -> int | None:
    return next(_places(needle, text), None)


def _places(needle: str, text: str, start: int = 0) -> Iterator[int]:
    """Where ``needle`` stands with its ends at word borders."""
    at = text.find(needle, start)
    tried = 0
    while at >= 0 and tried < _MOST_PLACES:
        if _is_border(text, at, at, needle[0]) and _is_border(text, at + len(needle), at + len(needle) - 1, needle[-1]):
            yield at
        at = text.find(needle, at + 1)
        tried += 1


def _is_border(text: str, cut: int, inside: int, edge: str) -> bool:
    """Whether a quote may begin or end at ``cut``; ``inside`` is the index of its outermost character ``edge``."""
    outside = cut - 1 if inside == cut else cut
    if not 0 <= outside < len(text) or not edge.isalnum():
        return True
    other = text[outside]
    if other.isalnum() or other == "_":
        return bool(_UNSPACED.match(other) or _UNSPACED.match(edge)) and not (edge.isdigit() and other.isdigit())
    if edge.isdigit():
        beyond = outside - 1 if outside < inside else outside + 1
        joined = text[beyond] if 0 <= beyond < len(text) else " "
        if other in ".,:/" and joined.isdigit():
            return False  # "30" in "30.5", "410" in "1,410"
        return not (other in "-\u2212" and outside < inside and not joined.isalnum())  # "5" in "-5"
    return True


def _in_pieces(pieces: list[str], folded: Folded, quote: str, premise: str) -> Located | None:
    """The pieces in order, with nothing between them that turns the meaning."""
    for tried, start in enumerate(_places(pieces[0], folded.text)):
        if tried >= _MOST_STARTS:
            return None
        spans = [Span(start, start + len(pieces[0]))]
        for piece in pieces[1:]:
            at = next(_places(piece, folded.text, spans[-1].end), None)
            if at is None:
                return None  # a later start of the first piece leaves even less text
            if not _may_leave_out(premise, folded.original(spans[-1]), folded.original(Span(at, at + len(piece)))):
                break
            spans.append(Span(at, at + len(piece)))
        else:
            found = tuple(folded.original(span) for span in spans)
            verbatim = all(span.of(premise) in quote for span in found)
            return Located(found, MatchTier.EXACT if verbatim else MatchTier.FOLDED)
    return None


def _may_leave_out(premise: str, before: Span, after: Span) -> bool:
    """Whether the gap between two pieces changes nothing in what they say together."""
    gap = premise[before.end : after.start]
    if len(gap) > _WHOLE_SENTENCE_GAP:
        return _ends_sentence(premise, before) and _starts_sentence(premise, after)
    around = premise[max(0, before.end - 40) : after.start + 1].strip()
    if _SENTENCE_END.search(premise, before.end - 1, after.start) and len(sentence_spans(around)) > 1:
        # "The motor … weighs 4.1 kg" would join two sentences into one that nobody wrote.
        return _ends_sentence(premise, before) and _starts_sentence(premise, after)
    return not negations(gap) and not _EXCEPTION.search(gap)


def _ends_sentence(text: str, piece: Span) -> bool:
    return bool(_SENTENCE_END.search(text, piece.end - 1, min(len(text), piece.end + 1)))


def _starts_sentence(text: str, piece: Span) -> bool:
    before = text[max(0, piece.start - 20) : piece.start].rstrip(" \t\"'\u201c(")
    return not before or bool(_SENTENCE_END.match(before[-1]))
