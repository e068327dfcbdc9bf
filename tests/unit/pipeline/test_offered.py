"""What ``ragviz.pipeline`` offers is loaded when it is asked for, and all of it is there."""

from __future__ import annotations

import subprocess
import sys

import pytest

from ragviz import pipeline


@pytest.mark.parametrize("name", pipeline.__all__)
def test_what_is_offered_is_there(name: str) -> None:
    """Under its name."""
    assert getattr(pipeline, name) is not None


def test_what_is_not_offered_is_told_as_python_does() -> None:
    """And not as a module that is missing."""
    with pytest.raises(AttributeError, match=r"'ragviz\.pipeline' has no attribute 'judge_runs'"):
        _ = pipeline.judge_runs  # type: ignore[attr-defined]


def test_listing_runs_loads_no_judge() -> None:
    """Judges, metrics and loaders take longer to load than the list takes."""
    code = "import sys; from ragviz.cli.stores import opened_store; print([n for n in ('judges', 'metrics', 'diagnosis', 'consistency') if f'ragviz.{n}' in sys.modules])"

    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip() == "[]"
