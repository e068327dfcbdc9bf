"""Amazon Bedrock, SQuAD, conversations in turns, and spans that are a whole answer: what becomes of each field."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest

from ragviz.loaders import detect, read
from ragviz.records import LoadIssue, Trace
from tests.contracts.loader_samples import BEDROCK, BEDROCK_REPLY, SAMPLES, A, P, Q, R


def parts(value: Any, *, lines: bool = False, **options: str) -> tuple[list[Trace], list[LoadIssue]]:
    """Traces and issues of a file in memory."""
    raw = "\n".join(map(json.dumps, value)) if lines else json.dumps(value)
    found = list(read(io.BytesIO(raw.encode()), filename="f", **options))  # type: ignore[arg-type]
    return [p for p in found if isinstance(p, Trace)], [p for p in found if isinstance(p, LoadIssue)]


def texts(trace: Trace) -> list[str] | None:
    """Of its passages."""
    return None if trace.passages is None else [p.text for p in trace.passages]


class TestBedrock:
    def test_a_line_of_a_finished_job(self) -> None:
        """Question, answer, passages with names as ids, references, metrics with the evaluator's words."""
        (trace,), issues = parts([BEDROCK], lines=True)

        assert (trace.question, trace.response, trace.reference, trace.model, issues) == (Q, A, R, "demo", [])
        assert [(p.doc_id, p.text) for p in trace.passages or ()] == [("d1", P[0]), ("d2", P[1])]
        assert (trace.relevant_texts, trace.tags["knowledge_base"]) == ((P[0],), "kb")
        assert [(s.name, s.value, s.reason) for s in trace.scores] == [("Builtin.Faithfulness", 0.5, "why")]

    def test_what_a_job_is_given_reads_alike(self) -> None:
        """Without inputRecord; a retrieve-only line calls its passages otherwise and has no answer."""
        (turn,) = BEDROCK["conversationTurns"]
        own = {**turn["inputRecord"], "output": turn["output"]}  # type: ignore[dict-item]
        only = {"prompt": own["prompt"], "output": {"knowledgeBaseIdentifier": "kb", "retrievedResults": {"retrievalResults": [{"content": {"text": P[0]}}]}}}
        (first, second), _ = parts([{"conversationTurns": [own]}, {"conversationTurns": [only]}], lines=True)

        assert (first.question, first.response, texts(first), first.reference) == (Q, A, P, R)
        assert (second.question, second.response_is, texts(second)) == (Q, "absent", [P[0]])

    def test_each_turn_is_a_trace(self) -> None:
        """What was said before is its history."""
        found, _ = parts({"conversationTurns": BEDROCK["conversationTurns"] * 2})

        assert [t.id for t in found] == ["row-1-turn-1", "row-1-turn-2"]
        assert [[h.text for h in t.history] for t in found] == [[], [Q, A]]

    @pytest.mark.parametrize(
        "beside",
        [{"question": Q, "response": BEDROCK_REPLY}, {**BEDROCK_REPLY, "input": {"text": Q}}, {"prompt": Q, "result": BEDROCK_REPLY}],
        ids=["response", "merged", "result"],
    )
    def test_a_reply_beside_its_question(self, beside: dict[str, Any]) -> None:
        """Only what was cited is in it, each passage once."""
        (trace,), issues = parts([beside ])
        doubled = {**BEDROCK_REPLY, "citations": BEDROCK_REPLY["citations"] * 2}  # type: ignore[operator]
        (again,), _ = parts({"question": Q, "response": doubled})

        assert (trace.question, trace.response, trace.passages_are, issues) == (Q, A, "cited", [])
        assert (
            [(p.doc_id, p.source, p.text) for p in again.passages or ()]
            == [("c1", "s3://kb/refunds.pdf", P[0])]
            == [(p.doc_id, p.source, p.text) for p in trace.passages or ()]
        )

    def test_a_reply_alone_says_what_it_lacks(self) -> None:
        """The question is not in it; that is told with the way out."""
        (trace,), (issue,) = parts(BEDROCK_REPLY)

        assert (trace.question, trace.response, issue.rejected) == ("", A, False)
        assert '"question"' in issue.fix

    def test_nothing_cited_is_an_empty_list(self) -> None:
        """The reply says so itself."""
        (trace,), _ = parts({"question": Q, "response": {"sessionId": "s", "output": {"text": "I cannot help."}, "citations": []}})

        assert trace.passages == ()

    def test_a_model_evaluation_has_no_passages(self) -> None:
        """They are not known, which is not "none"."""
        line = {
            "automatedEvaluationResult": {"scores": [{"metricName": "Builtin.Accuracy", "result": 0.2}]},
            "inputRecord": {"prompt": Q, "referenceResponse": R, "category": "refunds"},
            "modelResponses": [{"response": A, "modelIdentifier": "demo"}],
        }
        (trace,), _ = parts([line], lines=True)

        assert (trace.question, trace.response, trace.reference, trace.passages, trace.model, trace.tags["category"]) == (Q, A, R, None, "demo", "refunds")

    @pytest.mark.parametrize(
        "damaged",
        [
            {"conversationTurns": []},
            {"conversationTurns": [{"prompt": 7, "output": [], "results": "x"}]},
            {"conversationTurns": [{"prompt": {"content": "x"}, "output": {"retrievedPassages": [1]}}]},
            {"output": {"text": 1}, "citations": [1]},
            {"x": 1},
        ],
    )
    def test_a_damaged_line_costs_no_other(self, damaged: dict[str, Any]) -> None:
        """It is a trace or an issue."""
        found, issues = parts([BEDROCK, damaged, BEDROCK], lines=True, format="bedrock")

        assert [t.question for t in found if t.question] == [Q, Q]
        assert len(found) + len([i for i in issues if i.rejected]) == 3


class TestSquad:
    def test_the_data_set_as_published(self) -> None:
        """The paragraph is the passage, the first accepted answer the reference; what cannot be answered says so."""
        (first, second), _ = parts(json.loads(SAMPLES["squad"].data))

        assert (first.id, first.question, texts(first), first.reference, first.answerable, first.response_is) == ("a", Q, [P[0]], "30 days", True, "absent")
        assert (second.id, second.reference, second.answerable) == ("b", None, False)

    @pytest.mark.parametrize(("column", "answer"), [("prediction", "30 days"), ("prediction_text", "30 days"), (None, "")])
    @pytest.mark.parametrize(
        ("accepted", "reference", "answerable"),
        [({"text": ["30 days", "30"], "answer_start": [3, 3]}, "30 days", None), ({"text": [], "answer_start": []}, None, False)],
    )
    def test_as_a_table(self, column: str | None, answer: str, accepted: dict[str, Any], reference: str | None, answerable: bool | None) -> None:
        """With or without what a system answered: accepted answers with their places are never the answer."""
        row = {"id": "a", "title": "Refunds", "context": P[0], "question": Q, "answers": accepted, **({column: answer} if column else {})}
        (trace,), _ = parts([row])

        assert (trace.question, trace.response, texts(trace), trace.reference, trace.answerable) == (Q, answer, [P[0]], reference, answerable)

    def test_answers_without_places_stay_doubtful(self) -> None:
        """A list of texts may be what several systems said: it is no reference as long as nobody answered."""
        (trace,), _ = parts([{"context": P[0], "question": Q, "answers": ["30 days"]}])

        assert trace.reference is None

    def test_an_article_without_paragraphs_is_named(self) -> None:
        """The others are read."""
        value = json.loads(SAMPLES["squad"].data)
        value["data"].append({"title": "cut"})
        found, issues = parts(value)

        assert ([t.id for t in found], [i.where for i in issues]) == (["a", "b"], ["f:2"])


class TestTurns:
    @pytest.mark.parametrize(
        ("speaker", "said", "user", "system"),
        [
            ("role", "content", "user", "assistant"),
            ("speaker", "text", "Customer", "Agent"),
            ("from", "value", "human", "gpt"),
            ("author", "message", "user", "bot"),
        ],
    )
    @pytest.mark.parametrize("place", ["beside", "in the turn", "nowhere"])
    def test_who_said_what(self, speaker: str, said: str, user: str, system: str, place: str) -> None:
        """The last question and answer; what was said before is history; passages beside the turns or in the answer's turn."""
        turns: list[dict[str, Any]] = [
            {speaker: user, said: "Hello"},
            {speaker: system, said: "Hello, how can I help?"},
            {speaker: user, said: Q},
            {speaker: system, said: A},
        ]
        if place == "in the turn":
            turns[-1]["contexts"] = P
        (trace,), issues = parts([{"id": "c1", "turns": turns, **({"contexts": P} if place == "beside" else {})}])

        assert (trace.id, trace.question, trace.response, issues) == ("c1", Q, A, [])
        assert [h.text for h in trace.history] == ["Hello", "Hello, how can I help?"]
        assert texts(trace) == (None if place == "nowhere" else P)

    def test_turns_of_questions_and_answers_are_traces_of_their_own(self) -> None:
        """With their own passages, whatever the names."""
        for names in (("question", "answer", "contexts"), ("query", "response", "retrieved_contexts")):
            found, _ = parts([{"turns": [dict(zip(names, (Q, A, P), strict=True)), dict(zip(names, ("Else?", "No.", [P[1]]), strict=True))]}])
            assert [(t.question, t.response, texts(t)) for t in found] == [(Q, A, P), ("Else?", "No.", [P[1]])]

    @pytest.mark.parametrize("turns", [["q1", "q2"], [{"speaker": "Alice", "text": "Hi"}], [{"role": "user"}], [[1]], "x", {}])
    def test_what_nobody_can_tell_apart_is_refused(self, turns: object) -> None:
        """Questions alone, and speakers by name: no guess."""
        found, issues = parts([{"turns": turns}])

        assert (found, len(issues)) == ([], 1)


def span(**more: Any) -> dict[str, Any]:
    """One row of a span table, with question and answer."""
    return {
        "context.span_id": "s1",
        "context.trace_id": "t1",
        "parent_id": None,
        "name": "rag",
        "start_time": "2026-01-01T00:00:00Z",
        "end_time": "2026-01-01T00:00:01Z",
        "attributes.input.value": Q,
        "attributes.output.value": A,
    } | {f"attributes.{name}": value for name, value in more.items()}


class TestSpans:
    @pytest.mark.parametrize("kind", ["CHAIN", "LLM", "AGENT", "RETRIEVER", None])
    @pytest.mark.parametrize("documents", [
        {"retrieval.documents": [{"document.content": P[0], "document.id": "d1"}, {"document.content": P[1], "document.id": "d2"}]},
        {"retrieval.documents.contents": P, "retrieval.documents.ids": ["d1", "d2"], "retrieval.documents.scores": [0.9, 0.1]},
        {"retrieval.documents.contents": json.dumps(P), "retrieval.documents.ids": "['d1', 'd2']"},
        {"retrieval": {"documents": [{"document": {"content": P[0], "id": "d1"}}, {"document": {"content": P[1], "id": "d2"}}]}},
    ], ids=["objects", "columns", "columns as text", "nested"])
    def test_one_span_is_a_whole_answer(self, kind: str | None, documents: dict[str, Any]) -> None:
        """Documents noted on the span that answers do not take its answer away."""
        (trace,), _ = parts([span(**documents, **({"openinference.span.kind": kind} if kind else {}))])

        assert (trace.question, trace.response) == (Q, A)
        assert [(p.doc_id, p.text) for p in trace.passages or ()] == [("d1", P[0]), ("d2", P[1])]

    @pytest.mark.parametrize("output", [json.dumps([{"content": P[0]}]), P[0], "d1", "", None])
    def test_what_a_lone_retriever_gave_back_is_no_answer(self, output: str | None) -> None:
        """Its documents as JSON, one of them as text, an id."""
        row = span(**{"retrieval.documents": [{"document.content": P[0], "document.id": "d1"}], "openinference.span.kind": "RETRIEVER"}) | {
            "attributes.output.value": output
        }
        (trace,), _ = parts([row])

        assert (trace.response, texts(trace)) == ("", [P[0]])

    def test_a_retriever_goes_before_documents_on_the_root(self) -> None:
        """They are the same ones, or those that were left; what the retriever found counts."""
        root = span(**{"openinference.span.kind": "CHAIN", "retrieval.documents": [{"document.content": P[1]}]})
        child = span(**{"openinference.span.kind": "RETRIEVER", "retrieval.documents": [{"document.content": P[0]}]}) | {
            "context.span_id": "s2",
            "parent_id": "s1",
            "attributes.output.value": None,
        }
        (trace,), _ = parts([root, child])

        assert (trace.response, texts(trace)) == (A, [P[0]])


def test_nothing_else_is_taken_for_one_of_these() -> None:
    """Each sample's best loader is still its own."""
    assert [name for name, sample in SAMPLES.items() if detect(sample.data, "f")[0][0].name != name] == []
