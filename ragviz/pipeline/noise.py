"""The judge's own noise, measured: some traces are judged a second time on identical inputs, asked anew and not out of the cache."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence

import numpy as np
from msgspec.structs import replace

from ragviz.compare.moods import MOST_AGAIN
from ragviz.compare.noise import JudgeNoise, no_noise, noise_floor, spread_of, unknown_noise
from ragviz.contracts import Judge, View
from ragviz.errors import Cancelled, InputError, RagvizError
from ragviz.grounding import groundings
from ragviz.grounding.tables import unjoin
from ragviz.judges import fingerprint
from ragviz.metrics import score_all
from ragviz.pipeline.asking import Asker
from ragviz.pipeline.choices import default_judge, make_judge, working_judge
from ragviz.pipeline.scoring import Progress
from ragviz.pipeline.work import pairs_to_join, single_pairs
from ragviz.records import Grounding, JudgedTrace, Judgement, Score, Table
from ragviz.store import Store
from ragviz.text.counts import counted

SAMPLE = 20
"""Traces asked again where nothing else is said."""
FEW, ROUNDS = 8, 5
"""Of so few cases every fall may count; five rounds (four answers of the baseline, three of the candidate) make even the fall of a single one certain, 1 deal of 35."""
BATCH = 8
GIVEN = "not known: the verdicts came with the file, and whoever gave them cannot be asked again"


def measure_noise(
    store: Store, view: View, judge_name: str | Judge | None = None, *, beside: View | None = None, n: int = SAMPLE, api_key: str | None = None,
    on_progress: Progress | None = None, cancel: threading.Event | None = None,
) -> JudgeNoise:
    """
    Ask a judge about some traces of a run again and compare with what it said before. Nothing is stored: the verdicts in force stay.

    A judge that computes its verdicts is not asked: its noise is 0. Verdicts that came with the file cannot be asked for again: their noise is not known.
    Ratings of raters (relevance) are not asked again.

    Args:
        store: Where the run is.
        view: The run, already judged by this judge.
        judge_name: The view's judge by name, or made; None = the run's default judge.
        beside: Another run by the same judge, the baseline: it is asked about first, then the two in turns.
        n: How many traces, drawn at random with a fixed seed among those with claims. Where there are fewer, they are asked about several times.
        api_key: For hosted judges.
        on_progress: Told how many of how many are done.
        cancel: Stops between batches.

    Raises:
        JudgeUnavailable: The judge cannot work here.
        Cancelled: Stopped.
    """
    chosen = judge_name if judge_name is not None else default_judge(store, view.run_id)
    made = make_judge(chosen, api_key=api_key)
    if made.info.claim_set == "imported":
        return unknown_noise(GIVEN)
    if made.info.deterministic:
        return no_noise(made.info.name)
    if n == 0:
        return unknown_noise("not measured: this judge may answer differently each time, and was not asked again")
    if fingerprint(made) != view.judge:
        raise InputError(
            f"the run was judged by {view.judge}, and what would answer now is {fingerprint(made)}", fix="judge the run anew, then measure the noise"
        )
    judge = working_judge(chosen, api_key=api_key, cancelled=cancel.is_set if cancel else None)
    views = [view] if beside is None or beside.judge != view.judge else [beside, view]
    told = _Told(n, on_progress, cancel)
    turns = in_turns([_drawn(store, seen) for seen in views], n)
    rounds = [_round(store, views[at], ids, judge, told) for at, ids in turns]
    often = f", {counted(len({i for _, ids in turns for i in ids}), 'question')} in turns" if len(turns) > 1 else ""
    return noise_of(rounds, source=f"{counted(told.done, 'trace')} judged again by {made.info.name}, asked anew{often}")


def askings(n_cases: int) -> int:
    """How many traces of a baseline and its candidate are asked about again where nothing else is said."""
    return max(SAMPLE, ROUNDS * n_cases) if n_cases <= FEW else SAMPLE


def in_turns(ids: Sequence[Sequence[str]], n: int) -> list[tuple[int, list[str]]]:
    """
    Which traces are asked about again: ``n`` askings, one round of the first run, one of the next, and so on until they are spent.

    Args:
        ids: Of each run the traces that can be asked about, in random order.
        n: How many askings; as many more rounds as it takes where the runs have fewer traces.
    """
    turns: list[tuple[int, list[str]]] = []
    while n > 0 and any(ids):
        for at, mine in enumerate(ids):
            if mine and n > 0:
                turns.append((at, list(mine[:n])))
                n -= len(mine[:n])
    return turns


Round = tuple[str, Sequence[JudgedTrace], Sequence[JudgedTrace]]
"""A run, some traces of it as they were judged first, and the same as they were judged again."""


def noise_between(first: Sequence[JudgedTrace], second: Sequence[JudgedTrace], *, source: str, run_id: str = "") -> JudgeNoise:
    """What two judgings of the same traces differ by: verdicts of claims, and every metric. ``run_id``: the run that they are of."""
    return noise_of([(run_id, first, second)], source=source)


def noise_of(rounds: Sequence[Round], *, source: str) -> JudgeNoise:
    """What judging again came to, over several rounds of it. Values of up to ``MOST_AGAIN`` traces are kept one by one."""
    changes: dict[str, list[float]] = {}
    again: dict[str, dict[str, dict[str, tuple[float, ...]]]] = {}
    keeps = sum(len(first) for _, first, _ in rounds) <= MOST_AGAIN
    for run, first, second in rounds:
        mine, theirs = _values(first), _values(second)
        for metric in mine.keys() & theirs.keys():
            both = {i: (a, b) for i, a in mine[metric].items() if a is not None and (b := theirs[metric].get(i)) is not None}
            changes.setdefault(metric, []).extend(b - a for a, b in both.values())
            kept = again.setdefault(run, {}).setdefault(metric, {}) if keeps else {}
            kept.update({i: (*kept.get(i, ()), b) for i, (_, b) in both.items()})
    n = sum(len(first) for _, first, _ in rounds)
    return JudgeNoise(
        floor=noise_floor(_verdicts([first for _, first, _ in rounds]), _verdicts([second for _, _, second in rounds])),
        spread={metric: each for metric, moved in changes.items() if (each := spread_of(moved)) is not None}, n_traces=n, source=source, again=again,
    )


def computes(judge: str) -> str | None:
    """The name of a judge that gives the same verdict each time; None when it may not, or is not known here. Loads nothing."""
    try:
        made = make_judge(judge_word(judge))
    except (RagvizError, TypeError, ValueError):
        return None
    return made.info.name if made.info.deterministic and made.info.claim_set != "imported" else None


def judge_word(judge: str) -> str:
    """The name that makes the judge with this fingerprint: ``local``, ``anthropic:<model>``, ``nli:<model>``."""
    words = [*judge.split(":"), "-", "-", "-", "-"]
    name, model = words[0], words[3]
    return name if model == "-" or name == "local" else f"{name}:{model}"


class _Told:
    """How far the asking is, and whether it is to stop."""

    def __init__(self, total: int, on_progress: Progress | None, cancel: threading.Event | None) -> None:
        self.done, self.total, self._on_progress, self._cancel = 0, total, on_progress, cancel

    def stop(self) -> None:
        if self._cancel is not None and self._cancel.is_set():
            raise Cancelled("measuring the judge's noise was stopped", fix="start it again; nothing of it is kept")

    def more(self, n: int) -> None:
        self.done += n
        if self._on_progress is not None:
            self._on_progress(self.done, max(self.total, self.done))


def _drawn(store: Store, view: View) -> list[str]:
    """The traces with claims, in random order."""
    with_claims = [result.trace_id for result in store.results(view) if result.verdicts]
    return [with_claims[at] for at in np.random.default_rng(0).permutation(len(with_claims))]


def _round(store: Store, view: View, ids: Sequence[str], judge: Judge, told: _Told) -> Round:
    """Each trace as it was judged, and as it is now; people's words are left out, since they are the same in both."""
    first: list[JudgedTrace] = []
    second: list[JudgedTrace] = []
    for start in range(0, len(ids), BATCH):
        told.stop()
        some = [replace(case, annotations=()) for case in store.judged(view, ids[start : start + BATCH])]
        first += some
        second += _asked_again(store, some, judge)
        told.more(len(some))
    return view.run_id, first, second


def _asked_again(store: Store, cases: Sequence[JudgedTrace], judge: Judge) -> list[JudgedTrace]:
    asker = Asker(judge, store, fresh=True)
    # The first answer stays the one that others get from the cache.
    asker.writes = False
    said: dict[str, list[Judgement]] = {case.trace.id: [] for case in cases}
    for judgement in asker.ask([pair for case in cases for pair in single_pairs(case, judge)]):
        said[judgement.key.trace_id].append(judgement)
    joined = [pair for case in cases for pair in pairs_to_join(case, judge, said[case.trace.id])]
    by_id = {case.trace.id: case for case in cases}
    for judgement in asker.ask(joined):
        case = by_id[judgement.key.trace_id]
        said[case.trace.id].append(unjoin(judgement, case.trace, case.k))
    return [replace(case, judgements=tuple(said[case.trace.id])) for case in cases]


def _verdicts(rounds: Sequence[Sequence[JudgedTrace]]) -> dict[tuple[str, str], Grounding]:
    """By trace, and by claim and round."""
    return {
        (case.trace.id, f"{at} {claim}"): found.grounding
        for at, cases in enumerate(rounds) for case in cases for claim, found in groundings(case, Table.RESPONSE_X_PASSAGES).items()
    }


def _values(cases: Sequence[JudgedTrace]) -> dict[str, dict[str, float | None]]:
    found: dict[str, dict[str, float | None]] = {}
    for case in cases:
        scores: Mapping[str, Score] = score_all(case)
        for metric, score in scores.items():
            found.setdefault(metric, {})[case.trace.id] = score.value
    return found
