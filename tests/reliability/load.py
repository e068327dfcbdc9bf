"""
Many visitors at once, while a judge runs and another process imports and labels: ``python -m tests.reliability.load --minutes 10``.

Judge and importer are processes of their own that say what was acknowledged, and are killed (kill -9) at the end; afterwards every trace,
label and judged batch they spoke of is looked for. ``--store`` takes a store that ``benchmarks/large_store.py --name r`` made before.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest

from ragviz.pipeline import import_files
from ragviz.pipeline.judging import judge_run
from ragviz.records import Annotation, Claim, Grounding, Side
from ragviz.store import Store, open_store
from ragviz.ui.memory import PAUSE_S
from tests.reliability.crashing import sound
from tests.reliability.load_report import Found, Size, report
from tests.reliability.servers import REPO, opened
from tests.reliability.visitors import Click, draw, tab, trace_id, visit
from tests.unit.pipeline.fakes import WordJudge, a_file, without_models

RUN = "r"
BEHIND = 19
"""Priority of judge and importer, as ``nice`` counts: both take all that a processor has left, as work of a night does, and visitors go first."""
N_LABELS = 20
"""Labels after each import."""
HZ = os.sysconf("SC_CLK_TCK")
_FAULT = re.compile(r"[A-Za-z_][\w.]*(Error|Exception|Exit)\b")
"""How the last line of a traceback begins."""
_COLOUR = re.compile("\x1b\\[[0-9;]*m")


def work(role: str, path: Path, folder: Path, size: Size) -> None:
    """A process beside the server, until it is killed: prints a line for everything that was acknowledged."""
    store = open_store(path)
    if role == "judge":
        if size.judge == "words":
            without_models(pytest.MonkeyPatch())
        judge_run(store, RUN, WordJudge() if size.judge == "words" else size.judge, on_progress=lambda n, _: acknowledge({"judged": n}))
        return
    n = 0
    while True:
        n += 1
        run = import_files(store, [a_file(folder, size.each, name=f"more-{os.getpid()}-{n}.jsonl")]).run_id
        acknowledge({"imported": run, "n": size.each})
        ids = store.trace_ids(run)[:N_LABELS]
        store.add_claims(run, [Claim(id="c1", trace_id=i, side=Side.RESPONSE, text="The sky is blue.", extractor="rules") for i in ids])
        for i in ids:
            store.annotate(run, Annotation(trace_id=i, claim_id="c1", grounding=Grounding.NOT_SUPPORTED, author="ada", at=datetime.now(UTC)))
            acknowledge({"labelled": [run, i]})
        time.sleep(size.think_s)


def acknowledge(what: dict[str, object]) -> None:
    """Said once it is stored. After the first word, for which the visitors wait, all threads of this process let everybody else go first."""
    print(json.dumps(what), flush=True)
    if os.getpriority(os.PRIO_PROCESS, 0) < BEHIND:
        for thread in Path("/proc/self/task").iterdir():
            os.setpriority(os.PRIO_PROCESS, int(thread.name), BEHIND)


@contextmanager
def beside(role: str, path: Path, folder: Path, size: Size, found: Found) -> Iterator[Path]:
    """That process while the block runs; gives the file of what it acknowledged. That it ends by itself with a fault is one."""
    heard, words = folder / f"{role}.heard", [f"--{name.replace('_', '-')}={getattr(size, name)}" for name in ("each", "judge", "think_s")]
    with heard.open("wb") as out, (folder / f"{role}.log").open("wb") as log:
        process = subprocess.Popen([sys.executable, "-m", "tests.reliability.load", "--role", role, "--store", str(path), "--folder", str(folder), *words],
                                   cwd=REPO, stdout=out, stderr=log, env={**os.environ, "PYTHONPATH": str(REPO), "HF_HUB_OFFLINE": "1"})
    try:
        yield heard
    finally:
        if process.poll():
            found.faults.append(f"{role} ended: {(folder / f'{role}.log').read_text()[-400:]}")
        process.kill()
        process.wait(timeout=60)


def run(path: Path, folder: Path, size: Size, *, say: Callable[[str], None] = print) -> Found:
    """Visitors, judge and importer on a store that holds the run; ``faults`` and ``lost`` are to be empty."""
    found = Found()
    patience = str(int(size.patience_s))
    with opened(folder, env={"RAGVIZ_STORE": str(path), "STREAMLIT_SERVER_WEBSOCKET_PING_INTERVAL": patience if size.judge == "words" else "30"}) as port:
        pid = server_at(port)
        found.session_mib = of_one_session(port, pid, size)
        say(f"one more tab takes {found.session_mib:.1f} MiB")
        with ExitStack() as others:
            judged, written = (others.enter_context(beside(role, path, folder, size, found)) if not size.alone else nobody(folder, role) for role in ("judge", "write"))
            if not size.alone:
                both_at_work(judged, written, patience_s=size.patience_s)
            began, cpu = time.monotonic(), cpu_s(pid)
            until = began + size.minutes * 60
            visitors = [threading.Thread(target=visit, args=(port, until, found), kwargs={"run": RUN, "n_traces": size.n_traces, "think_s": size.think_s, "patience_s": size.patience_s,
                                                                                             "seed": seed}) for seed in range(size.sessions)]
            for visitor in visitors:
                visitor.start()
            while any(visitor.is_alive() for visitor in visitors):
                found.memory.append(((time.monotonic() - began) / 60, memory_mib(pid)))
                found.load.append(os.getloadavg()[0])
                if len(found.memory) % 4 == 1:
                    say(f"{found.memory[-1][0]:5.1f} min: memory {found.memory[-1][1]:,.0f} MiB, {len(found.took):,} pages drawn, {len(found.faults)} faults, load {found.load[-1]:.1f}")
                pause = time.monotonic() + min(5.0, size.minutes * 6)
                for visitor in visitors:
                    visitor.join(timeout=max(0.0, pause - time.monotonic()))
            found.cpu_s = cpu_s(pid) - cpu
        time.sleep(min(3 * PAUSE_S, size.minutes * 6))
        found.left_mib = memory_mib(pid)
        logged = _COLOUR.sub("", (folder / "server.log").read_text())
        found.logged = Counter(line.strip()[:300] for line in logged.splitlines() if _FAULT.match(line.strip()))
    check(path, judged, written, found)
    return found


def nobody(folder: Path, role: str) -> Path:
    """The file of one who acknowledges nothing."""
    heard = folder / f"{role}.heard"
    heard.touch()
    return heard


def both_at_work(*heard: Path, patience_s: float) -> None:
    """Wait until each has acknowledged something: on a busy machine that may take longer than a short form lasts."""
    until = time.monotonic() + patience_s
    while not all(file.stat().st_size for file in heard) and time.monotonic() < until:
        time.sleep(0.1)


def of_one_session(port: int, pid: int, size: Size) -> float:
    """MiB that one more tab takes, after every page's caches are filled by one of them."""
    look = Click("inspector", {"run": RUN, "trace": trace_id(1)})
    with tab(port) as first:
        for page in ("", "traces", "quadrants", "inspector"):
            draw(first, Click(page, look.query), patience_s=size.patience_s)
    before, tabs = memory_mib(pid), []
    for _ in range(size.sessions):
        opened_tab = tab(port)
        draw(opened_tab.__enter__(), look, patience_s=size.patience_s)
        tabs.append(opened_tab)
    after = memory_mib(pid)
    for opened_tab in tabs:
        opened_tab.__exit__(None, None, None)
    return (after - before) / size.sessions


def check(path: Path, judged: Path, written: Path, found: Found) -> None:
    """Everything acknowledged is there, once."""
    sound(path)
    store = open_store(path)
    said = [json.loads(line) for line in (*judged.read_text().splitlines(), *written.read_text().splitlines())]
    found.imported = {one["imported"]: one["n"] for one in said if "imported" in one}
    for name, n in found.imported.items():
        ids = store.trace_ids(name)
        if len(ids) != n or len(set(ids)) != n:
            found.lost.append(f"{name}: {len(ids)} of {n} traces")
    labels = [one["labelled"] for one in said if "labelled" in one]
    found.labelled = len(labels)
    found.lost += [f"label of {name}, {i}" for name, i in labels if len(store.words(name, i, "c1", "rules")) != 1]
    found.judged = max((one["judged"] for one in said if "judged" in one), default=0)
    _check_judged(store, found)
    store.close()


def _check_judged(store: Store, found: Found) -> None:
    """As many traces as the judge said, in the run's order, and no pair of them twice."""
    view = next((view for view, _ in store.views(RUN) if view.claim_set == "rules"), None)
    left = set(store.not_judged(RUN, view.judge, view.claim_set, 0)) if view else set(store.trace_ids(RUN))
    first = store.trace_ids(RUN)[: found.judged]
    found.lost += [f"verdicts of {i}" for i in first if i in left]
    for i in first[:: max(1, len(first) // 50)] if view else ():
        for case in store.judged(view, [i]):
            twice = [key for key, n in Counter(j.key for j in case.judgements).items() if n > 1]
            found.lost += [f"{key} judged twice" for key in twice]


def server_at(port: int) -> int:
    """The process whose command line names that port and Streamlit."""
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            words = (folder / "cmdline").read_bytes().split(b"\0")
        except OSError:
            continue
        if b"streamlit" in words and any(word.endswith(str(port).encode()) for word in words):
            return int(folder.name)
    raise AssertionError(f"no server at port {port}")


def memory_mib(pid: int) -> float:
    """Resident memory of a process."""
    return next(int(line.split()[1]) / 1024 for line in Path(f"/proc/{pid}/status").read_text().splitlines() if line.startswith("VmRSS"))


def cpu_s(pid: int) -> float:
    """Processor time of a process so far."""
    return sum(map(int, Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11:13])) / HZ


def stored(path: Path, n: int) -> None:
    """A store with the run, judged and scored, in a few minutes for a hundred thousand traces."""
    from benchmarks.large_store import fill, judged_cases

    with tempfile.TemporaryDirectory() as folder:
        cases = judged_cases(Path(folder))
    store = open_store(path)
    fill(store, n, RUN, cases)
    store.close()


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--sessions", type=int, default=20)
    parser.add_argument("--traces", type=int, default=100_000)
    parser.add_argument("--each", type=int, default=1_000, help="traces of one import")
    parser.add_argument("--judge", default="local")
    parser.add_argument("--think-s", type=float, default=3.0, help="between two clicks of a visitor, on average")
    parser.add_argument("--alone", action="store_true", help="visitors only: nobody judges, nobody imports")
    parser.add_argument("--store", type=Path, help="a store that holds the run r; it is written to")
    parser.add_argument("--role", choices=("judge", "write"), help=argparse.SUPPRESS)
    parser.add_argument("--folder", type=Path, help=argparse.SUPPRESS)
    args = parser.parse_args()
    size = Size(minutes=args.minutes, sessions=args.sessions, n_traces=args.traces, each=args.each, judge=args.judge, think_s=args.think_s, alone=args.alone)
    if args.role:
        work(args.role, args.store, args.folder, size)
        return
    with tempfile.TemporaryDirectory() as folder:
        path = args.store or Path(folder) / "load.sqlite"
        if args.store is None:
            stored(path, args.traces)
        found = run(path, Path(folder), size, say=lambda words: print(words, flush=True))
    print(report(found, size))
    raise SystemExit(bool(found.faults or found.lost or found.logged))


if __name__ == "__main__":
    main()
