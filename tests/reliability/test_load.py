"""A short form of the load test: three visitors, a judge, and a second process that imports and labels."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.reliability.load import report, run


@pytest.mark.slow
def test_visitors_a_judge_and_an_import_do_not_disturb_each_other(tmp_path: Path) -> None:
    """No page with a fault, no write that was acknowledged and is lost. The long form: python -m tests.reliability.load."""
    found = run(tmp_path, minutes=0.1, sessions=3, n_traces=120, each=60, say=lambda _: None)

    assert [] == found.faults + found.lost, report(found)
    assert len(found.seconds) >= 3
    assert found.imported
    assert found.judged
