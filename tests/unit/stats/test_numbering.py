"""Values as numbers, by sorting and by hashing."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from ragviz.stats import numbering
from ragviz.stats.numbering import numbered, places_in

whole = arrays(np.int64, st.integers(0, 40), elements=st.integers(-5, 5) | st.integers(-(2**63), 2**63 - 1))


@pytest.mark.parametrize("hashed_from", [0, 10**9])
@given(values=whole)
def test_numbered(hashed_from: int, values: np.ndarray) -> None:
    """Distinct values in the order of first occurrence, both ways; -2**63, which others take for a gap, is a value like any."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(numbering, "HASHED_FROM", hashed_from)
        places, distinct = numbered(values)
    expected = list(dict.fromkeys(values.tolist()))
    assert distinct.tolist() == expected
    assert places.tolist() == [expected.index(value) for value in values.tolist()]


@given(
    those=arrays(np.int64, st.integers(0, 20), elements=st.integers(0, 30), unique=True),
    wanted=arrays(np.int64, st.integers(0, 20), elements=st.integers(0, 30)),
)
def test_places(those: np.ndarray, wanted: np.ndarray) -> None:
    """-1 for what is not there."""
    known = those.tolist()
    assert places_in(those, wanted).tolist() == [known.index(value) if value in known else -1 for value in wanted.tolist()]
