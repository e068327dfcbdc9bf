"""Numbers as people read them, and hostile text in plotly."""

from __future__ import annotations

import pytest

from ragviz.figures import plot_text


class TestNumbers:
    def test_minus_is_a_minus_sign(self) -> None:
        """A negative number carries U+2212, not a hyphen."""
        assert plot_text.number(-0.0684) == "\u22120.068"

    def test_no_value_is_a_dash_never_zero(self) -> None:
        """Undefined and NaN are shown as a dash."""
        assert [plot_text.number(None), plot_text.number(float("nan")), plot_text.percent(None)] == ["–"] * 3

    def test_a_negative_that_rounds_to_zero_has_no_sign(self) -> None:
        """−0.0001 with three digits is 0.000."""
        assert [plot_text.number(-0.0001), plot_text.signed(-0.0001), plot_text.signed(0.0001)] == ["0.000"] * 3

    @pytest.mark.parametrize(("value", "shown"), [(0.02, "+0.020"), (-0.068, "\u22120.068"), (0.0, "0.000")])
    def test_differences_carry_their_sign(self, value: float, shown: str) -> None:
        """Plus is written out."""
        assert plot_text.signed(value) == shown

    def test_share_of_nothing_is_undefined(self) -> None:
        """0 of 0 is no percentage; 408 of 3,444 is 11.8 %."""
        assert [plot_text.share(0, 0), plot_text.share(408, 3444)] == ["–", "11.8\u00a0%"]

    def test_intervals_name_their_unit_once(self) -> None:
        """Both ends with equal decimals, the percent sign behind the second."""
        assert plot_text.interval(0.853, 0.887) == "0.853 to 0.887"
        assert plot_text.interval(0.106, 0.131, as_percent=True) == "10.6 to 13.1\u00a0%"
        assert plot_text.interval(None, None) == ""

    def test_counts_agree_with_their_noun(self) -> None:
        """1 trace, 1,204 traces, 2 queries."""
        assert [plot_text.counted(1, "trace"), plot_text.counted(1204, "trace"), plot_text.counted(2, "query", "queries")] == [
            "1 trace",
            "1,204 traces",
            "2 queries",
        ]

    @pytest.mark.parametrize(("seconds", "shown"), [(0.4, "0 s"), (156, "2 min 36 s"), (3900, "1 h 5 min")])
    def test_durations(self, seconds: float, shown: str) -> None:
        """Two units at most."""
        assert plot_text.duration(seconds) == shown

    @pytest.mark.parametrize(("n", "shown"), [(12, "12 B"), (38_000, "38 kB"), (4_100_000, "4.1 MB"), (61_000_000, "61 MB"), (2_500_000_000, "2.5 GB")])
    def test_sizes(self, n: int, shown: str) -> None:
        """Decimal units."""
        assert plot_text.size(n) == shown


class TestPlain:
    def test_html_entities_and_formulas_stay_text(self) -> None:
        """Plotly would read tags, entities and dollar pairs; after escaping it prints them."""
        assert plot_text.plain("<b>a</b> &lt; $x$") == "&lt;b&gt;a&lt;/b&gt; &amp;lt; &#36;x&#36;"

    def test_places_of_a_template_stay_text(self) -> None:
        """In a hover, %{customdata} would be replaced by the point's raw key."""
        assert plot_text.plain("5 % of %{customdata}") == "5 % of &#37;{customdata}"

    def test_cutting_counts_what_is_seen(self) -> None:
        """The limit is on characters of the text, so no entity is cut in half."""
        assert plot_text.plain("<<<<<", limit=3) == "&lt;&lt;…"

    def test_one_line_without_controls(self) -> None:
        """Line ends become spaces; what would reorder the line is made visible; lone surrogates survive as a mark."""
        assert plot_text.plain("a\nb\u202ec\x07d") == "a b\ufffdc\ufffdd"
        assert plot_text.plain("x\ud800y") == "x?y"


def test_a_name_cut_inside_keeps_both_ends() -> None:
    """Versions of one system with dates at their ends stay apart, within the limit."""
    names = [f"customer-support-assistant-with-reranker-and-cache-2026-0{n}-01" for n in range(1, 10)]
    shown = [plot_text.plain(name, limit=40, inside=True) for name in names]

    assert len(set(shown)) == len(names)
    assert {len(name) for name in shown} == {40}
    assert all(name.startswith("customer-support") and name.endswith("-01") and "…" in name for name in shown)
    assert plot_text.plain("short", limit=40, inside=True) == "short"
    assert [len(plot_text.plain("abcdef", limit=n, inside=True)) for n in range(1, 7)] == [1, 2, 3, 4, 5, 6]
