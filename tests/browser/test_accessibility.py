"""No page has a serious fault for people who read with a screen reader or cannot see colours; axe-core (vendor/, MPL-2.0) looks for them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.browser.conftest import REPO, Dashboard, Watched, settled
from tests.browser.scenario import a_rich_case
from tests.stored import renamed

pytestmark = [pytest.mark.browser, pytest.mark.slow]

AXE = Path(__file__).parent / "vendor" / "axe.min.js"
PAGES = sorted(p.stem for p in (REPO / "pages").glob("*.py") if p.stem != "__init__")
BEHIND = ("judges?tab=label", "judges?tab=differ", "judges?tab=stability")
"""Label queue, disagreements and stability are not on the page that opens first."""
RUN = """() => axe.run(document, { resultTypes: ['violations'] }).then((found) => found.violations
  .filter((v) => v.impact === 'serious' || v.impact === 'critical')
  .map((v) => [v.id, v.nodes.map((n) => n.target.flat().join(' >> ') + '  ' + n.html.slice(0, 160))]))"""

AT_REST = """() => !document.querySelector('[data-testid=stSidebar] [data-testid=stProgress], [data-stale=true]')
  && document.getAnimations().every((a) => a.playState !== 'running')"""
"""Nothing is being judged, and nothing fades in or out: half-faded text has too little contrast for a moment."""

NOT_OURS: dict[str, str] = {}
"""Rule id → why it is left to Streamlit. Empty: none of its widgets has a serious fault on our pages."""


@pytest.fixture(scope="module")
def dashboard(start_dashboard: Callable[..., Dashboard]) -> Dashboard:
    """Judged traces with all five verdicts: pages with something on them, and nothing that is still being judged."""
    case = a_rich_case()
    return start_dashboard(case, renamed(case, "tr-0418"), renamed(case, "tr-0419"))


def _faults(page: Any) -> list[Any]:
    page.wait_for_function(AT_REST, timeout=30_000)
    settled(page)
    page.evaluate(AXE.read_text(encoding="utf-8"))
    return [fault for fault in page.evaluate(RUN) if fault[0] not in NOT_OURS]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("place", [*PAGES, *BEHIND])
def test_no_serious_fault(dashboard: Dashboard, watched: Watched, place: str, scheme: Any) -> None:
    """Contrast, names, roles, headings, regions; in both colour schemes."""
    watched.page.emulate_media(color_scheme=scheme)
    watched.page.goto(f"{dashboard.url}/{place}")
    settled(watched.page)
    watched.page.wait_for_selector("h1", state="attached")

    assert _faults(watched.page) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_serious_fault_with_a_claim_picked(dashboard: Dashboard, watched: Watched, scheme: Any) -> None:
    """Certificate, lit evidence and history are there too; and the dark colours."""
    page = watched.page
    page.emulate_media(color_scheme=scheme)
    page.goto(f"{dashboard.url}/inspector")
    page.wait_for_selector(".ans .cl")
    page.locator(".ans .cl").first.click()
    page.wait_for_selector(".certificate .certline")
    page.wait_for_url(lambda url: "claim=" in url)
    settled(page)

    assert _faults(page) == []
