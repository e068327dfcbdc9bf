"""The guided tour with the keyboard alone, in the dark."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.browser.conftest import Dashboard, Watched, settled
from tests.browser.scenario import a_rich_case

pytestmark = [pytest.mark.browser, pytest.mark.slow]

MOST_TABS = 150
"""Three rounds through all that can have the focus: a page that is still being drawn moves on under the first."""
FOCUSED = "() => [document.activeElement.tagName, document.activeElement.innerText || '', getComputedStyle(document.activeElement).outlineStyle]"


def tab_to(page: Any, tag: str, words: str) -> str:
    """Press Tab until that link or button has the focus; how it is outlined."""
    page.locator(tag, has_text=words).wait_for()
    passed = []
    for _ in range(MOST_TABS):
        page.keyboard.press("Tab")
        found, text, outline = page.evaluate(FOCUSED)
        if found == tag and words in text:
            return str(outline)
        passed.append(f"{found} {text[:30]!r}")
    raise AssertionError(f"{words!r} cannot be reached by keyboard: {', '.join(passed)}")


def test_the_tour_needs_no_mouse(start_dashboard: Callable[..., Dashboard], watched: Watched) -> None:
    """
    Tab reaches each step's link, which shows that it has the focus; Enter opens the failing answer; dismissed it stays away, the sidebar's link
    brings it back.
    """
    dashboard, page = start_dashboard(a_rich_case()), watched.page
    page.emulate_media(color_scheme="dark")
    page.goto(dashboard.url)
    page.get_by_text("First time here?").wait_for()
    settled(page)

    assert tab_to(page, "A", "Open a failing answer") == "solid"
    page.keyboard.press("Enter")
    page.wait_for_url("**/inspector?*trace=*")
    page.goto(dashboard.url)
    page.get_by_text("First time here?").wait_for()
    settled(page)
    tab_to(page, "BUTTON", "Got it")
    page.keyboard.press("Enter")
    page.get_by_text("First time here?").wait_for(state="detached")
    page.reload()
    settled(page)
    page.wait_for_selector("h1", state="attached")
    assert page.get_by_text("First time here?").count() == 0

    assert tab_to(page, "A", "Guided tour") == "solid"
    page.keyboard.press("Enter")
    page.get_by_text("First time here?").wait_for()
    assert watched.problems == []
