"""What is followed over versions, and which way is good."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


class Quantity(NamedTuple):
    """One column of traces."""

    name: str
    """The metric's name, or one of ours: conflicted, document_age, answer_words."""
    label: str
    better: int
    """1: more is better; -1: less is; 0: neither."""
    family: str
    """quality, sources or effort."""
    unit: str = ""
    """"%" for shares, "days", "words", "ms", "tokens", "USD"."""
    logarithmic: bool = False
    """Means and steps are taken of logarithms: such quantities have long tails, and change by factors."""

    @property
    def is_quality(self) -> bool:
        """Whether getting worse is a regression of quality."""
        return self.family == "quality"

    @property
    def is_share(self) -> bool:
        """Whether its values lie between 0 and 1."""
        return self.is_quality or self.unit == "%"

    def read(self, values: Floats) -> Floats:
        """The values as they are averaged; a logarithm of nothing is no value."""
        if not self.logarithmic:
            return values
        return np.log(np.where(values > 0, values, np.nan))


QUANTITIES = (
    Quantity("faithfulness", "Faithfulness", 1, "quality"),
    Quantity("correctness", "Correctness", 1, "quality"),
    Quantity("relevance", "Relevance", 1, "quality"),
    Quantity("recall_at_5", "Recall@5", 1, "quality"),
    Quantity("contradicted_rate", "Contradicted", -1, "quality", "%"),
    Quantity("not_supported_rate", "Not supported", -1, "quality", "%"),
    Quantity("abstained", "Abstained", 0, "sources", "%"),
    Quantity("conflicted", "Source conflicts", -1, "sources", "%"),
    Quantity("document_age", "Document age", 0, "sources", "days"),
    Quantity("reported", "Reported by users", -1, "sources", "%"),
    Quantity("answer_words", "Answer length", 0, "effort", "words", logarithmic=True),
    Quantity("latency_ms", "Latency", -1, "effort", "ms", logarithmic=True),
    Quantity("tokens", "Tokens", -1, "effort", "tokens", logarithmic=True),
    Quantity("cost_usd", "Cost", -1, "effort", "USD", logarithmic=True),
)
"""In the order in which they are shown."""

_BY_NAME = {q.name: q for q in QUANTITIES}


def quantity(name: str) -> Quantity:
    """The quantity of that name."""
    return _BY_NAME[name]
