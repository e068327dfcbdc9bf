"""Typed, localised clashes between a claim and its aligned evidence."""

from ragviz.consistency.analysis import analyse
from ragviz.consistency.checking import check
from ragviz.consistency.findings import AMOUNTS, Agreement, Findings, Missing

__all__ = ["AMOUNTS", "Agreement", "Findings", "Missing", "analyse", "check"]
