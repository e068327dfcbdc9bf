"""
Taking traces in, opening a record, changing a filter: ours beside TruLens and Phoenix, in one run on the same traces. One table.

    python benchmarks/speed_dashboards.py [--records 10000] [--phoenix 1000] [--million STORE]

Everybody gets the traces of ``peer_traces``: five passages of 120 words, each retrieved ten times over the run, an answer of six sentences. TruLens stores
three metrics a record, Phoenix three annotations, ours a verdict on every claim and passage (30 a trace, six with a quote) and 30 scores a trace. CPU is that
of the process that does the work: TruLens' and our import the importing one, Phoenix's ingest its server, clicks the dashboard's server. Clicks of the two
Streamlit dashboards are made by one websocket client; what a browser would make a page ask for on top is not counted, for either. Phoenix is asked for one
trace by its query interface, as its page does. ``--million``: a store of ``large_store.py`` or ``repeat_store.py``, on which the same clicks are measured too.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import peer_venvs
from peer_traces import pool_of, rows
from process_cpu import cpu_s, memory_mib
from speed_store import JUDGE, result
from websocket_tab import Tab, tab

from ragviz.contracts import View
from ragviz.pipeline import import_files
from ragviz.records import Claim, Evidence, Judgement, PairKey, Side, Span, Table, Verdict
from ragviz.store import Store, open_store
from tests.reliability.load import server_at
from tests.reliability.servers import free_port, opened

CLICKS = 5


def show(what: str, figure: float | None, unit: str, more: str = "") -> None:
    print(f"{what:58}{'–' if figure is None else f'{figure:,.2f}':>12} {unit:12}{more}", flush=True)


def clicks(pid: int, work: Callable[[int], object]) -> float:
    """Median CPU ms of some clicks, the first left out: it fills caches."""
    spent = []
    for at in range(CLICKS + 1):
        begin = cpu_s(pid)
        work(at)
        spent.append((cpu_s(pid) - begin) * 1000)
    return statistics.median(spent[1:])


def size_of(store: Path) -> int:
    return sum(p.stat().st_size for p in store.parent.glob(f"{store.name}*"))


def ours(folder: Path, n: int) -> dict[str, float]:
    """Import, size, clicks."""
    source, place = folder / "traces.jsonl", folder / "ours.sqlite"
    with source.open("w") as out:
        for row in rows(n):
            out.write(json.dumps({name: value for name, value in row.items() if name != "claims"}) + "\n")
    store = open_store(place)
    import_files(open_store(":memory:"), [source])  # imports and word lists
    begin = time.process_time()
    run = import_files(store, [source], run_name="peer").run_id
    found = {"import_ms": (time.process_time() - begin) / n * 1000}
    store.close()
    found["imported_bytes"] = size_of(place) / n
    store = open_store(place)
    judged(store, View(run_id=run, judge=JUDGE.fingerprint, claim_set="rules"), n)
    store.close()
    found["judged_bytes"] = size_of(place) / n
    return found | looks(
        place, [row["id"] for row, _ in zip(rows(n), range(200), strict=False)], ["retrack", "unship", "overview", "subsign", "contain", "propay"]
    )


def judged(store: Store, view: View, n: int) -> None:
    """Verdicts and results without a judge's own time: each claim is entailed by one passage, with a quote of its start."""
    rng, every = random.Random(1), list(rows(n))
    for start in range(0, n, 500):
        some, claims, said = every[start : start + 500], {}, {}
        for row in some:
            t, at = row["id"], 0
            claims[t, view.claim_set] = made = []
            for c, claim in enumerate(row["claims"], start=1):
                made.append(
                    Claim(id=f"c{c}", trace_id=t, side=Side.RESPONSE, text=claim["text"], spans=(Span(at, at + len(claim["text"])),), extractor="rules")
                )
                at += len(claim["text"]) + 1
            said[t] = [
                Judgement(
                    key=PairKey(Table.RESPONSE_X_PASSAGES, t, f"c{c}", p["id"]),
                    verdict=Verdict.ENTAILED if p["rank"] == (c - 1) % 5 + 1 else Verdict.NEUTRAL,
                    confidence=0.87,
                    provenance=JUDGE,
                    evidence=(Evidence(span=Span(0, 60), quote=p["text"][:60]),) if p["rank"] == (c - 1) % 5 + 1 else (),
                    rationale="its words stand in the evidence" if p["rank"] == (c - 1) % 5 + 1 else "",
                )
                for c in range(1, 7)
                for p in row["passages"]
            ]
        store.add_claim_sets(view.run_id, claims)
        store.add_judged(view.run_id, JUDGE, said, claim_set=view.claim_set, scope=0)
        store.put_results(view, [result(row["id"], rng) for row in some])


def looks(place: Path, ids: list[str], words: list[str]) -> dict[str, float]:
    """Clicks in our dashboard on a store."""
    with tempfile.TemporaryDirectory() as home, opened(Path(home), env={"RAGVIZ_STORE": str(place.resolve())}) as port, tab(port) as one:
        pid = server_at(port)
        began = cpu_s(pid)
        one.open("traces")
        found = {"start_s": began, "first_s": cpu_s(pid) - began}
        found["open_ms"] = clicks(pid, lambda at: checked(one, "inspector", {"trace": ids[at * 7]}))
        found["search_ms"] = clicks(pid, lambda at: checked(one, "traces", {"q": words[at]}))
        return found | {"memory_mib": memory_mib(pid)}


def checked(one: Tab, page: str, query: dict[str, str]) -> None:
    one.open(page, query)
    assert not one.faults, one.faults


def trulens(folder: Path, n: int) -> dict[str, float] | None:
    place = folder / "trulens.sqlite"
    found = peer_venvs.ask("trulens", "trulens_fill.py", str(place), str(n), str(pool_of(n)), env={"HOME": str(folder)})
    if found is None:
        return None
    python = peer_venvs.python_of("trulens")
    assert python is not None
    main = subprocess.run(
        [str(python), "-c", "import trulens.dashboard as d, pathlib; print(pathlib.Path(d.__file__).parent / 'main.py')"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    port = free_port()
    command = [str(python), "-m", "streamlit", "run", "--server.headless=True", "--server.fileWatcherType=none", "--browser.gatherUsageStats=false", "--server.address=127.0.0.1",
               f"--server.port={port}", main.strip().splitlines()[-1], "--", "--database-prefix", "trulens_", "--database-url", f"sqlite:///{place}"]
    with serving(command, folder, {}) as pid, tab(port) as one:
        began = cpu_s(pid)
        one.open("Records")
        found |= {"start_s": began, "first_s": cpu_s(pid) - began}
        found["open_ms"] = clicks(pid, lambda at: one.select_row(at * 7))
        one.open("Records")
        words = ["retrack", "unship", "overview", "subsign", "contain", "propay"]
        found["search_ms"] = clicks(pid, lambda at: one.write("Search Records", words[at]))
        assert not one.faults, one.faults
        return found | {"memory_mib": memory_mib(pid)}


def phoenix(folder: Path, n: int) -> dict[str, float] | None:
    python = peer_venvs.python_of("phoenix")
    if python is None:
        return None
    port, place = free_port(), folder / "phoenix"
    place.mkdir()
    env = {"PHOENIX_WORKING_DIR": str(place), "PHOENIX_PORT": str(port), "PHOENIX_GRPC_PORT": str(free_port()), "PHOENIX_HOST": "127.0.0.1"}
    with serving([str(python), "-m", "phoenix.server.main", "serve"], folder, env) as pid:
        address = f"http://127.0.0.1:{port}"
        for _ in range(1_200):
            try:
                urllib.request.urlopen(f"{address}/healthz", timeout=5).close()
                break
            except OSError:
                time.sleep(0.1)
        began = cpu_s(pid)
        peer_venvs.ask("phoenix", "phoenix_ingest.py", address, "100", "warm", str(pid), str(pool_of(n)))
        found = peer_venvs.ask("phoenix", "phoenix_ingest.py", address, str(n), "counted", str(pid), str(pool_of(n)))
        if found is None:
            return None
        found |= {"start_s": began, "memory_mib": memory_mib(pid)}
    return found | {"bytes": sum(p.stat().st_size for p in place.glob("phoenix.db*")) / (n + 100)}


@contextmanager
def serving(command: list[str], folder: Path, env: dict[str, str]) -> Iterator[int]:
    with (folder / "peer.log").open("wb") as log:
        process = subprocess.Popen(
            command, cwd=folder, stdout=log, stderr=subprocess.STDOUT, env={**os.environ, **peer_venvs.QUIET, "HOME": str(folder), **env}
        )
    try:
        yield process.pid
    finally:
        process.terminate()
        process.wait(timeout=60)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--records", type=int, default=10_000)
    parser.add_argument("--phoenix", type=int, default=1_000)
    parser.add_argument("--million", type=Path)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        mine = ours(folder, args.records)
        show(f"ragviz, {args.records:,} records: import", mine["import_ms"], "ms CPU a trace")
        show("  store, imported", mine["imported_bytes"] / 1024, "KiB a record")
        show("  store, with claims, verdicts, quotes, results", mine["judged_bytes"] / 1024, "KiB a record")
        ours_clicks("  ", mine)
        if args.million is not None:
            large = looks(
                args.million,
                [f"trace-{at:07d}" for at in range(0, 90_000, 450)],
                ["kettle", "warranty kettle", "order 17", "postage lamp", "blender", "tent 14"],
            )
            ours_clicks(f"ragviz, {args.million.name}: ", large)
        other = phoenix(folder, args.phoenix)
        if other is not None:
            spent = other["spans_ms"] + other["annotations_ms"]
            show(
                f"{peer_venvs.version_of('phoenix')}, {args.phoenix:,} traces: ingest",
                spent,
                "ms CPU a trace",
                f"{spent / mine['import_ms']:.0f}× ours; spans alone {other['spans_ms'] / mine['import_ms']:.0f}×",
            )
            show("  store", other["bytes"] / 1024, "KiB a trace", ratio(other["bytes"], mine))
            show("  start", other["start_s"], "s CPU", f"{other['start_s'] / mine['start_s']:.1f}× ours")
            show("  open one trace", other["open_ms"], "ms CPU")
            show("  memory", other["memory_mib"], "MiB")
        other = trulens(folder, args.records)
        if other is not None:
            show(
                f"{peer_venvs.version_of('trulens')}, {args.records:,} records: its own way in",
                other["own_ms"],
                "ms CPU a trace",
                f"{other['own_ms'] / mine['import_ms']:.0f}× ours, three metrics included",
            )
            show("  insert_events, without evaluating", other["insert_ms"], "ms CPU a trace", f"{other['insert_ms'] / mine['import_ms']:.0f}× ours")
            show(f"  store, {other['events']} events a record", other["bytes"] / 1024, "KiB a record", ratio(other["bytes"], mine))
            ours_clicks("  ", other, mine)


def ratio(theirs: float, mine: dict[str, float]) -> str:
    return f"{theirs / mine['imported_bytes']:.1f}× ours imported, {theirs / mine['judged_bytes']:.1f}× judged"


def ours_clicks(name: str, found: dict[str, float], mine: dict[str, float] | None = None) -> None:
    for what, key, unit in (
        ("server up", "start_s", "s CPU"),
        ("first list of records", "first_s", "s CPU"),
        ("open a record", "open_ms", "ms CPU"),
        ("another search", "search_ms", "ms CPU"),
        ("memory", "memory_mib", "MiB"),
    ):
        show(name + what, found[key], unit, "" if mine is None else f"{found[key] / mine[key]:.1f}× ours")


if __name__ == "__main__":
    main()
