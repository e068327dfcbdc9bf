"""What the pictures hold: numbers, keys, patterns; never foreign markup."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import numpy as np
import plotly.graph_objects as go
import pytest

from ragviz.figures.bars import CountedRow, counted_bars
from ragviz.figures.curves import curve
from ragviz.figures.differences import DifferenceRow, difference_forest
from ragviz.figures.forest import ForestRow, slice_forest
from ragviz.figures.quadrant import QuadrantPlot, diameters, quadrant_heat, quadrant_scatter
from ragviz.figures.ranks import RankMark, RankRow, rank_strips
from ragviz.figures.spots import Window, bands, binned, gather
from ragviz.figures.strips import axis_for, interval_strip, share_strip
from ragviz.figures.theme import LIGHT
from ragviz.figures.verdict_bar import verdict_bar
from ragviz.records import Grounding

EVIL = "<script>alert(1)</script><a href='x'>$\\alpha$</a>"


def words(figure: go.Figure) -> list[str]:
    return [a.text for a in figure.layout.annotations]


def assert_harmless(figure: go.Figure) -> None:
    """Nothing in the figure that plotly would read as a tag or a formula, apart from our own <extra> and <b>."""
    raw = json.dumps(json.loads(figure.to_json()), ensure_ascii=False)
    assert "<script" not in raw
    assert "<a " not in raw
    assert "$" not in raw


class TestStrips:
    def test_tick_stands_at_the_value(self) -> None:
        """Hairline, interval, tick: in this order, so the tick is on top."""
        line, bar, tick = interval_strip(0.87, lo=0.85, hi=0.89, colours=LIGHT).data

        assert (list(line.x), list(bar.x), list(tick.x)) == ([0.5, 1], [0.85, 0.89], [0.87, 0.87])

    def test_values_off_the_axis_stand_at_its_end(self) -> None:
        """0.2 on an axis from 0.5 is drawn at 0.5, not outside the card."""
        assert list(interval_strip(0.2, colours=LIGHT).data[-1].x) == [0.5, 0.5]

    def test_no_value_draws_only_the_hairline(self) -> None:
        """An undefined number has no place."""
        assert len(interval_strip(None, colours=LIGHT).data) == 1

    @pytest.mark.parametrize(("values", "high", "axis"), [([0.8, 0.9], True, (0.5, 1.0)), ([0.3, None], True, (0.0, 1.0)), ([0.12], False, (0.0, 0.3)),
                                                         ([0.4], False, (0.0, 1.0)), ([None], True, (0.0, 1.0))])
    def test_axes_are_the_same_from_run_to_run(self, values: list[float | None], high: bool, axis: tuple[float, float]) -> None:
        """Two axes per kind of metric, no more."""
        assert axis_for(values, better_high=high) == axis

    def test_shares_add_up(self) -> None:
        """42 right, 19 wrong, 14 unknown; nothing at all is one pale bar."""
        assert [t.x[0] for t in share_strip([42, 19, 14], colours=LIGHT).data] == [42, 19, 14]
        assert len(share_strip([0, 0], colours=LIGHT).data) == 1


class TestVerdictBar:
    def test_parts_by_verdict_with_patterns(self) -> None:
        """Verdicts nobody has are left out; the rest carry word and pattern."""
        parts = verdict_bar({Grounding.CONTRADICTED: 2, Grounding.SUPPORTED: 5, Grounding.UNJUDGED: 0}, colours=LIGHT).data

        assert [(p.customdata[0], p.x[0]) for p in parts] == [("supported", 5), ("contradicted", 2)]
        assert parts[1].marker.pattern.shape == "x"

    def test_no_claims(self) -> None:
        """An empty bar, no error."""
        assert len(verdict_bar({}, colours=LIGHT).data) == 0


class TestBars:
    def test_numbers_beside_each_bar(self) -> None:
        """Label, count and share; the click gives the key."""
        figure = counted_bars([CountedRow(key="fabrication", label="Fabrication", n=34)], of=1204, colours=LIGHT)

        assert words(figure) == ["Fabrication", "34", "2.8\u00a0%"]
        assert figure.data[0].customdata[0] == "fabrication"

    def test_a_long_pale_bar_is_cut_and_marked(self) -> None:
        """812 good traces beside 118: the axis ends near 150 and a slash says so."""
        figure = counted_bars([CountedRow(key="g", label="Good", n=812, tone=3), CountedRow(key="e", label="Extra", n=118)], of=1204, colours=LIGHT)

        assert figure.data[0].x[0] == pytest.approx(118 * 1.27)
        assert (len(figure.layout.shapes), "812" in words(figure)) == (1, True)

    def test_a_long_failing_bar_is_never_cut(self) -> None:
        """Failures keep their proportions."""
        figure = counted_bars([CountedRow(key="g", label="Good", n=1, tone=3), CountedRow(key="e", label="Extra", n=118)], of=119, colours=LIGHT)

        assert (list(figure.data[0].x), len(figure.layout.shapes)) == ([1, 118], 0)

    def test_labels_are_escaped(self) -> None:
        """A tag value is foreign text."""
        assert_harmless(counted_bars([CountedRow(key="x", label=EVIL, n=1)], of=1, colours=LIGHT))


def test_forest_shows_value_and_n_and_escapes_labels() -> None:
    """One slice at 0.41 of 38 traces beside the run's 0.87."""
    figure = slice_forest([ForestRow(key="k", label=EVIL, value=0.41, lo=0.3, hi=0.52, n=38)], overall=0.87, metric="faithf.", colours=LIGHT)

    assert {"0.41", "38", "all 0.87"} <= set(words(figure))
    assert_harmless(figure)


class TestQuadrant:
    PLOT = QuadrantPlot(faithfulness=0.5, correctness=0.5, relevance=0.5, counts={"good": 3, "off_topic": 1}, selected="good", focus=(1.0, 0.5, EVIL))

    def spots(self):
        x, y = np.array([1, 1, 1, 0.0]), np.array([0.5, 0.5, 0.5, 0])
        return gather(x, y, bands(np.array([0.9, 0.9, 0.8, 0.6]), 0.5), ["good", "good", "good", "fabrication"])

    def test_one_marker_per_spot(self) -> None:
        """Two places: a large circle of three in the accent, a small diamond in ink; keys are words."""
        figure = quadrant_scatter(self.spots(), np.array([0.2]), np.array([0.9]), self.PLOT, colours=LIGHT)
        markers = figure.data[0]

        assert list(markers.customdata) == ["1.0000|0.5000", "0.0000|0.0000"]
        assert list(markers.marker.symbol) == ["circle", "diamond"]
        assert list(markers.marker.color) == [LIGHT.accent, LIGHT.ink]
        assert "Good 3" in words(figure)
        assert_harmless(figure)

    def test_clicks_work(self) -> None:
        """A select drag mode would switch point clicks off."""
        layout = quadrant_scatter(self.spots(), np.array([]), np.array([]), self.PLOT, colours=LIGHT).layout

        assert (layout.dragmode, layout.clickmode) == ("zoom", "event+select")

    def test_zoom_survives_until_another_window_is_asked_for(self) -> None:
        """Equal windows keep what the reader zoomed to; another one starts anew."""
        there = replace(self.PLOT, window=Window(0.5, 1, 0.5, 1))
        whole, again, part = (quadrant_scatter(self.spots(), np.array([]), np.array([]), plot, colours=LIGHT).layout for plot in (self.PLOT, self.PLOT, there))

        assert whole.uirevision == again.uirevision != part.uirevision

    def test_area_grows_with_the_count(self) -> None:
        """Four times the traces, twice the diameter, up to 36 px."""
        assert diameters(np.array([1, 4])).tolist() == [7, 14]
        assert diameters(np.array([10_000, 1])).tolist() == [36, 7]

    def test_a_million_traces_stay_small(self) -> None:
        """Above the marker limit the picture is a grid of counts: under 0.3 MB, with invisible markers to click."""
        rng = np.random.default_rng(0)
        x, y = rng.random(200_000), rng.random(200_000)

        figure = quadrant_heat(binned(x, y, Window()), rng.random(5000) / 2, x, self.PLOT, colours=LIGHT)

        assert len(figure.to_json()) < 300_000
        assert len(figure.data[1].customdata) == 1600

    def test_without_references_relevance_stands_upright(self) -> None:
        """No corner names that speak of correctness, and no strip."""
        plot = QuadrantPlot(faithfulness=0.5, correctness=0.5, relevance=0.4, counts={}, has_reference=False)
        figure = quadrant_scatter(self.spots(), np.array([]), np.array([]), plot, colours=LIGHT)

        assert not any("Correctness" in w or "Fabrication" in w for w in words(figure))
        assert len(figure.data) == 1

    @pytest.mark.parametrize("has_reference", [True, False])
    def test_the_upright_title_stands_clear_of_the_numbers(self, has_reference: bool) -> None:
        """Numbers of four characters beside the axis are 32 pixels wide with their distance; half the title's height is 7, and it fits into the margin."""
        plot = replace(self.PLOT, has_reference=has_reference)
        figure = quadrant_scatter(self.spots(), np.array([]), np.array([]), plot, colours=LIGHT)
        title = next(a for a in figure.layout.annotations if a.textangle == -90)

        assert title.xshift <= -(32 + 7)
        assert has_reference or figure.layout.margin.l >= -title.xshift + 7


class TestRetrieval:
    def test_curve_marks_the_chosen_k(self) -> None:
        """The dot stands at k with the mean there."""
        figure = curve(np.array([0.5, 0.75, 1.0]), lo=np.array([0.4, 0.7, 1.0]), hi=np.array([0.6, 0.8, 1.0]), k=2, colours=LIGHT)

        assert (figure.data[-1].x[0], figure.data[-1].y[0]) == (2, 0.75)

    def test_undefined_everywhere(self) -> None:
        """No labelled question: an empty frame, no error."""
        assert list(curve(np.full(3, np.nan), k=1, colours=LIGHT).layout.yaxis.range) == [0, 1]

    def test_rank_strip_says_what_stands_where(self) -> None:
        """Marks by kind carry the trace's id; the words say found, nDCG and what is missing, escaped."""
        row = RankRow(
            trace_id="t1", question=EVIL, marks=(RankMark.RELEVANT, RankMark.DUPLICATE, RankMark.PADDED), found=1, relevant=2, ndcg=None, missing=("d9",)
        )
        figure = rank_strips([row], k=1, colours=LIGHT)

        assert [(t.name, t.x[0]) for t in figure.data] == [("relevant", 1), ("duplicate, counts once", 2), ("list ended, padded", 3)]
        assert {"1 of 2", "–", "d9", "="} <= set(words(figure))
        assert_harmless(figure)

    def test_no_rows(self) -> None:
        """A page of nothing."""
        assert len(rank_strips([], k=5, colours=LIGHT).data) == 0


class TestDifferences:
    def test_better_lies_on_the_right_whichever_way_a_metric_counts(self) -> None:
        """Hallucination fell by 0.05: that is better, so its dot stands at +0.05; the number keeps its minus. Hollow within chance."""
        row = DifferenceRow(label=EVIL, base=0.12, candidate=0.07, pairs=60, difference=-0.05, lo=-0.08, hi=-0.02, p=0.2, sign=-1, beyond=False)
        figure = difference_forest([row], base="v6", candidate=EVIL, colours=LIGHT)

        assert figure.data[1].x[0] == 0.05
        assert figure.data[1].marker.color == LIGHT.ground
        assert "\u22120.050" in words(figure)
        assert_harmless(figure)

    @pytest.mark.parametrize(("reach", "percent"), [(0.004, False), (0.3, False), (1.0, False), (0.3, True), (40.0, True), (3000.0, True)])
    def test_the_axis_says_how_much_worse_or_better_without_a_sign(self, reach: float, percent: bool) -> None:
        """A fall of hallucination is drawn to the right: a plus under it would contradict the minus beside it."""
        row = DifferenceRow(label="x ↓", base=1.0, candidate=1 - reach, pairs=9, difference=-reach, lo=-reach, hi=0.0, p=0.2, sign=-1, beyond=False)
        figure = difference_forest([row], base="a", candidate="b", colours=LIGHT, percent=percent)
        ticks, low = figure.layout.xaxis.ticktext, figure.layout.xaxis.range[0]

        assert not [t for t in ticks if "+" in t or "−" in t or "-" in t]
        assert list(ticks) == list(reversed(ticks))
        assert 2 <= len(ticks) <= 11
        assert all(low <= t <= -low for t in figure.layout.xaxis.tickvals)
        assert {"← worse", "better →"} <= set(words(figure))

    def test_rows_with_units_of_their_own_share_the_axis_as_shares(self) -> None:
        """800 ms fall by 80, 0.0002 dollars rise by 0.00004: a tenth to the right, a fifth to the left, with digits that count."""
        time = DifferenceRow(
            label="Latency", base=800.0, candidate=720.0, pairs=9, difference=-80.0, lo=-160.0, hi=-8.0, p=0.2, sign=-1, beyond=False, unit=800.0, digits=0
        )
        money = DifferenceRow(
            label="Cost",
            base=0.0002,
            candidate=0.00024,
            pairs=9,
            difference=0.00004,
            lo=0.00002,
            hi=0.00006,
            p=0.2,
            sign=-1,
            beyond=True,
            unit=0.0002,
            digits=6,
        )
        figure = difference_forest([time, money], base="a", candidate="b", colours=LIGHT, percent=True, ends=("more", "less"))

        assert [trace.x[0] for trace in figure.data if trace.mode == "markers"] == pytest.approx([0.1, -0.2])
        assert {"800", "720", "\u221210.0\u00a0%", "\u221220.0 to \u22121.0\u00a0%", "0.000200", "+20.0\u00a0%", "← more", "less →"} <= {
            re.sub("<[^>]*>", "", w) for w in words(figure)
        }

    def test_too_few_pairs_are_dashes(self) -> None:
        """No difference, no interval, no p: nothing is drawn and nothing is 0."""
        row = DifferenceRow(label="x", base=None, candidate=None, pairs=0, difference=None, lo=None, hi=None, p=None, sign=1, beyond=False)
        figure = difference_forest([row], base="a", candidate="b", colours=LIGHT)

        assert len(figure.data) == 0
        assert words(figure).count("–") == 5
