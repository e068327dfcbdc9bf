"""What is hidden, what is left, and that nothing moves."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragviz.errors import InputError
from ragviz.text.redaction import MASK, Redactor, rules_of

HIDER = Redactor(rules_of(["emails", "phones"]), key=b"k")


@pytest.mark.parametrize("detail", [
    "ada@example.com", "ada.love+tag@mail.example.co.uk", "o'hara@example.ie", "straße@exämple.de", "a" * 200 + "@example.com",
    "+49 30 1234567", "+1 (415) 555-2671", "0049 30 1234567", "(030) 123 45 67", "0171/1234567", "415-555-2671", "(415) 555-2671", "415.555.2671", "+4930\u20111234567",
])
@pytest.mark.parametrize("around", ["{}", "Write to {}, please.", "({})", "tel:{}; or", "\u201c{}\u201d", "line\n{}\nline"])
def test_addresses_and_numbers_are_hidden(detail: str, around: str) -> None:
    """As they are usually written; what stands around them is left, and the length too."""
    assert around.format(MASK * len(detail)) == HIDER.text(around.format(detail))


@pytest.mark.parametrize("text", ["ada@mail.example+49 (0)30 123 456-78", "555-123-4567+49 30 1234567", "+49 30 1234567+49 30 7654321+49 30 1111111"])
def test_details_without_anything_between_are_hidden_all(text: str) -> None:
    """Found by fuzzing: the end of one looks like the beginning of a word to the next. Hiding again finds nothing more."""
    assert MASK * len(text) == HIDER.text(text)
    assert HIDER.text("see " + HIDER.text(text)) == "see " + MASK * len(text)


@pytest.mark.parametrize("text", [
    "returned within 30 days", "on 2026-01-15", "15.01.2026 at 10:30", "€1.234.567,89", "10 000 000 people", "1234567890", "0.123456789", "0.85 0.92 0.1345", "2019-2021",
    "version 1.2.3.4567", "192.168.100.200", "ISBN 978-3-16-148410-0", "§ 312 BGB", "order 20260115-0001", "@ada says", "a @ b", "user@", "",
])
def test_dates_amounts_and_codes_are_left(text: str) -> None:
    """What judges compare must stay readable."""
    assert text == HIDER.text(text)


@given(st.text(alphabet=st.sampled_from("a@.0 1+()-/é\u0301😀\n"), max_size=80))
def test_nothing_moves(text: str) -> None:
    """Every character is the one it was, or hidden; hiding again finds nothing new of another length."""
    hidden = HIDER.text(text)

    assert len(text) == len(hidden)
    assert all(b in (a, MASK) for a, b in zip(text, hidden, strict=True))


def test_identifiers_stay_different_and_equal() -> None:
    """Two accounts stay two, one stays one, and without the key nobody can tell which it was."""
    one, two = HIDER.name("users/ada@example.com/3"), HIDER.name("users/bob@example.com/3")

    assert one != two
    assert one == HIDER.name("users/ada@example.com/3")
    assert "ada" not in one
    assert one != Redactor(HIDER.rules, key=b"other").name("users/ada@example.com/3")
    assert "plain-7" == HIDER.name("plain-7")


def test_own_patterns_come_from_toml() -> None:
    """Built-in kinds and patterns together; overlaps are one."""
    rules = rules_of(
        [
            "hide = ['emails']\n[[pattern]]\nname = 'ticket'\nregex = 'NIM-\\d{4}'\n[[pattern]]\nname = 'tail'\nregex = '\\d{2} for'\n[[pattern]]\nname = 'empty'\nregex = 'x*'"
        ]
    )

    assert "ticket " + MASK * 12 + " " + MASK * 5 == Redactor(rules, key=b"").text("ticket NIM-1234 for a@b.c")


@pytest.mark.parametrize(
    "content",
    ["nonsense", "hide = ['faces']", "[[pattern]]\nname = 'x'\nregex = '('", "[[pattern]]\nname = 'x'", "other = 1", "pattern = 3", "hide = 'emails'"],
)
def test_rules_that_cannot_be_followed_are_told(content: str) -> None:
    """What is wrong, and how it is written."""
    with pytest.raises(InputError) as caught:
        rules_of([content])
    assert caught.value.fix
