"""Protocols and the registry; no behaviour."""

from ragviz.contracts.claim_extractor import ClaimExtractor
from ragviz.contracts.judge import DECLINES, Ask, Availability, Judge, JudgeInfo, Rater
from ragviz.contracts.loader import Loader
from ragviz.contracts.metric import Metric
from ragviz.contracts.registry import Registry
from ragviz.contracts.remedy import HostedRemedy, Remedy, RemedyInfo, Treated
from ragviz.contracts.store import JudgementCache, RunStore, View

__all__ = [
    "DECLINES", "Ask", "Availability", "ClaimExtractor", "HostedRemedy", "Judge", "JudgeInfo", "JudgementCache", "Loader", "Metric", "Rater", "Registry", "Remedy", "RemedyInfo",
    "RunStore", "Treated", "View",
]
