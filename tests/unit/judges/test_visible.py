"""Hidden characters change no finding, and spans count them."""

from __future__ import annotations

from ragviz.judges.visible import check_visible


def test_hidden_characters() -> None:
    """A figure cut by a zero-width space is one figure; the span covers it with the space, shifted by the start."""
    claim, premise = "The f\u00adee is 2\u200b00 EUR.", "The fee is 1\u200b00 EUR."
    found = check_visible(claim, premise, start=10)
    clash = found.clashes[0]

    assert clash.hypothesis_span is not None
    assert clash.premise_span is not None
    assert "2\u200b00" in clash.hypothesis_span.of(claim)
    assert "1\u200b00" in premise[clash.premise_span.start - 10 : clash.premise_span.end - 10]
    assert check_visible("The fee is 100 EUR.", premise).clashes == ()
