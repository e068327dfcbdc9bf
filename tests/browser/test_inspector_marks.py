"""Whose word a mark is: a person's, a judge's, or the expected answer's; never one in the colours of another."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from ragviz.pipeline.scoring import score_view
from ragviz.records import Annotation, Grounding
from tests.browser.conftest import Dashboard, Watched, open_list, settled
from tests.browser.scenario import a_denied_case
from tests.browser.slow_judge import at_work
from tests.stored import renamed

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.fixture(scope="module")
def dashboard(start_dashboard: Callable[..., Dashboard]) -> Dashboard:
    """The denied trace, with c4 overruled by Ada; and once more for judging."""
    server = start_dashboard(a_denied_case(), renamed(a_denied_case(), "tr-0418"))
    store = server.store
    note = Annotation(
        trace_id="tr-0417", claim_id="c4", grounding=Grounding.SUPPORTED, author="Ada", reason="the summer offer", at=store.now(), claim_set="rules"
    )
    store.annotate("made-up", note)
    for view, _ in store.views("made-up"):
        score_view(store, view)
    return server


def _open(watched: Watched, dashboard: Dashboard, query: str) -> Any:
    watched.page.goto(f"{dashboard.url}/inspector?{query}")
    watched.page.wait_for_selector(".cl.on")
    settled(watched.page)
    return watched.page


def _mark(page: Any, claim: str) -> list[str | None]:
    return [glyph.get_attribute("aria-label") for glyph in page.locator(f'.cl[data-claims="{claim}"] .g[aria-label]').all()]


def test_a_persons_verdict_is_the_mark_and_the_judges_evidence_keeps_its_name(dashboard: Dashboard, watched: Watched) -> None:
    """c4: supported, by a person, in the answer and the matrix; what local said, its quote and its tokens are there, outlined and under its name."""
    page = _open(watched, dashboard, "trace=tr-0417&claim=c4")
    certificate = page.locator(".certificate").inner_text()

    assert _mark(page, "c4") == ["supported", "by a person"]
    assert "sup" in (page.locator('.cl[data-claims="c4"]').first.get_attribute("class") or "").split()
    assert (
        certificate.index("Ada: supported, the summer offer")
        < certificate.index("What local 1 said")
        < certificate.index("Return postage is free for orders of €75 or more")
    )
    assert page.locator(".machinehead").inner_text().split() == ["What", "local", "1", "said", "contradicted"]
    assert page.locator(".psg.lit .tag").inner_text() == "local 1: contradicts c4"
    assert page.locator(".ev.lit").count() == page.locator(".ev.lit.machine").count() > 0
    filled = page.locator(".ans .tok.hot, .psg .tok.hot").evaluate_all("(all) => all.map((t) => getComputedStyle(t).backgroundColor)")
    assert set(filled) == {"rgba(0, 0, 0, 0)"}
    assert [g.get_attribute("aria-label") for g in page.locator(".mx tr.on td.sep .g[aria-label]").all()] == ["supported", "by a person"]
    assert watched.problems == []


def test_a_claim_the_reference_denies_has_a_mark_of_its_own(dashboard: Dashboard, watched: Watched) -> None:
    """c1 is supported by a mirror: sign and word in the answer, 90 days against the reference's 30 days on both sides, said in words."""
    page = _open(watched, dashboard, "trace=tr-0417&claim=c1")

    assert page.locator('.cl[data-claims="c1"] .refno').inner_text() == "reference"
    assert page.locator(".refno").count() == 1
    assert page.locator(".reftext .tok.hot").inner_text() == "30 days"
    assert page.locator(".ans .tok.hot").inner_text() == "90 days"
    certificate = page.locator(".certificate").inner_text()
    assert "supported by a passage, denied by the expected answer" in certificate
    assert "An unopened item can be returned within 30 days of delivery" in certificate
    page.keyboard.press("Escape")
    page.locator(".ans .cl").first.focus()
    page.keyboard.press("Escape")
    page.wait_for_selector(".certificate .legend")
    assert "1 denied by the reference" in page.locator(".legend").inner_text()
    assert page.locator(".reftext .tok.cold").inner_text() == "30 days"
    assert watched.problems == []


def test_the_same_judge_is_asked_anew(dashboard: Dashboard, watched: Watched) -> None:
    """Slow judges c2 twice: the page says that it was asked anew and answered as before, and the history holds both."""
    page = _open(watched, dashboard, "trace=tr-0418&claim=c2")
    open_list(page, ".st-key-rejudge_with")
    page.get_by_role("option", name="slow").click()
    page.wait_for_function("() => document.querySelector('.st-key-rejudge_with input').value === 'slow'")
    settled(page)
    for nth, sentence in enumerate(("slow has judged c2, asked anew.", "slow has judged c2, asked anew: the same answer as before.")):
        if nth:
            # It answers the same texts alike: the button waits until somebody wants the repetition.
            page.wait_for_selector(".st-key-rejudge button:disabled")
            page.get_by_text("Ask all the same").click()
        page.wait_for_selector(".st-key-rejudge button:enabled")
        settled(page)
        with at_work(dashboard.store.address):
            page.locator(".st-key-rejudge button").click()
            page.wait_for_selector(":text('is reading')")
        page.wait_for_selector(f":text('{sentence}')")

    said = [w.said for w in dashboard.store.words("made-up", "tr-0418", "c2", "rules")]
    by_slow = [j for j in said if not isinstance(j, Annotation) and j.provenance.judge == "slow"]
    assert len(by_slow) == 2 * 5
    assert not any(j.cost.cached for j in by_slow)
    assert watched.problems == []


@pytest.mark.parametrize("claim", ["c1", "c4"])
def test_lit_evidence_can_be_read_where_the_system_chooses_the_colours(dashboard: Dashboard, watched: Watched, claim: str) -> None:
    """Letters and ground of lit words differ, for a judge's evidence and for that of a judge who was overruled."""
    watched.page.emulate_media(forced_colors="active")
    page = _open(watched, dashboard, f"trace=tr-0417&claim={claim}")

    seen = page.locator(".ev.lit, .ev.lit .tok").evaluate_all("""(all) => all.map((n) => {
      const ground = (m) => { const c = getComputedStyle(m).backgroundColor; return c === 'rgba(0, 0, 0, 0)' && m.parentElement ? ground(m.parentElement) : c; };
      return [getComputedStyle(n).color, ground(n)];
    })""")

    assert seen
    assert all(letters != ("rgb(255, 255, 255)" if ground == "rgba(0, 0, 0, 0)" else ground) for letters, ground in seen), seen
