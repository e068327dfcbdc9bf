"""Lab: what works without a key, what a hosted remedy shows before, while and after; made of the five teaching cases and a small run."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from ragviz.backends.embedder import BackendState, Embedder
from ragviz.contracts import View
from ragviz.pipeline import import_files, judge_run
from ragviz.store import Store
from ragviz.testing import MessagesServer, Scripted, message
from ragviz.testing.messages_server import failure
from ragviz.testing.remedy_replies import remedy_reply
from ragviz.ui import resources
from ragviz.ui.views.lab_run import job_of
from tests.app.five import five_cases, shown
from tests.app.waiting import over
from tests.stored import once

Open = Callable[..., AppTest]
EVIL = "<script>"
ROWS = [
    {
        "id": "half",
        "question": f"How long is the {EVIL} cable?",
        "response": "The cable is 3 metres long [1]. The cable is made of gold.",
        "passages": [{"id": "p1", "text": "The cable is 3 metres long.", "score": 0.9}],
    },
    {
        "id": "wrong",
        "question": "How long is the rope?",
        "response": "The rope is 90 metres long [1].",
        "passages": [{"id": "p2", "text": "The rope is 30 metres long.", "score": 0.2}],
    },
    {
        "id": "right",
        "question": "How long is the wire?",
        "response": "The wire is 5 metres long [1].",
        "passages": [{"id": "p3", "text": "The wire is 5 metres long.", "score": 0.8}],
    },
]


@pytest.fixture
def lengths(app_store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, no_samples: None) -> View:
    """Three answers, two of them failing, judged without embeddings."""
    monkeypatch.setattr(Embedder, "available", lambda _: BackendState(ok=False, reason="not here", fix="install"))
    (tmp_path / "lengths.jsonl").write_text("".join(json.dumps(row) + "\n" for row in ROWS), encoding="utf-8")
    return once(app_store, b"lengths", lambda: judge_run(app_store, import_files(app_store, [tmp_path / "lengths.jsonl"], run_name="lengths").run_id, "local").view)


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[MessagesServer]:
    """The service; the dashboard's key and address point to it."""
    with MessagesServer(remedy_reply) as found:
        monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-test-very-secret")
        monkeypatch.setenv("ANTHROPIC_BASE_URL", found.url)
        yield found


def try_it(app: AppTest, view: View) -> AppTest:
    """Press the button and wait for the job."""
    app.button(key="try").click().run()
    key = job_of(resources.store().run(view.run_id))
    over(key)
    return app.run()


def test_an_empty_store_says_what_to_do(app_store: Store, no_samples: None, open_at: Open) -> None:
    """As every page."""
    app = open_at("lab")

    assert not app.exception
    assert "No traces yet" in shown(app)


def test_a_run_nobody_judged_leads_to_the_data_page(app_store: Store, no_samples: None, open_at: Open, tmp_path: Path) -> None:
    """A remedy starts from verdicts."""
    (tmp_path / "x.jsonl").write_text(json.dumps(ROWS[0]) + "\n", encoding="utf-8")
    import_files(app_store, [tmp_path / "x.jsonl"])
    app = open_at("lab")

    assert not app.exception
    assert "Nobody has judged this run yet" in shown(app)


def test_verify_shows_at_once_and_makes_a_run(lengths: View, open_at: Open) -> None:
    """Without a key: the preview has the cut answer; trying it makes a run with the numbers that fell as well as those that rose."""
    app = open_at("lab", trace="half")
    assert not app.exception
    assert "1 unsupported of 2 claims removed" in shown(app).replace("\\", "")

    app = try_it(app, lengths)
    made = resources.store().runs()[0]

    assert not app.exception
    assert [app.query_params["run"], app.query_params["result"]] == [lengths.run_id, made.run_id]
    assert made.remedy is not None
    assert made.remedy.parent == lengths.run_id
    assert next(t.response for t in resources.store().traces(made.run_id)) == "The cable is 3 metres long [1]."
    assert "**2 → 1** answered" in shown(app)
    assert "now decline" in shown(app)
    assert "The judge that removed them also scored the result" in shown(app)
    assert "nothing" in shown(app)


def test_the_gate_needs_no_model(lengths: View, open_at: Open) -> None:
    """The threshold of the URL: 0.8 lets two of three through, and both numbers of the trade are shown."""
    app = open_at("lab", remedy="gate", t="0.8")

    assert not app.exception
    assert "**≥ 0.8** threshold" in shown(app)
    assert "2 of 3" in shown(app)
    assert app.button(key="try").disabled is False
    assert next(s for s in app.select_slider if s.label == "Threshold").value == "0.8"


def test_a_run_without_scores_says_so_and_offers_others(app_store: Store, open_at: Open) -> None:
    """The teaching cases have no retriever's scores; lexical overlap stands in under its own name."""
    five_cases(app_store)
    app = open_at("lab", remedy="gate")
    lexical = open_at("lab", remedy="gate", scores="lexical")

    assert not app.exception
    assert "No passage of this run has the retriever's score" in shown(app)
    assert app.button(key="try").disabled
    assert not lexical.exception
    assert "lexical overlap" in shown(lexical)


@pytest.mark.parametrize("remedy", ["constrained", "structured", "refine"])
def test_without_a_key_hosted_remedies_say_what_is_missing(lengths: View, open_at: Open, remedy: str) -> None:
    """The plan is shown all the same; the button does nothing."""
    app = open_at("lab", remedy=remedy)

    assert not app.exception
    assert "no API key" in shown(app)
    assert "call" in shown(app)
    assert app.button(key="try").disabled


def test_a_hosted_remedy_on_one_answer(lengths: View, server: MessagesServer, open_at: Open) -> None:
    """Plan, run, result: claims with their quotes, rounds with cost; one call; hostile text stays text; the key is nowhere."""
    app = try_it(open_at("lab", remedy="structured", which="one", trace="half"), lengths)
    tables = [d.value for d in app.dataframe]

    assert not app.exception
    assert len(server.requests) == 1
    assert any({"claim", "quote", "where"} <= set(t) for t in tables)
    assert any("round" in t for t in tables)
    assert "sk-test" not in str(app.main)
    assert EVIL in "\n".join(t.value for t in app.text)
    assert EVIL not in shown(app)


def test_a_failing_service_is_a_sentence_and_a_count(lengths: View, monkeypatch: pytest.MonkeyPatch, open_at: Open) -> None:
    """529 for one of two: that answer is kept, counted and named. 401: nothing is made but one sentence."""
    def reply(request: dict[str, Any]) -> Scripted:
        return failure(529, "overloaded_error", "x", retry_after="0") if "The rope is" in str(request) else remedy_reply(request)

    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-test")
    monkeypatch.setattr(
        "ragviz.backends.anthropic_client.AnthropicClient.__init__.__kwdefaults__",
        {"base_url": None, "model": "claude-haiku-4-5", "timeout_s": 5.0, "max_retries": 0, "max_concurrency": 8, "budget": None},
    )
    with MessagesServer(reply) as found:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", found.url)
        app = try_it(open_at("lab", remedy="constrained"), lengths)
        assert not app.exception
        assert "Failed 1×" in shown(app)
        assert "1 failed" in shown(app)
    with MessagesServer(lambda _: failure(401, "authentication_error", "x")) as found:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", found.url)
        app = try_it(open_at("lab", run="lengths", remedy="structured"), lengths)
        assert not app.exception
        assert "401" in app.error[0].value


def test_failed_calls_are_made_again_at_a_click(lengths: View, monkeypatch: pytest.MonkeyPatch, open_at: Open) -> None:
    """One of two fails; the service recovers: "Ask again" makes a second run with that one call, and shows it."""
    broken = True

    def reply(request: dict[str, Any]) -> Scripted:
        return message("Sorry!") if broken and "The rope is" in str(request) else remedy_reply(request)

    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-test")
    with MessagesServer(reply) as found:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", found.url)
        app = try_it(open_at("lab", remedy="constrained"), lengths)
        assert "1 failed" in shown(app)
        broken, n = False, len(found.requests)
        app.button(key="again").click().run()
        over(job_of(resources.store().run(lengths.run_id)))
        app.run()

        assert not app.exception
        assert len(found.requests) - n == 1
    made = [r for r in resources.store().runs() if r.remedy is not None]
    assert sorted(r.remedy.turn for r in made if r.remedy) == [1, 2]
    assert next(r.run_id for r in made if r.remedy and r.remedy.turn == 2) in app.query_params["result"]
    assert "0 failed" in shown(app)
    assert "again" not in [b.key for b in app.button]


def test_inspector_and_traces_lead_here_with_what_is_looked_at(lengths: View, open_at: Open) -> None:
    """A failing answer with itself, a filtered list with its filter; an answer without a fault offers no remedy."""
    def link(app: AppTest) -> str:
        assert not app.exception
        return "".join(p.proto.query_string for p in app.get("page_link") if p.proto.label.startswith("Try a remedy"))

    assert {"trace=half", "which=one"} <= set(link(open_at("inspector", trace="half")).split("&"))
    assert link(open_at("inspector", trace="right")) == ""
    assert "verdict=contradicted" in link(open_at("traces", verdict="contradicted"))

    app = open_at("lab", verdict="contradicted")
    assert not app.exception
    assert app.button(key="try").label == "Try it on 1 answer"


@pytest.mark.parametrize(
    "params",
    [
        {"remedy": "nonsense"},
        {"remedy": "gate", "t": "nan"},
        {"remedy": "gate", "t": "1e999", "need": "-1", "scores": "x"},
        {"result": "no-such-run"},
        {"remedy": "refine", "target": "7", "rounds": "999"},
        {"remedy": "constrained", "model": "x y;<script>", "usd": "-1"},
        {"trace": "no-such-trace"},
        {"which": "nonsense", "quadrant": "nonsense"},
        {"rp": "99", "remedy": "gate", "scores": "embedding"},
    ],
)
def test_hostile_addresses_fall_back(lengths: View, open_at: Open, params: dict[str, str]) -> None:
    """No value of the URL breaks the page."""
    app = open_at("lab", **params)

    assert not app.exception
    assert app.title[0].value == "Lab"
