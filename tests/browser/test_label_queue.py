"""Labelling by keyboard in a browser: twenty claims, twenty keys, nothing lost."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from ragviz.store.labels import people_said
from tests.browser.conftest import Dashboard, Watched, settled
from tests.build import a_case
from tests.stored import renamed

pytestmark = [pytest.mark.browser, pytest.mark.slow]

N = 24
EVIL = "<script>document.title='owned'</script><style>*{display:none}</style>"
VERDICTS = {"1": "supported", "2": "not_supported", "3": "contradicted", "4": None}


@pytest.fixture(scope="module")
def dashboard(start_dashboard: Callable[..., Dashboard]) -> Dashboard:
    """One claim each in 24 traces, the text of each passage hostile."""
    case = a_case("a", response_x_passages={"a": "E"})
    passages = tuple(replace(p, text=f"{EVIL} {p.text}") for p in case.trace.passages or ())
    return start_dashboard(*(renamed(replace(case, trace=replace(case.trace, question=f"{EVIL} {i}?", passages=passages)), f"t{i}") for i in range(N)))


def _asked(page: Any) -> str:
    return str(page.inner_text(".st-key-asked-question"))


def test_twenty_claims_take_twenty_keys(watched: Watched, dashboard: Dashboard) -> None:
    """Each key stores one label and brings another claim; after a reload the same claim is asked, and the twenty are there."""
    page = watched.page
    page.goto(f"{dashboard.url}/judges?tab=label&who=Ada")
    page.wait_for_selector(".st-key-asked-question")
    # A button hears its key from when it stands there; of the next claims the buttons come before the words.
    for key in VERDICTS:
        page.wait_for_selector(f"[class*='st-key-say-{key}-'] button [data-has-shortcut=true]")
    settled(page)
    pressed = []
    for n in range(20):
        before = _asked(page)
        pressed.append("1234"[n % 4])
        page.keyboard.press(pressed[-1])
        page.wait_for_function("(before) => { const q = document.querySelector('.st-key-asked-question'); return q && q.innerText !== before; }", arg=before)
    asked = _asked(page)
    page.reload()
    page.wait_for_selector(".st-key-asked-question")
    settled(page)
    notes = people_said(dashboard.store, "made-up", "rules")

    assert _asked(page) == asked
    assert [note.grounding for note in notes] == [VERDICTS[key] for key in pressed]
    assert len({note.trace_id for note in notes}) == 20
    assert "<script>" in asked
    assert page.title() != "owned"
    assert watched.problems == []


def test_a_digit_in_a_field_is_no_label(watched: Watched, dashboard: Dashboard) -> None:
    """Typing a name with digits in it labels nothing; the name stands in the address."""
    before = len(people_said(dashboard.store, "made-up", "rules"))
    page = watched.page
    page.goto(f"{dashboard.url}/judges?tab=label&who=Bo")
    page.wait_for_selector(".st-key-asked-question")
    field = page.get_by_label("Your name")
    field.fill("")
    field.press_sequentially("Bo 1234")
    field.press("Enter")
    page.wait_for_url(re.compile(r"who=Bo(\+|%20)1234"))

    assert len(people_said(dashboard.store, "made-up", "rules")) == before
