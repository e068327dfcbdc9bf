"""Palette and marks."""

from __future__ import annotations

from dataclasses import fields

import pytest

from ragviz.figures.theme import MARKS, Palette, canvas, palette
from ragviz.records import Grounding


def luminance(colour: str) -> float:
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    r, g, b = (c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


def contrast(a: str, b: str) -> float:
    """WCAG 2 contrast ratio."""
    high, low = sorted((luminance(a), luminance(b)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("dark", [False, True])
class TestPalette:
    def test_text_is_readable_on_its_ground(self, dark: bool) -> None:
        """4.5 to 1 for text on the page and on tinted grounds."""
        p = palette(dark)
        for ground in (p.ground, p.ground2, p.supported_tint, p.contradicted_tint, p.not_supported_tint, p.unjudged_tint, p.accent_tint):
            assert contrast(p.text, ground) >= 4.5
        assert min(contrast(c, p.ground) for c in (p.text2, p.text3, p.accent)) >= 4.5
        assert contrast(p.accent_ink, p.accent) >= 4.5

    def test_marks_are_seen_on_the_ground(self, dark: bool) -> None:
        """3 to 1 for what is no text."""
        p = palette(dark)
        assert min(contrast(p.verdict(g), p.ground) for g in Grounding) >= 3
        assert min(contrast(c, p.ground) for c in (p.ink, p.ink2)) >= 3

    def test_every_field_is_a_colour(self, dark: bool) -> None:
        """Six hex digits, so that opacity can be put on any of them."""
        p = palette(dark)
        for field in fields(Palette):
            if field.name != "dark":
                assert len(getattr(p, field.name)) == 7


def test_no_two_verdicts_share_glyph_line_or_marker() -> None:
    """Colour is never alone: each verdict is told apart by shape."""
    assert set(MARKS) == set(Grounding)
    for what in ("glyph", "underline", "marker", "word"):
        assert len({getattr(m, what) for m in MARKS.values()}) == len(Grounding)


def test_canvas_has_a_height_and_no_ground() -> None:
    """The page's own ground shows through in both themes."""
    figure = canvas(palette(dark=True), height=24)
    assert (figure.layout.height, figure.layout.paper_bgcolor) == (24, "rgba(0,0,0,0)")
