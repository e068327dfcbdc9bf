"""Files that belong together become one run."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

from ragviz.loaders import read_many
from ragviz.records import LoadIssue, Trace
from tests.contracts.loader_samples import SAMPLES

QRELS = b"q1 0 d1 1\nq1 0 d2 0\nq3 0 d2 2\n"
RUN = b"q1 Q0 d1 1 0.9 run\nq1 Q0 d2 2 0.8 run\n"


def together(*files: tuple[str, Any], **how: Any) -> tuple[list[Trace], list[LoadIssue], Any]:
    """Traces, issues and the reading; contents that are no bytes as JSON."""
    reading = read_many([(name, io.BytesIO(data if isinstance(data, bytes) else json.dumps(data).encode())) for name, data in files], **how)
    parts = list(reading)
    return [p for p in parts if isinstance(p, Trace)], [p for p in parts if isinstance(p, LoadIssue)], reading


def test_a_run_with_its_labels() -> None:
    """Grades above 0 are relevant; a question with labels that retrieved nothing is added: it must count."""
    traces, _, reading = together(("labels", QRELS), ("run", RUN))

    assert [(t.id, len(t.passages or ()), t.relevant_ids, t.relevance_grades) for t in traces] == [
        ("q1", 2, frozenset({"d1"}), {"d1": 1, "d2": 0}), ("q3", 0, frozenset({"d2"}), {"d2": 2}),
    ]
    assert [(f.name, f.role, f.n_rows) for f in reading.files] == [("labels", "qrels", 3), ("run", "traces", 0)]


def test_texts_and_questions_by_id() -> None:
    """BEIR: a corpus, queries, labels and results; nothing is missing any more, so nothing is warned."""
    corpus = b'{"_id": "d1", "title": "t", "text": "one"}\n{"_id": "d2", "title": "t", "text": "two"}\n'
    traces, issues, reading = together(("results", {"q1": {"d1": 0.1, "d2": 0.9}}), ("corpus", corpus), ("queries", b'{"_id": "q1", "text": "Why?"}\n'))

    assert [(t.question, [p.text for p in t.passages or ()], t.passages_are) for t in traces] == [("Why?", ["two", "one"], None)]
    assert issues == []
    assert reading.format == "beir"


def test_documents_fill_facts_and_origin() -> None:
    """The tutorial in two files; a document that is missing is named once."""
    rows = [
        {
            "name": "a",
            "question": "q",
            "response": "r",
            "retrieved": ["d1", "gone"],
            "expected_claims": [["x", "1"]],
            "response_claims": [["x", "1"]],
            "requested_facets": ["x"],
        }
    ]
    documents = {"d1": {"text": "one", "source": "kb", "authority": "official", "facts": [["x", "1"]]}, "d2": {"text": "two"}}
    for traces, issues, _ in (together(("t", rows), ("d", documents)), together(("t", rows), documents=("d", io.BytesIO(json.dumps(documents).encode())))):
        first = (traces[0].passages or ())[0]
        assert (first.text, first.source, first.authority, first.facts[0].value) == ("one", "kb", "official", "1")  # type: ignore[index]
        assert [i.message for i in issues] == ["no document named gone"]


@pytest.mark.parametrize(("content", "message"), [(b"", "the file is empty"), (b"[1, 2]", "no documents with an id found")])
def test_a_fault_of_the_documents_is_told_once(content: bytes, message: str) -> None:
    """They are read in two ways; what both find is one fault."""
    traces, issues, reading = together(("t", [{"question": "q", "response": "r"}]), documents=("d", io.BytesIO(content)))

    assert len(traces) == 1
    assert [i.message for i in issues if i.where == "d"] == [message]
    assert [f.n_issues for f in reading.files] == [0, len(issues)]


def test_documents_need_no_traces() -> None:
    """That the traces' file is empty is one fault, not two."""
    traces, issues, _ = together(("t", b""), documents=("d", io.BytesIO(b'{"d1": "one"}')))

    assert (traces, [(i.where, i.message) for i in issues]) == ([], [("t", "the file is empty")])


def test_scores_by_span_and_by_trace() -> None:
    """Phoenix annotations belong to the root span, Langfuse scores to the trace."""
    spans, notes = SAMPLES["phoenix"].data, SAMPLES["phoenix_annotations"].data
    observed, scored = SAMPLES["langfuse"].data, SAMPLES["langfuse_scores"].data
    (first,), _, _ = together(("spans", spans), ("notes", notes))
    (second,), _, _ = together(("observed", observed), ("scores", scored))

    assert [(s.name, s.value, s.label) for s in first.scores] == [("faithfulness", 0.5, "unfaithful")]
    (third,), _, _ = together(("runs", SAMPLES["langsmith"].data), ("feedback", SAMPLES["langsmith_feedback"].data))

    assert [(s.name, s.value, s.reason) for s in second.scores] == [("faithfulness", 0.5, "x")]
    assert [(s.name, s.value, s.reason) for s in third.scores] == [("correctness", 0.5, "why")]


def test_claims_by_position() -> None:
    """Ragas' own prompts give claims to the rows of the result, in order; a row without verdicts keeps none."""
    statement = {"faithfulness": {"n_l_i_statement_prompt": {"output": {"statements": [{"statement": "s", "reason": "r", "verdict": 0}]}}}}
    traces, issues, _ = together(
        ("result", b'{"user_input": "a", "response": "x"}\n{"user_input": "b", "response": "y"}\n'),
        ("prompts", [statement, {"faithfulness": {"x_prompt": {}}}]),
    )

    assert [None if t.claims is None else [c.text for c in t.claims] for t in traces] == [["s"], None]
    assert issues == []


def test_the_two_halves_of_ragtruth() -> None:
    """Alone the answers warn; with their sources they do not."""
    alone, warned, _ = together(("answers", SAMPLES["ragtruth"].data))
    joined, quiet, _ = together(("answers", SAMPLES["ragtruth"].data), ("sources", SAMPLES["ragtruth_sources"].data))

    assert (alone[0].passages, len(warned)) == (None, 1)
    assert (joined[0].question, len(joined[0].passages or ()), quiet) == ("How long do I have to get a refund?", 2, [])


def test_files_that_do_not_fit_say_so() -> None:
    """Labels of another run, and averages."""
    _, issues, reading = together(("run", RUN), ("labels", b"x9 0 d1 1\n"), ("board.csv", SAMPLES["averages"].data))

    assert any("none of its 1 row belongs" in i.message for i in issues)
    assert any("alone cannot be shown" in i.message for i in issues)
    assert sum(f.n_issues for f in reading.files) == len(issues)


def test_ids_stay_unique_across_files() -> None:
    """Rows without ids get new names quietly; real ids that occur twice are warned of."""
    quiet = together(("a", b"question,answer\nq,a\n"), ("b", b"question,answer\nq,a\n"))
    loud = together(("a", b"id,question,answer\n7,q,a\n"), ("b", b"id,question,answer\n7,q,a\n"))

    claims = {"score": 1, "respond_ratio": 1, "decisions": [[{"atom": "a", "is_supported": True}]]}
    alone = together(("a", claims), ("b", claims))

    assert ([t.id for t in quiet[0]], quiet[1]) == (["row-1", "row-1#2"], [])
    assert ([t.id for t in alone[0]], [i.fix for i in alone[1]]) == (
        ["row-1", "row-1#2"],
        ["open it together with the input (topic, output), line for line"] * 2,
    )
    assert [t.id for t in loud[0]] == ["7", "7#2"]
    assert [i.rejected for i in loud[1]] == [False]


def test_folders_and_globs(tmp_path: Path) -> None:
    """In a folder, what no loader knows is a note; named outright, it is an error. Hidden files are left alone."""
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "b.csv").write_text("question,answer\nq,a\n", encoding="utf-8")
    (tmp_path / "a.jsonl").write_text('{"question": "q", "answer": "a"}\n', encoding="utf-8")
    (tmp_path / "notes.md").write_text("# hello\n", encoding="utf-8")
    (tmp_path / ".hidden.csv").write_text("question,answer\nq,a\n", encoding="utf-8")
    folder, named = read_many([tmp_path]), read_many([tmp_path / "notes.md", str(tmp_path / "*.jsonl"), str(tmp_path / "*.nothing")])
    inside, outright = list(folder), list(named)

    assert [f.name for f in folder.files] == ["a.jsonl", "notes.md", "sub/b.csv"]
    assert [(i.where, i.rejected) for i in inside if isinstance(i, LoadIssue)] == [("notes.md", False)]
    assert [i.rejected for i in outright if isinstance(i, LoadIssue)] == [True, True]
    assert sum(isinstance(p, Trace) for p in outright) == 1


def test_what_is_doubtful_is_counted() -> None:
    """Two records without id; one passage retrieved twice, one without text."""
    _, _, reading = together(("f", [{"question": "a", "contexts": ["x", "x", ""]}, {"question": "b", "contexts": None}, {"id": "7", "question": "c"}]))
    (report,) = reading.files

    assert (report.n_traces, report.n_without_id, report.n_repeated_passages, report.n_empty_passages) == (3, 2, 1, 1)


def test_several_formats_are_mixed() -> None:
    """The run says so."""
    _, _, reading = together(("a", SAMPLES["ragas"].data), ("b", SAMPLES["deepeval"].data))

    assert reading.format == "mixed"
