"""Atomic claims by rules: sentences, then clauses. No model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ragviz.records import Claim, Side, Trace
from ragviz.text.polarity import is_refusal
from ragviz.text.sentences import sentence_spans


@dataclass(frozen=True)
class RulesExtractor:
    """Splits an answer into sentences and clauses, with exact spans."""

    name: str = "rules"
    version: str = "1"

    def extract(self, traces: Sequence[Trace], *, side: Side) -> list[list[Claim]]:
        """Claims of that side of each trace."""
        return [self._claims(trace, side) for trace in traces]

    def _claims(self, trace: Trace, side: Side) -> list[Claim]:
        text = trace.response if side is Side.RESPONSE else trace.reference or ""
        if is_refusal(text):
            return []
        letter = "c" if side is Side.RESPONSE else "r"
        return [
            Claim(id=f"{letter}{n}", trace_id=trace.id, side=side, text=span.of(text), spans=(span,), extractor=self.name)
            for n, span in enumerate(sentence_spans(text), start=1)
        ]
