"""Small charts over versions: gaps, names under the axis, what is sent."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from plotly.io import to_json

from ragviz.figures.dense import Form
from ragviz.figures.mix import MixBar, mix_line
from ragviz.figures.plot_text import plain
from ragviz.figures.theme import DARK, LIGHT, Palette
from ragviz.figures.trend import TrendPoint, labels_of, trend_line


def a_point(value: float | None, *, label: str = "v") -> TrendPoint:
    """A version with its interval; None: without a value."""
    known = value is not None
    return TrendPoint(label=label, value=value, lo=value - 0.01 if known else None, hi=value + 0.01 if known else None, hover=f"told {value}")


@pytest.mark.parametrize("colours", [LIGHT, DARK])
def test_a_version_without_a_value_leaves_a_gap(colours: Palette) -> None:
    """Line and band stop before it and go on behind it."""
    figure = trend_line([a_point(0.5), a_point(0.6), a_point(None), a_point(0.7), a_point(0.8)], colours=colours)
    *bands, line = figure.data

    assert list(line.y) == [0.5, 0.6, None, 0.7, 0.8]
    assert line.connectgaps is False
    assert [(band.x0, len(band.y)) for band in bands] == [(0, 2), (0, 2), (3, 2), (3, 2)]


def test_names_are_not_cut_to_what_they_share() -> None:
    """Where not all are named, those that are stand whole; few short ones are all named."""
    places, names = labels_of([f"nightly-{n:03d}" for n in range(200)])

    assert names == [f"nightly-{n:03d}" for n in places]
    assert 3 <= len(names) <= 6
    assert labels_of(["v1", "v2", "v3"]) == ([0, 1, 2], ["v1", "v2", "v3"])
    assert labels_of([]) == ([], [])


def test_hundreds_of_versions_are_little_to_send() -> None:
    """No more than 80 bytes a version beside what the pointer is told."""
    points = [a_point(0.7 + n / 3_000, label=f"nightly-{n:03d}") for n in range(200)]
    told = sum(len(point.hover) for point in points)

    assert len(json.dumps(trend_line(points, colours=LIGHT).to_plotly_json(), default=list)) - told < 80 * len(points)


def test_a_year_of_nights_is_little_to_send() -> None:
    """No more than 45 bytes a version, name, interval and n for the pointer included; of a mix 40."""
    names = [f"nightly-{n:03d}" for n in range(365)]
    points = [TrendPoint(label=name, value=0.7 + n / 3_000, lo=0.69, hi=0.9, n=400 + n % 9) for n, name in enumerate(names)]
    bars = [MixBar(label=name, distance=0.1 + n / 3_000, noise=0.2, changed=n % 10 == 0, n=400 + n % 9) for n, name in enumerate(names)]

    assert len(to_json(trend_line(points, colours=LIGHT, percent=True, form=Form("", 1, " %")), validate=False)) < 45 * len(points) + 1_500
    assert len(to_json(mix_line(bars, colours=LIGHT), validate=False)) < 40 * len(bars) + 1_500


def told(trace: Any) -> list[str]:
    """What the pointer is told of each point, as plotly puts it together."""
    columns = trace["customdata"]

    def sentence(at: int) -> str:
        known = {"text": trace["text"][at], "y": trace["y"][at]} | (
            {} if columns is None else {f"customdata[{i}]": columns[at][i] for i in range(columns.shape[1])}
        )
        filled = re.sub(r"%\{([^}:]+)(?::([^}]+))?\}", lambda place: format(known[place[1]], place[2] or ""), trace["hovertemplate"])
        return filled.removesuffix("<extra></extra>")

    return [sentence(at) for at in range(len(trace["text"]))]


@pytest.mark.parametrize("alike", [True, False])
@pytest.mark.parametrize(
    ("percent", "form", "wanted"),
    [(True, Form("", 1, " %"), "71.2 % (70.1 % to 72.3 %)"), (False, Form("&#36;", 3, ""), "&#36;0.712 (&#36;0.701 to &#36;0.723)")],
)
def test_the_pointer_is_told_name_value_interval_and_n(percent: bool, form: Form, wanted: str, alike: bool) -> None:
    """Whatever the versions are called; what all names begin with is sent once, unless it means something to plotly."""
    names = ["night-1", "night-2 %{y}", "night-<b>3</b>"]
    for shown in (names, ["%{y} 1", "%{y} 2"], ["a", "b"], ["same", "same"]):
        points = [TrendPoint(label=name, value=0.712, lo=0.701, hi=0.723, n=1_000 if alike else 1_000 + i) for i, name in enumerate(shown)]
        line = trend_line(points, colours=LIGHT, percent=percent, form=form).data[-1]

        assert told(line) == [f"{plain(name)}: {wanted}, n {point.n:,}" for name, point in zip(shown, points, strict=True)]


def test_sticks_end_at_their_distance() -> None:
    """A dot at each distance and an error bar from it down to 0, in the colour of what it says."""
    bars = [
        MixBar(label=f"v{n}", distance=d, noise=0.1, changed=changed, hover="")
        for n, (d, changed) in enumerate([(None, False), (0.2, True), (0.05, False), (0.3, True)])
    ]
    noise, within, beyond = mix_line(bars, colours=LIGHT).data

    assert (noise.x0, list(noise.y)) == (1, [0.1] * 3)
    assert (within.x0, list(within.y)) == (2, [0.05])
    assert (list(beyond.x), list(beyond.y)) == ([1, 3], [0.2, 0.3])
    for sticks, colour in ((within, LIGHT.ink2), (beyond, LIGHT.ink)):
        assert (sticks.error_y.type, sticks.error_y.valueminus, sticks.error_y.value, sticks.error_y.symmetric, sticks.error_y.color) == (
            "percent",
            100,
            0,
            False,
            colour,
        )


@pytest.mark.parametrize("values", [(0.000301, 0.000329), (0.5, 0.6), (986_000.0, 1_240_000.0), (1e-7, 4e-7)])
def test_what_is_written_at_the_axis_has_room(values: tuple[float, float]) -> None:
    """Small sums and large counts have more signs than a share: the margin grows with them."""
    figure = trend_line([a_point(value) for value in values], colours=LIGHT, low=0.0)

    widest = max(len(text) for text in figure.layout.yaxis.ticktext)
    assert figure.layout.margin.l >= max(44, 6.5 * widest + figure.layout.yaxis.ticklabelstandoff)
