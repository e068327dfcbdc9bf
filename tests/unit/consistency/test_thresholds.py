"""One size beside a bound."""

from __future__ import annotations

import pytest

from ragviz.consistency import check


@pytest.mark.parametrize(("premise", "claim", "agrees"), [
    ("Employers with more than 50 employees must appoint an officer.", "An employer with 200 employees must appoint an officer.", True),
    ("Orders over 50 euros are sent free.", "An order of 80 euros is sent free.", True),
    ("The museum has more than 50 rooms.", "The museum has 67 rooms.", False),
    ("More than 50 people attended.", "67 people attended.", False),
])
def test_thresholds(premise: str, claim: str, agrees: bool) -> None:
    """What lies beyond a threshold falls under its rule; how much more than a bound a thing has is not known."""
    found = check(claim, premise)

    assert bool(found.agreements) is agrees
    assert bool(found.dropped) is not agrees
