"""Other tools' labels in our four words. The original label is always kept beside."""

from __future__ import annotations

from typing import Any

from ragviz.loaders.cells import is_null, text_of
from ragviz.records import Verdict

_WORDS = {
    Verdict.ENTAILED: "entailment entailed supported support supports yes true 1 s pass passed faithful factual relevant correct grounded full_support attributable",
    Verdict.CONTRADICTED: "contradiction contradicted contradicts contradict refuted refutes conflict evident_conflict subtle_conflict",
    Verdict.NEUTRAL: "neutral not_supported unsupported no false 0 ns fail failed hallucinated unfaithful irrelevant not_support baseless "
    "evident_baseless_info subtle_baseless_info not_enough_info incorrect ungrounded non_factual extrapolatory",
}
_VERDICTS = {word: verdict for verdict, words in _WORDS.items() for word in words.split()}


def verdict_of(label: Any) -> Verdict:
    """Our word for a label; UNJUDGED for what says neither yes nor no."""
    if is_null(label):
        return Verdict.UNJUDGED
    return _VERDICTS.get(text_of(label).strip().lower().replace(" ", "_").replace("-", "_"), Verdict.UNJUDGED)
