"""Premises cut into units."""

from __future__ import annotations

import pytest

from ragviz.evidence.windows import index_premise, windows
from ragviz.records import Span


class TestWindows:
    def test_sentences(self) -> None:
        """Short sentences are units."""
        text = "The pump hums. The motor weighs 3 kg."

        assert ["The pump hums.", "The motor weighs 3 kg."] == [span.of(text) for span in windows(text)]

    def test_long_sentence_is_cut_at_a_space(self) -> None:
        """No unit exceeds the limit, and no character but white space is lost."""
        text = "word " * 100

        spans = windows(text, max_chars=42)

        assert max(len(span) for span in spans) <= 42
        assert text.replace(" ", "") == "".join(span.of(text) for span in spans).replace(" ", "")
        assert all(span.of(text) == span.of(text).strip() for span in spans)

    def test_no_spaces_at_all(self) -> None:
        """A run without any break is kept whole up to five times the limit, then cut at the limit."""
        assert [Span(0, 95)] == windows("x" * 95, max_chars=40)
        assert [Span(0, 40), Span(40, 80)] == windows("x" * 230, max_chars=40)[:2]
        assert [Span(0, 40), Span(40, 80), Span(80, 95)] == windows("語" * 95, max_chars=40)

    def test_blank(self) -> None:
        """Nothing but white space has no units."""
        assert windows(" \n ") == []

    def test_limit_must_be_positive(self) -> None:
        """Zero is a mistake of the caller."""
        with pytest.raises(ValueError, match="at least 1"):
            windows("a", max_chars=0)


class TestIndexPremise:
    def test_postings(self) -> None:
        """Each stem knows the units it occurs in."""
        indexed = index_premise("The pump hums. The pump leaks.")

        assert {"pump": (0, 1), "hum": (0,), "leak": (1,)} == indexed.postings
        assert frozenset({"pump", "hum", "leak"}) == indexed.stems

    def test_a_word_of_every_unit_tells_less(self) -> None:
        """The subject of the whole text weighs less than what one sentence says of it."""
        indexed = index_premise("Zyzzyva hums. Zyzzyva leaks. Zyzzyva quuxes.")

        assert indexed.weight("zyzzyva") < indexed.weight("quux")

    def test_a_megabyte(self) -> None:
        """A huge passage is windowed to its very end."""
        text = "Room 12 has a wooden floor. " * 40_000 + "The archive closes at 18:00."

        indexed = index_premise(text)

        assert "The archive closes at 18:00." == indexed.units[-1].span.of(text)
