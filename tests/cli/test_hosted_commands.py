"""Hosted judge, extractor and raters from the command line, against a local server that speaks the wire format."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ragviz.testing import MessagesServer, Scripted, message, verdicts
from ragviz.testing.messages_server import failure, prompt_of
from tests.cli.hosted import at_home, ragviz

TRACE = {
    "id": "q1", "question": "How long may I keep it?", "response": "It can be kept for 30 days and it is free.",
    "passages": [{"id": "p1", "text": "It can be kept for 30 days."}, {"id": "p2", "text": "Gift cards never expire."}],
}
CLAIMS = {"claims": [{"text": "It can be kept for 30 days.", "quote": "It can be kept for 30 days"}, {"text": "It is free.", "quote": "it is free"}]}


def answer(request: dict[str, Any]) -> Scripted:
    """Judges, splits or rates, by what it is asked."""
    text = prompt_of(request)
    passages = re.findall(r"BEGIN PASSAGE (P\d+)\]\n(.*?)\n\[", text)
    if "Split the answer" in text:
        return failure(529, "overloaded_error", "x") if "poison" in text else message(json.dumps(CLAIMS))
    if "Decide on the" in text:
        return message(json.dumps({"passages": [{"id": p, "reasoning": "looked", "relevant": "days" in body} for p, body in passages]}))
    rows = []
    for label, claim in re.findall(r"^(c\d+): (.*)$", text, re.MULTILINE):
        quotes = [{"passage": p, "relation": "supports", "quote": claim} for p, body in passages if claim in body]
        rows.append({"id": label, "reasoning": "word for word", "verdict": "supported" if quotes else "not_supported", "evidence": quotes, "confidence": 0.9})
    return message(verdicts(rows))


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[MessagesServer]:
    """The service, a store, a file with one trace, and no embeddings."""
    at_home(monkeypatch, tmp_path)
    (tmp_path / "traces.jsonl").write_text(json.dumps(TRACE) + "\n", encoding="utf-8")
    with MessagesServer(answer) as found:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", found.url)
        yield found


def test_evaluate_with_everything_hosted(server: MessagesServer) -> None:
    """Claude's claims, judged and rated by Claude: one call to split, one to judge, one to rate."""
    code, out, _ = ragviz("evaluate", "traces.jsonl", "--judge", "anthropic", "--claims", "anthropic", "--raters", "anthropic_passages", "--json")
    (trace,) = json.loads(out)["traces"]

    assert code == 0
    assert [(c["text"], c["verdict"]) for c in trace["claims"]] == [("It can be kept for 30 days.", "supported"), ("It is free.", "not_supported")]
    assert [trace["scores"][name]["value"] for name in ("faithfulness", "context_relevance", "context_precision")] == [0.5, 0.5, 1.0]
    assert len(server.requests) == 3


def test_rules_that_took_over_are_among_the_issues(server: MessagesServer, tmp_path: Path) -> None:
    """With the reason, and where."""
    (tmp_path / "traces.jsonl").write_text(json.dumps(TRACE | {"response": "The poison is blue."}) + "\n", encoding="utf-8")
    _, out, _ = ragviz("evaluate", "traces.jsonl", "--judge", "anthropic", "--claims", "anthropic", "--json")
    (issue,) = json.loads(out)["issues"]

    assert "split by rules instead of anthropic: the service answered 529" in issue["message"]
    assert "traces.jsonl" in issue["where"]


def test_judge_in_batches(server: MessagesServer) -> None:
    """What is under way is said on stderr; the object says which batches came in."""
    ragviz("import", "traces.jsonl", "--run", "r")
    code, out, err = ragviz("judge", "r", "--judge", "anthropic", "--batch", "--json")

    assert (code, json.loads(out)["batches"], json.loads(out)["unjudged"]) == (0, ["msgbatch_1"], 0)
    assert "batch msgbatch_1: 1 call about 1 trace sent" in err


def test_ratings_can_be_added_later(server: MessagesServer) -> None:
    """The run is judged already: only the rater is asked."""
    ragviz("import", "traces.jsonl", "--run", "r")
    ragviz("judge", "r", "--judge", "anthropic")
    n = len(server.requests)
    ragviz("judge", "r", "--judge", "anthropic", "--raters", "anthropic_passages")
    assert len(server.requests) == n + 1
    _, out, _ = ragviz("evaluate", "r", "--judge", "anthropic", "--json")

    assert json.loads(out)["traces"][0]["scores"]["context_relevance"]["value"] == 0.5
    assert len(server.requests) == n + 1


@pytest.mark.parametrize(("args", "says"), [
    (("--claims", "anthropic"), "no API key"),
    (("--raters", "anthropic_passages"), "no API key"),
    (("--raters", "anthropic"), "not here"),
    (("--raters", "nonsense"), "no rater named"),
    (("--claims", "nonsense"), "no claim extractor named"),
    (("--judge", "facts", "--claims", "rules"), "reads the claims that came with the file"),
])
def test_what_cannot_work_is_said_before_anything_is_done(server: MessagesServer, monkeypatch: pytest.MonkeyPatch, args: tuple[str, ...], says: str) -> None:
    """Exit 2, one sentence and a fix."""
    monkeypatch.delenv("ANTHROPIC_API_KEY")
    code, _, err = ragviz("evaluate", "traces.jsonl", *args)

    assert code == 2
    assert says in err
    assert "Fix: " in err
    assert server.requests == []


def test_only_a_hosted_judge_has_batches(server: MessagesServer) -> None:
    """Exit 2 with the way out."""
    ragviz("import", "traces.jsonl", "--run", "r")
    code, _, err = ragviz("judge", "r", "--batch")

    assert code == 2
    assert "has no batches" in err
