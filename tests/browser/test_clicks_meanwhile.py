"""Clicks that come while an earlier one is still being answered: each of them has its effect, whatever the order."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from ragviz.pipeline import import_files, judge_run
from ragviz.store.labels import people_said
from tests.app.five import FILE
from tests.browser.conftest import Dashboard, Watched, open_list, press_in_row, settled
from tests.browser.late import Line
from tests.browser.scenario import a_rich_case
from tests.browser.slow_judge import at_work
from tests.stored import renamed

pytestmark = [pytest.mark.browser, pytest.mark.slow]

N = 130
"""Traces: more than a page of the list holds."""
BEFORE_THE_ANSWER = pytest.mark.parametrize("waits", [False, True], ids=["at once", "while the first is answered"])
"""Both requests wait in line, or the second cuts into the run of the first and brings an address that is older than what that run has written."""

REMEMBER = """() => {
  const root = [...document.querySelectorAll('*')].map((n) => n.shadowRoot).find((r) => r && r.querySelector('#viewer'));
  window.__was = root.querySelector('.cl[data-claims=c2]');
}"""


@pytest.fixture(scope="module")
def dashboard(start_dashboard: Callable[..., Dashboard]) -> Dashboard:
    """The rich trace many times over."""
    case = a_rich_case()
    return start_dashboard(case, *(renamed(case, f"tr-{n}") for n in range(1, N)))


@pytest.fixture(scope="module")
def placed(start_dashboard: Callable[..., Dashboard]) -> Dashboard:
    """The five cases, each in a cell of its own."""
    server = start_dashboard()
    report = import_files(server.store, [FILE], run_name="five cases")
    judge_run(server.store, report.run_id, "facts")
    return server


class Visit:
    """A page whose server is heard late."""

    def __init__(self, watched: Watched, dashboard: Dashboard, path: str, *, ready: str = "h1") -> None:
        self.page = watched.page
        self.line = Line(self.page)
        self.page.goto(dashboard.url + path)
        self.page.wait_for_selector(ready, state="attached")
        settled(self.page)

    def address(self) -> set[str]:
        """What stands in the address at one moment, once the server has nothing more to draw."""
        settled(self.page)
        return set(self.page.url.partition("?")[2].split("&"))

    def do(self, *actions: Callable[[Any], None], waits: bool) -> None:
        """Each before anything that the server says to those before has arrived."""
        with self.line.held():
            for action in actions:
                action(self.page)
                if waits:
                    self.line.wait_for_answer()
        settled(self.page)


def _click(selector: str) -> Callable[[Any], None]:
    return lambda page: page.locator(selector).first.click()


def _claim(name: str) -> Callable[[Any], None]:
    return _click(f'.cl[data-claims="{name}"]')


def _word(words: str) -> Callable[[Any], None]:
    return lambda page: page.get_by_text(words, exact=True).first.click()


def _lit(page: Any) -> list[str]:
    return [run.get_attribute("data-claims") for run in page.locator(".cl.on").all()]


def _choose_judge(page: Any, name: str) -> None:
    open_list(page, ".st-key-rejudge_with")
    page.get_by_role("option", name=name).click()
    page.wait_for_function("(name) => document.querySelector('.st-key-rejudge_with input').value === name", arg=name)
    settled(page)


class TestInspector:
    @BEFORE_THE_ANSWER
    def test_a_claim_then_another_control(self, watched: Watched, dashboard: Dashboard, waits: bool) -> None:
        """c4, then "all 6": c4 is in the address, lit, and what the panels speak of."""
        visit = Visit(watched, dashboard, "/inspector?trace=tr-1&claim=c5", ready="#viewer .frame")

        visit.do(_claim("c4"), _word("all 6"), waits=waits)

        visit.page.wait_for_url(re.compile("claim=c4"))
        visit.page.wait_for_selector(":text('Overrule c4 as')")
        assert _lit(visit.page) == ["c4"]
        assert watched.problems == []

    @BEFORE_THE_ANSWER
    def test_judge_again_then_a_claim(self, watched: Watched, dashboard: Dashboard, waits: bool) -> None:
        """The judge is asked about c5, and the reader is at c4, also when the judge has answered."""
        trace = f"tr-{2 + waits}"
        visit = Visit(watched, dashboard, f"/inspector?trace={trace}&claim=c5", ready="#viewer .frame")
        _choose_judge(visit.page, "slow")

        with at_work(dashboard.store.address):
            visit.do(_click(".st-key-rejudge button"), _claim("c4"), waits=waits)
            visit.page.wait_for_selector(":text('is reading')")
        visit.page.wait_for_selector(":text('slow has judged c5')")
        settled(visit.page)

        visit.page.wait_for_url(re.compile("claim=c4"))
        visit.page.wait_for_selector(":text('Overrule c4 as')")
        assert _lit(visit.page) == ["c4"]

    @BEFORE_THE_ANSWER
    def test_a_word_of_ones_own_then_a_claim(self, watched: Watched, dashboard: Dashboard, waits: bool) -> None:
        """Save and then c2: the word on c4 is stored, and the reader is at c2."""
        trace = f"tr-{4 + waits}"
        visit = Visit(watched, dashboard, f"/inspector?trace={trace}&claim=c4", ready="#viewer .frame")
        visit.page.get_by_label("Your name").first.fill("Ada")

        visit.do(lambda page: page.get_by_role("button", name="Save", exact=True).click(), _claim("c2"), waits=waits)

        visit.page.wait_for_selector(":text('Overrule c2 as')")
        visit.page.wait_for_url(re.compile("claim=c2"))
        assert [note.claim_id for note in people_said(dashboard.store, "made-up", "rules") if note.trace_id == trace] == ["c4"]

    @BEFORE_THE_ANSWER
    def test_a_claim_then_a_word_on_the_one_before(self, watched: Watched, dashboard: Dashboard, waits: bool) -> None:
        """c2, then Save in the form of c4, which is still there: what was typed is said of c4."""
        trace = f"tr-{10 + waits}"
        visit = Visit(watched, dashboard, f"/inspector?trace={trace}&claim=c4", ready="#viewer .frame")
        visit.page.get_by_label("Your name").first.fill("Ada")
        visit.page.get_by_label("Reason").first.fill("the old page")

        visit.do(_claim("c2"), lambda page: page.get_by_role("button", name="Save", exact=True).click(), waits=waits)

        visit.page.wait_for_selector(":text('Overrule c2 as')")
        said = [(note.claim_id, note.reason) for note in people_said(dashboard.store, "made-up", "rules") if note.trace_id == trace]
        assert said == [("c4", "the old page")]

    def test_keys_faster_than_the_server(self, watched: Watched, dashboard: Dashboard) -> None:
        """j three times from c1: c4."""
        visit = Visit(watched, dashboard, "/inspector?trace=tr-6&claim=c1", ready="#viewer .frame")
        visit.page.locator(".ans .cl").first.focus()

        visit.do(*[lambda page: page.keyboard.press("j")] * 3, waits=True)

        visit.page.wait_for_url(re.compile("claim=c4"))
        visit.page.wait_for_selector(":text('Overrule c4 as')")
        assert _lit(visit.page) == ["c4"]

    @BEFORE_THE_ANSWER
    def test_fewer_passages_then_a_claim(self, watched: Watched, dashboard: Dashboard, waits: bool) -> None:
        """k one lower, then c2: both are in the address."""
        visit = Visit(watched, dashboard, "/inspector?trace=tr-7&claim=c5", ready="#viewer .frame")
        visit.page.get_by_role("slider", name="Passages used, k").focus()

        visit.do(lambda page: page.keyboard.press("ArrowLeft"), _claim("c2"), waits=waits)

        visit.page.wait_for_selector(":text('Overrule c2 as')")
        assert {"k=4", "claim=c2"} <= visit.address()

    def test_a_claim_drawn_anew_under_the_finger(self, watched: Watched, dashboard: Dashboard) -> None:
        """Fewer passages draw the text anew between press and release: the claim is picked all the same."""
        page = Visit(watched, dashboard, "/inspector?trace=tr-8&claim=c5", ready="#viewer .frame").page
        page.locator('.cl[data-claims="c2"]').hover()
        page.evaluate(REMEMBER)
        page.mouse.down()
        page.get_by_role("slider", name="Passages used, k").focus()
        page.keyboard.press("ArrowLeft")
        page.wait_for_function("() => !window.__was.isConnected")
        page.mouse.up()

        page.wait_for_url(re.compile("claim=c2"))
        page.wait_for_selector(":text('Overrule c2 as')")
        assert _lit(page) == ["c2"]

    def test_back_after_clicks_that_ran_ahead(self, watched: Watched, dashboard: Dashboard) -> None:
        """c2, then "all 6" before the answer, then Back: the claim before."""
        visit = Visit(watched, dashboard, "/inspector?trace=tr-9&claim=c5", ready="#viewer .frame")
        visit.do(_claim("c2"), _word("all 6"), waits=True)
        visit.page.wait_for_url(re.compile("claim=c2"))

        visit.page.go_back()

        visit.page.wait_for_selector(":text('Overrule c5 as')")
        visit.page.wait_for_url(re.compile("claim=c5"))
        assert _lit(visit.page) == ["c5"]


class TestLists:
    @BEFORE_THE_ANSWER
    def test_a_filter_then_another(self, watched: Watched, dashboard: Dashboard, waits: bool) -> None:
        """Words to look for, then the order: both are in the address and in their boxes."""
        visit = Visit(watched, dashboard, "/traces")
        box = visit.page.locator(".st-key-url_q input")
        box.fill("tr-1")

        def order(page: Any) -> None:
            open_list(page, ".st-key-url_sort")
            page.get_by_role("option").nth(2).click()

        visit.do(lambda page: page.keyboard.press("Enter"), order, waits=waits)

        visit.page.wait_for_url(re.compile(r"q=tr-1\b"))
        visit.page.wait_for_url(re.compile("sort="))
        assert box.input_value() == "tr-1"

    @BEFORE_THE_ANSWER
    def test_a_page_then_the_policy(self, watched: Watched, dashboard: Dashboard, waits: bool) -> None:
        """The second page, then another policy in the sidebar: both are in the address."""
        visit = Visit(watched, dashboard, "/traces")

        def policy(page: Any) -> None:
            open_list(page, ".st-key-scope_policy")
            page.get_by_role("option", name="strict").click()

        visit.do(_click(".st-key-cap-foot [aria-label='Next page']"), policy, waits=waits)

        visit.page.wait_for_url(re.compile("policy=strict"))
        assert {"p=2", "policy=strict"} <= visit.address()

    def test_a_link_to_the_page_that_is_shown(self, watched: Watched, dashboard: Dashboard) -> None:
        """The menu leads to the bare list, though that is where the filter was set; the address says so too."""
        visit = Visit(watched, dashboard, "/traces?run=made-up")
        visit.page.locator(".st-key-url_q input").fill("tr-1")
        visit.page.keyboard.press("Enter")
        visit.page.wait_for_url(re.compile("q=tr-1"))
        settled(visit.page)

        visit.page.get_by_role("link", name="Traces").first.click()

        visit.page.wait_for_function("() => location.search === '?run=made-up'")
        settled(visit.page)
        assert visit.page.locator(".st-key-url_q input").input_value() == ""


class TestGrids:
    @BEFORE_THE_ANSWER
    def test_a_filter_then_open(self, watched: Watched, dashboard: Dashboard, waits: bool) -> None:
        """Words to look for, then the third row of the list that is still there: its trace opens, not the third one that has these words."""
        visit = Visit(watched, dashboard, "/traces")
        visit.page.locator(".st-key-url_q input").fill("tr-1")
        third = dashboard.store.trace_ids("made-up")[2]

        visit.do(lambda page: page.keyboard.press("Enter"), lambda page: press_in_row(page, "[data-testid=stDataFrame]", 2), waits=waits)

        visit.page.wait_for_url(re.compile("/inspector"))
        assert f"trace={third}" in visit.address()


class TestQuadrants:
    @BEFORE_THE_ANSWER
    def test_a_spot_then_a_slider(self, watched: Watched, placed: Dashboard, waits: bool) -> None:
        """A spot is picked and the line moved: both are in the address."""
        visit = Visit(watched, placed, "/quadrants", ready=".st-key-box-plot .scatterlayer .point")

        at = visit.page.locator(".st-key-box-plot .scatterlayer .point").first.bounding_box()
        middle = (at["x"] + at["width"] / 2, at["y"] + at["height"] / 2)
        # A picture takes a click only for a spot that it has seen the pointer on.
        visit.page.mouse.move(*middle)
        visit.page.wait_for_selector(".st-key-box-plot .hoverlayer .hovertext", state="attached")

        def slide(page: Any) -> None:
            page.get_by_role("slider").first.focus()
            page.keyboard.press("ArrowRight")

        visit.do(lambda page: page.mouse.click(*middle), slide, waits=waits)

        visit.page.wait_for_url(re.compile("0.55"))
        assert {"at", "tf"} <= {part.partition("=")[0] for part in visit.address()}


class TestLabels:
    @BEFORE_THE_ANSWER
    def test_a_label_then_another_tab(self, watched: Watched, dashboard: Dashboard, waits: bool) -> None:
        """The label is stored, and the other tab is shown."""
        before = len(people_said(dashboard.store, "made-up", "rules"))
        visit = Visit(watched, dashboard, f"/judges?tab=label&who=Eve{waits}", ready=".st-key-asked-question")

        visit.do(_click("[class*='st-key-say-1-'] button"), lambda page: page.locator(".st-key-url_tab button, .st-key-url_tab [role=radio]").first.click(), waits=waits)

        visit.page.wait_for_function("() => !location.search.includes('tab=label')")
        assert len(people_said(dashboard.store, "made-up", "rules")) == before + 1
