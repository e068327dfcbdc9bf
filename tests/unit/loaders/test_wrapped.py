"""What a tool wrote, one level further in: pages of an API, and downloads gathered in a list."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest

from ragviz.loaders import loaders, read_many
from ragviz.records import LoadIssue, Trace
from tests.contracts.loader_samples import SAMPLES

ROWS = ("langfuse", "langsmith", "weave", "deepeval", "ragas", "refchecker", "openinference", "mlflow", "trulens", "halubench", "ragtruth", "factscore", "llamaindex", "haystack")
ONE = ("ragchecker", "promptfoo", "open_rag_eval", "alce", "opik", "paperqa")


def read(value: Any) -> tuple[list[Trace], list[LoadIssue], str]:
    """Traces, issues and the format of one file."""
    reading = read_many([("f", io.BytesIO(value if isinstance(value, bytes) else json.dumps(value).encode()))])
    parts = list(reading)
    return [p for p in parts if isinstance(p, Trace)], [p for p in parts if isinstance(p, LoadIssue)], reading.format


def sample(name: str) -> Any:
    """Rows, or the one object, of a format's sample; None where it is no JSON."""
    data = SAMPLES[name].data
    try:
        return json.loads(data)
    except ValueError:
        lines = [line for line in data.splitlines() if line.strip()]
        try:
            return [json.loads(line) for line in lines]
        except ValueError:
            return None


def told(traces: list[Trace]) -> list[tuple[Any, ...]]:
    """What matters of a trace, but where it stood."""
    return [
        (t.question, t.response, t.reference, tuple(p.text for p in t.passages) if t.passages is not None else None, len(t.claims or ()), t.scores)
        for t in traces
    ]


@pytest.mark.parametrize(
    "wrap",
    [
        lambda rows: {"data": rows, "next_cursor": None},
        lambda rows: {"meta": {"page": 1}, "results": rows},
        lambda rows: {"response": {"total": 2, "list": rows}},
    ],
    ids=["data", "results", "deeper"],
)
@pytest.mark.parametrize("name", [n for n in ROWS if n in SAMPLES and isinstance(sample(n), list)])
def test_a_page_around_the_rows(name: str, wrap: Any) -> None:
    """The same traces, by the same loader, as from the rows alone; not a part of them by another."""
    rows = sample(name)
    bare, _, known = read(rows)

    traces, _, format_ = read(wrap(rows))

    assert (told(traces), format_) == (told(bare), known)


@pytest.mark.parametrize("gather", [lambda one: [one], lambda one: (json.dumps(one) + "\n").encode() * 2], ids=["list", "lines"])
@pytest.mark.parametrize("name", [n for n in ONE if n in SAMPLES and isinstance(sample(n), dict)])
def test_files_of_one_object_in_a_list(name: str, gather: Any) -> None:
    """Each is read as the file it was; ids that come again are told apart."""
    one = sample(name)
    bare, _, known = read(one)
    gathered = gather(one)

    traces, _, format_ = read(gathered)

    times = 1 if isinstance(gathered, list) else 2
    assert (told(traces), format_) == (told(bare) * times, known)
    assert len({t.id for t in traces}) == len(traces)


def test_answers_of_llamaindex_in_a_page_keep_their_nodes() -> None:
    """They ask and answer too, but their passages are nodes, which the generic loader does not know."""
    row = {"query": "Who?", "response": "Ada.", "source_nodes": [{"node": {"id_": "n", "text": "Ada did it."}, "score": 1}]}

    ((trace, _), _, format_) = read({"data": [row, row]})

    assert ([p.text for p in trace.passages or ()], format_) == (["Ada did it."], "llamaindex")


def test_a_record_that_asks_is_no_wrapper() -> None:
    """Its list of nodes is what was retrieved, and not a file of its own."""
    ((trace,), _, format_) = read({"question": "Who?", "answer": "Ada.", "source_nodes": [{"node": {"id_": "n", "text": "Ada did it."}, "score": 1}]})

    assert (trace.question, trace.response, [p.text for p in trace.passages or ()]) == ("Who?", "Ada.", ["Ada did it."])
    assert format_ in loaders.names()


@pytest.mark.parametrize(
    "value",
    [{"data": [{"colour": "red"}]}, [{"colour": "red", "size": "large"}], {"a": {"b": [{"c": 1}]}}, {"x": [{"a": 1}], "y": [{"b": 2}]}],
    ids=["data", "rows", "deep", "two lists"],
)
def test_strange_objects_stay_unknown(value: Any) -> None:
    """Looking further in makes no trace of anything."""
    traces, issues, _ = read(value)

    assert traces == []
    assert "no format fits" in issues[0].message


def test_a_page_that_is_cut_off_gives_what_came_before() -> None:
    """With the line where it ends."""
    rows = [{"input": f"q{n}?", "actual_output": "a", "retrieval_context": ["c"]} for n in range(50)]
    whole = json.dumps({"data": rows}, indent=0).encode()

    traces, issues, format_ = read(whole[: len(whole) * 2 // 3])

    assert (20 < len(traces) < 50, format_) == (True, "deepeval_cases" if "deepeval_cases" in loaders.names() else "deepeval")
    assert any("cut off" in issue.message for issue in issues)


PAGES = [{"data": [{"question": f"q{page}{n}?", "answer": "a", "contexts": ["p"]} for n in range(2)], "meta": {"page": page}} for page in range(3)]


@pytest.mark.parametrize("gather", [lambda pages: pages, lambda pages: "\n".join(map(json.dumps, pages)).encode()], ids=["list", "lines"])
@pytest.mark.parametrize("bad", [None, {"error": "too many requests"}, {"data": None}, {"data": []}], ids=["none", "error", "null", "empty"])
def test_pages_of_questions_gathered_by_a_script(gather: Any, bad: Any) -> None:
    """Every page is read; one without rows costs no other."""
    traces, issues, format_ = read(gather([PAGES[0], *([bad] if bad else []), *PAGES[1:]]))

    assert ([t.question for t in traces if t.question], format_) == (["q00?", "q01?", "q10?", "q11?", "q20?", "q21?"], "generic")
    assert {i.where.split(":")[1] for i in issues} <= {"2"}
    assert bad is None or issues or len(traces) > 6 or bad == {"data": []}


@pytest.mark.parametrize("rows", [PAGES[0]["data"], sample("ragchecker")["results"], sample("langfuse")], ids=["questions", "ragchecker", "langfuse"])
@pytest.mark.parametrize("at", [0, 1])
@pytest.mark.parametrize("junk", [None, 5, "x", []])
def test_an_element_of_a_page_that_is_no_record(rows: Any, at: int, junk: Any) -> None:
    """It is named by its place; the records around it load as without it."""
    bare, *_ = read({"results": rows})

    traces, issues, _ = read({"results": [*rows[:at], junk, *rows[at:]]})

    assert told(traces) == told(bare)
    assert [i.where.split(":")[1] for i in issues if "should be an object" in i.message] == [str(at + 1)]
