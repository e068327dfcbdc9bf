"""Hostile text in every field of a trace, in a browser: it is shown and does nothing."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from ragviz.records import Claim, JudgedTrace, Judgement, PairKey, Passage, Side, Span, Table, Trace, Verdict
from tests.browser.conftest import Dashboard, Watched, settled
from tests.browser.scenario import BY

pytestmark = [pytest.mark.browser, pytest.mark.slow]

HOSTILE = '<script>window.__pwn = 1</script><img src=x onerror="window.__pwn = 1"><style>*{display:none}</style> [x](javascript:alert(1)) **bold** $x^2$'
ADDRESSES = "http://evil.test www.evil.test eve@evil.test"
"""Streamlit makes links of these, however they are escaped."""
TURNED = "evil \u202egnp.exe\u202c and zero\u200bwidth"


def test_hostile_text_is_shown_and_does_nothing(start_dashboard: Callable[..., Dashboard], watched: Watched) -> None:
    """Scripts, styles and markdown in every field of a trace stay text; direction overrides become visible tokens."""
    server = start_dashboard(_hostile_case(), name=f"{ADDRESSES} <b>run</b>")

    page = watched.page
    page.goto(f"{server.url}/inspector?trace=bad%3Cscript%3E")
    page.wait_for_selector("#viewer .frame")
    page.locator('.cl[data-claims="c1"]').click()
    page.wait_for_selector(".certificate .row")
    page.wait_for_url(re.compile("claim=c1"))
    settled(page)

    assert page.evaluate("window.__pwn") is None
    assert page.locator("h1").first.inner_text().startswith("<script>")
    assert "<style>" in page.locator(".ans").inner_text()
    assert page.locator("#viewer script, #viewer img, #viewer style").count() == 0
    assert "RLO" in page.locator(".psg .hid").all_inner_texts()
    assert page.get_by_text("Policy").first.is_visible()
    page.goto(f"{server.url}/trends")
    page.get_by_text("evil.test").first.wait_for()
    settled(page)
    # Links to our own pages name the run; none leads anywhere else.
    assert not [to for to in page.locator("a").evaluate_all("links => links.map(a => a.href)") if not to.startswith(server.url)]
    assert watched.problems == []


def _hostile_case() -> JudgedTrace:
    response = f"{HOSTILE} {TURNED}"
    trace = Trace(id="bad<script>", question=HOSTILE, response=response, reference=HOSTILE, tags={"system": HOSTILE}, passages=(
        Passage(id=HOSTILE, title=HOSTILE, source=HOSTILE, text=f"{HOSTILE} {TURNED}", rank=1, score=0.5), Passage(id="long", text="x" * 3000, rank=2),
        Passage(id="rtl", text="שלום עולם, مرحبا بالعالم", rank=3),
    ))
    claim = Claim(id="c1", trace_id=trace.id, side=Side.RESPONSE, text=response, spans=(Span(0, len(response)),), extractor="rules")
    silent = tuple(
        Judgement(key=PairKey(Table.RESPONSE_X_PASSAGES, trace.id, "c1", p.id), verdict=Verdict.NEUTRAL, provenance=BY) for p in trace.passages or ()
    )
    return JudgedTrace(trace=trace, claims=(claim,), judgements=silent)
