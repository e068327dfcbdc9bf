"""Where sentences end."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragviz.text.sentences import sentence_spans


@pytest.mark.parametrize(
    "sentences",
    [
        ["Dr. Smith paid $3.50, e.g. for tea.", "He left."],
        ["See No. 5 and Fig. 3.", "No.", "He did not."],
        ["The U.S. economy grew.", "I live in the U.S.", "It is big."],
        ["The U.S. Treasury spoke.", "At 5 p.m. we go."],
        ["J. K. Rowling wrote it.", "Is it plan B?", "Yes."],
        ["It takes approx. 5 km.", "It costs 5.", "The rest is free."],
        ["Das gilt z. B. für Bücher, d. h. ca. 5 kg.", "Am 5. Januar ist Schluss.", "Der 3. Mann kam."],
        ["Il a dit « Non ! Jamais. »", "Puis il est parti."],
        ['He said "Stop. Now." and left.', "(It was late. Very late.)", "Then rain."],
        ["Rates rose [1, 3] and fell [2].", "Growth held. [9]", "See it."],
        ["هل هذا صحيح؟", "نعم.", "لا!"],
        ["Use v2.0.1 of Node.js at www.example.com today.", "Then stop."],
    ],
)
def test_sentences_on_one_line(sentences: list[str]) -> None:
    """Joined by a space, they come apart again."""
    text = " ".join(sentences)

    assert sentences == [s.of(text) for s in sentence_spans(text)]


def test_unspaced_scripts() -> None:
    """Chinese and Japanese stops need no space; a particle after a quotation goes on."""
    text = "これはペンです。「はい。」と言った。再来！"

    assert [s.of(text) for s in sentence_spans(text)] == ["これはペンです。", "「はい。」と言った。", "再来！"]


def test_blocks_of_markdown() -> None:
    """Headings, items, table rows and code are sentences of their own; fences and rules are none."""
    text = "# Title\nText here\n- one. Two\n- three\n\n| A. b | C |\n|---|---|\n| 1 | 2 |\n```\nx = 1. y\nz\n```\nEnd."

    assert [s.of(text) for s in sentence_spans(text)] == [
        "# Title",
        "Text here",
        "- one.",
        "Two",
        "- three",
        "| A. b | C |",
        "| 1 | 2 |",
        "x = 1. y\nz",
        "End.",
    ]


def test_soft_line_breaks_join() -> None:
    """A long line without an end goes on; short lines stand alone; a blank line always ends."""
    text = "The quick brown fox jumps over the lazy dog near the\nForest. It\nruns\n\nTitle\nName"

    assert [s.of(text) for s in sentence_spans(text)] == ["The quick brown fox jumps over the lazy dog near the\nForest.", "It\nruns", "Title", "Name"]


@pytest.mark.parametrize("unit", ["The fox, no. 5, costs 3.5 kg. ", "é日本。", "A. ", '"a. ', "(a. ", ". [1", "a\n", "“"])
def test_long_lines_are_linear(unit: str) -> None:
    """300,000 characters on one line take seconds at most."""
    text = unit * (300_000 // len(unit))
    start = time.process_time()

    sentence_spans(text)

    assert time.process_time() - start < 8


@pytest.mark.parametrize(("text", "n"), [
    ("The saga is the work of the writer J. R. R. Holm's brother.", 1),
    ("It was drawn by A. Smith. He lived in Ulm.", 2),
    ("The book by J. K. Lowe sold well.", 1),
    ("See plan B. The rest is easy.", 2),
    ("They live in the U.S. The film was shot there.", 2),
])
def test_initials_of_names(text: str, n: int) -> None:
    """Initials behind a small word belong to the name; a lettered plan ends its sentence."""
    assert n == len(sentence_spans(text))


@given(st.text(alphabet=st.sampled_from("aB1 .!?\"'([`~|#-=_*:\t\u201c\u2014\u00a0\x1f"), max_size=40))
def test_a_line_reads_the_same_with_a_line_break_behind_it(line: str) -> None:
    """A text of one line takes the short way; a line break behind it takes the long one, and no visible character changes."""
    assert sentence_spans(line) == sentence_spans(line + "\n")


@pytest.mark.parametrize("text", ["One line.", "One line", "  Set off. ", "Two. Lines.", "Is it? yes", "3.5 kg", "| a | b |", "---", "`code`", " ", "", "a", "St. John left.", "So it ends.. Next!"])
def test_a_line_is_split_as_it_is_with_a_line_break_behind_it(text: str) -> None:
    assert sentence_spans(text) == sentence_spans(f"{text}\n")
