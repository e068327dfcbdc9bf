"""Whatever a test of this folder draws: plotly accepts all of it, and would send the same."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import plotly.graph_objects as go
import pytest
from plotly.io import to_json

from ragviz.figures.drawing import Drawing, has_arrays


def without_template(figure: dict[str, Any]) -> Any:
    """What is sent, but for plotly's template: of that a drawing sends a part."""
    found = json.loads(to_json(figure, validate=False))
    found["layout"].pop("template", None)
    return found


def assert_as_plotly_would(drawing: Drawing) -> None:
    """Not yet looked into: its plain values are what plotly makes of them, which refuses what it does not know."""
    told = drawing.__dict__.get("_told")
    if told is not None:
        made = go.Figure(data=told["data"], layout=told["layout"]).to_dict()
        assert has_arrays(told) or without_template(drawing.to_dict()) == without_template(made)


@pytest.fixture(autouse=True)
def checked_drawings(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Each drawing is held against plotly when a test looks into it, and those nobody looked into at the end."""
    begin, look = Drawing.__init__, Drawing.__getattr__
    drawn: list[Drawing] = []

    def begun(self: Drawing, *args: Any) -> None:
        begin(self, *args)
        drawn.append(self)

    def looked(self: Drawing, name: str) -> Any:
        assert_as_plotly_would(self)
        return look(self, name)

    with monkeypatch.context() as patched:
        patched.setattr(Drawing, "__init__", begun)
        patched.setattr(Drawing, "__getattr__", looked)
        yield
        for drawing in drawn:
            assert_as_plotly_would(drawing)
