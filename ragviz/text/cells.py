"""Text for the cells of tables that a spreadsheet will open."""

from __future__ import annotations

_FORMULA = ("=", "+", "-", "@", "\uff1d", "\uff0b", "\uff0d", "\uff20")
_CONTROL = ("\t", "\r", "\n")
_IGNORED = " \t\r\n\v\f\x00\u00a0\u200b\u200c\u200d\u2060\ufeff"
"""What programs skip in front of a formula."""


def safe_cell(text: str) -> str:
    """
    Text that a spreadsheet shows instead of computing: what it would take for a formula gets an apostrophe in front.

    Full-width signs count, and so do signs behind spaces, line ends and invisible characters.

    Source: OWASP, "CSV Injection".
    """
    if text.startswith(_CONTROL) or text.lstrip(_IGNORED).startswith(_FORMULA):
        return f"'{text}"
    return text
