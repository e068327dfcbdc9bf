"""Pairs from traces, and claim groundings from pair verdicts."""

from ragviz.grounding.memory import remembered
from ragviz.grounding.reasons import reason_of
from ragviz.grounding.resolve import ClaimGrounding, groundings, premise_ids, verdict_grid, word_in_force
from ragviz.grounding.tables import joined_id, joined_pairs, joined_text, pairs_for, unjoin

__all__ = [
    "ClaimGrounding", "groundings", "joined_id", "joined_pairs", "joined_text", "pairs_for", "premise_ids", "reason_of", "remembered", "unjoin", "verdict_grid", "word_in_force",
]
