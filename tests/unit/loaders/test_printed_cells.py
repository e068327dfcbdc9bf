"""Cells that hold objects as Python prints them, and tables with a row or a column for each passage."""

from __future__ import annotations

import csv
import io
from typing import Any

import pytest

from ragviz.loaders import read
from ragviz.loaders.cells import structure
from ragviz.loaders.printed import cut_by_haystack, fields_in, printed
from ragviz.records import LoadIssue, Trace
from tests.contracts.loader_samples import A, P, Q


def table(*rows: list[Any]) -> tuple[list[Trace], list[LoadIssue]]:
    """Traces and issues of a table in memory; the first row is its heading."""
    out = io.StringIO()
    csv.writer(out).writerows(rows)
    found = list(read(io.BytesIO(out.getvalue().encode()), filename="f.csv"))
    return [p for p in found if isinstance(p, Trace)], [p for p in found if isinstance(p, LoadIssue)]


def passages(cell: str) -> list[tuple[str | None, str, float | None]]:
    """Id, text and score of what stands in a cell of passages."""
    (trace,), _ = table(["question", "answer", "contexts"], [Q, A, cell])
    return [(p.doc_id, p.text, p.score) for p in trace.passages or ()]


NODE = "NodeWithScore(node=TextNode(id_='n{n}', embedding=None, metadata={{'file_name': 'a.txt'}}, relationships={{<NodeRelationship.SOURCE: '1'>: RelatedNodeInfo(node_id='doc{n}', node_type=<ObjectType.DOCUMENT: '4'>, metadata={{}})}}, text={text!r}), score=0.{n})"


class TestPrintedPassages:
    @pytest.mark.parametrize(
        ("cell", "wanted"),
        [
            pytest.param(f"[{NODE.format(n=1, text=P[0])}, {NODE.format(n=2, text=P[1])}]", [("doc1", P[0], 0.1), ("doc2", P[1], 0.2)], id="llamaindex"),
            pytest.param(f"array({P!r}, dtype=object)", [(None, P[0], None), (None, P[1], None)], id="array by its name"),
            pytest.param(f"[{{'id': UUID('0-1'), 'text': {P[0]!r}, 'score': Decimal('0.5')}}, {{'id': ObjectId('65f1'), 'text': {P[1]!r}}}]", [("0-1", P[0], 0.5), ("65f1", P[1], None)], id="ids of databases"),
            pytest.param(f"[Document(id=a1, content: {P[0]!r}, meta: {{'n': 1}}, score: 0.5), Document(id=2b, content: 'it's so')]", [("a1", P[0], 0.5), ("2b", "it's so", None)], id="haystack"),
        ],
    )
    def test_each_is_one_passage_with_its_id_and_score(self, cell: str, wanted: list[Any]) -> None:
        """A whole list was once one passage, brackets and all."""
        assert passages(cell) == wanted

    def test_a_text_that_haystack_has_shortened_is_told(self) -> None:
        """Its printing keeps 100 characters."""
        (trace,), issues = table(["question", "answer", "documents"], [Q, A, f"[Document(id=a1, content: '{'x' * 100}...', score: 0.5)]"])

        assert len(trace.passages or ()) == 1
        assert any("passage 1 ends in ... after 100 characters" in issue.message for issue in issues)
        assert not cut_by_haystack("short...")

    def test_the_answer_out_of_a_printed_reply(self) -> None:
        """What ``str(chain.invoke(…))`` and ``str(query_engine.query(…))`` leave."""
        message = f"content={A!r} additional_kwargs={{}} response_metadata={{'model_name': 'm'}} id='run-1'"
        reply = f"Response(response={A!r}, source_nodes=[{NODE.format(n=1, text=P[0])}], metadata={{}})"
        (first, second), _ = table(["question", "answer"], [Q, message], [Q, reply])

        assert (first.response, second.response) == (A, A)
        assert [(p.doc_id, p.text) for p in second.passages or ()] == [("doc1", P[0])]

    @pytest.mark.parametrize("said", ["[see page 3]", "(Smith(2020), Jones(2021))", "[f(1), g(2)]", "print(x)", "content='x'", "[Smith, Jones]", "Note(s)", "array(1)", "[1 2 a]"])
    def test_what_people_say_in_brackets_stays_a_text(self, said: str) -> None:
        """Nor is anything looked up or called."""
        assert (structure(said), fields_in(said)) == (said, None)

    @pytest.mark.parametrize("bad", ["[Document(id=", "[" * 9_000 + "]" * 9_000, "[Document(id=a, content: 'x', " * 50, "[__import__('os').system('true')]", "Document(id='a' 'b'"])
    def test_what_is_broken_or_hostile_stays_a_text(self, bad: str) -> None:
        """A cell may hold anything."""
        assert printed(bad) is None

    def test_messages_keep_who_speaks(self) -> None:
        """A tool's message in a printed conversation is what was retrieved."""
        said = f"[HumanMessage(content={Q!r}, additional_kwargs={{}}), ToolMessage(content={P[0]!r}, name='s', tool_call_id='1'), AIMessage(content={A!r})]"
        (trace,), _ = table(["question", "answer", "messages"], [Q, A, said])

        assert [p.text for p in trace.passages or ()] == [P[0]]


class TestRowsAndColumnsOfPassages:
    def test_a_row_for_each_passage_is_one_trace_for_each_question(self) -> None:
        """In the order of ranks, with ids and scores; the answer is not repeated."""
        found, issues = table(["question_id", "question", "answer", "rank", "doc_id", "passage", "score"], ["q1", Q, A, 2, "d2", P[1], 0.4], ["q1", Q, A, 1, "d1", P[0], 0.8], ["q2", "Who?", "Ann.", 1, "d2", P[1], 0.9])

        assert [(t.id, [(p.doc_id, p.text, p.score) for p in t.passages or ()], t.scores) for t in found] == [
            ("q1", [("d1", P[0], 0.8), ("d2", P[1], 0.4)], ()), ("q2", [("d2", P[1], 0.9)], ())
        ]
        assert issues == []

    def test_other_answers_to_a_question_are_other_traces(self) -> None:
        """Two systems in one table, one below the other."""
        found, _ = table(["question", "answer", "rank", "chunk"], [Q, "One.", 1, P[0]], [Q, "Two.", 1, P[1]])

        assert [(t.response, [p.text for p in t.passages or ()]) for t in found] == [("One.", [P[0]]), ("Two.", [P[1]])]

    @pytest.mark.parametrize("heading", [["context_1", "context_1_score", "context_1_id", "context_2", "context_2_score", "context_2_id"], ["chunk 1", "score 1", "doc_id 1", "chunk 2", "score 2", "doc_id 2"]])
    def test_a_column_for_each_passage_with_its_score_and_id(self, heading: list[str]) -> None:
        """Its number says what belongs to it."""
        (trace,), _ = table(["question", "answer", *heading], [Q, A, P[0], 0.8, "d1", P[1], 0.4, "d2"])

        assert [(p.doc_id, p.text, p.score) for p in trace.passages or ()] == [("d1", P[0], 0.8), ("d2", P[1], 0.4)]
        assert trace.scores == ()

    def test_one_passage_in_a_column_of_that_name(self) -> None:
        """Reading-comprehension sets call it so."""
        (trace,), _ = table(["question", "answer", "passage"], [Q, A, P[0]])

        assert [p.text for p in trace.passages or ()] == [P[0]]
