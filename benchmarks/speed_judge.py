"""
What the local judge costs, in CPU time: loading, a trace of 30 pairs (6 claims × 5 passages), one claim asked again, claims a second.

    python benchmarks/speed_judge.py [--plain] [--encoder onnx] [--processes 2]
    # --processes 2: wall time a trace of the lexical pass where two processes share the traces, as `ragviz judge --workers 2` does; --plain: sentence-transformers without any cache beside it (imports torch); --encoder onnx: onnxruntime instead of our own engine ('ragviz[onnx]')

Texts are the project's own minimal pairs; four premises joined make a passage of about 40 words.
"""

from __future__ import annotations

import argparse
import gc
import json
import random
import statistics
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import _lru_cache_wrapper, lru_cache
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from ragviz.backends.collector import look_rarely
from ragviz.backends.embedder import Embedder
from ragviz.backends.encoder_choice import ONNX, OWN, look_in
from ragviz.grounding.tables import joined_pairs, pairs_for
from ragviz.judges.local import LocalJudge
from ragviz.judges.local_view import look, view_claim, view_premise
from ragviz.records import Claim, Pair, Passage, Side, Table, Trace

PAIRS = Path(__file__).resolve().parents[1] / "tests" / "data" / "minimal_pairs.jsonl"
TABLE = Table.RESPONSE_X_PASSAGES
TRACES = 60
OF_WORDS = ("root", "key", "stem", "stemmed", "stem_weight")
"""Caches by word."""


def cpu(work: Callable[[], object]) -> float:
    """CPU milliseconds of one call."""
    begun = time.process_time()
    work()
    return (time.process_time() - begun) * 1000


def show(name: str, values: Iterable[float], unit: str = "ms") -> None:
    """Median, mean and 95th percentile."""
    ordered = sorted(values)
    print(f"{name:62} median {statistics.median(ordered):8.2f} {unit}   mean {statistics.mean(ordered):8.2f}   p95 {ordered[int(len(ordered) * 0.95)]:8.2f}")


def invented(n: int = TRACES) -> list[tuple[list[str], list[str]]]:
    """Claims and passages of each trace."""
    rows = [json.loads(line) for line in PAIRS.read_text(encoding="utf-8").splitlines()]
    rng = random.Random(7)
    premises = sorted({row["premise"] for row in rows})
    traces = []
    for _ in range(n):
        chosen = rng.sample(rows, 6)
        traces.append(([row["claim"] for row in chosen], [" ".join([row["premise"], *rng.sample(premises, 3)]) for row in chosen[:5]]))
    return traces


def pairs(n: int, claims: Sequence[str], passages: Sequence[str], *, joined: bool = False) -> list[Pair]:
    """Every claim against every passage, and against all of them together."""
    trace = Trace(
        id=f"{n}", question="", response=" ".join(claims), passages=tuple(Passage(id=f"p{k}", text=text, rank=k + 1) for k, text in enumerate(passages))
    )
    made = [Claim(id=f"c{k}", trace_id=trace.id, side=Side.RESPONSE, text=text, spans=(), extractor="rules") for k, text in enumerate(claims)]
    return [*pairs_for(trace, made, TABLE), *(joined_pairs(trace, made, TABLE) if joined else ())]


def measure(judge: LocalJudge, label: str, traces: list[tuple[list[str], list[str]]]) -> None:
    """A trace and a claim, with more and more of it known."""
    fresh = [pairs(n, claims, passages) for n, (claims, passages) in enumerate(traces)]
    show(f"{label}: 30 pairs, nothing known", [cpu(lambda p=p: judge.judge(p)) for p in fresh])
    show(
        f"{label}: 30 pairs, passages known, claims new",
        [cpu(lambda p=p: judge.judge(p)) for n, (c, t) in enumerate(traces) for p in [pairs(n, [f"Indeed {x}" for x in c], t)]],
    )
    known = [cpu(lambda p=p: judge.judge(p)) for p in fresh]
    show(f"{label}: 30 pairs, all known", known)
    ones = [pairs(n, [f"Surely {claims[0]}"], passages, joined=True) for n, (claims, passages) in enumerate(traces)]
    show(f"{label}: one new claim on 5 passages and all together", [cpu(lambda p=p: judge.judge(p)) for p in ones])
    show(f"{label}: one claim asked again", [cpu(lambda p=p: judge.judge(p)) for p in ones])
    claims = [pairs(n, [f"Clearly {c}"], [p]) for n, (cs, ps) in enumerate(traces) for c, p in zip(cs, ps, strict=False)]
    spent = sum(cpu(lambda p=p: judge.judge([q for one in p for q in one])) for p in [claims[i : i + 32] for i in range(0, len(claims), 32)])
    print(f"{label + ': claims a second, one passage each, passages known':62} {len(claims) / spent * 1000:8.0f}")


def lexical_pass(traces: list[tuple[list[str], list[str]]]) -> int:
    """Evidence and checks of every claim against every passage, each trace as if its texts were met for the first time; how many pairs that were."""
    n = 0
    for claims, passages in traces:
        for cache in text_caches():
            cache.cache_clear()
        n += sum(look(view_claim(c), view_premise(p)) is not None for c in claims for p in passages)
    return n


@lru_cache
def text_caches() -> list[Any]:
    """What ragviz remembers of texts, found where it is; what it remembers of words stays, as in any process that has judged before."""
    found = [o for o in gc.get_objects() if isinstance(o, _lru_cache_wrapper) and (o.__module__ or "").startswith("ragviz.")]
    return [cache for cache in found if cache.cache_parameters()["maxsize"] and cache.__name__ not in OF_WORDS]


def shared_out(n_processes: int, most: int = 1_200) -> None:
    """Wall time of traces that nobody has met, each process warm and set up as one of `ragviz judge --workers`."""
    traces = invented(most + TRACES)
    with ProcessPoolExecutor(n_processes, mp_context=get_context("spawn"), initializer=look_rarely) as pool:
        for _ in pool.map(lexical_pass, [traces[:TRACES]] * n_processes * 4):
            pass
        units = [traces[i : i + 20] for i in range(TRACES, len(traces), 20)]
        begun = time.perf_counter()
        n = sum(pool.map(lexical_pass, units))
        spent = (time.perf_counter() - begun) * 1000 / most
    print(f"{f'lexical and checks: {n // most} pairs, nothing known, {n_processes} processes, wall time':62} mean   {spent:8.2f} ms a trace")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--processes", type=int, default=0)
    parser.add_argument("--plain", action="store_true")
    parser.add_argument("--encoder", choices=(OWN, ONNX), default=OWN)
    options = parser.parse_args()
    if options.processes:
        shared_out(options.processes)
        return
    look_in(None, forced=options.encoder)
    traces = invented()
    show("loading: word lists and trees", [cpu(lambda: LocalJudge(embeddings=False).judge(pairs(0, ["A lamp is green."], ["The lamp is green."])))])
    view_claim.cache_clear()
    show("lexical and checks: 30 pairs, nothing known", [cpu(lambda t=t: [look(view_claim(c), view_premise(p)) for c in t[0] for p in t[1]]) for t in traces])
    show("lexical and checks: 30 pairs, all known", [cpu(lambda t=t: [look(view_claim(c), view_premise(p)) for c in t[0] for p in t[1]]) for t in traces])
    measure(LocalJudge(embeddings=False), "words", [([f"{c} " for c in cs], [f"{p} " for p in ps]) for cs, ps in traces])
    if not Embedder().available().ok:
        print("no sentence embeddings here")
        return
    show("loading: embedding model and its first sentence", [cpu(lambda: Embedder().encode(["first"]))])
    measure(LocalJudge(), "with embeddings", [([f" {c}" for c in cs], [f" {p}" for p in ps]) for cs, ps in traces])
    if options.plain:
        _plain(traces)


def _plain(traces: list[tuple[list[str], list[str]]]) -> None:
    """The usual way: claim and passage embedded for each pair, no cache."""
    from sentence_transformers import SentenceTransformer

    from ragviz.backends.embedding_weights import packaged_folder

    begun = time.process_time()
    model = SentenceTransformer(str(packaged_folder()), device="cpu", local_files_only=True)
    print(f"{'plain sentence-transformers: loading':62} {time.process_time() - begun:15.2f} s")
    texts = [text for claims, passages in traces[:5] for c in claims for p in passages for text in (c, p)]
    spent = cpu(lambda: model.encode(texts, batch_size=64, show_progress_bar=False))
    print(f"{'plain sentence-transformers: 30 pairs, no cache':62} median {spent / 5:8.2f} ms")
    judge = LocalJudge()
    again = [pairs(n, [f"{c} again" for c in claims], [f"{p} " for p in passages]) for n, (claims, passages) in enumerate(traces[:5])]
    spent = cpu(lambda: [judge.judge(p) for p in again])
    print(f"{'local judge with embeddings: 30 pairs, nothing known':62} mean   {spent / 5:8.2f} ms")


if __name__ == "__main__":
    main()
