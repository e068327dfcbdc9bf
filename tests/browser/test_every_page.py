"""
Every page, opened in a narrow window and looked at from all sides while it stands there: what the browser refused, what is cut off at which width,
and, with axe-core (vendor/, MPL-2.0), what keeps people out who read with a screen reader or cannot see colours; in the light and in the dark.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from tests.browser.axe import faults
from tests.browser.conftest import REPO, Dashboard, Watched, in_colours, settled, watch
from tests.browser.scenario import a_rich_case
from tests.stored import renamed

pytestmark = [pytest.mark.browser, pytest.mark.slow]

PAGES = sorted(p.stem for p in (REPO / "pages").glob("*.py") if p.stem != "__init__")
BEHIND = ("judges?tab=label", "judges?tab=differ", "judges?tab=stability")
"""Label queue, disagreements and stability are not on the page that opens first."""
WIDTHS = (900, 1100, 1280)
"""From narrow to wide, as the page is opened in the narrowest."""
WIDE = 1440
LISTEN = """window.refused = [];
document.addEventListener('securitypolicyviolation', (e) => window.refused.push(`${e.effectiveDirective} ${e.blockedURI} ${e.sourceFile}:${e.lineNumber}`));"""
LOOK = """() => {
  const main = document.querySelector('[data-testid=stMain]');
  const seen = (n) => n.offsetParent !== null && n.getBoundingClientRect().width > 0;
  const cut = [...main.querySelectorAll('[data-testid^=stBaseButton] p, [data-testid=stWidgetLabel] p, [data-testid=stPageLink] p')].filter((n) => seen(n) && n.scrollWidth > n.clientWidth + 1);
  const crushed = [...main.querySelectorAll('[data-testid=stColumn]')].filter((n) => seen(n) && n.innerText.trim().length > 12 && n.getBoundingClientRect().width < 45);
  const pictures = [...main.querySelectorAll('.js-plotly-plot')].filter((n) => seen(n) && n.querySelector('.main-svg')?.getBoundingClientRect().width > n.clientWidth + 1);
  return {pictures: pictures.map((n) => n.clientWidth), cut: cut.map((n) => n.innerText), crushed: crushed.map((n) => n.innerText.slice(0, 40)), sideways: main.scrollWidth - main.clientWidth};
}"""
AS_IT_SHOULD_BE = {"pictures": [], "cut": [], "crushed": [], "sideways": 0}
"""What stands side by side stacks before its words are cut, and the page itself never scrolls sideways."""


STILL = """(width) => new Promise((done) => {
  let [last, still] = ['', 0];
  const look = () => {
    const now = [...document.querySelectorAll('[data-testid=stMain], [data-testid=stMain] *')].map((n) => `${n.clientWidth} ${n.scrollWidth}`).join();
    still = innerWidth === width && now === last ? still + 1 : 0;
    last = now;
    still < 15 ? requestAnimationFrame(look) : done(true);
  };
  look();
})"""
"""The window is that wide, and nothing in it has changed its width for 15 frames."""
PICTURES_FIT = f"""() => !({LOOK})().pictures.length
  && [...document.querySelectorAll('[data-testid=stMain] [data-testid=stPlotlyChart]')].every((n) => n.offsetParent === null || n.querySelector('.main-svg'))"""
"""Plotly comes, and draws anew, some time after the page and the window: looked at earlier, any picture fits. One that never does ends the test here."""


@pytest.fixture(scope="module")
def dashboard(start_dashboard: Callable[..., Dashboard]) -> Dashboard:
    """Judged traces with all five verdicts: pages with something on them, and nothing that is still being judged."""
    case = a_rich_case()
    return start_dashboard(case, renamed(case, "tr-0418"), renamed(case, "tr-0419"))


@pytest.fixture(scope="module", params=[*PAGES, *BEHIND])
def place(request: pytest.FixtureRequest) -> str:
    """A page's address; all that is looked at on one page comes before the next."""
    return str(request.param)


@dataclass
class Opened:
    """A page, and what was refused and complained of until it stood there: before this test itself did anything to it."""

    watched: Watched
    refused: list[str]
    problems: list[str]
    _looks: dict[int, Any] | None = None

    def looks(self) -> dict[int, Any]:
        """What is cut, crushed or too wide at each width. Looked at once, and before anything makes the window wide: narrow again, the page would have to come anew."""
        if self._looks is None:
            self._looks = {width: _look(self.watched.page, width) for width in WIDTHS}
        return self._looks


def _look(page: Any, width: int) -> Any:
    page.set_viewport_size({"width": width, "height": 1000})
    settled(page)
    page.wait_for_selector("h1", state="attached")
    page.wait_for_function(STILL, arg=width)
    page.wait_for_function(PICTURES_FIT)
    return page.evaluate(LOOK)


@pytest.fixture(scope="module")
def opened(visitor: Any, dashboard: Dashboard, place: str) -> Iterator[Opened]:
    """That page, as it came in a window of 900 pixels."""
    found = watch(visitor)
    found.page.add_init_script(LISTEN)
    found.page.set_viewport_size({"width": WIDTHS[0], "height": 1000})
    found.page.goto(f"{dashboard.url}/{'' if place == 'overview' else place}")
    settled(found.page)
    found.page.wait_for_selector("h1", state="attached")
    if place == "overview":
        found.page.wait_for_selector(".js-plotly-plot", state="attached")
    if place == "inspector":
        found.page.get_by_text("90 days").first.wait_for()
    yield Opened(found, found.page.evaluate("window.refused"), list(found.problems))
    found.page.close()


def test_nothing_is_cut_or_crushed(opened: Opened) -> None:
    """Labels, links and buttons keep their words, columns of words their width; no picture is wider than its place."""
    assert opened.looks() == dict.fromkeys(WIDTHS, AS_IT_SHOULD_BE)
    assert opened.watched.problems == []


def test_no_serious_fault(opened: Opened) -> None:
    """Contrast, names, roles, headings, regions; in both colour schemes."""
    page = opened.watched.page
    opened.looks()
    page.set_viewport_size({"width": WIDE, "height": 1000})

    for scheme in ("light", "dark"):
        in_colours(page, scheme)
        assert faults(page) == [], scheme


def test_no_page_breaks_the_policy(opened: Opened) -> None:
    """Widgets, tables, Plotly and the viewer need nothing that the browser was told to refuse."""
    assert [] == opened.refused
    assert [] == opened.problems
