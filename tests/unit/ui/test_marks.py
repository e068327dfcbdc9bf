"""Verdicts in words and marks."""

from __future__ import annotations

from ragviz.records import Grounding
from ragviz.ui.marks import GLYPH, GROUNDING_LABEL, chip, quadrant


def test_every_verdict_has_a_mark_and_a_word_of_its_own() -> None:
    """Colour is never alone: five shapes, five words."""
    assert set(GLYPH) == set(Grounding) == set(GROUNDING_LABEL)
    assert len(set(GLYPH.values())) == len(set(GROUNDING_LABEL.values())) == 5


def test_chip_reads_as_mark_and_word() -> None:
    """Also from the stored word; nothing gives a dash."""
    assert chip(Grounding.CONTRADICTED) == "✕ contradicted"
    assert chip("not_supported") == "? not supported"
    assert chip(None) == "–"


def test_an_unknown_quadrant_is_shown_in_words() -> None:
    """A plug-in may bring its own."""
    assert quadrant("lucky_guess") == "Lucky guess"
    assert quadrant("half_true") == "Half true"
