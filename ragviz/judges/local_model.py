"""The small model behind the local judge: boosted trees and a logistic regression, read from a JSON file, no training library needed."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import resources
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

WEIGHTS_FILE = "local_weights.json"


class Forest(NamedTuple):
    """
    Additive regression trees on the log-odds scale, the nodes of all of them one after another: arrays of shape (n_trees · n_nodes,).

    A leaf points to itself, so walking down ``depth`` times ends in a leaf for every tree.
    """

    names: tuple[str, ...]
    baseline: float
    depth: int
    roots: NDArray[np.intp]
    """Where each tree begins, shape (n_trees,)."""
    feature: NDArray[np.intp]
    """Index of the feature asked about; 0 in a leaf."""
    threshold: NDArray[np.float64]
    """Go left when the feature is at most this."""
    children: NDArray[np.intp]
    """Two of each node, the right one first."""
    value: NDArray[np.float64]
    """Of a leaf."""

    def probabilities(self, x: NDArray[np.float64]) -> list[float]:
        """Sigmoid of the baseline and all leaves, for rows of shape (n, n_features)."""
        # Places in flat arrays: half the time of pairs of indices, and this is a fifth of what a known trace costs.
        rows = np.arange(0, x.size, x.shape[1])[:, None]
        node = np.broadcast_to(self.roots, (len(x), len(self.roots)))
        for _ in range(self.depth):
            goes_left = x.take(rows + self.feature.take(node)) <= self.threshold.take(node)
            node = self.children.take(2 * node + goes_left)
        return [sigmoid(z) for z in (self.baseline + self.value.take(node).sum(axis=1)).tolist()]


def forest(names: Sequence[str], baseline: float, trees: Sequence[Mapping[str, Sequence[float]]]) -> Forest:
    """Trees as written by the fitting script: lists over nodes, feature -1 in a leaf."""
    size = max((len(tree["feature"]) for tree in trees), default=1)
    shape = (len(trees), size)
    itself = np.broadcast_to(np.arange(size), shape)
    feature, left, right = np.zeros(shape, dtype=np.intp), itself.copy(), itself.copy()
    threshold, value = np.zeros(shape), np.zeros(shape)
    for t, tree in enumerate(trees):
        for n, asked in enumerate(tree["feature"]):
            if asked < 0:
                value[t, n] = tree["value"][n]
            else:
                feature[t, n], threshold[t, n], left[t, n], right[t, n] = int(asked), tree["threshold"][n], int(tree["left"][n]), int(tree["right"][n])
    depth = max((_depth(left[t], right[t]) for t in range(len(trees))), default=0)
    roots = np.arange(0, len(trees) * size, size)
    children = (np.stack([right, left], axis=-1) + roots[:, None, None]).ravel()
    return Forest(tuple(names), baseline, depth, roots, feature.ravel(), threshold.ravel(), children, value.ravel())


def _depth(left: NDArray[np.intp], right: NDArray[np.intp], node: int = 0) -> int:
    if left[node] == node:
        return 0
    return 1 + max(_depth(left, right, int(left[node])), _depth(left, right, int(right[node])))


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
    clash = part["contradiction"]
    return LocalModel(
        version=raw["version"], support=forest(names, part["baseline"], part["trees"]),
        contradiction=Logistic(tuple(clash["names"]), tuple(clash["weights"]), clash["intercept"]),
    )


@cache
def _raw() -> dict[str, Any]:
    return dict(json.loads(resources.files("ragviz.judges").joinpath(WEIGHTS_FILE).read_text("utf-8")))
