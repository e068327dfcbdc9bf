"""Worst slices: groups of traces that fare worse than the rest, corrected for looking at many."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence

import msgspec
import numpy as np
from numpy.typing import NDArray

from ragviz.records import Interval, Trace
from ragviz.stats.bootstrap import SHARE, mean_interval
from ragviz.stats.significance import holm, two_sample_p
from ragviz.text.question_kinds import question_kind

SMALL = 30
"""Below this a slice is shown only on request, and marked: its interval says little."""
TAG = "tag: "
"""Before the name of a slice that is a tag."""
SHORT, LONG = 40, 120
"""Words: an answer is short up to the first, long from the second on."""


class Slice(msgspec.Struct, frozen=True, kw_only=True):
    """A group of traces and how it fares."""

    name: str
    """What the traces share: ``tag: language``, ``passages``, …"""
    value: str
    n: int
    mean: float
    rest: float
    """Mean of all other traces."""
    ci95: Interval | None
    p: float
    """Permutation p-value of the difference, as found."""
    p_holm: float
    """Corrected for all slices that were looked at."""
    small: bool
    """Fewer than 30 traces: too few to conclude from."""
    trace_ids: tuple[str, ...] = ()

    @property
    def difference(self) -> float:
        """Slice minus rest."""
        return self.mean - self.rest


def dimensions(trace: Trace) -> dict[str, str]:
    """The properties of a trace that slices are made of; a property the trace lacks is absent."""
    found = of_the_question(trace.question, len(trace.response.split()), None if trace.passages is None else len(trace.passages))
    if trace.passages is not None:
        source = (trace.passages[0].source or trace.passages[0].metadata.get("source")) if trace.passages else None
        if source:
            found["first source"] = source
    if trace.started_at is not None:
        found["month"] = trace.started_at.strftime("%Y-%m")
    if trace.model is not None:
        found["model"] = trace.model
    found.update(of_tags(trace.tags))
    return found


def of_the_question(question: str, n_words: int, n_passages: int | None) -> dict[str, str]:
    """Those of them that a question, the length of its answer and the number of its passages (None: not known) make."""
    found = {"question": question_kind(question), "answer length": "short" if n_words <= SHORT else "long" if n_words >= LONG else "medium"}
    return found if n_passages is None else found | {"passages": str(n_passages) if n_passages < 10 else "10 or more"}


def of_tags(tags: Mapping[str, str]) -> dict[str, str]:
    """Those that tags make."""
    return {f"{TAG}{name}": value for name, value in tags.items() if value}


def worst_slices(
    traces: Iterable[Trace], values: Mapping[str, float | None], *, higher_is_better: bool = True, smallest: int = SMALL, limit: int = 10,
    by: Callable[[Trace], Mapping[str, str]] = dimensions, groups: Mapping[str, Hashable] | None = None,
) -> list[Slice]:
    """
    The slices that fare worst against the rest, worst first.

    Args:
        traces: The run; looked at one by one, and none is kept.
        values: The metric's value by trace id, a share; traces without one take no part.
        higher_is_better: Which way is good.
        smallest: Slices of fewer traces are left out.
        limit: At most so many.
        by: The properties of a trace; one slice per property and value.
        groups: Cluster of each trace id, for the intervals; looked into when all traces were seen.

    Returns:
        Slices that are worse than the rest, by corrected p-value and then by size of the difference. None of them need be significant:
        ``p_holm`` says so.
    """
    members: dict[tuple[str, str], list[int]] = {}
    ids: list[str] = []
    for trace in traces:
        if values.get(trace.id) is None:
            continue
        for name, value in by(trace).items():
            members.setdefault((name, value), []).append(len(ids))
        ids.append(trace.id)
    all_values = np.array([float(values[i] or 0.0) for i in ids])
    looked_at = {key: at for key, at in members.items() if smallest <= len(at) < len(ids)}
    found = [_slice(key, at, all_values, ids) for key, at in looked_at.items()]
    adjusted = holm([s.p for s in found])
    found = [msgspec.structs.replace(s, p_holm=p) for s, p in zip(found, adjusted, strict=True)]
    sign = 1 if higher_is_better else -1
    worse = [s for s in found if sign * s.difference < 0]
    kept = sorted(worse, key=lambda s: (s.p_holm, sign * s.difference))[:limit]
    return [msgspec.structs.replace(s, ci95=_interval(s, values, groups)) for s in kept]


def _interval(found: Slice, values: Mapping[str, float | None], groups: Mapping[str, Hashable] | None) -> Interval | None:
    clusters = None if groups is None else [groups.get(i, i) for i in found.trace_ids]
    return mean_interval([float(values[i] or 0.0) for i in found.trace_ids], groups=clusters, within=SHARE)


def _slice(key: tuple[str, str], at: Sequence[int], values: NDArray[np.float64], ids: Sequence[str]) -> Slice:
    inside = np.zeros(len(values), bool)
    inside[list(at)] = True
    part, rest = values[inside], values[~inside]
    members = tuple(ids[i] for i in at)
    p = two_sample_p(part, rest)
    return Slice(
        name=key[0], value=key[1], n=len(part), mean=float(part.mean()), rest=float(rest.mean()), ci95=None, p=p,
        p_holm=p, small=len(part) < SMALL, trace_ids=members,
    )
