"""Were two runs split into claims by the same version of the rules? Stored claims bear no version: some answers are split again and held against them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from ragviz.claims.rules import RulesExtractor
from ragviz.compare.fairness import Unfairness
from ragviz.pipeline.seen_runs import Seen
from ragviz.records import Claim, Side, Trace
from ragviz.text.counts import counted

LOOKED_AT = 200
"""Traces of each run that are split again, spread evenly over it: some 0.2 s."""


class SplitAnew(NamedTuple):
    """What the version of the rules that is installed makes of a run's texts."""

    other: int
    """Traces that it splits otherwise than they are stored."""
    n: int
    """Traces that were looked at."""


def split_anew(seen: Seen, *, n: int = LOOKED_AT) -> SplitAnew:
    """How many of ``n`` traces the rules would split otherwise today; none are looked at where something else than the rules made the claims."""
    if seen.view.claim_set != RulesExtractor().name:
        return SplitAnew(0, 0)
    every = seen.store.trace_ids(seen.view.run_id)
    ids = every if len(every) <= n else [every[at * len(every) // n] for at in range(n)]
    stored = seen.store.claim_sets(seen.view.run_id, seen.view.claim_set, ids)
    traces = [trace for trace in seen.store.traces(seen.view.run_id, ids) if trace.id in stored]
    return SplitAnew(sum(not _is_split_so(trace, stored) for trace in traces), len(traces))


def split_otherwise(base: Seen, candidate: Seen) -> Unfairness | None:
    """What is said where one run's claims are an earlier version's and the other's are not; None where both are alike, or nothing tells."""
    mine, theirs = split_anew(base), split_anew(candidate)
    if bool(mine.other) == bool(theirs.other) or not mine.n or not theirs.n:
        return None
    rules = RulesExtractor()
    old, name, role = (mine, base.manifest.name, "baseline") if mine.other else (theirs, candidate.manifest.name, "candidate")
    now = f"{rules.name} {rules.version}"
    return Unfairness(
        name="claim_set", base=f"an earlier {rules.name}" if mine.other else now, candidate=f"an earlier {rules.name}" if theirs.other else now,
        message=f"the {role} was split into claims by an earlier version of the rules: version {rules.version} splits {old.other} of {counted(old.n, 'trace')} otherwise",
        fix=f"import the file of {name} anew and judge it, so that both runs are split alike",
    )


def _is_split_so(trace: Trace, stored: Mapping[str, list[Claim]]) -> bool:
    had = [(c.side, c.text) for c in stored[trace.id]]
    # A person's word that a text is an answer, and no refusal, is as old as the claims it made.
    return any(had == [(c.side, c.text) for side in Side for c in _split(trace, side, as_answers)] for as_answers in (False, True))


def _split(trace: Trace, side: Side, as_answers: bool) -> list[Claim]:
    if side is not Side.RESPONSE and not trace.reference:
        return []
    return RulesExtractor(as_answers=as_answers and side is Side.RESPONSE).extract([trace], side=side)[0]
