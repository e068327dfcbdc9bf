"""Kinds of fault of one claim."""

from __future__ import annotations

import msgspec
import pytest

from ragviz.diagnosis.claim_types import claim_type, claim_types, distortion
from ragviz.records import Clash, ClashKind, JudgedTrace, Span, Table
from tests.build import a_case, a_claim, a_judgement, a_passage, a_trace


@pytest.mark.parametrize(("letters", "expected"), [("E", None), ("C", "distorted_evidence"), ("N", "unsupported_claim"), ("?", None), ("EC", None)])
def test_of_an_answer_that_cites_nothing(letters: str, expected: str | None) -> None:
    """Where no answer cites, a supported claim lacks nothing."""
    assert claim_type(a_case("a", response_x_passages={"a": letters}), "a") == expected


def a_cited(response: str, letters: str) -> JudgedTrace:
    end = response.index("[") if "[" in response else len(response)
    claim = msgspec.structs.replace(a_claim("a", text=response[:end].strip()), spans=(Span(0, end),))
    trace = a_trace(len(letters), response=response)
    judgements = tuple(a_judgement(Table.RESPONSE_X_PASSAGES, "a", f"p{n}", letter) for n, letter in enumerate(letters, start=1))
    return JudgedTrace(trace=trace, claims=(claim,), judgements=judgements)


@pytest.mark.parametrize(
    ("response", "letters", "expected"),
    [
        ("It is so [1].", "EN", None), ("It is so [2].", "EN", "incomplete_attribution"), ("It is so [7].", "EN", "fabricated_citation"),
        ("It is so [1, 7].", "EN", "fabricated_citation"), ("It is so [1].", "CN", "distorted_evidence"), ("It is so [1].", "NN", "unsupported_claim"),
        ("It is so [2].", "E?", None),
    ],
)
def test_of_an_answer_that_cites(response: str, letters: str, expected: str | None) -> None:
    """An invented source first, then what the passages say, then whether the right one is cited."""
    assert claim_type(a_cited(response, letters), "a") == expected


def test_uncited_claim_beside_cited_ones() -> None:
    """The answer cites, this claim does not."""
    response = "One [1]. Two."
    claims = tuple(msgspec.structs.replace(a_claim(i), spans=(Span(*s),)) for i, s in (("a", (0, 3)), ("b", (9, 12))))
    judgements = tuple(a_judgement(Table.RESPONSE_X_PASSAGES, i, "p1", "E") for i in "ab")
    case = JudgedTrace(trace=a_trace(response=response), claims=claims, judgements=judgements)

    assert claim_types(case) == {"a": None, "b": "incomplete_attribution"}


def a_clashing(verdict: str, kind: ClashKind, said: str, *, other: str = "Nothing else.") -> JudgedTrace:
    clash = Clash(kind=kind, hypothesis_span=Span(0, 1), premise_span=Span(0, 1), hypothesis_value=said, premise_value="4.1 kg")
    trace = a_trace(passages=(a_passage(1, "The pump weighs 4.1 kg."), a_passage(2, other)))
    judgements = (a_judgement(Table.RESPONSE_X_PASSAGES, "a", "p1", verdict, clashes=(clash,)), a_judgement(Table.RESPONSE_X_PASSAGES, "a", "p2", "N"))
    return JudgedTrace(trace=trace, claims=(a_claim("a"),), judgements=judgements)


def test_how_evidence_is_distorted() -> None:
    """Said otherwise; taken from another passage; a condition lost."""
    assert distortion(a_clashing("C", ClashKind.NUMBER, "9 kg"), "a") == "contradicted"
    assert distortion(a_clashing("C", ClashKind.NUMBER, "3.2 kg", other="The motor weighs 3.2 kg."), "a") == "sources_blended"
    assert distortion(a_clashing("C", ClashKind.QUALIFIER, "always"), "a") == "qualifier_dropped"
    assert distortion(a_clashing("N", ClashKind.QUALIFIER, "always"), "a") == "qualifier_dropped"
    assert distortion(a_clashing("N", ClashKind.NUMBER, "9 kg"), "a") is None
