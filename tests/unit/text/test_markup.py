"""Markup is told from text."""

from __future__ import annotations

import time

import pytest

from ragviz.text.markup import markup


@pytest.mark.parametrize(
    ("text", "marks"),
    [
        ("a <b>c</b> < d > e", ["<b>", "</b>"]),
        ("<script>x < 1</script>y", ["<script>x < 1</script>"]),
        ("a <!-- b --> c", ["<!-- b -->"]),
        ("[page](https://x.example/a_(b)) [1]", ["[", "](https://x.example/a_(b))"]),
        ("![picture](a.png) x", ["![picture](a.png)"]),
        ("<script>never closed", ["<script>"]),
    ],
)
def test_markup(text: str, marks: list[str]) -> None:
    """Tags and targets; comparisons and citations are text."""
    assert marks == [s.of(text) for s in markup(text)]


@pytest.mark.parametrize("unit", ["<script>", "<!-- ", "[a](", "<a "])
def test_openers_alone_are_linear(unit: str) -> None:
    """300,000 characters of openers."""
    start = time.process_time()

    markup(unit * (300_000 // len(unit)))

    assert time.process_time() - start < 3
