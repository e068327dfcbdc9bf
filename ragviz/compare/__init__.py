"""Two runs, paired."""

from ragviz.compare.fairness import Fingerprints, Unfairness, blocking, corpora_differ, documents, fingerprints, unfair
from ragviz.compare.flips import ClaimFlip, FlipReason, TraceFlip, claim_flips, trace_flip
from ragviz.compare.noise import NoiseCheck, NoiseFloor, check_noise, mean_noise, noise_floor
from ragviz.compare.paired import MetricDifference, SliceDifference, compare_scores, difference, difference_by_slice
from ragviz.compare.pairing import Pairing, pair_traces, question_key
from ragviz.compare.report import Comparison, compare_runs

__all__ = [
    "ClaimFlip", "Comparison", "Fingerprints", "FlipReason", "MetricDifference", "NoiseCheck", "NoiseFloor", "Pairing", "SliceDifference",
    "TraceFlip", "Unfairness", "blocking", "check_noise", "claim_flips", "compare_runs", "compare_scores", "corpora_differ", "difference",
    "difference_by_slice", "documents", "fingerprints", "mean_noise", "noise_floor", "pair_traces", "question_key", "trace_flip", "unfair",
]
