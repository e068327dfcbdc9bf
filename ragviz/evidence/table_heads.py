"""Which of a certificate's quotes is told first: a row of a table says something, the row of its headings alone does not."""

from __future__ import annotations

from collections.abc import Sequence

from ragviz.records import Evidence


def rows_first(evidence: Sequence[Evidence], text: str) -> list[Evidence]:
    """The same quotes of one passage, those that are headings of a Markdown table last; else as they were."""
    return sorted(evidence, key=lambda e: _is_head(e, text))


def _is_head(e: Evidence, text: str) -> bool:
    if "|" not in e.quote:
        return False
    end = text.find("\n", e.span.end)
    if end < 0 or text[e.span.end : end].strip(" \t|\r"):
        return False
    after = text.find("\n", end + 1)
    below = text[end + 1 : after if after >= 0 else len(text)]
    return "-" in below and not below.strip("|-: \t\r")  # the line of dashes below the headings
