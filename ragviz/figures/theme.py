"""
Colours, marks and type of every picture.

Verdict colours are used for verdicts and nothing else; they were searched so that all pairs differ under normal vision, deuteranopia,
protanopia and tritanopia, and in greyscale. Colour is never alone: each verdict also has a glyph, a line style, a marker and a pattern.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType

import plotly.graph_objects as go

from ragviz.figures.drawing import Drawing
from ragviz.records import Grounding

FONT = '"Source Sans", "Source Sans 3", "Source Sans Pro", system-ui, sans-serif'
SMALL, CAPTION, BODY, TITLE = 11.5, 12.5, 14, 15.5
"""Type sizes in px: axis labels, captions and tables, body, box titles."""
WEIGHT = 650
"""Of all that is bold."""

STATIC = MappingProxyType({"staticPlot": True, "displayModeBar": False})
"""Plotly settings of a picture that only shows."""
CLICKABLE = MappingProxyType({"displayModeBar": False, "doubleClick": "reset", "showAxisDragHandles": False})
"""Plotly settings of a picture whose parts can be clicked."""


@dataclass(frozen=True, kw_only=True)
class Palette:
    """All colours of one theme, as CSS hex words."""

    dark: bool
    ground: str
    ground2: str
    """Sidebar, table heads, notes."""
    text: str
    text2: str
    """Captions and axis labels: at least 4.5 to 1 on the ground."""
    text3: str
    line: str
    line2: str
    """Hairlines and grid lines."""
    accent: str
    """Selection, links, this run's line: never a verdict."""
    accent_ink: str
    accent_tint: str
    ink: str
    """Quantities that are not verdicts, strongest of three steps."""
    ink2: str
    ink3: str
    supported: str
    not_supported: str
    contradicted: str
    unjudged: str
    supported_tint: str
    not_supported_tint: str
    contradicted_tint: str
    unjudged_tint: str
    on_verdict: str
    """Glyphs on a verdict's ground."""
    noise: str
    """Bands of what chance explains."""

    def verdict(self, grounding: Grounding) -> str:
        """The colour of a verdict. CONFLICTED has none of its own: it gets CONTRADICTED's, and a pattern over SUPPORTED's."""
        return {
            Grounding.SUPPORTED: self.supported,
            Grounding.NOT_SUPPORTED: self.not_supported,
            Grounding.UNJUDGED: self.unjudged,
        }.get(grounding, self.contradicted)


LIGHT = Palette(
    dark=False, ground="#ffffff", ground2="#f5f6f8", text="#1f2430", text2="#525a68", text3="#686f7d", line="#d9dde4", line2="#eaedf1",
    accent="#0b7a75", accent_ink="#ffffff", accent_tint="#e3f1f0", ink="#47505f", ink2="#848d9c", ink3="#d7dce3",
    supported="#0065ad", not_supported="#b86e00", contradicted="#6e0f3e", unjudged="#8a9099",
    supported_tint="#e2eef8", not_supported_tint="#fbeeda", contradicted_tint="#f5e3ec", unjudged_tint="#f3f4f6",
    on_verdict="#ffffff", noise="#e9ecf0",
)
DARK = Palette(
    dark=True, ground="#15171c", ground2="#1c1f26", text="#e8eaef", text2="#b0b7c3", text3="#959dab", line="#363b46", line2="#282c35",
    accent="#45c4b3", accent_ink="#0c1a19", accent_tint="#17312f", ink="#aab3c1", ink2="#6d7685", ink3="#373d48",
    supported="#4aa3db", not_supported="#e69f00", contradicted="#ffb8d6", unjudged="#7b818a",
    supported_tint="#17303f", not_supported_tint="#382a0e", contradicted_tint="#412735", unjudged_tint="#24272d",
    on_verdict="#15171c", noise="#262b34",
)


def palette(dark: bool) -> Palette:
    """The colours of the light or dark theme."""
    return DARK if dark else LIGHT


@dataclass(frozen=True)
class Mark:
    """How a verdict looks apart from its colour."""

    word: str
    glyph: str
    underline: str
    """CSS text-decoration-style."""
    marker: str
    """Plotly marker symbol."""
    pattern: str
    """Plotly fill pattern; "" is a plain fill."""

    @property
    def label(self) -> str:
        """For table cells: glyph and word."""
        return f"{self.glyph} {self.word}"


MARKS: MappingProxyType[Grounding, Mark] = MappingProxyType({
    Grounding.SUPPORTED: Mark("supported", "✓", "solid", "circle", ""),
    Grounding.CONFLICTED: Mark("conflicted", "⇄", "wavy", "diamond", "/"),
    Grounding.NOT_SUPPORTED: Mark("not supported", "?", "dashed", "square", "/"),
    Grounding.CONTRADICTED: Mark("contradicted", "✕", "double", "x", "x"),
    Grounding.UNJUDGED: Mark("unjudged", "○", "dotted", "circle-open", "."),
})
"""In the order they are always shown: best first, unjudged last."""


def canvas(colours: Palette, *, height: int, left: int = 0, right: int = 0, top: int = 0, bottom: int = 0) -> go.Figure:
    """
    An empty figure: transparent ground, our type, hidden axes, no legend.

    Args:
        colours: The theme.
        height: In px, margins included.
        left: Margin in px, and so the other three: what lies there are annotations.
        right: See ``left``.
        top: See ``left``.
        bottom: See ``left``.
    """
    axis = {"visible": False, "fixedrange": True, "zeroline": False, "showgrid": False, "automargin": False}
    return Drawing({
        "height": height, "margin": {"l": left, "r": right, "t": top, "b": bottom, "pad": 0},
        "paper_bgcolor": "rgba(0,0,0,0)", "plot_bgcolor": "rgba(0,0,0,0)", "showlegend": False, "dragmode": False, "hovermode": "closest",
        "font": {"family": FONT, "size": SMALL, "color": colours.text2}, "xaxis": axis, "yaxis": axis, "bargap": 0,
        "hoverlabel": {"bgcolor": colours.ground2, "bordercolor": colours.line, "font": {"family": FONT, "size": CAPTION, "color": colours.text}},
    })


Word = dict[str, object]
"""One annotation. Collected in a list and set at once: plotly checks all of them anew at each one that is added."""


def write(
    words: list[Word], text: str, *, x: float, y: float, xref: str = "paper", yref: str = "paper", align: str = "left", dx: float = 0, dy: float = 0,
    size: float = SMALL, colour: str | None = None, bold: bool = False, valign: str = "middle", angle: float = 0,
) -> None:
    """
    Put one line of text among a figure's words. The text must be ours or escaped with ``plot_text.plain``.

    Args:
        words: The list it is added to; ``figure.update_layout(annotations=words)`` draws them.
        text: What to write.
        x: In units of ``xref``, then moved ``dx`` px to the right.
        y: In units of ``yref``, then moved ``dy`` px up.
        xref: "paper" (0 to 1 over the plot area) or an axis.
        yref: See ``xref``.
        align: Which end of the text sits at ``x``.
        dx: See ``x``.
        dy: See ``y``.
        size: In px.
        colour: Default: the figure's.
        bold: In the heavier weight.
        valign: Which part of the text sits at ``y``.
        angle: Degrees, clockwise.
    """
    font: dict[str, object] = {"size": size}
    if colour is not None:
        font["color"] = colour
    if bold:
        font["weight"] = WEIGHT
    words.append({
        "text": text, "x": x, "y": y, "xref": xref, "yref": yref, "xanchor": align, "yanchor": valign, "xshift": dx, "yshift": dy, "showarrow": False,
        "font": font, "borderpad": 0, "textangle": angle,
    })
