"""The small model behind the local judge: boosted trees and a logistic regression, read from a JSON file, no training library needed."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from functools import cache
from importlib import resources
from typing import Any, NamedTuple

WEIGHTS_FILE = "local_weights.json"


class Tree(NamedTuple):
    """One regression tree as parallel lists over its nodes; node 0 is the root."""

    feature: list[int]
    """Index of the feature asked about; -1 in a leaf."""
    threshold: list[float]
    """Go left when the feature is at most this."""
    left: list[int]
    right: list[int]
    value: list[float]
    """Of a leaf."""

    def at(self, x: Sequence[float]) -> float:
        """Value of the leaf that ``x`` falls into."""
        node = 0
        while (feature := self.feature[node]) >= 0:
            node = self.left[node] if x[feature] <= self.threshold[node] else self.right[node]
        return self.value[node]


class Forest(NamedTuple):
    """Additive trees on the log-odds scale."""

    names: tuple[str, ...]
    baseline: float
    trees: tuple[Tree, ...]

    def probability(self, x: Sequence[float]) -> float:
        """Sigmoid of the baseline and all leaves."""
        return sigmoid(self.baseline + sum(tree.at(x) for tree in self.trees))


class Logistic(NamedTuple):
    """A logistic regression."""

    names: tuple[str, ...]
    weights: tuple[float, ...]
    intercept: float

    def probability(self, x: Sequence[float]) -> float:
        """Sigmoid of the weighted sum."""
        return sigmoid(self.intercept + sum(w * v for w, v in zip(self.weights, x, strict=True)))


class LocalModel(NamedTuple):
    """Both halves, for one set of features."""

    version: str
    support: Forest
    """P(the evidence supports the claim), supported and unsupported claims being equally frequent."""
    contradiction: Logistic
    """P(a clash found by the checks is a contradiction)."""


def sigmoid(z: float) -> float:
    """Logistic function without overflow."""
    return 1 / (1 + math.exp(-z)) if z >= 0 else math.exp(z) / (1 + math.exp(z))


@cache
def load_model(*, embedded: bool) -> LocalModel:
    """The model for features with or without embeddings; read once."""
    raw = _raw()
    part = raw["embedded" if embedded else "words"]
    names = tuple(part["names"])
    trees = tuple(Tree(t["feature"], t["threshold"], t["left"], t["right"], t["value"]) for t in part["trees"])
    clash = part["contradiction"]
    return LocalModel(
        version=raw["version"], support=Forest(names, part["baseline"], trees),
        contradiction=Logistic(tuple(clash["names"]), tuple(clash["weights"]), clash["intercept"]),
    )


@cache
def _raw() -> dict[str, Any]:
    return dict(json.loads(resources.files("ragviz.judges").joinpath(WEIGHTS_FILE).read_text("utf-8")))
