"""What every test of a command needs."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def _no_store_of_the_user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A command looks into the user's own store for what is known of a judge: here that is one nobody has written to."""
    monkeypatch.setenv("RAGVIZ_STORE", str(tmp_path / "own.sqlite"))
