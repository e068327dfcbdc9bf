"""The URL is hostile, and it is the only source of truth."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragviz.records import Policy
from ragviz.ui.selection import MAX_VALUE, Selection, choice, number, parse, text


class TestCleaning:
    @pytest.mark.parametrize("value", ["", "x" * (MAX_VALUE + 1), "a\x00b", "a\nb", "\u2028", "\x85"])
    def test_odd_text_counts_as_missing(self, value: str) -> None:
        """Empty, too long, or with characters that no id holds."""
        assert text({"trace": value}, "trace") is None

    def test_ordinary_text_passes_whatever_its_script(self) -> None:
        """Ids come from files: any printable word may be one, markup included, since it is only ever looked up."""
        for value in ("tr-0417", "доказ 7", "<b>x</b>", "' OR 1=1 --"):
            assert text({"trace": value}, "trace") == value

    @pytest.mark.parametrize(("value", "expected"), [("5", 5), ("0", None), ("21", None), ("-3", None), ("1e3", None), ("٣", None), ("", None)])
    def test_numbers_stay_in_range(self, value: str, expected: int | None) -> None:
        """1 to 20, in ASCII digits."""
        assert number({"k": value}, "k", low=1, high=20) == expected

    def test_choices_are_allow_listed(self) -> None:
        """Only words that are known."""
        assert choice({"policy": "strict"}, "policy", ["strict"]) == "strict"
        assert choice({"policy": "harsh"}, "policy", ["strict"]) is None


class TestParse:
    def test_an_empty_url_is_the_default(self) -> None:
        """Nothing given, nothing selected."""
        assert parse({}) == Selection()

    def test_everything_is_read(self) -> None:
        """One value each."""
        found = parse({"run": "v7", "judge": "local", "policy": "strict", "trace": "t1", "claim": "c3", "k": "2", "q": "not ours"})

        assert found == Selection(run="v7", judge="local", policy=Policy.STRICT, trace="t1", claim="c3", k=2)

    def test_defaults_leave_the_url_clean(self) -> None:
        """The default policy is not written, and the scope is only run, judge and policy."""
        assert Selection(run="v7", trace="t1", k=3).params == {"run": "v7", "trace": "t1", "k": "3"}
        assert Selection(run="v7", trace="t1", k=3).scope == {"run": "v7"}

    @given(st.dictionaries(st.sampled_from(["run", "judge", "policy", "trace", "claim", "k"]), st.text(max_size=400)))
    def test_any_url_gives_a_selection(self, params: dict[str, str]) -> None:
        """No value raises, and reading what was written gives the same selection."""
        found = parse(params)

        assert parse(found.params) == found
