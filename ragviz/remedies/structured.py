"""The structured answer: claims with source, verbatim support and confidence, each checked against the passages before it counts."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from msgspec.structs import replace

from ragviz.backends.anthropic_client import Prompt, Reply
from ragviz.backends.claude_speaker import STOPPED, UNREADABLE
from ragviz.backends.reply_json import read_object, rows_of
from ragviz.contracts import RemedyInfo
from ragviz.evidence.quotes import find_quote
from ragviz.records import Attempt, JudgedTrace, Passage, RemedySettings, SourcedClaim
from ragviz.remedies.abstaining import ABSTENTION
from ragviz.remedies.sheets import attempt_of, labelled, prompt
from ragviz.text.counts import counted

PROMPT_VERSION = "structured.v1"
MAX_TOKENS = 4_000
MAX_CLAIMS = 60

SCHEMA: dict[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["claims", "unanswered"],
    "properties": {
        "claims": {
            "type": "array",
            "items": {
                "type": "object",
                "additionalProperties": False,
                "required": ["text", "sources", "quote", "confidence"],
                "properties": {
                    "text": {"type": "string"},
                    "sources": {"type": "array", "items": {"type": "string"}},
                    "quote": {"type": "string"},
                    "confidence": {"type": "number"},
                },
            },
        },
        "unanswered": {"type": "string"},
    },
}
_MARK_AT_END = re.compile(r"(?:\s*\[[^\[\]]{1,40}\])+\s*(?=[.!?\u3002]?\s*$)")
_ENDS = (".", "!", "?", "\u3002", "\uff01", "\uff1f")


class StructuredRemedy:
    """Asks once; what cannot be found in the passages is not said."""

    info = RemedyInfo(
        name="structured", version="1", label="Structured answer", hosted=True, prompt_version=PROMPT_VERSION,
        summary="Asks for claims with source, verbatim quote and confidence; a claim whose quote is not in its passage is rejected.",
    )
    schema = SCHEMA

    def prompt(self, case: JudgedTrace, settings: RemedySettings, earlier: Sequence[Attempt], *, token: Callable[[], str]) -> Prompt | None:
        """One call; none after it."""
        del settings
        return None if len(earlier) > 1 else prompt(PROMPT_VERSION, case, (), "Give the claims of the answer.", token=token, max_tokens=MAX_TOKENS)

    def read(self, reply: Reply, case: JudgedTrace, settings: RemedySettings, *, round_: int) -> Attempt:
        """An answer of the accepted claims; an abstention when there is none."""
        if reply.stop_reason in STOPPED:
            return attempt_of(reply, case, round_=round_, failure=STOPPED[reply.stop_reason])
        found = read_object(reply.text, "claims")
        rows = rows_of(found, "claims")
        if found is None or rows is None:
            return attempt_of(reply, case, round_=round_, failure=UNREADABLE)
        if len(rows) > MAX_CLAIMS:
            return attempt_of(reply, case, round_=round_, failure=f"the reply names {counted(len(rows), 'claim')}")
        claims = tuple(checked(row, labelled(case), min_confidence=settings.min_confidence) for row in rows)
        accepted = [claim for claim in claims if not claim.rejected]
        ranks = {p.id: n for n, p in enumerate(case.trace.passages or (), start=1)}
        response = " ".join(_sentence(claim, ranks) for claim in accepted) if accepted else ABSTENTION
        made = attempt_of(reply, case, round_=round_, response=response, abstained=not accepted)
        return replace(made, claims=claims, uncertainty=str(found.get("unanswered") or "").strip())

    def choose(self, attempts: Sequence[Attempt], settings: RemedySettings) -> int:
        """The new answer, where there is one."""
        del settings
        return next((n for n in range(len(attempts) - 1, 0, -1) if not attempts[n].failure), 0)


def checked(row: dict[str, Any], passages: dict[str, Passage], *, min_confidence: float) -> SourcedClaim:
    """One claim of the reply, accepted only with a quote that stands in a passage it names."""
    text = _MARK_AT_END.sub("", " ".join(str(row.get("text") or "").split()))
    quote = str(row.get("quote") or "").strip()
    labels = row.get("sources")
    named = [str(label).strip().strip("[]") for label in labels] if isinstance(labels, list) else []
    sources = [passages[label] for label in named if label in passages]
    said = row.get("confidence")
    confidence = float(said) if isinstance(said, int | float) and not isinstance(said, bool) and 0 <= said <= 1 else None
    claim = SourcedClaim(text=text, sources=tuple(p.id for p in sources), quote=quote, confidence=confidence)
    if not text:
        return replace(claim, rejected="it says nothing")
    if not sources:
        return replace(claim, rejected="it names no passage" if not named else f"it names {', '.join(named)[:60]}, which is none of the passages")
    if not quote:
        return replace(claim, rejected="it quotes nothing")
    for passage in sources:
        located = find_quote(quote, passage.text)
        if located is not None:
            low = confidence is not None and confidence < min_confidence
            reason = f"its confidence {confidence:.2f} is below {min_confidence:.2f}" if low else ""
            return replace(claim, passage_id=passage.id, spans=located.spans, rejected=reason)
    return replace(claim, rejected="its quote does not stand in the passage it names")


def _sentence(claim: SourcedClaim, ranks: dict[str, int]) -> str:
    """The claim with its sources as ranks, the one that holds the quote first."""
    ids = dict.fromkeys(i for i in (claim.passage_id, *claim.sources) if i is not None)
    end = claim.text[-1] if claim.text.endswith(_ENDS) else "."
    return f"{claim.text.rstrip(''.join(_ENDS))} {''.join(f'[{ranks[i]}]' for i in ids)}{end}"
