"""Faulty replies inside a batch: the right verdicts and reasons, nothing lost or doubled, and the other answers of the batch whole."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ragviz.backends.anthropic_client import AnthropicClient
from ragviz.judges.hosted import AnthropicJudge
from ragviz.pipeline import JudgeReport, import_files, judge_in_batches, judge_run
from ragviz.records import Judgement, PairKey, Verdict
from ragviz.store import Store, open_store
from ragviz.testing import MessagesServer, Scripted, claims_in, message, verdicts
from ragviz.testing.messages_server import failure, prompt_of
from tests.unit.pipeline.batches import said

pytestmark = pytest.mark.usefixtures("no_raters")
N = 30
CUT = 11
KEY = "sk-test-very-secret"
Fault = Callable[[dict[str, Any]], Scripted]


def rows_of(request: dict[str, Any]) -> list[dict[str, Any]]:
    """Every claim supported by its own words."""
    return [
        {
            "id": label,
            "reasoning": "word for word",
            "verdict": "supported",
            "confidence": 0.9,
            "evidence": [{"passage": "P1", "relation": "supports", "quote": claim}],
        }
        for label, claim in claims_in(request).items()
    ]


def good(request: dict[str, Any]) -> Scripted:
    return message(verdicts(rows_of(request)))


def truncated(request: dict[str, Any]) -> Scripted:
    """Cut off in the middle of the twelfth of thirty."""
    text = verdicts(rows_of(request))
    twelfth = text.index(f'"id": "c{CUT + 1}"')
    return message(text[: twelfth + 40], stop_reason="max_tokens")


def refused(_request: dict[str, Any]) -> Scripted:
    return message("", stop_reason="refusal")


def invented(request: dict[str, Any]) -> Scripted:
    """A quote that stands nowhere, for the first claim."""
    first, *rest = rows_of(request)
    quote = {"passage": "P1", "relation": "supports", "quote": "The moon is made of green cheese"}
    return message(verdicts([first | {"evidence": [quote]}, *rest]))


def huge(request: dict[str, Any]) -> Scripted:
    """A megabyte and a half of reasoning, and two thousand claims nobody asked about."""
    first, *rest = rows_of(request)
    more = [{"id": f"c{n}", "reasoning": "x", "verdict": "contradicted", "confidence": 1.0, "evidence": []} for n in range(1_000, 3_000)]
    return message(verdicts([first | {"reasoning": "word " * 300_000}, *rest, *more]))


def endless(request: dict[str, Any]) -> Scripted:
    """More than is read at all."""
    return message(verdicts(rows_of(request)) + " " * 2_000_000)


def fenced(request: dict[str, Any]) -> Scripted:
    return message(f"Here you are:\n```json\n{verdicts(rows_of(request))}\n```")


def malformed(_request: dict[str, Any]) -> Scripted:
    return message('{"claims": [')


def wrong_words(request: dict[str, Any]) -> Scripted:
    first, *rest = rows_of(request)
    return message(verdicts([first | {"verdict": "plausible"}, *rest]))


def said_twice(request: dict[str, Any]) -> Scripted:
    """All claims two times, alike."""
    return message(verdicts(rows_of(request) * 2))


def overloaded(_request: dict[str, Any]) -> Scripted:
    return failure(529, "overloaded_error", f"busy {KEY}")


CASES: dict[str, tuple[Fault, int, str]] = {
    "truncated": (truncated, N - CUT, "cut off before this claim"),
    "refused": (refused, N, "declined to answer"),
    "invented": (invented, 1, "is not in this passage"),
    "huge": (huge, 0, ""),
    "endless": (endless, N, "longer than 2,000,000 characters"),
    "fenced": (fenced, 0, ""),
    "malformed": (malformed, N, "could not be read"),
    "wrong_words": (wrong_words, 1, "none of the four"),
    "said_twice": (said_twice, 0, ""),
    "overloaded": (overloaded, N, "overloaded_error"),
}
"""The reply; how many of thirty claims it leaves unjudged; the reason."""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """One answer of thirty claims that the service stumbles over, and one that it does not."""
    said = " ".join(f"Item {n} costs {n + 100} euros." for n in range(N))
    rows = [{"id": name, "question": f"What is on the {name} list?", "response": said, "passages": [{"id": "p", "text": said}]} for name in ("faulty", "sound")]
    path = tmp_path / "lists.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def judged(store: Store, file: Path, fault: Fault, *, batch: bool) -> tuple[JudgeReport, dict[PairKey, Judgement]]:
    """The run judged, and every judgement; one that is there twice fails."""
    with MessagesServer(lambda request: fault(request) if "the faulty list" in prompt_of(request) else good(request)) as server:
        judge = AnthropicJudge(client=AnthropicClient(api_key=KEY, base_url=server.url, max_retries=0))
        run_id = import_files(store, [file]).run_id
        report = judge_in_batches(store, run_id, judge, first_wait_s=0.01) if batch else judge_run(store, run_id, judge)
        assert len(server.requests) == 2
    return report, said(store, report)


@pytest.mark.parametrize("name", CASES)
def test_each_fault_ends_in_its_verdicts_and_reasons(name: str, store: Store, file: Path) -> None:
    """Thirty judgements for each of two answers; so many of the faulty one unjudged, with the reason; none of the sound one; no key in any reason."""
    fault, n_unjudged, reason = CASES[name]
    report, found = judged(store, file, fault, batch=True)
    of = {who: [j for key, j in found.items() if key.trace_id == who] for who in ("faulty", "sound")}
    left = [j for j in of["faulty"] if j.verdict is Verdict.UNJUDGED]

    assert [len(some) for some in of.values()] == [N, N]
    assert {j.verdict for j in of["sound"]} == {Verdict.ENTAILED}
    assert (len(left), report.n_unjudged) == (n_unjudged, n_unjudged)
    assert all(reason in j.rationale for j in left)
    assert {j.verdict for j in of["faulty"] if j not in left} <= {Verdict.ENTAILED}
    assert not any(KEY in j.rationale for j in found.values())
    assert store.pending(report.run_id, report.view.judge) == []


@pytest.mark.parametrize("name", [name for name in CASES if name != "overloaded"])
def test_a_batch_says_of_the_same_reply_what_a_single_call_does(name: str, store: Store, file: Path) -> None:
    """Verdict, confidence, reasons and evidence are equal, pair by pair."""
    single = open_store(":memory:")
    _, alone = judged(single, file, CASES[name][0], batch=False)
    _, found = judged(store, file, CASES[name][0], batch=True)
    single.close()

    assert found == alone


@pytest.mark.parametrize("name", ["truncated", "refused", "overloaded"])
def test_what_was_left_is_asked_again_and_only_that_is_new(name: str, store: Store, file: Path) -> None:
    """The service has recovered: asking again about what has no verdict leaves every claim judged, the sound answer's as they were."""
    report, _ = judged(store, file, CASES[name][0], batch=True)
    with MessagesServer(good) as server:
        judge_run(store, report.run_id, AnthropicJudge(client=AnthropicClient(api_key=KEY, base_url=server.url, max_retries=0)), retry_unjudged=True)
        assert len(server.requests) == 1
    counted = store.claim_counts(report.view)

    assert sum(counted.values()) == 2 * N
    assert {grounding.value for grounding, n in counted.items() if n} == {"supported"}
