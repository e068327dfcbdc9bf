"""What tests of crashes came to, for the table of ``everything.py``."""

from __future__ import annotations

from collections.abc import Callable

import pytest


@pytest.fixture
def record(record_property: Callable[[str, object], None]) -> Callable[..., None]:
    """Notes what a test of crashes came to: it got this far, so nothing was lost."""

    def note(work: str, n_killed: int, n_said: int, *, unit: str) -> None:
        assert n_killed, f"{work}: no kill hit; the work is too short to say anything"
        record_property("rounds", f"{n_killed} kills that hit, {n_said:,} {unit} acknowledged, 0 lost, 0 doubled")

    return note
