"""Where Markdown's signs stand in an answer: found in their places, and never where they mean something."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragviz.text.markdown import Kind, stretches


def told(text: str, kind: Kind) -> list[str]:
    """What is found of one kind, in reading order, each once."""
    spans = sorted({s.span for s in stretches(text) if s.kind is kind})
    return [span.of(text).strip() for span in spans if span.of(text).strip()]


@pytest.mark.parametrize(
    ("text", "signs", "strong", "code"),
    [
        ("It is **50 tuples** plus **20 %**.", ["**"] * 4, ["50 tuples", "20 %"], []),
        ("Use `initdb --wal-segsize` for it.", ["`", "`"], [], ["initdb --wal-segsize"]),
        ("Two things:\n- One.\n- Two.\n  * Deeper.", ["-", "-", "*"], [], []),
        ("# Head\nText", ["#"], ["Head"], []),
        ("| a | b |\n|---|:-:|\n| 1 | 2 |", ["|"] * 3 + ["|---|:-:|"] + ["|"] * 3, [], []),
        ("Do:\n```sh\npg_dump -j 4 | grep **x**\n```\nDone.", ["```sh", "```"], [], ["pg_dump -j 4 | grep **x**"]),
        ("Do:\n~~~\nno end - **x**", ["~~~"], [], ["no end - **x**"]),
    ],
)
def test_signs_are_told_from_what_they_set_apart(text: str, signs: list[str], strong: list[str], code: list[str]) -> None:
    """Emphasis, ticks, lists, headings, tables and fences; inside a fence nothing is a sign."""
    assert told(text, Kind.SIGN) == signs
    assert told(text, Kind.STRONG) == strong
    assert told(text, Kind.CODE) == code


@pytest.mark.parametrize("text", ["2**3 is 8", "snake_case_name and __init__", "5 - 3 = 2", "a | b", "-5 degrees", "It costs 3* (see below)", "x > y", "C# and F#"])
def test_what_means_something_is_no_sign(text: str) -> None:
    """Powers, names, differences, a bar between words, a footnote's star."""
    assert stretches(text) == []


@given(st.text(alphabet="ab *_`#|>~-\n", max_size=80))
def test_every_stretch_lies_in_the_text(text: str) -> None:
    """Whatever is written, however broken: each stretch has characters of the text, and nothing is found twice of a block's inside."""
    for span, _ in stretches(text):
        assert 0 <= span.start < span.end <= len(text)
