"""Without expected answers: one set of words and counts, and every count is the rows that its link opens."""

from __future__ import annotations

import math

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ragviz.diagnosis.meanings import STANDING_MEANINGS
from ragviz.diagnosis.quadrants import Thresholds
from ragviz.diagnosis.standings import STANDINGS, counts_without_reference, standings, told_of
from ragviz.store import TraceFilter
from ragviz.ui import filters
from ragviz.ui.views.quadrants_numbers import Mode, cell_filter, plane

FIGURES = st.sampled_from([math.nan, 0.0, 0.067, 0.4999, 0.5, 0.75, 0.9, 1.0])
ROWS = st.lists(st.tuples(FIGURES, FIGURES, st.booleans()), min_size=1, max_size=30)
LIMITS = st.builds(Thresholds, faithfulness=st.sampled_from([0.3, 0.5, 1.0]), relevance=st.sampled_from([0.05, 0.5, 0.9]))


def passes(where: TraceFilter, row: tuple[float, float, bool]) -> bool:
    """What the store does with such a filter."""
    values = {"faithfulness": row[0], "relevance": row[1]}
    stored = "abstained" if row[2] else "unknown"
    return (
        stored in where.quadrants
        and all(not math.isnan(values[n]) and (lo is None or values[n] >= lo) and (hi is None or values[n] <= hi) for n, lo, hi in where.ranges)
        and (not where.lacking or any(math.isnan(values[n]) for n in where.lacking))
    )


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(rows=ROWS, limits=LIMITS)
def test_every_count_is_the_rows_of_its_link(rows: list[tuple[float, float, bool]], limits: Thresholds) -> None:
    """At any thresholds, through the address and back; and each trace is in one cell only."""
    f, r = np.array([row[0] for row in rows]), np.array([row[1] for row in rows])
    declined = np.array([row[2] for row in rows])
    codes = standings(f, r, declined, limits)
    opened = []

    for name in STANDING_MEANINGS:
        where = filters.from_params(filters.to_params(cell_filter(name, limits, Mode.NO_REFERENCE)))
        rows_of = [at for at, row in enumerate(rows) if passes(where, row)]
        assert rows_of == np.flatnonzero(codes == [s.value for s in STANDINGS].index(name)).tolist(), name
        opened += rows_of

    assert sorted(opened) == list(range(len(rows)))


@given(rows=ROWS)
def test_page_and_reports_count_alike(rows: list[tuple[float, float, bool]]) -> None:
    """The Quadrants page's cells, and what Overview, evaluate and report say; both or neither. What each row of a list is called adds up to the same."""
    f, r, declined = (np.array([row[at] for row in rows]) for at in range(3))
    nothing = np.full(len(rows), np.nan)
    placed = plane({"faithfulness": f, "correctness": nothing, "relevance": r, "quadrant": np.where(declined, "abstained", "unknown")}, Thresholds())
    said = counts_without_reference(f, nothing, r, declined)

    assert (placed.mode is Mode.NO_REFERENCE) is (said is not None)
    if said is not None:
        assert {name: n for name, n in said.items() if n} == placed.counts()
        assert sum(said.values()) == len(rows)
        each = [told_of("abstained" if d else "unknown", *(None if math.isnan(x) else x for x in (b, a)), without_reference=True)[0] for a, b, d in rows]
        assert {label: each.count(label) for label, _ in STANDING_MEANINGS.values()} == {STANDING_MEANINGS[name][0]: n for name, n in said.items()}
        assert placed.n_placed == len(rows) - said["abstained"] - said["unknown"]


def test_one_correctness_and_the_quadrants_say_more() -> None:
    """A run in which a part has expected answers has quadrants."""
    assert counts_without_reference([1.0, 1.0], [None, 1.0], [1.0, 1.0], [False, False]) is None
    assert counts_without_reference([1.0, None], [None, None], [None, 1.0], [False, False]) is None
