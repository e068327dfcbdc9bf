"""Pairs from traces, and claim groundings from pair verdicts."""

from ragviz.grounding.answers import ANSWERS, is_said_to_answer, that_count, with_claims, word_on_answer
from ragviz.grounding.memory import remembered
from ragviz.grounding.reasons import reason_of
from ragviz.grounding.resolve import ClaimGrounding, groundings, premise_ids, verdict_grid, word_in_force
from ragviz.grounding.tables import joined_id, joined_pairs, joined_text, pairs_for, unjoin

__all__ = [
    "ANSWERS",
    "ClaimGrounding",
    "groundings",
    "is_said_to_answer",
    "joined_id",
    "joined_pairs",
    "joined_text",
    "pairs_for",
    "premise_ids",
    "reason_of",
    "remembered",
    "that_count",
    "unjoin",
    "verdict_grid",
    "with_claims",
    "word_in_force",
    "word_on_answer",
]
