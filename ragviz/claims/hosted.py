"""Claims split by Claude: one call per answer, every claim put back into the answer; rules take over where that fails, and say so."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from functools import cache
from importlib.resources import files
from typing import Any

from msgspec.structs import replace

from ragviz.backends.anthropic_client import DEFAULT_MODEL, KEY_REFUSED, AnthropicClient, Prompt, Reply
from ragviz.backends.budget import Budget
from ragviz.backends.claude_speaker import STOPPED, ClaudeSpeaker
from ragviz.backends.fences import Token, boundary, fenced
from ragviz.backends.reply_json import read_object, rows_of
from ragviz.claims.placing import placed
from ragviz.claims.rules import RulesExtractor
from ragviz.contracts import Availability
from ragviz.errors import BackendError, JudgeUnavailable
from ragviz.records import Claim, Side, Trace
from ragviz.records.codec import clean
from ragviz.text.polarity import is_refusal

PROMPT_VERSION = "claims.v1"
MAX_ANSWER_CHARS = 20_000
"""A longer answer would need a longer reply than one call gives."""
MAX_CLAIMS = 500

SCHEMA: dict[str, Any] = {
    "type": "object", "additionalProperties": False, "required": ["claims"],
    "properties": {"claims": {"type": "array", "items": {
        "type": "object", "additionalProperties": False, "required": ["text", "quote"], "properties": {"text": {"type": "string"}, "quote": {"type": "string"}},
    }}},
}

Fallback = Callable[[Trace, Side, str], None]
"""Told of each text that rules had to split, and why."""


def _say_nothing(_trace: Trace, _side: Side, _reason: str) -> None:
    """For callers to whom it makes no difference."""


class AnthropicExtractor(ClaudeSpeaker):
    """
    Asks Claude for the claims of an answer, with a quote for each.

    Nothing the answer does not say becomes a claim (``claims.placing``). A failed, refused, cut or unreadable reply, or an empty one where
    rules find claims, makes ``rules`` split this answer; its claims then carry this extractor's name all the same, since a run is seen
    through one claim set, and ``on_fallback`` is told.
    """

    name = "anthropic"

    def __init__(self, model: str = DEFAULT_MODEL, *, api_key: str | None = None, client: AnthropicClient | None = None,
                 token: Token = lambda: secrets.token_hex(8), cancelled: Callable[[], bool] = lambda: False, budget: Budget | None = None,
                 on_fallback: Fallback = _say_nothing) -> None:
        """
        Args:
            model: Model name.
            api_key: Key for the SDK; ignored when ``client`` is given.
            client: A client with its own address, limits and budget.
            token: Source of unguessable boundary words.
            cancelled: Asked before each call.
            budget: Limit on what may be spent; ignored when ``client`` is given.
            on_fallback: Told of each answer that was split by rules.
        """
        super().__init__(model, api_key=api_key, client=client, token=token, cancelled=cancelled, budget=budget)
        self.on_fallback = on_fallback
        self._rules = RulesExtractor()

    @property
    def version(self) -> str:
        """Ours, the prompt's and the model's; and that of the rules it may fall back to."""
        return f"1 {PROMPT_VERSION} {self.client.model} rules {self._rules.version}"

    def available(self) -> Availability:
        """Needs the package and a key; asks nobody."""
        state = self.state()
        return Availability(ok=state.ok, reason=state.reason, fix=state.fix)

    def extract(self, traces: Sequence[Trace], *, side: Side) -> list[list[Claim]]:
        """
        Claims of that side of each trace, in order.

        Raises:
            JudgeUnavailable: No package or no key, or the service refuses the key, and there is something to split.
        """
        texts = [trace.response if side is Side.RESPONSE else trace.reference or "" for trace in traces]
        open_ = [n for n, text in enumerate(texts) if text.strip() and not is_refusal(text)]
        if open_:
            self.require("claims by anthropic")
        askable = [n for n in open_ if len(texts[n]) <= MAX_ANSWER_CHARS]
        prompts = [prompt(texts[n], question=traces[n].question, token=self._token) for n in askable]
        replies: dict[int, Reply | BackendError] = dict(zip(askable, self.ask_all(prompts, SCHEMA), strict=True))
        for reply in replies.values():
            if isinstance(reply, BackendError) and reply.message == KEY_REFUSED:
                # Claims are kept for good: a mistyped key must not leave a whole run to the rules.
                raise JudgeUnavailable(f"claims by anthropic: {reply.message}", fix=reply.fix)
        found: list[list[Claim]] = [[] for _ in traces]
        for n in open_:
            found[n] = self._claims(traces[n], side, texts[n], replies.get(n, BackendError("the text is too long for one call")))
        return found

    def _claims(self, trace: Trace, side: Side, text: str, reply: Reply | BackendError) -> list[Claim]:
        ruled = [replace(claim, extractor=self.name) for claim in self._rules.extract([trace], side=side)[0]]
        rows, reason = read(reply)
        names = {name for p in trace.passages or () for name in (p.id, p.doc_id, p.title, p.source) if name} if side is Side.RESPONSE else set()
        made = placed(rows, text, question=trace.question, names=names) if not reason else []
        if not reason and not made and ruled:
            reason = "the reply names no claim that the text states" if rows else "the reply finds no claim"
        if reason:
            self.on_fallback(trace, side, reason)
            return ruled
        letter = "c" if side is Side.RESPONSE else "r"
        return [
            Claim(id=f"{letter}{n}", trace_id=trace.id, side=side, text=claim.text, spans=claim.spans, extractor=self.name)
            for n, claim in enumerate(made, start=1)
        ]


def read(reply: Reply | BackendError) -> tuple[list[tuple[str, str]], str]:
    """Texts and quotes of a reply, or why there are none. A cut reply counts as none: half of the claims would look like all of them."""
    if isinstance(reply, BackendError):
        return [], reply.message
    if reply.stop_reason in STOPPED:
        return [], STOPPED[reply.stop_reason]
    rows = rows_of(read_object(reply.text, "claims"), "claims")
    if rows is None:
        return [], "the reply could not be read"
    if len(rows) > MAX_CLAIMS:
        return [], f"the reply names {len(rows):,} claims"
    return [(str(row.get("text") or ""), str(row.get("quote") or "")) for row in rows], ""


def prompt(text: str, *, question: str, token: Token) -> Prompt:
    """The call for one text."""
    fence = token()
    parts = [boundary(fence)]
    if question.strip():
        parts.append(fenced("QUESTION", question, fence))
    parts += [fenced("ANSWER", text, fence), "Split the answer into its claims."]
    return Prompt(system=instructions(), user=clean("\n\n".join(parts)), max_tokens=1_000 + len(text))


@cache
def instructions() -> str:
    """The versioned instruction text."""
    return files("ragviz.claims").joinpath("prompts", f"{PROMPT_VERSION}.txt").read_text(encoding="utf-8").strip()
