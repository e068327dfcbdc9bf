"""Windows of 900 to 1280 pixels: what stands side by side stacks before its words are cut, and the page itself never scrolls sideways."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.browser.conftest import REPO, Dashboard, Watched, settled
from tests.browser.scenario import a_rich_case
from tests.stored import renamed

pytestmark = [pytest.mark.browser, pytest.mark.slow]

PAGES = sorted(p.stem for p in (REPO / "pages").glob("*.py") if p.stem != "__init__")
LOOK = """() => {
  const main = document.querySelector('[data-testid=stMain]');
  const seen = (n) => n.offsetParent !== null && n.getBoundingClientRect().width > 0;
  const cut = [...main.querySelectorAll('[data-testid^=stBaseButton] p, [data-testid=stWidgetLabel] p, [data-testid=stPageLink] p')].filter((n) => seen(n) && n.scrollWidth > n.clientWidth + 1);
  const crushed = [...main.querySelectorAll('[data-testid=stColumn]')].filter((n) => seen(n) && n.innerText.trim().length > 12 && n.getBoundingClientRect().width < 45);
  const pictures = [...main.querySelectorAll('.js-plotly-plot')].filter((n) => seen(n) && n.querySelector('.main-svg')?.getBoundingClientRect().width > n.clientWidth + 1);
  return {pictures: pictures.map((n) => n.clientWidth), cut: cut.map((n) => n.innerText), crushed: crushed.map((n) => n.innerText.slice(0, 40)), sideways: main.scrollWidth - main.clientWidth};
}"""


@pytest.fixture(scope="module")
def dashboard(start_dashboard: Callable[..., Dashboard]) -> Dashboard:
    """Judged traces, and a run of the same to compare with."""
    case = a_rich_case()
    return start_dashboard(case, renamed(case, "tr-0418"), renamed(case, "tr-0419"))


@pytest.mark.parametrize("width", [900, 1100, 1280])
@pytest.mark.parametrize("name", PAGES)
def test_nothing_is_cut_or_crushed(dashboard: Dashboard, watched: Watched, name: str, width: int) -> None:
    """Labels, links and buttons keep their words, columns of words their width; no picture is wider than its place."""
    page = watched.page
    page.set_viewport_size({"width": width, "height": 1000})
    page.goto(f"{dashboard.url}/{'' if name == 'overview' else name}")
    settled(page)
    page.wait_for_selector("h1", state="attached")

    assert page.evaluate(LOOK) == {"pictures": [], "cut": [], "crushed": [], "sideways": 0}
    assert not watched.problems
