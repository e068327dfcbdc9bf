"""Synonyms, shapes and the user's own map."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest

from ragviz.errors import InputError
from ragviz.loaders import parse_map, read
from ragviz.records import LoadIssue, Side, Trace, Verdict


def load(data: bytes | Any, **how: Any) -> list[Trace]:
    """Traces of a file in memory; other values than bytes as JSON."""
    raw = data if isinstance(data, bytes) else json.dumps(data).encode()
    return [p for p in read(io.BytesIO(raw), filename="f", **how) if isinstance(p, Trace)]


def issues(data: bytes, **how: Any) -> list[LoadIssue]:
    return [p for p in read(io.BytesIO(data), filename="f", **how) if isinstance(p, LoadIssue)]


RECORD = {"question": "Why?", "answer": "So.", "contexts": ["x", "y"]}


@pytest.mark.parametrize("shape", [
    [RECORD], {"data": [RECORD]}, {"results": {"items": [RECORD]}}, {"meta": {}, "anything": [RECORD]}, {"q1": RECORD, "q2": RECORD}, RECORD, {"0": RECORD},
    {"question": {"0": "Why?"}, "answer": {"0": "So."}, "contexts": {"0": ["x", "y"]}}, {"question": ["Why?"], "answer": ["So."], "contexts": [["x", "y"]]},
    {"columns": ["question", "answer", "contexts"], "index": [0], "data": [["Why?", "So.", ["x", "y"]]]}, {"rows": [{"row_idx": 0, "row": RECORD}]},
])
def test_one_record_in_many_wrappings(shape: Any) -> None:
    """Lists, wrappers, objects by id, and columns in all orientations of pandas."""
    trace = load(shape)[0]

    assert (trace.question, trace.response, [p.text for p in trace.passages or ()]) == ("Why?", "So.", ["x", "y"])


@pytest.mark.parametrize("record", [
    {"input": {"question": "Why?"}, "output": {"answer": "So."}, "expected": {"answer": "Because."}, "scores": {"f": 0.5}},
    {"inputs.query": "Why?", "inputs.response": "So.", "inputs.ground_truth": "Because.", "outputs.f": 0.5},
    {"messages": [{"role": "user", "content": "Why?"}, {"role": "assistant", "content": "So."}], "reference": "Because.", "contexts": [], "f": 0.5},
    {"inputs": "Why?", "outputs": "So.", "ground_truth": "Because.", "f": 0.5},
])
def test_dialects_of_evaluation_platforms(record: dict[str, Any]) -> None:
    """Objects for question and answer, dotted column names, messages."""
    trace = load([record])[0]

    assert (trace.question, trace.response, trace.reference, trace.scores[0].value) == ("Why?", "So.", "Because.", 0.5)


@pytest.mark.parametrize("heading", ["Question", "user input", "User-Input", "userInput", "QUERY", " prompt "])
def test_headings_in_any_writing(heading: str) -> None:
    """Case, spaces, dashes and camel case make no difference."""
    assert load(f"{heading},answer\nWhy?,So.\n".encode())[0].question == "Why?"


@pytest.mark.parametrize("mark", [",", ";", "\t", "|"])
def test_delimiters(mark: str) -> None:
    """Found by the number of fields, not by the file's name."""
    assert load(mark.join(("question", "answer", "score")).encode() + b"\n" + mark.join(("Why?", "So.", "0.5")).encode())[0].scores[0].value == 0.5


def test_excel_in_german() -> None:
    """A line sep=; and decimal commas."""
    assert load(b"sep=;\nquestion;answer;faithfulness\nWarum?;Darum.;0,75\n")[0].scores[0].value == 0.75


def test_forgotten_quotes() -> None:
    """The words behind the last comma are not lost, and a warning says so."""
    data = b"question,answer\nWhy?,Because, well, so.\nHow?,So, it seems.\n"

    assert [t.response for t in load(data)] == ["Because, well, so.", "So, it seems."]
    assert [(i.where, i.rejected) for i in issues(data)] == [("f:2", False), ("f:3", False)]


def test_absent_is_not_empty() -> None:
    """No column: unknown. An empty list: nothing was found. An empty cell: unknown."""
    rows = load([{"question": "a", "answer": "x"}, {"question": "b", "answer": "x", "contexts": []}, {"question": "c", "answer": "x", "contexts": None}])

    assert [r.passages for r in rows] == [None, (), None]


def test_numbered_columns_are_passages() -> None:
    """context_10 comes after context_2."""
    assert [p.text for p in load(b"question,context_2,context_10,context_1\nWhy?,b,c,a\n")[0].passages or ()] == ["a", "b", "c"]


def test_context_is_the_reference_beside_retrieval_context() -> None:
    """DeepEval's meaning; alone it is what was retrieved."""
    both, alone = load([{"question": "a", "retrieval_context": ["r"], "context": ["gold"]}, {"question": "b", "context": ["r"]}])

    assert ([p.text for p in both.passages or ()], both.relevant_texts) == (["r"], ("gold",))
    assert ([p.text for p in alone.passages or ()], alone.relevant_texts) == (["r"], None)


def test_the_friendly_names_of_our_own_format() -> None:
    """Everything a hand-written record may carry."""
    trace = load({
        "id": "t1", "question": "q", "answer": "a", "reference_answer": "r", "relevant_doc_ids": ["d1"], "latency_ms": 3, "tokens": {"in": 5, "out": 7}, "cost_usd": 0.1, "model": "m",
        "passages": [{"doc_id": "d1", "text": "t", "score": 0.5, "metadata": {"source": "s", "revision": "2", "effective_date": "2024-01-01", "authority": "official"}}],
        "claims": [{"text": "c", "verdict": "contradicted", "evidence": ["t"]}], "scores": {"faithfulness": 0.5}, "timestamp": "2024-01-01T00:00:00Z",
    })[0]
    passage = (trace.passages or ())[0]
    claim = (trace.claims or ())[0]

    assert (passage.id, passage.source, passage.revision, passage.effective_date, passage.authority) == ("d1", "s", "2", "2024-01-01", "official")
    assert (trace.reference, trace.relevant_ids, trace.model) == ("r", frozenset({"d1"}), "m")
    assert (trace.usage.latency_ms, trace.usage.tokens_in, trace.usage.tokens_out, trace.usage.cost_usd) == (3, 5, 7, 0.1)  # type: ignore[union-attr]
    assert (claim.side, claim.verdicts[0].verdict, claim.verdicts[0].label, claim.verdicts[0].quote) == (
        Side.RESPONSE,
        Verdict.CONTRADICTED,
        "contradicted",
        "t",
    )


def test_a_failed_metric_is_no_zero() -> None:
    """NaN stays without value and says so; pass and fail are 1 and 0 with their word."""
    score, word = load(b"question,answer,faithfulness,verdict\nWhy?,So.,,fail\n")[0].scores

    assert (score.name, score.value, bool(score.reason)) == ("faithfulness", None, True)
    assert (word.value, word.label) == (0.0, "fail")


def test_doubts_are_warnings() -> None:
    """A repeated document, an empty passage and ids that do not fit: loaded all the same."""
    found = issues(json.dumps([{"question": "q", "contexts": ["x", ""], "doc_ids": ["d", "d", "e"]}]).encode())

    assert [i.rejected for i in found] == [False] * len(found)
    assert [any(word in i.message for i in found) for word in ("more than once", "no text", "3 passage ids for 2")] == [True] * 3


def test_a_record_without_anything_is_rejected() -> None:
    """It says which names it looked for."""
    found = issues(b'{"question": "a"}\n{"question": null}\n')

    assert [(i.where, i.rejected) for i in found] == [("f:2", True)]


class TestMap:
    def test_paths(self) -> None:
        """Dots, each element, one element."""
        trace = load(
            {"request": {"prompt": "Q"}, "chunks": [{"body": "x", "key": 1}, {"body": "y", "key": 2}], "replies": [{"text": "A"}], "took": 3},
            field_map=parse_map(
                ["question=request.prompt", "passages=chunks[].body", "passage_ids=chunks[].key", "response=replies[0].text", "latency_ms=took"]
            ),
        )[0]

        assert (trace.question, trace.response, [(p.doc_id, p.text) for p in trace.passages or ()]) == ("Q", "A", [("1", "x"), ("2", "y")])
        assert trace.usage is not None
        assert trace.usage.latency_ms == 3

    def test_a_mapped_field_beats_a_synonym(self) -> None:
        """The user knows better: "question" is taken from "real", not from the column of that name."""
        assert load({"question": "no", "real": "yes", "answer": "a"}, field_map={"question": "real"})[0].question == "yes"

    def test_a_path_that_leads_nowhere(self) -> None:
        """The names of the record are listed."""
        found = issues(b'{"a": 1}', field_map={"question": "b.c"})

        assert found[0].rejected
        assert "a" in found[0].fix

    def test_one_path_of_several_that_leads_nowhere(self) -> None:
        """A mistyped path is told once for the file, with the names there are; the rows are loaded by the others. One record that has it is enough."""
        rows = b'{"ask": {"text": "Q"}, "said": "A"}\n{"ask": {"text": "R"}, "said": "B", "gold": "G"}'
        found = list(read(io.BytesIO(rows), filename="f", field_map={"question": "ask.txt", "response": "said", "reference": "gold"}))

        told = [f for f in found if isinstance(f, LoadIssue) and "ask.txt" in f.message]
        assert [(i.where, i.rejected, i.fix) for i in told] == [("f", False, "names found: ask, said")]
        assert [t.response for t in found if isinstance(t, Trace)] == ["A", "B"]
        assert not any("gold" in f.message for f in found if isinstance(f, LoadIssue))

    @pytest.mark.parametrize("pair", ["question", "question=", "colour=x"])
    def test_a_map_that_cannot_be(self, pair: str) -> None:
        """One sentence with an example or the known fields."""
        with pytest.raises(InputError):
            parse_map([pair])
