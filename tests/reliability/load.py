"""
Many visitors at once, while a judge runs and another process imports and labels: ``python -m tests.reliability.load --minutes 10``.

Visitors speak the dashboard's own websocket: each goes from page to page, to random traces and filters, as fast as it is answered.
Afterwards every import, label and judged trace that was acknowledged is looked for.
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
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlencode

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.sync.client import connect

from ragviz.pipeline import import_files
from ragviz.store import open_store
from tests.reliability.servers import REPO, opened

PAGES = ("", "quadrants", "traces", "inspector", "retrieval", "citations", "sources", "compare", "judges", "data")
ANSWER_TIMEOUT_S = 300
JUDGED_AHEAD = 400


@dataclass
class Found:
    """What the visitors met, and what was acknowledged to the writers."""

    seconds: list[float] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    memory_mib: list[float] = field(default_factory=list)
    imported: dict[str, int] = field(default_factory=dict)
    labelled: int = 0
    judged: int = 0
    lost: list[str] = field(default_factory=list)


def traces_file(path: Path, n: int, *, prefix: str = "q") -> Path:
    """Traces of a shop's help desk, with five passages each out of two thousand."""
    with path.open("w", encoding="utf-8") as out:
        for i in range(n):
            days = 10 + i % 50
            passages = [{"id": f"p{(i * 7 + r * 131) % 2000}", "rank": r + 1, "source": f"handbook {(i + r) % 12}",
                         "text": f"Part {(i * 7 + r * 131) % 2000}. An unopened item can be sent back within {10 + (i + r) % 50} days of delivery."} for r in range(5)]
            row = {"id": f"{prefix}{i}", "question": f"How long can I return item {i}?", "passages": passages, "tags": {"lang": ("en", "de", "fr")[i % 3]},
                   "response": f"An unopened item can be sent back within {days} days of delivery [1]. Keep the receipt.",
                   "reference": f"An unopened item can be sent back within {days} days of delivery.", "relevant_ids": [f"p{(i * 7) % 2000}"]}
            out.write(json.dumps(row) + "\n")
    return path


def visit(port: int, until: float, found: Found, n_traces: int, seed: int) -> None:
    """One visitor."""
    rng = random.Random(seed)
    while time.monotonic() < until:
        try:
            with connect(f"ws://127.0.0.1:{port}/_stcore/stream", subprotocols=["streamlit"], max_size=2**28, open_timeout=120, ping_interval=None) as socket:  # type: ignore[list-item]
                while time.monotonic() < until:
                    page, query = a_click(rng, n_traces)
                    began = time.monotonic()
                    faults = answered(socket.send, lambda: socket.recv(timeout=ANSWER_TIMEOUT_S), page, query)
                    found.seconds.append(time.monotonic() - began)
                    found.faults += [f"{page}?{query}: {fault}" for fault in faults]
        except Exception as exc:  # noqa: BLE001 - whatever it is, it is a fault to count
            found.faults.append(f"connection: {type(exc).__name__}: {exc}")
            time.sleep(1)


def a_click(rng: random.Random, n_traces: int) -> tuple[str, str]:
    """A page, and what stands in its address."""
    page = rng.choice(PAGES)
    trace = f"q{rng.randrange(n_traces)}"
    query = {"inspector": {"trace": trace, "run": "r"}, "traces": rng.choice(({"run": "r", "q": "item 77"}, {"run": "r", "page": "3"}, {"run": "r", "sort": "faithfulness"}))}
    return page, urlencode(query.get(page, {"run": "r"}))


def answered(send: Callable[[bytes], None], receive: Callable[[], object], page: str, query: str) -> list[str]:
    """Ask for a page and read until it is drawn; faults it showed."""
    ask = BackMsg()
    ask.rerun_script.query_string, ask.rerun_script.page_name = query, page
    send(ask.SerializeToString())
    faults = []
    while True:
        raw = receive()
        assert isinstance(raw, bytes)
        message = ForwardMsg()
        message.ParseFromString(raw)
        kind = message.WhichOneof("type")
        if kind == "delta" and message.delta.new_element.WhichOneof("type") == "exception":
            faults.append(message.delta.new_element.exception.message or message.delta.new_element.exception.type)
        if kind == "session_event" and message.session_event.WhichOneof("type") == "script_compilation_exception":
            faults.append("script_compilation_exception")
        if kind == "script_finished" and message.script_finished != ForwardMsg.FINISHED_EARLY_FOR_RERUN:
            return faults


def write(store: Path, folder: Path, until: float, found: Found, *, each: int) -> None:
    """A second process: import after import, twenty labels after each."""
    n = 0
    while time.monotonic() < until:
        n += 1
        file = traces_file(folder / f"more-{n}.jsonl", each, prefix=f"m{n}-")
        done = subprocess.run([sys.executable, "-m", "tests.reliability.load", "--write", str(file), "--store", str(store)], cwd=REPO, capture_output=True, text=True, check=False)
        if done.returncode:
            found.faults.append(f"import: {done.stderr.strip()[-300:]}")
            continue
        found.imported[f"more-{n}"] = each
        found.labelled += int(done.stdout)


def write_once(file: Path, store_path: Path) -> int:
    """In the second process: one import and its labels; says how many labels were acknowledged."""
    from datetime import UTC, datetime

    from ragviz.records import Annotation, Claim, Grounding, Side

    store = open_store(store_path)
    run = import_files(store, [file]).run_id
    ids = store.trace_ids(run)[:20]
    store.add_claims(run, [Claim(id="c1", trace_id=i, side=Side.RESPONSE, text="Keep the receipt.", extractor="rules") for i in ids])
    for i in ids:
        store.annotate(run, Annotation(trace_id=i, claim_id="c1", grounding=Grounding.NOT_SUPPORTED, author="ada", at=datetime.now(UTC)))
    store.close()
    return len(ids)


def memory_mib(port: int) -> float:
    """Of the server that listens there: its process is the one whose command line names the port and Streamlit."""
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            words = (folder / "cmdline").read_bytes().split(b"\0")
            if b"streamlit" in words and f"--server.port={port}".encode() in words:
                rss = next(line for line in (folder / "status").read_text().splitlines() if line.startswith("VmRSS"))
                return int(rss.split()[1]) / 1024
        except (OSError, StopIteration):
            continue
    return float("nan")


def run(folder: Path, *, minutes: float, sessions: int, n_traces: int, each: int, say: Callable[[str], None]) -> Found:
    """The whole thing; ``lost`` and ``faults`` are to be empty."""
    found, path = Found(), folder / "store.sqlite"
    store = open_store(path)
    run_id = import_files(store, [traces_file(folder / "r.jsonl", n_traces)], run_name="r").run_id
    store.close()
    env = {**os.environ, "PYTHONPATH": str(REPO), "HF_HUB_OFFLINE": "1"}
    judge_words = [sys.executable, "-m", "ragviz", "judge", "r", "--judge", "local", "--store", str(path), "--json"]
    subprocess.run([*judge_words, "--limit", str(min(JUDGED_AHEAD, n_traces // 2))], cwd=REPO, env=env, check=True, capture_output=True)
    say(f"{n_traces:,} traces stored")
    with opened(folder) as port:
        judge = subprocess.Popen(judge_words, cwd=REPO, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        until = time.monotonic() + minutes * 60
        workers = [threading.Thread(target=visit, args=(port, until, found, n_traces, seed)) for seed in range(sessions)]
        workers.append(threading.Thread(target=write, args=(path, folder, until, found), kwargs={"each": each}))
        for worker in workers:
            worker.start()
        while any(worker.is_alive() for worker in workers):
            found.memory_mib.append(memory_mib(port))
            say(f"memory {found.memory_mib[-1]:,.0f} MiB, {len(found.seconds):,} pages drawn, {len(found.faults)} faults, {len(found.imported)} imports")
            for worker in workers:
                worker.join(timeout=max(0.05, min(30.0, minutes * 6) / len(workers)))
        if judge.poll() is None:
            judge.send_signal(2)
        stderr = judge.communicate(timeout=120)[1].decode()
        if judge.returncode not in (0, 130):
            found.faults.append(f"judge: exit {judge.returncode}: {stderr[-300:]}")
        log = (folder / "server.log").read_text()
        found.faults += [line for line in log.splitlines() if "Traceback" in line or "Error" in line][:20]
    check(path, run_id, found)
    return found


def check(path: Path, run_id: str, found: Found) -> None:
    """Everything acknowledged is there, once."""
    store = open_store(path)
    by_name = {m.name: m for m in store.runs()}
    n_labels = 0
    for name, n in found.imported.items():
        ids = store.trace_ids(by_name[name].run_id) if name in by_name else []
        if len(ids) != n or len(set(ids)) != n:
            found.lost.append(f"{name}: {len(ids)} of {n} traces")
        view = next(iter(store.views(by_name[name].run_id)), None) if name in by_name else None
        n_labels += sum(len(store.words(by_name[name].run_id, i, "c1", "rules")) for i in ids[:20])
        assert view is None
    if n_labels != found.labelled:
        found.lost.append(f"{n_labels} of {found.labelled} labels")
    views = store.views(run_id)
    found.judged = views[0][1] if views else 0
    store.close()


def report(found: Found) -> str:
    """The lines for docs/RELIABILITY.md."""
    took = sorted(found.seconds) or [0.0]
    memory = found.memory_mib or [0.0]
    return "\n".join((
        f"pages drawn {len(took):,}, median {statistics.median(took):.2f} s, 95 % within {took[int(len(took) * 0.95) - 1]:.2f} s",
        f"faults {len(found.faults)}", *found.faults[:10],
        f"imports acknowledged {len(found.imported)} ({sum(found.imported.values()):,} traces), labels acknowledged {found.labelled:,}, traces judged {found.judged:,}, lost {len(found.lost)}", *found.lost[:10],
        "memory of the server, MiB, over time: " + " ".join(f"{m:,.0f}" for m in memory[:: max(1, len(memory) // 12)]),
    ))


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--sessions", type=int, default=20)
    parser.add_argument("--traces", type=int, default=100_000)
    parser.add_argument("--write", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--store", type=Path, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.write:
        print(write_once(args.write, args.store))
        return
    with tempfile.TemporaryDirectory() as folder:
        found = run(Path(folder), minutes=args.minutes, sessions=args.sessions, n_traces=args.traces, each=1_000, say=lambda words: print(words, flush=True))
    print(report(found))
    raise SystemExit(bool(found.faults or found.lost))


if __name__ == "__main__":
    main()
