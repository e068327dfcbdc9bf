"""Small pictures as SVG inside a page: no script, no file beside it. Colours are the page's, so they follow light, dark and paper."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from ragviz.records import Grounding
from ragviz.reports.html import shown

WIDTH, STRIP = 200.0, 18.0
ORDER = (Grounding.SUPPORTED, Grounding.CONFLICTED, Grounding.NOT_SUPPORTED, Grounding.CONTRADICTED, Grounding.UNJUDGED)
FILLS = {
    Grounding.SUPPORTED: "var(--sup)",
    Grounding.CONFLICTED: "url(#cfl)",
    Grounding.NOT_SUPPORTED: "url(#not)",
    Grounding.CONTRADICTED: "url(#con)",
    Grounding.UNJUDGED: "url(#unj)",
}
# Colour is never alone: stripes, crosses and dots tell the verdicts apart on a grey printer too.
_PATTERNS = (
    "<defs><pattern id=cfl width=10 height=10 patternUnits=userSpaceOnUse><rect width=10 height=10 fill='var(--sup)'/><path d='M0 10L10 0V10Z' "
    "fill='var(--con)'/></pattern>"
    "<pattern id=not width=6 height=6 patternUnits=userSpaceOnUse><rect width=6 height=6 fill='var(--not)'/><path d='M0 6L6 0' stroke='var(--bg)' "
    "stroke-width=1.2 /></pattern>"
    "<pattern id=con width=6 height=6 patternUnits=userSpaceOnUse><rect width=6 height=6 fill='var(--con)'/><path d='M0 0L6 6M0 6L6 0' "
    "stroke='var(--bg)' stroke-width=.8 /></pattern>"
    "<pattern id=unj width=5 height=5 patternUnits=userSpaceOnUse><rect width=5 height=5 fill='var(--unj-t)'/><circle cx=2.5 cy=2.5 r=1 "
    "fill='var(--unj)'/></pattern></defs>"
)


class Change(NamedTuple):
    """One row of a picture of differences: candidate minus base and its interval; None where unknown."""

    difference: float | None
    lo: float | None
    hi: float | None
    beyond: bool
    """Beyond chance: drawn filled."""
    way: int = 1
    """−1 where a fall is better, and drawn to the right."""


def strip_svg(value: float | None, lo: float | None, hi: float | None, *, alt: str) -> str:
    """A number between 0 and 1 on its axis: the bar is the interval, the tick the number."""
    if value is None:
        return ""
    marks = f"<line x1=0 y1=9 x2={WIDTH:g} y2=9 stroke='var(--line)' stroke-width=2 />"
    if lo is not None and hi is not None:
        left, right = WIDTH * _in_unit(lo), WIDTH * _in_unit(hi)
        marks += f"<rect x={left:.1f} y=5 width={max(right - left, 2):.1f} height=8 rx=2 fill='var(--text2)' opacity=.45 />"
    marks += f"<rect x={max(WIDTH * _in_unit(value) - 1.5, 0):.1f} y=1 width=3 height=16 fill='var(--text)'/>"
    return _svg(marks, WIDTH, STRIP, alt)


def verdict_svg(counts: Mapping[Grounding, int]) -> str:
    """Claims by verdict as one bar; "" without claims."""
    total = sum(counts.values())
    if not total:
        return ""
    wide, at, bars = 5.4 * WIDTH, 0.0, _PATTERNS
    for grounding in ORDER:
        width = wide * counts.get(grounding, 0) / total
        if width:
            bars += f"<rect x={at:.2f} y=0 width={width:.2f} height=22 fill='{FILLS[grounding]}' stroke='var(--bg)'/>"
            at += width
    return _svg(bars, wide, 22, "Claims by verdict: " + ", ".join(f"{g.value.replace('_', ' ')} {counts[g]}" for g in ORDER if counts.get(g)))


def swatch(grounding: Grounding) -> str:
    """The same fill as in the bar, for its legend."""
    return f"<svg class=swatch width=12 height=12 aria-hidden=true><rect width=12 height=12 rx=2 fill='{FILLS[grounding]}'/></svg>"


def share_svg(part: int, whole: int) -> str:
    """A small bar: how much of the whole."""
    width = 120.0 * part / whole if whole else 0.0
    return f"<svg width=120 height=8 viewBox='0 0 120 8' aria-hidden=true><rect width=120 height=8 fill='var(--unj-t)'/><rect width={width:.1f} height=8 fill='var(--text2)'/></svg>"


def changes_svg(rows: Sequence[Change]) -> list[str]:
    """One picture a row, all on one axis with 0 in the middle, worse on the left and better on the right: for a table with a column of pictures."""
    reach = max([abs(x) for row in rows for x in (row.difference, row.lo, row.hi) if x is not None] + [0.01])
    return [_change_svg(row, reach) for row in rows]


def _change_svg(row: Change, reach: float) -> str:
    middle = WIDTH / 2

    def place(x: float) -> float:
        return middle + row.way * x / reach * (middle - 6)

    marks = f"<line x1={middle} y1=0 x2={middle} y2=18 stroke='var(--line)'/>"
    if row.lo is not None and row.hi is not None:
        marks += f"<line x1={place(row.lo):.1f} y1=9 x2={place(row.hi):.1f} y2=9 stroke='var(--text2)' stroke-width=2 />"
    if row.difference is not None:
        fill = "var(--text)" if row.beyond else "var(--bg)"
        marks += f"<circle cx={place(row.difference):.1f} cy=9 r=4.5 fill='{fill}' stroke='var(--text)' stroke-width=1.5 />"
    words = "unknown" if row.difference is None else f"{row.difference:+.3f}, {'beyond' if row.beyond else 'within'} chance"
    return f"<svg role=img aria-label='{shown(words)}' width={WIDTH:g} height={STRIP:g} viewBox='0 0 {WIDTH:g} {STRIP:g}'>{marks}</svg>"


def _in_unit(x: float) -> float:
    return min(max(x, 0.0), 1.0)


def _svg(marks: str, width: float, height: float, alt: str) -> str:
    return f"<svg role=img aria-label='{shown(alt)}' viewBox='0 0 {width:g} {height:g}' preserveAspectRatio=none style='width:100%;max-width:{width:g}px;height:{height:g}px;display:block'>{marks}</svg>"
