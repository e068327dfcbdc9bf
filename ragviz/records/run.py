"""A run: the traces of one version of one system, and what is known about them."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

import msgspec

from ragviz.records.cause import CauseEvidence
from ragviz.records.claim import Claim
from ragviz.records.judgement import Annotation, Judgement, Rating
from ragviz.records.remedied import RemedyNote
from ragviz.records.score import Score
from ragviz.records.trace import LoadIssue, Trace
from ragviz.records.verdict import Policy

SCHEMA_VERSION = 1


class RunManifest(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a run is, without its traces."""

    run_id: str
    name: str
    created_at: datetime
    ragviz_version: str
    format: str
    """Name of the loader; "mixed" when files of several formats were joined."""
    files: tuple[str, ...] = ()
    traces_hash: str = ""
    """Fingerprint of questions, passages and answers, in order."""
    questions_hash: str = ""
    corpus_hash: str = ""
    """Fingerprint of the set of passage texts."""
    n_traces: int = 0
    n_issues: int = 0
    schema_version: int = SCHEMA_VERSION
    remedy: RemedyNote | None = None
    """Set when the answers were made by a remedy out of another run's."""


class JudgedTrace(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A trace seen through one judge: all a metric may look at."""

    trace: Trace
    claims: tuple[Claim, ...] = ()
    """One claim set, both sides."""
    judgements: tuple[Judgement, ...] = ()
    """At most one per pair: the latest of the chosen judge."""
    ratings: tuple[Rating, ...] = ()
    annotations: tuple[Annotation, ...] = ()
    """People's words on these claims, oldest first."""
    k: int | None = None
    """Only the first k passages count as evidence; None = all."""
    retrieval_k: int = 5
    """Cut-off of retrieval metrics."""
    policy: Policy = Policy.DEFAULT
    claim_set: str = ""
    """Which set ``claims`` is (Claim.extractor), for traces where it is empty; "" = read it off the claims."""


class TraceResult(msgspec.Struct, frozen=True, kw_only=True, gc=False, omit_defaults=True):
    """Everything computed for one trace: what pages, command line and reports show."""

    trace_id: str
    scores: dict[str, Score]
    quadrant: str
    cause: str
    cause_detail: str = ""
    cause_evidence: tuple[CauseEvidence, ...] = ()
    """Passages that show the cause, those that were not retrieved among them."""
    verdicts: Mapping[str, int] = {}
    """How many response claims have each grounding: ``{"supported": 3, "contradicted": 1}``."""
    worst_claim: str = ""
    """Text of the response claim that is worst off; "" without claims."""
    worst_verdict: str | None = None
    """Its grounding."""


class Run(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A whole run in memory: small runs, bundles, tests. Large ones stay in the store."""

    manifest: RunManifest
    traces: tuple[Trace, ...] = ()
    claims: tuple[Claim, ...] = ()
    judgements: tuple[Judgement, ...] = ()
    ratings: tuple[Rating, ...] = ()
    annotations: tuple[Annotation, ...] = ()
    scores: tuple[Score, ...] = ()
    issues: tuple[LoadIssue, ...] = ()
