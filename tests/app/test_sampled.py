"""Pages over runs too large to read trace by trace: a seeded sample that says so, an interval with every estimate, links that open what they count."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from urllib.parse import parse_qsl

import msgspec
import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from ragviz.contracts import View
from ragviz.pipeline import import_files, judge_run, score_view
from ragviz.store import Store, TraceFilter
from ragviz.ui import sampled
from ragviz.ui.views import citations, overview_policies, overview_slices, quadrants_odds, retrieval_slices, sources, sources_trust
from tests.app.five import FILE, shown

Open = Callable[..., AppTest]
COPIES, SAMPLE = 12, 30
"""Of the five teaching cases; sixty traces, half of them looked at."""
INTERVAL = r"95 % interval ([\d,]+) to ([\d,]+)"


@pytest.fixture
def large(app_store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> View:
    """A run that is above every bound."""
    for module in (citations, overview_policies, overview_slices, quadrants_odds, sources):
        monkeypatch.setattr(module, "MOST_TRACES", SAMPLE)
        monkeypatch.setattr(module, "SAMPLE", SAMPLE)
    monkeypatch.setattr(sources_trust, "MOST_LOOKED_AT", SAMPLE)
    monkeypatch.setattr(sources_trust, "SAMPLE", SAMPLE)
    monkeypatch.setattr(retrieval_slices, "MOST_QUESTIONS", SAMPLE)
    monkeypatch.setattr(retrieval_slices, "SAMPLE", SAMPLE)
    cases = json.loads(FILE.read_text(encoding="utf-8"))
    cases["TRACES"] = [
        {**trace, "name": f"{trace['name']}-{n}", "question": f"{trace['question']} ({'ab'[n % 2]})", "response": trace["response"].replace(".", " [1].", 1), "half": "ab"[n % 2]}
        for n in range(COPIES)
        for trace in cases["TRACES"]
    ]
    path = tmp_path / "sixty.json"
    path.write_text(json.dumps(cases), encoding="utf-8")
    return judge_run(app_store, import_files(app_store, [path]).run_id, "facts").view


def twice(open_at: Open, page: str, **params: str) -> str:
    """The page's words; drawn once more by a process that remembers nothing, it says the same."""
    first = open_at(page, **params)
    assert not first.exception
    assert not first.error
    st.cache_resource.clear()
    st.cache_data.clear()
    assert shown(open_at(page, **params)) == shown(first)
    return shown(first)


def says_so(words: str) -> bool:
    return f"seeded sample of {SAMPLE} of {5 * COPIES} traces" in words


@pytest.mark.usefixtures("large")
def test_citations(open_at: Open) -> None:
    """The share of claims that need a look has an interval, in per cent of claims."""
    words = twice(open_at, "citations")

    assert says_so(words)
    assert re.search(r"\(\d+(\.\d+)?\s?% to \d+(\.\d+)?\s?% of all claims in answers that cite, 95 % interval, clustered by answer\)", words)


@pytest.mark.usefixtures("large")
def test_sources(open_at: Open) -> None:
    """The wrong mirror did damage in a fifth of the traces: 12, inside the interval. Suspects are of the sample too."""
    words = twice(open_at, "sources")

    assert says_so(words)
    lo, hi = (int(n.replace(",", "")) for n in re.search(INTERVAL, words).groups())  # type: ignore[union-attr]
    assert lo <= COPIES <= hi
    assert "clustered by question" in words
    assert re.search(r"\d+ different passages searched[;.]", words)
    assert words.count("seeded sample") == 2


def test_links_of_a_sampled_page_count_the_whole_run(app_store: Store, large: View, open_at: Open) -> None:
    """A document's own link says how many traces of the run retrieved it, not of the sample; a slice's likewise."""
    for page in ("sources", "overview"):
        for label, params in counted(open_at(page)):
            where = TraceFilter(source=params.get("source"), tags=dict([params["tag"].split(":", 1)]) if "tag" in params else {})
            if where != TraceFilter() and not set(params) & {"quadrant", "cause", "verdict"}:
                assert app_store.count(large, where) == label


def counted(app: AppTest) -> list[tuple[int, dict[str, str]]]:
    """Number and parameters of the links to the Traces page that begin with a number."""
    found = []
    for link in app.get("page_link"):
        number = re.match(r"\**([\d,]+)", link.proto.label)
        if number and link.proto.page == "traces":
            found.append((int(number[1].replace(",", "")), dict(parse_qsl(link.proto.query_string))))
    return found


@pytest.mark.usefixtures("large")
def test_worst_slices_and_policies(open_at: Open) -> None:
    """Slices say which numbers are whose; the policies' means have intervals."""
    assert says_so(twice(open_at, "overview"))
    app = open_at("overview")
    app.session_state["policies"] = True
    app.run()
    table = next(d.value for d in app.dataframe if "traces that differ" in d.value)

    assert not app.exception
    assert "means with their 95 % intervals" in shown(app)
    assert table["traces with a value"].tolist()[0] == str(SAMPLE)
    assert all("[" in cell for cell in table.iloc[:, 1].dropna())


def test_uncertain_quadrants(app_store: Store, large: View, open_at: Open) -> None:
    """With every verdict at confidence 0.6 all but the off-topic fifth are guesses: 48, inside the interval."""
    shaky = [msgspec.structs.replace(j, confidence=0.6) for case in app_store.judged(large) for j in case.judgements]
    app_store.add_judgements(large.run_id, shaky, claim_set=large.claim_set)
    score_view(app_store, large)

    words = twice(open_at, "quadrants")

    n, lo, hi = (int(part) for part in re.search(rf"\*\*about (\d+) traces\*\*.? \({INTERVAL}, ", words).groups())  # type: ignore[union-attr]
    assert lo <= n <= hi
    assert lo <= 4 * COPIES <= hi
    assert says_so(words)


@pytest.mark.usefixtures("large")
def test_retrieval_slices(open_at: Open) -> None:
    """Questions with labels are drawn, rows keep their intervals."""
    app = open_at("retrieval")

    assert not app.exception
    assert re.search(rf"From a seeded sample of {SAMPLE} of \d+ questions with labels", shown(app))
    table = next(d.value for d in app.dataframe if "slice" in d.value)
    assert set(table["slice"]) == {"half: a", "half: b"}
    assert all(" to " in cell or "–" in cell for cell in table["95 % interval"])


def test_a_sample_is_without_repeats_and_of_its_part(app_store: Store, large: View) -> None:
    """Of a slice only its traces are drawn; at the bound everything is read; the same again for everybody."""
    part = TraceFilter(tags={"half": "a"})
    drawn = sampled.sample(large, above=10, size=8, part=part)

    assert drawn is not None
    assert (len(set(drawn.ids)), drawn.of) == (8, 5 * COPIES // 2)
    assert set(drawn.ids) <= set(app_store.passing(large, part))
    assert sampled.sample(large, above=5 * COPIES, size=8) is None
    st.cache_resource.clear()
    assert sampled.sample(large, above=10, size=8, part=part) == drawn
