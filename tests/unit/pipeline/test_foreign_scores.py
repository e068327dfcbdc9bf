"""Ragas' metrics on a run: through its collections API and the real SDKs, against a local server that speaks both wire formats."""

from __future__ import annotations

import contextlib
import io
import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ragviz.backends import ragas_scorer
from ragviz.backends.ragas_scorer import RagasSettings
from ragviz.cli.main import main
from ragviz.errors import Cancelled, JudgeUnavailable, UnknownName
from ragviz.pipeline import import_files
from ragviz.pipeline.foreign_scores import score_with_ragas
from ragviz.records import ImportedScore
from ragviz.store import Store, open_store
from ragviz.testing import MessagesServer, Scripted, structured
from ragviz.testing.messages_server import failure, prompt_of

# Ragas leaves a file of its own open.
pytestmark = pytest.mark.filterwarnings("ignore:Exception ignored in. <_io.FileIO name=.*ragas.uuid:pytest.PytestUnraisableExceptionWarning")
KEY = "sk-test-very-secret"
installed = pytest.mark.skipif(ragas_scorer.installed_version() is None, reason="ragas is not installed: pip install 'ragviz[ragas]'")


def answer(request: dict[str, Any]) -> Scripted:
    """Splits at sentences, supports what stands in the context, asks back what the answer starts with."""
    text = prompt_of(request)
    given = json.loads(text[text.rindex("input: ") + 7 : text.rindex("\nOutput:")])
    if "poison" in text:
        return failure(529, "overloaded_error", "x")
    if "question" in given and "answer" in given:
        return structured(request, {"statements": [part.strip() + "." for part in given["answer"].split(".") if part.strip()]})
    if "statements" in given:
        return structured(request, {"statements": [{"statement": s, "reason": "looked", "verdict": int(s in given["context"])} for s in given["statements"]]})
    return structured(request, {"question": "How long may I keep it?", "noncommittal": 0})


def a_trace(n: int, **fields: Any) -> dict[str, Any]:
    """Of its two sentences one stands in the passage."""
    return {
        "id": f"q{n}", "question": "How long may I keep it?", "response": f"It can be kept for {n + 1} days. It is free.",
        "passages": [{"id": "p1", "text": f"It can be kept for {n + 1} days."}],
    } | fields


def a_run(store: Store, folder: Path, *traces: dict[str, Any]) -> str:
    path = folder / "traces.jsonl"
    path.write_text("".join(json.dumps(trace) + "\n" for trace in traces), encoding="utf-8")
    return import_files(store, [path]).run_id


def settings(server: MessagesServer, provider: Any = "anthropic", **more: Any) -> RagasSettings:
    base = server.url + ("/v1" if provider == "openai" else "")
    return RagasSettings(**{"provider": provider, "model": "m", "api_key": KEY, "base_url": base, "max_retries": 0, "embeddings": "words"} | more)


@pytest.fixture
def server() -> Iterator[MessagesServer]:
    with MessagesServer(answer) as found:
        yield found


def scores(store: Store, run_id: str) -> dict[str, list[tuple[str, float | None, str | None]]]:
    return {trace.id: [(s.name, s.value, s.label) for s in trace.scores] for trace in store.traces(run_id)}


@installed
@pytest.mark.slow
@pytest.mark.parametrize("provider", ["anthropic", "openai"])
def test_scores_are_kept_with_what_they_were_made_with(store: Store, server: MessagesServer, tmp_path: Path, provider: str) -> None:
    """One of two statements stands in the passage: 0.5. Library, version, model and address are known afterwards, the key is not."""
    run_id = a_run(store, tmp_path, a_trace(0))
    report = score_with_ragas(store, run_id, ["faithfulness"], settings(server, provider))
    (trace,) = store.traces(run_id)
    (score,) = trace.scores

    assert (score.name, score.value, score.label) == ("faithfulness", 0.5, None)
    assert score.made_with == report.made_with | {"metric": "Faithfulness"}
    assert score.made_with["library"] == f"ragas {ragas_scorer.installed_version()}"
    assert (score.made_with["provider"], score.made_with["model"]) == (provider, "m")
    assert KEY not in repr(trace)
    assert len(server.requests) == 2


@installed
@pytest.mark.slow
def test_nothing_is_reported_to_its_makers(store: Store, server: MessagesServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the environment says: not by the model, not by embeddings, not when it leaves."""
    assert ragas_scorer.state().ok
    from ragas import _analytics

    sent: list[object] = []
    monkeypatch.delenv("RAGAS_DO_NOT_TRACK", raising=False)
    monkeypatch.setattr(_analytics.requests, "post", lambda *args, **_: sent.append(args))
    score_with_ragas(store, a_run(store, tmp_path, a_trace(0)), ["faithfulness", "answer_relevancy"], settings(server, "openai"))
    _analytics._analytics_batcher.flush()
    assert sent == []


@installed
@pytest.mark.slow
def test_metrics_that_compare_embeddings(store: Store, server: MessagesServer, tmp_path: Path) -> None:
    """Three questions asked back are the asked one: cosine 1. Vectors come from the same address."""
    run_id = a_run(store, tmp_path, a_trace(0))
    report = score_with_ragas(store, run_id, ["answer_relevancy"], settings(server, "openai"))

    assert report.metrics[0].mean == pytest.approx(1.0)
    assert report.made_with["embeddings"] == "words"
    assert len(server.embedded) == 2
    with pytest.raises(JudgeUnavailable, match="anthropic has no embeddings"):
        score_with_ragas(store, run_id, ["answer_relevancy"], settings(server))


@installed
@pytest.mark.slow
def test_a_failing_sample_is_missing_and_asked_again(store: Store, server: MessagesServer, tmp_path: Path) -> None:
    """A failed call, and a sample without passages: no value, each with its reason; the mean is over the others. Only the failed one is asked again."""
    run_id = a_run(store, tmp_path, a_trace(0), a_trace(1, response="poison."), a_trace(2, passages=[]))
    report = score_with_ragas(store, run_id, ["faithfulness"], settings(server))

    assert scores(store, run_id) == {
        "q0": [("faithfulness", 0.5, None)],
        "q1": [("faithfulness", None, "failed")],
        "q2": [("faithfulness", None, "missing input")],
    }
    assert (report.metrics[0].n, report.metrics[0].mean) == (1, 0.5)
    assert report.metrics[0].missing == {"failed: the service answered 529": 1, "missing input: Ragas needs retrieved_contexts for it": 1}
    asked = len(server.requests)
    again = score_with_ragas(store, run_id, ["faithfulness"], settings(server))
    assert (again.n_asked, again.n_known, len(server.requests) - asked) == (1, 2, 1)
    assert [len(found) for found in scores(store, run_id).values()] == [1, 1, 1]
    another = score_with_ragas(store, run_id, ["faithfulness"], settings(server, model="other"), limit=1)
    assert another.n_asked == 1
    assert len(scores(store, run_id)["q0"]) == 2


@installed
@pytest.mark.slow
def test_an_interrupted_run_goes_on(store: Store, server: MessagesServer, tmp_path: Path) -> None:
    """Stopped after eight traces of ten: two are asked afterwards, nothing twice."""
    run_id, cancel = a_run(store, tmp_path, *(a_trace(n) for n in range(10))), threading.Event()
    with pytest.raises(Cancelled):
        score_with_ragas(store, run_id, ["faithfulness"], settings(server), cancel=cancel, on_progress=lambda _done, _total: cancel.set())
    assert len(server.requests) == 16
    report = score_with_ragas(store, run_id, ["faithfulness"], settings(server))

    assert (report.n_asked, report.n_known, len(server.requests)) == (2, 8, 20)
    assert report.metrics[0].n == 10


@installed
@pytest.mark.slow
@pytest.mark.parametrize(("reply", "reason"), [
    (failure(429, "rate_limit_error", "x"), "rate limit (429)"),
    (failure(500, "api_error", "x"), "the service answered 500"),
    (Scripted(body=b"<html>", headers={"content-type": "text/html"}), ""),
    (Scripted(body=b"{}", cut_after=1), "the connection failed or was cut"),
    (Scripted(body=b"{}", delay_s=3.0), "no reply in time"),
])
def test_what_goes_wrong_is_said_without_the_key(store: Store, tmp_path: Path, reply: Scripted, reason: str) -> None:
    """One sentence, not the whole chain of errors."""
    run_id = a_run(store, tmp_path, a_trace(0))
    with MessagesServer(lambda _: reply) as server:
        score_with_ragas(store, run_id, ["faithfulness"], settings(server, timeout_s=1.0 if reply.delay_s else 120.0))
    (trace,) = store.traces(run_id)

    assert trace.scores[0].value is None
    assert reason in trace.scores[0].reason
    assert 0 < len(trace.scores[0].reason) < 170
    assert KEY not in repr(trace)


@installed
@pytest.mark.slow
def test_a_refused_key_stops_the_run(store: Store, tmp_path: Path) -> None:
    """Nothing is stored, nothing more is asked."""
    run_id = a_run(store, tmp_path, a_trace(0))
    with MessagesServer(lambda _: failure(401, "authentication_error", "x")) as server, pytest.raises(JudgeUnavailable, match="refused") as caught:
        score_with_ragas(store, run_id, ["faithfulness"], settings(server))
    assert KEY not in caught.value.message
    assert scores(store, run_id) == {"q0": []}


@installed
@pytest.mark.slow
def test_the_command(server: MessagesServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Means with n and what is missing, as text and as one object; a second call asks nothing."""
    monkeypatch.setenv("RAGVIZ_STORE", str(tmp_path / "s.sqlite"))
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    store = open_store(str(tmp_path / "s.sqlite"))
    a_run(store, tmp_path, a_trace(0), a_trace(1, passages=[]))
    store.close()
    code, out, err = ragviz("ragas", "traces", "--model", "m", "--base-url", server.url)
    assert (code, err) == (0, "")
    assert "faithfulness  0.500  1        1" in out
    assert "1 without a value, missing input: Ragas needs retrieved_contexts" in out
    n = len(server.requests)
    code, out, _ = ragviz("ragas", "traces", "--model", "m", "--base-url", server.url, "--json")
    assert json.loads(out)["metrics"]["faithfulness"] == {"mean": 0.5, "n": 1, "missing": {"missing input: Ragas needs retrieved_contexts for it": 1}}
    assert len(server.requests) == n


def ragviz(*args: str) -> tuple[int, str, str]:
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main(list(args))
    assert KEY not in out.getvalue() + err.getvalue()
    return code, out.getvalue(), err.getvalue()


def test_what_is_missing_is_said(store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No such metric, no key, no package: each with the way out, before anything is imported."""
    run_id = a_run(store, tmp_path, a_trace(0))
    with pytest.raises(UnknownName, match="no metric of Ragas named 'beauty'"):
        score_with_ragas(store, run_id, ["beauty"], RagasSettings(model="m", api_key=KEY))
    with pytest.raises(JudgeUnavailable) as caught:
        score_with_ragas(store, run_id, ["faithfulness"], RagasSettings(model="m", api_key=None))
    assert "ANTHROPIC_API_KEY" in caught.value.fix
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    with pytest.raises(JudgeUnavailable, match="not installed") as caught:
        score_with_ragas(store, run_id, ["faithfulness"], RagasSettings(model="m", api_key=KEY))
    assert "ragviz[ragas]" in caught.value.fix


def test_a_combination_that_cannot_be_imported_is_told_with_the_pin(tmp_path: Path) -> None:
    """What a plain ``pip install ragas`` gives: langchain-community without the module that ragas imports."""
    package = tmp_path / "ragas"
    package.mkdir()
    (package / "__init__.py").write_text("from langchain_community_that_is.too_new.vertexai import ChatVertexAI\n")
    program = f"import sys; sys.path.insert(0, {str(tmp_path)!r})\nfrom ragviz.backends.ragas_scorer import state\nprint(*state(), sep='|')"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)

    ok, reason, fix = done.stdout.strip().split("|")
    assert ok == "False"
    assert "No module named 'langchain_community_that_is'" in reason
    assert "ragas==0.4.3 with langchain-community==0.4.1" in fix


def test_scores_survive_the_store_and_replace_only_their_own(store: Store, tmp_path: Path) -> None:
    """The file's own score of the same name stays; NUL and lone surrogates of a reply do not break the write."""
    run_id = a_run(store, tmp_path, a_trace(0))
    store.add_scores(run_id, {"q0": [ImportedScore(name="faithfulness", value=0.9)]})
    for value in (0.1, 0.2):
        store.add_scores(run_id, {"q0": [ImportedScore(name="faithfulness", value=value, reason="a\x00b\ud800", made_with={"library": "ragas 1"})], "gone": []})
    (trace,) = store.traces(run_id)

    assert [(s.value, dict(s.made_with)) for s in trace.scores] == [(0.9, {}), (0.2, {"library": "ragas 1"})]
    assert "\x00" not in trace.scores[1].reason
