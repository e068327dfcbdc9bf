"""Question sets as they are published, one record a line: HotpotQA, MuSiQue, MS MARCO, DPR, KILT, CRAG."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest

from ragviz.loaders import read
from ragviz.records import Trace
from tests.contracts.loader_samples import P, Q, R


def one(record: dict[str, Any]) -> Trace:
    """The trace of a record, in a list as in lines."""
    (first,), (second,) = ([p for p in read(io.BytesIO(raw.encode()), filename="f") if isinstance(p, Trace)] for raw in (json.dumps(record), json.dumps([record])))
    assert (first.question, first.response, first.reference, first.passages) == (second.question, second.response, second.reference, second.passages)
    return first


@pytest.mark.parametrize(
    ("record", "passages", "labels"),
    [
        pytest.param({"_id": "h", "question": Q, "answer": R, "context": [["T1", ["One.", " Two."]], ["T2", [P[1]]]]}, [("T1", "T1", "One. Two."), ("T2", "T2", P[1])], [None, None], id="hotpotqa"),
        pytest.param({"id": "m", "question": Q, "answer": R, "paragraphs": [{"idx": n, "title": f"T{n}", "paragraph_text": text, "is_supporting": n == 0} for n, text in enumerate(P)]},
                     [(None, "T0", P[0]), (None, "T1", P[1])], [1, 0], id="musique"),
        pytest.param({"query": Q, "answer": R, "search_results": [{"page_name": "T", "page_url": "u", "page_snippet": P[0], "page_result": "<html>"}]}, [("u", "T", P[0])], [None], id="crag"),
    ],
)
def test_passages_with_their_titles_and_labels(record: dict[str, Any], passages: list[Any], labels: list[Any]) -> None:
    """Texts were missing, or brackets and all."""
    trace = one(record)

    assert (trace.question, trace.response) == (Q, R)
    assert [(p.doc_id, p.title, p.text) for p in trace.passages or ()] == passages
    assert [p.relevance for p in trace.passages or ()] == labels


def test_accepted_answers_are_the_reference_also_where_no_system_has_answered() -> None:
    """MS MARCO and DPR have nothing but these."""
    for passages in ({"passages": [{"passage_text": P[0], "is_selected": 1}]}, {"ctxs": [{"id": "1", "text": P[0], "has_answer": True}]}):
        trace = one({"query": Q, "answers": [R, "Other."], **passages})
        assert (trace.reference, trace.response_is, [p.text for p in trace.passages or ()]) == (R, "absent", [P[0]])


@pytest.mark.parametrize("facts", [[["T1", 0], ["T1", 2], ["T2", 0]], {"title": ["T1", "T1", "T2"], "sent_id": [0, 2, 0]}])
def test_supporting_facts_are_the_relevant_documents(facts: Any) -> None:
    """By their titles, which are the ids of the documents."""
    assert one({"question": Q, "answer": R, "context": [["T1", [P[0]]]], "supporting_facts": facts}).relevant_ids == {"T1", "T2"}


def test_an_answer_with_its_provenance() -> None:
    """KILT's output; the text is the answer, not the object."""
    assert one({"id": "k", "input": Q, "output": [{"answer": R, "provenance": [{"title": "T"}]}]}).response == R
