"""
A figure as it was told, without plotly's objects behind it.

Plotly makes an object of each property, checks it, copies all of them and sends the whole of its template: of a page of ten small pictures that was
two thirds of the server's time, and most of the bytes. What is drawn here is ours and checked by tests instead. Whoever looks into a drawing
(``figure.layout``, ``figure.data``), or asks for more than is written here, gets plotly's figure of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import numpy as np
import plotly.graph_objects as go
import plotly.io

_WITH_LINE = ("paper_bgcolor", "plot_bgcolor", "error_x", "error_y")
"""Properties of such a name; in others an underscore leads into what is inside."""
_LISTED = ("annotations", "shapes")
_OF_OTHER_AXES = ("coloraxis", "colorscale", "geo", "map", "mapbox", "polar", "scene", "ternary")
"""Parts of plotly's template that flat pictures without a scale of colours have no use for."""


class Drawing(go.Figure):  # type: ignore[misc]  # plotly has no types
    """A figure that is plain values until somebody looks into it."""

    def __init__(self, layout: Mapping[str, Any]) -> None:
        self._told: dict[str, Any] = {"data": [], "layout": _cleaned(layout)}

    def __getattr__(self, name: str) -> Any:
        """Plotly's own attributes are not there before it is asked to make them."""
        if "_told" not in self.__dict__:
            raise AttributeError(name)
        told = self.__dict__.pop("_told")
        template = told["layout"].get("template")
        super().__init__(data=told["data"], layout=told["layout"] | {"template": go.layout.Template() if template == {} else template})
        return getattr(self, name)

    def to_dict(self) -> dict[str, Any]:
        """What is sent to the browser. Arrays are packed as plotly packs them."""
        told = self._plain()
        if told is None or has_arrays(told):
            return super().to_dict()  # type: ignore[no-any-return]
        types = tuple(sorted({trace["type"] for trace in told["data"]}))
        return {"data": told["data"], "layout": {"template": _template(plotly.io.templates.default, types)} | told["layout"]}

    def add_scatter(self, **properties: Any) -> go.Figure:
        """Points and lines."""
        return self._add("scatter", properties)

    def add_bar(self, **properties: Any) -> go.Figure:
        """Bars."""
        return self._add("bar", properties)

    def add_shape(self, **properties: Any) -> go.Figure:
        """A line or rectangle."""
        told = self._plain(properties)
        if told is None:
            return super().add_shape(**properties)
        told["layout"].setdefault("shapes", []).append(_cleaned(properties))
        return self

    def update_layout(self, **properties: Any) -> go.Figure:
        """Set properties, inside others too."""
        told = self._plain(properties)
        if told is None:
            return super().update_layout(**properties)
        _put(told["layout"], properties)
        return self

    def update_xaxes(self, **properties: Any) -> go.Figure:
        """The same for all x axes there are."""
        return self._update_axes("xaxis", properties) or super().update_xaxes(**properties)

    def update_yaxes(self, **properties: Any) -> go.Figure:
        """The same for all y axes there are."""
        return self._update_axes("yaxis", properties) or super().update_yaxes(**properties)

    def _plain(self, properties: Mapping[str, Any] | None = None) -> dict[str, Any] | None:
        """The plain values; None where plotly has made its figure of them, or has to read what is to be set."""
        if any("_" in name and name not in _WITH_LINE for name in properties or ()):
            getattr(self, "_data")  # noqa: B009 - plotly's figure is made by asking for what it holds
        found: dict[str, Any] | None = self.__dict__.get("_told")
        return found

    def _add(self, kind: str, properties: Mapping[str, Any]) -> go.Figure:
        told = self._plain(properties)
        if told is None:
            return super().add_trace({"type": kind, **properties})
        told["data"].append(_cleaned(properties) | {"type": kind})
        return self

    def _update_axes(self, name: str, properties: Mapping[str, Any]) -> go.Figure | None:
        told = self._plain(properties)
        if told is None:
            return None
        for axis in [key for key in told["layout"] if key.startswith(name)]:
            _put(told["layout"], {axis: properties})
        return self


def _cleaned(properties: Mapping[str, Any]) -> dict[str, Any]:
    """Without what is None: a property that is not set."""
    made: dict[str, Any] = {}
    _put(made, properties)
    return made


def _put(target: dict[str, Any], properties: Mapping[str, Any]) -> None:
    for name, value in properties.items():
        if value is None or (name in _LISTED and not value):
            target.pop(name, None)
        elif isinstance(value, Mapping):
            inside = dict(target.get(name) or {})
            _put(inside, value)
            target[name] = inside
        else:
            target[name] = value


def has_arrays(value: Any) -> bool:
    """Whether a drawing's values hold an array somewhere; plotly packs these in a way of its own."""
    if isinstance(value, dict):
        return any(map(has_arrays, value.values()))
    # Of lists those of dicts alone: values of a picture come as a list of numbers or words, or as an array.
    if isinstance(value, list) and value and isinstance(value[0], dict):
        return any(map(has_arrays, value))
    return isinstance(value, np.ndarray)


@lru_cache(maxsize=16)
def _template(name: str | None, types: tuple[str, ...]) -> dict[str, Any]:
    """What plotly's template of this name says of these kinds of traces and of flat pictures; Streamlit brings one of its own. Shared: nobody changes it."""
    whole = plotly.io.templates[name].to_plotly_json() if name else {}
    data, layout = whole.get("data", {}), whole.get("layout", {})
    return {
        "data": {kind: data[kind] for kind in types if kind in data},
        "layout": {name: value for name, value in layout.items() if name not in _OF_OTHER_AXES},
    }
