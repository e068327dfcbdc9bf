"""One small invented file per loader (a made-up company, Nimbus), with the number of traces that it holds."""

from __future__ import annotations

import io
import json
import sqlite3
import tempfile
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq

from ragviz.loaders import write_native
from ragviz.records import JudgedTrace, Passage, Trace
from ragviz.reports.case import case_html

Q = "How long do I have to get a refund?"
A = "You have 30 days [1]. It is free."
P = ["Annual plans can be refunded within 30 days.", "Single sign-on needs the Business plan."]
R = "Within 30 days."
START, END = "2024-06-03T09:00:00Z", "2024-06-03T09:00:01.370Z"


class Sample(NamedTuple):
    """A file of one format."""

    data: bytes
    traces: int
    """0 for files that only go with others."""


def _json(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode()


def _lines(*values: Any) -> bytes:
    return b"".join(_json(v) + b"\n" for v in values)


def _parquet(*rows: dict[str, Any]) -> bytes:
    out = io.BytesIO()
    pq.write_table(pa.Table.from_pylist(list(rows)), out)
    return out.getvalue()


def _sqlite(*statements: str) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "x.sqlite"
        connection = sqlite3.connect(path)
        for statement in statements:
            connection.execute(statement)
        connection.commit()
        connection.close()
        return path.read_bytes()


def _otlp(*spans: dict[str, Any]) -> bytes:
    def attribute(key: str, value: Any) -> dict[str, Any]:
        kind = "doubleValue" if isinstance(value, float) else "stringValue"
        return {"key": key, "value": {kind: value}}

    made = [
        {
            "traceId": "82f977ade02e7e06ea2ac85422a84580",
            "spanId": f"b97e7d794b35290{n}",
            "parentSpanId": "" if n == 0 else "b97e7d794b352900",
            "name": s.pop("name"),
            "startTimeUnixNano": str(1717405200000000000 + n),
            "endTimeUnixNano": "1717405201370000000",
            "attributes": [attribute(k, v) for k, v in s.items()],
        }
        for n, s in enumerate(spans)
    ]
    return _json({"resourceSpans": [{"resource": {"attributes": []}, "scopeSpans": [{"scope": {"name": "x"}, "spans": made}]}]})


def _openinference() -> bytes:
    return _otlp(
        {"name": "query", "openinference.span.kind": "CHAIN", "input.value": Q, "output.value": A},
        {
            "name": "retrieve",
            "openinference.span.kind": "RETRIEVER",
            "input.value": Q,
            "retrieval.documents.0.document.id": "d1",
            "retrieval.documents.0.document.content": P[0],
            "retrieval.documents.0.document.score": 0.9,
            "retrieval.documents.1.document.id": "d2",
            "retrieval.documents.1.document.content": P[1],
        },
    )


def _case() -> bytes:
    trace = Trace(id="t1", question=Q, response=A, passages=(Passage(id="p1", text=P[0], rank=1),), reference=R)
    return case_html(JudgedTrace(trace=trace), run="v7", judge="local 1").encode()


def _native() -> bytes:
    passages = tuple(Passage(id=f"d{n}", doc_id=f"d{n}", text=text, rank=n) for n, text in enumerate(P, start=1))
    return b"".join(write_native([Trace(id=f"t{n}", question=Q, response=A, passages=passages, reference=R) for n in range(3)]))


TRACE = {"id": "t1", "timestamp": START, "name": "rag", "bookmarked": False, "public": False, "input": {"question": Q}, "output": A, "faithfulness": [0.5]}
OBSERVATIONS = [
    {"id": "o1", "traceId": "t1", "type": "CHAIN", "parentObservationId": None, "startTime": START, "endTime": END, "name": "rag", "input": {"question": Q}, "output": A},
    {"id": "o2", "traceId": "t1", "type": "RETRIEVER", "parentObservationId": "o1", "startTime": START, "name": "retrieve", "input": Q, "output": [{"id": "d1", "content": P[0]}]},
]
SPANS = [
    {"name": "query", "span_kind": "CHAIN", "context": {"trace_id": "aa01", "span_id": "01"}, "parent_id": None, "start_time": START, "end_time": END,
     "attributes": {"input.value": Q, "output.value": A}},
    {"name": "retrieve", "span_kind": "RETRIEVER", "context": {"trace_id": "aa01", "span_id": "02"}, "parent_id": "01", "start_time": START, "end_time": END,
     "attributes": {"input.value": Q, "retrieval.documents.0.document.content": P[0]}},
]
RUNS = [
    {"id": "r1", "trace_id": "r1", "run_type": "chain", "name": "rag", "start_time": START, "end_time": END, "inputs": {"input": Q}, "outputs": {"answer": A}},
    {"id": "r2", "trace_id": "r1", "run_type": "retriever", "name": "find", "parent_run_id": "r1", "start_time": START, "inputs": {"query": Q},
     "outputs": {"documents": [{"page_content": P[0], "metadata": {"id": "d1"}}]}},
]
MLFLOW = {"info": {"trace_id": "tr-1", "request_time": START, "state": "OK", "assessments": []}, "data": {"spans": [
    {"trace_id": "x", "span_id": "1", "parent_span_id": None, "name": "rag", "start_time_unix_nano": 1, "attributes": {"mlflow.spanType": '"CHAIN"', "mlflow.spanInputs": _json({"question": Q}).decode(),
                                                                                                                       "mlflow.spanOutputs": _json(A).decode()}},
    {"trace_id": "x", "span_id": "2", "parent_span_id": "1", "name": "find", "start_time_unix_nano": 2, "attributes": {"mlflow.spanType": '"RETRIEVER"', "mlflow.spanOutputs": _json(
        [{"page_content": P[0], "metadata": {"doc_uri": "kb/refunds.md"}, "id": "d1"}]).decode()}},
]}}
OPIK = {
    "trace": {
        "id": "t1",
        "input": {"question": Q},
        "output": {"answer": A},
        "start_time": "2024-06-03 09:00:00+00:00",
        "duration": 1370.0,
        "feedback_scores": [{"name": "h", "value": 1.0}],
    },
    "spans": [{"id": "s1", "trace_id": "t1", "parent_span_id": None, "name": "retrieve", "type": "tool", "input": {"query": Q}, "output": {"documents": P}}],
    "downloaded_at": "2024-06-04T00:00:00",
    "project_name": "nimbus",
}
WEAVE = [
    {"id": "c1", "op_name": "weave:///demo/nimbus/op/rag:abc", "project_id": "demo/nimbus", "started_at": START, "trace_id": "t1", "parent_id": None, "inputs": {"question": Q},
     "output": {"answer": A}, "summary": {"weave": {"latency_ms": 1370}}},
    {"id": "c2", "op_name": "weave:///demo/nimbus/op/retrieve:def", "project_id": "demo/nimbus", "started_at": START, "trace_id": "t1", "parent_id": "c1", "inputs": {"query": Q}, "output": P},
]
PROMPTFOO = {"evalId": "e1", "results": {"version": 3, "results": [{
    "id": "x1", "promptIdx": 0, "testIdx": 0, "gradingResult": {"pass": True}, "vars": {"query": Q, "context": "\n\n".join(P)}, "response": {"output": A}, "success": True,
    "score": 1, "namedScores": {"faithfulness": 0.5}, "provider": {"id": "demo"}}]}}
CLAIM_OUTPUT = {
    "question": Q,
    "response": A,
    "reference": P,
    "claims": [["refund", "within", "30 days"], "It is free."],
    "ys": ["Entailment", "Neutral"],
    "Y": "Neutral",
}
RAGCHECKER = {"results": [{
    "query_id": "q1", "query": Q, "gt_answer": R, "response": A, "retrieved_context": [{"doc_id": "d1", "text": P[0]}, {"doc_id": "d2", "text": P[1]}],
    "response_claims": [["refund", "within", "30 days"]], "retrieved2response": [["Entailment", "Neutral"]], "answer2response": ["Entailment"]}]}
PAPERQA = {
    "id": "s1",
    "question": Q,
    "answer": "Within 30 days (kb-1 chunk 1).",
    "raw_answer": "Within 30 days (pqac-3ec04682).",
    "cost": 0.01,
    "used_contexts": ["pqac-3ec04682"],
    "contexts": [
        {"id": "pqac-3ec04682", "context": "Summary.", "score": 9, "text": {"text": P[0], "name": "kb-1 chunk 1", "doc": {"dockey": "kb-1", "docname": "kb-1"}}}
    ],
}
HAYSTACK = {"retriever": {"documents": [{"id": "d1", "content": P[0], "score": 0.9}]}, "generator": {"replies": [A], "meta": [{"model": "demo"}]},
            "answer_builder": {"answers": [{"data": A, "query": Q, "documents": []}]}}
NODE = {"node": {"id_": "n1", "text": P[0], "metadata": {}, "relationships": {"1": {"node_id": "d1"}}}, "score": 0.9}
ALCE = {
    "args": {"model": "demo", "ndoc": 2},
    "data": [{"question": Q, "answer": R, "docs": [{"id": str(n), "title": "t", "text": t, "score": "0.7"} for n, t in enumerate(P)], "output": A}],
}
TUTORIAL = {
    "DOCUMENTS": {"d1": {"text": P[0], "facts": [["window", "30 days"]]}, "d2": {"text": P[1], "facts": []}},
    "TRACES": [
        {
            "name": "good",
            "question": Q,
            "response": A,
            "retrieved": ["d1", "d2"],
            "relevant_documents": ["d1"],
            "expected_claims": [["window", "30 days"]],
            "response_claims": [["window", "30 days"]],
            "requested_facets": ["window"],
        }
    ],
}
SPAN = {"start": 22, "end": 33, "text": "It is free.", "label_type": "Evident Baseless Info"}
QA_CSV = f'question,answer,contexts,faithfulness\n{Q},{A},"{P}",0.5\nSecond?,Yes.,[],\n'.encode()

BEDROCK = {
    "conversationTurns": [
        {
            "inputRecord": {
                "prompt": {"content": [{"text": Q}]},
                "referenceResponses": [{"content": [{"text": R}]}],
                "referenceContexts": [{"content": [{"text": P[0]}]}],
            },
            "output": {
                "text": A,
                "modelIdentifier": "demo",
                "knowledgeBaseIdentifier": "kb",
                "retrievedPassages": {
                    "retrievalResults": [{"name": "d1", "content": {"text": P[0]}, "metadata": {"page": "2"}}, {"name": "d2", "content": {"text": P[1]}}]
                },
            },
            "results": [{"metricName": "Builtin.Faithfulness", "result": 0.5, "evaluatorDetails": [{"modelIdentifier": "judge", "explanation": "why"}]}],
        }
    ]
}
BEDROCK_REPLY = {
    "sessionId": "s1",
    "output": {"text": A},
    "citations": [
        {
            "generatedResponsePart": {"textResponsePart": {"text": A[:22], "span": {"start": 0, "end": 21}}},
            "retrievedReferences": [
                {
                    "content": {"text": P[0]},
                    "location": {"type": "S3", "s3Location": {"uri": "s3://kb/refunds.pdf"}},
                    "metadata": {"x-amz-bedrock-kb-chunk-id": "c1"},
                }
            ],
        }
    ],
}

BRAINTRUST = [
    {"id": "e4", "project_id": "p", "created": START, "span_id": "s4", "root_span_id": "s1", "span_parents": ["s1"], "span_attributes": {"name": "Faithfulness", "type": "score"},
     "input": {"output": A}, "output": {"score": 0.5}, "scores": {"Faithfulness": 0.5}, "metrics": {"start": 1717405201.4, "end": 1717405202.0}},
    {"id": "e5", "project_id": "p", "created": START, "span_id": "s5", "root_span_id": "s1", "span_parents": ["s4"], "span_attributes": {"name": "Chat Completion", "type": "llm"},
     "input": [{"role": "user", "content": "Is it faithful?"}], "output": [{"message": {"role": "assistant", "content": "Half of it."}}], "metadata": {"model": "judge"}},
    {"id": "e3", "project_id": "p", "created": START, "span_id": "s3", "root_span_id": "s1", "span_parents": ["s1"], "span_attributes": {"name": "Chat Completion", "type": "llm"},
     "input": [{"role": "user", "content": Q}], "output": [{"index": 0, "message": {"role": "assistant", "content": A}}], "metadata": {"model": "demo"},
     "metrics": {"start": 1717405200.5, "end": 1717405201.3, "prompt_tokens": 90, "completion_tokens": 12, "estimated_cost": 0.001}},
    {"id": "e2", "project_id": "p", "created": START, "span_id": "s2", "root_span_id": "s1", "span_parents": ["s1"], "span_attributes": {"name": "retrieve", "type": "function"},
     "input": {"query": Q}, "output": [{"id": "d1", "content": P[0], "score": 0.9}, {"id": "d2", "content": P[1], "score": 0.4}], "metrics": {"start": 1717405200.1, "end": 1717405200.4}},
    {"id": "e1", "project_id": "p", "created": START, "span_id": "s1", "root_span_id": "s1", "span_parents": [], "is_root": True, "span_attributes": {"name": "rag", "type": "task"},
     "input": {"question": Q}, "output": {"answer": A}, "expected": R, "scores": {"Helpful": 1}, "tags": ["prod"], "metadata": {"session_id": "c1"},
     "metrics": {"start": 1717405200.0, "end": 1717405201.37}},
]

DEEPEVAL_TALK = {"name": "c1", "success": True, "scenario": "A refund", "metricsData": [{"name": "Turn Faithfulness", "score": 0.5}], "turns": [
    {"role": "user", "content": "Hello", "order": 0}, {"role": "assistant", "content": "Hi, how can I help?", "order": 1},
    {"role": "user", "content": Q, "order": 2}, {"role": "assistant", "content": A, "order": 3, "retrievalContext": P},
    {"role": "user", "content": "And single sign-on?", "order": 4}, {"role": "assistant", "content": "With the Business plan.", "order": 5, "retrievalContext": [P[1]]}]}

AZURE_TALK = {"conversation": {"messages": [
    {"role": "user", "content": Q}, {"role": "assistant", "content": A, "context": {"citations": [{"id": "refunds.md", "content": P[0]}, {"id": "sso.md", "content": P[1]}]}},
    {"role": "user", "content": "And single sign-on?"}, {"role": "assistant", "content": "With the Business plan.", "context": {"citations": [{"id": "sso.md", "content": P[1]}]}}]}}

GEMINI = {"id": "g1", "request": {"contents": [{"role": "user", "parts": [{"text": Q}]}], "tools": [{"retrieval": {}}]}, "response": {
    "candidates": [{"content": {"role": "model", "parts": [{"text": "Für 30 Tage – kostenlos 🙂. Und SSO kostet extra."}]}, "finishReason": "STOP", "groundingMetadata": {
        "groundingChunks": [{"retrievedContext": {"uri": "gs://kb/refunds.md", "title": "refunds.md", "text": P[0]}}, {"retrievedContext": {"uri": "gs://kb/sso.md", "title": "sso.md", "text": P[1]}}],
        "groundingSupports": [{"segment": {"endIndex": 32, "text": "Für 30 Tage – kostenlos 🙂."}, "groundingChunkIndices": [0], "confidenceScores": [0.9]},
                              {"segment": {"startIndex": 33, "endIndex": 53, "text": "Und SSO kostet extra"}, "groundingChunkIndices": [1]}]}}],
    "usageMetadata": {"promptTokenCount": 90, "candidatesTokenCount": 12}, "modelVersion": "demo"}}

SAMPLES: dict[str, Sample] = {
    "native": Sample(_native(), 3),
    "case": Sample(_case(), 1),
    "ragas": Sample(_lines({"user_input": Q, "response": A, "retrieved_contexts": P, "reference": R, "faithfulness": 0.5}, {"user_input": "Second?", "response": "", "retrieved_contexts": []}), 2),
    "ragchecker": Sample(_json(RAGCHECKER), 1),
    "tutorial": Sample(_json(TUTORIAL), 1),
    "generic": Sample(QA_CSV, 2),
    "documents": Sample(_json({"d1": P[0], "d2": P[1]}), 0),
    "openinference": Sample(_openinference(), 1),
    "otel_genai": Sample(_otlp(
        {"name": "invoke_agent", "gen_ai.operation.name": "invoke_agent", "gen_ai.input.messages": _json([{"role": "user", "parts": [{"type": "text", "content": Q}]}]).decode(), "gen_ai.output.messages":
         _json([{"role": "assistant", "parts": [{"type": "text", "content": A}]}]).decode()},
        {"name": "retrieval kb", "gen_ai.operation.name": "retrieval", "gen_ai.retrieval.documents": _json([{"id": "d1", "score": 0.9}]).decode()}), 1),
    "phoenix": Sample(_json(SPANS), 1),
    "phoenix_annotations": Sample(b"span_id,annotation_name,result.label,result.score,result.explanation\n01,faithfulness,unfaithful,0.5,why\n", 0),
    "phoenix_documents": Sample(f"context.span_id,document_position,context.trace_id,input.value,reference,document_id,document_score\n02,0,aa01,{Q},{P[0]},d1,0.9\n".encode(), 0),
    "phoenix_experiment": Sample(_json([{"example_id": "e1", "input": {"question": Q}, "reference_output": {"answer": R}, "output": {"answer": A, "contexts": P},
                                         "annotations": [{"name": "faithfulness", "score": 0.5}]}]), 1),
    "phoenix_dataset": Sample(f'id,input.question,output.answer,metadata.relevant_doc_ids\ne1,{Q},{R},"[""d1""]"\n'.encode(), 1),
    "chat_lines": Sample(_lines({"messages": [{"role": "user", "content": Q}, {"role": "assistant", "content": A}]}), 1),
    "azure_conversations": Sample(_lines(AZURE_TALK), 2),
    "openai_batch": Sample(_lines({"id": "batch_req_1", "custom_id": "q1", "response": {"status_code": 200, "request_id": "x", "body": {
        "object": "chat.completion", "model": "demo", "choices": [{"index": 0, "message": {"role": "assistant", "content": A}}], "usage": {"prompt_tokens": 90, "completion_tokens": 12}}},
        "error": None}), 1),
    "openai_batch_requests": Sample(_lines({"custom_id": "q1", "method": "POST", "url": "/v1/chat/completions", "body": {"model": "demo", "messages": [
        {"role": "user", "content": Q}, {"role": "tool", "tool_call_id": "c1", "content": P[0]}]}}), 0),
    "langfuse": Sample(_json(OBSERVATIONS), 1),
    "langfuse_otlp": Sample(_otlp({"name": "rag", "langfuse.observation.type": "chain", "langfuse.observation.input": Q, "langfuse.observation.output": A},
                                  {"name": "find", "langfuse.observation.type": "retriever", "langfuse.observation.output": _json(P).decode()}), 1),
    "langfuse_scores": Sample(_json([{"id": "1", "traceId": "t1", "name": "faithfulness", "value": 0.5, "comment": "x"}]), 0),
    "langsmith": Sample(_lines(*RUNS), 1),
    "langsmith_feedback": Sample(_json([{"id": "f1", "run_id": "r1", "key": "correctness", "score": 0.5, "comment": "why"}]), 0),
    "langsmith_dataset": Sample(_lines({"dataset_id": "x", "id": "e1", "inputs": {"question": Q}, "outputs": {"answer": R}, "metadata": {"relevant_doc_ids": ["d1"]}}), 1),
    "mlflow": Sample(_lines(MLFLOW), 1),
    "opik": Sample(_json(OPIK), 1),
    "weave": Sample(_lines(*WEAVE), 1),
    "deepeval": Sample(_json({"testCases": [{"name": "q1", "input": Q, "actualOutput": A, "retrievalContext": P, "metricsData": [
        {"name": "Faithfulness", "score": 0.5, "success": False, "verboseLogs": 'Claims:\n["a", "b"] \n \nVerdicts:\n[{"verdict": "yes"}, {"verdict": "no", "reason": "r"}]'}]}], "conversationalTestCases": [DEEPEVAL_TALK], "testPassed": 1}), 3),
    "promptfoo": Sample(_json(PROMPTFOO), 1),
    "trulens": Sample(_sqlite(
        "CREATE TABLE trulens_records (record_id TEXT, app_id TEXT, input TEXT, output TEXT, record_json TEXT, tags TEXT, ts FLOAT, cost_json "
        "TEXT, perf_json TEXT)",
        "CREATE TABLE trulens_feedbacks (record_id TEXT, name TEXT, result FLOAT, status TEXT, error TEXT, calls_json TEXT)",
        f"""INSERT INTO trulens_records VALUES ('r1', 'a1', '"{Q}"', '"{A}"', '{{"calls": [{{"stack": [{{"path": "app.retriever", "method": {{"name": "get_context"}}}}], "rets": ["{P[0]}"]}}]}}',
            '-', 1717405200.0, '{{"cost": 0.01}}', '{{}}')""",
        "INSERT INTO trulens_feedbacks VALUES ('r1', 'Groundedness', 0.5, 'done', NULL, '{}')"), 1),
    "trec": Sample(b"q1 Q0 d1 1 0.9 run\nq1 Q0 d2 2 0.8 run\nq2 Q0 d1 1 0.7 run\n", 2),
    "trec_qrels": Sample(b"q1 0 d1 1\nq1 0 d2 0\nq2 0 d2 2\n", 0),
    "trec_scores": Sample(b"P_1\tq1\t1.0\nrecip_rank\tq1\t1.0\nP_1\tall\t0.5\n", 0),
    "trec_rag": Sample(_lines({"run_id": "r", "topic_id": "t1", "topic": Q, "references": ["d1", "d2"], "answer": [{"text": "Within 30 days.", "citations": [0, 7]}]}), 1),
    "beir": Sample(_json({"q1": {"d1": 0.9, "d2": 0.8}, "q2": {}}), 2),
    "beir_texts": Sample(_lines({"_id": "d1", "title": "refunds", "text": P[0]}, {"_id": "d2", "title": "sso", "text": P[1]}), 0),
    "refchecker": Sample(_json([CLAIM_OUTPUT]), 1),
    "factscore": Sample(_lines({"topic": "q1", "input": f"Question: {Q}", "output": A, "annotations": [{"text": A, "human-atomic-facts": [{"text": "30 days", "label": "S"}]}]}), 1),
    "ragtruth": Sample(_lines({"id": "1", "source_id": "s1", "model": "demo", "labels": [SPAN], "quality": "good", "response": A}), 1),
    "ragtruth_sources": Sample(_lines({"source_id": "s1", "task_type": "QA", "source_info": {"question": Q, "passages": f"passage 1:{P[0]}\n\npassage 2:{P[1]}\n\n"}, "prompt": "x"}), 0),
    "lettucedetect": Sample(_lines({"question": Q, "context": P, "answer": A, "predictions": [{"start": 22, "end": 33, "text": "It is free.", "confidence": 0.9}]}), 1),
    "halubench": Sample(_lines({"id": "h1", "passage": P[0], "question": Q, "answer": A, "label": "FAIL", "source_ds": "x"}), 1),
    "alce": Sample(_json(ALCE), 1),
    "paperqa": Sample(_lines(PAPERQA), 1),
    "llamaindex": Sample(_lines({"query": Q, "response": A, "source_nodes": [NODE]}), 1),
    "langchain": Sample(_lines({"input": Q, "context": [{"page_content": P[0], "metadata": {"source": "kb"}, "id": "d1"}], "answer": A}), 1),
    "haystack": Sample(_lines(HAYSTACK), 1),
    "open_rag_eval": Sample(f"query_id,query,query_run,passage_id,passage,generated_answer\nq1,{Q},1,[1],{P[0]},{A}\nq1,{Q},1,[2],{P[1]},\n".encode(), 1),
    "autorag": Sample(_parquet({"qid": "q1", "query": Q, "retrieval_gt": [["d1"]], "generation_gt": [R], "retrieved_ids": ["d1", "d1"], "retrieved_contents": [P[0], P[0]]}), 1),
    "autorag_corpus": Sample(_parquet({"doc_id": "d1", "contents": P[0], "metadata": {"x": 1}}), 0),
    "autorag_module": Sample(_parquet({"retrieved_contents": P, "retrieved_ids": ["d1", "d2"], "retrieve_scores": [0.9, 0.8]}), 0),
    "bedrock": Sample(_lines(BEDROCK, {"question": Q, "response": BEDROCK_REPLY}), 2),
    "squad": Sample(_json({"version": "v2.0", "data": [{"title": "Refunds", "paragraphs": [{"context": P[0], "qas": [
        {"id": "a", "question": Q, "answers": [{"text": "30 days", "answer_start": 38}], "is_impossible": False},
        {"id": "b", "question": "Who pays?", "answers": [], "is_impossible": True}]}]}]}), 2),
    "gemini": Sample(_lines(GEMINI), 1),
    "braintrust": Sample(_lines(*BRAINTRUST), 1),
    "averages": Sample(b"module_name,execution_time,recall\nBM25,0.1,0.5\n", 0),
}
