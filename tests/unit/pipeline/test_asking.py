"""Pairs to a judge in batches."""

from __future__ import annotations

import pytest

from ragviz.pipeline.asking import whole_traces


@pytest.mark.parametrize(("traces", "size", "expected"), [
    ("aabb", 4, [[0, 1, 2, 3]]), ("aabb", 3, [[0, 1], [2, 3]]), ("aaaab", 3, [[0, 1, 2], [3, 4]]), ("", 3, []), ("abc", 1, [[0], [1], [2]]),
])
def test_a_trace_is_not_cut_unless_it_is_too_large(traces: str, size: int, expected: list[list[int]]) -> None:
    """One letter a pair, named after its trace."""
    assert expected == whole_traces(traces, range(len(traces)), size)
