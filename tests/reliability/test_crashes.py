"""Import, judging, labelling, migration and export, killed at random moments: what was acknowledged is there once, and the rest is made up for."""

from __future__ import annotations

import os
import random
import shutil
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from ragviz.contracts import View
from ragviz.pipeline import import_files
from ragviz.pipeline.exporting import export_run
from ragviz.pipeline.judging import judge_run
from ragviz.records import Annotation, Grounding
from ragviz.store import open_store, schema
from tests.contracts.store_laws import NOW
from tests.reliability.crashing import Heard, Say, a_shot, child, sound
from tests.unit.pipeline.fakes import WordJudge, a_file, without_models

ROUNDS = int(os.environ.get("RAGVIZ_CRASH_ROUNDS", "1"))
SHOTS = 3
"""Kills that hit before a round's work may end."""
TRIES = 10
"""Shots for each of them, at most."""
N_TRACES, N_LABELS = 2_000, 40
N_JUDGED, BATCH = 100, 10
"""Small batches: there are as many ends of a batch to be killed at, with less to be judged between them."""
N_EXPORTS = 8
"""One after the other in each child: one alone is over before the shot where the machine became faster since it was measured."""
pytestmark = pytest.mark.slow
Record = Callable[..., None]


@pytest.fixture(scope="module", autouse=True)
def no_models() -> Iterator[None]:
    """Loading one would take most of each child's time; and the batches of this file."""
    with pytest.MonkeyPatch.context() as patch:
        without_models(patch)
        patch.setattr("ragviz.pipeline.judging.LOCAL_BATCH", BATCH)
        yield


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory, no_models: None) -> Path:
    """A folder with traces, a store that holds them, one with their verdicts too, and one of the first schema."""
    folder = tmp_path_factory.mktemp("whole")
    a_file(folder, N_TRACES)
    store = open_store(folder / "imported.sqlite")
    import_files(store, [a_file(folder, N_JUDGED, name="fewer.jsonl")], run_name="r")
    store.close()
    shutil.copy(folder / "imported.sqlite", folder / "judged.sqlite")
    store = open_store(folder / "judged.sqlite")
    judge_run(store, store.run("r").run_id, WordJudge())
    store.close()
    shutil.copy(folder / "judged.sqlite", folder / "old.sqlite")
    conn = sqlite3.connect(folder / "old.sqlite")
    conn.executescript("DROP TABLE pending_batch; DROP TABLE kept; DELETE FROM migration WHERE version > 1; PRAGMA wal_checkpoint(TRUNCATE);")
    conn.close()
    return folder


def rounds(work: Callable[[Say], None], fresh: Callable[[], None], check: Callable[[Heard], None], *, seed: int) -> tuple[int, int]:
    """
    Repeatedly: a fresh start, some kills with a check after each, and then the end with a check. Kills that hit, and words acknowledged.

    A shot that came too late is not a kill: the work is done, so there is nothing left to shoot at until it starts afresh. How long it took that time
    replaces what the next shots are aimed by, since a machine may be faster now than when it was measured.
    """
    rng = random.Random(seed)
    n_killed = n_said = 0
    whole = Heard([], False, [])
    for _ in range(2):  # the first one also reads modules and files that the others find in memory
        fresh()
        whole = child(work)
        check(whole)
    for _ in range(ROUNDS):
        fresh()
        n_hit, from_start = 0, True
        for _ in range(SHOTS * TRIES):
            heard = child(work, a_shot(rng, whole))
            check(heard)
            n_hit += heard.killed
            n_said += len(heard.said)
            if n_hit == SHOTS:
                break
            if not heard.killed:
                whole = heard if from_start else whole
                fresh()
            from_start = not heard.killed
        heard = child(work)
        check(heard)
        n_killed += n_hit
        n_said += len(heard.said)
    return n_killed, n_said


def test_import(whole: Path, tmp_path: Path, record: Record) -> None:
    """Traces reported as stored are stored, once and in order; the same import started again completes the run."""
    path = tmp_path / "s.sqlite"
    ids = [f"q{n}" for n in range(N_TRACES)]

    def work(say: Say) -> None:
        store = open_store(path)
        import_files(store, [whole / "traces.jsonl"], on_progress=lambda n, _: say(str(n)))
        say("done")

    def fresh() -> None:
        for file in tmp_path.iterdir():
            file.unlink()

    def check(heard: Heard) -> None:
        if not path.exists() or not path.stat().st_size:
            assert not heard.said
            return
        store = open_store(path)
        sound(path)
        stored = [i for run in store.runs() for i in store.trace_ids(run.run_id)]
        assert len(store.runs()) <= 1
        assert stored == ids[: len(stored)]
        assert len(stored) >= max((int(word) for word in heard.said if word != "done"), default=0)
        if not heard.killed:
            assert stored == ids
            assert store.is_finished(store.runs()[0].run_id)
        store.close()

    record("import", *rounds(work, fresh, check, seed=1), unit="batches")


def test_judging(whole: Path, tmp_path: Path, record: Record) -> None:
    """No pair is judged twice over, none of a finished batch is lost, and all are there in the end, with their scores."""
    path = tmp_path / "s.sqlite"
    there = {"before": 0}

    def fresh() -> None:
        there["before"] = 0
        for file in tmp_path.iterdir():
            file.unlink()
        shutil.copy(whole / "imported.sqlite", path)

    def work(say: Say) -> None:
        store = open_store(path)
        judge_run(store, store.run("r").run_id, WordJudge(), on_progress=lambda n, _: say(str(n)))
        say("done")

    def check(heard: Heard) -> None:
        store = open_store(path)
        sound(path)
        views = store.views(store.run("r").run_id)
        seen = {case.trace.id: case for case in store.judged(views[0][0])} if views else {}
        judged = [i for i, case in seen.items() if case.judgements]
        for i in judged[:: max(1, len(judged) // 12)]:
            words = [word for claim in seen[i].claims for word in store.words(store.run("r").run_id, i, claim.id, "rules")]
            assert all(n == 1 for n in Counter(word.said.key for word in words).values())  # type: ignore[union-attr]
        assert len(judged) >= there["before"] + max((int(word) for word in heard.said if word != "done"), default=0)
        there["before"] = len(judged)
        if not heard.killed:
            assert N_JUDGED == len(judged)
            assert [] == store.missing_results(views[0][0])
        store.close()

    record("judging", *rounds(work, fresh, check, seed=2), unit="batches")


def test_labelling(whole: Path, tmp_path: Path, record: Record) -> None:
    """Every label that was answered is there exactly once."""
    path = tmp_path / "s.sqlite"
    told: list[int] = []

    def fresh() -> None:
        told.clear()
        for file in tmp_path.iterdir():
            file.unlink()
        shutil.copy(whole / "judged.sqlite", path)

    def labels() -> list[str]:
        store = open_store(path)
        view = store.views(store.run("r").run_id)[0][0]
        found = [note.reason for case in store.judged(view) for note in case.annotations]
        store.close()
        return found

    def work(say: Say) -> None:
        there = {int(reason) for reason in labels()}
        store = open_store(path)
        run = store.run("r").run_id
        for n in range(N_LABELS):
            if n not in there:
                store.annotate(run, Annotation(trace_id=f"q{n}", claim_id="c1", grounding=Grounding.SUPPORTED, author="ada", reason=str(n), at=NOW))
                say(str(n))

    def check(heard: Heard) -> None:
        told.extend(int(word) for word in heard.said)
        sound(path)
        found = Counter(labels())
        assert all(n == 1 for n in found.values())
        assert {str(n) for n in told} <= set(found)
        if not heard.killed:
            assert {str(n) for n in range(N_LABELS)} == set(found)

    record("labelling", *rounds(work, fresh, check, seed=3), unit="labels")


def test_migration(whole: Path, tmp_path: Path, record: Record) -> None:
    """Old or new, never half; what lies beside as a backup is a whole store of the old version."""
    path = tmp_path / "s.sqlite"

    def fresh() -> None:
        for file in tmp_path.iterdir():
            file.unlink()
        shutil.copy(whole / "old.sqlite", path)

    def work(say: Say) -> None:
        open_store(path)
        say("lifted")

    def check(heard: Heard) -> None:
        sound(path)
        conn = sqlite3.connect(path)
        version = conn.execute("SELECT max(version) FROM migration").fetchone()[0]
        tables = {name for (name,) in conn.execute("SELECT name FROM sqlite_master WHERE name IN ('pending_batch', 'kept')")}
        n = conn.execute("SELECT count(*) FROM judgement").fetchone()[0]
        conn.close()
        assert (version, tables) in ((1, set()), (schema.SCHEMA, {"pending_batch", "kept"}))
        assert n
        if heard.said:
            assert schema.SCHEMA == version
        for backup in tmp_path.glob("*.backup"):
            sound(backup)
            old = sqlite3.connect(backup)
            assert (1,) == old.execute("SELECT max(version) FROM migration").fetchone()
            assert (n,) == old.execute("SELECT count(*) FROM judgement").fetchone()
            old.close()
        if version == schema.SCHEMA:
            assert list(tmp_path.glob("*.backup"))

    record("migration", *rounds(work, fresh, check, seed=4), unit="lifts")


@pytest.mark.parametrize("ending", [".ragviz", ".claims.csv"])
def test_export(whole: Path, tmp_path: Path, record: Record, ending: str) -> None:
    """The file that was there before, or the whole new one; nothing between."""
    store_file, outs = tmp_path / "s.sqlite", [tmp_path / f"out{n}{ending}" for n in range(N_EXPORTS)]
    shutil.copy(whole / "judged.sqlite", store_file)
    store = open_store(store_file)
    view: View = store.views(store.run("r").run_id)[0][0]
    export_run(store, view, outs[0])
    store.close()
    complete, before = outs[0].read_bytes(), b"what was there before"

    def fresh() -> None:
        for out in outs:
            out.write_bytes(before)

    def work(say: Say) -> None:
        opened = open_store(store_file)
        for out in outs:
            export_run(opened, view, out)
            say("written")

    def check(heard: Heard) -> None:
        found, n = [out.read_bytes() for out in outs], len(heard.said)
        assert found[:n] == [complete] * n
        assert all(last in (complete, before) for last in found[n : n + 1])
        assert all(later == before for later in found[n + 1 :])
        sound(store_file)
        for left in tmp_path.glob(".out*"):
            left.unlink()
        fresh()

    record(f"export {ending}", *rounds(work, fresh, check, seed=5), unit="files")
