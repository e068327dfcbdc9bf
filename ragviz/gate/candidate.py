"""A candidate's outputs joined to known cases. The candidate never supplies its own ground truth."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import msgspec

from ragviz.errors import InputError
from ragviz.records import Side, Trace

SHOWN_NAMES = 8


def join_candidate(gold: Sequence[Trace], candidate: Sequence[Trace]) -> list[Trace]:
    """
    One trace per known case: the candidate's answer and passages, the case's question and ground truth.

    Args:
        gold: The cases. Their ids are the names.
        candidate: The candidate's rows, in any order.

    Returns:
        Traces in the order of ``gold``. Reference, labels, facets, tags and reference claims are the case's, whatever the candidate brought.

    Raises:
        InputError: Not exactly one row per case; the message names what is missing, doubled or unknown.
    """
    known = [trace.id for trace in gold]
    rows = {trace.id: trace for trace in candidate}
    counts = Counter(_written(trace.id, set(known)) for trace in candidate)
    problems = [
        f"{what}: {_names(names)}"
        for what, names in (
            ("missing", [name for name in known if name not in rows]),
            ("more than once", [name for name, count in counts.items() if count > 1]),
            ("unknown", [name for name in counts if name not in set(known)]),
            ("more than once among the known cases", [name for name, count in Counter(known).items() if count > 1]),
        )
        if names
    ]
    if problems:
        raise InputError(f"the candidate must answer each of the {len(known)} cases exactly once; {'; '.join(problems)}",
                         fix="give one row per case, with the case's name")
    return [_merge(case, rows[case.id]) for case in gold]


def _written(trace_id: str, known: set[str]) -> str:
    """The name as the file has it: loaders tell a repeated id apart as ``name#2``."""
    name, mark, number = trace_id.rpartition("#")
    return name if mark and number.isdigit() and trace_id not in known and name in known else trace_id


def _merge(case: Trace, row: Trace) -> Trace:
    theirs = tuple(claim for claim in row.claims or () if claim.side is Side.RESPONSE)
    ours = tuple(claim for claim in case.claims or () if claim.side is Side.REFERENCE)
    facts = {p.matching_id: p for p in case.passages or ()}
    # Labels on a passage are ground truth too: only those of the case count.
    passages = None if row.passages is None else tuple(
        msgspec.structs.replace(p, relevance=facts[p.matching_id].relevance if p.matching_id in facts else None) for p in row.passages
    )
    return msgspec.structs.replace(
        case, response=row.response, passages=passages, citations=row.citations, usage=row.usage, model=row.model, started_at=row.started_at,
        claims=(*theirs, *ours) if row.claims is not None or case.claims is not None else None, scores=row.scores, origin=row.origin,
    )


def _names(names: Sequence[str]) -> str:
    more = len(names) - SHOWN_NAMES
    return ", ".join(names[:SHOWN_NAMES]) + (f" and {more} more" if more > 0 else "")
