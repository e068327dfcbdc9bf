"""
Numbers as people read them, and foreign text made harmless for plotly.

Plotly reads a subset of HTML, entities and ``$…$`` formulas in every text it draws, and ``%{…}`` in its templates, so text of a trace is escaped here first.
"""

from __future__ import annotations

import unicodedata

from ragviz.text.counts import counted

__all__ = [
    "MINUS", "NOTHING", "SPACE", "count", "counted", "cut", "cut_inside", "duration", "interval", "number", "percent", "plain", "share", "signed", "size", "visible",
]

MINUS = "\u2212"
SPACE = "\u00a0"
"""Between a number and its unit: never breaks."""
NOTHING = "–"
"""An undefined number. Never 0."""

_ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", "$": "&#36;", "\n": " ", "\r": " ", "\t": " "})


def visible(text: str) -> str:
    """One line without what reorders or hides its neighbours: bidi controls and other control characters become U+FFFD."""
    flat = " ".join(text.encode("utf-8", "replace").decode("utf-8").split())
    return "".join("\ufffd" if _disturbs(c) else c for c in flat)


def _disturbs(character: str) -> bool:
    return unicodedata.category(character) == "Cc" or character in "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"


def cut(text: str, limit: int) -> str:
    """At most ``limit`` characters, the last one "…" when something was left out."""
    return text if len(text) <= limit else text[: max(limit - 1, 0)].rstrip() + "…"


def cut_inside(text: str, limit: int) -> str:
    """At most ``limit`` characters, "…" in the middle when something was left out: long names of one system differ at their ends (a date, a number)."""
    room = max(limit - 1, 0)
    return text if len(text) <= limit else text[: room - room // 2].rstrip() + "…" + text[len(text) - room // 2 :].lstrip()


def plain(text: str, *, limit: int = 80, inside: bool = False) -> str:
    """
    Foreign text for plotly: one line, at most ``limit`` characters (``inside``: cut in the middle), nothing in it read as HTML, formula or
    ``%{place}`` of a template.
    """
    return (cut_inside if inside else cut)(visible(text), limit).translate(_ESCAPES).replace("%{", "&#37;{")


def number(value: float | None, *, digits: int = 3) -> str:
    """0.870 with a true minus; "–" for no value. Never "−0.000"."""
    if value is None or value != value:  # noqa: PLR0124 - the NaN test
        return NOTHING
    shown = f"{value:,.{digits}f}"
    if shown.startswith("-") and not any(c in "123456789" for c in shown):
        shown = shown[1:]
    return shown.replace("-", MINUS)


def count(value: float) -> str:
    """1,204."""
    return number(value, digits=0)


def percent(value: float | None, *, digits: int = 1) -> str:
    """A share as 85.1 %."""
    return NOTHING if value is None or value != value else f"{number(100 * value, digits=digits)}{SPACE}%"  # noqa: PLR0124 - the NaN test


def share(part: float, whole: float, *, digits: int = 1) -> str:
    """``part`` of ``whole`` in percent; "–" of nothing."""
    return NOTHING if whole == 0 else percent(part / whole, digits=digits)


def interval(lo: float | None, hi: float | None, *, digits: int = 3, as_percent: bool = False) -> str:
    """0.853 to 0.887, or 10.6 to 13.1 %; "" without an interval."""
    if lo is None or hi is None:
        return ""
    if as_percent:
        return f"{number(100 * lo, digits=1)} to {percent(hi)}"
    return f"{number(lo, digits=digits)} to {number(hi, digits=digits)}"


def signed(value: float, *, digits: int = 3) -> str:
    """+0.020 or −0.068; 0 without a sign."""
    shown = number(value, digits=digits)
    return shown if shown.startswith(MINUS) or not any(c in "123456789" for c in shown) else f"+{shown}"


def duration(seconds: float) -> str:
    """4 s, 2 min 36 s, 1 h 5 min."""
    whole = max(round(seconds), 0)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"


def size(n_bytes: float) -> str:
    """38 kB, 4.1 MB: decimal units."""
    for unit in ("B", "kB", "MB"):
        if n_bytes < 1000:
            return f"{n_bytes:.0f} {unit}" if unit != "MB" or n_bytes >= 10 else f"{n_bytes:.1f} {unit}"
        n_bytes /= 1000
    return f"{n_bytes:.1f} GB"
