"""Words in questions and answers."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from ragviz.store import Store, TraceFilter, open_store
from tests.contracts.store_laws import VIEW, plain, with_traces

TEXTS = {
    "a": ("When may I return it?", "Within 30-day windows, see the Café menu."), "b": ("返品期限は?", "三十日以内です。"),
    "c": ("Who pays?", "The buyer pays the return shipping; returns are free for members."), "d": ("A b c", "x"),
}


@pytest.fixture(scope="module")
def store() -> Iterator[Store]:
    made = open_store(":memory:")
    with_traces(made, *[plain(i, question=q, response=r) for i, (q, r) in TEXTS.items()])
    yield made
    made.close()


@pytest.mark.parametrize(("query", "expected"), [
    ("return", "ac"), ("RETURNS", "c"), ("cafe", "a"), ("pays buyer", "c"), ('"buyer pays"', "c"), ('"pays buyer"', ""), ("retur", "ac"), ("30-day", "a"),
    ("三十日", "b"), ("返品", "b"), ("", "abcd"), ("!?", "abcd"), ("a", "d"), ('NEAR("x" OR', ""), ("question: return", ""), ("x*", "d"), ("'; DROP TABLE trace", ""),
])
def test_what_is_found(store: Store, query: str, expected: str) -> None:
    """All words, in any order, without case and accents; the last may be unfinished; in quotes: in a row. Operators are only words."""
    assert expected == "".join(row.id for row in store.page(VIEW, TraceFilter(text=query)))
    assert len(expected) == store.count(VIEW, TraceFilter(text=query))
