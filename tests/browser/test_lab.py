"""A remedy on a chosen answer in a real browser, with a hosted model on this machine: plan, progress, both sides, and back again by link."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from ragviz.testing import MessagesServer, Scripted
from ragviz.testing.remedy_replies import remedy_reply
from tests.browser.conftest import Dashboard, Watched, settled
from tests.build import a_case, a_passage, a_trace
from tests.stored import renamed

pytestmark = [pytest.mark.browser, pytest.mark.slow]

WITHOUT_EMBEDDINGS = "from ragviz.backends.embedder import BackendState, Embedder; Embedder.available = lambda self: BackendState(False, 'not here', 'install')"
"""The local judge then answers at once instead of loading a model first."""
EVIL = "<script>document.title='owned'</script>"


@pytest.fixture(scope="module")
def held() -> threading.Event:
    """Until it is set, the service keeps everybody waiting."""
    return threading.Event()


@pytest.fixture(scope="module")
def dashboard(start_dashboard: Callable[..., Dashboard], held: threading.Event) -> Iterator[Dashboard]:
    """Two answers, each with one unsupported claim; the passage answers the question."""
    def reply(request: dict[str, Any]) -> Scripted:
        held.wait()
        return remedy_reply(request)

    trace = a_trace(question="How long is the cable?", response=f"The cable is made of gold. {EVIL}", passages=(a_passage(text="The cable is 3 metres long."),))
    case = a_case("a", response_x_passages={"a": "N"}, trace=trace)
    with MessagesServer(reply) as server, pytest.MonkeyPatch.context() as patch:
        patch.setenv("ANTHROPIC_API_KEY", "sk-test-very-secret")
        patch.setenv("ANTHROPIC_BASE_URL", server.url)
        yield start_dashboard(*(renamed(case, f"t{i}") for i in range(2)), prelude=WITHOUT_EMBEDDINGS)
        held.set()


def test_one_remedy_on_a_selected_answer(watched: Watched, dashboard: Dashboard, held: threading.Event) -> None:
    """The plan names the call; a stop button while it runs; then before and after with cost, under an address that shows the same again."""
    page = watched.page
    page.goto(f"{dashboard.url}/lab?remedy=structured&which=one&trace=t1")
    settled(page)
    page.get_by_text("1 call, at most about").wait_for()
    page.get_by_role("button", name="Try it on 1 answer").click()
    page.get_by_role("button", name="Stop").wait_for()
    held.set()
    page.wait_for_url(re.compile("result="))
    page.get_by_text("Result", exact=True).wait_for()
    settled(page)
    text = page.inner_text("[data-testid=stMainBlockContainer]")
    page.reload()
    page.get_by_text("Result", exact=True).wait_for()
    settled(page)
    again = page.inner_text("[data-testid=stMainBlockContainer]")

    for said in (text, again):
        assert "The cable is 3 metres long" in said
        assert "150 tokens" in said
        assert "sk-test" not in said
    assert page.title() != "owned"
    assert watched.problems == []


def test_the_threshold_moves_by_key_and_stands_in_the_address(watched: Watched, dashboard: Dashboard) -> None:
    """Lexical scores, since these passages have none of the retriever's; the arrow key moves the threshold, Back undoes it."""
    page = watched.page
    page.goto(f"{dashboard.url}/lab?remedy=gate")
    settled(page)
    page.get_by_text("No passage of this run has").wait_for()
    page.goto(f"{dashboard.url}/lab?remedy=gate&scores=lexical")
    settled(page)
    page.get_by_role("slider", name="Threshold").focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_url(re.compile(r"[?&]t="))
    settled(page)
    assert "≥" in page.inner_text(".st-key-strip-gate")
    page.go_back()
    page.wait_for_function("() => document.querySelector('.st-key-strip-gate')?.innerText.includes('no gate')")

    assert watched.problems == []
