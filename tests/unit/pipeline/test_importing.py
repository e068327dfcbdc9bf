"""Files into a run: whole, once, and again from where it stopped."""

from __future__ import annotations

import io
import json
import threading
from pathlib import Path

import pytest

from ragviz.errors import Cancelled, InputError
from ragviz.pipeline import import_files
from ragviz.pipeline import importing as module
from ragviz.store import Store
from tests.unit.pipeline.fakes import a_file


def test_a_file_becomes_a_run(store: Store, tmp_path: Path) -> None:
    """Named after the file, with the figures of ``import --json``."""
    report = import_files(store, [a_file(tmp_path, 3)])

    assert {**report.to_json(), "format": "ragviz", "files": [{**report.to_json()["files"][0], "format": "ragviz"}]} == {
        "run": "traces", "format": "ragviz", "files": [{"file": "traces.jsonl", "format": "ragviz", "traces": 3, "issues": 0}], "traces": 3, "issues": [],
        "first": {"question": "What colour is number 0?", "passages": 2},
    }
    assert store.trace_ids(report.run_id) == ["q0", "q1", "q2"]
    assert store.is_finished(report.run_id)
    assert (store.run("traces").name, store.run("traces").n_traces) == ("traces", 3)


def test_the_same_file_again_adds_nothing_and_a_changed_one_is_a_new_run(store: Store, tmp_path: Path) -> None:
    """Runs are told apart by name and content."""
    first = import_files(store, [a_file(tmp_path, 3)])
    made = store.run(first.run_id).created_at
    again = import_files(store, [a_file(tmp_path, 3)])
    assert made == store.run(first.run_id).created_at
    changed = import_files(store, [a_file(tmp_path, 3, response="Grass is green.")])

    assert (first.run_id, 3, 0) == (again.run_id, first.n_new, again.n_new)
    assert changed.run_id != first.run_id
    assert len(store.runs()) == 2


def test_a_cancelled_import_goes_on_where_it_stopped(store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Stopped after the first batch of two, then finished: each trace once, in order."""
    monkeypatch.setattr(module, "BATCH", 2)
    path, cancel = a_file(tmp_path, 7), threading.Event()
    with pytest.raises(Cancelled):
        import_files(store, [path], cancel=cancel, on_progress=lambda done, _total: cancel.set() if done >= 2 else None)
    run_id = store.runs()[0].run_id
    assert (len(store.trace_ids(run_id)), store.is_finished(run_id)) == (2, False)

    report = import_files(store, [path])

    assert (run_id, 7, 5) == (report.run_id, report.n_traces, report.n_new)
    assert [f"q{n}" for n in range(7)] == store.trace_ids(run_id)


def test_a_file_without_a_trace_leaves_no_run(store: Store, tmp_path: Path) -> None:
    """But its issue is told."""
    path = tmp_path / "empty.jsonl"
    path.write_text("")
    report = import_files(store, [path])

    assert (report.n_traces, report.run_id, store.runs()) == (0, "", [])
    assert "empty" in report.issues[0].message


def test_bad_rows_are_kept_as_issues_beside_good_ones(store: Store, tmp_path: Path) -> None:
    """Two good rows, one cut off: two traces and one issue with its line."""
    path = a_file(tmp_path, 2)
    path.write_text(path.read_text() + '{"question": "cut o', encoding="utf-8")
    report = import_files(store, [path])

    assert (report.n_traces, report.n_issues) == (2, 1)
    assert "traces.jsonl:3" in store.issues(report.run_id)[0].where


def test_two_files_with_the_same_ids_keep_all_their_traces(store: Store, tmp_path: Path) -> None:
    """The second q0 gets a name of its own."""
    one, two = a_file(tmp_path, 2, name="one.jsonl"), a_file(tmp_path, 2, name="two.jsonl", response="Grass is green.")
    report = import_files(store, [one, two], run_name="both")

    assert (report.n_traces, report.run) == (4, "both")
    assert len({t.id for t in store.traces(report.run_id)}) == 4


def test_citations_are_found_while_importing(store: Store, tmp_path: Path) -> None:
    """[2] is the second passage."""
    report = import_files(store, [a_file(tmp_path, 1, response="The sky is blue [2].")])

    citations = next(iter(store.traces(report.run_id))).citations
    assert citations is not None
    assert [(c.marker, c.passage_ids) for c in citations] == [("[2]", ("p2",))]


def test_a_stream_with_a_name_is_a_file_too(store: Store) -> None:
    """As the upload box hands it over."""
    row = json.dumps({"id": "a", "question": "Q?", "response": "A.", "passages": ["P."]}).encode()
    report = import_files(store, [("up.jsonl", io.BytesIO(row))])
    again = import_files(store, [("up.jsonl", io.BytesIO(row))])

    assert (1, "up", report.run_id) == (report.n_traces, report.run, again.run_id)


def test_no_file_is_an_input_error(store: Store) -> None:
    """With a word on what to do."""
    with pytest.raises(InputError, match="no file"):
        import_files(store, [])


@pytest.mark.parametrize("where", ["rank", "relevance", "start"])
def test_a_number_that_no_store_holds_costs_its_record_alone(store: Store, tmp_path: Path, where: str) -> None:
    """Of our own records no field is looked at one by one while they come in by the thousand."""
    path = a_file(tmp_path, 5)
    lines = path.read_text(encoding="utf-8").splitlines()
    odd = json.loads(lines[2])
    if where == "start":
        odd["citations"] = [{"span": {"start": 10**30, "end": 10**30 + 1}, "marker": "[1]", "passage_ids": []}]
    else:
        odd["passages"][0][where] = 10**30
    lines[2] = json.dumps(odd)
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")

    report = import_files(store, [path])

    left_out = [issue for issue in report.issues if "too large" in issue.message]
    assert (report.n_traces, store.run(report.run_id).n_traces, len(left_out)) == ((5, 5, 1) if where == "relevance" else (4, 4, 1))
    assert "traces.jsonl:3" in left_out[0].where
    assert len(store.trace_ids(report.run_id)) == report.n_traces
