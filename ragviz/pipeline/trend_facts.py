"""What is known of a run's traces that a trend can follow: when, which version, what was asked. And the ways in which a run can be divided by it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from enum import StrEnum

import msgspec
import numpy as np
from numpy.typing import NDArray

from ragviz.stats.coded import Coded, closed_up, recoded
from ragviz.store import Store, told
from ragviz.store.facts import trace_facts

Floats = NDArray[np.float64]
DAY_S = 86_400.0
KINDS = (2, 12)
"""A tag with so many different values divides questions into kinds."""
OWN = 0.9
"""A tag with one value in that share of the parts or more describes the system, not the question."""


class By(StrEnum):
    """What one part is."""

    RUN = "run"
    VERSION = "version"
    MONTH = "month"
    WEEK = "week"
    DAY = "day"


TIMES = (By.MONTH, By.WEEK, By.DAY)


class Facts(msgspec.Struct, frozen=True, kw_only=True):
    """A run's traces without their texts, in file order. Arrays are shared with the store: read-only."""

    groups: NDArray[np.int64]
    """The question of each trace as a number (``records.ids.group_code``)."""
    kinds: Coded
    """The question word each question opens with."""
    started_at: Floats
    """Seconds since 1970; NaN = unknown."""
    versions: Coded
    version_tag: str | None
    """Name of the tag that gives most versions."""
    tags: Mapping[str, Coded]
    """Without those that give a version, or say which trace it is."""
    words: Floats
    age_days: Floats
    """Mean age of the dated passages when the question was asked; NaN where neither is known."""

    @property
    def n(self) -> int:
        """Traces."""
        return len(self.groups)


class Offer(msgspec.Struct, frozen=True, kw_only=True):
    """What a run offers to follow."""

    n: int
    with_time: int
    """Traces that say when."""
    with_version: int
    """Traces that say of which version they are."""
    version_tag: str | None
    ways: tuple[By, ...]
    """How it can be divided: by version where there are several, by time where it spans more than one of them."""


def run_facts(store: Store, run_id: str) -> Facts:
    """The facts of a run."""
    found = trace_facts(store, run_id)
    versions = [told.version_in(word) for word in found.versions.words]
    named: Counter[str] = Counter()
    for version, n in zip(versions, np.bincount(found.versions.codes, minlength=len(versions)).tolist(), strict=True):
        if version and n:
            named[version[0]] += n
    return Facts(
        groups=found.groups,
        kinds=Coded(found.kinds.words, found.kinds.codes),
        started_at=found.started_at,
        versions=recoded([version[1] if version else None for version in versions], found.versions.codes),
        version_tag=named.most_common(1)[0][0] if named else None,
        tags={name: recoded([told.value_of(word) for word in column.words], column.codes) for name, column in found.tags.items()},
        words=found.words,
        age_days=found.age_days,
    )


def offer(facts: Facts) -> Offer:
    """What there is to follow in one run."""
    versions = facts.versions.counts()
    known = facts.started_at[~np.isnan(facts.started_at)]
    ends = np.array([known.min(), known.max()]) if len(known) else known
    by_time = tuple(by for by in TIMES if len(bins(ends, by).words) > 1)  # there are several where the first and the last trace are not in one
    return Offer(
        n=facts.n, with_time=len(known), with_version=sum(versions.values()), version_tag=facts.version_tag,
        ways=((By.VERSION,) if len(versions) > 1 else ()) + by_time,
    )


def bins(started_at: Floats, by: By) -> Coded:
    """The first day of the month or week of each trace, or its day itself, as ISO text in UTC. Worked out once a day, not once a trace."""
    codes = np.full(len(started_at), -1, dtype=np.int32)
    known = np.flatnonzero(~np.isnan(started_at))
    if not len(known):
        return Coded((), codes)
    days = np.floor(started_at[known] / DAY_S).astype(np.int64)
    first = int(days.min())
    span = int(days.max()) - first
    # Times that are decades apart (0 for unknown, say) are put in order instead of being counted through.
    different, place = (
        (first + np.flatnonzero(np.bincount(days - first)), closed_up(days - first))
        if span <= 10 * len(known) + 1_000
        else np.unique(days, return_inverse=True)
    )
    found = recoded([_first_day(datetime.fromtimestamp(day * DAY_S, UTC).date(), by).isoformat() for day in different.tolist()], place)
    codes[known] = found.codes
    return Coded(found.words, codes)


def _first_day(day: date, by: By) -> date:
    if by is By.MONTH:
        return day.replace(day=1)
    return day - timedelta(days=day.weekday()) if by is By.WEEK else day


def rows_by(column: Coded) -> list[tuple[str, slice | NDArray[np.int64]]]:
    """Which traces have which word, in the order in which the words are first met: a slice where they follow one another."""
    codes = column.codes.astype(np.int16) if len(column.words) < 2**15 else column.codes  # short ones are put in order in a tenth of the time
    order = np.argsort(codes, kind="stable")
    starts = np.searchsorted(codes[order], np.arange(len(column.words) + 1))
    found: list[tuple[int, str, slice | NDArray[np.int64]]] = []
    for code, word in enumerate(column.words):
        rows = order[starts[code] : starts[code + 1]]
        if len(rows):
            first, last = int(rows[0]), int(rows[-1])
            found.append((first, word, slice(first, last + 1) if last - first + 1 == len(rows) else rows))
    return [(word, rows) for _, word, rows in sorted(found, key=lambda one: one[0])]


def divides(columns: Sequence[Coded | None], n_traces: int) -> bool:
    """
    Whether a tag divides questions into kinds: few values, on most traces, and not one value a version, which describes the system.

    Args:
        columns: The tag of each part; None where its run has none of that name.
        n_traces: Of the parts whose run has it.
    """
    counts = [column.counts() if column is not None else {} for column in columns]
    different = {value for some in counts for value in some}
    if not KINDS[0] <= len(different) <= KINDS[1] or sum(sum(some.values()) for some in counts) < n_traces / 2:
        return False
    return sum(len(some) <= 1 for some in counts) < OWN * len(counts)
