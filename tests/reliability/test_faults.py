"""A full disk and a store that may only be read, made with real file systems: one sentence with a fix, and nothing destroyed."""

from __future__ import annotations

import contextlib
import io
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from streamlit.testing.v1 import AppTest

from ragviz.cli.main import main
from ragviz.errors import RagvizError, StoreError
from ragviz.pipeline import import_files
from ragviz.pipeline.judging import best_view, judge_run
from ragviz.records import Annotation, Grounding
from ragviz.store import Store, open_store
from tests.contracts.store_laws import NOW
from tests.reliability.crashing import sound
from tests.reliability.servers import REPO
from tests.unit.pipeline.fakes import WordJudge, a_file, raters_by_words

pytestmark = pytest.mark.slow
Mount = Callable[..., Path]


@pytest.fixture
def mounted(tmp_path: Path) -> Iterator[Mount]:
    """Small file systems of one's own; only root may make them."""
    made: list[Path] = []

    def mount(options: str) -> Path:
        folder = tmp_path / f"disk-{len(made)}"
        folder.mkdir()
        done = subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(folder)], capture_output=True, text=True, check=False)
        if done.returncode:
            pytest.skip(f"no file system can be mounted here: {done.stderr.strip()}")
        made.append(folder)
        return folder

    if sys.platform != "linux" or os.geteuid() != 0:
        pytest.skip("mounting a file system needs root on Linux")
    yield mount
    for folder in made:
        subprocess.run(["umount", "-l", str(folder)], check=True)


@pytest.fixture(autouse=True)
def by_words(monkeypatch: pytest.MonkeyPatch) -> None:
    """A rater's model would take most of the time, and says nothing about disks."""
    raters_by_words(monkeypatch)


def judged_store(folder: Path) -> Path:
    """A store with a run of twenty traces that ``facts``, a judge of the command line, judged and scored."""
    path, file = folder / "s.sqlite", folder / "facts.jsonl"
    fact = {"attribute": "colour", "value": "blue"}
    claim = {"text": "The sky is blue.", "side": "response", **fact}
    rows = [{"id": f"q{n}", "question": f"What colour is the sky on day {n}?", "response": "The sky is blue.", "claims": [claim],
             "passages": [{"id": "p1", "text": "The sky is blue.", "rank": 1, "facts": [fact]}]} for n in range(20)]
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    store = open_store(path)
    judge_run(store, import_files(store, [file], run_name="r").run_id, "facts")
    store.close()
    return path


@pytest.fixture
def read_only(mounted: Mount, tmp_path: Path) -> Path:
    """A judged store on a disk that may only be read."""
    disk = mounted("size=32m")
    shutil.copy(judged_store(tmp_path), disk / "s.sqlite")
    subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)
    return disk / "s.sqlite"


class Done(NamedTuple):
    """What a command came to."""

    returncode: int
    stdout: str
    stderr: str


def ragviz(*words: str) -> Done:
    """The command line, in this process: a new one for each command would cost more than all it does."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main(list(words))
    return Done(code, out.getvalue(), err.getvalue())


def without_time(found: Any) -> Any:
    """What a command printed, without how long the judge took."""
    if isinstance(found, dict):
        return {name: without_time(part) for name, part in found.items() if name not in ("judge_ms_per_claim", "judging_cost")}
    if isinstance(found, list):
        return [without_time(part) for part in found if not (isinstance(part, dict) and part.get("metric") == "judge_ms_per_claim")]
    return found


def test_a_full_disk_stops_an_import_and_loses_nothing(mounted: Mount, tmp_path: Path) -> None:
    """Batches that fitted are kept, the database is whole, and with more room the same import goes on."""
    disk = mounted("size=3m")
    file = a_file(tmp_path, 6_000, response="The sky is blue. " * 12)
    path = disk / "s.sqlite"
    told: list[int] = []
    store = open_store(path)
    with pytest.raises(StoreError, match=r"no space left|failed to read or write") as caught:
        import_files(store, [file], on_progress=lambda n, _: told.append(n))
    assert caught.value.fix
    stored = store.trace_ids(store.runs()[0].run_id)
    assert max(told) == len(stored) < 6_000
    store.close()
    subprocess.run(["mount", "-o", "remount,size=64m", str(disk)], check=True)
    sound(path)
    store = open_store(path)
    report = import_files(store, [file])

    assert 6_000 - len(stored) == report.n_new
    assert [f"q{n}" for n in range(6_000)] == store.trace_ids(report.run_id)
    store.close()


def test_an_export_to_a_full_disk_leaves_what_was_there(mounted: Mount, tmp_path: Path) -> None:
    """The old file stays, no half of a new one lies beside it."""
    disk = mounted("size=64k")
    (disk / "out.jsonl").write_text("what was there")
    store = judged_store(tmp_path)
    opened = open_store(store)
    import_files(opened, [a_file(tmp_path, 2_000, name="many.jsonl")], run_name="many")
    opened.close()
    done = ragviz("export", "many", str(disk / "out.jsonl"), "--store", str(store))

    assert 2 == done.returncode
    assert "free some space" in done.stderr
    assert "Traceback" not in done.stderr
    assert ["out.jsonl"] == [p.name for p in disk.iterdir()]
    assert "what was there" == (disk / "out.jsonl").read_text()


def test_a_store_that_may_only_be_read_is_read(read_only: Path, tmp_path: Path) -> None:
    """Evaluation of stored verdicts, comparison and export give what the writable store gives."""
    as_before = ragviz("evaluate", "r", "--judge", "facts", "--store", str(tmp_path / "s.sqlite"), "--json")
    now = ragviz("evaluate", "r", "--judge", "facts", "--store", str(read_only), "--json")

    assert 0 == now.returncode, now.stderr
    assert "entailed" in now.stdout or "supported" in now.stdout
    assert as_before.stdout == now.stdout
    for ending in ("csv", "claims.csv", "jsonl", "ragviz", "html"):
        done = ragviz("export", "r", str(tmp_path / f"out.{ending}"), "--store", str(read_only), "--redact", "emails")
        assert 0 == done.returncode, done.stderr
        assert (tmp_path / f"out.{ending}").stat().st_size
    assert ["s.sqlite"] == [p.name for p in read_only.parent.iterdir()]


def test_what_is_not_judged_there_is_judged_in_a_copy(read_only: Path, tmp_path: Path) -> None:
    """
    Without --judge the judge is ``local`` there too, which has not judged the run: the numbers are those of a writable store, nothing is kept,
    and that is said.
    """
    for words in (("evaluate", "r", "--json"), ("evaluate", "r", "-k", "1", "--policy", "strict", "--json"), ("compare", "r", "r", "--json")):
        now = ragviz(*words, "--store", str(read_only))
        there = ragviz(*words, "--store", str(tmp_path / "s.sqlite"))

        assert (0, 0) == (there.returncode, now.returncode), now.stderr
        assert without_time(json.loads(there.stdout)) == without_time(json.loads(now.stdout))
        assert "can only be read: what is judged now is used here and not kept" in now.stderr
    assert 0 == ragviz("report", "r", str(tmp_path / "r.md"), "--store", str(read_only)).returncode
    assert ["s.sqlite"] == [p.name for p in read_only.parent.iterdir()]


def test_writing_to_it_is_one_sentence(read_only: Path, tmp_path: Path) -> None:
    """Import, judging and labelling say what is wrong and how to mend it."""
    done = ragviz("import", str(a_file(tmp_path, 3, name="more.jsonl")), "--store", str(read_only))
    assert 2 == done.returncode
    assert "can only be read" in done.stderr
    assert "write permission" in done.stderr
    store = open_store(read_only)
    writes: list[Callable[[Store, str], object]] = [
        lambda s, run: judge_run(s, run, WordJudge()), lambda s, run: s.delete_run(run), lambda s, _: s.keep("traces-view", "x", {}),
        lambda s, run: s.annotate(run, Annotation(trace_id="q1", claim_id="c1", grounding=Grounding.SUPPORTED, author="ada", at=NOW)),
    ]
    for write in writes:
        with pytest.raises(RagvizError, match="can only be read"):
            write(store, store.runs()[0].run_id)
    assert 20 == len(store.trace_ids(best_view(store, store.runs()[0].run_id).run_id))
    store.close()


def test_its_pages_open(read_only: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every page shows the run; none ends in a traceback."""
    import streamlit as st

    monkeypatch.setenv("RAGVIZ_STORE", str(read_only))
    st.cache_resource.clear()
    st.cache_data.clear()
    for name in sorted(p.stem for p in (REPO / "pages").glob("*.py") if p.stem != "__init__"):
        app = AppTest.from_file(str(REPO / "app.py"), default_timeout=120)
        app.query_params["_p"] = name
        app.run()
        assert not app.exception, f"{name}: {app.exception}"
        assert not [e.value for e in app.error if "can only be read" in e.value], name
    st.cache_resource.clear()
    st.cache_data.clear()
