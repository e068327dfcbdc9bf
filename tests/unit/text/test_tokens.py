"""Words, numbers and stems."""

from __future__ import annotations

from ragviz.text.tokens import content_tokens, stem, tokens


def test_words_and_numbers_keep_their_form() -> None:
    """Apostrophes, decimals and times stay whole; signs do not count; Chinese goes by character."""
    text = "Don't pay 1,410.00 € at 09:00 for x64 well-known 退货"

    assert [t.text for t in tokens(text)] == ["Don't", "pay", "1,410.00", "at", "09:00", "for", "x64", "well", "known", "退", "货"]


def test_a_word_has_one_stem_wherever_it_stands() -> None:
    """Language is read off the letters of the word."""
    assert (stem("deliveries"), stem("rückgaben"), stem("30")) == ("deliveri", "ruckgab", "30")
    assert stem("delivery") == stem("deliveries")


def test_content_tokens_leave_out_function_words_but_not_negations() -> None:
    """Negations and numbers are content."""
    assert [t.lower for t in content_tokens("You may not return it in the 30 days") if t.lower != "may"] == ["not", "return", "30", "days"]
