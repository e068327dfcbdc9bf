"""Claims that came with the file."""

from __future__ import annotations

from ragviz.claims import claims_from_file
from ragviz.records import Fact, ImportedClaim, Side, Span, Trace

TRACE = Trace(
    id="t", question="?", response="Shipping takes  2 business days.", reference="It takes 2 days.", passages=(),
    claims=(
        ImportedClaim(side=Side.RESPONSE, text="express_eta = 2 business days", attribute="express_eta", value="2 business days"),
        ImportedClaim(side=Side.RESPONSE, text="Shipping takes 2 business days."),
        ImportedClaim(side=Side.REFERENCE, text="Nowhere to be found", spans=(Span(0, 2),)),
        ImportedClaim(side=Side.REFERENCE, text="Something else"),
    ),
)


def test_facts_and_texts_are_two_sets() -> None:
    """Ids count within side and set; a fact is located by its value."""
    facts = claims_from_file(TRACE, claim_set="facts")

    assert [("c1", Fact(attribute="express_eta", value="2 business days"), (Span(16, 31),), "facts")] == [(c.id, c.fact, c.spans, c.extractor) for c in facts]


def test_claims_are_located_where_they_can_be() -> None:
    """By their words (white space folded), by the file's spans, or nowhere."""
    found = claims_from_file(TRACE, claim_set="imported")

    assert [("c1", (Span(0, 32),)), ("r1", (Span(0, 2),)), ("r2", ())] == [(c.id, c.spans) for c in found]
