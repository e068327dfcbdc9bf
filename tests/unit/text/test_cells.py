"""Cells that a spreadsheet shows and does not compute."""

from __future__ import annotations

import pytest

from ragviz.text.cells import safe_cell


@pytest.mark.parametrize(
    "cell", ["=1+1", "+49 30", "-5", "@sum", "\tx", "\rx", "\n=x", "  =1", "\u00a0=1", "\ufeff=cmd|' /C calc'!A0", "\u200b@x", " \t-1", "\uff1d1", "\uff0bA1"]
)
def test_what_would_be_computed_becomes_text(cell: str) -> None:
    """An apostrophe in front, whatever stands before the sign; nothing else is touched."""
    assert safe_cell(cell) == f"'{cell}"


@pytest.mark.parametrize("cell", ["", "a=1", "  text", "5", "(-5)", "é", "'=1", "\u200btext"])
def test_other_text_stays(cell: str) -> None:
    """Also when it is empty or already safe."""
    assert safe_cell(cell) == cell
