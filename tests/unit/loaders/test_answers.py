"""An answer that is not in the file is no empty reply: told by its line, and without figures."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest

from ragviz.loaders import read_many
from ragviz.loaders.answers import ABSENT, EMPTY, HELD
from ragviz.records import LoadIssue, Trace

ANSWERED = {"question": "Who?", "answer": "Ada.", "contexts": ["Ada did."]}


def read(content: bytes) -> tuple[list[Trace], list[LoadIssue]]:
    """Traces and issues of one file."""
    parts = list(read_many([("f", io.BytesIO(content))]))
    return [p for p in parts if isinstance(p, Trace)], [p for p in parts if isinstance(p, LoadIssue)]


def lines(*rows: dict[str, Any]) -> bytes:
    """JSON Lines."""
    return "\n".join(json.dumps(row) for row in rows).encode()


@pytest.mark.parametrize("first", [True, False], ids=["after an answer", "before an answer"])
@pytest.mark.parametrize(
    "row", [{"answer": None}, {}, {"answer": float("nan")}, {"response": None, "reference": "r"}], ids=["null", "missing", "NaN", "with a reference"]
)
def test_an_absent_answer_is_told_by_its_line(row: dict[str, Any], first: bool) -> None:
    """Wherever it stands in the file; the trace is there all the same."""
    absent = {"question": "When?", "contexts": ["In 1843."], **row}
    traces, issues = read(lines(ANSWERED, absent) if first else lines(absent, ANSWERED))

    assert [t.is_unanswered for t in traces] == [not first, first]
    assert [(i.where, i.message, i.rejected) for i in issues] == [(f"f:{1 + first}", ABSENT, False)]


def test_an_empty_reply_is_another_thing() -> None:
    """The system replied, with nothing: it counts as abstained, and the line is told."""
    traces, issues = read(lines(ANSWERED, {"question": "When?", "answer": " ", "contexts": ["In 1843."]}))

    assert (traces[1].is_unanswered, traces[1].response) == (False, "")
    assert [(i.where, i.message) for i in issues] == [("f:2", EMPTY)]


def test_an_empty_cell_says_nothing() -> None:
    """A table has no other way to leave something out."""
    traces, issues = read(b'question,answer,contexts\nWho?,Ada.,"[""Ada did.""]"\nWhen?,,"[""In 1843.""]"\n')

    assert [t.is_unanswered for t in traces] == [False, True]
    assert [(i.where, i.message) for i in issues] == [("f:3", ABSENT)]


def test_a_file_without_any_answer_is_told_once() -> None:
    """Questions with labels: one sentence for the file, not one for each of its lines."""
    _, issues = read(lines(*({"question": f"q{n}?", "contexts": ["c"], "relevant_doc_ids": ["d"]} for n in range(3))))

    assert [(i.where, i.message[:31]) for i in issues] == [("f", "none of 3 records has an answer")]


def test_the_column_that_may_hold_the_answers_is_named() -> None:
    """Under a name that nobody knows: the sentence says where sentences stand, and leaves codes and single words out."""
    _, issues = read(lines(*({"question": f"q{n}?", "contexts": ["c"], "what_it_told": f"It told them {n} things.", "shop": "Kassel"} for n in range(3))))

    assert [i.fix for i in issues] == [
        "name the column of the answers with --map response=COLUMN (sentences stand in what_it_told), or bring the file that holds them",
    ]


def test_a_ranking_is_not_expected_to_answer() -> None:
    """TREC runs hold ids; nobody misses an answer there."""
    traces, issues = read(b"1 Q0 D1 1 2.0 bm25\n1 Q0 D2 2 1.0 bm25\n")

    assert [t.is_unanswered for t in traces] == [True]
    assert not any("answer" in i.message for i in issues)


def test_claims_that_came_along_are_as_good_as_an_answer() -> None:
    """What the answer states is known, though not its words."""
    _, issues = read(lines(ANSWERED, {"question": "When?", "contexts": ["In 1843."], "claims": [{"text": "It was 1843.", "verdict": "supported"}]}))

    assert issues == []


def test_however_many_lack_one_the_memory_is_bounded() -> None:
    """Of those before the first answer a thousand are told by line, and the rest by their number."""
    _, issues = read(lines(*({"question": "q?", "contexts": ["c"]} for _ in range(HELD + 5)), ANSWERED))

    assert len(issues) == HELD + 1
    assert issues[-1].message == "5 more records before this one have no answer"


def test_a_span_that_gave_back_nothing_is_an_empty_reply() -> None:
    """Tracers: an output of "" against none at all."""
    def span(trace: str, **output: str) -> dict[str, Any]:
        values = {"openinference.span.kind": "CHAIN", "input.value": "Who?", **output}
        return {"name": "ask", "span_kind": "CHAIN", "parent_id": None, "context": {"trace_id": trace, "span_id": trace}, "start_time": "2026-01-01T00:00:00Z",
                "end_time": "2026-01-01T00:00:01Z", "attributes": values}

    traces, issues = read(lines(span("a", **{"output.value": "Ada."}), span("b", **{"output.value": ""}), span("c")))

    assert {t.id: t.is_unanswered for t in traces} == {"a": False, "b": False, "c": True}
    assert [i.message for i in issues] == [EMPTY, ABSENT]


@pytest.mark.parametrize("word", ["None", "N/A", "NA", "null", "nan", " None."])
def test_what_tables_write_for_nothing_is_an_answer_in_json(word: str) -> None:
    """"Which fees apply?" "None": said in JSON, in any field of a text; a cell of a table that says only so is empty."""
    row = {"question": word, "answer": word, "reference": word, "contexts": ["No fees apply."]}
    log = {"messages": [{"role": "user", "content": word}, {"role": "assistant", "content": word}]}
    for content in (lines(row), json.dumps([row]).encode(), lines(log)):
        (trace,), issues = read(content)
        assert (word.strip(), word.strip(), False, []) == (trace.question.strip(), trace.response.strip(), trace.is_unanswered, issues)
    assert word.strip() == str(read(lines(row))[0][0].reference).strip()
    (first, second), _ = read(f'question,answer,contexts\nWho?,Ada.,"[""Ada did.""]"\nWhen?,{word},"[""In 1843.""]"\n'.encode())
    assert (False, word != " None.") == (first.is_unanswered, second.is_unanswered)


@pytest.mark.parametrize("field", ["question", "answer", "contexts"])
@pytest.mark.parametrize("end", ["", "\n"])
def test_one_record_longer_than_what_is_looked_at_is_read(field: str, end: str) -> None:
    """A JSON Lines file of one line is one, however long its first text is."""
    long = "word " * 60_000
    row = {
        field: [long] if field == "contexts" else long,
        **{k: v for k, v in {"question": "Who?", "answer": "Ada.", "contexts": ["Ada did."]}.items() if k != field},
    }
    (trace,), issues = read((json.dumps(row) + end).encode())

    assert ([], len(long.strip())) == (issues, max(map(len, (trace.question.strip(), trace.response.strip(), (trace.passages or ())[0].text.strip()))))
