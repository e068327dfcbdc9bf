"""What a remedy made of an answer, and under which settings: kept with the new trace and the new run."""

from __future__ import annotations

from enum import StrEnum

import msgspec

from ragviz.records.span import Span
from ragviz.records.verdict import Grounding


class RemedyStatus(StrEnum):
    """What became of one answer."""

    CHANGED = "changed"
    UNCHANGED = "unchanged"
    """There was nothing to do: no claim to remove, the target was met, the gate let it through."""
    ABSTAINED = "abstained"
    """It now declines to answer, in words."""
    FAILED = "failed"
    """No usable reply; the old answer is kept."""


class ScoreKind(StrEnum):
    """Which number of a passage the retrieval gate looks at."""

    RETRIEVER = "retriever"
    """The score stored in the file; direction and range are the retriever's own."""
    LEXICAL = "lexical"
    """Share of the question's weighted words that the passage holds, in [0, 1]: ragviz's, not the retriever's."""
    EMBEDDING = "embedding"
    """Cosine of question and passage: ragviz's, not the retriever's."""


class RemedySettings(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """All that changes what a remedy does; each remedy reads its own."""

    scores: ScoreKind = ScoreKind.RETRIEVER
    threshold: float | None = None
    """Of the gate: passages at or beyond it count."""
    min_passages: int = 1
    """Of the gate: this many must count."""
    higher_is_better: bool = True
    """Of the gate: False for distances."""
    flag: bool = False
    """Of verification: mark unsupported claims instead of removing them."""
    target: float = 0.95
    """Of refinement: faithfulness at which it stops, in [0, 1]."""
    max_rounds: int = 3
    """Of refinement."""
    min_confidence: float = 0.0
    """Of the structured answer: claims the model is less sure of are left out."""
    k: int | None = None
    """Only the first k passages are shown to the model and count as evidence; None = all."""


class SourcedClaim(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A claim as a structured answer states it, checked against the passages."""

    text: str
    sources: tuple[str, ...] = ()
    """Passage ids the reply names."""
    quote: str = ""
    """Support as the reply quotes it."""
    confidence: float | None = None
    passage_id: str | None = None
    """Where the quote was found."""
    spans: tuple[Span, ...] = ()
    """In that passage's text; the evidence is what stands there."""
    rejected: str = ""
    """Why it is left out of the answer; "" when it is in."""


class RemovedClaim(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A claim of the old answer that the new one lacks, or marks."""

    claim_id: str
    text: str
    grounding: Grounding
    reason: str = ""
    """Set when it had to go although nothing spoke against it: it shares a sentence that cannot be parted."""


class Attempt(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One answer on the way, and what it took."""

    round: int
    """0 is the answer as it was."""
    response: str
    abstained: bool = False
    faithfulness: float | None = None
    """By the judge of the run; None with ``note``."""
    n_claims: int = 0
    n_supported: int = 0
    n_unjudged: int = 0
    note: str = ""
    """Why there is no faithfulness."""
    failure: str = ""
    """Why the call brought no answer; ``response`` is then the one before."""
    claims: tuple[SourcedClaim, ...] = ()
    uncertainty: str = ""
    """What the model says it is not sure of."""
    model: str | None = None
    tokens_in: int | None = None
    tokens_out: int | None = None
    cost_usd: float | None = None
    latency_ms: float | None = None
    repeated: bool = False
    """True when the reply was known from an earlier call, and nothing was paid for it."""


class Remedied(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """All that was done to one answer."""

    remedy: str
    status: RemedyStatus
    before: str
    """The answer as it was."""
    reason: str = ""
    """One sentence: why it failed, abstained or stayed."""
    attempts: tuple[Attempt, ...] = ()
    chosen: int = 0
    """Round of the attempt that became the answer."""
    removed: tuple[RemovedClaim, ...] = ()
    doubts: tuple[str, ...] = ()
    """What a reader should look at: a sentence that began with a word for something removed."""
    alarms: tuple[str, ...] = ()
    """Sentences of passages that speak to a model; they were not shown to it."""

    @property
    def cost_usd(self) -> float:
        """Of the calls that were paid for, as far as prices are known."""
        return sum(attempt.cost_usd or 0.0 for attempt in self.attempts if not attempt.repeated)


class RemedyNote(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Where a remedied run comes from: enough to make it again."""

    parent: str
    """Run id."""
    parent_name: str
    remedy: str
    version: str
    prompt_version: str | None = None
    model: str | None = None
    settings: RemedySettings
    judge: str
    """Fingerprint of the judge who decided what is unsupported."""
    claim_set: str
    turn: int = 1
    """2 when the calls that failed were made again, and so on."""
