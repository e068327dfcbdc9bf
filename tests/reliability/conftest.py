"""Counts of rounds, printed at the end, for docs/RELIABILITY.md."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import pytest

_ROWS: list[str] = []


@pytest.fixture
def record() -> Callable[..., None]:
    """Notes what a test of crashes came to: it got this far, so nothing was lost."""

    def note(work: str, n_killed: int, n_said: int, *, unit: str) -> None:
        assert n_killed, f"{work}: no kill hit; the work is too short to say anything"
        _ROWS.append(f"{work:<20} {n_killed:>6} kills that hit, {n_said:>7,} {unit} acknowledged, 0 lost, 0 doubled")

    return note


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """The table, where somebody asked for many rounds."""
    if _ROWS and os.environ.get("RAGVIZ_CRASH_ROUNDS"):
        terminalreporter.section("kill -9 at random moments")
        for row in _ROWS:
            terminalreporter.write_line(row)
