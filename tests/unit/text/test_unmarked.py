"""Claims without Markdown's signs, for people to read."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragviz.records import Span
from ragviz.text.unmarked import signs, unmarked, unmarked_with

SEEN = {
    "Warranty:** The warranty is **two years": "Warranty: The warranty is two years",
    "The *battery* lasts `10 hours`": "The battery lasts 10 hours",
    "Kettle: price **49 EUR**": "Kettle: price 49 EUR",
    "## Delivery is free": "Delivery is free",
    "- Delivery is free": "Delivery is free",
    "> Returns take 30 days": "Returns take 30 days",
    "***Never*** open it": "Never open it",
    "It is _not_ waterproof": "It is not waterproof",
    "__Press start__ for 3 seconds": "__Press start__ for 3 seconds".replace("__", ""),
    "*   It weighs 3 kg": "It weighs 3 kg",
    "**Dauer:** zwei Jahre": "Dauer: zwei Jahre",
    "保証は**二年**です": "保証は二年です",
    "Ein**satz**": "Einsatz",
}
SAID = ["2 * 3 is 6", "2**3 is 8", "the file snake_case_name.py", "__init__ is called first", "49 EUR*", "a*b*c", "C# and F#", "#1 of its class", "- 5 °C is the limit", "-5 °C is the limit", "5 > 3",
        "x_1 and x_2", "rated 4.5 ***", "it costs 5 *", "a `tick", "***", "* * *", "\\*not emphasis\\*", "~~free~~"]


@pytest.mark.parametrize(("written", "read"), SEEN.items(), ids=SEEN)
def test_signs_go(written: str, read: str) -> None:
    """Headings, bullets, quotations and emphasis, also the half that a cut left over."""
    assert unmarked(written) == read


@pytest.mark.parametrize("text", SAID)
def test_what_may_mean_something_stays(text: str) -> None:
    """Products, powers, names of files, footnotes, a minus."""
    assert unmarked(text) == text


@given(st.text(alphabet="a1 *_`#>-+•.\n", max_size=60), st.integers(0, 60), st.integers(1, 20))
def test_only_signs_go_and_places_stay_true(text: str, start: int, length: int) -> None:
    """What is left is the text without the signs, and a span shows the same words less the signs inside it."""
    gone = signs(text)
    span = Span(min(start, max(0, len(text) - 1)), min(start, max(0, len(text) - 1)) + length)

    left, moved = unmarked_with(text, [span])

    assert all(set(sign.of(text)) <= set("*_`#>-+• \n") for sign in gone)
    if left != text:
        kept = [not any(sign.start <= at < sign.end for sign in gone) for at in range(len(text))]
        assert left == "".join(c for c, keep in zip(text, kept, strict=True) if keep)
        shown = "".join(c for at, c in enumerate(text) if kept[at] and span.start <= at < span.end)
        assert [s.of(left) for s in moved] == ([shown] if shown else [])
