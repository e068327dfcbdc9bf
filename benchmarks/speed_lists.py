"""
What the store takes for what pages ask, in CPU milliseconds, median of seven (the first of each is thrown away).

    python benchmarks/speed_lists.py STORE [STORE …]

For stores that ``large_store.py`` or ``repeat_store.py`` made.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable
from typing import Any

from ragviz.contracts import View
from ragviz.pipeline import retrieval_curves
from ragviz.store import Store, TraceFilter, open_store

DE = TraceFilter(tags={"language": "de"})


def questions(store: Store, view: View, n: int) -> list[tuple[str, Callable[[], Any]]]:
    middle = store.ids_at(view.run_id, [n // 2])[0]
    return [
        ("page of 50", lambda: store.page(view)),
        ("one trace", lambda: store.one(view, middle)),
        ("words, page", lambda: store.page(view, TraceFilter(text="warranty kettle"))),
        ("rare word, page", lambda: store.page(view, TraceFilter(text="order 777"))),
        ("quadrants of the run", lambda: store.counts_by(view, "quadrant")),
        ("claims of the run", lambda: store.claim_counts(view)),
        ("quadrants of a tag", lambda: store.counts_by(view, "quadrant", DE)),
        ("claims of a tag", lambda: store.claim_counts(view, DE)),
        ("filter, sort, page", lambda: store.page(view, TraceFilter(quadrants=("fabrication",)), sort="correctness", descending=True)),
        ("tag, sort, page", lambda: store.page(view, DE, sort="faithfulness")),
        ("below 1, count", lambda: store.count(view, TraceFilter(ranges=(("faithfulness", None, 0.9),)))),
        ("neighbours", lambda: store.neighbours(view, TraceFilter(quadrants=("good",)), "faithfulness", middle)),
        ("eight columns", lambda: store.columns(view, ["faithfulness", "correctness", "relevance", "hallucination", "n_claims", "n_unjudged"])),
        ("retrieval, k 1..20", lambda: retrieval_curves(store, view)),
        ("version", lambda: store.run_version(view.run_id)),
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("stores", nargs="+", metavar="STORE")
    rows: dict[str, list[str]] = {}
    for path in parser.parse_args().stores:
        store = open_store(path)
        run = store.runs()[0]
        view = store.views(run.run_id)[0][0]
        rows.setdefault("traces", []).append(f"{run.n_traces:,}")
        for name, work in questions(store, view, run.n_traces):
            work()
            spent = []
            for _ in range(7):
                begin = time.process_time()
                work()
                spent.append(1000 * (time.process_time() - begin))
            rows.setdefault(name, []).append(f"{statistics.median(spent):.2f}")
        store.close()
    for name, cells in rows.items():
        print(f"{name:24}" + "".join(f"{cell:>14}" for cell in cells))


if __name__ == "__main__":
    main()
