"""Folding and the way back."""

from __future__ import annotations

import time

import pytest

from ragviz.records import Span
from ragviz.text.normalize import fold


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("“Quote” ‘x’", "\"quote\" 'x'"),
        ("a – b — c − d", "a - b - c - d"),
        ("ﬁne ﬂow", "fine flow"),
        ("Straße", "strasse"),
        ("a \t\n b\u00a0c", "a b c"),
        ("1\u200b00 \u202eRUE\u202c", "100 rue"),
        ("e\u0301te\u0301", "été"),
        ("**Bold** and `code` and _it_ and ***both***", "bold and code and it and both"),
        ("**999** million", "999 million"),
        ("2*3 snake_case __init__x 2 * 3", "2*3 snake_case init__x 2 * 3"),
        ("2 *3", "2 *3"),
        ("10² m, 1½", "10² m, 1½"),
        ("１２３ＡＢＣ", "123abc"),
        ("don`t", "don't"),
    ],
)
def test_what_is_folded_and_what_is_kept(text: str, folded: str) -> None:
    """Looks are folded away; digits and signs that carry meaning are kept."""
    assert folded == fold(text).text


def test_the_way_back_shows_the_original_characters() -> None:
    """A folded word stands for its raw form, accents, ligatures and hidden characters included, marks around it not."""
    text = "The **ﬁrst**  Straße costs 1\u200b00 €"
    folded = fold(text)

    def raw(words: str) -> str:
        at = folded.text.index(words)
        return folded.original(Span(at, at + len(words))).of(text)

    assert [raw("first"), raw("strasse"), raw("100 €"), raw("first strasse")] == ["ﬁrst", "Straße", "1\u200b00 €", "ﬁrst**  Straße"]


def test_half_of_a_replaced_letter_gives_all_of_it() -> None:
    """The first s of "ss" stands for the whole ß."""
    assert Span(0, 1) == fold("ß").original(Span(0, 1))


def test_a_span_outside_is_refused() -> None:
    """The folded text has 3 characters."""
    with pytest.raises(ValueError, match="3 characters"):
        fold("abc").original(Span(2, 4))


def test_a_megabyte_folds_in_seconds() -> None:
    """Linear also where every character is special."""
    start = time.process_time()
    for unit in ("a ", "é\u0301 ", "ﬁ*", "\u200bx"):
        fold(unit * (300_000 // len(unit)))

    assert time.process_time() - start < 10
