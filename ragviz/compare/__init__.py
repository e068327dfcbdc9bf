"""Two runs, paired."""

from ragviz.compare.columns import PairedScores, paired_scores
from ragviz.compare.fairness import Fingerprints, Unfairness, blocking, corpora_differ, documents, fingerprints, unfair
from ragviz.compare.families import HEADLINE, corrected, headline_place
from ragviz.compare.flips import AnswerChange, ClaimFlip, FlipReason, TraceFlip, answer_change, claim_flips, trace_flip
from ragviz.compare.noise import (
    JudgeNoise,
    NoiseCheck,
    NoiseFloor,
    check_noise,
    mean_noise,
    no_noise,
    noise_floor,
    unknown_noise,
    value_spread,
)
from ragviz.compare.paired import MetricDifference, SliceDifference, difference
from ragviz.compare.pairing import Pairing, pair_traces, question_key
from ragviz.compare.report import Comparison, compare_runs

__all__ = [
    "HEADLINE", "AnswerChange", "ClaimFlip", "Comparison", "Fingerprints", "FlipReason", "JudgeNoise", "MetricDifference", "NoiseCheck", "NoiseFloor",
    "PairedScores", "Pairing", "SliceDifference", "TraceFlip", "Unfairness", "answer_change", "blocking", "check_noise", "claim_flips", "compare_runs",
    "corpora_differ", "corrected", "difference", "documents", "fingerprints", "headline_place", "mean_noise", "no_noise", "noise_floor", "pair_traces",
    "paired_scores", "question_key", "trace_flip", "unfair", "unknown_noise", "value_spread",
]
