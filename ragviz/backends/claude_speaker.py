"""What everybody shares who speaks with Claude's words: judge, raters, claim extractor."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from typing import Any

from ragviz.backends.anthropic_client import DEFAULT_MODEL, AnthropicClient, Prompt, Reply
from ragviz.backends.budget import Budget
from ragviz.backends.embedder import BackendState
from ragviz.backends.fences import Token
from ragviz.errors import BackendError, JudgeUnavailable

STOPPED = {"max_tokens": "the reply was cut off", "refusal": "the model declined to answer"}
"""Why a reply that came is of no use, by its stop reason."""
UNREADABLE = "the reply could not be read"


class ClaudeSpeaker:
    """A client, a source of boundary words, and a way to stop. The constructor asks nobody and loads nothing."""

    def __init__(self, model: str = DEFAULT_MODEL, *, api_key: str | None = None, client: AnthropicClient | None = None,
                 token: Token = lambda: secrets.token_hex(8), cancelled: Callable[[], bool] = lambda: False, budget: Budget | None = None) -> None:
        """
        Args:
            model: Model name, as in ``anthropic:claude-haiku-5-5``.
            api_key: Key for the SDK; ignored when ``client`` is given.
            client: A client with its own address, limits and budget.
            token: Source of unguessable boundary words.
            cancelled: Asked before each call.
            budget: Limit on what may be spent; ignored when ``client`` is given.
        """
        self.client = client or AnthropicClient(api_key=api_key, model=model, budget=budget)
        self._token = token
        self._cancelled = cancelled

    @property
    def spent_usd(self) -> float:
        """What its calls have cost so far, as far as prices are known."""
        return self.client.spent_usd

    def state(self) -> BackendState:
        """Needs the package and a key; asks nobody."""
        lacking = self.client.missing()
        return BackendState(ok=True) if lacking is None else BackendState(ok=False, reason=lacking[0], fix=lacking[1])

    def require(self, what: str) -> None:
        """
        Refuse to begin what cannot work.

        Raises:
            JudgeUnavailable: No package or no key.
        """
        state = self.state()
        if not state.ok:
            raise JudgeUnavailable(f"{what}: {state.reason}", fix=state.fix)

    def ask_all(self, prompts: Sequence[Prompt], schema: dict[str, Any]) -> list[Reply | BackendError]:
        """All prompts, several at a time; answers in order, a failure in its place."""
        return self.client.ask_many(prompts, schema, cancelled=self._cancelled)
