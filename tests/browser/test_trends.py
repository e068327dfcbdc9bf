"""Trends in a real browser: points of two runs drawn, the way to the Inspector, and a file of reports."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from ragviz.store.labels import REPORTS, people_said
from tests.browser.conftest import Dashboard, Watched, settled
from tests.build import a_case
from tests.stored import fill, renamed

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.fixture(scope="module")
def dashboard(start_dashboard: Callable[..., Dashboard]) -> Dashboard:
    """Two versions of 24 traces: all supported, then all contradicted."""
    made = start_dashboard()
    for n, verdict in ((1, "E"), (2, "C")):
        cases = [
            renamed(
                a_case(
                    "a",
                    response_x_passages={"a": verdict},
                    question=f"How long is {i}?",
                    started_at=datetime(2026, n, 3, tzinfo=UTC),
                    tags={"version": f"v{n}"},
                ),
                f"t{i}",
            )
            for i in range(24)
        ]
        fill(made.store, *cases, name=f"shop-{n}")
    return made


def test_versions_are_drawn_and_lead_to_their_traces(dashboard: Dashboard, watched: Watched) -> None:
    """A line of two points, the change named, one click to the trace behind it; nothing in the console."""
    page = watched.page
    page.goto(f"{dashboard.url}/trends?run=shop-2")
    settled(page)
    page.wait_for_selector(".st-key-box-trend-faithfulness .scatterlayer .point", state="attached")

    faithfulness = page.locator(".st-key-box-trend-faithfulness .scatterlayer .point")
    assert faithfulness.count() == 2
    page.get_by_text("regression", exact=False).first.wait_for()
    page.get_by_role("link", name="t0").first.click()
    page.wait_for_url("**/inspector?**trace=t0**")
    assert "run=shop-2" in page.url
    assert watched.problems == []


def test_a_file_of_reports(dashboard: Dashboard, watched: Watched, tmp_path: Path) -> None:
    """Uploaded and imported; the row that fits nothing is listed; the Inspector shows the words as they are."""
    file = tmp_path / "reports.csv"
    file.write_text("trace_id,reason\nt1,<b>wrong</b> number\nnobody,?\n", encoding="utf-8")
    page = watched.page
    page.goto(f"{dashboard.url}/trends?run=shop-2")
    settled(page)
    page.set_input_files("input[type=file]", str(file))
    page.get_by_role("button", name="Import reports").click()
    page.get_by_text("1 report added", exact=False).wait_for()

    assert [note.trace_id for note in people_said(dashboard.store, "shop-2", REPORTS)] == ["t1"]
    page.goto(f"{dashboard.url}/inspector?run=shop-2&trace=t1&claim=a")
    settled(page)
    page.get_by_text("<b>wrong</b> number", exact=False).wait_for()
    assert watched.problems == []
