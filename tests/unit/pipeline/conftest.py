"""What most tests of the pipeline need."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from ragviz.store import Store, open_store


@pytest.fixture
def store() -> Iterator[Store]:
    """One that is thrown away."""
    found = open_store(":memory:")
    yield found
    found.close()


@pytest.fixture
def no_raters(monkeypatch: pytest.MonkeyPatch) -> None:
    """Raters bring a model; here only verdicts count."""
    monkeypatch.setattr("ragviz.pipeline.rating.raters", type("None", (), {"names": staticmethod(list)}))
