"""The first minute: an empty store gets the sample traces, and runs that nobody has judged are judged in the background."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import streamlit as st

from ragviz.errors import Cancelled, RagvizError
from ragviz.pipeline.importing import import_files
from ragviz.pipeline.jobs import Handle, JobState, JobStatus
from ragviz.pipeline.judging import judge_run
from ragviz.pipeline.verdict_cache import load_cache
from ragviz.store import Store
from ragviz.ui import resources

RUNS = ("five_cases.json", "baseline.jsonl", "candidate.jsonl")
"""Sample files that become runs at the first start, oldest first: the newest is the one shown. The others of the folder wait for the Data page."""
CACHED = "verdicts*.gz"
"""Answers of the local judge on the samples, shipped with them: they are there before any model is loaded."""
FIRST_WAIT_S = 5.0
"""How long the very first page waits for shipped answers to become scores."""
JUDGED_AT_ONCE = 500
"""Traces up to which a run is judged without being asked for; larger ones wait for the Data page, which shows what it takes."""
SEPARATOR = "\x1f"


def sample_files(folder: Path) -> list[Path]:
    """Files that become one run each."""
    return [folder / name for name in RUNS if (folder / name).is_file()]


def load(folder: Path) -> list[str]:
    """
    Import the sample traces, one run a file, and start judging them.

    Returns:
        What could not be read, one sentence each.
    """
    problems: list[str] = []
    store = resources.store()
    for file in sample_files(folder):
        try:
            import_files(store, [file], run_name=file.stem)
        except RagvizError as exc:
            problems.append(f"{file.name}: {exc.message}")
    for file in folder.glob(CACHED):
        try:
            load_cache(store, file)
        except RagvizError as exc:
            problems.append(exc.message)
    judge_the_unjudged()
    return problems


def ensure(folder: Path) -> None:
    """Called by every run of the app; does something only at the start of the process."""
    _first_start(str(folder))


@st.cache_resource(show_spinner="Loading the sample traces")
def _first_start(folder: str) -> bool:
    if resources.store().runs():
        judge_the_unjudged()
        return True
    load(Path(folder))
    if any(Path(folder).glob(CACHED)):
        until = time.monotonic() + FIRST_WAIT_S
        while judging() and time.monotonic() < until:
            time.sleep(0.05)
    return True


def judge_the_unjudged() -> None:
    """Start a job for every small run without verdicts, the newest first: that is the one shown."""
    store = resources.store()
    for manifest in store.runs():
        if manifest.n_traces and manifest.n_traces <= JUDGED_AT_ONCE and not store.views(manifest.run_id):
            start_judging(manifest.run_id, manifest.name, None)


def start_judging(run_id: str, name: str, judge: str | None) -> None:
    """Judge a run in the background; None = verdicts of the file where it has any, else the local judge."""
    key = SEPARATOR.join(("judge", run_id, name))
    resources.jobs().forget(key)
    resources.jobs().submit(key, partial(_judge, store=resources.store(), run_id=run_id, judge=judge, api_key=resources.api_key()))
    if key not in _started():
        _started().append(key)


# Two runs at once would only share the same cores, and load the same model twice.
_ONE_AT_A_TIME = threading.Lock()


def _judge(handle: Handle, *, store: Store, run_id: str, judge: str | None, api_key: str | None) -> str:
    while not _ONE_AT_A_TIME.acquire(timeout=0.2):
        if handle.cancel.is_set():
            raise Cancelled("judging was stopped", fix="start it again on the Data page")
    try:
        return judge_run(store, run_id, judge, api_key=api_key, on_progress=handle.progress, cancel=handle.cancel).judge.judge
    finally:
        _ONE_AT_A_TIME.release()


@st.cache_resource(show_spinner=False)
def _started() -> list[str]:
    """Keys of the jobs this process has started by itself."""
    return []


def judging() -> Sequence[JobState]:
    """Runs that are being judged now."""
    return [state for state in resources.jobs().active() if state.key.startswith(f"judge{SEPARATOR}")]


def failed() -> Sequence[JobState]:
    """Runs whose judging, started by itself, came to nothing."""
    states = [resources.jobs().state(key) for key in _started()]
    return [s for s in states if s is not None and s.status is JobStatus.FAILED]


def try_again(state: JobState) -> None:
    """Start a job of ``failed`` once more."""
    _, run_id, name = state.key.split(SEPARATOR)
    start_judging(run_id, name, None)


def name_of(state: JobState) -> str:
    """Which run a job of ``judging`` is about."""
    return state.key.split(SEPARATOR)[-1]
