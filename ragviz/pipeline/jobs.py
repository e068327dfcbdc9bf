"""
Work in the background, one pool for the whole process: the same work is not started twice, can be watched and cancelled.

A job stores what it made before it is reported done, so a page that sees "done" and reads the store sees the result.
"""

from __future__ import annotations

import threading
import time
import weakref
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from enum import StrEnum
from typing import Any

import msgspec

from ragviz.errors import BudgetSpent, Cancelled, RagvizError

MAX_WORKERS = 4
KEPT_S = 3600.0
"""How long a finished job can still be asked about."""


class JobStatus(StrEnum):
    """Where a job is."""

    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"

    @property
    def is_over(self) -> bool:
        """True when nothing more will happen."""
        return self in (JobStatus.DONE, JobStatus.FAILED, JobStatus.CANCELLED)


class JobState(msgspec.Struct, frozen=True, kw_only=True):
    """A job as seen from outside at one moment."""

    key: str
    status: JobStatus
    done: int = 0
    total: int | None = None
    doing: str = ""
    """What it is at, in words; empty where the numbers say it."""
    message: str = ""
    """What went wrong, in one sentence."""
    fix: str = ""
    result: Any = None
    seconds: float = 0.0
    spent: bool = False
    """True when it was no person that stopped it but its budget."""

    @property
    def fraction(self) -> float | None:
        """Share that is done, in [0, 1]; None when the total is not known."""
        return min(1.0, self.done / self.total) if self.total else None


class Handle:
    """What the work gets: where to report, and whether to stop."""

    def __init__(self) -> None:
        self.cancel = threading.Event()
        self._done: tuple[int, int | None, str] = (0, None, "")

    def progress(self, done: int, total: int | None = None, doing: str = "") -> None:
        """Report; fits ``on_progress``."""
        self._done = (done, total, doing)


Work = Callable[[Handle], Any]


class _Job:
    def __init__(self, key: str, *, quiet: bool) -> None:
        self.key = key
        self.quiet = quiet
        self.handle = Handle()
        self.status = JobStatus.QUEUED
        self.error: RagvizError | None = None
        self.result: Any = None
        self.started = time.monotonic()
        self.ended: float | None = None
        self.future: Future[None] | None = None


def _at_exit(jobs: Jobs) -> None:
    """
    When the program ends, jobs are asked to stop, or it would stay until the last one is done: the interpreter waits for a pool's threads
    before it calls anything that was registered with ``atexit``.
    """
    register = getattr(threading, "_register_atexit", None)
    if register is not None:
        known = weakref.ref(jobs)

        def stop() -> None:
            alive = known()
            if alive is not None:
                alive.cancel_all()

        register(stop)


class Jobs:
    """The pool. Safe to use from any thread."""

    def __init__(self, *, max_workers: int = MAX_WORKERS) -> None:
        self._pool = ThreadPoolExecutor(max_workers=max_workers, thread_name_prefix="ragviz-job")
        self._jobs: dict[str, _Job] = {}
        self.n_over = 0
        """Jobs that have ended so far, quiet ones left out: what they did is to be seen at once."""
        self._lock = threading.Lock()
        _at_exit(self)

    def submit(self, key: str, work: Work, *, quiet: bool = False) -> JobState:
        """Start work under a key. While work of that key is queued or running, nothing new is started. ``quiet``: nobody waits for what comes of it."""
        with self._lock:
            self._forget_old()
            job = self._jobs.get(key)
            if job is None or job.status.is_over:
                job = self._jobs[key] = _Job(key, quiet=quiet)
                job.future = self._pool.submit(self._run, job, work)
        return self._state(job)

    def state(self, key: str) -> JobState | None:
        """How far it is; None when no such work is known."""
        with self._lock:
            job = self._jobs.get(key)
        return None if job is None else self._state(job)

    def active(self) -> list[JobState]:
        """All that is queued or running."""
        with self._lock:
            jobs = list(self._jobs.values())
        return [state for state in map(self._state, jobs) if not state.status.is_over]

    def cancel(self, key: str) -> bool:
        """Ask the work to stop; False when there is nothing to stop. What it stored so far stays."""
        with self._lock:
            job = self._jobs.get(key)
            if job is None or job.status.is_over:
                return False
            job.handle.cancel.set()
            if job.future is not None and job.future.cancel():
                job.status, job.ended = JobStatus.CANCELLED, time.monotonic()
        return True

    def forget(self, key: str) -> None:
        """A finished job has been shown."""
        with self._lock:
            job = self._jobs.get(key)
            if job is not None and job.status.is_over:
                del self._jobs[key]

    def wait(self, key: str, timeout_s: float = 60.0) -> JobState | None:
        """Wait until the work is over; for the command line and tests, never for a page."""
        with self._lock:
            job = self._jobs.get(key)
        if job is not None and job.future is not None and not job.future.cancelled():
            job.future.exception(timeout=timeout_s)
        return self.state(key)

    def cancel_all(self) -> None:
        """Ask everything to stop."""
        with self._lock:
            keys = list(self._jobs)
        for key in keys:
            self.cancel(key)

    def shutdown(self) -> None:
        """Ask everything to stop and wait for it."""
        self.cancel_all()
        self._pool.shutdown(wait=True, cancel_futures=True)

    def _run(self, job: _Job, work: Work) -> None:
        job.status = JobStatus.RUNNING
        try:
            job.result = work(job.handle)
            status = JobStatus.DONE
        except Cancelled as exc:
            job.error, status = exc, JobStatus.CANCELLED
        except RagvizError as exc:
            job.error, status = exc, JobStatus.FAILED
        except Exception as exc:  # noqa: BLE001 - a job must end in a state, whatever a plug-in raises
            job.error, status = (
                RagvizError(f"something went wrong that ragviz did not expect: {type(exc).__name__}: {exc}", fix="please report this sentence"),
                JobStatus.FAILED,
            )
        job.ended = time.monotonic()
        with self._lock:
            self.n_over += not job.quiet
        job.status = status

    def _forget_old(self) -> None:
        now = time.monotonic()
        for key in [key for key, job in self._jobs.items() if job.ended is not None and now - job.ended > KEPT_S]:
            del self._jobs[key]

    @staticmethod
    def _state(job: _Job) -> JobState:
        status = job.status
        done, total, doing = job.handle._done  # noqa: SLF001 - the handle is this module's own
        return JobState(
            key=job.key,
            status=status,
            done=done,
            total=total,
            doing=doing,
            message=job.error.message if job.error else "",
            fix=job.error.fix if job.error else "",
            result=job.result,
            seconds=(job.ended or time.monotonic()) - job.started,
            spent=isinstance(job.error, BudgetSpent),
        )
