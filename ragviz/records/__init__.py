"""Frozen data types; msgspec and the standard library, nothing else."""

from ragviz.records.cause import CauseEvidence
from ragviz.records.claim import Claim
from ragviz.records.imported import ImportedClaim, ImportedScore, ImportedVerdict
from ragviz.records.judgement import Annotation, Clash, ClashKind, Cost, Evidence, Judgement, MatchTier, Pair, PairKey, Provenance, Rating
from ragviz.records.remedied import Attempt, Remedied, RemedyNote, RemedySettings, RemedyStatus, RemovedClaim, ScoreKind, SourcedClaim
from ragviz.records.run import JudgedTrace, Run, RunManifest, TraceResult
from ragviz.records.score import Direction, Interval, MetricInfo, Score, ScoreStatus, Summary
from ragviz.records.span import Span
from ragviz.records.trace import Citation, Fact, LoadIssue, Passage, Trace, Turn, Usage
from ragviz.records.trust import SPLIT_TAG, Calibration, Goodness, LabelSplit, Look, LookKind, Split
from ragviz.records.verdict import JOINED, REFERENCE, RESPONSE, Grounding, Policy, RatingKind, Side, Table, Verdict

__all__ = [
    "JOINED", "REFERENCE", "RESPONSE", "SPLIT_TAG",
    "Annotation", "Attempt", "Calibration", "CauseEvidence", "Citation", "Claim", "Clash", "ClashKind", "Cost", "Direction", "Evidence", "Fact", "Goodness", "Grounding",
    "ImportedClaim", "ImportedScore", "ImportedVerdict", "Interval", "JudgedTrace", "Judgement", "LabelSplit", "LoadIssue", "Look", "LookKind", "MatchTier", "MetricInfo",
    "Pair", "PairKey", "Passage", "Policy", "Provenance", "Rating", "RatingKind", "Remedied", "RemedyNote", "RemedySettings", "RemedyStatus", "RemovedClaim", "Run", "RunManifest", "Score", "ScoreKind", "ScoreStatus",
    "Side", "SourcedClaim", "Span", "Split", "Summary", "Table", "Trace", "TraceResult", "Turn", "Usage", "Verdict",
]
