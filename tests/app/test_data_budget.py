"""Data: what hosted judging may spend. A limit holds while the session lasts, ends the work cleanly, and says so."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from ragviz.backends.embedder import BackendState, Embedder
from ragviz.pipeline import import_files
from ragviz.records import RunManifest
from ragviz.store import Store
from ragviz.testing import MessagesServer, Scripted, claims_in, message, verdicts
from ragviz.ui import resources
from ragviz.ui.views.data_judge import job_of
from tests.app.five import shown
from tests.app.waiting import over

Open = Callable[..., AppTest]
N = 12


def reply(request: dict[str, Any]) -> Scripted:
    """Nothing supports anything; 150 tokens a call."""
    return message(verdicts([{"id": c, "reasoning": "", "verdict": "not_supported", "evidence": [], "confidence": 0.9} for c in claims_in(request)]))


@pytest.fixture
def run(app_store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, no_samples: None) -> Iterator[RunManifest]:
    """Twelve answers nobody has judged, and the service."""
    monkeypatch.setattr(Embedder, "available", lambda _: BackendState(ok=False, reason="not here", fix="install"))
    rows = [
        {"id": f"q{n}", "question": f"How long is {n}?", "response": f"It is {n} metres.", "passages": [{"id": "p", "text": f"It is {n} yards."}]}
        for n in range(N)
    ]
    (tmp_path / "long.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    with MessagesServer(reply) as server:
        monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-test")
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
        yield app_store.run(import_files(app_store, [tmp_path / "long.jsonl"]).run_id)


def choose(app: AppTest, judge: str, run: RunManifest) -> AppTest:
    """Pick the judge's row."""
    table = next(d.value for d in app.dataframe if "paid calls" in d.value)
    app.session_state[f"judges-{run.run_id}-{len(table)}"] = {"selection": {"rows": [table["judge"].tolist().index(judge)], "columns": [], "cells": []}}
    return app.run()


def test_a_limit_ends_hosted_judging_and_says_what_is_left(run: RunManifest, open_at: Open) -> None:
    """Eight of twelve at 150 tokens each are over 1,000: the first eight are kept, the page says how many are left; more tokens, and it goes on."""
    app = choose(open_at("data"), "anthropic", run)
    app.number_input(key="judge-tokens").set_value(1_000).run()
    assert "Stops at 1,000 tokens" in [e.label for e in app.expander]

    app.button(key="judge").click().run()
    over(job_of(run))
    app.run()

    assert not app.exception
    assert "the budget of 1,000 tokens is spent" in shown(app)
    assert "Raise the limit" in shown(app)
    assert "--max" not in shown(app)
    # The page's own tables are drawn anew: the row is picked again, as a person would.
    app = choose(app, "anthropic", run)
    app.number_input(key="judge-tokens").set_value(100_000).run()
    app.button(key="judge").click().run()
    over(job_of(run))
    app.run()

    assert not app.exception
    (view, n), *_ = resources.store().views(run.run_id)
    assert n == N
    assert view.judge.startswith("anthropic")


def test_a_cascade_is_priced_at_most(run: RunManifest, open_at: Open) -> None:
    """Its calls and money are known, marked as the most they can be, with the way to know better."""
    app = choose(open_at("data"), "cascade", run)
    table = next(d.value for d in app.dataframe if "paid calls" in d.value).set_index("judge")

    assert not app.exception
    assert table.loc["cascade", "cost"].startswith("≤ $0.")
    assert table.loc["cascade", "paid calls"].startswith("≤ ")
    assert "judge with local first" in shown(app)


def test_nothing_is_asked_where_nothing_is_paid(run: RunManifest, open_at: Open) -> None:
    """The local judge spends nothing: no limit is offered."""
    app = choose(open_at("data"), "local", run)

    assert not app.exception
    assert not [n for n in app.number_input if n.key == "judge-tokens"]
