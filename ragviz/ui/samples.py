"""The first minute: an empty store gets the sample traces, and runs that nobody has judged are judged in the background."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

import streamlit as st

from ragviz.errors import RagvizError
from ragviz.pipeline.importing import import_files
from ragviz.pipeline.jobs import Handle, JobState
from ragviz.pipeline.judging import judge_run
from ragviz.store import Store
from ragviz.ui import resources

NOT_RUNS = ("verdicts", "documents", "labels", "qrels", "gate")
"""Files of the sample folder that accompany runs: names that start so."""
JUDGED_AT_ONCE = 500
"""Traces up to which a run is judged without being asked for; larger ones wait for the Data page, which shows what it takes."""
SEPARATOR = "\x1f"


def sample_files(folder: Path) -> list[Path]:
    """Files that become one run each; the teaching set first, so that the newest run, shown at the start, is a realistic one."""
    found = [p for pattern in ("*.json", "*.jsonl") for p in folder.glob(pattern) if not p.name.startswith(NOT_RUNS)]
    return sorted(found, key=lambda p: (not p.name.startswith("five_cases"), p.name))


def load(folder: Path) -> list[str]:
    """
    Import the sample traces, one run a file, and start judging them.

    Returns:
        What could not be read, one sentence each.
    """
    problems: list[str] = []
    for file in sample_files(folder):
        try:
            import_files(resources.store(), [file], run_name=file.stem)
        except RagvizError as exc:
            problems.append(f"{file.name}: {exc.message}")
    judge_the_unjudged()
    return problems


def ensure(folder: Path) -> None:
    """Called by every run of the app; does something only at the start of the process."""
    _first_start(str(folder))


@st.cache_resource(show_spinner="Loading the sample traces")
def _first_start(folder: str) -> bool:
    if not resources.store().runs():
        load(Path(folder))
    else:
        judge_the_unjudged()
    return True


def judge_the_unjudged() -> None:
    """Start a job for every small run without verdicts."""
    store = resources.store()
    for manifest in store.runs():
        if manifest.n_traces and manifest.n_traces <= JUDGED_AT_ONCE and not store.views(manifest.run_id):
            start_judging(manifest.run_id, manifest.name, None)


def start_judging(run_id: str, name: str, judge: str | None) -> None:
    """Judge a run in the background; None = verdicts of the file where it has any, else the local judge."""
    resources.jobs().submit(SEPARATOR.join(("judge", run_id, name)), partial(_judge, store=resources.store(), run_id=run_id, judge=judge, key=resources.api_key()))


def _judge(handle: Handle, *, store: Store, run_id: str, judge: str | None, key: str | None) -> str:
    report = judge_run(store, run_id, judge, api_key=key, on_progress=handle.progress, cancel=handle.cancel)
    return report.judge.judge


def judging() -> Sequence[JobState]:
    """Runs that are being judged now."""
    return [state for state in resources.jobs().active() if state.key.startswith(f"judge{SEPARATOR}")]


def name_of(state: JobState) -> str:
    """Which run a job of ``judging`` is about."""
    return state.key.split(SEPARATOR)[-1]
