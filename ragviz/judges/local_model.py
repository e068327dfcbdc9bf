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


DEPTH = 3
"""Questions from the root of a tree to a leaf, at most: then the answers of a tree fit into one byte."""
_LEAVES = 1 << DEPTH


def _leaf(answers: int) -> int:
    """Which leaf, from the left, a tree ends in: bit 7 is the answer at its root, bits 6 and 5 those below, 4 to 1 the last; 1 says left."""
    place = 0
    for _ in range(DEPTH):
        place = 2 * place + (1 if answers >> (_LEAVES - 1 - place) & 1 else 2)
    return place - (_LEAVES - 1)


_LEAF = np.array([_leaf(answers) for answers in range(256)])


class Forest(NamedTuple):
    """
    Additive regression trees on the log-odds scale, each filled up to DEPTH.

    Many nodes ask the same: each question is answered once for a row, and what a tree makes of its answers is looked up. Walking down takes twice the time.
    """

    names: tuple[str, ...]
    baseline: float
    asked: NDArray[np.intp]
    """Feature that each question is about, shape (n_questions,)."""
    threshold: NDArray[np.float64]
    """Go left when the feature is at most this, shape (n_questions,)."""
    question: NDArray[np.intp]
    """Questions of each tree, level by level, and one that fills the byte: shape (8 · n_trees,)."""
    first: NDArray[np.intp]
    """Where the leaves of each tree begin in ``value``, shape (n_trees,)."""
    value: NDArray[np.float64]
    """Of each leaf, from left to right: shape (8 · n_trees,)."""

    def probabilities(self, x: NDArray[np.float64]) -> list[float]:
        """Sigmoid of the baseline and all leaves, for rows of shape (n, n_features), which count as if rounded to four decimals."""
        goes_left = x.take(self.asked, axis=1) <= self.threshold
        leaf = _LEAF.take(np.packbits(goes_left.take(self.question, axis=1))).reshape(len(x), -1)
        return [sigmoid(z) for z in (self.baseline + self.value.take(self.first + leaf).sum(axis=1)).tolist()]


def forest(names: Sequence[str], baseline: float, trees: Sequence[Mapping[str, Sequence[float]]]) -> Forest:
    """Trees as written by the fitting script: lists over nodes, feature -1 in a leaf, thresholds for features of four decimals."""
    question, value = np.zeros((len(trees), _LEAVES), dtype=np.intp), np.zeros((len(trees), _LEAVES))
    questions: dict[tuple[int, float], int] = {(0, math.inf): 0}
    for t, tree in enumerate(trees):
        # Node, its place level by level, the leaves below it.
        open_ones = [(0, 0, 0, _LEAVES)]
        while open_ones:
            node, place, first, n_leaves = open_ones.pop()
            if tree["feature"][node] < 0:
                value[t, first : first + n_leaves] = tree["value"][node]
                continue
            if n_leaves == 1:
                raise ValueError(f"tree {t} asks more than {DEPTH} questions in a row")
            question[t, place] = questions.setdefault((int(tree["feature"][node]), tree["threshold"][node]), len(questions))
            half = n_leaves // 2
            open_ones += [(int(tree["left"][node]), 2 * place + 1, first, half), (int(tree["right"][node]), 2 * place + 2, first + half, half)]
    asked = np.array([feature for feature, _ in questions], dtype=np.intp)
    thresholds = np.array([_unrounded(threshold) for _, threshold in questions])
    return Forest(tuple(names), baseline, asked, thresholds, question.ravel(), np.arange(0, value.size, _LEAVES), value.ravel())


def _unrounded(threshold: float) -> float:
    """The greatest number that is at most ``threshold`` once rounded to four decimals: then the numbers themselves need no rounding."""
    if not math.isfinite(threshold):
        return threshold
    near = math.floor(threshold * 1e4)  # the product may be a hair too small, or too large
    highest = (max(n for n in (near - 1, near, near + 1) if n / 1e4 <= threshold) + 0.5) / 1e4
    while round(highest, 4) > threshold:
        highest = math.nextafter(highest, -math.inf)
    while round(following := math.nextafter(highest, math.inf), 4) <= threshold:
        highest = following
    return highest


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
    places: tuple[int | None, ...]
    """Where each number that ``contradiction`` reads stands among the features; None for P(supported)."""

    def p_contradicted(self, features: Sequence[float], p_support: float) -> float:
        """What the second half says of a row of features, rounded to four decimals, and of P(supported)."""
        return self.contradiction.probability([p_support if at is None else round(features[at], 4) for at in self.places])


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
        places=tuple([None if name == "p_support" else names.index(name) for name in clash["names"]]),
    )


@cache
def _raw() -> dict[str, Any]:
    return dict(json.loads(resources.files("ragviz.judges").joinpath(WEIGHTS_FILE).read_text("utf-8")))
