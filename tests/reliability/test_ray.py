"""Judging on a Ray cluster of two workers: the same verdicts, each once, whoever dies."""

from __future__ import annotations

import importlib.util
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from ragviz.backends.ray_cluster import RAYS_THREADS, joined
from ragviz.cli.main import main
from ragviz.errors import BackendError, InputError
from ragviz.pipeline import JudgeReport, import_files, judge_run
from ragviz.pipeline.engines import judge_on_ray
from ragviz.pipeline.parquet_runs import judge_folder
from ragviz.pipeline.workers import Answer, Order, StoreWorker
from ragviz.records.codec import decode
from ragviz.store import Store, open_store
from tests.reliability.engine_driver import WatchedWords
from tests.unit.pipeline.fakes import WordJudge

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(importlib.util.find_spec("ray") is None, reason="needs the package ray (in requirements-dev.txt)"),
    pytest.mark.filterwarnings("ignore"),  # Ray's own, of its threads and sockets
]
REPO = Path(__file__).resolve().parents[2]
N = 120


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """A cluster of two workers on this machine; whoever asks for one in this process gets it."""
    with joined(None, n_workers=2):
        import ray

        yield ray.get_runtime_context().gcs_address


@pytest.fixture
def watched(tmp_path: Path) -> WatchedWords:
    """A judge that tells in which processes it works."""
    folder = tmp_path / "processes"
    folder.mkdir()
    return WatchedWords(folder=str(folder), seconds=0.02)


def a_run(folder: Path, n: int = N) -> tuple[Store, str]:
    """Traces without a question: raters, which load a model, have nothing to do."""
    rows = [
        {
            "id": f"t{i}",
            "question": "",
            "response": "The sky is blue. Grass is red.",
            "passages": [{"id": "p1", "text": f"The sky is blue in number {i}.", "rank": 1}],
        }
        for i in range(n)
    ]
    source = folder / "traces.jsonl"
    source.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    store = open_store(folder / "store.sqlite")
    return store, import_files(store, [source]).run_id


def verdicts(store: Store, run_id: str, view: object) -> dict[object, str]:
    """Every verdict by pair; fails when a pair has two."""
    said = [j for case in store.judged(view) for j in case.judgements]  # type: ignore[arg-type]
    assert {1} == set(Counter(j.key for j in said).values())
    return {j.key: str(j.verdict) for j in said}


def assert_each_said_once(store: Store, view: object) -> None:
    """The store keeps every word ever said: no claim has been spoken of twice."""
    for case in store.judged(view):  # type: ignore[arg-type]
        for claim in case.claims:
            words = store.history(view.run_id, case.trace.id, claim.id, view.claim_set)  # type: ignore[attr-defined]
            keys = Counter(word.key for word in words)  # type: ignore[union-attr]
            assert keys
            assert {1} == set(keys.values()), f"{case.trace.id}: {claim.id} was judged twice"


def assert_two_say_what_one_says(judge_there: Callable[..., JudgeReport], folder: Path, watched: WatchedWords) -> list[int]:
    """
    Verdicts, counts and results are those of a judge in this process, two others took part, and asked again there is nothing left to do. Gives
    what was told of the progress.
    """
    there, here = folder / "there", folder / "here"
    there.mkdir(), here.mkdir()
    store, run_id = a_run(there)
    other, same_id = a_run(here)
    told: list[int] = []
    found = judge_there(store, run_id, replace(watched, beside=2), n_workers=2, on_progress=lambda done, _total: told.append(done))
    took_part = {path.name for path in Path(watched.folder).iterdir()}
    expected = judge_run(other, same_id, watched)

    assert verdicts(other, same_id, expected.view) == verdicts(store, run_id, found.view)
    assert (expected.n_traces, expected.n_pairs, expected.n_unjudged) == (found.n_traces, found.n_pairs, found.n_unjudged)
    assert other.counts_by(expected.view, "quadrant") == store.counts_by(found.view, "quadrant")
    assert 2 == len(took_part - {str(os.getpid())}) == len(took_part)
    assert sorted(told) == told
    assert N == told[-1]
    assert 0 == judge_there(store, run_id, watched, n_workers=2).n_traces
    return told


def test_two_workers_say_what_one_process_says(address: str, tmp_path: Path, watched: WatchedWords) -> None:
    """Verdicts, counts and results are those of a judge in this process, and both workers took part."""
    told = assert_two_say_what_one_says(judge_on_ray, tmp_path, watched)

    assert len(told) > 3


def test_a_worker_that_is_killed_loses_nothing_and_doubles_nothing(address: str, tmp_path: Path, watched: WatchedWords) -> None:
    """kill -9 in the middle: somebody else judges what it had in hand."""
    store, run_id = a_run(tmp_path)
    killed: list[int] = []

    def kill_one(done: int, total: int | None) -> None:
        if not killed and total and done < total // 2:
            killed.append(min(int(path.name) for path in Path(watched.folder).iterdir()))
            os.kill(killed[0], signal.SIGKILL)

    found = judge_on_ray(store, run_id, watched, n_workers=2, on_progress=kill_one)

    assert killed
    assert N == len(store.trace_ids(run_id)) == found.n_traces
    assert not store.not_judged(run_id, found.view.judge, found.view.claim_set, 0)
    assert not store.missing_results(found.view)
    assert_each_said_once(store, found.view)


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT], ids=["killed", "interrupted"])
def test_a_command_that_ends_half_way_goes_on(address: str, tmp_path: Path, watched: WatchedWords, how: signal.Signals) -> None:
    """
    What was told to be stored is stored, the next call does the rest, on the cluster or in this process, and nothing is said twice.
    Ctrl+C ends it by itself, without a traceback.
    """
    store, run_id = a_run(tmp_path)
    command = [sys.executable, "-m", "tests.reliability.engine_driver", str(tmp_path / "store.sqlite"), run_id, address, watched.folder]
    driver = subprocess.Popen(command, cwd=REPO, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=os.environ | {"PYTHONPATH": str(REPO)})
    assert driver.stdout is not None
    told = [int(driver.stdout.readline())]
    driver.send_signal(how)
    rest, errors = driver.communicate(timeout=600)
    told += [int(line) for line in rest.split()]
    view_judge = WordJudge()
    left = store.not_judged(run_id, _fingerprint(view_judge), "rules", 0)

    assert (130 if how is signal.SIGINT else -signal.SIGKILL) == driver.returncode, errors
    assert "Traceback" not in errors
    assert told[-1] <= N - len(left) < N
    found = judge_run(store, run_id, watched) if how is signal.SIGINT else judge_on_ray(store, run_id, watched, n_workers=2)
    assert len(left) == found.n_traces
    assert N - len(left) == found.n_already
    assert_each_said_once(store, found.view)


def test_who_leaves_half_way_leaves_no_thread_in_ray(address: str) -> None:
    """A thread that asks Ray's core for something after it was shut down takes the whole process with it: a notebook, or a command's exit code."""
    with joined(None, n_workers=2) as cluster:
        before = set(threading.enumerate())
        answers = cluster.stream([b"0", b"1", b"2", b"3", b"4", b"5", b"stuck", b"stuck"], Stuck)
        first = next(answers)
        answers.close()  # type: ignore[attr-defined]

        assert b"stuck" != first
        assert [] == [thread.name for thread in set(threading.enumerate()) - before if thread.name.startswith(RAYS_THREADS)]


class Stuck:
    """Answers all but some units."""

    def __call__(self, unit: bytes) -> bytes:
        while unit == b"stuck":
            time.sleep(1)
        return unit


def _fingerprint(judge: WordJudge) -> str:
    from ragviz.judges import fingerprint

    return fingerprint(judge)


def test_a_folder_of_parquet_is_judged_and_comes_back_with_its_verdicts(
    address: str, tmp_path: Path, watched: WatchedWords, capsys: pytest.CaptureFixture[str]
) -> None:
    """Parquet out of a store, judged past it by two workers and by this process alike, and into another store; a file that is missing is made again, alone."""
    store, run_id = a_run(tmp_path)
    folder = tmp_path / "traces"
    (folder / "deep").mkdir(parents=True)
    os.environ.pop("RAGVIZ_STORE", None)
    for name in ("a.parquet", "deep/b.parquet"):
        assert 0 == main(["export", run_id, str(folder / name), "--store", store.full_address])
    expected = judge_run(store, run_id, watched)
    found = judge_folder(str(folder), f"file://{tmp_path}/judged", watched, engine="ray", n_workers=2)
    judge_folder(str(folder), str(tmp_path / "alone"), watched)
    written = sorted(path.name for path in (tmp_path / "judged").glob("*.parquet"))

    assert ["a-00000.parquet", "deep--b-00000.parquet"] == written
    assert (2 * N, 2 * expected.n_pairs, 0) == (found.n_traces, found.n_pairs, found.n_already)
    (tmp_path / "judged" / written[1]).unlink()
    again = judge_folder(str(folder), str(tmp_path / "judged"), watched)
    assert (N, N, 1) == (again.n_traces, again.n_already, again.n_files)
    with pytest.raises(InputError, match="another judge"):
        judge_folder(str(folder), str(tmp_path / "judged"), "local")

    capsys.readouterr()
    for judged in ("judged", "alone"):
        (tmp_path / judged / "deep--b-00000.parquet").unlink()
        other = open_store(tmp_path / f"{judged}.sqlite")
        report = import_files(other, [tmp_path / judged])
        (view, n), *rest = other.views(report.run_id)
        assert (N, N, []) == (report.n_traces, n, rest)
        assert verdicts(store, run_id, expected.view) == verdicts(other, report.run_id, view)
        assert store.run(run_id).traces_hash == other.run(report.run_id).traces_hash
        assert 0 == import_files(other, [tmp_path / judged]).n_new
        assert 0 == judge_run(other, report.run_id, watched).n_traces


def test_a_worker_says_in_words_what_it_lacks(address: str, tmp_path: Path) -> None:
    """The judge of a worker may be another one than that of the command: a model that is not installed there changes verdicts in silence."""
    store, run_id = a_run(tmp_path, 3)
    view = judge_run(store, run_id, WordJudge()).view
    order = Order(view=view, judge=WordJudge(ok=False))
    answer = decode(StoreWorker(order, lambda *_: b"[]")(b'["t0"]'), Answer)

    assert "no words" in answer.fault
    assert "learn some" in answer.fix
    with pytest.raises(BackendError, match=r"^Ray stopped the work: RuntimeError: broken on purpose"):
        judge_on_ray(store, run_id, Broken(), n_workers=2, anew=True)


class Broken(WordJudge):
    """Raises where no judge should."""

    def judge(self, pairs: object) -> list[object]:  # type: ignore[override]
        raise RuntimeError("broken on purpose")
