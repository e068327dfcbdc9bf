"""A run as a file for other programs."""

from __future__ import annotations

import csv
import json
import os
from pathlib import Path

import pytest

from ragviz.contracts import View
from ragviz.errors import InputError
from ragviz.library.frames import claims_frame
from ragviz.pipeline import evaluate_run, export_run, import_files, judge_run
from ragviz.pipeline.exporting import whole_file
from ragviz.store import Store, open_store
from tests.unit.pipeline.fakes import WordJudge, a_file

pytestmark = pytest.mark.usefixtures("no_raters")


@pytest.fixture
def judged(tmp_path: Path) -> tuple[Store, View]:
    store = open_store(":memory:")
    run_id = import_files(store, [a_file(tmp_path, 2, response="=The sky is blue.")]).run_id
    return store, judge_run(store, run_id, WordJudge()).view


def test_traces_as_a_table(judged: tuple[Store, View], tmp_path: Path) -> None:
    """Readable as UTF-8 by spreadsheets, with scores by name and no formula."""
    assert 2 == export_run(*judged, tmp_path / "out.csv")

    raw = (tmp_path / "out.csv").read_bytes()
    rows = list(csv.DictReader(raw.decode("utf-8-sig").splitlines()))
    assert raw.startswith(b"\xef\xbb\xbf")
    assert ["q0", "q1"] == [row["id"] for row in rows]
    assert ("'=The sky is blue.", "1") == (rows[0]["response"], rows[0]["n_claims"])
    assert float(rows[0]["precision_at_5"]) == 0.2


def test_claims_as_a_table(judged: tuple[Store, View], tmp_path: Path) -> None:
    """One line per claim of an answer, with verdict and certificate."""
    assert 2 == export_run(*judged, tmp_path / "out.claims.csv")
    rows = list(csv.DictReader((tmp_path / "out.claims.csv").read_text("utf-8-sig").splitlines()))
    assert ["q0", "q1"] == [row["trace_id"] for row in rows]
    assert {"supported", "not_supported"} >= {row["verdict"] for row in rows}


def test_every_quote_of_a_certificate_is_given(tmp_path: Path) -> None:
    """CSV, data frame and JSON name the same certificates, in the same order; each quote stands word for word in its passage."""
    texts = {"a": "Cases are kept. An item can be returned within 30 days.", "b": "Returns: within 30 days an item can be returned.", "c": "The sky is blue."}
    row = {
        "question": "How long?",
        "answer": "An item can be returned within 30 days. The sky is green.",
        "passages": [{"id": i, "text": t} for i, t in texts.items()],
    }
    (tmp_path / "two.json").write_text(json.dumps([row]), encoding="utf-8")
    store = open_store(":memory:")
    run = import_files(store, [tmp_path / "two.json"]).run_id
    found = evaluate_run(store, run, judge="local")
    export_run(store, judge_run(store, run, "local").view, tmp_path / "out.claims.csv")
    rows = list(csv.DictReader((tmp_path / "out.claims.csv").read_text("utf-8-sig").splitlines()))
    frame = claims_frame(found)
    several = 0

    for at, claim in enumerate(found.traces[0].claims):
        expected = [(e.passage_id, e.start, e.end, e.quote) for e in claim.evidence]
        more = [json.loads(said) if isinstance(said, str) and said else [] for said in (rows[at]["more_evidence"], frame["more_evidence"][at])]
        firsts = [(rows[at]["passage_id"], int(rows[at]["start"]), int(rows[at]["end"]), rows[at]["quote"])] if rows[at]["quote"] else []
        assert more[0] == more[1]
        assert [*firsts, *((m["passage_id"], m["start"], m["end"], m["quote"]) for m in more[0])] == expected
        assert all(texts[i][start:end] == quote for i, start, end, quote in expected)
        several += len(expected) > 1

    assert several


@pytest.mark.parametrize("name", ["out.jsonl", "out.parquet"])
def test_traces_load_again_equal(judged: tuple[Store, View], tmp_path: Path, name: str) -> None:
    """Written and read, nothing is lost."""
    store, view = judged
    export_run(store, view, tmp_path / name)
    again = import_files(store, [tmp_path / name], run_name="again")

    assert list(store.traces(view.run_id)) == list(store.traces(again.run_id))


def test_other_tools_formats_are_json(judged: tuple[Store, View], tmp_path: Path) -> None:
    """Ragas: a sample a line; RAGChecker: one object."""
    export_run(*judged, tmp_path / "out.ragas.jsonl")
    export_run(*judged, tmp_path / "out.ragchecker.json")

    assert 2 == len([json.loads(line) for line in (tmp_path / "out.ragas.jsonl").read_text().splitlines()])
    assert 2 == len(json.loads((tmp_path / "out.ragchecker.json").read_text())["results"])


def test_a_bundle_opens_in_another_store(judged: tuple[Store, View], tmp_path: Path) -> None:
    """With its verdicts: the judge is not needed again."""
    store, view = judged
    export_run(store, view, tmp_path / "out.ragviz")
    other = open_store(":memory:")
    with (tmp_path / "out.ragviz").open("rb") as source:
        other.import_bundle(source, name="out.ragviz")

    assert list(store.judged(view)) == list(other.judged(view))


def test_a_failed_export_leaves_the_old_file(judged: tuple[Store, View], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The new file takes its place only when it is complete, and no half file stays beside it."""
    path = tmp_path / "out.csv"
    path.write_text("old")

    def fail(*_: object) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setitem(__import__("ragviz.pipeline.exporting", fromlist=["WRITERS"]).WRITERS, ".csv", fail)
    with pytest.raises(InputError, match="No space left"):
        export_run(*judged, path)
    assert "old" == path.read_text()
    assert [] == [p.name for p in tmp_path.iterdir() if p.name.startswith(".out")]


def test_an_unknown_ending_lists_the_known_ones(judged: tuple[Store, View], tmp_path: Path) -> None:
    """So that the next try works."""
    with pytest.raises(InputError) as caught:
        export_run(*judged, tmp_path / "out.xlsx")
    assert ".claims.csv" in caught.value.fix


def test_a_file_that_fails_half_way_leaves_the_old_one(tmp_path: Path) -> None:
    """A full disk or a stop: what was there stays, and nothing else lies around."""
    out = tmp_path / "report.html"
    out.write_bytes(b"old")

    def fill_the_disk() -> None:
        with whole_file(out) as target:
            target.write(b"new")
            raise OSError(28, "No space left on device")

    with pytest.raises(InputError, match=r"report\.html cannot be written: No space left"):
        fill_the_disk()

    assert (out.read_bytes(), list(tmp_path.iterdir())) == (b"old", [out])


def test_a_finished_file_is_readable_as_the_umask_allows(tmp_path: Path) -> None:
    """Not for its writer alone, as temporary files are."""
    (tmp_path / "plain").touch()
    with whole_file(tmp_path / "made") as target:
        target.write(b"x")

    assert (tmp_path / "made").stat().st_mode == (tmp_path / "plain").stat().st_mode


def test_what_a_killed_export_left_is_swept_by_the_next(tmp_path: Path) -> None:
    """Old hidden files of that name go; young ones, which somebody may be writing, and files of other names stay."""
    old, young, other = (tmp_path / name for name in (".out.csv.0123456789ab", ".out.csv.ba9876543210", ".out.csv.notes"))
    for file in (old, young, other):
        file.write_bytes(b"half")
    for file in (old, other):
        os.utime(file, (1, 1))

    with whole_file(tmp_path / "out.csv") as target:
        target.write(b"whole")

    assert {"out.csv", young.name, other.name} == {file.name for file in tmp_path.iterdir()}
