"""Hidden characters."""

from __future__ import annotations

from ragviz.text.invisible import invisibles


def test_hidden_characters_are_named() -> None:
    """A zero-width space hides, an override reorders; the joiner inside an emoji is visible as a picture."""
    found = invisibles("1\u200b00 \u202eRUE\u202c \U0001f468\u200d\U0001f469")

    assert [(i.name, i.reorders) for i in found] == [("ZERO WIDTH SPACE", False), ("RIGHT-TO-LEFT OVERRIDE", True), ("POP DIRECTIONAL FORMATTING", False)]
