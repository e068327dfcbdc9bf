"""The smallest spans that speak about a claim."""

from __future__ import annotations

import pytest

from ragviz.evidence.select import best_evidence

PREMISE = "Shoes are sold in pairs. The archive closes at 18:00 on Fridays. Tickets cost 4 EUR. Guides speak Finnish and Greek."


class TestBestEvidence:
    def test_finds_the_sentence(self) -> None:
        """The sentence that shares the words, alone, with its place."""
        (found,) = best_evidence("On Fridays the archive closes at 18:00.", PREMISE)

        assert "The archive closes at 18:00 on Fridays." == found.quote
        assert found.quote == found.span.of(PREMISE)
        assert 1.0 == found.weight

    def test_two_sentences_where_two_are_needed(self) -> None:
        """A claim about two things gets both places; weights sum to 1."""
        found = best_evidence("Tickets cost 4 EUR and guides speak Finnish.", PREMISE)

        assert {"Tickets cost 4 EUR.", "Guides speak Finnish and Greek."} == {e.quote for e in found}
        assert 1.0 == pytest.approx(sum(e.weight for e in found), abs=1e-3)

    def test_nothing_shared(self) -> None:
        """No common word, no evidence."""
        assert best_evidence("Zebras quuxed.", PREMISE) == []

    def test_excluded_units(self) -> None:
        """What must not be shown is not shown."""
        assert best_evidence("Tickets cost 4 EUR.", PREMISE, exclude={2}) == []

    def test_equal_sentences_give_the_first(self) -> None:
        """A repeated passage changes nothing."""
        text = "The pump hums. The pump hums."

        (found,) = best_evidence("The pump hums.", text)

        assert 0 == found.span.start
