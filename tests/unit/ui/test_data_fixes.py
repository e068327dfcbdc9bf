"""Advice on the Data page names what is on the page, never an option of the command line."""

from __future__ import annotations

import pytest

from ragviz.ui.views.data_fixes import on_the_page


@pytest.mark.parametrize(
    ("told", "says"),
    [
        ("say where things are: --map question=… --map response=…, or --format NAME", "under Where things are"),
        ("open it together with the file of documents (--documents)", "open it together with the file of documents (box Texts of the passages)"),
        ("`ragviz feedback FILE --run RUN` puts such rows onto the traces of a run", "the Trends page takes such rows"),
        ("`ragviz calibrate FILE` measures a judge against these labels", "the Judges page takes labels"),
        (
            "if reference is the expected answer, read the file with --format generic",
            "if reference is the expected answer, choose the format generic under Read as",
        ),
        ("check the columns of ids and passages", "check the columns of ids and passages"),
    ],
)
def test_boxes_instead_of_options(told: str, says: str) -> None:
    """What needs no option stays as it is."""
    assert says in on_the_page(told)
    assert "--" not in on_the_page(told)
