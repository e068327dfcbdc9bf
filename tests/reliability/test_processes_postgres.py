"""A team's store on a real PostgreSQL server, whatever dies half-way: judging processes, or the connections themselves."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from ragviz.cli.main import main
from ragviz.pipeline import import_files, judge_run
from ragviz.pipeline.engines import judge_in_processes
from ragviz.records import LoadIssue
from ragviz.store import open_store
from tests.contracts.postgres_server import Server, running_server
from tests.reliability.engine_driver import WatchedWords
from tests.reliability.test_processes import gone, who
from tests.reliability.test_ray import REPO, N, a_run, assert_each_said_once, verdicts

pytestmark = [pytest.mark.slow, pytest.mark.postgres]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A PostgreSQL server, or a skip that says what is missing."""
    with running_server(tmp_path_factory.mktemp("postgres")) as found:
        yield found


@pytest.fixture
def watched(tmp_path: Path) -> WatchedWords:
    """A judge that tells in which processes it works."""
    (tmp_path / "processes").mkdir()
    return WatchedWords(folder=str(tmp_path / "processes"), seconds=0.02)


def test_two_processes_say_what_one_says_on_sqlite(server: Server, tmp_path: Path, watched: WatchedWords) -> None:
    """The same verdicts, each once; one that is killed in the middle loses nothing."""
    here, here_run = a_run(tmp_path)
    there = open_store(server.new_database())
    run_id = import_files(there, [tmp_path / "traces.jsonl"]).run_id
    killed: list[int] = []

    def kill_one(done: int, total: int | None) -> None:
        if not killed and total and done < total // 2:
            killed.append(who(watched)[0])
            os.kill(killed[0], signal.SIGKILL)

    found = judge_in_processes(there, run_id, watched, n_workers=2, on_progress=kill_one)

    assert (found.n_traces, bool(killed)) == (N, True)
    assert verdicts(there, run_id, found.view) == verdicts(here, here_run, judge_run(here, here_run, watched).view)
    assert_each_said_once(there, found.view)
    there.close()
    here.close()


def test_a_command_that_is_killed_goes_on(server: Server, tmp_path: Path, watched: WatchedWords) -> None:
    """What was told to be stored is stored; the next call does the rest."""
    a_run(tmp_path)[0].close()
    address = server.new_database()
    store = open_store(address)
    run_id = import_files(store, [tmp_path / "traces.jsonl"]).run_id
    command = [sys.executable, "-m", "tests.reliability.engine_driver", address, run_id, "here", watched.folder]
    driver = subprocess.Popen(
        command, cwd=REPO, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=os.environ | {"PYTHONPATH": str(REPO)}, start_new_session=True
    )
    assert driver.stdout is not None
    told = int(driver.stdout.readline())
    driver.kill()
    _, errors = driver.communicate(timeout=600)

    found = judge_in_processes(store, run_id, watched, n_workers=2)

    assert (errors, gone(who(watched))) == ("", True)
    assert found.n_already >= told
    assert found.n_already + found.n_traces == N
    assert_each_said_once(store, found.view)
    store.close()


def test_the_command_judges_in_a_team_s_store(server: Server, capsys: pytest.CaptureFixture[str]) -> None:
    """``ragviz judge RUN --store postgresql+psycopg://… --workers 2``; then runs are listed and deleted there, too."""
    address = server.new_database()
    assert main(["import", str(REPO / "sample_traces" / "five_cases.json"), "--store", address]) == 0
    assert main(["judge", "five_cases", "--store", address, "--judge", "local", "--workers", "2"]) == 0
    capsys.readouterr()
    assert main(["runs", "--store", address, "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)
    assert [(run["name"], run["traces"], [j["traces"] for j in run["judges"]]) for run in listed["runs"]] == [("five_cases", 5, [5])]
    assert main(["store", "delete", "five_cases", "--yes", "--store", address]) == 0
    capsys.readouterr()
    assert main(["runs", "--store", address, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["runs"] == []


def test_connections_that_were_ended_cost_nothing(server: Server, tmp_path: Path, watched: WatchedWords) -> None:
    """A server that was restarted, or a firewall that cuts idle connections: the next look and the next word of a person find a new one."""
    a_run(tmp_path)[0].close()
    store = open_store(server.new_database())
    run_id = import_files(store, [tmp_path / "traces.jsonl"]).run_id
    for issue in ("before", "after"):
        assert len(store.trace_ids(run_id)) == N
        store.add_issues(run_id, [LoadIssue(where="here", message=issue)])
        assert [found.message for found in store.issues(run_id)][-1] == issue
        assert server.end_connections() > 0

    assert judge_run(store, run_id, watched).n_traces == N
    store.close()
