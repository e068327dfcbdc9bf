"""Constrained prompting: answer from the passages only, with sources, a self-check before the answer, and stated uncertainty."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ragviz.backends.anthropic_client import Prompt, Reply
from ragviz.contracts import RemedyInfo
from ragviz.records import Attempt, JudgedTrace, RemedySettings
from ragviz.remedies.sheets import answered, prompt

PROMPT_VERSION = "constrained.v1"
MAX_TOKENS = 3_000

SCHEMA: dict[str, Any] = {
    "type": "object", "additionalProperties": False, "required": ["draft", "self_check", "answer", "uncertainty"],
    "properties": {
        "draft": {"type": "string"},
        "self_check": {"type": "array", "items": {
            "type": "object", "additionalProperties": False, "required": ["statement", "passages", "holds"],
            "properties": {"statement": {"type": "string"}, "passages": {"type": "array", "items": {"type": "string"}}, "holds": {"type": "boolean"}},
        }},
        "answer": {"type": "string"},
        "uncertainty": {"type": "string"},
    },
}


class ConstrainedRemedy:
    """Asks once for an answer that was checked before it was given."""

    info = RemedyInfo(
        name="constrained", version="1", label="Constrained prompt", hosted=True, prompt_version=PROMPT_VERSION,
        summary="Asks anew, from the passages only: cite each statement, check the draft against them, say what is uncertain.",
    )
    schema = SCHEMA

    def prompt(self, case: JudgedTrace, settings: RemedySettings, earlier: Sequence[Attempt], *, token: Callable[[], str]) -> Prompt | None:
        """One call; none after it."""
        del settings
        return None if len(earlier) > 1 else prompt(PROMPT_VERSION, case, (), "Answer the question.", token=token, max_tokens=MAX_TOKENS)

    def read(self, reply: Reply, case: JudgedTrace, settings: RemedySettings, *, round_: int) -> Attempt:
        """The checked answer; the draft is of no use to anybody."""
        del settings
        return answered(reply, case, round_=round_, remark="uncertainty")

    def choose(self, attempts: Sequence[Attempt], settings: RemedySettings) -> int:
        """The new answer, where there is one."""
        del settings
        return next((n for n in range(len(attempts) - 1, 0, -1) if not attempts[n].failure), 0)
