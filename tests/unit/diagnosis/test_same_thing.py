"""What counts as another value of the same attribute, and as stated by a passage that only a search found."""

from __future__ import annotations

import pytest

from ragviz.diagnosis.corpus import stated_elsewhere
from ragviz.diagnosis.other_values import is_of_one_attribute
from ragviz.diagnosis.sources import source_conflicts, source_reports
from ragviz.records import Clash, ClashKind, JudgedTrace, Span, Table
from tests.build import a_claim, a_judgement, a_passage, a_trace

CLAIM = "The Free plan allows 3 projects."
RATE = "The Free plan allows 600 requests per minute."
LIMITS = "The Free plan allows 5 projects."


def clash_of(text: str, figure: str, kind: ClashKind = ClashKind.NUMBER) -> Clash:
    """The claim's 3 against a figure of the text."""
    mine, at = CLAIM.index("3"), text.index(figure)
    return Clash(kind=kind, hypothesis_span=Span(mine, mine + 1), premise_span=Span(at, at + len(figure)), hypothesis_value="3", premise_value=figure)


@pytest.mark.parametrize(
    ("text", "figure", "kind", "same"),
    [
        (RATE, "600", ClashKind.NUMBER, False), (LIMITS, "5", ClashKind.NUMBER, True), ("Of all projects the plan allows 5.", "5", ClashKind.NUMBER, True),
        ("The rate on the plan is 600.", "600", ClashKind.NUMBER, False), (RATE, "600", ClashKind.NEGATION, True),
    ],
    ids=["requests", "projects", "projects named elsewhere", "a bare figure", "no count"],
)
def test_counts_of_two_things_are_no_two_values(text: str, figure: str, kind: ClashKind, same: bool) -> None:
    """Requests and projects are two attributes; details other than counts are left to the judge."""
    assert is_of_one_attribute(clash_of(text, figure, kind), CLAIM, text) is same


@pytest.mark.parametrize(("other", "figure", "n"), [(RATE, "600", 0), (LIMITS, "5", 1)], ids=["requests", "projects"])
def test_documents_disagree_on_one_attribute_only(other: str, figure: str, n: int) -> None:
    """A judge's clash between projects and requests is neither a conflict of documents nor damage by one."""
    trace = a_trace(passages=(a_passage(1, CLAIM), a_passage(2, other)))
    judgements = (
        a_judgement(Table.RESPONSE_X_PASSAGES, "a", "p1", "E"),
        a_judgement(Table.RESPONSE_X_PASSAGES, "a", "p2", "C", clashes=(clash_of(other, figure),)),
    )
    case = JudgedTrace(trace=trace, claims=(a_claim("a", text=CLAIM),), judgements=judgements)

    assert len(source_conflicts([case])) == n
    assert sum(r.contested for r in source_reports([case])) == n


@pytest.mark.parametrize(
    ("claim", "passage", "stated"),
    [
        ("They can withdraw at most £50 a day", "Cash withdrawals abroad cost 2.75% plus £1.50 each.", False),
        ("It costs £8", "A replacement card costs £8.", False),
        ("The daily fee is at most £50", "The daily fee is £1.50.", False),
        ("A replacement card costs £8", "A replacement card costs £8.", True),
        ("The warranty covers the battery", "The warranty of the phone covers the screen and the charger.", False),
    ],
    ids=["another thing's price", "a pronoun", "only follows", "stated", "without its subject"],
)
def test_a_searched_passage_states_a_claim_only_with_its_subject_and_details(claim: str, passage: str, stated: bool) -> None:
    """A shared figure or word in the nearest of a whole corpus is no statement."""
    assert stated_elsewhere(a_claim("c", text=claim), a_passage(1, passage)) is stated
