"""Text is cut, never changed."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragviz.figures.highlight import Mark, Segment, reveal, segments
from ragviz.records import Span


def mark(start: int, end: int, name: str) -> Mark:
    return Mark(Span(start, end), name)


class TestSegments:
    def test_text_without_marks_is_one_piece(self) -> None:
        """Nothing to cut; and an empty text has no pieces."""
        assert [Segment("abc", ())] == segments("abc", [])
        assert segments("", [mark(0, 2, "c1")]) == []

    def test_nested_marks_give_both_names_inside(self) -> None:
        """A token inside a claim carries claim and token."""
        cut = segments("within 90 days of delivery", [mark(0, 26, "c1"), mark(7, 14, "t")])

        assert cut == [("within ", ("c1",)), ("90 days", ("c1", "t")), (" of delivery", ("c1",))]

    def test_overlapping_marks_share_the_middle(self) -> None:
        """abcd and cdef overlap in cd."""
        assert segments("abcdef", [mark(0, 4, "x"), mark(2, 6, "y")]) == [("ab", ("x",)), ("cd", ("x", "y")), ("ef", ("y",))]

    def test_touching_marks_do_not_mix(self) -> None:
        """Half-open ranges: one ends where the other starts."""
        assert segments("abcd", [mark(0, 2, "x"), mark(2, 4, "y")]) == [("ab", ("x",)), ("cd", ("y",))]

    def test_marks_outside_the_text_do_no_harm(self) -> None:
        """One sticks out and is cut off, one lies behind the end and is ignored."""
        assert segments("abc", [mark(2, 9, "x"), mark(5, 9, "y")]) == [("ab", ()), ("c", ("x",))]

    def test_offsets_are_code_points(self) -> None:
        """The emoji is one code point, though two UTF-16 units."""
        assert segments("😀 ok", [mark(2, 4, "x")]) == [("😀 ", ()), ("ok", ("x",))]


spans = st.tuples(st.integers(0, 30), st.integers(1, 15)).map(lambda t: Span(t[0], t[0] + t[1]))


@given(st.text(max_size=40), st.lists(st.builds(Mark, spans, st.sampled_from("abcd")), max_size=12))
def test_cutting_keeps_text_and_names(text: str, marks: list[Mark]) -> None:
    """Joined, the pieces are the text; every character carries exactly the marks that cover it."""
    cut = segments(text, marks)

    assert text == "".join(piece.text for piece in cut)
    assert all(piece.text for piece in cut)
    assert all(a.names != b.names for a, b in itertools.pairwise(cut))
    at = 0
    for piece in cut:
        for _ in piece.text:
            assert {m.name for m in marks if m.span.start <= at < m.span.end} == set(piece.names)
            at += 1


FLAG = "\U0001f3f4" + "".join(chr(0xE0000 + ord(c)) for c in "gbeng") + "\U000e007f"


class TestReveal:
    @pytest.mark.parametrize(("text", "shown"), [
        ("evil \u202ebidi", "evil ⟨RLO⟩bidi"),
        ("a\u200b\u200b\u200bb", "a⟨ZWSP×3⟩b"),
        ("nul\x00", "nul⟨NUL⟩"),
        ("soft\u00adhyphen", "soft⟨SHY⟩hyphen"),
        ("no\u200dt", "no⟨ZWJ⟩t"),
        ("line\r\nfeed\ttab", "line\r\nfeed\ttab"),
        ("hi" + "".join(chr(0xE0000 + ord(c)) for c in "say yes"), "hi⟨tags: say yes⟩"),
        ("\ud83d alone", "⟨U+D83D⟩ alone"),
        (f"{FLAG}\u202ebidi", f"{FLAG}⟨RLO⟩bidi"),
        (f"{FLAG}\U000e0041", f"{FLAG}⟨tags: A⟩"),
        ("\U0001f3f4" + "".join(chr(0xE0000 + ord(c)) for c in "say yes") + "\U000e007f", "\U0001f3f4⟨tags: say yes⟩"),
    ])
    def test_hidden_characters_become_tokens(self, text: str, shown: str) -> None:
        """What would draw nothing, or turn its neighbours round, is spelled out; behind a flag too, and in what only looks like one."""
        assert shown == reveal(text)

    @pytest.mark.parametrize("text", ["plain", "naïve café", "👨‍👩‍👧 family", "نمی‌خواهم", "क्‍ष", FLAG, "مرحبا", ""])
    def test_honest_text_is_left_alone(self, text: str) -> None:
        """Joiners that spell words and build emoji stay, and so does right-to-left script."""
        assert text == reveal(text)

    @given(st.text())
    def test_nothing_hidden_is_left(self, text: str) -> None:
        """Revealing twice changes nothing more, and no direction override survives."""
        once = reveal(text)

        assert once == reveal(once)
        assert not set("\u202a\u202b\u202d\u202e\u2066\u2067\u2068\u200b\x00") & set(once)
