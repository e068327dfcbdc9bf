"""What each tool means by its words: the traps of the reference formats, one by one, on invented records."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest

from ragviz.loaders import read
from ragviz.loaders.trulens import statements_in
from ragviz.records import LoadIssue, Side, Table, Trace, Verdict
from tests.contracts.loader_samples import SAMPLES, P, Q


def load(data: Any, **how: Any) -> list[Trace]:
    raw = data if isinstance(data, bytes) else json.dumps(data).encode()
    return [p for p in read(io.BytesIO(raw), filename="f", **how) if isinstance(p, Trace)]


def warnings(data: Any) -> list[str]:
    raw = data if isinstance(data, bytes) else json.dumps(data).encode()
    return [p.message for p in read(io.BytesIO(raw), filename="f") if isinstance(p, LoadIssue)]


def verdicts(trace: Trace) -> list[tuple[Verdict, str]]:
    """First verdict and label of each claim."""
    return [(c.verdicts[0].verdict, c.verdicts[0].label) for c in trace.claims or ()]


def test_deepeval_no_means_contradicted() -> None:
    """What is merely absent is "idk", which stays unjudged."""
    log = 'Truths:\n[] \n \nClaims:\n["a", "b", "c"] \n \nVerdicts:\n[{"verdict": "yes"}, {"verdict": "no", "reason": "r"}, {"verdict": "idk"}]'
    trace = load(
        {"testCases": [{"input": Q, "actualOutput": "x", "metricsData": [{"name": "Faithfulness", "score": 0.3, "verboseLogs": log}]}], "testPassed": 0}
    )[0]

    assert verdicts(trace) == [(Verdict.ENTAILED, "yes"), (Verdict.CONTRADICTED, "no"), (Verdict.UNJUDGED, "idk")]


def test_deepeval_metric_with_an_error_has_no_score() -> None:
    """The error is the reason."""
    trace = load({"testCases": [{"input": Q, "actualOutput": "x", "metricsData": [{"name": "Bias", "error": "timeout", "success": False}]}], "testPassed": 0})[
        0
    ]

    assert [(s.value, s.label, s.reason) for s in trace.scores] == [(None, "fail", "timeout")]


@pytest.mark.parametrize(
    ("cell", "passages", "warned"),
    [("one|two", 2, False), ("one | two|three", 3, True), ("one;two", 2, True), ("one; and more", 1, False), ('["a|b"]', 1, False)],
)
def test_deepeval_joins_passages(cell: str, passages: int, warned: bool) -> None:
    """Joined with a bar (a semicolon long ago): a passage that contains it is cut, and a warning says when that is likely."""
    record = {"input": Q, "actual_output": "x", "retrieval_context": cell}

    assert len(load(record)[0].passages or ()) == passages
    assert bool(warnings(record)) is warned


def test_ragas_zero_is_not_a_contradiction() -> None:
    """Ragas asks whether a statement can be inferred; it cannot tell the two apart."""
    prompts = [{"faithfulness": {"n_l_i_statement_prompt": {"output": {"statements": [{"statement": "a", "verdict": 1}, {"statement": "b", "verdict": 0}]}}}}]

    assert [v for v, _ in verdicts(load(prompts)[0])] == [Verdict.ENTAILED, Verdict.NEUTRAL]


def test_ragchecker_matrices_by_claim_and_passage() -> None:
    """retrieved2response[i][j] is passage j against response claim i; answer2response is the reference against it."""
    trace = load(SAMPLES["ragchecker"].data)[0]
    (claim,) = trace.claims or ()

    assert claim.text == "refund within 30 days"
    assert [(v.table, v.premise_id, v.verdict) for v in claim.verdicts] == [
        (Table.RESPONSE_X_PASSAGES, "d1", Verdict.ENTAILED),
        (Table.RESPONSE_X_PASSAGES, "d2", Verdict.NEUTRAL),
        (Table.RESPONSE_X_REFERENCE, "reference", Verdict.ENTAILED),
    ]


def test_ragchecker_ids_that_mean_different_texts() -> None:
    """"000" is the first passage of each question: kept apart by the question's id."""
    rows = [
        {
            "query_id": str(n),
            "query": "q",
            "gt_answer": "g",
            "response": "r",
            "retrieved_context": [{"doc_id": "000", "text": f"text {n}"}, {"doc_id": "same", "text": "t"}],
        }
        for n in (1, 2)
    ]

    traces = load({"results": rows})

    assert [[p.doc_id for p in t.passages or ()] for t in traces] == [["1/000", "same"], ["2/000", "same"]]
    assert [[p.id for p in t.passages or ()] for t in traces] == [["000", "same"]] * 2


def test_trulens_scores_between_stay_open() -> None:
    """Full marks support, none do not, the rest says nothing; the scale is 10 or 1."""
    text = "STATEMENT 0:\nCriteria: a\nSupporting Evidence: e\nScore: 10\nSTATEMENT 1:\nCriteria: b\nSupporting Evidence: e\nScore: 0\nSTATEMENT 2:\nCriteria: c\nSupporting Evidence: e\nScore: 5"

    assert [c.verdicts[0].verdict for c in statements_in(text)] == [Verdict.ENTAILED, Verdict.NEUTRAL, Verdict.UNJUDGED]
    assert [c.verdicts[0].verdict for c in statements_in(text.replace("10", "1.0").replace("5", "0.5"))] == [
        Verdict.ENTAILED,
        Verdict.NEUTRAL,
        Verdict.UNJUDGED,
    ]


def test_ragtruth_labels() -> None:
    """A conflict contradicts, baseless information is unsupported, implicit truth stays open; wrong offsets are mended by the text."""
    labels = [
        {"start": 0, "end": 3, "text": "One", "label_type": "Evident Conflict"},
        {"start": 0, "end": 3, "text": "two", "label_type": "Subtle Baseless Info"},
        {"start": 9, "end": 14, "text": "three", "label_type": "Subtle Baseless Info", "implicit_true": True},
        {"start": 50, "end": 60, "text": "absent", "label_type": "x"},
    ]
    row = {"id": "1", "source_id": "s", "model": "m", "labels": json.dumps(labels), "response": "One, two three."}
    trace = load(row)[0]

    assert [v for v, _ in verdicts(trace)] == [Verdict.CONTRADICTED, Verdict.NEUTRAL, Verdict.UNJUDGED, Verdict.NEUTRAL]
    assert [[s.of(trace.response) for s in c.spans] for c in trace.claims or ()] == [["One"], ["two"], ["three"], []]
    assert sum("marked span" in w for w in warnings(row)) == 2


def test_factscore_abstention_is_not_an_empty_answer() -> None:
    """decisions: null says that the answer abstained; the claims of that answer are unknown, not none."""
    traces = load({"score": 0.5, "respond_ratio": 0.5, "decisions": [[{"atom": "a", "is_supported": True}], None]})

    assert [None if t.claims is None else verdicts(t) for t in traces] == [[(Verdict.ENTAILED, "true")], None]


def test_refchecker_one_label_per_reference() -> None:
    """ys may hold a list per claim: each label belongs to one passage."""
    row = {"question": Q, "response": "r", "reference": P, "claims": ["c"], "ys": [["Entailment", "Contradiction"]], "Y": "Contradiction"}
    trace = load([row])[0]
    ids = [p.id for p in trace.passages or ()]

    assert [(v.premise_id, v.verdict) for v in (trace.claims or ())[0].verdicts] == [(ids[0], Verdict.ENTAILED), (ids[1], Verdict.CONTRADICTED)]
    assert trace.scores[0].label == "Contradiction"


def test_trec_order_is_trec_evals() -> None:
    """By score, then by document id, both descending; the rank column is ignored and duplicates are named."""
    data = b"q1\tQ0\ta\t1\t1.0\trun\r\nq1 Q0  b 2 2.5E+0 run\nq1 Q0 c 3 2.5 run\nq1 Q0 a 4 0.5 run"
    trace = load(data)[0]

    assert [p.doc_id for p in trace.passages or ()] == ["c", "b", "a", "a"]
    assert [any(word in w for w in warnings(data)) for word in ("more than once", "equal scores", "differs")] == [True] * 3


@pytest.mark.parametrize("data", [b"q1 0 d1 1\nq1 0 d2 -2\n", b"query-id\tcorpus-id\tscore\nq1\td1\t1\n", b"q1\td1\t1\nq1\td2\t0\n"])
def test_labels_in_three_writings(data: bytes) -> None:
    """TREC's four fields, BEIR's three with and without heading: no traces, and a sentence that says what they go with."""
    assert warnings(data) == [f"the file holds relevance labels ({len(data.splitlines()) - (b'query-id' in data)}), but no traces"]


def test_langfuse_scores_are_lists() -> None:
    """Each score is a column that holds a list of the trace's scores of that name."""
    row = {
        "id": "t",
        "timestamp": "2024-06-03T09:00:00Z",
        "bookmarked": False,
        "public": False,
        "input": {"question": Q},
        "output": "x",
        "faithfulness": [0.5],
        "verdict": ["unsupported"],
        "empty": None,
    }

    assert {s.name: (s.value, s.label) for s in load([row])[0].scores} == {"faithfulness": (0.5, None), "verdict": (None, "unsupported")}


def test_several_langfuse_scores_of_one_name_are_their_mean() -> None:
    """And all of them are told; words among them stay words."""
    row = {"id": "t", "timestamp": "2024-06-03T09:00:00Z", "bookmarked": False, "public": False, "input": {"question": Q}, "output": "x",
           "faithfulness": [0.2, 0.8, 1], "helpful": [True, False], "many": [1] * 11, "verdict": ["unsupported", "fine"], "mixed": [0.5, "fine"]}

    assert {s.name: (s.value, s.label, s.reason) for s in load([row])[0].scores} == {
        "faithfulness": (pytest.approx(2 / 3), None, "mean of 3 in the file: 0.2, 0.8, 1"), "helpful": (0.5, None, "mean of 2 in the file: 1, 0"),
        "many": (1.0, None, f"mean of 11 in the file: {'1, ' * 10}…"), "verdict": (None, '["unsupported", "fine"]', ""), "mixed": (None, '[0.5, "fine"]', ""),
    }


def test_mlflow_expectations_name_documents_by_uri() -> None:
    """A chunk is relevant through the document it comes from."""
    value = json.loads(SAMPLES["mlflow"].data)
    value["info"]["assessments"] = [
        {"assessment_name": "expected_retrieved_context", "expectation": {"serialized_value": {"value": json.dumps([{"doc_uri": "kb/refunds.md"}])}}},
        {"assessment_name": "expected_response", "expectation": {"value": "Thirty days."}},
        {"assessment_name": "expected_facts", "expectation": {"value": ["30 days"]}},
        {"assessment_name": "groundedness", "feedback": {"value": "no"}, "rationale": "r"},
    ]
    trace = load(value)[0]
    (passage,) = trace.passages or ()

    assert (trace.relevant_ids, passage.matching_id, passage.metadata["chunk_id"]) == (frozenset({"kb/refunds.md"}), "kb/refunds.md", "d1")
    assert (trace.reference, [(c.side, c.text) for c in trace.claims or ()]) == ("Thirty days.", [(Side.REFERENCE, "30 days")])
    assert [(s.name, s.value, s.label) for s in trace.scores] == [("groundedness", 0.0, "no")]


def test_paperqa_cites_and_stands_in() -> None:
    """Chunk names in the answer are citations; −1 is no score; an emptied text is replaced by the summary, which says so; a repeat counts once."""
    session = json.loads(SAMPLES["paperqa"].data)
    context = session["contexts"][0]
    session["contexts"] = [{**context, "score": -1, "text": {**context["text"], "text": ""}}, context]
    trace = load(session)[0]
    (passage,) = trace.passages or ()

    assert (passage.text, passage.score, passage.metadata["text_is"], passage.doc_id) == ("Summary.", None, "summary", "kb-1")
    assert [(c.marker, c.passage_ids) for c in trace.citations or ()] == [("kb-1 chunk 1", ("pqac-3ec04682",))]
    assert warnings(session) == ["the same context occurs more than once (pqac-3ec04682); it counts once"]


def test_alce_counts_over_the_first_documents() -> None:
    """The prompt held ndoc of them; a number beyond names nothing."""
    value = json.loads(SAMPLES["alce"].data)
    value["args"]["ndoc"] = 1
    value["data"][0]["output"] = ["It is so [1][2]."]
    trace = load(value)[0]

    assert len(trace.passages or ()) == 1
    assert [(c.marker, c.passage_ids, c.unresolved) for c in trace.citations or ()] == [("[1]", ("0",), ()), ("[2]", (), ("2",))]


def test_open_rag_eval_labels_are_not_positions() -> None:
    """Retrieved were [2] and [3]: "[2]" is the first of them."""
    trace = load(b"query_id,query,query_run,passage_id,passage,generated_answer\nq,Q,1,[2],two,It is [2] not [9]\nq,Q,1,[3],three,\n")[0]

    assert [(c.passage_ids, c.unresolved) for c in trace.citations or ()] == [(("[2]",), ()), ((), ("9",))]


def test_haystack_keeps_only_cited_documents() -> None:
    """They keep their rank, and the trace says that the rest is missing."""
    trace = load({"data": "a", "query": "q", "documents": [{"id": "d3", "content": "x", "meta": {"source_index": 3, "referenced": True}}]})[0]

    assert ([(p.doc_id, p.rank) for p in trace.passages or ()], trace.passages_are) == ([("d3", 3)], "cited")


def test_llamaindex_judges_documents_not_chunks() -> None:
    """The id is that of the source document; the chunk's is kept beside."""
    (passage,) = load(SAMPLES["llamaindex"].data)[0].passages or ()

    assert (passage.doc_id, passage.metadata["chunk_id"], passage.score) == ("d1", "n1", 0.9)


def test_langchain_printed_documents() -> None:
    """What json.dumps(default=str) leaves: text and metadata, no id."""
    (passage,) = (
        load([{"query": Q, "result": "x", "source_documents": ["page_content='It\\'s so.' metadata={'source': 'kb', 'relevance_score': 0.9}"]}])[0].passages
        or ()
    )

    assert (passage.text, passage.source, passage.score, passage.doc_id) == ("It's so.", "kb", 0.9, None)


def test_autorag_repeats_count_once() -> None:
    """The retriever returned one id twice."""
    trace = load(SAMPLES["autorag"].data)[0]

    assert ([p.doc_id for p in trace.passages or ()], trace.relevant_ids) == (["d1"], frozenset({"d1"}))
    assert warnings(SAMPLES["autorag"].data) == ["1 repeated passage was counted once"]


def test_the_rag_track_cites_by_position() -> None:
    """From 0 in the file, from 1 in the text; a position beyond the references names nothing."""
    trace = load(SAMPLES["trec_rag"].data)[0]

    assert trace.response == "Within 30 days. [1] [8]"
    assert [(c.marker, c.passage_ids, c.unresolved) for c in trace.citations or ()] == [("[1]", ("d1",), ()), ("[8]", (), ("8",))]


def test_weave_references_are_not_texts() -> None:
    """Large values are left behind as weave:/// references."""
    calls = [
        {
            "id": "1",
            "op_name": "weave:///a/b/op/retrieve:x",
            "project_id": "p",
            "started_at": "2024-01-01T00:00:00Z",
            "trace_id": "t",
            "inputs": {"query": Q},
            "output": ["weave:///a/b/object/x:y"],
        }
    ]

    assert any("references" in w for w in warnings(calls))
