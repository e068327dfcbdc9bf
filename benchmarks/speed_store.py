"""
How fast the store is: import, one trace, a page, full text, an aggregate, columns. One table.

    python benchmarks/speed_store.py [--traces 100000] [--folder DIR] [--keep]

Traces are made from a seed: 5 passages of about 900 characters each out of a corpus of traces / 20, answers of three sentences,
2 tags, relevance labels, 4 claims, verdicts of one judge. Times are CPU milliseconds of this process, median of several runs.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import shutil
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from ragviz.contracts import View
from ragviz.pipeline import import_files, retrieval_curves
from ragviz.records import (
    Claim,
    Evidence,
    Grounding,
    Judgement,
    PairKey,
    Provenance,
    Score,
    ScoreStatus,
    Side,
    Span,
    Table,
    TraceResult,
    Verdict,
)
from ragviz.store import Store, TraceFilter, open_store

WORDS = [f"{a}{b}" for a in ("re", "un", "inter", "over", "sub", "pro", "de", "con") for b in (
    "turn", "ship", "pay", "port", "view", "lock", "claim", "fund", "count", "sign", "track", "mark", "call", "serve", "form", "press", "quire", "tain")]
JUDGE = Provenance(judge="bench", judge_version="1", params_hash="0")
METRICS = (
    "faithfulness",
    "hallucination",
    "correctness",
    "relevance",
    "context_recall",
    "context_precision",
    "precision_at_5",
    "recall_at_5",
    *(f"metric_{n}" for n in range(22)),
)


def sentence(rng: random.Random, n: int) -> str:
    return " ".join(rng.choices(WORDS, k=n)).capitalize() + "."


def rows(n: int) -> Iterator[dict[str, Any]]:
    rng = random.Random(7)
    corpus = [" ".join(sentence(rng, 14) for _ in range(8)) for _ in range(max(50, n // 20))]
    start = datetime(2026, 1, 1, tzinfo=UTC)
    for i in range(n):
        picks = rng.sample(range(len(corpus)), 5)
        yield {
            "id": f"trace-{i:07d}",
            "question": sentence(rng, 9).replace(".", "?"),
            "response": " ".join(sentence(rng, 11) for _ in range(3)) + f" Order {i}.",
            "passages": [
                {"id": f"doc-{p}", "doc_id": f"doc-{p}", "text": corpus[p], "rank": r + 1, "score": round(1 - r / 10, 3), "source": f"handbook-{p % 40}"}
                for r, p in enumerate(picks)
            ],
            "relevant_ids": [f"doc-{picks[0]}", "doc-0"],
            "started_at": (start + timedelta(seconds=i)).isoformat(),
            "usage": {"latency_ms": rng.random() * 2000},
            "tags": {"topic": rng.choice(WORDS), "lang": rng.choice(("en", "de", "fr"))},
        }


def cpu(work: Callable[[], Any], *, runs: int = 7) -> tuple[float, float]:
    """Median CPU and wall milliseconds."""
    spent, walls = [], []
    for _ in range(runs):
        c, w = time.process_time(), time.perf_counter()
        work()
        spent.append((time.process_time() - c) * 1000)
        walls.append((time.perf_counter() - w) * 1000)
    return statistics.median(spent), statistics.median(walls)


def judge(store: Store, view: View, ids: list[str]) -> None:
    """Verdicts and results without a judge's own time."""
    rng = random.Random(1)
    for start in range(0, len(ids), 500):
        some = ids[start : start + 500]
        claims = {
            (t, "rules"): [
                Claim(
                    id=f"c{n}",
                    trace_id=t,
                    side=Side.RESPONSE,
                    text="Return ship pay port view lock claim fund.",
                    spans=(Span(n * 40, n * 40 + 39),),
                    extractor="rules",
                )
                for n in range(1, 5)
            ]
            for t in some
        }
        store.add_claim_sets(view.run_id, claims)
        said = {}
        for t in some:
            said[t] = [
                Judgement(
                    key=PairKey(Table.RESPONSE_X_PASSAGES, t, f"c{c}", f"doc-{p}"),
                    verdict=Verdict.ENTAILED if p == c else Verdict.NEUTRAL,
                    confidence=0.87,
                    evidence=(Evidence(span=Span(0, 60), quote="x" * 60),) if p == c else (),
                    rationale="its words stand in the evidence" if p == c else "",
                    provenance=JUDGE,
                )
                for c in range(1, 5)
                for p in range(5)
            ]
        store.add_judged(view.run_id, JUDGE, said, claim_set="rules", scope=0)
        store.put_results(view, [result(t, rng) for t in some])


def result(trace_id: str, rng: random.Random) -> TraceResult:
    faithful = rng.choice((0.0, 0.25, 0.5, 0.75, 1.0))
    scores = {
        name: Score(
            metric=name,
            metric_version="1",
            trace_id=trace_id,
            value=faithful if name == "faithfulness" else round(rng.random(), 3),
            status=ScoreStatus.OK,
            support=4,
            numerator=faithful * 4,
        )
        if rng.random() < 0.8
        else Score(metric=name, metric_version="1", trace_id=trace_id, value=None, status=ScoreStatus.MISSING_INPUT, reason="the file has no expected answer")
        for name in METRICS
    }
    return TraceResult(
        trace_id=trace_id, scores=scores, quadrant=rng.choice(("good", "good", "good", "extra_claim", "lucky_guess", "wrong_mirror", "fabrication")),
        cause=rng.choice(("none", "retrieval_missed", "generator_added")), verdicts={"supported": int(faithful * 4), "contradicted": 4 - int(faithful * 4)},
        worst_claim="Return ship pay port view lock claim fund.", worst_verdict="contradicted" if faithful < 1 else "supported",
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--traces", type=int, default=100_000)
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--keep", action="store_true")
    args = parser.parse_args()
    folder = args.folder or Path(tempfile.mkdtemp(prefix="ragviz-bench-"))
    folder.mkdir(parents=True, exist_ok=True)
    try:
        measure(folder, args.traces)
    finally:
        if not args.keep:
            shutil.rmtree(folder, ignore_errors=True)


def measure(folder: Path, n: int) -> None:
    source = folder / "traces.jsonl"
    if not source.exists():
        with source.open("w") as out:
            for row in rows(n):
                out.write(json.dumps(row) + "\n")
    print(f"{n:,} traces, {source.stat().st_size / 2**20:.0f} MiB of JSON lines\n")
    store = open_store(folder / "store.sqlite")
    begin, wall = time.process_time(), time.perf_counter()
    report = import_files(store, [source], run_name="bench")
    spent, wall = time.process_time() - begin, time.perf_counter() - wall
    size = sum(p.stat().st_size for p in folder.glob("store.sqlite*")) / 2**20
    print(
        f"import                      {spent / n * 1000:8.3f} ms CPU a trace   ({spent:.1f} s CPU, {wall:.1f} s wall, {report.n_new:,} new, store "
        f"{size:.0f} MiB)"
    )
    view = View(run_id=report.run_id, judge=JUDGE.fingerprint, claim_set="rules")
    begin = time.process_time()
    ids = store.trace_ids(report.run_id)
    if not store.views(report.run_id):
        judge(store, view, ids)
    spent = time.process_time() - begin
    size = sum(p.stat().st_size for p in folder.glob("store.sqlite*")) / 2**20
    print(f"claims, verdicts, results   {spent / n * 1000:8.3f} ms CPU a trace   (store {size:.0f} MiB)")
    middle = ids[n // 2]
    questions: list[tuple[str, Callable[[], Any]]] = [
        ("page of 50, file order", lambda: store.page(view)),
        ("page of 50, at the middle", lambda: store.page(view, offset=n // 2)),
        ("page of 50, by faithfulness", lambda: store.page(view, sort="faithfulness")),
        ("page of 50, one quadrant", lambda: store.page(view, TraceFilter(quadrants=("fabrication",)))),
        ("page of 50, quadrant, sorted", lambda: store.page(view, TraceFilter(quadrants=("fabrication",)), sort="correctness", descending=True)),
        ("page of 50, contradicted", lambda: store.page(view, TraceFilter(verdicts=(Grounding.CONTRADICTED,)))),
        ("page of 50, one tag", lambda: store.page(view, TraceFilter(tags={"lang": "de"}))),
        ("page of 50, one source", lambda: store.page(view, TraceFilter(source="handbook-7"))),
        ("page of 50, two words", lambda: store.page(view, TraceFilter(text="return unship"))),
        ("page of 50, rare word", lambda: store.page(view, TraceFilter(text=str(n - 5)))),
        ("count, two words", lambda: store.count(view, TraceFilter(text="return unship"))),
        ("count, one quadrant", lambda: store.count(view, TraceFilter(quadrants=("fabrication",)))),
        ("count, contradicted", lambda: store.count(view, TraceFilter(verdicts=(Grounding.CONTRADICTED,)))),
        ("one trace with verdicts", lambda: store.one(view, middle)),
        ("one result", lambda: list(store.results(view, [middle]))),
        ("neighbours, file order", lambda: store.neighbours(view, TraceFilter(), "order", middle)),
        ("neighbours, one quadrant", lambda: store.neighbours(view, TraceFilter(quadrants=("good",)), "faithfulness", middle)),
        ("quadrants of the run", lambda: store.counts_by(view, "quadrant")),
        ("claims of the run", lambda: store.claim_counts(view)),
        ("quadrants of a tag", lambda: store.counts_by(view, "quadrant", TraceFilter(tags={"lang": "de"}))),
        ("data version", store.data_version),
    ]
    for name, work in questions:
        work()
        spent, wall = cpu(work)
        print(f"{name:28}{spent:8.2f} ms CPU {wall:8.2f} ms wall")
    for name, work in (
        ("three columns", lambda: store.columns(view, ["faithfulness", "correctness", "relevance"])),
        ("retrieval curves, k 1..20", lambda: retrieval_curves(store, view)),
    ):
        spent, wall = cpu(work, runs=1)
        print(f"{name:28}{spent:8.0f} ms CPU {wall:8.0f} ms wall")
    print(f"\npeak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MiB")
    store.close()


if __name__ == "__main__":
    main()
