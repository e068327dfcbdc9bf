"""Does a judge stand by its word? Asked again, and asked the same in another dress: passages shuffled, an unrelated one added, the claim reworded."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import msgspec

from ragviz.contracts import Availability, Judge, JudgeInfo, View
from ragviz.errors import Cancelled, InputError
from ragviz.pipeline.calibrate import Answer, answer_rows
from ragviz.pipeline.label_files import LabelRow
from ragviz.pipeline.probing import Probe, put_otherwise
from ragviz.pipeline.remembered import RememberedJudge
from ragviz.pipeline.trust import ends
from ragviz.records import Grounding, Interval, Judgement, Pair, Side
from ragviz.records.ids import digest
from ragviz.stats.shares import share_interval
from ragviz.store import Store

Progress = Callable[[int, int], None]
SAMPLE = 100
REPEATS = 2
BATCH = 32
_SPARE = 4
"""Traces that are read for each claim that is drawn: some have no passages or no claims."""


class Change(msgspec.Struct, frozen=True, kw_only=True):
    """A verdict that did not stand. Ids only: no text of a trace."""

    trace_id: str
    claim_id: str
    probe: Probe
    before: Grounding
    after: Grounding


class Steadiness(msgspec.Struct, frozen=True, kw_only=True):
    """One probe over the sample."""

    probe: Probe
    n: int
    """Questions put again to which both answers are verdicts."""
    changed: int
    """Of these, where the verdict is another one."""
    crossed: int
    """Of these, where it went from supported to not supported or back: what scores are made of."""
    unjudged: int
    """Where the judge failed, before or after; neither steady nor changed."""
    unchanged_question: int = 0
    """Claims the probe could not change: one passage cannot be shuffled."""

    @property
    def share(self) -> float | None:
        """Of verdicts that changed."""
        return self.changed / self.n if self.n else None

    @property
    def interval(self) -> Interval | None:
        """Of that share."""
        return share_interval(self.changed, self.n)


class Stability(msgspec.Struct, frozen=True, kw_only=True):
    """How a judge did under every probe."""

    judge: str
    fingerprint: str
    at: str
    """ISO 8601, UTC."""
    seed: int
    n_claims: int
    """Size of the sample."""
    repeats: int
    probes: tuple[Steadiness, ...]
    changes: tuple[Change, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """For machines, shares and intervals included."""
        found: dict[str, Any] = msgspec.to_builtins(self)
        for line, probe in zip(found["probes"], self.probes, strict=True):
            line |= {"share": probe.share, "ci95": ends(probe.interval)}
        return found


def rows_of_run(store: Store, view: View, *, ids: Sequence[str] | None = None) -> Iterator[LabelRow]:
    """Claims of a run's answers with their passages, as rows; what people or judges said of them takes no part."""
    for case in store.judged(view, ids):
        for claim in case.claims:
            if claim.side is Side.RESPONSE and case.trace.passages:
                yield LabelRow(
                    id=claim.id,
                    dataset="",
                    claim=claim.text,
                    passages=case.trace.passages,
                    label=Grounding.SUPPORTED,
                    question=case.trace.question,
                    group=case.trace.id,
                )


def draw(rows: Sequence[LabelRow], n: int, *, seed: int = 0) -> list[LabelRow]:
    """Some rows by chance, one of each group before a second of any: claims of one answer are alike. The same seed draws the same."""
    order = sorted(rows, key=lambda r: digest((str(seed), r.dataset, r.group, r.id), length=16))
    seen: dict[tuple[str, str], int] = {}
    ranked = []
    for row in order:
        key = (row.dataset, row.group)
        seen[key] = seen.get(key, 0) + 1
        ranked.append((seen[key], row))
    return [row for _, row in sorted(ranked, key=lambda pair: pair[0])][:n]


def draw_from(store: Store, view: View, n: int, *, seed: int = 0) -> list[LabelRow]:
    """``draw`` out of a run without reading all of a large one: traces first, then claims of these."""
    ids = store.trace_ids(view.run_id)
    some = None if len(ids) <= n * _SPARE else random.Random(seed).sample(ids, n * _SPARE)  # noqa: S311 - no secret
    return draw(list(rows_of_run(store, view, ids=some)), n, seed=seed)


def measure(
    rows: Sequence[LabelRow],
    ask: Callable[[int], Judge],
    *,
    fingerprint: str,
    at: str,
    probes: Sequence[Probe] = tuple(Probe),
    repeats: int = REPEATS,
    seed: int = 0,
    on_progress: Progress | None = None,
    stopped: Callable[[], bool] = lambda: False,
) -> Stability:
    """
    Ask a judge about the rows, then again under each probe.

    Args:
        rows: The sample.
        ask: The judge for the nth asking, 0 the first one. Each number is another asking: answers may be remembered within it, never across.
        fingerprint: Of the judge.
        at: When.
        probes: Which.
        repeats: How often it is asked anew.
        seed: Of the order of shuffled passages and the choice of distractors.
        on_progress: Told (questions put, questions in all).
        stopped: Asked between batches.

    Raises:
        InputError: There are no rows.
    """
    if not rows:
        raise InputError("there is no claim with passages to ask about", fix="judge a run first, or give a file with labelled claims")
    askings: list[tuple[Probe, int, list[LabelRow | None]]] = []
    for probe in probes:
        times = range(1, repeats + 1) if probe is Probe.REPEATED else range(1)
        askings += [(probe, n, [put_otherwise(row, probe, rows, seed=seed) for row in rows]) for n in times]
    total = len(rows) + sum(sum(r is not None for r in asked) for _, _, asked in askings)
    counter = _Counter(total, on_progress, stopped)
    first = counter.answers(rows, ask(0))
    lines: dict[Probe, list[tuple[Answer, Answer]]] = {probe: [] for probe in probes}
    for probe, n, asked in askings:
        there = [(before, row) for before, row in zip(first, asked, strict=True) if row is not None]
        after = counter.answers([row for _, row in there], ask(n))
        lines[probe] += [(before, answer) for (before, _), answer in zip(there, after, strict=True)]
    left_out = {probe: sum(r is None for r in asked) for probe, n, asked in askings if n <= 1}
    judge = ask(0).info.name
    return Stability(
        judge=judge, fingerprint=fingerprint, at=at, seed=seed, n_claims=len(rows), repeats=repeats if Probe.REPEATED in probes else 0,
        probes=tuple(_line(probe, pairs, left_out.get(probe, 0)) for probe, pairs in lines.items()),
        changes=tuple(change for probe, pairs in lines.items() for change in _changes(probe, pairs)),
    )


class _Counter:
    """Puts questions in batches; counts them, and stops between batches."""

    def __init__(self, total: int, on_progress: Progress | None, stopped: Callable[[], bool]) -> None:
        self._total, self._tell, self._stopped, self._done = total, on_progress, stopped, 0

    def answers(self, rows: Sequence[LabelRow], judge: Judge) -> list[Answer]:
        """Of all rows, in order."""
        found: list[Answer] = []
        for start in range(0, len(rows), BATCH):
            if self._stopped():
                raise Cancelled("stopped between batches", fix="start it again: answers that came are remembered")
            some = rows[start : start + BATCH]
            found += answer_rows(some, judge)
            self._done += len(some)
            if self._tell is not None:
                self._tell(self._done, self._total)
        return found


class AskedAgain:
    """A judge under another fingerprint: what it answered to an earlier asking is not taken for its answer to this one."""

    def __init__(self, judge: Judge, asking: str) -> None:
        self._judge = judge
        self._asking = asking

    @property
    def info(self) -> JudgeInfo:
        """Of the judge behind."""
        return self._judge.info

    @property
    def params(self) -> Mapping[str, object]:
        """Of the judge behind, and which asking this is."""
        return {**self._judge.params, "asking": self._asking}

    def available(self) -> Availability:
        """Of the judge behind."""
        return self._judge.available()

    def judge(self, pairs: Sequence[Pair]) -> list[Judgement]:
        """Of the judge behind."""
        return self._judge.judge(pairs)


def asked_by(judge: Judge, store: Store, *, seed: int = 0, run_id: str | None = None) -> Callable[[int], Judge]:
    """
    ``ask`` for ``measure``: answers are kept as they come, each asking apart, so work that was stopped goes on. Another seed asks anew.

    ``run_id``: answers are forgotten when this run is deleted.
    """
    def ask(n: int) -> Judge:
        return RememberedJudge(AskedAgain(judge, f"{seed}.{n}") if n else judge, store, run_id=run_id)

    return ask


def _line(probe: Probe, pairs: Sequence[tuple[Answer, Answer]], left_out: int) -> Steadiness:
    verdicts = [(a.grounding, b.grounding) for a, b in pairs]
    both = [(a, b) for a, b in verdicts if Grounding.UNJUDGED not in (a, b)]
    return Steadiness(
        probe=probe, n=len(both), changed=sum(a is not b for a, b in both), crossed=sum(a.is_supported != b.is_supported for a, b in both),
        unjudged=len(verdicts) - len(both), unchanged_question=left_out,
    )


def _changes(probe: Probe, pairs: Sequence[tuple[Answer, Answer]]) -> list[Change]:
    found: Mapping[tuple[str, str, Grounding], Change] = {
        (a.row.group, a.row.id, b.grounding): Change(trace_id=a.row.group, claim_id=a.row.id, probe=probe, before=a.grounding, after=b.grounding)
        for a, b in pairs if a.grounding is not b.grounding and Grounding.UNJUDGED not in (a.grounding, b.grounding)
    }
    return list(found.values())


def keep(store: Store, view: View, found: Stability) -> None:
    """Keep a measurement of a run; a newer one of the same judge replaces it. Goes with the run."""
    store.keep("stability", _name(view), found)


def kept(store: Store, view: View) -> Stability | None:
    """The latest measurement of that judge on that run; None where there is none."""
    return store.kept("stability", Stability).get(_name(view))


def _name(view: View) -> str:
    return f"{view.run_id}\x1f{view.judge}\x1f{view.claim_set}"
