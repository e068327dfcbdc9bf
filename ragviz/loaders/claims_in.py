"""Claims that came with a file, in the shapes of several tools."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ragviz.loaders.cells import is_null, number, structure, text_of, words
from ragviz.loaders.passages import facts_of
from ragviz.loaders.verdict_words import verdict_of
from ragviz.records import JOINED, ImportedClaim, ImportedVerdict, Side, Span, Table


def pairs_in(value: Any, side: Side) -> tuple[ImportedClaim, ...] | None:
    """Annotated attribute-value pairs as claims; None when the value is none."""
    facts = facts_of(value)
    if facts is None:
        return None
    return tuple(ImportedClaim(side=side, text=fact.sentence, attribute=fact.attribute, value=fact.value) for fact in facts)


def claims_in(value: Any, side: Side) -> tuple[ImportedClaim, ...] | None:
    """A list of texts, triplets or {text, verdict, evidence} objects; None when the value is none."""
    value = structure(value)
    if is_null(value) or not isinstance(value, list):
        return None
    claims = (claim_in(element, side) for element in value)
    return tuple(claim for claim in claims if claim is not None)


def claim_in(element: Any, side: Side) -> ImportedClaim | None:
    """One claim; None for an empty one."""
    if isinstance(element, Mapping):
        if {"attribute", "value"} <= element.keys():
            pair = pairs_in([element], side)
            return pair[0] if pair else None
        text = claim_text(next((element[k] for k in ("text", "claim", "statement", "atom", "fact", "sentence", "content") if k in element), None))
        label = next((element[k] for k in ("verdict", "label", "is_supported", "human_label") if not is_null(element.get(k))), None)
        if not text:
            return None
        verdicts = (
            ()
            if label is None
            else (verdict_in(label, side=side, quote=_quote(element.get("evidence")), reason=element.get("reason"), confidence=element.get("confidence")),)
        )
        return ImportedClaim(side=side, text=text, verdicts=verdicts)
    text = claim_text(element)
    return ImportedClaim(side=side, text=text) if text else None


def claim_text(element: Any) -> str:
    """A claim as a sentence: triplets are joined with spaces."""
    element = structure(element) if isinstance(element, str) and element[:1] == "[" else element
    if isinstance(element, (list, tuple)):
        return " ".join(text for part in element if (text := text_of(part).strip()))
    return text_of(element).strip()


def verdict_in(
    label: Any, *, side: Side = Side.RESPONSE, premise_id: str = JOINED, quote: Any = None, reason: Any = None, confidence: Any = None
) -> ImportedVerdict:
    """A verdict against the passages under the tool's own label."""
    table = Table.RESPONSE_X_PASSAGES if side is Side.RESPONSE else Table.REFERENCE_X_PASSAGES
    sure = number(confidence)
    return ImportedVerdict(
        table=table, premise_id=premise_id, verdict=verdict_of(label), label=text_of(label), quote=words(quote), reason=words(reason) or "",
        confidence=sure if sure is not None and 0 <= sure <= 1 else None,
    )


def span_in(text: str, start: Any, end: Any, quoted: Any) -> tuple[Span | None, str]:
    """
    A span of ``text`` that shows ``quoted``, and a doubt in words.

    Offsets that do not fit are mended by searching the quoted text; None when it does not occur.
    """
    first, last, words_there = number(start), number(end), text_of(quoted)
    if first is not None and last is not None and 0 <= first < last <= len(text):
        span = Span(int(first), int(last))
        if not words_there or span.of(text) == words_there or span.of(text).strip() == words_there.strip():
            return span, ""
    if words_there and (at := text.find(words_there)) >= 0:
        return Span(at, at + len(words_there)), "a marked span did not match its offsets; it was found by its text"
    return None, "a marked span does not occur in the answer"


def _quote(evidence: Any) -> str | None:
    """The first quoted words of an evidence list."""
    first = evidence[0] if isinstance(evidence, list) and evidence else evidence
    if isinstance(first, Mapping):
        first = first.get("quote", first.get("text"))
    return words(first)
