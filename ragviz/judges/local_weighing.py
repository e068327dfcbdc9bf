"""From what a pair shows to probabilities: the trees, what overrules them, and what a clash takes away."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from ragviz.consistency import Findings
from ragviz.evidence.windows import plain
from ragviz.judges.local_model import LocalModel, sigmoid
from ragviz.judges.local_rules import Scene, is_elliptical, n_doubts, stop, told
from ragviz.judges.local_view import Look

VERBATIM = 0.98
"""Probability of support where a whole sentence of the premise is the claim."""
ELLIPTICAL = 0.9
"""The same where the verb stands in the sentence before: "Sealed rolls can."."""
TOLD = 0.9
"""The same where an exception says it of what it takes out (local_rules/exceptions.py), or opening hours of when something closes (local_rules/hours.py)."""
DENIED = 0.9
"""Probability of a contradiction where a sentence denies the claim outright (local_rules/single_sentences.py)."""
NEVER_SUPPORTED = 0.4
"""Most that a claim can reach that is of a kind which overlap must not carry (STOPS of local_rules/table.py)."""
DOUBT = 0.6
"""Log-odds that a sign costs which stopped about as many supported as unsupported claims on the development pairs."""
_CITED = re.compile(r"\s*\[\d{1,3}(?:,\s?\d{1,3})*\](?=\s*[.!]?\s*$)")
"""Citation marks at the end of a sentence."""


class Weights(NamedTuple):
    """What is weighed of a look."""

    features: Sequence[float]
    """``raw_features``."""
    p_trees: float
    """What the trees make of them."""
    clash: Findings | None
    """The clash that decides, if any."""
    told: tuple[bool, bool, Findings | None] | None
    """What a sentence says outright (local_rules/single_sentences.py)."""


def probabilities(seen: Look, weights: Weights, model: LocalModel) -> tuple[float, float]:
    """
    P(supported) and P(contradicted), from the features and what the trees say; the rest is P(not supported).

    Only a clash like with like can be a contradiction: its probability is taken first, support from what is left.
    """
    if is_verbatim(seen):
        return VERBATIM, 0.0
    if is_elliptical(seen):
        return ELLIPTICAL, 0.0
    if weights.clash is not None and weights.clash.certain:
        return 1 - DENIED, DENIED
    said = weights.told if weights.clash is None else None
    if said is not None and said[0] and said[1]:
        return TOLD, 0.0
    scene = Scene(seen)
    follows = told(scene)
    if follows:
        return TOLD, 0.0
    p_support = weights.p_trees
    if follows is False:
        p_support = min(p_support, NEVER_SUPPORTED)
    if p_support > NEVER_SUPPORTED:
        p_support = min(p_support, NEVER_SUPPORTED) if stop(scene) is not None else doubted(p_support, n_doubts(scene))
    if weights.clash is None:
        return p_support, 0.0
    p_contradicted = model.p_contradicted(weights.features, p_support)
    return p_support * (1 - p_contradicted), p_contradicted


def doubted(p_support: float, doubts: int) -> float:
    """The probability with each doubt taken off its log-odds."""
    if not doubts:
        return p_support
    return sigmoid(math.log(p_support / (1 - p_support)) - DOUBT * doubts) if p_support < 1 else p_support


def is_verbatim(seen: Look) -> bool:
    """A whole unit of the premise says the claim word for word; case, white space, markdown and the last full stop aside."""
    ours = _letters(seen.claim.text)
    indexed = seen.premise.indexed
    return bool(ours) and any(_letters(indexed.units[choice.unit].span.of(indexed.text)) == ours for choice in seen.chosen[:1])


@lru_cache(maxsize=8192)
def _letters(text: str) -> str:
    bare = plain(text)
    return " ".join((_CITED.sub(" ", bare) if "[" in bare else bare).casefold().split()).rstrip(".! ")
