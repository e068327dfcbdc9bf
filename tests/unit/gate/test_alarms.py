"""The gate under made-up judges of every mood: how often it cries though nothing changed, and whether it sees what did. ``benchmarks/gate_alarms.py`` prints more."""

from __future__ import annotations

import pytest
from scipy.special import bdtrc

from benchmarks.gate_alarms import SHAPES, alarms

SEEDS, LEVEL = 400, 0.05
MOST = next(hits for hits in range(SEEDS) if bdtrc(hits, SEEDS, LEVEL) < 0.001)
"""A gate that cries 5 of 100 times cries more often than this in 400 once in a thousand tests."""


@pytest.mark.parametrize("n", [4, 12])
@pytest.mark.parametrize("shape", SHAPES)
def test_moods_alone_raise_no_more_alarms_than_stated(shape: str, n: int) -> None:
    """Four cases are too few to tell chance, so that only what the judge said again stands between its moods and an alarm."""
    assert alarms(shape, n=n, share=0.0, seeds=SEEDS).after <= MOST


@pytest.mark.parametrize("shape", SHAPES)
def test_what_became_worse_everywhere_is_seen(shape: str) -> None:
    """Twelve answers that all became wrong fail the gate in nine of ten seeds and more; a way that never fails would not."""
    assert alarms(shape, n=12, share=1.0, seeds=40).after >= 36
