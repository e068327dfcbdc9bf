"""Which citation stands for which claim."""

from __future__ import annotations

from ragviz.claims.rules import RulesExtractor
from ragviz.evidence.attribution import attribute_citations, citations_of
from ragviz.records import Passage, Side, Trace
from ragviz.text.citation_marks import resolve_citations


def attributed(response: str) -> dict[str, list[str]]:
    trace = Trace(id="t", question="?", response=response, passages=tuple(Passage(id=f"p{n}", text="x", rank=n) for n in (1, 2, 3)))
    claims = RulesExtractor().extract([trace], side=Side.RESPONSE)[0]
    marks = resolve_citations(trace)
    found = attribute_citations(claims, marks, response)
    assert all(citations_of(claim, marks, response, claims=claims) == found[claim.id] for claim in claims)
    return {claim.text: [m.marker for m in found[claim.id]] for claim in claims}


def test_marks_inside_and_after_a_claim() -> None:
    """A mark belongs to the claim it stands in or behind."""
    assert attributed("Rates rose [1] and then fell [2]. Growth held. [3] Prices fell.") == {
        "Rates rose and then fell": ["[1]", "[2]"],
        "Growth held": ["[3]"],
        "Prices fell": [],
    }


def test_one_mark_behind_two_clauses_stands_for_both() -> None:
    """Clauses of one sentence share the mark at its end; the sentence before does not."""
    assert attributed("It was late. The box is red, and it is light [1].") == {"It was late": [], "The box is red": ["[1]"], "The box is light": ["[1]"]}


def test_marks_do_not_jump_to_another_line() -> None:
    """A mark in the next item belongs there."""
    assert attributed("- Red boxes are light\n- Blue boxes are heavy [2]") == {"Red boxes are light": [], "Blue boxes are heavy": ["[2]"]}
