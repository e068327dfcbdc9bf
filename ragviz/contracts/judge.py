"""What gives verdicts, and what rates relevance."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

import msgspec

from ragviz.records import Judgement, Pair, Rating, RatingKind, Table


class Availability(msgspec.Struct, frozen=True, kw_only=True):
    """Whether something can work here, and if not, what would help."""

    ok: bool
    reason: str = ""
    fix: str = ""
    degraded: str = ""
    """Set when it works, but not fully: "without sentence-transformers: word overlap only"."""


class JudgeInfo(msgspec.Struct, frozen=True, kw_only=True):
    """What a judge is, in words."""

    name: str
    version: str
    summary: str
    deterministic: bool
    network: bool
    max_batch: int
    claim_set: str = "text"
    """``facts``: judges annotated pairs. ``imported``: repeats the file's verdicts. ``text``: judges sentences."""
    tables: frozenset[Table] = frozenset(Table)
    """The tables it can fill."""
    joined: bool = False
    """True when it wants the joined passages as one more premise."""


class Judge(Protocol):
    """
    Answers pairs. The constructor stores parameters and does nothing: no model, no network, no environment.

    Laws: (1) as many answers as pairs, same order, same keys; (2) [] gives [] without loading a model; (3) batch-invariant within
    1e-6; (4) permuting input permutes output; (5) duplicates answered alike; (6) evidence in bounds and premise[span] == quote;
    (7) confidence in [0, 1] or None; (8) provenance complete; (9) empty, huge, emoji, right-to-left, HTML and NUL text never raise,
    one bad pair is UNJUDGED with a rationale and leaves the others whole; (10) nothing truncated in silence; (11) inputs unchanged;
    (12) deterministic judges repeat themselves; (13) an unavailable judge raises JudgeUnavailable with the fix.
    """

    @property
    def info(self) -> JudgeInfo:
        """Name, version and abilities."""
        ...

    @property
    def params(self) -> Mapping[str, object]:
        """All settings that change answers; part of the fingerprint."""
        ...

    def available(self) -> Availability:
        """Whether it could judge now. Never raises, downloads nothing, loads no model."""
        ...

    def judge(self, pairs: Sequence[Pair]) -> list[Judgement]:
        """One judgement per pair."""
        ...


class Ask(msgspec.Struct, frozen=True, kw_only=True):
    """A question to a rater: how well does ``right`` fit ``left``?"""

    kind: RatingKind
    trace_id: str
    target_id: str
    left: str
    right: str
    is_answer: bool = False
    """A person said that ``right`` answers, whatever it sounds like."""


DECLINES = "the answer declines"
"""Reason of a rating of 0 that rests on an answer's being read as a refusal."""


class Rater(Protocol):
    """Rates relevance and similarity. Laws as for judges."""

    @property
    def info(self) -> JudgeInfo:
        """Name, version and abilities."""
        ...

    @property
    def kinds(self) -> frozenset[RatingKind]:
        """What it can rate."""
        ...

    @property
    def params(self) -> Mapping[str, object]:
        """All settings that change answers."""
        ...

    def available(self) -> Availability:
        """Whether it could rate now."""
        ...

    def rate(self, asks: Sequence[Ask]) -> list[Rating]:
        """One rating per ask, same order."""
        ...
