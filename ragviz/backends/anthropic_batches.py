"""
Claude through the Message Batches API: half the price, answers within a day, in any order.

Source: https://platform.claude.com/docs/en/build-with-claude/batch-processing
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from ragviz.backends.anthropic_client import AnthropicClient, Prompt, Reply, request
from ragviz.errors import BackendError
from ragviz.records.ids import digest

SHARE_OF_PRICE = 0.5
"""What a call in a batch costs, of the price of a single call."""
MAX_REQUESTS = 10_000
MAX_BYTES = 200 * 1024 * 1024
"""The service takes 100,000 requests and 256 MB; a smaller batch loses less when its upload is cut."""
UPLOAD_TIMEOUT_S = 600.0
NOT_IN_BATCH = "the batch holds no answer to this call"

Answers = Mapping[str, Reply | BackendError]
"""By custom id."""


class BatchState(NamedTuple):
    """How far a batch is."""

    ended: bool
    n_done: int
    n_total: int


class BatchClient(AnthropicClient):
    """
    Stands in for a client: notes down what is asked, and answers from what batches have brought.

    The same prompt always has the same custom id, so whoever asks the same again, after a restart too, finds the answer.
    """

    def __init__(self, real: AnthropicClient, answers: Answers | None = None) -> None:
        """
        Args:
            real: The client whose model is asked; it checks key and package.
            answers: What is known already.
        """
        super().__init__(api_key=None, model=real.model)
        self._real = real
        self._answers = answers or {}
        self.asked: dict[str, dict[str, Any]] = {}
        """Bodies of the calls, by custom id."""

    def missing(self) -> tuple[str, str] | None:
        """As the real client."""
        return self._real.missing()

    def ask_many(self, prompts: Sequence[Prompt], schema: dict[str, Any], *, cancelled: Callable[[], bool] = lambda: False) -> list[Reply | BackendError]:
        """The known answers, in order; ``NOT_IN_BATCH`` for the others. ``cancelled`` is of no interest: nobody is asked."""
        del cancelled
        found: list[Reply | BackendError] = []
        for prompt in prompts:
            custom_id = digest((self.model, prompt.system, prompt.user, str(prompt.max_tokens)))
            self.asked[custom_id] = request(prompt, schema, model=self.model)
            found.append(self._answers.get(custom_id) or BackendError(NOT_IN_BATCH))
        return found


def size(body: Mapping[str, Any]) -> int:
    """Bytes of one request on the wire, and some for what surrounds it."""
    return len(json.dumps(body, ensure_ascii=True)) + 100


def send(client: AnthropicClient, requests: Mapping[str, Mapping[str, Any]]) -> str:
    """
    Start a batch; its id.

    Raises:
        BackendError: It was not taken. Never tried twice: where only the receipt got lost, the second would be paid for as well.
    """
    sdk = client.sdk().with_options(max_retries=0, timeout=UPLOAD_TIMEOUT_S)
    with client.explained():
        batch = sdk.messages.batches.create(requests=[{"custom_id": custom_id, "params": body} for custom_id, body in requests.items()])
    if not isinstance(getattr(batch, "id", None), str):
        raise BackendError("the reply is no batch", fix="check the address and any proxy between", retryable=True)
    return str(batch.id)


def state(client: AnthropicClient, batch_id: str) -> BatchState | None:
    """
    How far a batch is; None when the service no longer knows it or has thrown its results away.

    Raises:
        BackendError: It cannot be told.
    """
    import anthropic  # noqa: PLC0415 - half a second that only this judge needs

    sdk = client.sdk()
    with client.explained():
        try:
            batch = sdk.messages.batches.retrieve(batch_id)
        except anthropic.NotFoundError:
            return None
    if not hasattr(batch, "processing_status"):
        raise BackendError("the reply is no batch", fix="check the address and any proxy between", retryable=True)
    if batch.archived_at is not None:
        return None
    counts = batch.request_counts
    done = counts.succeeded + counts.errored + counts.expired + counts.canceled
    return BatchState(ended=batch.processing_status == "ended", n_done=done, n_total=done + counts.processing)


def results(client: AnthropicClient, batch_id: str) -> dict[str, Reply | BackendError]:
    """
    What an ended batch brought, by custom id.

    Raises:
        BackendError: The results could not be read to their end; ask again.
    """
    sdk = client.sdk()
    with client.explained():
        return {line.custom_id: _answer(client, line.result) for line in _lines(sdk.messages.batches.results(batch_id))}


def _lines(stream: Any) -> Iterator[Any]:
    import httpx2  # noqa: PLC0415 - what the SDK reads with; it does not translate faults in the middle of a stream

    try:
        yield from stream
    except httpx2.HTTPError as exc:
        raise BackendError("the results were cut off", fix="run the same command again", retryable=True) from exc


def _answer(client: AnthropicClient, result: Any) -> Reply | BackendError:
    kind = str(getattr(result, "type", ""))
    if kind == "succeeded":
        try:
            return client.reply(result.message, elapsed_ms=None, share_of_price=SHARE_OF_PRICE)
        except BackendError as exc:
            return exc
    if kind == "expired":
        return BackendError("the batch ran out of time before this call (24 h)", fix="judge again", retryable=True)
    if kind == "canceled":
        return BackendError("the batch was cancelled before this call", fix="judge again", retryable=True)
    return BackendError(f"the call failed inside the batch ({_kind(result)})", fix="judge again", retryable=True)


def _kind(result: Any) -> str:
    """``invalid_request_error``, ``overloaded_error`` …: the service's words are short and hold no text of ours."""
    error = getattr(getattr(result, "error", None), "error", None)
    return str(getattr(error, "type", "") or "no reason given")


__all__ = ["MAX_BYTES", "MAX_REQUESTS", "NOT_IN_BATCH", "SHARE_OF_PRICE", "Answers", "BatchClient", "BatchState", "results", "send", "size", "state"]
