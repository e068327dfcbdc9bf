"""A watched folder: complete files once, half-written ones later, bad ones said once."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from ragviz.errors import InputError
from ragviz.pipeline.watching import Watcher
from ragviz.records.codec import encode
from ragviz.store import Store, open_store
from ragviz.testing.year import Year, traces

REPO = Path(__file__).resolve().parents[3]
TRACES = traces(Year(n_traces=12), 0)


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """An empty store."""
    return open_store(tmp_path / "store.sqlite")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """An empty folder."""
    made = tmp_path / "inbox"
    made.mkdir()
    return made


def write(path: Path, first: int, last: int) -> None:
    """Some traces as JSON Lines."""
    path.write_bytes(b"".join(encode(trace) + b"\n" for trace in TRACES[first:last]))


def watcher(store: Store, folder: Path, said: list[str], **more: object) -> Watcher:
    """One that does not wait for files to settle, and judges by facts."""
    return Watcher(store, folder, judge="facts", say=said.append, settled_s=0.0, **more)  # type: ignore[arg-type]


def test_a_new_file_is_imported_and_judged(store: Store, folder: Path) -> None:
    """Traces in the run of the folder's name, each with a verdict, and nothing twice."""
    said: list[str] = []
    watching = watcher(store, folder, said)
    write(folder / "a.jsonl", 0, 3)

    watching.look()
    watching.look()

    (view, n), = store.views(watching.run.run_id)
    assert (watching.run.name, n, store.missing_results(view)) == ("inbox", 3, [])
    assert said == ["a.jsonl: 3 new traces", "judged by facts: 3 traces"]


def test_a_file_that_grows_brings_its_new_rows(store: Store, folder: Path) -> None:
    """The rows that were read before are known."""
    said: list[str] = []
    watching = watcher(store, folder, said)
    write(folder / "a.jsonl", 0, 3)
    watching.look()
    write(folder / "a.jsonl", 0, 5)

    watching.look()

    assert "a.jsonl: 2 new traces, 3 known" in said
    assert len(store.trace_ids(watching.run.run_id)) == 5


def test_a_copy_is_not_doubled(store: Store, folder: Path) -> None:
    """The same content under another name, also when the watcher starts anew."""
    said: list[str] = []
    write(folder / "a.jsonl", 0, 3)
    watcher(store, folder, said).look()
    write(folder / "b.jsonl", 0, 3)

    again = watcher(store, folder, said)
    again.look()

    assert said[-1] == "b.jsonl: the same as a file that was read before"
    assert len(store.trace_ids(again.run.run_id)) == 3


def test_equal_ids_in_two_files_are_two_traces(store: Store, folder: Path) -> None:
    """Exports number their rows from 1: the second file's rows get its name."""
    for name, answer in (("a.csv", "red"), ("b.csv", "blue")):
        (folder / name).write_text(f"id,question,answer,context\n1,What colour?,It is {answer}.,It is {answer}.\n", encoding="utf-8")
    watching = watcher(store, folder, [])

    watching.look()

    assert store.trace_ids(watching.run.run_id) == ["1", "b.csv/1"]


def test_a_half_written_file_is_waited_for(store: Store, folder: Path) -> None:
    """Cut in the middle of a record: nothing is said or read until it is whole."""
    said: list[str] = []
    watching = watcher(store, folder, said)
    whole = json.dumps([json.loads(encode(t)) for t in TRACES[:4]])
    (folder / "a.json").write_text(whole[: len(whole) // 2], encoding="utf-8")

    assert watching.look() == 1
    assert said == []
    (folder / "a.json").write_text(whole, encoding="utf-8")
    assert watching.look() == 0

    assert said[0] == "a.json: 4 new traces"
    assert store.issues(watching.run.run_id) == []


def test_a_file_that_was_just_written_to_is_left_to_settle(store: Store, folder: Path) -> None:
    """Within the waiting time it is only counted."""
    write(folder / "a.jsonl", 0, 3)
    patient = Watcher(store, folder, judge="facts", settled_s=60.0)

    assert patient.look() == 1
    assert not patient.run.exists


def test_a_bad_file_is_said_once_and_stops_nothing(store: Store, folder: Path) -> None:
    """Binary junk first in order of names; the good one after it is read; hidden and temporary ones are not looked at."""
    said: list[str] = []
    (folder / "a.bin").write_bytes(bytes(range(256)) * 40)
    (folder / ".hidden.jsonl").write_text("x", encoding="utf-8")
    (folder / "b.jsonl.part").write_text("x", encoding="utf-8")
    write(folder / "c.jsonl", 0, 2)
    watching = watcher(store, folder, said)

    watching.look()
    watching.look()
    watcher(store, folder, said).look()

    assert [line.split(":")[0] for line in said] == ["a.bin", "c.jsonl", "judged by facts"]
    assert "→" in said[0]


def test_no_folder(store: Store, tmp_path: Path) -> None:
    """Said in one sentence."""
    with pytest.raises(InputError, match="is not a folder"):
        Watcher(store, tmp_path / "missing")


def test_stopped_between_batches_it_goes_on(store: Store, folder: Path) -> None:
    """Cancelled before anything: nothing is noted; the next start reads it."""
    write(folder / "a.jsonl", 0, 3)
    cancel = threading.Event()
    cancel.set()
    stopped = watcher(store, folder, [], cancel=cancel)
    stopped.run_until_cancelled()
    assert not stopped.run.exists

    watcher(store, folder, []).look()

    assert len(store.trace_ids(stopped.run.run_id)) == 3


@pytest.mark.slow
def test_killed_and_interrupted_as_a_program(tmp_path: Path, folder: Path) -> None:
    """kill -9 in the middle, started again: each trace once, all judged; Ctrl+C ends it with exit code 0."""
    for n in range(6):
        write(folder / f"{n}.jsonl", 2 * n, 2 * n + 2)
    command = [sys.executable, "-m", "ragviz", "watch", str(folder), "--judge", "facts", "--store", str(tmp_path / "s.sqlite")]
    environment = {**os.environ, "PYTHONPATH": str(REPO), "PYTHONUNBUFFERED": "1"}
    first = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)
    assert first.stdout is not None
    for line in first.stdout:
        if "1.jsonl" in line:
            first.send_signal(signal.SIGKILL)
            break
    first.wait(timeout=300)
    first.stdout.close()

    second = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)
    assert second.stdout is not None
    heard = []
    for line in second.stdout:
        heard.append(line)
        if line.startswith("judged") and any(said.startswith("5.jsonl") for said in heard):
            second.send_signal(signal.SIGINT)
            break
    heard += second.stdout.read().splitlines()
    second.stdout.close()

    assert second.wait(timeout=300) == 0
    assert "files read" in heard[-1]
    store = open_store(tmp_path / "s.sqlite")
    (run,) = store.runs()
    ids = store.trace_ids(run.run_id)
    assert sorted(ids) == sorted(t.id for t in TRACES)
    assert store.missing_results(store.views(run.run_id)[0][0]) == []
    store.close()

