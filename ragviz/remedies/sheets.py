"""What every hosted remedy sends: question and passages between boundary lines, and the sentence to decline with."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from importlib.resources import files

from msgspec.structs import replace

from ragviz.backends.anthropic_client import Prompt, Reply
from ragviz.backends.claude_speaker import STOPPED, UNREADABLE
from ragviz.backends.fences import boundary, fenced
from ragviz.backends.reply_json import read_object
from ragviz.records import Attempt, JudgedTrace, Passage
from ragviz.records.codec import clean
from ragviz.remedies.abstaining import ABSTENTION
from ragviz.text.polarity import is_refusal

MAX_PASSAGE_CHARS = 400_000
"""All passages of one call together; more than this no model reads in one go."""


def labelled(case: JudgedTrace) -> dict[str, Passage]:
    """Label P1, P2, … to passage, by place in the list; only the first ``case.k``."""
    return {f"P{n}": passage for n, passage in enumerate(case.trace.first_passages(case.k), start=1)}


def unaskable(case: JudgedTrace) -> str:
    """Why no model can be asked about this trace; "" when one can."""
    if case.trace.passages is None:
        return "the file cannot say what was retrieved"
    if not case.trace.question.strip():
        return "the trace has no question"
    if sum(len(p.text) for p in labelled(case).values()) > MAX_PASSAGE_CHARS:
        return "the passages are longer than one call can hold"
    return ""


def prompt(version: str, case: JudgedTrace, parts: Sequence[tuple[str, str]], order: str, *, token: Callable[[], str], max_tokens: int) -> Prompt:
    """
    One call.

    Args:
        version: Name of the instruction text, without ``.txt``.
        case: The trace.
        parts: Further material as (name, text), fenced like the passages.
        order: Our own last line.
        token: Source of unguessable boundary words.
        max_tokens: Of the reply.
    """
    fence = token()
    lines = [boundary(fence), fenced("QUESTION", case.trace.question, fence)]
    if case.trace.history:
        lines.append(fenced("CONVERSATION before the question", "\n".join(f"{turn.role}: {turn.text}" for turn in case.trace.history), fence))
    lines += [fenced(f"PASSAGE {label}", passage.text, fence) for label, passage in labelled(case).items()] or ["No passage was retrieved."]
    lines += [fenced(name, text, fence) for name, text in parts]
    lines += [f"Abstention sentence: {ABSTENTION}", order]
    return Prompt(system=instructions(version), user=clean("\n\n".join(lines)), max_tokens=max_tokens)


@cache
def instructions(version: str) -> str:
    """A versioned instruction text."""
    return files("ragviz.remedies").joinpath("prompts", f"{version}.txt").read_text(encoding="utf-8").strip()


def attempt_of(reply: Reply, case: JudgedTrace, *, round_: int, response: str | None = None, failure: str = "", abstained: bool = False) -> Attempt:
    """A round with what it took; without a response the old one stands."""
    return Attempt(
        round=round_, response=case.trace.response if response is None else response, failure=failure, abstained=abstained, model=reply.model,
        tokens_in=reply.tokens_in, tokens_out=reply.tokens_out, cost_usd=reply.cost_usd, latency_ms=reply.elapsed_ms,
    )


def answered(reply: Reply, case: JudgedTrace, *, round_: int, remark: str) -> Attempt:
    """The round of a reply with an ``answer`` and, under the name ``remark``, what the model says of it; a failure where there is none."""
    if reply.stop_reason in STOPPED:
        return attempt_of(reply, case, round_=round_, failure=STOPPED[reply.stop_reason])
    found = read_object(reply.text, "answer") or {}
    answer = found.get("answer")
    if not isinstance(answer, str) or not answer.strip():
        return attempt_of(reply, case, round_=round_, failure=UNREADABLE)
    made = attempt_of(reply, case, round_=round_, response=answer.strip(), abstained=is_refusal(answer))
    return replace(made, uncertainty=str(found.get(remark) or "").strip())
