"""Work in the background: once, watched, stopped."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Iterator

import pytest

from ragviz.errors import Cancelled, InputError
from ragviz.pipeline import Handle, Jobs, JobStatus


@pytest.fixture
def jobs() -> Iterator[Jobs]:
    made = Jobs(max_workers=2)
    yield made
    made.shutdown()


def test_the_same_work_runs_once(jobs: Jobs) -> None:
    """While it runs, asking again starts nothing; afterwards it does."""
    gate, runs = threading.Event(), []

    def work(_handle: Handle) -> str:
        runs.append(1)
        gate.wait(10)
        return "made"

    jobs.submit("a", work)
    jobs.submit("a", work)
    gate.set()

    state = jobs.wait("a")
    assert state is not None
    assert (state.status, state.result, len(runs)) == (JobStatus.DONE, "made", 1)
    jobs.submit("a", work)
    jobs.wait("a")
    assert len(runs) == 2


def test_progress_is_seen_while_it_runs(jobs: Jobs) -> None:
    """3 of 12 is a quarter."""
    reported, gate = threading.Event(), threading.Event()

    def work(handle: Handle) -> None:
        handle.progress(3, 12)
        reported.set()
        gate.wait(10)

    jobs.submit("a", work)
    reported.wait(10)
    state = jobs.state("a")
    assert state is not None
    assert (state.status, state.fraction, [s.key for s in jobs.active()]) == (JobStatus.RUNNING, 0.25, ["a"])
    gate.set()
    jobs.wait("a")
    assert jobs.active() == []


def test_running_work_is_asked_to_stop(jobs: Jobs) -> None:
    """The work looks at its handle and ends as cancelled."""
    started = threading.Event()

    def work(handle: Handle) -> None:
        started.set()
        handle.cancel.wait(10)
        raise Cancelled("stopped")

    jobs.submit("a", work)
    started.wait(10)
    assert jobs.cancel("a")
    state = jobs.wait("a")
    assert state is not None
    assert JobStatus.CANCELLED is state.status
    assert not jobs.cancel("a")


def test_queued_work_never_starts_when_cancelled(jobs: Jobs) -> None:
    """Two workers are busy; the third is taken out of the queue."""
    gate, runs = threading.Event(), []
    for key in ("a", "b"):
        jobs.submit(key, lambda _handle: gate.wait(10))
    jobs.submit("c", lambda _handle: runs.append(1))
    assert jobs.cancel("c")
    gate.set()
    jobs.wait("a")

    state = jobs.wait("c")
    assert state is not None
    assert (state.status, runs) == (JobStatus.CANCELLED, [])


@pytest.mark.parametrize(
    ("error", "words"), [(InputError("no such file", fix="look again"), "no such file"), (ZeroDivisionError("by zero"), "ZeroDivisionError")]
)
def test_a_failure_is_a_sentence(jobs: Jobs, error: Exception, words: str) -> None:
    """Ours as it is, any other with a request to report it; never a hung job."""
    def work(_handle: Handle) -> None:
        raise error

    jobs.submit("a", work)
    state = jobs.wait("a")
    assert state is not None
    assert JobStatus.FAILED is state.status
    assert words in state.message
    assert state.fix


def test_unknown_and_forgotten_work_has_no_state(jobs: Jobs) -> None:
    """None for both; running work cannot be forgotten."""
    assert jobs.state("a") is None
    jobs.submit("a", lambda _handle: 1)
    jobs.wait("a")
    jobs.forget("a")
    assert jobs.state("a") is None


def test_running_work_does_not_keep_the_program_alive() -> None:
    """A job that would take a minute is asked to stop when the program ends."""
    program = "from ragviz.pipeline import Jobs\njobs = Jobs()\njobs.submit('a', lambda handle: print('asked', handle.cancel.wait(60), flush=True))\n"
    ended = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)

    assert ended.stdout == "asked True\n"


def test_ended_jobs_are_counted_but_for_quiet_ones() -> None:
    """Pages show at once what a job did that somebody waits for; what failed counts, for it may have done a part."""
    jobs = Jobs(max_workers=1)

    def fails(_: Handle) -> None:
        raise InputError("no", fix="none")

    jobs.submit("loud", lambda _: 1)
    jobs.submit("failing", fails)
    jobs.submit("quiet", lambda _: 1, quiet=True)
    for key in ("loud", "failing", "quiet"):
        jobs.wait(key)
    jobs.shutdown()

    assert jobs.n_over == 2
