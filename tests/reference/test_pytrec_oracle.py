"""Random runs against pytrec_eval itself: ties, grades, missing queries, short and long lists."""

from __future__ import annotations

import numpy as np
import pytest

from ragviz.metrics import score_all
from ragviz.metrics.trec import evaluate_run
from ragviz.records import JudgedTrace
from tests.build import a_passage, a_trace

pytrec_eval = pytest.importorskip("pytrec_eval")
KS = (1, 3, 10)
THEIRS = {"P": "P_{}", "R": "recall_{}", "nDCG": "ndcg_cut_{}", "AP": "map_cut_{}", "hit": "success_{}"}


def a_random_pair(seed: int, *, ties: bool) -> tuple[dict[str, dict[str, float]], dict[str, dict[str, int]]]:
    rng = np.random.default_rng(seed)
    run, qrels = {}, {}
    for q in range(12):
        docs = [f"d{i}" for i in rng.permutation(30)]
        scores = rng.integers(0, 5, 30) / 4 if ties else rng.random(30)
        run[f"q{q}"] = {d: float(s) for d, s in zip(docs[: rng.integers(1, 30)], scores, strict=False)}
        qrels[f"q{q}"] = {d: int(rng.integers(-1, 4)) for d in docs[5 : 5 + rng.integers(1, 25)]}
    return run, qrels


@pytest.mark.parametrize("level", [1, 2])
@pytest.mark.parametrize("ties", [False, True])
@pytest.mark.parametrize("seed", range(3))
def test_equal_on_random_runs(seed: int, ties: bool, level: int) -> None:
    """Every measure at three cut-offs and uncut, on every query."""
    run, qrels = a_random_pair(seed, ties=ties)
    cuts = ",".join(map(str, KS))
    measures = {f"P.{cuts}", f"recall.{cuts}", f"ndcg_cut.{cuts}", f"map_cut.{cuts}", f"success.{cuts}", "recip_rank", "map", "ndcg"}
    theirs = pytrec_eval.RelevanceEvaluator(qrels, measures, relevance_level=level).evaluate(run)

    ours = evaluate_run(run, qrels, KS, level)["per_query"]

    for query, values in theirs.items():
        expected = {f"{name}@{k}": values[pattern.format(k)] for name, pattern in THEIRS.items() for k in KS}
        expected |= {"RR": values["recip_rank"], "AP": values["map"], "nDCG": values["ndcg"]}
        assert {name: ours[query][name] for name in expected} == pytest.approx(expected, abs=1e-6)


def test_a_trace_and_a_run_file_say_the_same() -> None:
    """The same list as a trace and as a run, on every query that has something relevant."""
    run, qrels = a_random_pair(7, ties=False)
    names = {"P": "precision", "R": "recall", "nDCG": "ndcg", "AP": "average_precision", "RR": "reciprocal_rank", "hit": "hit"}
    from_run = evaluate_run(run, qrels, [5])["per_query"]

    for query, scores in run.items():
        ranked = sorted(scores, key=lambda d: -scores[d])
        trace = a_trace(passages=tuple(a_passage(n, doc_id=d) for n, d in enumerate(ranked, start=1)), relevance_grades=qrels[query])
        found = score_all(JudgedTrace(trace=trace, retrieval_k=5))
        if any(level > 0 for level in qrels[query].values()):
            assert {n: found[f"{stem}_at_5"].value for n, stem in names.items()} == pytest.approx({n: from_run[query][f"{n}@5"] for n in names})
