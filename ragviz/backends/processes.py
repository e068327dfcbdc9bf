"""
Batches on further processes of this machine: Python runs one thread of itself at a time, a machine has more processors than that.

The same door as ``ray_cluster``: bytes go out, bytes come back, and nothing here knows what is in a batch. A process that dies is replaced and what it had in
hand is done again; who asks gets each answer once. Processes end with the one that started them, however that ends.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import pickle
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Future, ProcessPoolExecutor, wait
from multiprocessing import resource_tracker
from multiprocessing.connection import wait as wait_for
from typing import Any

from ragviz.backends.collector import look_rarely
from ragviz.errors import BackendError, Cancelled, SetupError

LOOK_S = 0.2
"""How often is looked whether to stop while nothing comes in."""
MOST_DEATHS = 3
"""Pools that may break without a single answer before it is given up."""
MOST_PER_PROCESSOR, NEVER_REFUSED = 4, 8
QUIET_TRACKER = "ignore:resource_tracker:UserWarning"
AHEAD = 2
"""Batches that wait for each process, so that none is idle; more would only hold memory."""

UNGUARDED = 'none gave an answer; a script of your own has to call this under `if __name__ == "__main__":`, since each process reads the script first'

Worker = Callable[[bytes], bytes]


class Near:
    """An object that each process makes for itself when it is first asked; can be sent to workers."""

    def __init__(self, made: type, *args: object) -> None:
        self._made, self._args = made, args
        self._object: Any = None

    def __call__(self, method: str, *args: object) -> Any:
        """What the method of that name returns."""
        if self._object is None:
            self._object = self._made(*self._args)
        return getattr(self._object, method)(*args)


class Processes:
    """Workers on this machine."""

    def __init__(self, n_workers: int) -> None:
        self.n_workers = n_workers

    def beside_me(self, made: type, *args: object) -> Near:
        """An object in each of the processes: what it opens, such as a store, can be opened by all of this machine."""
        return Near(made, *args)

    def stream(self, units: Sequence[bytes], worker: Callable[..., Worker], *args: object, stopped: Callable[[], bool] = lambda: False) -> Iterator[bytes]:
        """
        What workers answer to units, in the order in which answers come in.

        Args:
            units: What is to be done: what is lost with a process, and done again, is at most ``AHEAD`` of them a process.
            worker: Makes a worker, once in each process; must be importable there.
            args: Given to it; can be pickled.
            stopped: Asked several times a second.

        Raises:
            Cancelled: ``stopped`` said so; what is in hand is waited for and answered, nothing more is started.
            SetupError: What is given to the worker cannot be sent to another process.
            BackendError: Processes die one after another, or a worker raised what is no answer.
        """
        try:
            made = pickle.dumps((worker, args))
        except (pickle.PicklingError, TypeError, AttributeError) as exc:
            raise SetupError(f"this judge cannot be sent to another process: {exc}", fix="give its name instead, or judge in this process") from exc
        left, deaths = list(units), 0
        while left:
            n_before = len(left)
            try:
                yield from self._answers(left, made, stopped)
            except BrokenExecutor as exc:
                deaths = deaths + 1 if len(left) == n_before else 0
                if deaths >= MOST_DEATHS:
                    because = f": {UNGUARDED}" if len(left) == len(units) else ""
                    raise BackendError(
                        f"processes that judge die one after another{because}",
                        fix="free some memory, or take fewer of them (--workers); what was finished is kept",
                    ) from exc

    def _answers(self, left: list[bytes], made: bytes, stopped: Callable[[], bool]) -> Iterator[bytes]:
        """The same until a process dies; ``left`` keeps what has no answer yet."""
        n = min(self.n_workers, len(left))
        pool = ProcessPoolExecutor(n, mp_context=multiprocessing.get_context("spawn"), initializer=_begin, initargs=(made,))
        whole = False
        try:
            waiting = iter(list(left))
            under_way: dict[Future[bytes], bytes] = {}
            is_stopped = False
            while left and (under_way or not is_stopped):
                while not is_stopped and len(under_way) < n * AHEAD and (unit := next(waiting, None)) is not None:
                    with _unheard():
                        under_way[pool.submit(_work, unit)] = unit
                done, _ = wait(under_way, timeout=LOOK_S, return_when=FIRST_COMPLETED)
                for future in done:
                    answer, unit = _answer(future), under_way.pop(future)
                    left.remove(unit)
                    yield answer
                is_stopped = is_stopped or stopped()  # what is under way is not cancelled: a pool that breaks stumbles over that
            whole = True
        finally:
            if not whole:
                _end(pool)
            pool.shutdown()
        if left:
            raise Cancelled("judging was stopped", fix="start it again to go on from here")


@contextlib.contextmanager
def _unheard() -> Iterator[None]:
    """
    Processes that are started in this block do not hear Ctrl+C, not even before their first line: it is the command's to answer. Here it waits
    for the end of the block.
    """
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _end(pool: ProcessPoolExecutor) -> None:
    """
    End its processes at once, whatever they are doing. Left to themselves they would be waited for when Python ends, and another Ctrl+C then waits for ever.

    A process may end while it writes an answer: the end of the pipe that is open here is closed, or the rest would be waited for, too.
    """
    for process in list((pool._processes or {}).values()):  # noqa: SLF001 - kill_workers() comes with Python 3.14
        process.kill()
    answers: Any = pool._result_queue  # noqa: SLF001 - as above
    answers._writer.close()  # noqa: SLF001 - as above


def _answer(future: Future[bytes]) -> bytes:
    try:
        return future.result()
    except BrokenExecutor:
        raise
    except Exception as exc:  # a worker tells faults that people can mend as answers; this is none of them
        raise BackendError(f"a process that judges failed: {type(exc).__name__}: {exc}", fix="start the same command again: what was finished is kept") from exc


@contextlib.contextmanager
def joined(n_workers: int) -> Iterator[Processes]:
    """
    Processes until the end of the block; they are started by the first work.

    Raises:
        SetupError: More than could ever be of use here.
    """
    refuse_too_many(n_workers)
    _start_quiet_tracker()
    yield Processes(n_workers)


def processors() -> int:
    """How many this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def refuse_too_many(n_workers: int) -> None:
    """
    Raises:
        SetupError: More processes than could ever be of use on this machine.
    """
    if n_workers > most():
        raise SetupError(
            f"{n_workers:,} processes are more than this machine's {processors()} processors can keep busy, and each holds the model",
            fix=f"take --workers {processors()}; {most()} is the most",
        )


def most() -> int:
    """Processes beyond which the number is taken for a slip."""
    return max(NEVER_REFUSED, MOST_PER_PROCESSOR * processors())


def _start_quiet_tracker() -> None:
    """
    Start the process in which Python keeps track of semaphores. It frees those of a command that was killed, and says so on the terminal as if something
    had gone wrong.

    It takes its warning filters from here when it starts; the option is taken back at once.
    """
    sys.warnoptions.append(QUIET_TRACKER)
    try:
        resource_tracker.ensure_running()
    finally:
        sys.warnoptions.remove(QUIET_TRACKER)


# ---------- in the process ----------

_held: list[Worker] = []


def _begin(made: bytes) -> None:
    """Runs once in each process, before anything heavy is loaded. Without the command there is nothing to do."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent.sentinel,), name="ragviz-parent", daemon=True).start()
    look_rarely()
    worker, args = pickle.loads(made)  # noqa: S301 - pickled by the process that started this one
    _held.append(worker(*args))


def _end_with(sentinel: int) -> None:
    wait_for([sentinel])
    os._exit(1)


def _work(unit: bytes) -> bytes:
    return _held[0](unit)
