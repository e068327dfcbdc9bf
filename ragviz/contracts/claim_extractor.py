"""What splits a text into claims."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from ragviz.records import Claim, Side, Trace


class ClaimExtractor(Protocol):
    """
    Splits answers (or references) into atomic claims.

    Laws: one list per trace, in order; spans lie in the side's text and ascend; text no span covers is not a claim;
    the same text gives the same claims; an empty text or a refusal gives [].
    """

    @property
    def name(self) -> str:
        """Becomes ``Claim.extractor``."""
        ...

    @property
    def version(self) -> str:
        """Raised when any text could give other claims."""
        ...

    def extract(self, traces: Sequence[Trace], *, side: Side) -> list[list[Claim]]:
        """Claims of that side of each trace."""
        ...
