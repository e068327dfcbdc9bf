"""The Inspector without a mouse, without good eyes, in two tabs, and carried away as a file."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ragviz.loaders import read
from tests.browser.axe import faults
from tests.browser.conftest import Dashboard, Watched, in_colours, settled
from tests.browser.scenario import a_rich_case, a_rich_trace
from tests.stored import renamed

pytestmark = [pytest.mark.browser, pytest.mark.slow]

FOCUSED = """() => {
  let node = document.activeElement;
  while (node?.shadowRoot?.activeElement) node = node.shadowRoot.activeElement;
  const inside = ['cl', 'pane', 'copylink'].find((name) => node?.classList?.contains(name)) ?? (node?.tagName === 'TD' ? 'matrix' : '');
  return inside || node?.closest?.('[class*="st-key-"]')?.className.match(/st-key-([\\w-]+)/)?.[1] || node?.tagName || '';
}"""
"""What has the focus: a part of the viewer, the key of a widget, or a tag."""
MOST_TABS = 80


@pytest.fixture(scope="module")
def dashboard(start_dashboard: Callable[..., Dashboard]) -> Dashboard:
    """One server with the rich trace twice."""
    case = a_rich_case()
    return start_dashboard(case, renamed(case, "tr-0418"))


def _open(page: Any, dashboard: Dashboard, query: str) -> Any:
    page.goto(f"{dashboard.url}/inspector?{query}")
    page.wait_for_selector("#viewer .frame")
    settled(page)
    return page


class TestKeyboardAlone:
    def test_tab_reaches_every_part(self, dashboard: Dashboard, watched: Watched) -> None:
        """From the top of the page: controls, answer, passages, matrix, judging, overruling, keeping."""
        page = _open(watched.page, dashboard, "trace=tr-0417&claim=c1")
        reached: list[str] = []
        wanted = {"next_failing", "copylink", "cl", "pane", "matrix", "rejudge", "overrule_verdict", "save_case", "make_test"}

        while len(reached) < MOST_TABS and not wanted <= set(reached):
            page.keyboard.press("Tab")
            reached.append(page.evaluate(FOCUSED))

        assert wanted <= set(reached), reached
        assert watched.problems == []

    def test_enter_on_a_quote_and_escape(self, dashboard: Dashboard, watched: Watched) -> None:
        """Tab goes from the picked claim to its quotes; Enter shows the place; Escape takes the choice back, and the focus stays with the claim."""
        page = _open(watched.page, dashboard, "trace=tr-0417&claim=c4")
        page.locator('.ans .cl[data-claims="c4"]').first.focus()

        for _ in range(10):
            page.keyboard.press("Tab")
            if page.locator(".quote:focus").count():
                break
        page.keyboard.press("Enter")
        assert page.locator(".psg.con .ev.lit.pulse").count() >= 1
        page.keyboard.press("Escape")

        assert page.locator(".cl.on").count() == 0
        assert page.evaluate(FOCUSED) == "cl"
        page.wait_for_url(lambda url: "claim=" not in url)


def test_no_serious_fault_with_a_claim_picked(dashboard: Dashboard, watched: Watched) -> None:
    """Certificate, lit evidence and history are there too; in light and in dark colours (all pages as they open: ``test_every_page.py``)."""
    page = _open(watched.page, dashboard, "trace=tr-0417")
    page.locator(".ans .cl").first.click()
    page.wait_for_selector(".certificate .certline")
    page.wait_for_url(lambda url: "claim=" in url)

    for scheme in ("light", "dark"):
        in_colours(page, scheme)
        page.wait_for_selector(".certificate .certline")
        assert faults(page) == [], scheme


def test_two_tabs_do_not_disturb_each_other(dashboard: Dashboard, watched: Watched) -> None:
    """c2 in one tab; c4 with k = 3 in the other: the first still shows c2 of five passages."""
    one = _open(watched.page, dashboard, "trace=tr-0417")
    two = _open(watched.page.context.new_page(), dashboard, "trace=tr-0417&k=3")
    one.locator('.cl[data-claims="c2"]').click()
    two.locator('.cl[data-claims="c4"]').click()
    for page, claim in ((one, "c2"), (two, "c4")):
        page.wait_for_url(re.compile(f"claim={claim}"))
        page.wait_for_selector(f":text('Overrule {claim} as')")
        settled(page)

    assert one.locator(".cl.on").get_attribute("data-claims") == "c2"
    assert one.locator(".psg.out").count() == 0
    assert "k=" not in one.url
    assert two.locator(".cl.on").get_attribute("data-claims") == "c4"
    assert two.locator(".psg.out").count() == 2
    assert watched.problems == []


def test_the_saved_file_is_the_trace(dashboard: Dashboard, watched: Watched, tmp_path: Path) -> None:
    """Saved, opened in the browser, and read back equal; the page asks for nothing and runs nothing."""
    page = _open(watched.page, dashboard, "trace=tr-0417&claim=c1")
    with page.expect_download() as waiting:
        page.locator(".st-key-save_case button").first.click()
    file = tmp_path / waiting.value.suggested_filename
    waiting.value.save_as(file)

    assert file.name == "case-tr-0417.html"
    assert list(read(file)) == [a_rich_trace()]
    page.goto(file.as_uri())
    assert page.locator("h1").inner_text() == a_rich_trace().question
    assert page.locator("mark").count() >= 6
    assert watched.problems == []
