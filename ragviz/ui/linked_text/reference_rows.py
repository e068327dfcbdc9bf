"""What the expected answer says against a claim that the passages support: the mark of a wrong mirror, down to the words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from ragviz.diagnosis.against_reference import clashes_shown
from ragviz.figures.highlight import Mark, reveal, segments
from ragviz.grounding import groundings
from ragviz.records import Claim, JudgedTrace, Table
from ragviz.ui.linked_text.evidence_rows import CONTRADICTS, TokenRow, places_in_answer


class Denial(NamedTuple):
    """One claim that is supported by a passage and denied by the reference."""

    clashes: tuple[tuple[str, str, str, str, str], ...]
    """Kind, the claim's words, the reference's words, and both values; () when it is denied without a clashing detail."""
    quotes: tuple[str, ...]
    """What the reference says instead, word for word."""
    tokens: tuple[TokenRow, ...]


def denial(case: JudgedTrace, index: int, claim: Claim) -> Denial:
    """
    Where the reference contradicts a claim of the answer.

    Args:
        case: The trace.
        index: The claim's place among the claims of the answer.
        claim: A claim that the diagnosis calls denied by the reference. Where no verdict of its own says so, nothing is quoted.
    """
    reference = case.trace.reference or ""
    found = groundings(case, Table.RESPONSE_X_REFERENCE).get(claim.id)
    clashes: list[tuple[str, str, str, str, str]] = []
    tokens: list[TokenRow] = []
    quotes: list[str] = []
    for judgement in found.contradicting if found else ():
        quotes += [e.span.of(reference) for e in judgement.evidence if e.span.fits(reference)]
        for clash in clashes_shown(judgement, reference):
            mine = clash.hypothesis_span if clash.hypothesis_span and clash.hypothesis_span.fits(claim.text) else None
            other = clash.premise_span if clash.premise_span and clash.premise_span.fits(reference) else None
            clashes.append(
                (clash.kind.value, mine.of(claim.text) if mine else "", other.of(reference) if other else "", clash.hypothesis_value, clash.premise_value)
            )
            places = places_in_answer(claim, case.trace.response, mine) if mine else ()
            tokens.append(TokenRow(index, CONTRADICTS, places, -1, None, other))
    return Denial(tuple(dict.fromkeys(clashes)), tuple(dict.fromkeys(quotes)), tuple(dict.fromkeys(tokens)))


def reference_pieces(reference: str, tokens: Sequence[TokenRow]) -> list[list[Any]]:
    """The reference as ``[text, tokens]``; numbers are places in the list of tokens."""
    marks = [Mark(token.reference_span, str(at)) for at, token in enumerate(tokens) if token.reference_span is not None]
    return [[reveal(text, before="\ue000", after="\ue001"), [int(name) for name in names]] for text, names in segments(reference, marks)]
