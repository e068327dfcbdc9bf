"""
Claude through the official SDK: structured replies, bounded concurrency, honest failures.

The key comes in as an argument and is kept in the SDK's client only; messages of errors never carry it.
"""

from __future__ import annotations

import importlib.util
import threading
import time
import weakref
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import msgspec

from ragviz.backends.anthropic_prices import price
from ragviz.backends.budget import Budget
from ragviz.backends.whole_replies import MOST_WAIT_S, asked_to_wait, timed_http_client
from ragviz.errors import BackendError, JudgeUnavailable

DEFAULT_MODEL = "claude-sonnet-5-5"
CHEAP_MODEL = "claude-haiku-5-5"
KEY_REFUSED = "the key was refused (401)"


class Prompt(msgspec.Struct, frozen=True, kw_only=True):
    """One call."""

    system: str
    user: str
    max_tokens: int


class Reply(msgspec.Struct, frozen=True, kw_only=True):
    """What came back, whole or cut."""

    text: str
    stop_reason: str
    """end_turn, max_tokens, refusal …"""
    model: str
    elapsed_ms: float | None
    """None for an answer out of a batch, which was not waited for alone."""
    tokens_in: int | None = None
    tokens_out: int | None = None
    cost_usd: float | None = None
    """None when the model's price is unknown."""


class AnthropicClient:
    """Asks Claude. Loads the SDK on first use; the constructor does nothing."""

    def __init__(self, *, api_key: str | None, base_url: str | None = None, model: str = DEFAULT_MODEL, timeout_s: float = 60.0, max_retries: int = 4,
                 max_concurrency: int = 8, budget: Budget | None = None) -> None:
        """
        Args:
            api_key: None means unavailable; nothing is read from the environment.
            base_url: Another address that speaks the same wire format; None = the SDK's own.
            model: Model name.
            timeout_s: Total time one call may take, retries excluded.
            max_retries: The SDK retries 408, 409, 429 and 5xx with back-off, honouring retry-after.
            max_concurrency: Calls under way at once.
            budget: Shared limit on money and tokens.
        """
        self.model = model
        self.budget = budget or Budget()
        self.spent_usd = 0.0
        """What this client's own calls have cost, as far as prices are known; the budget may be shared with others."""
        self._api_key = api_key
        self._base_url = base_url
        self._timeout_s = timeout_s
        self._max_retries = max_retries
        self._max_concurrency = max_concurrency
        self._lock = threading.Lock()
        self._sdk: Any = None

    def missing(self) -> tuple[str, str] | None:
        """(reason, fix) when it cannot work here; None when it can. Loads nothing."""
        if importlib.util.find_spec("anthropic") is None:
            return "the package anthropic is not installed", "pip install anthropic"
        if not self._api_key:
            return "no API key", "set ANTHROPIC_API_KEY in the environment, or in .streamlit/secrets.toml"
        if self.budget.max_usd is not None and price(self.model, 1, 1) is None:
            return f"the price of {self.model} is not known, so a limit in dollars cannot be kept", "set a limit in tokens: --max-tokens"
        return None

    def ask(self, prompt: Prompt, schema: dict[str, Any]) -> Reply:
        """
        One structured reply.

        Args:
            prompt: What to ask.
            schema: JSON schema the reply is constrained to.

        Raises:
            JudgeUnavailable: No package or no key.
            BackendError: The call failed after retries; the message says how.
        """
        if spent := self.budget.refusal():
            raise BackendError(spent, fix="raise the limit and judge again: what is judged stays")
        sdk = self._client()
        started = time.perf_counter()
        message = self._send(sdk, prompt, schema)
        reply = self.reply(message, elapsed_ms=(time.perf_counter() - started) * 1000)
        self.budget.add(usd=reply.cost_usd, tokens=(reply.tokens_in or 0) + (reply.tokens_out or 0))
        with self._lock:
            self.spent_usd += reply.cost_usd or 0.0
        return reply

    def ask_many(self, prompts: Sequence[Prompt], schema: dict[str, Any], *, cancelled: Callable[[], bool] = lambda: False) -> list[Reply | BackendError]:
        """All prompts, several at a time; answers in order, a failure in its place."""

        def one(prompt: Prompt) -> Reply | BackendError:
            if cancelled():
                return BackendError("stopped before this call")
            try:
                return self.ask(prompt, schema)
            except BackendError as exc:
                return exc

        if len(prompts) <= 1:
            return [one(prompt) for prompt in prompts]
        with ThreadPoolExecutor(min(self._max_concurrency, len(prompts)), thread_name_prefix="ragviz-claude") as pool:
            return list(pool.map(one, prompts))

    def sdk(self) -> Any:
        """The SDK's own client, for batches."""
        return self._client()

    def _client(self) -> Any:
        lacking = self.missing()
        if lacking:
            raise JudgeUnavailable(f"anthropic: {lacking[0]}", fix=lacking[1])
        with self._lock:
            if self._sdk is None:
                import anthropic  # noqa: PLC0415 - half a second that only this judge needs

                self._sdk = anthropic.Anthropic(
                    api_key=self._api_key, base_url=self._base_url, timeout=self._timeout_s, max_retries=self._max_retries, http_client=timed_http_client(),
                    # Calls of a judge among the spans of the system it judges would be read as answers of that system.
                    open_telemetry=False,
                )
                # Whoever drops this client drops its connections with it.
                weakref.finalize(self, self._sdk.close)
            return self._sdk

    def _send(self, sdk: Any, prompt: Prompt, schema: dict[str, Any]) -> Any:
        import httpx2  # noqa: PLC0415 - what the SDK sends with

        with self.explained():
            # The SDK authenticates, sends, retries and raises; walking through the body and turning the reply into its own objects would cost as much again.
            reply = sdk.post("/v1/messages", cast_to=httpx2.Response, content=_encoder.encode(request(prompt, schema, model=self.model)))
            return _decode(reply.content)

    @contextmanager
    def explained(self) -> Iterator[None]:
        """Every fault of the SDK or the network inside leaves as BackendError."""
        import anthropic  # noqa: PLC0415

        try:
            yield
        except anthropic.AuthenticationError as exc:
            raise BackendError(KEY_REFUSED, fix="check ANTHROPIC_API_KEY") from exc
        except anthropic.RateLimitError as exc:
            wait = asked_to_wait(exc.response.headers)
            if wait is not None and wait > MOST_WAIT_S:
                raise BackendError(
                    f"rate limit (429): the service asks to wait {wait:,.0f} s", fix="judge again after that: what is judged stays", retryable=True
                ) from exc
            raise BackendError(
                f"rate limit (429), still after {self._max_retries} retries", fix="judge again later: what is judged stays", retryable=True
            ) from exc
        except anthropic.APITimeoutError as exc:
            raise BackendError(f"no reply within {self._timeout_s:g} s", fix="judge again, or raise the time limit", retryable=True) from exc
        except anthropic.APIConnectionError as exc:
            raise BackendError("the connection failed or was cut", fix="check the network and judge again", retryable=True) from exc
        except anthropic.APIStatusError as exc:
            raise BackendError(
                f"the service answered {exc.status_code} ({_kind(exc)})",
                fix="judge again later" if exc.status_code >= 500 else "check model name and request size",
                retryable=exc.status_code >= 500,
            ) from exc
        except anthropic.AnthropicError as exc:
            raise BackendError(f"unreadable reply ({type(exc).__name__})", fix="judge again", retryable=True) from exc
        except ValueError as exc:
            raise BackendError("the reply is not JSON", fix="judge again", retryable=True) from exc

    def reply(self, message: Any, *, elapsed_ms: float | None, share_of_price: float = 1.0) -> Reply:
        """
        The SDK's message as a reply.

        Args:
            message: What the SDK gave.
            elapsed_ms: How long it took; None where nobody waited for it alone.
            share_of_price: What is paid of the usual price.

        Raises:
            BackendError: It is no message.
        """
        if not isinstance(getattr(message, "content", None), list) or not hasattr(message, "usage"):
            # A proxy's error page, say: the SDK hands through what is no JSON.
            raise BackendError("the reply is not a message", fix="check the address and any proxy between", retryable=True)
        text = "".join(block.text or "" for block in message.content or () if getattr(block, "type", "") == "text")
        tokens_in, tokens_out = getattr(message.usage, "input_tokens", None), getattr(message.usage, "output_tokens", None)
        full = price(self.model, tokens_in, tokens_out)
        return Reply(
            text=text,
            stop_reason=str(message.stop_reason),
            model=str(message.model),
            elapsed_ms=elapsed_ms,
            tokens_in=tokens_in,
            tokens_out=tokens_out,
            cost_usd=None if full is None else full * share_of_price,
        )


class _Block(msgspec.Struct):
    type: str = ""
    text: str | None = None


class _Usage(msgspec.Struct):
    input_tokens: int | None = None
    output_tokens: int | None = None


class _Message(msgspec.Struct):
    """What is read of a reply; further fields are passed over."""

    content: list[_Block]
    usage: _Usage
    model: str = ""
    stop_reason: str | None = None


_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(_Message)


def _decode(body: bytes) -> _Message:
    try:
        return _decoder.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError) as exc:
        # A proxy's error page, say.
        raise BackendError("the reply is not a message", fix="check the address and any proxy between", retryable=True) from exc


def request(prompt: Prompt, schema: dict[str, Any], *, model: str) -> dict[str, Any]:
    """The body of one Messages call; the same for single calls and batches."""
    return {
        "model": model, "max_tokens": prompt.max_tokens, "system": prompt.system, "messages": [{"role": "user", "content": prompt.user}],
        "output_config": {"format": {"type": "json_schema", "schema": schema}},
    }


def _kind(exc: Any) -> str:
    body = exc.body if isinstance(exc.body, dict) else {}
    error = body.get("error")
    return str(error.get("type", "error")) if isinstance(error, dict) else "error"
