"""Waiting for what is done beside a page: until it is over, on however busy a machine."""

from __future__ import annotations

from ragviz.ui import resources

PATIENCE_S = 600
"""Only ends a test that hangs: how long something takes is no matter here."""


def over(key: str = "") -> None:
    """Wait for that piece of work, or for all that is being done."""
    for one in [key] if key else [state.key for state in resources.jobs().active()]:
        resources.jobs().wait(one, PATIENCE_S)
