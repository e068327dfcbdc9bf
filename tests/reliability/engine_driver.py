"""
Run as a program: judges a run in two processes of this machine or on a Ray cluster, says on stdout how many traces are stored, until it is done,
interrupted or killed.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass
from pathlib import Path

from ragviz.cli.interrupting import stop_on_interrupt
from ragviz.errors import Cancelled
from ragviz.pipeline.engines import judge_in_processes, judge_on_ray
from ragviz.records import Judgement, Pair
from ragviz.store import open_store
from tests.unit.pipeline.fakes import WordJudge

STOPS_AFTER = 3
"""Words, after which it waits to be killed or interrupted: whoever is slow to do so must not find it done."""


@dataclass
class WatchedWords(WordJudge):
    """A judge that leaves a file named after its process, and takes its time."""

    folder: str = ""
    seconds: float = 0.0
    beside: int = 0
    """Processes that it waits to see, at most five minutes: a worker that starts late must find work left."""

    def judge(self, pairs: Sequence[Pair]) -> list[Judgement]:
        (Path(self.folder) / str(os.getpid())).touch()
        latest = time.monotonic() + 300
        while len([*Path(self.folder).iterdir()]) < self.beside and time.monotonic() < latest:
            time.sleep(0.05)
        time.sleep(self.seconds)
        return super().judge(pairs)


def main(store: str, run_id: str, address: str, folder: str) -> int:
    """``address``: of a cluster; "here": further processes of this machine. Exit code 0 when everything is judged, 130 when interrupted."""
    n_told = 0
    answer = sys.stdout

    with stop_on_interrupt() as cancel, redirect_stdout(sys.stderr):  # Ray tells of lost workers by itself; as in the command, standard output is for the answer

        def told(done: int, _total: int | None) -> None:
            nonlocal n_told
            n_told += 1
            answer.write(f"{done}\n")
            answer.flush()
            if n_told == STOPS_AFTER:
                cancel.wait(300)

        try:
            judge = WatchedWords(folder=folder, seconds=0.05)
            if address == "here":
                judge_in_processes(open_store(store), run_id, judge, n_workers=2, on_progress=told, cancel=cancel)
            else:
                judge_on_ray(open_store(store), run_id, judge, address=address, n_workers=2, on_progress=told, cancel=cancel)
        except Cancelled:
            return 130
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
