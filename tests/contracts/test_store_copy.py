"""A store travels into a real PostgreSQL and back: every kind of word, each once, stopped or not."""

from __future__ import annotations

import json
import random
import string
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from ragviz.cli.main import main
from ragviz.contracts import View
from ragviz.errors import Cancelled, StoreError
from ragviz.pipeline import import_files
from ragviz.pipeline.copying import copy_store
from ragviz.records import Calibration, LabelSplit, LookKind, Split
from ragviz.store import Store, open_store
from ragviz.store.calibrations import add_calibration, calibrations
from ragviz.store.carrying import run_counts
from ragviz.store.labels import people_said
from ragviz.store.looks import add_look, looks_at
from ragviz.store.splits import set_split, split_counts
from tests.contracts.postgres_server import Server, running_server
from tests.contracts.store_laws import JUDGE, NOW, claim, judgement, manifest, note, plain
from tests.unit.pipeline.fakes import a_file

pytestmark = pytest.mark.postgres
REPO = Path(__file__).resolve().parents[2]
N = 30


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A PostgreSQL server, or a skip that says what is missing."""
    with running_server(tmp_path_factory.mktemp("postgres")) as found:
        yield found


Opened = Callable[[object], Store]


@pytest.fixture
def opened() -> Iterator[Opened]:
    """Opens stores, and closes them afterwards: a server counts its connections."""
    with ExitStack() as held:

        def one(address: object) -> Store:
            return held.enter_context(closing(open_store(str(address))))

        yield one


def a_store(folder: Path, opened: Opened) -> tuple[Store, str]:
    """Traces with claims, verdicts, a label, splits, a calibration, looks and a setting."""
    store = opened(folder / "mine.sqlite")
    run_id = import_files(store, [a_file(folder, N)], run_name="run").run_id
    ids = store.trace_ids(run_id)
    store.add_claim_sets(run_id, {(i, "rules"): [claim(i)] for i in ids})
    store.add_judged(run_id, JUDGE, {i: [judgement(i)] for i in ids}, claim_set="rules", scope=0)
    store.annotate(run_id, note(ids[0]))
    set_split(store, run_id, ids[:7], Split.HELD_OUT)
    add_calibration(store, Calibration(
        fingerprint=JUDGE.fingerprint, judge=JUDGE.judge, fitted_at=NOW, x=(0.1, 0.9), y=(0.2, 0.8), base_rate=0.4,
        split=LabelSplit(rule="half", seed=0, n_fit=4, n_reported=4, groups_fit=4, groups_reported=4, fit_hash="a", reported_hash="b"),
    ))
    add_look(store, ["What colour is number 0?"], who="ana", kind=LookKind.OPENED, place="inspector")
    add_look(store, ["What colour is number 0?"], who="ana", kind=LookKind.OPENED, place="inspector")
    store.keep("stability", "words", "kept")
    store.keep("redaction", "key", "secret")
    return store, run_id


def state(store: Store, run_id: str) -> object:
    """What must arrive."""
    view = View(run_id=run_id, judge=JUDGE.fingerprint, claim_set="rules")
    return (
        store.run(run_id),
        run_counts(store, run_id),
        [case.judgements for case in store.judged(view)],
        people_said(store, run_id, "rules"),
        split_counts(store, run_id),
        calibrations(store),
        [(look.who, look.place) for look in looks_at(store, ["What colour is number 0?"])],
        store.kept("stability", str),
    )


def test_a_store_travels_into_postgres_and_back(server: Server, opened: Opened, tmp_path: Path) -> None:
    """Labels, splits, calibrations and looks arrive; twice is as once; the key behind hidden identifiers stays at home."""
    mine, run_id = a_store(tmp_path, opened)
    team = opened(server.new_database())
    expected = state(mine, run_id)
    first = copy_store(mine, team)
    again = copy_store(mine, team)
    back = opened(tmp_path / "back.sqlite")
    copy_store(team, back)

    assert expected == state(team, run_id) == state(back, run_id)
    assert (1, 2, 1) == (first.carried.n_calibrations, first.carried.n_looks, first.carried.n_settings)
    assert (0, 0, 0) == (again.carried.n_calibrations, again.carried.n_looks, again.carried.n_settings)
    assert {} == team.kept("redaction", str)
    counts = first.runs[run_id]
    assert (N, N, N, 1) == (counts.traces, counts.claim_sets, counts.judgements, counts.annotations)


def test_a_copy_that_is_stopped_goes_on(server: Server, opened: Opened, tmp_path: Path) -> None:
    """Stopped between two runs: the next call brings the other, and the first is not there twice."""
    mine, run_id = a_store(tmp_path, opened)
    import_files(mine, [a_file(tmp_path, 5, name="second.jsonl")], run_name="second")
    team, cancel = opened(server.new_database()), threading.Event()
    with pytest.raises(Cancelled):
        copy_store(mine, team, cancel=cancel, on_progress=lambda *_: cancel.set())
    assert [run_id] == [run.run_id for run in team.runs()]
    report = copy_store(mine, team)

    assert {run.run_id for run in mine.runs()} == set(report.runs) == {run.run_id for run in team.runs()}
    assert N == len(team.trace_ids(run_id))


def test_a_run_that_the_target_refuses_costs_no_other(server: Server, opened: Opened, tmp_path: Path) -> None:
    """
    An id that no index of a server takes (files of earlier versions hold such): its run is named, nothing of it stays, all others arrive, very
    long answers too.
    """
    mine = opened(tmp_path / "mine.sqlite")
    long = " ".join(f"word{n:07d}" for n in range(120_000))
    ids = {"first": "a", "second": "".join(random.Random(0).choices(string.ascii_letters, k=6_000)), "third": "c"}
    for run_id, trace_id in ids.items():
        mine.create_run(manifest(run_id))
        mine.add_traces(run_id, [plain(trace_id, response=long)])
        mine.finish_run(manifest(run_id))
    team = opened(server.new_database())

    with pytest.raises(StoreError, match="1 run of 3 could not be copied, the others are there: second") as caught:
        copy_store(mine, team)
    assert "the database refused" in str(caught.value)
    assert {"first", "third"} == {run.run_id for run in team.runs()}
    assert [long, long] == [trace.response for run_id in ("first", "third") for trace in team.traces(run_id)]


def test_what_was_said_after_a_copy_is_told_and_not_called_equal(server: Server, opened: Opened, tmp_path: Path) -> None:
    """A copy does not overwrite words; where the two sides differ, it says by how much."""
    mine, run_id = a_store(tmp_path, opened)
    team = opened(server.new_database())
    copy_store(mine, team)
    mine.annotate(run_id, note(mine.trace_ids(run_id)[1]))

    with pytest.raises(StoreError, match="annotations 2 and 1"):
        copy_store(mine, team)


def test_the_command_copies_both_ways_and_counts(server: Server, opened: Opened, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`ragviz store copy`: a table, JSON, and one sentence for what cannot be."""
    mine, run_id = a_store(tmp_path, opened)
    address, back = server.new_database(), tmp_path / "back.sqlite"
    assert 0 == main(["store", "copy", mine.full_address, address])
    assert "1 run is the same in both stores" in capsys.readouterr().out
    assert 0 == main(["store", "copy", address, str(back), "--run", "run", "--json"])
    told = json.loads(capsys.readouterr().out)
    assert N == told["runs"][run_id]["judgements"]
    assert state(mine, run_id) == state(opened(back), run_id)
    for options, word in (
        ([str(tmp_path / "none.sqlite"), address], "no store"),
        ([str(back), str(back)], "same store"),
        ([str(back), address, "--run", "nothing"], "no run named"),
    ):
        assert 2 == main(["store", "copy", *options])
        assert word in capsys.readouterr().err


def test_two_dashboards_and_a_command_write_at_once(server: Server, opened: Opened, tmp_path: Path) -> None:
    """Two processes that hold the store open write labels while a third judges: nothing is lost, nothing waits for ever, nothing is doubled."""
    _, run_id = a_store(tmp_path, opened)
    address = server.new_database()
    team = opened(address)
    copy_store(opened(tmp_path / "mine.sqlite"), team)
    ids = team.trace_ids(run_id)
    writers = [
        subprocess.Popen([sys.executable, "-c", DASHBOARD, address, run_id, name, *ids], cwd=REPO, stderr=subprocess.PIPE, text=True) for name in ("ana", "ben")
    ]
    judging = subprocess.Popen(
        [sys.executable, "-m", "ragviz", "judge", run_id, "--judge", "local", "--store", address],
        cwd=REPO,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    for process in (*writers, judging):
        _, errors = process.communicate(timeout=600)
        assert 0 == process.returncode, errors
    said = Counter(word.author for word in people_said(team, run_id, "rules"))
    other = next(view for view, _ in team.views(run_id) if view.judge.startswith("local"))

    assert {"Ada": 1, "ana": N, "ben": N} == said
    assert not team.not_judged(run_id, other.judge, other.claim_set, 0)
    assert N == run_counts(team, run_id).judgements - N  # one row a trace of each judge


DASHBOARD = """
import sys
from datetime import UTC, datetime
from ragviz.contracts import View
from ragviz.pipeline import annotate
from ragviz.records import Annotation, Grounding
from ragviz.store import open_store
address, run_id, name, *ids = sys.argv[1:]
store = open_store(address)
view = store.views(run_id)[0][0]
for trace_id in ids:
    annotate(store, view, Annotation(trace_id=trace_id, claim_id="c1", grounding=Grounding.CONTRADICTED, author=name, at=datetime.now(UTC)))
    store.page(view)
"""
