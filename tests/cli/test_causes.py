"""``ragviz evaluate`` tells "in the corpus, not retrieved" from "not in the corpus", with the passage and the words that say so."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from ragviz.cli.main import main
from ragviz.pipeline import corpora, import_files, importing
from ragviz.pipeline.corpora import documents_of
from ragviz.store import open_store

TRACES = [
    {
        "id": name,
        "question": question,
        "response": "I could not find that in the documents.",
        "reference": reference,
        "answerable": True,
        "passages": [{"id": "hours", "text": "The workshop is open from 9 to 17."}],
    }
    for name, question, reference in (
        ("there", "How long is the Nimbus 4 covered?", "The warranty of the Nimbus 4 lasts 36 months."),
        ("nowhere", "Which colours are there?", "The Nimbus 4 is sold in dark green."),
    )
]
STATED = "Registration is free. The warranty of the Nimbus 4 lasts 36 months from the day of purchase."


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    """Two refusals, and documents of which one states what the first should have said."""
    traces, documents = tmp_path / "traces.jsonl", tmp_path / "documents.json"
    traces.write_text("\n".join(map(json.dumps, TRACES)), encoding="utf-8")
    documents.write_text(
        json.dumps({"hours": "The workshop is open from 9 to 17.", "cover": STATED, "parking": "Parking is behind the house."}), encoding="utf-8"
    )
    return traces, documents


def told(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, dict[str, Any]]:
    assert main(["evaluate", *arguments, "--judge", "local", "--json"]) == 0
    return {trace["id"]: trace for trace in json.loads(capsys.readouterr().out)["traces"]}


def test_the_passage_that_was_not_retrieved_is_named_with_its_place(files: tuple[Path, Path], capsys: pytest.CaptureFixture[str]) -> None:
    """With the documents: id, rank of the search, certificate, judge. The other is nowhere, and that is said."""
    traces, documents = files
    found = told(capsys, str(traces), "--documents", str(documents))

    assert {t["cause"] for t in found.values()} == {"retrieval_missed"}
    (shown,) = found["there"]["cause_evidence"]
    assert (shown["passage_id"], shown["retrieved"], shown["rank"], shown["verdict"]) == ("cover", False, 1, "entailed")
    assert STATED[shown["start"] : shown["end"]] == shown["quote"]
    assert "36 months" in shown["quote"]
    assert shown["claim"].startswith("The warranty of the Nimbus 4 lasts 36 months")
    assert "the corpus has it: cover" in found["there"]["cause_detail"]
    assert found["nowhere"]["cause_evidence"] == []
    assert found["nowhere"]["cause_detail"].endswith("no other passage of the corpus states it")


def test_without_the_documents_only_what_the_run_retrieved_is_searched(files: tuple[Path, Path], capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing else is known then."""
    found = told(capsys, str(files[0]))

    assert [t["cause_evidence"] for t in found.values()] == [[], []]


def test_people_read_it_too(files: tuple[Path, Path], capsys: pytest.CaptureFixture[str]) -> None:
    """One line a cause, one a passage."""
    assert main(["evaluate", str(files[0]), "--documents", str(files[1]), "--judge", "local"]) == 0
    out = capsys.readouterr().out

    assert "Root causes (2):" in out
    assert "(not retrieved; rank 1 of a search by" in out


def test_the_same_words_of_many_are_said_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A file without answers has one cause for all: one line that names a few, and no table of dashes; a small score of another tool is not 0."""
    path = tmp_path / "log.jsonl"
    path.write_text("".join(json.dumps({"id": f"r{n}", "question": f"What is {n}?", "contexts": ["A thing."], "fee": 0.0003}) + "\n" for n in range(20)), encoding="utf-8")

    assert main(["evaluate", str(path), "--judge", "local", "--store", str(tmp_path / "s.sqlite")]) == 0
    out = capsys.readouterr().out

    assert "Root causes (20):" in out
    assert "20 traces (r0, r1, r2, r3, r4, r5, r6, r7 and 12 more): " in out
    assert out.count("the file does not say what was answered") == 1
    assert "What is 3?" not in out
    assert re.search(r"^fee +0\.0003 ", out, re.MULTILINE)
    assert len(out.splitlines()) < 30


def test_documents_are_deleted_with_their_run(files: tuple[Path, Path]) -> None:
    """They are text of people too."""
    store = open_store(":memory:")
    run_id = import_files(store, [files[0]], documents=files[1]).run_id

    assert {p.matching_id for p in documents_of(store, run_id)} == {"hours", "cover", "parking"}
    store.delete_run(run_id)
    assert documents_of(store, run_id) == []


def test_hidden_words_are_hidden_in_documents_too(tmp_path: Path, files: tuple[Path, Path]) -> None:
    """A document that was not retrieved goes through the same net."""
    documents = tmp_path / "private.json"
    documents.write_text(json.dumps({"staff": "Write to ada.lovelace@example.org."}), encoding="utf-8")
    store = open_store(":memory:")
    run_id = import_files(store, [files[0]], documents=documents, redact=["emails"]).run_id

    (kept,) = documents_of(store, run_id)
    assert "ada.lovelace" not in kept.text


def test_a_run_too_large_to_search_whole_says_which_part_was(
    files: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The cause that is stored names the part: "nowhere" is a word about what was looked at."""
    monkeypatch.setattr(corpora, "MAX_TRACES", 1)

    found = told(capsys, str(files[0]))

    assert all(t["cause_detail"].endswith("the passages of the first 1 trace were searched, and none states it") for t in found.values())


def test_documents_too_many_to_keep_are_told(files: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    """An issue of the import with both counts, kept with the run, and the part in the search."""
    monkeypatch.setattr(corpora, "MAX_DOCUMENTS", 2)
    monkeypatch.setattr(importing, "MAX_DOCUMENTS", 2)
    store = open_store(":memory:")
    report = import_files(store, [files[0]], documents=files[1])

    (issue,) = report.issues
    assert (issue.where, issue.message) == (files[1].name, "3 documents: the first 2 are searched for what retrieval missed, the other 1 are not")
    assert [i.message for i in store.issues(report.run_id)] == [issue.message]
    assert len(documents_of(store, report.run_id)) == 2
    assert corpora.corpus_of(store, report.run_id).part == "the first 2 documents"


@pytest.mark.parametrize("redact", [(), ("emails",)])
def test_documents_travel_in_a_bundle(tmp_path: Path, files: tuple[Path, Path], redact: tuple[str, ...]) -> None:
    """A run that is sent to somebody finds the same things missed; what is hidden on the way in is hidden in them."""
    documents = tmp_path / "private.json"
    documents.write_text(json.dumps({"staff": "Write to ada.lovelace@example.org."}), encoding="utf-8")
    store, other = open_store(":memory:"), open_store(":memory:")
    run_id = import_files(store, [files[0]], documents=documents).run_id
    bundle = tmp_path / "run.ragviz"
    with bundle.open("wb") as target:
        store.export_bundle(run_id, target)

    back = import_files(other, [bundle], redact=redact)

    (kept,) = documents_of(other, back.run_id)
    assert (kept.matching_id, "ada.lovelace" in kept.text) == ("staff", not redact)
