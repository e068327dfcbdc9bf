"""The judge's own noise, measured: some traces are judged a second time on identical inputs, asked anew and not out of the cache."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence

import numpy as np
from msgspec.structs import replace

from ragviz.compare.noise import JudgeNoise, no_noise, noise_floor, unknown_noise, value_spread
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
BATCH = 8
GIVEN = "not known: the verdicts came with the file, and whoever gave them cannot be asked again"


def measure_noise(
    store: Store, view: View, judge_name: str | Judge | None = None, *, n: int = SAMPLE, api_key: str | None = None, on_progress: Progress | None = None,
    cancel: threading.Event | None = None,
) -> JudgeNoise:
    """
    Ask a judge about some traces of a run again and compare with what it said before. Nothing is stored: the verdicts in force stay.

    A judge that computes its verdicts is not asked: its noise is 0. Verdicts that came with the file cannot be asked for again: their noise is not known.
    Ratings of raters (relevance) are not asked again.

    Args:
        store: Where the run is.
        view: The run, already judged by this judge.
        judge_name: The view's judge by name, or made; None = the run's default judge.
        n: How many traces, drawn at random with a fixed seed among those with claims.
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
    ids = _sample(store, view, n)
    before: list[JudgedTrace] = []
    after: list[JudgedTrace] = []
    for start in range(0, len(ids), BATCH):
        if cancel is not None and cancel.is_set():
            raise Cancelled("measuring the judge's noise was stopped", fix="start it again; nothing of it is kept")
        some = [replace(case, annotations=()) for case in store.judged(view, ids[start : start + BATCH])]
        before += some
        after += _asked_again(store, some, judge)
        if on_progress is not None:
            on_progress(len(before), len(ids))
    return noise_between(before, after, source=f"{counted(len(ids), 'trace')} judged again by {made.info.name}, asked anew")


def noise_between(first: Sequence[JudgedTrace], second: Sequence[JudgedTrace], *, source: str) -> JudgeNoise:
    """What two judgings of the same traces differ by: verdicts of claims, and every metric."""
    mine, theirs = _values(first), _values(second)
    spreads = {metric: value_spread(mine[metric], theirs[metric]) for metric in mine if metric in theirs}
    return JudgeNoise(
        floor=noise_floor(_verdicts(first), _verdicts(second)), spread={metric: each for metric, each in spreads.items() if each is not None},
        n_traces=len(first), source=source,
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


def _sample(store: Store, view: View, n: int) -> list[str]:
    with_claims = [result.trace_id for result in store.results(view) if result.verdicts]
    drawn = np.random.default_rng(0).permutation(len(with_claims))[:n]
    return [with_claims[at] for at in sorted(drawn)]


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


def _verdicts(cases: Sequence[JudgedTrace]) -> dict[tuple[str, str], Grounding]:
    return {(case.trace.id, claim): found.grounding for case in cases for claim, found in groundings(case, Table.RESPONSE_X_PASSAGES).items()}


def _values(cases: Sequence[JudgedTrace]) -> dict[str, dict[str, float | None]]:
    found: dict[str, dict[str, float | None]] = {}
    for case in cases:
        scores: Mapping[str, Score] = score_all(case)
        for metric, score in scores.items():
            found.setdefault(metric, {})[case.trace.id] = score.value
    return found
