"""A passage that addresses its judge, with those sentences blanked out: every other character keeps its place."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from ragviz.evidence.injection import addresses_judge, may_address_judge
from ragviz.evidence.windows import windows


class Redacted(NamedTuple):
    """What is left, and what was taken out."""

    text: str
    """As long as the original; the sentences are spaces."""
    alarm: str
    """The sentences taken out."""


@lru_cache(maxsize=4096)
def redact(premise: str) -> Redacted | None:
    """The premise without sentences that tell a judge what to do; None when it has none."""
    if not may_address_judge(premise):
        return None
    told = [span for span in windows(premise) if addresses_judge(span.of(premise))]
    if not told:
        return None
    text = premise
    for span in told:
        text = text[: span.start] + " " * len(span) + text[span.end :]
    return Redacted(text, " ".join(span.of(premise) for span in told))
