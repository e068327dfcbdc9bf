"""The laws that ``make fuzz`` searches against, on their seeds, and on seeds cut up, doubled and mixed with the words that readers look for."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.reliability.fuzz_targets import TARGETS, Target


@st.composite
def changed(draw: st.DrawFn, target: Target) -> bytes:
    """A seed with stretches taken out or doubled, words put in, or bytes nobody would think of."""
    raw = draw(st.sampled_from(target.seeds) | st.binary(max_size=60))
    for _ in range(draw(st.integers(0, 5))):
        at = draw(st.integers(0, len(raw)))
        end = min(len(raw), at + draw(st.integers(0, 30)))
        word = (
            draw(st.sampled_from(target.words).map(str.encode) if target.words else st.binary(max_size=4))
            if draw(st.booleans())
            else draw(st.binary(max_size=4) | st.text(max_size=4).map(lambda t: t.encode("utf-8", "replace")))
        )
        raw = draw(st.sampled_from((raw[:at] + raw[end:], raw[:at] + raw[at:end] + raw[at:], raw[:at] + word + raw[at:], raw[:at] + word * 3 + raw[end:])))
    return raw


@pytest.mark.parametrize("name", TARGETS)
def test_seeds(name: str) -> None:
    """Where the search begins, the law holds."""
    for seed in TARGETS[name].seeds:
        TARGETS[name].check(seed)


@pytest.mark.parametrize("name", TARGETS)
@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_any_input(name: str, data: st.DataObject) -> None:
    """What is made of seeds and of nothing at all."""
    TARGETS[name].check(data.draw(changed(TARGETS[name])))
