"""MLflow traces: Trace.to_json(), the search_traces() frame, genai.evaluate() results."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, BinaryIO

import msgspec

from ragviz.loaders.asked import answered, asked, unquoted
from ragviz.loaders.building import ids_of, score_of, tags_of, usage_of, warning
from ragviz.loaders.cells import is_null, listed, number, structure, text_of, words
from ragviz.loaders.companions import Part
from ragviz.loaders.format import Format, per_row
from ragviz.loaders.jsontext import try_parse
from ragviz.loaders.otlp import step_of
from ragviz.loaders.outline import Outline
from ragviz.loaders.rows import Row, left_out
from ragviz.loaders.steps import trace_of_steps
from ragviz.loaders.times import moment
from ragviz.records import ImportedClaim, ImportedScore, LoadIssue, Side, Trace, Usage


def read(source: BinaryIO, filename: str) -> Iterator[Part]:
    """One trace a row. A frame lists the newest first: it is put in order of time."""
    frame: list[tuple[float, list[Part]]] = []
    for part in per_row(source, filename, _row):
        if isinstance(part, tuple):
            frame.append(part)
        else:
            yield part
    frame.sort(key=lambda pair: pair[0])
    for _, parts in frame:
        yield from parts


def _row(row: Row) -> Iterator[Any]:
    value = row.value
    if "info" in value:
        yield from _trace(value, row, {})
        return
    whole = try_parse(value["trace"]) if isinstance(value.get("trace"), str) else value.get("trace")
    if not isinstance(whole, Mapping) or "info" not in whole:
        whole = _from_columns(value)
    if any(str(column).endswith("/value") for column in value):  # an evaluation keeps the order of its data set
        yield from _trace(whole, row, _evaluated(value))
        return
    began = moment(value.get("request_time", value.get("timestamp_ms")))
    yield (began.timestamp() if began else float(row.n), list(_trace(whole, row, {})))


def _from_columns(value: Mapping[str, Any]) -> dict[str, Any]:
    """A trace out of the frame's own columns (also the 2.x names)."""
    info = {
        "trace_id": value.get("trace_id", value.get("request_id")), "request_time": value.get("request_time", value.get("timestamp_ms")),
        "state": value.get("state", value.get("status")), "execution_duration_ms": value.get("execution_duration", value.get("execution_time_ms")),
        "trace_metadata": structure(value.get("trace_metadata", value.get("request_metadata"))), "tags": structure(value.get("tags")),
        "assessments": structure(value.get("assessments")), "request_preview": value.get("request"), "response_preview": value.get("response"),
    }
    spans = structure(value.get("spans"))
    return {"info": info, "data": {"spans": spans if isinstance(spans, list) else []}}


def _trace(value: Mapping[str, Any], row: Row, extra: dict[str, Any]) -> Iterator[Trace | LoadIssue]:
    info = value["info"] if isinstance(value.get("info"), Mapping) else {}
    inner = value.get("data") if isinstance(value.get("data"), Mapping) else value
    assert isinstance(inner, Mapping)
    steps = [step_of(span, row) for span in listed(inner.get("spans")) if isinstance(span, Mapping)]
    yield from left_out(row.where, "spans", inner.get("spans"))
    name = text_of(info.get("trace_id", info.get("request_id"))) or row.where
    for step in steps:
        step.trace_id = name
    found: list[Trace | LoadIssue] = (
        list(trace_of_steps(steps, row.n)) if steps else [Trace(id=name, question="", response="", response_is="absent", passages=None, origin=row.where)]
    )
    for part in found:
        if not isinstance(part, Trace):
            if "retrieved more than once" not in part.message:
                yield part
            continue
        yield _completed(part, info, extra)
        if text_of(info.get("state", info.get("status"))).upper() == "ERROR":
            yield warning(row.where, "the traced application failed (state ERROR)", "look at the error in MLflow")


def _completed(trace: Trace, info: Mapping[str, Any], extra: dict[str, Any]) -> Trace:
    """The trace with what stands beside the spans: previews, tokens, assessments, tags."""
    meta = info.get("trace_metadata", info.get("request_metadata"))
    meta = meta if isinstance(meta, Mapping) else {}
    scores, reference, relevant, claims = _assessments(info.get("assessments"))
    used = unquoted(meta.get("mlflow.trace.tokenUsage"))
    usage = trace.usage or Usage()
    latency = number(info.get("execution_duration_ms", info.get("execution_duration", info.get("execution_time_ms"))))
    passages = trace.passages
    if relevant and passages and not any(p.doc_id in relevant for p in passages):
        # Expectations name documents by URI: a chunk matches through the document it comes from.
        passages = tuple(msgspec.structs.replace(p, doc_id=p.source or p.doc_id, metadata={**p.metadata, "chunk_id": p.doc_id or ""}) for p in passages)
    tags = info.get("tags")
    known = {score.name for score in scores}
    return msgspec.structs.replace(
        trace,
        question=trace.question or asked(meta.get("mlflow.traceInputs")) or asked(info.get("request_preview", info.get("request"))) or "",
        response=trace.response or answered(meta.get("mlflow.traceOutputs")) or answered(info.get("response_preview", info.get("response"))) or "",
        passages=passages, reference=reference or words(extra.get("expected_response")), relevant_ids=relevant,
        started_at=trace.started_at or moment(info.get("request_time", info.get("timestamp_ms"))),
        usage=usage_of(latency_ms=usage.latency_ms if usage.latency_ms is not None else latency, cost_usd=usage.cost_usd,
                       tokens_in=usage.tokens_in if usage.tokens_in is not None or not isinstance(used, Mapping) else used.get("input_tokens"),
                       tokens_out=usage.tokens_out if usage.tokens_out is not None or not isinstance(used, Mapping) else used.get("output_tokens")),
        scores=(*scores, *(s for s in extra.get("scores", ()) if s.name not in known)), claims=claims or trace.claims,
        tags={**trace.tags, **tags_of({k: v for k, v in tags.items() if not str(k).startswith("mlflow.")} if isinstance(tags, Mapping) else {}),
              **tags_of({"session": meta.get("mlflow.trace.session"), "user": meta.get("mlflow.trace.user")})},
    )


def _assessments(given: Any) -> tuple[list[ImportedScore], str | None, frozenset[str] | None, tuple[ImportedClaim, ...]]:
    """Feedback as scores; expectations as reference, relevant documents and reference claims."""
    scores: list[ImportedScore] = []
    reference: str | None = None
    relevant: frozenset[str] | None = None
    claims: list[ImportedClaim] = []
    for one in given if isinstance(given, list) else ():
        if not isinstance(one, Mapping):
            continue
        name = text_of(one.get("assessment_name", one.get("name")))
        if isinstance(one.get("feedback"), Mapping):
            scores.append(score_of(name, _said(one["feedback"]), reason=one.get("rationale")))
        elif isinstance(one.get("expectation"), Mapping):
            value = _said(one["expectation"])
            if name in ("expected_response", "expected_output", "ground_truth"):
                reference = words(value)
            elif name in ("expected_retrieved_context", "expected_documents"):
                relevant = ids_of(value)
            elif name == "expected_facts" and isinstance(value, list):
                claims += [ImportedClaim(side=Side.REFERENCE, text=text_of(fact)) for fact in value if not is_null(fact)]
    return scores, reference, relevant, tuple(claims)


def _said(holder: Mapping[str, Any]) -> Any:
    """The value; structured ones are wrapped as JSON."""
    wrapped = holder.get("serialized_value")
    return unquoted(wrapped.get("value")) if isinstance(wrapped, Mapping) else holder.get("value")


def _evaluated(value: Mapping[str, Any]) -> dict[str, Any]:
    """Columns ``<scorer>/value`` and ``<scorer>/rationale`` of genai.evaluate()."""
    scores = []
    for column, cell in value.items():
        name, slash, field = str(column).rpartition("/")
        if slash and field == "value" and not name.startswith("expected"):
            scores.append(score_of(name, cell, reason=value.get(f"{name}/rationale")))
    return {"scores": scores, "expected_response": value.get("expected_response/value")}


def matches(look: Outline) -> bool:
    """Traces with info and spans; or the frame's columns."""
    inner = look.row.get("data")
    if isinstance(look.row.get("info"), dict) and isinstance(inner, dict) and "spans" in inner:
        return True
    keys = look.keys
    return bool(keys & {"trace_id", "request_id"}) and "spans" in keys and bool(keys & {"request_time", "timestamp_ms"}) and bool(keys & {"state", "status"})


LOADER = Format(
    name="mlflow", label="MLflow traces and genai evaluation results", order=18, matches=matches, read=read, suffixes=(".jsonl", ".json", ".csv"),
    recognised_by="info with data.spans; or columns trace_id, spans, request_time and state",
)
