"""Relevance by Claude: could the question be guessed from the answer, and which passages help to answer it."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any

from ragviz.backends.anthropic_client import DEFAULT_MODEL, AnthropicClient, Prompt, Reply
from ragviz.backends.budget import Budget
from ragviz.backends.claude_speaker import STOPPED, UNREADABLE, ClaudeSpeaker
from ragviz.backends.embedder import Embedder
from ragviz.backends.fences import Token, boundary, fenced
from ragviz.backends.reply_json import read_object, rows_of
from ragviz.contracts import DECLINES, Ask, Availability, JudgeInfo
from ragviz.errors import BackendError
from ragviz.judges.injected import redact
from ragviz.judges.provenance import provenance_of
from ragviz.records import Rating, RatingKind
from ragviz.records.codec import clean
from ragviz.text.polarity import is_refusal

N_QUESTIONS = 3
MAX_PASSAGES = 30
"""More passages than this are asked in several calls."""
MAX_CHARS = 400_000
RELEVANCE_PROMPT, PASSAGES_PROMPT = "relevance.v1", "passages.v1"

QUESTIONS_SCHEMA: dict[str, Any] = {
    "type": "object", "additionalProperties": False, "required": ["noncommittal", "questions"],
    "properties": {"noncommittal": {"type": "boolean"}, "questions": {"type": "array", "items": {"type": "string"}}},
}
PASSAGES_SCHEMA: dict[str, Any] = {
    "type": "object", "additionalProperties": False, "required": ["passages"],
    "properties": {"passages": {"type": "array", "items": {
        "type": "object", "additionalProperties": False, "required": ["id", "reasoning", "relevant"],
        "properties": {"id": {"type": "string"}, "reasoning": {"type": "string"}, "relevant": {"type": "boolean"}},
    }}},
}

Said = tuple[float | None, str]
"""Value, and the reason where there is none or it needs one."""


class _Hosted(ClaudeSpeaker):
    """What both raters share: asking only for what is worth a call."""

    def available(self) -> Availability:
        """Needs the package and a key; asks nobody."""
        state = self.state()
        return Availability(ok=state.ok, reason=state.reason, fix=state.fix)

    def _require(self) -> None:
        self.require("rating by anthropic")


class AnthropicRelevance(_Hosted):
    """
    Answer relevance as published: mean cosine of the asked question and n questions that Claude generates from the answer.

        value = 1/n · Σ cos(e(asked), e(generated_i));  0 for a noncommittal answer

    The asked question is never shown to the model. Range -1 to 1, as the cosine has. Source: Es et al. 2023, arXiv:2309.15217, section 3.
    """

    info = JudgeInfo(name="anthropic_relevance", version="1", summary="mean cosine of the question and 3 questions that Claude generates from the answer",
                     deterministic=False, network=True, max_batch=256)
    kinds = frozenset({RatingKind.QUESTION_TO_RESPONSE})

    def __init__(self, model: str = DEFAULT_MODEL, *, api_key: str | None = None, client: AnthropicClient | None = None,
                 token: Token = lambda: secrets.token_hex(8), cancelled: Callable[[], bool] = lambda: False, budget: Budget | None = None,
                 embedder: Embedder | None = None, n: int = N_QUESTIONS) -> None:
        """
        Args:
            model: Model name.
            api_key: Key for the SDK; ignored when ``client`` is given.
            client: A client with its own address, limits and budget.
            token: Source of unguessable boundary words.
            cancelled: Asked before each call.
            budget: Limit on what may be spent; ignored when ``client`` is given.
            embedder: Gives the vectors that are compared.
            n: Questions to generate.
        """
        super().__init__(model, api_key=api_key, client=client, token=token, cancelled=cancelled, budget=budget)
        self.n = n
        self.embedder = embedder or Embedder()

    @property
    def params(self) -> Mapping[str, object]:
        """Model, prompt, how many questions, and whose vectors."""
        return {
            "model": self.client.model,
            "prompt_version": RELEVANCE_PROMPT,
            "n": self.n,
            "embedder": self.embedder.name,
            "embedder_revision": self.embedder.revision,
        }

    def available(self) -> Availability:
        """Needs package and key, and sentence embeddings."""
        state = self.embedder.available()
        return super().available() if state.ok else Availability(ok=False, reason=state.reason, fix=state.fix)

    def rate(self, asks: Sequence[Ask]) -> list[Rating]:
        """
        One rating per ask, same order; ``left`` is the question, ``right`` the answer.

        Raises:
            JudgeUnavailable: No package, key or embeddings, and there is something to ask.
        """
        said: dict[tuple[str, str], Said] = {(ask.left, ask.right): known for ask in asks if (known := _without_a_call(ask)) is not None}
        answers = list(dict.fromkeys(ask.right for ask in asks if (ask.left, ask.right) not in said))
        if answers:
            self._require()
        prompts = [self._prompt(answer) for answer in answers]
        replies = self.ask_all(prompts, QUESTIONS_SCHEMA)
        written = {answer: _questions(reply, self.n) for answer, reply in zip(answers, replies, strict=True)}
        provenance = provenance_of(self)
        rated: list[Rating] = []
        for ask in asks:
            value, reason = said.get((ask.left, ask.right)) or self._value(ask.left, written[ask.right])
            rated.append(Rating(kind=ask.kind, trace_id=ask.trace_id, target_id=ask.target_id, value=value, reason=reason, provenance=provenance))
        return rated

    def _prompt(self, answer: str) -> Prompt:
        fence = self._token()
        user = "\n\n".join((boundary(fence), fenced("ANSWER", answer, fence), f"Write {self.n} questions."))
        return Prompt(system=_instructions(RELEVANCE_PROMPT), user=clean(user), max_tokens=300 + 150 * self.n)

    def _value(self, asked: str, written: list[str] | Said) -> Said:
        if isinstance(written, tuple):
            return written
        try:
            vectors = self.embedder.encode([asked, *written])
        except BackendError as exc:
            return None, exc.message
        return round(max(-1.0, min(1.0, float((vectors[1:] @ vectors[0]).mean()))), 6), ""


def _questions(reply: Reply | BackendError, n: int) -> list[str] | Said:
    """The generated questions, or what can be said without them."""
    if isinstance(reply, BackendError):
        return None, reply.message
    if reply.stop_reason in STOPPED:
        return None, STOPPED[reply.stop_reason]
    found = read_object(reply.text, "questions") or {}
    questions = found.get("questions")
    if not isinstance(found.get("noncommittal"), bool) or not isinstance(questions, list):
        return None, UNREADABLE
    if found["noncommittal"]:
        return 0.0, "the answer is noncommittal"
    written = [question for question in questions if isinstance(question, str) and question.strip()]
    return written[:n] if len(written) >= n else (None, f"the reply holds {len(written)} of {n} questions")


def _without_a_call(ask: Ask) -> Said | None:
    if not ask.left.strip():
        return None, "there is no question"
    if not ask.right.strip():
        return 0.0, "there is no answer"
    if is_refusal(ask.right) and not ask.is_answer:
        return 0.0, DECLINES
    return (None, "the answer is longer than one call can hold") if len(ask.right) > MAX_CHARS else None


class AnthropicPassages(_Hosted):
    """
    Which passages help to answer the question: 1 or 0 for each, one call for all passages of a trace.

    Sentences of a passage that speak to whoever judges it are taken out first.
    """

    info = JudgeInfo(name="anthropic_passages", version="1", summary="Claude says of each passage whether it helps to answer the question",
                     deterministic=False, network=True, max_batch=2048)
    kinds = frozenset({RatingKind.QUESTION_TO_PASSAGE})

    @property
    def params(self) -> Mapping[str, object]:
        """Model and prompt."""
        return {"model": self.client.model, "prompt_version": PASSAGES_PROMPT}

    def rate(self, asks: Sequence[Ask]) -> list[Rating]:
        """
        One rating per ask, same order; ``left`` is the question, ``right`` the passage.

        Raises:
            JudgeUnavailable: No package or no key, and there is something to ask.
        """
        said: dict[tuple[str, str, str], Said] = {}
        groups: dict[tuple[str, str], dict[str, None]] = {}
        for ask in asks:
            if not ask.left.strip():
                said[ask.trace_id, ask.left, ask.right] = None, "there is no question"
            elif not ask.right.strip():
                said[ask.trace_id, ask.left, ask.right] = 0.0, "the passage is empty"
            else:
                groups.setdefault((ask.trace_id, ask.left), {})[ask.right] = None
        calls = [(key, some) for key, texts in groups.items() for some in _chunks(list(texts))]
        if calls:
            self._require()
        prompts = [self._prompt(question, some) for (_, question), some in calls]
        for ((trace_id, question), some), reply in zip(calls, self.ask_all(prompts, PASSAGES_SCHEMA), strict=True):
            values = _passage_values(some, reply)
            said |= {(trace_id, question, text): values[text] for text in some}
        provenance = provenance_of(self)
        return [
            Rating(kind=a.kind, trace_id=a.trace_id, target_id=a.target_id, value=value, reason=reason, provenance=provenance)
            for a in asks for value, reason in (said[a.trace_id, a.left, a.right],)
        ]

    def _prompt(self, question: str, passages: Sequence[str]) -> Prompt:
        fence = self._token()
        shown = [found.text if (found := redact(text)) is not None else text for text in passages]
        parts = [boundary(fence), fenced("QUESTION", question, fence)]
        parts += [fenced(f"PASSAGE P{n}", text, fence) for n, text in enumerate(shown, start=1)]
        parts.append(f"Decide on the {len(passages)} passages.")
        return Prompt(system=_instructions(PASSAGES_PROMPT), user=clean("\n\n".join(parts)), max_tokens=300 + 150 * len(passages))


def _chunks(texts: list[str]) -> list[list[str]]:
    """Passages call by call; one that is too long for any call is alone in its own, and its failure is its own."""
    chunks: list[list[str]] = [[]]
    n_chars = 0
    for text in texts:
        if chunks[-1] and (len(chunks[-1]) >= MAX_PASSAGES or n_chars + len(text) > MAX_CHARS):
            chunks.append([])
            n_chars = 0
        chunks[-1].append(text)
        n_chars += len(text)
    return chunks


def _passage_values(texts: Sequence[str], reply: Reply | BackendError) -> dict[str, Said]:
    if isinstance(reply, BackendError):
        return dict.fromkeys(texts, (None, reply.message))
    rows = rows_of(read_object(reply.text, "passages"), "passages")
    missing = STOPPED.get(reply.stop_reason, UNREADABLE if rows is None else "the reply says nothing of this passage")
    by_label: dict[str, Said] = {}
    for row in rows or ():
        relevant = row.get("relevant")
        if isinstance(relevant, bool):
            by_label.setdefault(str(row.get("id")), (float(relevant), str(row.get("reasoning") or "")))
    return {text: by_label.get(f"P{n}", (None, missing)) for n, text in enumerate(texts, start=1)}


@cache
def _instructions(name: str) -> str:
    return files("ragviz.judges").joinpath("prompts", f"{name}.txt").read_text(encoding="utf-8").strip()
