"""
A large store to measure on: a run of many traces that read like an online shop's help desk, judged and scored, with about five claims each.

    python benchmarks/large_store.py STORE [--traces 100000] [--runs 1] [--name large]

Texts are made up from a seed. A few hundred cases are imported, judged by ``facts`` and scored the usual way; the large run repeats them with other order
numbers, other side passages, dates, tags and revisions of the documents, so that questions are all different and passages mostly are. Everything goes in
by the store's own ways. ``--runs 200`` makes as many runs of the same questions, one a night. Prints what each part took, in CPU time.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import tempfile
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from ragviz import __version__
from ragviz.contracts import View
from ragviz.judges import raters
from ragviz.pipeline import import_files, judge_run
from ragviz.pipeline.rankings import pack_ranking
from ragviz.records import Claim, JudgedTrace, Judgement, Passage, Provenance, RunManifest, Score, Trace, TraceResult, Usage
from ragviz.store import Store, open_store

CASES = 400
BATCH = 500
THINGS = ("kettle", "lamp", "tent", "bicycle", "printer", "blender", "camera", "backpack", "heater", "keyboard", "drill", "sofa", "router", "stroller", "helmet", "watch",
          "speaker", "monitor", "mower", "toaster")
ASPECTS = (
    ("return period", "The {t} can be returned within {v}.", ("14 days", "30 days", "60 days", "90 days")),
    ("warranty", "The warranty of the {t} runs for {v}.", ("1 year", "2 years", "3 years", "5 years")),
    ("delivery", "Delivery of the {t} takes {v}.", ("1 working day", "3 working days", "5 working days", "2 weeks")),
    ("postage", "Return postage for the {t} costs {v}.", ("nothing", "4 EUR", "9 EUR", "15 EUR")),
    ("weight", "The {t} weighs {v}.", ("2 kg", "7 kg", "12 kg", "30 kg")),
    ("service", "The {t} is serviced every {v}.", ("6 months", "12 months", "18 months", "24 months")),
)
SOURCES = ("help centre", "help centre archive", "partner site", "customer forum")
TOPICS = ("returns", "warranty", "delivery", "payment", "repairs", "accounts")
FILLER = (
    "Please have the order number at hand. Photos help us to decide sooner. This text was checked by the service team and is part of the public help pages."
)


def case(rng: random.Random, n: int) -> dict[str, Any]:
    """One question about a thing: five passages with dates and authorities, an answer of five statements that may be wrong, uncited or invented."""
    thing = f"{rng.choice(THINGS)} {rng.randint(100, 999)}"
    truth = {name: rng.choice(values) for name, _, values in ASPECTS}
    asked = [name for name, _, _ in rng.sample(ASPECTS, 5)]
    said = {
        name: value if rng.random() < 0.8 else rng.choice([v for v in values if v != value])
        for name, value, values in ((a, truth[a], values_of(a)) for a in asked)
    }
    passages, home = [], {}
    for rank in range(1, 4):
        facts = {name: truth[name] if rng.random() < 0.88 else rng.choice(values_of(name)) for name in asked[rank - 1 :: 3]}
        home.update(dict.fromkeys(facts, rank))
        passages.append(passage(thing, rank, facts, rng, f"case-{n}-{rank}"))
    passages += [passage(thing, rank, {}, rng, f"side-{rank}") for rank in (4, 5)]
    declines = rng.random() < 0.06
    marks = {name: f" [{home[name] if rng.random() < 0.85 else rng.randint(1, 7)}]" if rng.random() < 0.8 else "" for name in asked}
    sentences = {name: sentence(thing, name, said[name]) for name in asked}
    response = "I cannot answer this from the documents I have." if declines else " ".join(s[:-1] + marks[name] + "." for name, s in sentences.items())
    row: dict[str, Any] = {
        "id": f"case-{n}", "question": f"What should I know about the {thing}?", "response": response, "passages": passages,
        "claims": [] if declines else [claim(thing, name, said[name], "response") for name in asked], "model": rng.choice(("model-a", "model-b")),
    }
    if rng.random() < 0.85:
        row["reference"] = " ".join(sentence(thing, name, truth[name]) for name in asked)
        row["claims"] += [claim(thing, name, truth[name], "reference") for name in asked]
    if rng.random() < 0.9:
        row["relevant_ids"] = [f"case-{n}-{rank}" for rank in sorted(rng.sample((1, 2, 3), rng.randint(1, 3)))] + (
            [f"missed-{n % 50}"] if rng.random() < 0.3 else []
        )
    if rng.random() < 0.7:
        row["answerable"] = rng.random() < 0.9
    return row


def claim(thing: str, name: str, value: str, side: str) -> dict[str, str]:
    return {"text": sentence(thing, name, value), "attribute": name, "value": value, "side": side}


def values_of(name: str) -> tuple[str, ...]:
    return next(values for aspect, _, values in ASPECTS if aspect == name)


def sentence(thing: str, name: str, value: str) -> str:
    return next(words for aspect, words, _ in ASPECTS if aspect == name).format(t=thing, v=value)


def passage(thing: str, rank: int, facts: dict[str, str], rng: random.Random, doc: str) -> dict[str, Any]:
    text = " ".join([*(sentence(thing, name, value) for name, value in facts.items()), FILLER])
    return {
        "id": f"p{rank}",
        "doc_id": doc,
        "text": text,
        "rank": rank,
        "score": round(1 - rank / 10, 3),
        "source": rng.choice(SOURCES),
        "title": f"About the {thing}, part {rank}",
        "facts": [{"attribute": name, "value": value} for name, value in facts.items()],
        "effective_date": f"202{rng.randint(3, 6)}-0{rng.randint(1, 9)}-01",
        "authority": rng.choice(("official", "secondary", "forum")),
    }


def judged_cases(folder: Path) -> list[tuple[JudgedTrace, TraceResult]]:
    """The cases, judged by ``facts`` and scored."""
    rng = random.Random(11)
    path = folder / "cases.jsonl"
    path.write_text("".join(json.dumps(case(rng, n)) + "\n" for n in range(CASES)), encoding="utf-8")
    with_cases = open_store(":memory:")
    report = import_files(with_cases, [path], run_name="cases")
    assert report.n_traces == CASES, report.issues[:3]
    # Without a relevance of the answers there are no quadrants; the facts judge alone loads no model for one.
    done = judge_run(with_cases, report.run_id, "facts", rater_names=[name for name in raters.names() if not raters.make(name).info.network])
    results = {r.trace_id: r for r in with_cases.results(done.view)}
    found = [(seen, results[seen.trace.id]) for seen in with_cases.judged(done.view)]
    with_cases.close()
    return found


def stamped(cases: list[tuple[JudgedTrace, TraceResult]], n: int, *, night: int) -> Iterator[tuple[Trace, JudgedTrace, TraceResult]]:
    """``n`` traces out of the cases, each with an id, a time and side passages of its own."""
    rng = random.Random(5 + night)
    side = [f"{' '.join(rng.choices(THINGS, k=8)).capitalize()}. {FILLER} Page {at}." for at in range(max(50, n // 20))]
    start = datetime(2026, 1, 1, tzinfo=UTC) + timedelta(days=night)
    for at in range(n):
        asked, (other, result) = cases[at % len(cases)][0], cases[(at + night) % len(cases)]
        seen = replace(other, trace=replace(other.trace, question=asked.trace.question))
        revision = at // len(cases) % 50
        passages = tuple(_restamped(p, revision, rng.randrange(len(side)), side) for p in seen.trace.passages or ())
        yield replace(
            seen.trace, id=f"trace-{at:07d}", question=f"{seen.trace.question} Order {at}.", passages=passages, started_at=start + timedelta(seconds=7 * at),
            tags={"topic": rng.choice(TOPICS), "language": rng.choice(("en", "en", "de", "fr")), "release": f"r{at * 8 // n}"}, origin=f"large.jsonl:{at + 1}",
            usage=None if rng.random() < 0.1 else replace(USAGE, latency_ms=round(rng.lognormvariate(7, 0.5), 1), cost_usd=round(rng.random() / 100, 5)),
        ), seen, result


USAGE = Usage()


def _restamped(p: Passage, revision: int, other: int, side: list[str]) -> Passage:
    if p.rank > 3:
        return replace(p, doc_id=f"page-{other}", text=side[other], title=f"Page {other}")
    return replace(p, text=f"{p.text} Revision {revision}.", revision=str(revision))


def fill(store: Store, n: int, name: str, cases: list[tuple[JudgedTrace, TraceResult]], *, night: int = 0) -> View:
    """A run, with claims, verdicts and results."""
    judge = next(seen.judgements[0].provenance for seen, _ in cases if seen.judgements)
    manifest = RunManifest(run_id=name, name=name, created_at=store.now(), ragviz_version=__version__, format="made up")
    view = View(run_id=name, judge=judge.fingerprint, claim_set="facts")
    store.create_run(manifest)
    spent = {"traces": 0.0, "claims and verdicts": 0.0, "results": 0.0}
    batch: list[tuple[Trace, JudgedTrace, TraceResult]] = []
    for at, one in enumerate(stamped(cases, n, night=night), start=1):
        batch.append(one)
        if len(batch) == BATCH or at == n:
            _store(store, view, judge, batch, spent)
            batch = []
    store.finish_run(replace(manifest, n_traces=n))
    for what, seconds in spent.items() if night == 0 else ():
        print(f"{what:22}{seconds / n * 1000:8.3f} ms CPU a trace{seconds:10.1f} s CPU")
    return view


def _store(store: Store, view: View, judge: Provenance, batch: list[tuple[Trace, JudgedTrace, TraceResult]], spent: dict[str, float]) -> None:
    begin = time.process_time()
    store.add_traces(view.run_id, [t for t, _, _ in batch], packed={t.id: pack_ranking(t) for t, _, _ in batch})
    spent["traces"] += time.process_time() - begin
    begin = time.process_time()
    claims: dict[tuple[str, str], list[Claim]] = {(t.id, view.claim_set): [replace(c, trace_id=t.id) for c in seen.claims] for t, seen, _ in batch}
    said: dict[str, list[Judgement]] = {t.id: [replace(j, key=replace(j.key, trace_id=t.id)) for j in seen.judgements] for t, seen, _ in batch}
    store.add_claim_sets(view.run_id, claims)
    store.add_judged(view.run_id, judge, said, claim_set=view.claim_set, scope=0)
    store.add_ratings(view.run_id, [replace(r, trace_id=t.id) for t, seen, _ in batch for r in seen.ratings])
    spent["claims and verdicts"] += time.process_time() - begin
    begin = time.process_time()
    store.put_results(view, [replace(r, trace_id=t.id, scores={k: _of(s, t.id) for k, s in r.scores.items()}) for t, _, r in batch])
    spent["results"] += time.process_time() - begin


def _of(score: Score, trace_id: str) -> Score:
    return replace(score, trace_id=trace_id)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("store", type=Path)
    parser.add_argument("--traces", type=int, default=100_000)
    parser.add_argument("--runs", type=int, default=1)
    parser.add_argument("--name", default="large")
    args = parser.parse_args()
    store = open_store(args.store)
    wall = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        cases = judged_cases(Path(folder))
    for night in range(args.runs):
        view = fill(store, args.traces, args.name if args.runs == 1 else f"{args.name}-{night + 1:03d}", cases, night=night)
    print(
        f"{args.traces:,} traces, {sum(store.claim_counts(view).values()):,} claims, {args.store.stat().st_size / 2**20:,.0f} MiB, "
        f"{time.perf_counter() - wall:.0f} s; "
        f"quadrants {store.counts_by(view, 'quadrant')}; peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MiB"
    )
    store.close()


if __name__ == "__main__":
    main()
