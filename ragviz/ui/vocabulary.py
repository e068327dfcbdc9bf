"""The words of the pages for quadrants, causes, verdicts and scores. One thing, one word, everywhere."""

from __future__ import annotations

from types import MappingProxyType

from ragviz.compare.families import ARROWS
from ragviz.diagnosis.meanings import CAUSE_MEANINGS, QUADRANT_MEANINGS
from ragviz.diagnosis.standings import told_of
from ragviz.loaders import loaders
from ragviz.metrics import metric_info
from ragviz.store import TraceRow
from ragviz.ui import marks

QUADRANTS = QUADRANT_MEANINGS
"""Label and meaning, in the order shown."""

FAILING = tuple(name for name in QUADRANTS if name in marks.FAILING)

CAUSES: MappingProxyType[str, str] = MappingProxyType({
    "generator_added": "Generator added",
    "retrieval_missed": "Retrieval missed it",
    "generator_ignored": "Evidence ignored",
    "source_wrong": "Source wrong or old",
    "ranked_below_k": "Ranked below k",
    "judge_undecided": "Judge undecided",
    "unknown": "Cannot be told",
    "none": "Nothing to explain",
})
"""In the order of equal counts; ``none`` and ``unknown`` blame nobody."""

CAUSES_EXPLAINED = "  \n".join(f"**{CAUSES[name]}**: {meaning}" for name, meaning in CAUSE_MEANINGS.items())
"""All causes as Markdown lines, for a hint."""

VERDICTS: MappingProxyType[str, str] = MappingProxyType({g.value: marks.chip(g) for g in marks.GLYPH})
"""With glyph, for tables and filters."""

SCORES: MappingProxyType[str, str] = MappingProxyType({
    "faithfulness": "Faithfulness", "hallucination": "Hallucination", "correctness": "Correctness", "relevance": "Relevance",
    "context_recall": "Context recall", "context_precision": "Context precision", "recall_at_k": "Recall@k", "precision_at_k": "Precision@k",
    "n_claims": "Claims", "n_supported": "Supported claims", "n_not_supported": "Claims not supported", "n_contradicted": "Contradicted claims",
    "n_conflicted": "Conflicted claims", "n_unjudged": "Unjudged claims", "latency_ms": "Latency in ms", "cost_usd": "Cost in dollars", "started_at": "Time",
})
"""What traces can be sorted and filtered by."""

LABELS: MappingProxyType[str, str] = MappingProxyType(
    {name: label.lower() for name, (label, _) in QUADRANTS.items()} | {name: label.lower() for name, label in CAUSES.items() if name not in QUADRANTS}
    | {g.value: word for g, word in marks.GROUNDING_LABEL.items()} | {name: label.lower() for name, label in SCORES.items()},
)
"""For sentences: all small."""


def formats_read() -> str:
    """
    How many formats can be read, in words; those that are recognised only to be refused do not count. A tool may have several: its traces, its
    scores, its data sets.
    """
    return f"{sum(not loaders.make(name).label.endswith('(refused)') for name in loaders.names())} formats"


def quadrant(name: str) -> str:
    """The label of a quadrant; an unknown name as it is."""
    return QUADRANTS.get(name, (name, ""))[0]


def stands(row: TraceRow, *, without_reference: bool) -> str:
    """Where an answer stands, as the Overview counts it. ``without_reference``: no answer of the run has a correctness."""
    return told_of(row.quadrant, row.scores.get("relevance"), row.scores.get("faithfulness"), without_reference=without_reference)[0]


def cause(name: str) -> str:
    """The label of a cause; nothing where there is nothing to explain."""
    return "–" if name in ("", "none") else CAUSES.get(name, name.replace("_", " "))


def arrow(metric: str) -> str:
    """Which way is good."""
    return ARROWS[metric_info(metric).better]
