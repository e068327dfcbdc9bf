"""The Inspector as a person meets it: in a browser, with a mouse and a keyboard."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from tests.browser.conftest import Dashboard, Watched, open_list, settled
from tests.browser.large_trace import a_large_case
from tests.browser.scenario import a_rich_case
from tests.browser.slow_judge import at_work
from tests.stored import renamed

pytestmark = [pytest.mark.browser, pytest.mark.slow]

MARK_CLICK = """(id) => {
  const root = [...document.querySelectorAll('*')].map((n) => n.shadowRoot).find((r) => r && r.querySelector('#viewer'));
  root.querySelector(`.cl[data-claims~="${id}"]`).click();
  const lit = root.querySelectorAll('.ev.lit').length;
  const pane = root.querySelector('.pane').getBoundingClientRect();
  const first = root.querySelector('.ev.lit').getBoundingClientRect();
  return { lit, inside: first.top >= pane.top && first.bottom <= pane.bottom };
}"""


RECORD = """() => {
  const root = [...document.querySelectorAll('*')].map((x) => x.shadowRoot).find((r) => r && r.querySelector('#viewer'));
  window.__picked = [];
  new MutationObserver(() => {
    const on = root.querySelector('.cl.on')?.dataset.claims;
    if (on && on !== window.__picked.at(-1)) window.__picked.push(on);
  }).observe(root, { subtree: true, attributes: true, attributeFilter: ['class'] });
}"""


EARLY_CLICK = """
const look = () => {
  const root = [...document.querySelectorAll('*')].map((x) => x.shadowRoot).find((r) => r && r.querySelector('.cl[data-claims="c1"]'));
  if (!root) return requestAnimationFrame(look);
  const changes = new MutationObserver(() => {});
  changes.observe(root, { subtree: true, childList: true, attributes: true, characterData: true });
  root.querySelector('.cl[data-claims="c1"]').click();
  window.__early = { lit: root.querySelectorAll('.ev.lit').length, changed: changes.takeRecords().length, rest: !root.querySelector('.cl[data-claims="c1000"]') };
  changes.disconnect();
};
requestAnimationFrame(look);
"""


ALL_CARDS = """(n) => {
  const root = [...document.querySelectorAll('*')].map((x) => x.shadowRoot).find((r) => r && r.querySelector('#viewer'));
  return root.querySelectorAll('.psg').length === n;
}"""


@pytest.fixture(scope="module")
def dashboard(start_dashboard: Callable[..., Dashboard]) -> Dashboard:
    """One server with the rich trace twice, so that there is a previous and a next."""
    case = a_rich_case()
    return start_dashboard(case, renamed(case, "tr-0418"))


def _open(watched: Watched, dashboard: Dashboard, path: str) -> Any:
    watched.page.goto(dashboard.url + path)
    watched.page.wait_for_selector("#viewer .frame")
    return watched.page


FEW = 100
"""Changes of the document that a click may make at once: of what belongs to one claim, out of tens of thousands of nodes."""


def _work_ms(page: Any) -> Callable[[], float]:
    """A clock of the page's own main thread, which stands while the processor is with others: how fast a click is, on however busy a machine."""
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})
    return lambda: 1000 * next(m["value"] for m in session.send("Performance.getMetrics")["metrics"] if m["name"] == "TaskDuration")


class TestDeepLink:
    def test_a_link_on_a_fresh_server_passes_through_the_app(self, start_dashboard: Callable[..., Dashboard], watched: Watched) -> None:
        """The first request of the process is for the page itself: frame, scope and claim are there, and the address ends clean."""
        fresh = start_dashboard(a_rich_case(), cold=True)

        page = _open(watched, fresh, "/inspector?trace=tr-0417&claim=c4")

        page.wait_for_selector('.cl.on[data-claims="c4"]')
        assert page.get_by_text("Policy").first.is_visible()
        assert page.locator(".psg.con .tok.hot").inner_text() == "€75 or more"
        assert "_p=" not in page.url
        assert "claim=c4" in page.url
        assert watched.problems == []

    @pytest.mark.parametrize("query", ["trace=nobody", "trace=tr-0417&claim=c99", "run=%00&judge=%3Cscript%3E&k=-3&trace=tr-0417", "trace=" + "x" * 2000])
    def test_odd_links_give_a_sentence_or_the_page(self, dashboard: Dashboard, watched: Watched, query: str) -> None:
        """Whatever stands in the address, nobody sees a traceback."""
        watched.page.goto(f"{dashboard.url}/inspector?{query}")
        watched.page.wait_for_selector("#viewer .frame, :text('No such trace')")

        assert "Traceback" not in watched.page.inner_text("body")
        assert watched.problems == []


class TestClick:
    def test_evidence_lights_up_and_scrolls_at_once(self, start_dashboard: Callable[..., Dashboard], watched: Watched) -> None:
        """A thousand claims, fifty passages of 6,000 characters: still under a tenth of a second of work for the browser, and in sight."""
        sizes: list[int] = []
        watched.page.on("websocket", lambda ws: ws.on("framereceived", lambda frame: sizes.append(len(frame))))
        server = start_dashboard(a_large_case())
        watched.page.add_init_script(EARLY_CLICK)
        _open(watched, server, "/inspector?trace=large")

        # The rest of a large trace is drawn just after the first paint.
        watched.page.wait_for_selector('.cl[data-claims="c1000"]', state="attached")
        watched.page.wait_for_function(ALL_CARDS, arg=50)
        early = watched.page.evaluate("window.__early")
        work_ms = _work_ms(watched.page)
        results, took = [], []
        for n in (4, 301, 601, 901, 16):
            # What the server answers to the click before is work of its own.
            settled(watched.page)
            before = work_ms()
            results.append(watched.page.evaluate(MARK_CLICK, f"c{n}"))
            took.append(work_ms() - before)
            watched.page.wait_for_url(re.compile(f"claim=c{n}"))

        assert all(r["lit"] >= 1 and r["inside"] for r in results)
        # The very first frame can be clicked, while the rest is still to be drawn.
        assert early["lit"] >= 1
        assert early["rest"]
        assert early["changed"] < FEW, early
        # The median: the page may be doing something else of its own for a moment.
        assert sorted(took)[2] < 100, took
        assert max(sizes) < 600_000
        assert watched.problems == []

    def test_both_sides_of_a_clash_are_marked(self, dashboard: Dashboard, watched: Watched) -> None:
        """90 days in the answer, 90 days where it was copied from, 30 days in the policy; and their values in the certificate."""
        page = _open(watched, dashboard, "/inspector?trace=tr-0417")

        page.locator('.cl[data-claims="c1"]').click()

        page.wait_for_selector(".psg.con .tok.hot")
        assert page.locator(".ans .tok.hot").inner_text() == "90 days"
        assert page.locator(".psg.sup .tok.hot.s").inner_text() == "90 days"
        assert page.locator(".psg.con .tok.hot").inner_text() == "30 days"
        assert "90 days ≠ 30 days" in page.locator(".versus").inner_text()
        page.wait_for_url(re.compile("claim=c1"))

    def test_back_restores_the_claim_before(self, dashboard: Dashboard, watched: Watched) -> None:
        """c2, then c4, then Back: c2 is lit again, in the answer and in the passages."""
        page = _open(watched, dashboard, "/inspector?trace=tr-0417")
        for claim in ("c2", "c4"):
            page.locator(f'.cl[data-claims="{claim}"]').click()
            page.wait_for_url(re.compile(f"claim={claim}"))
            page.wait_for_selector(f":text('Overrule {claim} as')")
            settled(page)

        page.go_back()

        page.wait_for_selector('.cl.on[data-claims="c2"]')
        assert page.locator(".psg.lit b").first.inner_text() == "#1"
        assert watched.problems == []

    def test_fast_clicks_are_never_undone(self, dashboard: Dashboard, watched: Watched) -> None:
        """Five clicks quicker than the server answers: late answers do not bring an older claim back."""
        page = _open(watched, dashboard, "/inspector?trace=tr-0417")
        settled(page)
        page.evaluate(RECORD)
        for claim in ("c1", "c2", "c3", "c4", "c5"):
            page.locator(f'.cl[data-claims="{claim}"]').click()
            page.wait_for_timeout(120)

        page.wait_for_url(re.compile("claim=c5"))
        page.wait_for_selector(":text('Overrule c5 as')")
        settled(page)
        assert page.evaluate("window.__picked") == ["c1", "c2", "c3", "c4", "c5"]
        assert page.locator(".cl.on").get_attribute("data-claims") == "c5"

    def test_the_keyboard_is_enough(self, dashboard: Dashboard, watched: Watched) -> None:
        """j and k walk the claims, arrows and Enter do so too, m goes to the matrix, arrows and Enter light a cell, Escape clears, ? helps."""
        page = _open(watched, dashboard, "/inspector?trace=tr-0417")
        page.locator(".ans .cl").first.focus()

        page.keyboard.press("Enter")
        page.keyboard.press("j")
        assert page.locator(".cl.on").get_attribute("data-claims") == "c2"
        page.keyboard.press("k")
        assert page.locator(".cl.on").get_attribute("data-claims") == "c1"
        page.keyboard.press("ArrowRight")
        page.keyboard.press("ArrowDown")
        page.keyboard.press("Enter")
        assert page.locator(".cl.on").get_attribute("data-claims") == "c3"
        page.keyboard.press("m")
        page.keyboard.press("ArrowDown")
        page.keyboard.press("Enter")
        assert page.locator(".cl.on").first.get_attribute("data-claims") == "c4"
        page.keyboard.press("Escape")
        assert page.locator(".cl.on").count() == 0
        page.keyboard.press("?")
        assert page.locator(".help").is_visible()
        page.keyboard.press("Escape")
        assert not page.locator(".help").is_visible()


class TestJudgeAgain:
    def test_the_page_answers_while_a_judge_thinks(self, dashboard: Dashboard, watched: Watched) -> None:
        """A judge is at work and has not answered; another click is answered meanwhile, and the new verdict arrives by itself."""
        page = _open(watched, dashboard, "/inspector?trace=tr-0418&claim=c5")
        settled(page)
        open_list(page, ".st-key-rejudge_with")
        page.get_by_role("option", name="slow").click()
        page.wait_for_function("() => document.querySelector('.st-key-rejudge_with input').value === 'slow'")
        settled(page)

        with at_work(dashboard.store.address):
            page.locator(".st-key-rejudge button").click()
            page.wait_for_selector(":text('is reading')")
            settled(page)
            page.locator('.cl[data-claims="c4"]').click()
            # The server's part of the page speaks of the other claim, and of the judge who reads.
            page.wait_for_selector(":text('Overrule c4 as')")
            page.wait_for_selector(":text('is reading')")
            assert _judges(dashboard) == {"local"}
        page.wait_for_selector(":text('slow has judged c5')")

        assert _judges(dashboard) == {"local", "slow"}
        assert watched.problems == []


def _judges(dashboard: Dashboard) -> set[str]:
    return {w.said.provenance.judge for w in dashboard.store.words("made-up", "tr-0418", "c5", "rules")}
