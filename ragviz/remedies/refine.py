"""Iterative refinement: the judge's findings go back to the model until the answer is faithful enough, or the rounds are used up."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ragviz.backends.anthropic_client import Prompt, Reply
from ragviz.contracts import RemedyInfo
from ragviz.grounding import ClaimGrounding, groundings
from ragviz.records import Attempt, Grounding, JudgedTrace, RemedySettings, Side, Table
from ragviz.remedies.sheets import answered, labelled, prompt

PROMPT_VERSION = "refine.v1"
MAX_TOKENS = 2_500

SCHEMA: dict[str, Any] = {
    "type": "object", "additionalProperties": False, "required": ["answer", "changes"],
    "properties": {"answer": {"type": "string"}, "changes": {"type": "string"}},
}
BAD = (Grounding.CONTRADICTED, Grounding.NOT_SUPPORTED)


class RefineRemedy:
    """Asks until the target is met; the best answer so far counts, with its score."""

    info = RemedyInfo(
        name="refine", version="1", label="Refine to a target", hosted=True, prompt_version=PROMPT_VERSION,
        summary="Sends the judge's findings back until faithfulness meets the target or the rounds are used up; the best answer is kept with its score.",
    )
    schema = SCHEMA

    def prompt(self, case: JudgedTrace, settings: RemedySettings, earlier: Sequence[Attempt], *, token: Callable[[], str]) -> Prompt | None:
        """The next round; none when the target is met, a call failed, the model declined, or nothing is found wrong."""
        last = earlier[-1]
        if len(earlier) > settings.max_rounds or last.failure or last.abstained or last.faithfulness is None or last.faithfulness >= settings.target:
            return None
        found = findings(case)
        if not found or any(attempt.response == last.response for attempt in earlier[:-1]):
            return None  # A model that repeats itself would do so again.
        parts = (("ANSWER that was checked", case.trace.response), ("FINDINGS of the check", "\n".join(found)))
        return prompt(PROMPT_VERSION, case, parts, "Correct the answer.", token=token, max_tokens=MAX_TOKENS + len(case.trace.response))

    def read(self, reply: Reply, case: JudgedTrace, settings: RemedySettings, *, round_: int) -> Attempt:
        """The corrected answer."""
        del settings
        return answered(reply, case, round_=round_, remark="changes")

    def choose(self, attempts: Sequence[Attempt], settings: RemedySettings) -> int:
        """
        The most faithful answer, among equals the one with more supported claims, then the earlier.

        An abstention has no score: it is taken only where no other answer has a supported claim.
        """
        del settings
        usable = [n for n, attempt in enumerate(attempts) if not attempt.failure]
        scored = [n for n in usable if attempts[n].faithfulness]
        if scored:
            return max(scored, key=lambda n: (attempts[n].faithfulness or 0.0, attempts[n].n_supported, -n))
        return next((n for n in usable if n and attempts[n].abstained), 0)


def findings(case: JudgedTrace) -> list[str]:
    """One line a claim that is not supported: what it says, what is wrong, and what the passage says instead."""
    grounded = groundings(case, Table.RESPONSE_X_PASSAGES)
    labels = {passage.id: label for label, passage in labelled(case).items()}
    lines = []
    for claim in case.claims:
        found = grounded.get(claim.id)
        if claim.side is Side.RESPONSE and found is not None and found.grounding in BAD:
            lines.append(f"- {' '.join(claim.text.split())}: {_why(found, labels)}")
    return lines


def _why(found: ClaimGrounding, labels: dict[str, str]) -> str:
    if found.grounding is Grounding.NOT_SUPPORTED:
        return "no passage states this."
    quotes = []
    for judgement in found.contradicting:
        for evidence in judgement.evidence:
            label = labels.get(evidence.passage_id or judgement.key.premise_id)
            if label is not None:
                quotes.append(f"{label} says: {' '.join(evidence.quote.split())}")
    return "contradicted. " + " ".join(quotes[:3])
