"""The row that says it is told before the headings of its table; nothing else moves, and no quote is lost."""

from __future__ import annotations

import pytest

from ragviz.evidence.table_heads import rows_first
from ragviz.records import Evidence, MatchTier, Span

TABLE = "Prices.\n\n| Tariff | Monthly |\n|---|--:|\n| Blue | 9.90 |\n| Green | 12.00 |\nAll with tax."


def quoted(text: str, *quotes: str) -> list[Evidence]:
    """Their certificates, in that order."""
    return [Evidence(span=Span(at, at + len(q)), quote=q, weight=1 / len(quotes), tier=MatchTier.EXACT) for q in quotes for at in [text.index(q)]]


@pytest.mark.parametrize(
    "text",
    [
        TABLE,
        TABLE.replace("|---|--:|", "| :--- | ---: |"),
        TABLE.replace("|---|--:|", "  |-|-|  "),
        TABLE.replace("| Tariff | Monthly |", "Tariff | Monthly").replace("|---|--:|", "---|---"),
    ],
)
@pytest.mark.parametrize("head", ["| Tariff | Monthly |", "Tariff | Monthly"])
def test_headings_come_last(text: str, head: str) -> None:
    """However the table is ruled, and with or without its outer strokes."""
    head = head if head in text else "Tariff | Monthly"
    found = rows_first(quoted(text, head, "| Green | 12.00 |", "| Blue | 9.90 |"), text)

    assert [e.quote for e in found] == ["| Green | 12.00 |", "| Blue | 9.90 |", head]


@pytest.mark.parametrize(
    ("text", "quotes"),
    [
        (TABLE, ("| Green | 12.00 |", "| Blue | 9.90 |")),
        (TABLE, ("All with tax.", "Prices.")),
        (TABLE, ("Prices.", "| Green | 12.00 |")),
        (TABLE, ("| Tariff | Monthly |",)),
        ("a | b\nc | d", ("a | b", "c | d")),
        ("Yes | no", ("Yes | no",)),
        ("Title\n-----\nIt rains.", ("Title", "It rains.")),
    ],
)
def test_all_else_keeps_its_order(text: str, quotes: tuple[str, ...]) -> None:
    """Rows, sentences, a heading alone, lines with a stroke that are no table."""
    assert [e.quote for e in rows_first(quoted(text, *quotes), text)] == list(quotes)
