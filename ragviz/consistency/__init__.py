"""Typed, localised clashes between a claim and its aligned evidence."""

from ragviz.consistency.analysis import analyse
from ragviz.consistency.checking import check
from ragviz.consistency.findings import Agreement, Findings, Missing

__all__ = ["Agreement", "Findings", "Missing", "analyse", "check"]
