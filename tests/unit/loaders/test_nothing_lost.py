"""What a file holds beside the usual shape: places are kept, and what cannot be kept is told."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from ragviz.loaders import read_many
from ragviz.records import LoadIssue, Trace


def written(folder: Path, name: str, content: Any, *, lines: bool = False) -> Path:
    path = folder / name
    path.write_text("\n".join(map(json.dumps, content)) if lines else content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return path


def read(*paths: Path) -> tuple[list[Trace], list[LoadIssue]]:
    parts = list(read_many(paths))
    return [p for p in parts if isinstance(p, Trace)], [p for p in parts if isinstance(p, LoadIssue)]


def test_a_null_among_passages_keeps_its_place(tmp_path: Path) -> None:
    """Ids and scores stand in other columns by position: the text after a null must not get the id before it."""
    row = {"user_input": "q?", "response": "a", "retrieved_contexts": [None, "second", "", "fourth"], "retrieved_context_ids": ["A", "B", "C", "D"]}
    traces, issues = read(written(tmp_path, "f.jsonl", [row], lines=True))

    assert [(p.doc_id, p.text, p.rank) for p in traces[0].passages or ()] == [("A", "", 1), ("B", "second", 2), ("C", "", 3), ("D", "fourth", 4)]
    assert [i.message for i in issues] == ["passage 1, 3 has no text"]


def test_nulls_alone_are_an_empty_list(tmp_path: Path) -> None:
    traces, _ = read(written(tmp_path, "f.jsonl", [{"user_input": "q?", "response": "a", "retrieved_contexts": [None]}], lines=True))

    assert traces[0].passages == ()


def test_what_a_desktop_leaves_in_an_archive_is_no_file(tmp_path: Path) -> None:
    """macOS and Windows put files of their own into archives; they are not data that was rejected."""
    path = tmp_path / "export.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("export/rows.jsonl", json.dumps({"question": "q?", "answer": "a", "contexts": ["p"]}))
        for clutter in ("export/.DS_Store", "__MACOSX/export/._rows.jsonl", "export/Thumbs.db", "export/desktop.ini"):
            archive.writestr(clutter, b"\x00\x05\x16\x07")

    traces, issues = read(path)
    assert ([t.question for t in traces], issues) == (["q?"], [])


def test_labels_of_people_are_refcheckers_whatever_the_answer_is_called(tmp_path: Path) -> None:
    rows = [{"id": 3, "question": "q?", "gpt4_response": "a b c", "gpt4_response_kg": [{"triplet": ["a", "b", "c"], "human_label": "Contradiction"}]}]
    reading = read_many([written(tmp_path, "f.json", rows)])
    traces = [p for p in reading if isinstance(p, Trace)]

    assert reading.format == "refchecker"
    assert [(t.response, [c.text for c in t.claims or ()]) for t in traces] == [("a b c", ["a b c"])]


def test_half_a_trace_says_what_the_other_half_is(tmp_path: Path) -> None:
    """FActScore's scores without its inputs are shown, and the missing file is named."""
    traces, issues = read(written(tmp_path, "f.json", {"decisions": [[{"atom": "x is y", "is_supported": True}], None], "respond_ratio": 0.5}))

    assert len(traces) == 2
    assert [(i.rejected, i.fix) for i in issues] == [(False, "open it together with the input (topic, output), line for line")]


def test_an_answer_whose_source_did_not_come_is_named(tmp_path: Path) -> None:
    sources = written(tmp_path, "s.jsonl", [{"source_id": 5, "task_type": "Summary", "source_info": "a text"}], lines=True)
    answers = written(
        tmp_path, "r.jsonl", [{"id": n, "source_id": source, "model": "m", "labels": [], "response": "r"} for n, source in ((1, 5), (2, 99))], lines=True
    )
    traces, issues = read(answers, sources)

    assert [None if t.passages is None else len(t.passages) for t in traces] == [1, None]
    assert [(i.where, "99" in i.message) for i in issues] == [("r.jsonl:2", True)]


@pytest.mark.parametrize("answers", [1, 3])
def test_files_joined_by_position_have_as_many_rows(tmp_path: Path, answers: int) -> None:
    """One row more or less: everything after it may belong to another question."""
    examples = written(tmp_path, "d.json", {"examples": [{"query": f"q{n}?", "reference_answer": "r", "reference_contexts": ["c"]} for n in range(2)]})
    predictions = written(tmp_path, "p.json", {"predictions": [{"response": f"a{n}", "contexts": ["c"]} for n in range(answers)]})
    _, issues = read(examples, predictions)

    assert [i.message for i in issues] == ["no answer in this record"] * (answers < 2) + [
        f"rows: {answers}, traces: 2; they are joined by position, and what is over was left out"
    ]


def test_sampled_answers_beside_the_first_are_told(tmp_path: Path) -> None:
    rows = [{"question": "q?", "docs": [{"id": 1, "title": "t", "text": "p"}], "output": ["A [1].", "B [1]."]}]
    traces, issues = read(written(tmp_path, "f.json", {"args": {"ndoc": 1}, "data": rows}))

    assert [t.response for t in traces] == ["A [1]."]
    assert "2 answers were sampled" in issues[0].message


@pytest.mark.parametrize(
    "messages",
    [[["human", "Is it open?"]], [[["system", "Be brief."], ["user", "Is it open?"]]], [["system", "Be brief."], ["user", "Is it open?"], ["ai", "Yes."]]],
)
def test_messages_in_the_short_form(tmp_path: Path, messages: list[Any]) -> None:
    """LangChain takes ("human", text); tracers write it as a list of two."""
    run = {
        "id": "r",
        "run_type": "chain",
        "trace_id": "r",
        "session_name": "s",
        "inputs": {"messages": messages},
        "outputs": {"messages": [["human", "Is it open?"], ["ai", "Yes."]]},
    }
    traces, _ = read(written(tmp_path, "f.jsonl", [run], lines=True))

    assert [(t.question, t.response) for t in traces] == [("Is it open?", "Yes.")]


def test_context_that_a_tool_gave_as_one_text(tmp_path: Path) -> None:
    """Opik has no kind for retrieving; a list found elsewhere counts before a text."""
    span = {"id": "s", "type": "tool", "name": "search", "output": {"context": "one long text"}, "start_time": "2024-06-03 09:00:00+00:00"}
    listed = {**span, "id": "t", "output": {"documents": [{"id": "d", "content": "p"}]}}
    for spans, texts in (([span], ["one long text"]), ([span, listed], ["p"])):
        trace = {"trace": {"id": "o", "input": "q?", "output": "a", "start_time": "2024-06-03 09:00:00+00:00"}, "spans": spans, "project_name": "p"}
        traces, _ = read(written(tmp_path, "f.json", trace))
        assert [p.text for p in traces[0].passages or ()] == texts


def test_an_array_that_numpy_cut_is_told(tmp_path: Path) -> None:
    """Dots inside a passage are text, dots between two are a gap."""
    for cell, told in (("['a'\n 'b' ... 'y' 'z']", True), ("['a ... b' 'c' 'it\\'s \"x\" ... \"y\"']", False)):
        quoted = cell.replace('"', '""')
        _, issues = read(written(tmp_path, "f.csv", f'question,answer,contexts\nq?,a,"{quoted}"\n'))
        assert ["numpy printed" in i.message for i in issues] == [True] * told


def test_several_answers_in_one_record_are_told(tmp_path: Path) -> None:
    """The first is read; a list of one is no news, and a table may write the list as text."""
    rows = [{"question": "q?", "answer": given, "contexts": ["p"]} for given in (["a", "b"], ["a"], "a", "['a', 'b', 'c']", "[1] says a")]
    traces, issues = read(written(tmp_path, "f.jsonl", rows, lines=True))

    assert [t.response for t in traces] == ["a", "a", "a", "a", "[1] says a"]
    assert [(i.where, i.message[:9]) for i in issues] == [("f.jsonl:1", "2 answers"), ("f.jsonl:4", "3 answers")]
