"""Batches through the real SDK against a local server."""

from __future__ import annotations

import json

import pytest

from ragviz.backends.anthropic_batches import NOT_IN_BATCH, SHARE_OF_PRICE, BatchClient, results, send, state
from ragviz.backends.anthropic_client import AnthropicClient, Prompt
from ragviz.backends.anthropic_prices import price
from ragviz.errors import BackendError
from ragviz.testing import MessagesServer, Scripted, message
from ragviz.testing.messages_server import failure, prompt_of

KEY = "sk-test-very-secret"
SCHEMA = {"type": "object"}
MODEL = "claude-haiku-4-5"


def a_prompt(user: str) -> Prompt:
    return Prompt(system="s", user=user, max_tokens=100)


def a_client(server: MessagesServer) -> AnthropicClient:
    return AnthropicClient(api_key=KEY, base_url=server.url, model=MODEL, max_retries=0, timeout_s=120.0)


def test_answers_find_their_prompts_in_any_order() -> None:
    """The server answers backwards; half the price is counted, and no time."""
    with MessagesServer(lambda r: failure(400, "invalid_request_error", "x") if prompt_of(r) == "two" else message(prompt_of(r).upper())) as server:
        client = a_client(server)
        asking = BatchClient(client)
        assert [getattr(r, "message", "") for r in asking.ask_many([a_prompt("one"), a_prompt("two"), a_prompt("one")], SCHEMA)] == [NOT_IN_BATCH] * 3
        batch_id = send(client, asking.asked)
        found = state(client, batch_id)
        assert found is not None
        assert (found.ended, found.n_done, found.n_total) == (True, 2, 2)
        one, two, three = BatchClient(client, results(client, batch_id)).ask_many([a_prompt("one"), a_prompt("two"), a_prompt("three")], SCHEMA)

    assert not isinstance(one, BackendError)
    assert (one.text, one.elapsed_ms) == ("ONE", None)
    full = price(MODEL, 100, 50)
    assert full is not None
    assert one.cost_usd == pytest.approx(full * SHARE_OF_PRICE)
    assert isinstance(two, BackendError)
    assert "invalid_request_error" in two.message
    assert isinstance(three, BackendError)


def test_a_batch_the_service_forgot_is_none() -> None:
    """After 29 days, or from another account."""
    with MessagesServer(lambda _: message("x")) as server:
        assert state(a_client(server), "msgbatch_gone") is None


class Broken(MessagesServer):
    """Results as a test wants them, and batches that are not taken."""

    lines: bytes = b""
    cut_after: int | None = None
    refused: Scripted | None = None
    n_created = 0

    def create_batch(self, body: dict) -> Scripted:
        self.n_created += 1
        return self.refused or super().create_batch(body)

    def batch_results(self, name: str) -> Scripted:
        return Scripted(body=self.lines, headers={"content-type": "application/x-jsonl"}, cut_after=self.cut_after)


def line(custom_id: str, result: dict) -> bytes:
    return json.dumps({"custom_id": custom_id, "result": result}).encode() + b"\n"


@pytest.mark.parametrize(("result", "reason"), [
    ({"type": "expired"}, "ran out of time"),
    ({"type": "canceled"}, "cancelled"),
    ({"type": "errored", "error": {"type": "error", "error": {"type": "overloaded_error", "message": "x"}, "request_id": None}}, "overloaded_error"),
    ({"type": "something new"}, "failed inside the batch"),
    ({"type": "succeeded", "message": None}, "not a message"),
])
def test_entries_without_an_answer_say_why(result: dict, reason: str) -> None:
    """Each is a failure in its place."""
    with Broken(lambda _: message("x")) as server:
        client = a_client(server)
        batch_id = send(client, {"a": {"model": "m"}})
        server.lines = line("a", result)
        found = results(client, batch_id)["a"]

    assert isinstance(found, BackendError)
    assert reason in found.message
    assert KEY not in found.message


@pytest.mark.parametrize("cut_after", [40, None])
def test_results_that_break_off_are_no_results(cut_after: int | None) -> None:
    """Half of them would leave the others unjudged for good."""
    with Broken(lambda _: message("x")) as server:
        client = a_client(server)
        batch_id = send(client, {"a": {"model": "m"}})
        server.lines = line("a", {"type": "expired"}) + (line("b", {"type": "expired"})[:20] if cut_after is None else line("b", {"type": "expired"}))
        server.cut_after = cut_after
        with pytest.raises(BackendError) as caught:
            results(client, batch_id)

    assert caught.value.retryable


@pytest.mark.parametrize(
    "refused", [failure(500, "api_error", "x"), failure(429, "rate_limit_error", "x"), Scripted(body=b"<html>", headers={"content-type": "text/html"})]
)
def test_sending_is_tried_once(refused: Scripted) -> None:
    """Where only the receipt got lost a second batch would be paid for too."""
    with Broken(lambda _: message("x")) as server:
        server.refused = refused
        with pytest.raises(BackendError):
            send(AnthropicClient(api_key=KEY, base_url=server.url, max_retries=3), {"a": {"model": "m"}})

    assert server.n_created == 1
