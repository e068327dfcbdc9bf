"""Drawings: plain values that say what plotly's figure would say."""

from __future__ import annotations

from typing import Any

import numpy as np
import plotly
import plotly.graph_objects as go
import pytest

from ragviz.figures.drawing import Drawing

LAYOUT = {"height": 20, "xaxis": {"visible": False}, "yaxis": {"visible": False}}


def told(figure: go.Figure) -> dict[str, Any]:
    """All that is sent but the template."""
    found: dict[str, Any] = figure.to_dict()
    found["layout"].pop("template")
    return found


@pytest.mark.parametrize("looked_into", [False, True])
def test_every_step_is_what_plotly_makes_of_it(looked_into: bool) -> None:
    """Properties are merged into others, None takes one away, all axes are set at once; also when plotly's figure is made half-way."""
    plotly = go.Figure(layout=LAYOUT)
    for figure in (drawing := Drawing(LAYOUT), plotly):
        figure.add_scatter(x=[1, 2], y=[3.5, None], mode="lines", line={"color": "#fff", "width": None}, text=None)
        figure.add_shape(type="line", x0=0, x1=1, y0=0, y1=1, line={"width": 1})
        figure.update_layout(font={"size": 12}, xaxis2={"visible": True})
        if looked_into:
            assert len(figure.data) == 1
        figure.update_layout(font={"color": "#000"}, height=None)
        figure.update_xaxes(range=[0, 1], tickfont={"color": "#123456"})
        figure.update_yaxes(range=[1, 0])
        figure.add_bar(x=[1], y=["a"], orientation="h")
        figure.add_shape(type="rect", x0=0, x1=1, y0=0, y1=1, line={"width": 0})

    assert told(drawing) == told(plotly)


def test_arrays_are_packed_as_plotly_packs_them() -> None:
    """Whatever is inside."""
    plotly = go.Figure(layout=LAYOUT)
    for figure in (drawing := Drawing(LAYOUT), plotly):
        figure.add_scatter(x=[1, 2], y=[0, 1], marker={"size": np.array([1.5, 2.5])})

    assert told(drawing) == told(plotly)


def test_a_property_inside_another_may_be_named_by_plotlys_short_way() -> None:
    """Then plotly reads it."""
    drawing = Drawing(LAYOUT)
    drawing.add_scatter(x=[1], y=[1], marker_color="#aabbcc")

    assert told(drawing)["data"] == [{"type": "scatter", "x": [1], "y": [1], "marker": {"color": "#aabbcc"}}]


@pytest.fixture(autouse=True)
def plotlys_own_template(monkeypatch: pytest.MonkeyPatch) -> None:
    """Streamlit puts another in its place when it is imported, which another test may have done."""
    monkeypatch.setattr(plotly.io.templates, "default", "plotly")


@pytest.mark.parametrize("name", ["plotly_white+ggplot2", "none", "gridon", None])
def test_whatever_the_template_bars_look_as_plotly_draws_them(monkeypatch: pytest.MonkeyPatch, name: str | None) -> None:
    """A program may choose one, put two together, or want none."""
    monkeypatch.setattr(plotly.io.templates, "default", name)
    drawing = Drawing(LAYOUT)
    drawing.add_bar(x=[1], y=[1])
    whole = go.Figure(layout=LAYOUT).add_bar(x=[1], y=[1]).to_dict()["layout"].get("template", {})

    sent = drawing.to_dict()["layout"]["template"]
    assert sent["data"].get("bar") == whole.get("data", {}).get("bar")
    assert sent["layout"].items() <= whole.get("layout", {}).items()


def test_of_plotlys_template_only_what_such_a_picture_uses_is_sent() -> None:
    """Bars look as they did; maps are not spoken of. Who wants none of it says so."""
    drawing = Drawing(LAYOUT)
    drawing.add_bar(x=[1], y=[1])
    whole = go.Figure(layout=LAYOUT).add_bar(x=[1], y=[1]).to_dict()["layout"]["template"]
    sent = drawing.to_dict()["layout"]["template"]

    assert sent["data"] == {"bar": whole["data"]["bar"]}
    assert sent["layout"].items() <= whole["layout"].items()
    assert {"xaxis", "yaxis", "font", "colorway", "annotationdefaults", "shapedefaults", "hoverlabel"} <= set(sent["layout"])
    drawing.update_layout(template={})
    assert drawing.to_dict()["layout"]["template"] == {}
    assert not drawing.layout.template.layout.to_plotly_json()
