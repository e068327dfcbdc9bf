"""Judging in two processes of this machine: the same verdicts, each once, whoever dies; and nobody is left behind."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from ragviz.backends.processes import most
from ragviz.cli.main import main
from ragviz.errors import BackendError, Cancelled, JudgeUnavailable, SetupError
from ragviz.judges import fingerprint
from ragviz.pipeline.engines import judge_in_processes
from ragviz.records import Judgement, Pair
from tests.reliability.engine_driver import WatchedWords
from tests.reliability.test_ray import REPO, N, a_run, assert_each_said_once, assert_two_say_what_one_says
from tests.unit.pipeline.fakes import WordJudge

pytestmark = pytest.mark.slow
MOST = most()


@pytest.fixture
def watched(tmp_path: Path) -> WatchedWords:
    """A judge that tells in which processes it works."""
    folder = tmp_path / "processes"
    folder.mkdir()
    return WatchedWords(folder=str(folder), seconds=0.02)


def who(judge: WatchedWords) -> list[int]:
    """Processes in which it worked."""
    return sorted(int(path.name) for path in Path(judge.folder).iterdir())


def gone(pids: Sequence[int]) -> bool:
    """Whether all of them end: some seconds, minutes on a busy machine."""
    latest = time.monotonic() + 300
    while time.monotonic() < latest:
        if not any(_lives(pid) for pid in pids):
            return True
        time.sleep(0.1)
    return False


def _lives(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    status = Path(f"/proc/{pid}/stat")
    return not (status.exists() and status.read_text().rpartition(")")[2].split()[0] == "Z")


def test_two_processes_say_what_one_says(tmp_path: Path, watched: WatchedWords) -> None:
    """Verdicts, counts and results are those of a judge in this process, and both took part; asked again there is nothing left to do."""
    assert_two_say_what_one_says(judge_in_processes, tmp_path, watched)

    assert gone([pid for pid in who(watched) if pid != os.getpid()])


def test_a_process_that_is_killed_loses_nothing_and_doubles_nothing(tmp_path: Path, watched: WatchedWords) -> None:
    """kill -9 in the middle: what it had in hand is judged by another."""
    store, run_id = a_run(tmp_path)
    killed: list[int] = []

    def kill_one(done: int, total: int | None) -> None:
        if not killed and total and done < total // 2:
            killed.append(who(watched)[0])
            os.kill(killed[0], signal.SIGKILL)

    found = judge_in_processes(store, run_id, watched, n_workers=2, on_progress=kill_one)

    assert killed
    assert found.n_traces == N
    assert not store.not_judged(run_id, found.view.judge, found.view.claim_set, 0)
    assert not store.missing_results(found.view)
    assert_each_said_once(store, found.view)


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT], ids=["killed", "interrupted"])
def test_a_command_that_ends_half_way_goes_on(tmp_path: Path, watched: WatchedWords, how: signal.Signals) -> None:
    """
    What was told to be stored is stored, its processes end with it, the next call does the rest, and nothing is said twice. Ctrl+C ends without a
    traceback.
    """
    store, run_id = a_run(tmp_path)
    command = [sys.executable, "-m", "tests.reliability.engine_driver", str(tmp_path / "store.sqlite"), run_id, "here", watched.folder]
    driver = subprocess.Popen(
        command, cwd=REPO, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=os.environ | {"PYTHONPATH": str(REPO)}, start_new_session=True
    )
    assert driver.stdout is not None
    told = [int(driver.stdout.readline())]
    # Ctrl+C in a terminal reaches all of them; a kill one alone.
    (os.killpg if how is signal.SIGINT else os.kill)(driver.pid, how)
    rest, errors = driver.communicate(timeout=6000)
    told += [int(line) for line in rest.split()]
    left = store.not_judged(run_id, fingerprint(WordJudge()), "rules", 0)

    assert driver.returncode == (130 if how is signal.SIGINT else -signal.SIGKILL), errors
    assert "Traceback" not in errors
    assert told[-1] <= N - len(left) < N
    assert gone(who(watched))
    found = judge_in_processes(store, run_id, watched, n_workers=2)
    assert found.n_traces == len(left)
    assert found.n_already == N - len(left)
    assert_each_said_once(store, found.view)


@dataclass
class Dying(WordJudge):
    """Takes its process along."""

    def judge(self, pairs: Sequence[Pair]) -> list[Judgement]:
        os._exit(1)


@dataclass
class Broken(WordJudge):
    """Fails in a way that nobody foresaw."""

    def judge(self, pairs: Sequence[Pair]) -> list[Judgement]:
        raise ZeroDivisionError("no pairs")


@pytest.mark.parametrize(("judge", "says"), [(Dying(), "die one after another"), (Broken(), "ZeroDivisionError: no pairs")], ids=["dying", "broken"])
def test_what_cannot_work_ends_in_a_sentence(tmp_path: Path, judge: WordJudge, says: str) -> None:
    """Instead of starting processes for ever or a traceback."""
    store, run_id = a_run(tmp_path, 20)
    with pytest.raises(BackendError, match=says):
        judge_in_processes(store, run_id, judge, n_workers=2)


def test_a_stop_is_heard_and_nothing_is_left_behind(tmp_path: Path, watched: WatchedWords) -> None:
    """Between two batches."""
    store, run_id = a_run(tmp_path)
    stop = threading.Event()
    with pytest.raises(Cancelled):
        judge_in_processes(store, run_id, watched, n_workers=2, on_progress=lambda *_: stop.set(), cancel=stop)
    left = store.not_judged(run_id, fingerprint(watched), "rules", 0)

    assert 0 < len(left) < N
    assert gone(who(watched))


def test_a_judge_that_asks_a_service_is_refused(tmp_path: Path) -> None:
    """More processes would only spend its limits sooner."""
    store, run_id = a_run(tmp_path, 1)
    with pytest.raises(SetupError, match="asks a service"):
        judge_in_processes(store, run_id, WordJudge(network=True), n_workers=2)


def test_a_judge_that_cannot_be_sent_is_refused_in_a_sentence(tmp_path: Path) -> None:
    """One that holds what belongs to this process."""
    store, run_id = a_run(tmp_path, 1)
    with pytest.raises(SetupError, match="cannot be sent to another process"):
        judge_in_processes(store, run_id, WordJudge(before=threading.Lock().acquire), n_workers=2)


def test_the_command_judges_the_samples_in_two_processes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """``ragviz judge RUN --workers 2`` with the local judge: every quote, verdict and rationale as of one process."""
    monkeypatch.setenv("RAGVIZ_HOME", str(tmp_path / "home"))
    stores = [str(tmp_path / name) for name in ("one.sqlite", "two.sqlite")]
    said = []
    for address, more in zip(stores, ([], ["--workers", "2"]), strict=True):
        assert main(["import", str(REPO / "sample_traces" / "five_cases.json"), "--store", address]) == 0
        assert main(["judge", "five_cases", "--judge", "local", "--store", address, *more]) == 0
        capsys.readouterr()
        assert main(["evaluate", "five_cases", "--judge", "local", "--store", address, "--json"]) == 0
        said.append([(t["id"], t["claims"]) for t in json.loads(capsys.readouterr().out)["traces"]])
    assert said[0] == said[1]
    assert any(claims for _, claims in said[0])


@pytest.mark.parametrize(("after_s", "times"), [(0.1, 1), (0.6, 1), (0.3, 3)])
def test_ctrl_c_again_and_again_ends_the_command(tmp_path: Path, watched: WatchedWords, after_s: float, times: int) -> None:
    """Whenever it comes: the command ends within seconds, no thread fails, and it takes its processes along."""
    _, run_id = a_run(tmp_path)
    command = [sys.executable, "-m", "tests.reliability.engine_driver", str(tmp_path / "store.sqlite"), run_id, "here", watched.folder]
    driver = subprocess.Popen(
        command, cwd=REPO, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=os.environ | {"PYTHONPATH": str(REPO)}, start_new_session=True
    )
    assert driver.stdout is not None
    driver.stdout.readline()
    os.killpg(driver.pid, signal.SIGINT)
    for _ in range(times):
        time.sleep(after_s)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(driver.pid, signal.SIGINT)
    try:
        _, errors = driver.communicate(timeout=600)
    except subprocess.TimeoutExpired:
        os.killpg(driver.pid, signal.SIGKILL)
        raise
    assert driver.returncode in (130, -signal.SIGINT), errors
    assert "Exception in thread" not in errors
    assert gone(who(watched))


def test_a_killed_command_leaves_neither_processes_nor_words_behind(tmp_path: Path, watched: WatchedWords) -> None:
    """Python's own bookkeeping of semaphores frees those of a program that was killed, and says nothing of leaks on the user's terminal."""
    _, run_id = a_run(tmp_path)
    command = [sys.executable, "-m", "tests.reliability.engine_driver", str(tmp_path / "store.sqlite"), run_id, "here", watched.folder]
    driver = subprocess.Popen(
        command, cwd=REPO, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=os.environ | {"PYTHONPATH": str(REPO)}, start_new_session=True
    )
    assert driver.stdout is not None
    driver.stdout.readline()
    driver.kill()
    _, errors = driver.communicate(timeout=600)  # the pipe ends when everybody who holds it has ended

    assert errors == ""
    assert gone(who(watched))


@pytest.mark.parametrize("n", [100_000, MOST + 1])
def test_more_processes_than_could_be_of_use_are_refused(tmp_path: Path, n: int) -> None:
    """A slip of the finger does not take the machine's memory; nothing was started."""
    store, run_id = a_run(tmp_path, 20)

    with pytest.raises(SetupError) as caught:
        judge_in_processes(store, run_id, "local", n_workers=n)

    assert f"{MOST} is the most" in caught.value.fix


def test_a_model_that_cannot_be_had_is_told_before_a_process_starts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One sentence, at once: not from each process after five tries a file."""
    pytest.importorskip("sentence_transformers")
    monkeypatch.setattr("ragviz.backends.processes.Processes.stream", lambda *_args, **_words: pytest.fail("processes were started"))
    monkeypatch.setattr("huggingface_hub.HfApi.model_info", lambda *_args, **_words: (_ for _ in ()).throw(OSError("no route to host")))
    store, run_id = a_run(tmp_path, 20)

    with pytest.raises(JudgeUnavailable, match="foo is not on this machine, and the hub cannot be asked: no route to host"):
        judge_in_processes(store, run_id, "nli:foo", n_workers=2)


def test_what_is_in_hand_at_a_stop_is_kept(tmp_path: Path, watched: WatchedWords) -> None:
    """It is waited for anyway: all that was judged is stored, so that going on begins with what nobody has judged."""
    store, run_id = a_run(tmp_path)
    stop = threading.Event()
    told: list[int] = []

    def first(done: int, _total: int | None) -> None:
        told.append(done)
        stop.set()

    with pytest.raises(Cancelled):
        judge_in_processes(store, run_id, watched, n_workers=2, on_progress=first, cancel=stop)

    assert len(told) > 1
    assert told[-1] == N - len(store.not_judged(run_id, fingerprint(watched), "rules", 0))


def test_a_script_without_its_guard_is_told_what_it_lacks(tmp_path: Path) -> None:
    """Each process reads the script first, and would judge the run itself."""
    store, run_id = a_run(tmp_path, 20)
    store.close()
    lines = ("from ragviz.pipeline.engines import judge_in_processes", "from ragviz.store import open_store",
             f"judge_in_processes(open_store({str(tmp_path / 'store.sqlite')!r}), {run_id!r}, 'facts', n_workers=2)")
    script = tmp_path / "script.py"
    script.write_text("\n".join(lines), encoding="utf-8")
    ended = subprocess.run(
        [sys.executable, str(script)], cwd=REPO, capture_output=True, text=True, timeout=6000, env=os.environ | {"PYTHONPATH": str(REPO)}, check=False
    )

    assert ended.returncode == 1
    assert "BackendError" in ended.stderr
    assert "has to call this under `if __name__" in ended.stderr
