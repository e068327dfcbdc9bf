"""Root causes in the terminal: why each trace failed and what shows it; what is the same of many is said once."""

from __future__ import annotations

from collections.abc import Sequence

from ragviz.cli.printing import plain
from ragviz.pipeline import Evaluation
from ragviz.pipeline.evaluation import EvaluatedTrace
from ragviz.text.counts import counted

NAME_WIDTH = 24
NO_WORDS = " (no quote)"
NAMED = 8
"""Traces of one cause in the same words that are named."""


def _is_open_refusal(trace: EvaluatedTrace) -> bool:
    """True for a refusal which the file does not say to be wrong: the Overview blames nobody for it either."""
    precision = trace.scores.get("abstention_precision")
    return trace.quadrant == "abstained" and (precision is None or precision.value != 0)


def causes(found: Evaluation) -> list[str]:
    """Why each trace failed, and the passages that show it; those that were not retrieved say where a search finds them."""
    failed = [t for t in found.traces if t.cause not in ("", "none") and not _is_open_refusal(t)]
    if not failed:
        return []
    lines = ["", f"Root causes ({len(failed):,}):"]
    alike: dict[tuple[str, str], list[str]] = {}
    for trace in failed:
        if not trace.cause_evidence:
            alike.setdefault((trace.cause, trace.cause_detail), []).append(plain(trace.id, 24))
    for trace in failed:
        # What is said in the same words of many, with nothing to show for it, is said once.
        same = [] if trace.cause_evidence else alike.pop((trace.cause, trace.cause_detail), None)
        if same is None:
            continue
        who = plain(trace.id, 24) if len(same) < 2 else f"{counted(len(same), 'trace')} ({_few(same)})"
        lines.append(f"  {trace.cause.replace('_', ' ')}  {who}: {plain(trace.cause_detail, 200)}")
        for e in trace.cause_evidence[:2]:
            where = f"retrieved at rank {e.rank}" if e.retrieved else f"not retrieved; rank {e.rank or '–'} of a search by {e.found_by}"
            says = "states" if e.verdict == "entailed" else "denies"
            name = plain(e.name, NAME_WIDTH)
            who = name if e.retrieved and name.startswith(f"passage {e.rank} ") else f"{name} ({where})"
            lines.append(f"      {who} {says} {e.claim_id}" + (": " + " and ".join(f"“{plain(quote, 110)}”" for quote in e.quotes) if e.quotes else NO_WORDS))
    return lines


def _few(names: Sequence[str]) -> str:
    return ", ".join(names[:NAMED]) + (f" and {len(names) - NAMED:,} more" if len(names) > NAMED else "")
