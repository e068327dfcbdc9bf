"""
Long answers of one shape: work grows as the text does. Counted in calls, not in seconds, which a busy machine stretches; the seconds, and what
runs inside one call (a regular expression), are measured by ``benchmarks/speed_hostile.py``. The long form reads the answers that the limits name.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from types import FrameType

import pytest

from ragviz.records import Trace
from tests.reliability.hostile_sizes import READERS, SHAPES, trace, viewer

SHORT, FACTOR = 700, 4
MOST_GROWTH = 6.5
"""For four times the text: linear work is 4, quadratic 16; between them lies what sorts, or begins to matter late."""
SMALL = 2_000
"""Calls that say nothing of growth."""
WORST = ("one line", "citations alone", "one word again", "list", "no spaces", "columns")
LARGE = {
    "1 MB in one line": ("one line", 1_000_000),
    "10,000 citations": ("citations", 100_000),
    "100,000 equal tokens": ("one word again", 300_000),
    "100,000 columns": ("commas", 300_000),
}
FILES: dict[str, Callable[[str], list[str]]] = {
    "csv file": lambda text: [text],
    "json file": lambda text: [text],
    "text file": lambda text: [f"no format fits; names found: {'a' if text.startswith('a, ') else 'none'}"],
}
"""What is read of a file: the whole answer, or why none."""
LONG_FORM = bool(os.environ.get("RAGVIZ_CRASH_ROUNDS"))


def of_shape(shape: str, length: int) -> str:
    """So many characters of it."""
    unit = SHAPES[shape]
    return (unit * (length // len(unit) + 1))[:length]


def calls(read: Callable[[str], object], text: str) -> int:
    """Calls of functions, ours and those of extensions, that reading the text takes."""
    n = 0

    def count(_frame: FrameType, event: str, _arg: object) -> None:
        nonlocal n
        n += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        read(text)
    finally:
        sys.setprofile(before)
    return n


@pytest.mark.slow
@pytest.mark.parametrize("name", READERS)
def test_work_grows_as_the_text_does(name: str) -> None:
    """Four times the text, about four times the calls, whatever the shape."""
    read = READERS[name]
    read(of_shape("one line", 200))  # what is loaded or compiled once
    grown = {}
    for shape in WORST:
        first, second = calls(read, of_shape(shape, SHORT)), calls(read, of_shape(shape, SHORT * FACTOR))
        if second > SMALL:
            grown[shape] = round(second / max(first, 1), 1)

    assert not {shape: growth for shape, growth in grown.items() if growth > MOST_GROWTH}


@pytest.mark.slow
def test_the_count_sees_a_fault() -> None:
    """A reader that looks at every pair of words is told apart."""
    def every_pair(text: str) -> int:
        words = text.split()
        return sum(a.startswith(b) for a in words for b in words)

    first, second = calls(every_pair, of_shape("names", 400)), calls(every_pair, of_shape("names", 1_600))

    assert second / first > MOST_GROWTH


@pytest.mark.slow
@pytest.mark.parametrize("size", LARGE)
@pytest.mark.parametrize("name", READERS if LONG_FORM else ["text file", "csv file"])
def test_large_answers_are_read(name: str, size: str) -> None:
    """
    1 MB in one line, 10,000 citations, 100,000 times the same token or columns without a name: every reader comes to an end (in the short form
    those of tables).
    """
    shape, length = LARGE[size]
    text = of_shape(shape, length)
    found = READERS[name](text)

    if name in FILES:
        assert FILES[name](text) == [part.response if isinstance(part, Trace) else part.message for part in found]  # type: ignore[attr-defined]


@pytest.mark.slow
def test_nothing_of_a_large_answer_is_lost() -> None:
    """2,000 citations: each is found, and the viewer draws the whole text."""
    text = of_shape("citations", 20_000)
    content = viewer(text)
    assert isinstance(content, dict)

    assert text == "".join(piece[0] for piece in content["answer"])
    assert len(READERS["citations"](text)) == text.count("[1]") == len(content["citations"])  # type: ignore[arg-type]
    assert trace(text).response == text
