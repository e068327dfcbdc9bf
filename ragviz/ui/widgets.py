"""
The pieces pages are made of: heads, boxes, notes, number strips, links, empty and error states.

All words here are ours, or escaped with ``md`` first; text of a trace goes into tables, plotly or ``st.text``, never in here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import wraps
from typing import Any, Literal

import plotly.graph_objects as go
import streamlit as st

from ragviz.errors import RagvizError
from ragviz.figures.plot_text import cut, visible
from ragviz.figures.theme import STATIC, Palette, palette
from ragviz.ui import selection, style

_MARKDOWN = re.compile(r"([\\`*_{}\[\]()<>#+\-.!|~$:^&])")
# Addresses, e-mail addresses and :material/…: are looked for in the text that is left once escapes are resolved: only another character between their parts
# stops that.
_LINKED = re.compile(r"(?<=:)(?=//|material/)|(?<=www)(?=\.)|(?<=@)(?=[\w-]+\.[\w-])", re.IGNORECASE)
_JOINER = "\u2060"


def colours() -> Palette:
    """The palette of the reader's theme."""
    return palette(style.is_dark())


def md(text: str, *, limit: int = 120) -> str:
    """A name out of a file (run, judge, file, tag) for a place that reads Markdown: one line, every sign taken literally, no address a link."""
    return _MARKDOWN.sub(r"\\\1", _LINKED.sub(_JOINER, cut(visible(text), limit)))


def look() -> None:
    """The pages' own looks: small type, tight boxes, number strips. Constant text; called once per page, by ``page_head``."""
    p = colours()
    st.html(f"""<style>
[class*="st-key-cap"] p, [class*="st-key-cap"] [data-testid="stCaptionContainer"] {{ font-size: 12.5px; line-height: 17px; color: {p.text2}; }}
[data-testid="stCaptionContainer"] {{ opacity: 1; }}
[data-testid="stCaptionContainer"] p {{ font-size: 12.5px; line-height: 17px; color: {p.text2}; }}
.stMarkdownColoredText {{ color: {p.text2} !important; }}
[class*="st-key-box"] {{ border-color: {p.line}; padding: 12px 14px; border-radius: 8px; }}
[class*="st-key-link"] a, [class*="st-key-link"] button {{ padding: 0; margin: 0; min-height: 0; border: 0; background: none; }}
[class*="st-key-link"] a p, [class*="st-key-link"] a span, [class*="st-key-link"] button p {{ font-size: 12.5px; line-height: 17px; color: {p.accent}; }}
[class*="st-key-rows"] p {{ font-size: 12.5px; line-height: 25px; color: {p.text}; margin: 0; font-variant-numeric: tabular-nums; }}
[class*="st-key-rows"] [data-testid="stMarkdownContainer"] {{ margin: 0; }}
[class*="st-key-rowlink"] a {{ padding: 0; margin: 0; min-height: 25px; height: 25px; border: 0; background: none; }}
[class*="st-key-rowlink"] a p strong {{ color: {p.accent}; }}
[class*="st-key-rows"] p span {{ color: {p.text2}; }}
[class*="st-key-rowlink"] [data-testid="stElementContainer"], [class*="st-key-link"] [data-testid="stElementContainer"] {{ margin: 0; }}
[class*="st-key-ranklinks"] [class*="st-key-rowlink"] a {{ min-height: 23px; height: 23px; }}
[class*="st-key-ranklinks"] p {{ font-size: 12.5px; color: {p.accent}; }}
[class*="st-key-curve"] [data-testid="stMarkdownContainer"], [class*="st-key-curve"] [data-testid="stCaptionContainer"],
[class*="st-key-terms"] [data-testid="stMarkdownContainer"], [class*="st-key-terms"] [data-testid="stCaptionContainer"],
[class*="st-key-example"] [data-testid="stMarkdownContainer"], [class*="st-key-example"] [data-testid="stCaptionContainer"] {{ margin: 0; }}
[class*="st-key-curve"] p, [class*="st-key-terms"] p, [class*="st-key-example"] p {{ margin: 0; }}
[class*="st-key-terms"] p, [class*="st-key-example"] p, [class*="st-key-example"] [data-testid="stText"] {{ font-size: 12.5px; line-height: 17px; }}
[class*="st-key-legend"] p {{ font-size: 12.5px; line-height: 17px; }}
[class*="st-key-note"] {{ border-left: 3px solid {p.ink2}; background: {p.ground2}; border-radius: 0 6px 6px 0; padding: 7px 12px; }}
[class*="st-key-note"] p {{ font-size: 12.5px; line-height: 18px; color: {p.text2}; }}
[class*="st-key-note"] strong {{ color: {p.text}; }}
[class*="st-key-strip"] {{ border: 1px solid {p.line}; border-radius: 8px; padding: 6px 0; }}
[class*="st-key-strip"] [data-testid="stColumn"] {{ padding: 0 14px; border-left: 1px solid {p.line2}; }}
[class*="st-key-strip"] [data-testid="stColumn"]:first-child {{ border-left: 0; }}
[class*="st-key-strip"] p {{ font-size: 12.5px; line-height: 18px; color: {p.text2}; }}
[class*="st-key-strip"] strong {{ font-size: 16px; font-weight: 600; color: {p.text}; margin-right: 4px; font-variant-numeric: tabular-nums; }}
[class*="st-key-card"] {{ border: 1px solid {p.line}; border-radius: 8px; padding: 10px 12px 9px; }}
[class*="st-key-card"] p {{ font-size: 12.5px; line-height: 17px; color: {p.text2}; font-variant-numeric: tabular-nums; white-space: nowrap; }}
[class*="st-key-card"] [data-testid="stMetricValue"] p {{ font-size: 26px; line-height: 32px; color: {p.text}; font-weight: 600; letter-spacing: -.01em; font-variant-numeric: tabular-nums; }}
[class*="st-key-card"] [data-testid="stMetricValue"] {{ padding: 0; }}
[class*="st-key-problem"] [data-testid="stAlertContainer"] {{ border-left: 3px solid {p.text}; background: {p.ground2}; border-radius: 0 6px 6px 0; padding: 7px 12px;
  color: {p.text}; }}
[data-testid="stHeading"] h1 {{ padding: 0; line-height: 28px; font-weight: 650; }}
[data-testid="stHeading"] h2 {{ padding: 0; font-size: 15.5px; line-height: 20px; font-weight: 650; }}
[data-testid="stHeading"] [data-testid="stMarkdownContainer"] {{ margin: 0; }}
svg text {{ font-variant-numeric: tabular-nums lining-nums; }}
</style>""")


def page_head(title: str, *, controls: int = 0, widths: Sequence[float] = ()) -> tuple[Any, list[Any]]:
    """
    Title of a page with a place for its line of facts, and columns for controls on the right.

    Args:
        title: Our word.
        controls: How many columns.
        widths: Of the columns, as shares of the row; default 0.12 each.

    Returns:
        The container under the title, and the control columns.
    """
    look()
    shares = list(widths) or [0.12] * controls
    left, *right = st.columns([1 - sum(shares), *shares], vertical_alignment="bottom") if controls else [st.container()]
    with left:
        head = st.container(gap=None)
        head.title(title, anchor=False)
        return head.container(key=f"cap-{title.lower()}"), right


def box(name: str, title: str, small: str = "", *, height: int | Literal["content", "stretch"] = "content", hint: str = "") -> Any:
    """A bordered box with a title and a small line beside it. ``small`` may carry escaped names; ``hint`` explains the words to those who point at it."""
    frame = st.container(border=True, key=f"box-{name}", gap="xsmall", height=height)
    heading(title, small, frame=frame, hint=hint)
    return frame


def heading(title: str, small: str = "", *, frame: Any = None, hint: str = "") -> None:
    """A title inside a page, with a small line beside it."""
    with (frame or st).container(horizontal=True, vertical_alignment="center", gap="xsmall", key=f"cap-head-{title.lower()}"):
        st.header(title, anchor=False, width="content", help=hint or None)
        if small:
            st.caption(small, width="content")


def chart(figure: go.Figure, *, key: str, alt: str, hover: bool = False) -> None:
    """A picture that only shows; with ``hover`` it says its numbers under the pointer."""
    st.plotly_chart(figure, theme=None, config={"displayModeBar": False} if hover else dict(STATIC), key=key, alt=alt)


def link(label: str, page: str, *, key: str, **params: str | int | None) -> None:
    """A small link to a page that keeps the scope. ``label`` is ours; ``params`` are that page's query parameters."""
    with st.container(key=f"link-{key}", width="content"):
        st.page_link(f"pages/{page}.py", label=f"{label} ›", query_params=selection.link_to(page, **params))


def row_link(label: str, page: str, *, key: str, **params: str | int | None) -> None:
    """A link that stands beside a bar of a picture, as high as the bar's row."""
    with st.container(key=f"rowlink-{key}", width="content"):
        st.page_link(f"pages/{page}.py", label=label, query_params=selection.link_to(page, **params))


def note(text: str, *, key: str) -> None:
    """A remark with a bar on its left. Markdown; names in it escaped with ``md``."""
    with st.container(key=f"note-{key}"):
        st.markdown(text)


@dataclass(frozen=True, kw_only=True)
class StripPart:
    """One number of a strip with what it counts."""

    number: str
    what: str
    remark: str = ""
    """Second line, ours or escaped."""
    help: str = ""
    """What the word means, for those who point at it."""
    page: str | None = None
    """Where the remark links to."""
    params: tuple[tuple[str, str], ...] = ()


def number_strip(parts: Sequence[StripPart], *, key: str) -> None:
    """Numbers side by side, divided by hairlines."""
    if not parts:
        return
    with st.container(key=f"strip-{key}"):
        for at, (column, part) in enumerate(zip(st.columns(len(parts), gap=None), parts, strict=True)):
            with column.container(gap=None):
                st.markdown(f"**{part.number}** {part.what}", help=part.help or None)
                if part.page:
                    link(part.remark or "open", part.page, key=f"{key}-{at}", **dict(part.params))
                else:
                    st.markdown(part.remark or "\u00a0")


@dataclass(frozen=True, kw_only=True)
class Action:
    """A way out of an empty state."""

    label: str
    page: str
    params: tuple[tuple[str, str], ...] = ()


def empty_state(title: str, text: str, *actions: Action, key: str = "empty") -> None:
    """
    Nothing to show: what that means, and what to do about it. The first action is the page's primary button.

    Args:
        title: Our words.
        text: Our words, or escaped.
        actions: Where to go from here.
        key: Unique on the page.
    """
    with st.container(border=True, key=f"box-{key}", horizontal_alignment="center", gap="xsmall"):
        st.space("small")
        st.markdown(f"**{title}**", width="content")
        st.caption(text, width="content", text_alignment="center")
        with st.container(horizontal=True, horizontal_alignment="center", gap="xsmall"):
            for at, action in enumerate(actions):
                pressed = st.button(action.label, key=f"{key}-action-{at}", type="secondary" if at else "primary")
                if pressed:
                    selection.open_page(action.page, **dict(action.params))
        st.space("small")


def problem(message: str, fix: str = "", *, key: str = "problem") -> None:
    """Something went wrong: one sentence, one way out. No traceback. Both are escaped here."""
    with st.container(key=f"problem-{key}"):
        st.error(f"**{md(message, limit=400)}**" + (f"  \n{md(fix, limit=400)}" if fix else ""))


def plainly(render: Callable[[], None]) -> Callable[[], None]:
    """Decorator of a page: whatever goes wrong on purpose is said in one sentence with its fix; the rest is the log's."""

    @wraps(render)
    def guarded() -> None:
        try:
            render()
        except RagvizError as exc:
            problem(exc.message, exc.fix, key="page")

    return guarded


def no_run(what: str) -> None:
    """The store is empty: the same way out on every page."""
    empty_state("No traces yet", f"{what} Drop a file on the Data page, or look around with the sample traces.",
                Action(label="Load a file", page="data"), Action(label="Try the sample traces", page="data", params=(("samples", "1"),)))
