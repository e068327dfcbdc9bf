"""What a judge said of one pair, with its evidence and where the word comes from."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

import msgspec

from ragviz.records.imported import ImportedVerdict
from ragviz.records.span import Span
from ragviz.records.trace import Fact
from ragviz.records.verdict import Grounding, RatingKind, Table, Verdict


class PairKey(msgspec.Struct, frozen=True, order=True, array_like=True, gc=False):
    """Identity of a pair inside a run. An array in JSON."""

    table: Table
    trace_id: str
    claim_id: str
    premise_id: str
    """Passage id, or JOINED, REFERENCE, RESPONSE of ``records.verdict``."""


class Pair(msgspec.Struct, frozen=True, kw_only=True, gc=False, omit_defaults=True):
    """A question to a judge: does the premise entail the hypothesis?"""

    key: PairKey
    premise: str
    hypothesis: str
    question: str = ""
    context: str = ""
    """The whole text the hypothesis was taken from: who "it" is."""
    premise_facts: tuple[Fact, ...] | None = None
    hypothesis_fact: Fact | None = None
    imported: ImportedVerdict | None = None
    """What the file itself says of this pair; only the ``imported`` judge may look."""


class MatchTier(StrEnum):
    """How a quote was found in its passage."""

    EXACT = "exact"
    FOLDED = "folded"
    """Equal after folding case, quotes, dashes, spaces, ligatures, markdown, invisible characters."""
    FUZZY = "fuzzy"


class ClashKind(StrEnum):
    """What kind of detail two texts disagree on."""

    NUMBER = "number"
    UNIT = "unit"
    MONEY = "money"
    PERCENT = "percent"
    DATE = "date"
    DURATION = "duration"
    NEGATION = "negation"
    ANTONYM = "antonym"
    QUANTIFIER = "quantifier"
    NAME = "name"
    ROLE = "role"
    QUALIFIER = "qualifier"


class Clash(msgspec.Struct, frozen=True, kw_only=True, gc=False, omit_defaults=True):
    """A localised disagreement between a claim and a premise."""

    kind: ClashKind
    hypothesis_span: Span | None
    """In the hypothesis text; None when the claim lacks what the premise says."""
    premise_span: Span | None
    """In the premise text."""
    hypothesis_value: str
    """Normalised, for people: "90 days"."""
    premise_value: str
    passage_id: str | None = None
    """Only for the joined premise, after mapping back: the passage ``premise_span`` lies in."""


class Evidence(msgspec.Struct, frozen=True, kw_only=True, gc=False, omit_defaults=True):
    """A certificate: ``premise[span] == quote``, in code points."""

    span: Span
    quote: str
    weight: float = 1.0
    """Share of the verdict this span carries, in [0, 1]."""
    tier: MatchTier = MatchTier.EXACT
    passage_id: str | None = None
    """Only for the joined premise, after mapping back: the passage the span and quote lie in."""


class Provenance(msgspec.Struct, frozen=True, kw_only=True, gc=False, omit_defaults=True):
    """Who said so: enough to ask again and get the same answer."""

    judge: str
    judge_version: str
    params_hash: str
    model: str | None = None
    model_revision: str | None = None
    prompt_version: str | None = None

    @property
    def fingerprint(self) -> str:
        """One word for judge, version, parameters, model and prompt: equal fingerprints may share answers."""
        return ":".join(p or "-" for p in (self.judge, self.judge_version, self.params_hash, self.model, self.model_revision, self.prompt_version))


class Cost(msgspec.Struct, frozen=True, kw_only=True, gc=False, omit_defaults=True):
    """What one judgement took. Takes no part in comparing judgements."""

    cached: bool = False
    elapsed_ms: float | None = None
    cost_usd: float | None = None
    tokens_in: int | None = None
    tokens_out: int | None = None


class Judgement(msgspec.Struct, frozen=True, kw_only=True, gc=False, omit_defaults=True, eq=False):
    """One verdict on one pair."""

    key: PairKey
    verdict: Verdict
    confidence: float | None = None
    """P(verdict is right), in [0, 1]; None if the judge cannot say."""
    calibrated: bool = False
    evidence: tuple[Evidence, ...] = ()
    """At least one for ENTAILED and CONTRADICTED, except where the premise is a set of facts without text."""
    clashes: tuple[Clash, ...] = ()
    rationale: str = ""
    alarm: str | None = None
    """Set when the premise tries to instruct the judge: what it says."""
    provenance: Provenance
    cost: Cost = Cost()

    def _said(self) -> tuple[object, ...]:
        return (self.key, self.verdict, self.confidence, self.calibrated, self.evidence, self.clashes, self.rationale, self.alarm, self.provenance)

    def __eq__(self, other: object) -> bool:
        """Same word from the same source; time, money and cache take no part."""
        return isinstance(other, Judgement) and self._said() == other._said()

    def __ne__(self, other: object) -> bool:
        # Said in full: msgspec gives a Struct with eq=False an "unequal" of its own that does not ask __eq__.
        return not self == other

    def __hash__(self) -> int:
        return hash((self.key, self.verdict, self.provenance))


class Rating(msgspec.Struct, frozen=True, kw_only=True, gc=False, omit_defaults=True):
    """A relevance or similarity value for one target."""

    kind: RatingKind
    trace_id: str
    target_id: str
    """Passage id for QUESTION_TO_PASSAGE, else RESPONSE."""
    value: float | None
    """None when the rater failed; ``reason`` says why."""
    reason: str = ""
    provenance: Provenance


class Annotation(msgspec.Struct, frozen=True, kw_only=True, gc=False, omit_defaults=True):
    """A person's word on a claim, or on an answer as a whole: appended, never overwriting the machine's."""

    trace_id: str
    claim_id: str
    """"" in claim sets ``reports`` (what a user reported about the answer as a whole) and ``answers``."""
    table: Table = Table.RESPONSE_X_PASSAGES
    grounding: Grounding | None
    """None withdraws the author's earlier word; in claim set ``reports`` it says nothing of a verdict."""
    author: str
    reason: str = ""
    at: datetime
    claim_set: str = "rules"
    """Which claim set ``claim_id`` belongs to (Claim.extractor); ``reports`` and ``answers`` are none."""
    declines: bool | None = None
    """In claim set ``answers``: True = the answer is a refusal, False = it answers; None withdraws the author's earlier word."""
