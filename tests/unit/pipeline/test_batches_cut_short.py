"""Nothing of a batch is lost or doubled when the program is killed or stopped while it is out."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from ragviz.backends.anthropic_client import AnthropicClient
from ragviz.errors import Cancelled
from ragviz.judges.hosted import AnthropicJudge
from ragviz.pipeline import batches, judge_in_batches, judge_run
from ragviz.records import Table
from ragviz.store import Store, open_store
from tests.unit.pipeline.batches import Slow, a_judge, a_run, in_batches, said

pytestmark = pytest.mark.usefixtures("no_raters")


@pytest.fixture
def server() -> Iterator[Slow]:
    with Slow() as found:
        yield found


class Killed(Exception):
    """Stands for the end of the program."""


def die(words: str) -> None:
    """Ends the program as soon as it waits."""
    if words.startswith("waiting"):
        raise Killed


def test_what_was_sent_before_the_end_is_taken_in_by_the_next_call(store: Store, server: Slow, tmp_path: Path) -> None:
    """First two of three traces, then all: one batch for two traces, one for the third."""
    run_id = a_run(store, tmp_path)
    server.ended = False
    with pytest.raises(Killed):
        in_batches(store, run_id, server, limit=2, say=die)
    server.ended = True
    report = in_batches(store, run_id, server)

    assert [len(ids) for ids in server.sent] == [4, 2]
    assert len(said(store, report)) == 18
    assert report.batches == ("msgbatch_1", "msgbatch_2")


def test_killed_while_taking_in(store: Store, server: Slow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Some traces are stored, the batch is still noted: the rest follows, nothing twice."""
    monkeypatch.setattr(batches, "TRACES_AT_ONCE", 1)
    run_id = a_run(store, tmp_path)

    def stop(done: int, _total: int | None) -> None:
        if done == 2:
            raise Killed

    with pytest.raises(Killed):
        in_batches(store, run_id, server, on_progress=stop)
    report = in_batches(store, run_id, server)

    assert len(server.sent) == 1
    assert len(said(store, report)) == 18
    assert (report.n_traces, report.n_already) == (1, 2)


def test_what_was_judged_meanwhile_stays(store: Store, server: Slow, tmp_path: Path) -> None:
    """While the batch is out, single calls judge the run: the batch adds no second word."""
    run_id = a_run(store, tmp_path)
    server.ended = False
    with pytest.raises(Killed):
        in_batches(store, run_id, server, say=die)
    judge_run(store, run_id, a_judge(server), limit=1)
    server.ended = True

    assert len(said(store, in_batches(store, run_id, server))) == 18
    assert len(server.sent) == 1


def test_a_batch_for_other_passages_is_taken_in_for_what_it_is(store: Store, server: Slow, tmp_path: Path) -> None:
    """Sent at k = 1 and killed; then asked for all passages: the first passage's verdicts come from the first batch."""
    run_id = a_run(store, tmp_path, 1)
    server.ended = False
    with pytest.raises(Killed):
        in_batches(store, run_id, server, k=1, say=die)
    server.ended = True
    found = said(store, in_batches(store, run_id, server))

    assert {key.premise_id for key in found if key.table is Table.RESPONSE_X_PASSAGES} == {"p1", "p2"}
    assert len(server.sent) == 2


def test_a_forgotten_batch_is_sent_again(store: Store, server: Slow, tmp_path: Path) -> None:
    """Its results are thrown away by the service after 29 days."""
    run_id = a_run(store, tmp_path)
    server.ended = False
    with pytest.raises(Killed):
        in_batches(store, run_id, server, say=die)
    server.gone, server.ended = "msgbatch_1", True
    report = in_batches(store, run_id, server)

    assert len(said(store, report)) == 18
    assert report.batches == ("msgbatch_2",)


def test_cancelled_while_waiting(store: Store, server: Slow, tmp_path: Path) -> None:
    """The batch goes on; the next call takes it in."""
    run_id, cancel = a_run(store, tmp_path), threading.Event()
    server.ended = False
    with pytest.raises(Cancelled):
        in_batches(store, run_id, server, cancel=cancel, say=lambda words: cancel.set() if words.startswith("waiting") else None)
    server.ended = True

    assert len(said(store, in_batches(store, run_id, server))) == 18
    assert len(server.sent) == 1


@pytest.mark.slow
def test_killed_for_real(server: Slow, tmp_path: Path) -> None:
    """``kill -9`` while it waits; started again, one batch in all, every pair judged once."""
    address = tmp_path / "s.sqlite"
    store = open_store(address)
    run_id = a_run(store, tmp_path)
    store.close()
    server.ended = False
    command = [sys.executable, "-m", "tests.unit.pipeline.batch_judge", str(address), server.url, run_id]
    child = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parents[3])
    assert child.stdout is not None
    for line in child.stdout:
        if line.startswith("waiting"):
            break
    child.kill()
    child.wait()
    child.stdout.close()
    server.ended = True
    store = open_store(address)
    judge = AnthropicJudge(client=AnthropicClient(api_key="test", base_url=server.url, max_retries=0))
    report = judge_in_batches(store, run_id, judge, first_wait_s=0.01)

    assert child.returncode == -9
    assert (len(server.sent), report.n_traces) == (1, 3)
    assert len(said(store, report)) == 18
    store.close()
