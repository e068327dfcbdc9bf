"""Worst slices, corrected for looking at many."""

from __future__ import annotations

import itertools
import sys
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime

import numpy as np
import pytest

from ragviz.diagnosis.slices import dimensions, worst_slices
from ragviz.records import Trace
from ragviz.text.question_kinds import question_kind
from tests.build import a_passage, a_trace


def a_run(n: int = 200, seed: int = 0) -> tuple[list[Trace], dict[str, float | None]]:
    """Every fourth trace is German and fares badly; the rest varies by chance."""
    rng = np.random.default_rng(seed)
    traces = [a_trace(id=f"t{i}", tags={"language": "de" if i % 4 == 0 else "en", "parity": str(i % 2)}) for i in range(n)]
    return traces, {t.id: float(rng.random() < (0.4 if t.tags["language"] == "de" else 0.9)) for t in traces}


def test_the_bad_slice_comes_first() -> None:
    """Named, with its size, mean, the rest's mean, interval, and a p-value that holds after correction."""
    traces, values = a_run()
    first = worst_slices(traces, values)[0]

    assert (first.name, first.value, first.n, first.small) == ("tag: language", "de", 50, False)
    assert first.p_holm < 0.01
    assert first.mean < first.rest
    assert first.ci95 is not None
    assert first.trace_ids[:2] == ("t0", "t4")


def test_traces_may_come_one_by_one() -> None:
    """From a stream the same slices are found, with clusters that are known only when it has ended; no trace is held beside the one at hand."""
    traces, values = a_run()
    known = {t.id: t.question for t in traces}
    groups: dict[str, str] = {}
    held: list[int] = []
    idle = sys.getrefcount(traces[0])

    def stream() -> Iterator[Trace]:
        for n, trace in enumerate(traces):
            groups[trace.id] = trace.question
            if n:
                held.append(sys.getrefcount(traces[n - 1]) - idle)
            yield trace

    assert worst_slices(stream(), values, groups=groups) == worst_slices(traces, values, groups=known)
    # The caller's own variable still names the trace before.
    assert max(held) <= 1


def test_lower_is_better_turns_it_around() -> None:
    """The same values as a rate of faults: now English is the bad slice."""
    traces, values = a_run()

    assert worst_slices(traces, values, higher_is_better=False)[0].value == "en"


def test_slices_that_are_better_or_too_small_are_left_out() -> None:
    """Below 30 traces only on request, and then marked."""
    traces, values = a_run(80)

    assert worst_slices(traces, values) == [] or all(s.n >= 30 for s in worst_slices(traces, values))
    small = [s for s in worst_slices(traces, values, smallest=5) if s.value == "de"]
    assert small[0].small


@pytest.mark.slow
def test_chance_alone_is_rarely_called_a_finding() -> None:
    """20 runs without any difference, several slices each: after correction hardly any is below 5 %."""
    found = 0
    for seed in range(20):
        rng = np.random.default_rng(seed)
        traces = [a_trace(id=f"t{i}", tags={f"tag{j}": str(rng.integers(0, 3)) for j in range(4)}) for i in range(150)]
        values: dict[str, float | None] = {t.id: float(rng.random()) for t in traces}
        found += any(s.p_holm < 0.05 for s in worst_slices(traces, values))

    assert found <= 4


def test_traces_without_a_value_take_no_part() -> None:
    """A run without values has no slices."""
    traces, _ = a_run(60)

    assert worst_slices(traces, dict.fromkeys((t.id for t in traces), None)) == []


@pytest.mark.parametrize(
    ("question", "kind"),
    [("How many days?", "how many"), ("How is it?", "how"), ("What's new?", "what"), ("Is it free?", "yes or no"), ("Tell me.", "other"), ("", "other")],
)
def test_question_kinds(question: str, kind: str) -> None:
    """By the word it opens with."""
    assert question_kind(question) == kind


def test_dimensions_of_a_trace() -> None:
    """What the file gives: source of the first passage, number of passages, month, model, tags."""
    passages = (a_passage(1, source="wiki"), a_passage(2))
    trace = a_trace(passages=passages, started_at=datetime(2026, 3, 5, tzinfo=UTC), model="m1", tags={"team": "red"}, question="Why?")

    assert dimensions(trace) == {
        "question": "why", "answer length": "short", "passages": "2", "first source": "wiki", "month": "2026-03", "model": "m1", "tag: team": "red",
    }
    assert "passages" not in dimensions(a_trace(passages=None))


def test_numbers_equal_an_independent_computation() -> None:
    """Two slices of three answers each: means by hand, p by going through all twenty ways to choose three of six, Holm by its definition."""
    values = {"t0": 0.0, "t1": 0.1, "t2": 0.3, "t3": 0.6, "t4": 0.8, "t5": 1.0}
    traces = [a_trace(id=name, tags={"half": "low" if n < 3 else "high", "odd": str(n % 2)}) for n, name in enumerate(values)]
    found = {(s.name, s.value): s for s in worst_slices(traces, values, smallest=1, by=lambda t: {f"tag: {k}": v for k, v in t.tags.items()})}
    every = list(values.values())

    def mean(part: Iterable[float]) -> float:
        return sum(part) / 3

    def p(members: tuple[int, ...]) -> float:
        def gap(chosen: Iterable[int]) -> float:
            inside = set(chosen)
            return abs(mean(every[i] for i in inside) - mean(every[i] for i in range(6) if i not in inside))

        ways = list(itertools.combinations(range(6), 3))
        return sum(gap(way) >= gap(members) - 1e-12 for way in ways) / len(ways)

    low, even = found["tag: half", "low"], found["tag: odd", "0"]
    p_low, p_even = p((0, 1, 2)), p((0, 2, 4))
    assert (low.n, even.n) == (3, 3)
    assert (low.mean, low.rest) == pytest.approx((mean(every[:3]), mean(every[3:])))
    assert (even.mean, even.rest) == pytest.approx((mean(every[::2]), mean(every[1::2])))
    assert (p_low, p_even) == pytest.approx((low.p, even.p), abs=0.03)
    # Four slices were looked at: both halves and both parities, each p twice.
    assert low.p_holm == pytest.approx(min(1.0, 4 * low.p))
    assert even.p_holm == pytest.approx(min(1.0, max(4 * low.p, 2 * even.p)))
