"""Langfuse: observations, traces, traces with their observations (downloaded or from the API), scores; spans of its SDK."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, BinaryIO

from ragviz.loaders import otlp
from ragviz.loaders.asked import asked, replied, unquoted
from ragviz.loaders.building import assemble, score_of, tags_of, usage_of, warning
from ragviz.loaders.cells import id_of, listed, number, structure, text_of, words
from ragviz.loaders.companions import Companion, Part
from ragviz.loaders.fields import Record
from ragviz.loaders.format import Format, per_row
from ragviz.loaders.jsontext import try_parse
from ragviz.loaders.langsmith import documents_inside
from ragviz.loaders.outline import Outline
from ragviz.loaders.passages import Draft, drafts_of
from ragviz.loaders.passages_inside import given_back
from ragviz.loaders.rows import Row, read_rows
from ragviz.loaders.steps import Step, trace_of_steps, traces_of
from ragviz.loaders.times import moment
from ragviz.records import ImportedScore, LoadIssue, Trace

_KINDS = frozenset(["SPAN", "GENERATION", "RETRIEVER", "CHAIN", "AGENT", "TOOL", "EVENT", "EMBEDDING", "EVALUATOR", "GUARDRAIL"])
_PAGE = frozenset(["data", "meta"])
"""Keys of a page of the API."""
_TOKENS_IN, _TOKENS_OUT = ("prompt_tokens", "input_tokens"), ("completion_tokens", "output_tokens")
"""Names that earlier versions count tokens under, in the usage or beside it."""
_WITH_TEXT = frozenset(["page_content", "content", "text", "chunk", "passage"])
_BASE = frozenset(["id", "timestamp", "name", "user_id", "session_id", "release", "version", "environment", "tags", "bookmarked", "public", "input", "output", "metadata", "comments", "project_id", "created_at", "updated_at", "latency", "total_cost", "observations", "html_path", "external_id", "usage", "cost", "scores"])


def read(source: BinaryIO, filename: str) -> Iterator[Part]:
    """Rows of observations grouped by trace, or rows of traces."""
    steps: list[Step] = []
    told = False

    def one(row: Row) -> Iterator[Part]:
        page = row.value.get("data") if row.value.keys() <= _PAGE else None
        if not isinstance(page, list):
            yield from each(row)
            return
        for n, part in enumerate(page):
            if isinstance(part, Mapping):
                yield from each(Row(f"{row.where}:{n + 1}", n, part))

    def each(row: Row) -> Iterator[Part]:
        nonlocal told
        record = Record(row.value)
        if "trace" in record and "observations" in record:
            yield from _with_observations(row, row.value["trace"], row.value["observations"])
        elif _has_observations(row.value):
            yield from _with_observations(row, row.value, row.value["observations"])
        elif "trace_id" in record and "type" in record:
            steps.append(_observation(record, row))
        else:
            if isinstance(row.value.get("observations"), list) and row.value["observations"] and not told:
                told = True
                yield warning(row.where, "observations are ids only here, so what was retrieved is not in the file",
                              "fetch each trace by itself (GET /api/public/traces/ID), or export the observations")
            if "input" not in record and not told:
                told = True
                yield warning(row.where, "the export has no input column, so the questions are unknown", "export again with input and output")
            yield from _trace(record, row)

    yield from per_row(source, filename, one)
    yield from traces_of(steps)


def _observation(record: Record, row: Row) -> Step:
    kind, name = text_of(record.take("type")).upper(), text_of(record.take("name"))
    output = unquoted(record.take("output"))
    usage, cost = structure(record.take("usage_details", "usage")), structure(record.take("cost_details"))
    used = Record({**(usage if isinstance(usage, Mapping) else {}), **{k: v for k in _TOKENS_IN + _TOKENS_OUT if (v := record.take(k)) is not None}})
    finds = kind == "RETRIEVER" or (kind == "SPAN" and "retriev" in name.lower())
    ranks = kind == "RERANKER" or (kind == "SPAN" and "rerank" in name.lower())
    labels = structure(record.take("trace_tags", "tags"))
    seconds = number(record.take("latency"))
    cost_usd = number(record.take("total_cost", "calculated_total_cost"))
    return Step(
        where=row.where,
        trace_id=text_of(record.take("trace_id")),
        id=text_of(record.take("id")) or row.where,
        parent=id_of(record.take("parent_observation_id")),
        name=name,
        kind="reranker" if ranks else "retriever" if finds else {"GENERATION": "llm", "TOOL": "tool"}.get(kind, "other"),
        start=moment(record.take("start_time")),
        end=moment(record.take("end_time")),
        input=record.take("input"),
        output=output,
        documents=drafts_of(output) if finds or ranks else None,
        tool=given_back(output) if kind == "TOOL" else None,
        fallback=None if finds or ranks or kind == "GENERATION" else _documents_in(output),
        model=words(record.take("model", "provided_model_name")),
        tokens_in=number(used.take("input", *_TOKENS_IN)),
        tokens_out=number(used.take("output", *_TOKENS_OUT)),
        cost_usd=cost_usd if cost_usd is not None else number(cost.get("total")) if isinstance(cost, Mapping) else None,
        latency_ms=None if seconds is None else seconds * 1000,
        scores=[],
        doubts=[],
        tags=tags_of(
            {"name": record.take("trace_name"), "tags": ", ".join(map(text_of, labels)) if isinstance(labels, list) else None, "user": record.take("user_id")}
        ),
    )


def _documents_in(output: Any) -> list[Draft] | None:
    """Passages that a step of another kind gave back: under a name of theirs, or as a list of objects with an id or score beside their text."""
    if (
        isinstance(output, list)
        and output
        and all(isinstance(one, Mapping) and _WITH_TEXT & one.keys() and not {"role", "type"} & one.keys() for one in output)
    ):
        return drafts_of(output)
    return documents_inside(output, text_too=True)


def _trace(record: Record, row: Row) -> Iterator[Trace | LoadIssue]:
    """A row of the traces export: no passages; each score is a column that holds a list."""
    found, question, answer = record.take("id"), asked(record.take("input")), replied(record.take("output"))
    started = moment(record.take("timestamp"))
    labels, meta = structure(record.take("tags")), structure(record.take("metadata"))
    record.used |= _BASE & record.values.keys()
    scores: list[ImportedScore] = []
    given = structure(record.values.get("scores"))
    if isinstance(given, list):
        scores += [_score(s) for s in given if isinstance(s, Mapping)]
    scores += [score_of(name, value) for name, value in record.rest().items() if isinstance(structure(value), list) or number(value) is not None]
    seconds = number(record.values.get("latency"))
    yield from assemble(
        row.where, row.n, id=found, question=question, response=answer, drafts=None, started_at=started, scores=tuple(scores),
        usage=usage_of(latency_ms=None if seconds is None else seconds * 1000, cost_usd=record.values.get("total_cost")),
        tags=tags_of({**(meta if isinstance(meta, Mapping) else {}), "tags": ", ".join(map(text_of, labels)) if isinstance(labels, list) else None,
                      "session": record.values.get("session_id"), "user": record.values.get("user_id"), "name": record.values.get("name"),
                      "version": record.values.get("version"), "release": record.values.get("release")}),
    )


def _has_observations(value: Mapping[str, Any]) -> bool:
    """True for a trace as ``GET /api/public/traces/{id}`` gives it: the observations themselves, not their ids, in a list of the trace."""
    given = value.get("observations")
    return "timestamp" in value and isinstance(given, list) and any(isinstance(o, Mapping) and "type" in o for o in given)


def _with_observations(row: Row, trace: Mapping[str, Any], observations: Any) -> Iterator[Part]:
    """{trace, observations} of "Download JSON", or the trace of the API that holds its observations."""
    steps = [_observation(Record(o), row) for o in listed(observations) if isinstance(o, Mapping)]
    labels, seconds, meta = trace.get("tags"), number(trace.get("latency")), structure(trace.get("metadata"))
    top = Step(
        where=row.where, trace_id=text_of(trace.get("id")), id="trace", input=trace.get("input"), output=trace.get("output"), start=moment(trace.get("timestamp")),
        scores=[_score(s) for s in listed(trace.get("scores")) if isinstance(s, Mapping)], doubts=[], cost_usd=number(trace.get("totalCost")),
        latency_ms=None if seconds is None else seconds * 1000,
        tags=tags_of({**(meta if isinstance(meta, Mapping) else {}), "session": trace.get("sessionId"), "user": trace.get("userId"), "name": trace.get("name"),
                      "version": trace.get("version"), "release": trace.get("release"),
                      "tags": ", ".join(map(text_of, labels)) if isinstance(labels, list) and labels else None}),
    )
    for step in steps:
        if not step.parent:
            step.parent = "trace"
            top.latency_ms = top.latency_ms or step.latency_ms
    if top.latency_ms is None:
        # The trace itself has no end: from its first step to its last one.
        starts, ends = [s.start for s in steps if s.start], [s.end for s in steps if s.end]
        top.latency_ms = (max(ends) - min(starts)).total_seconds() * 1000 if starts and ends else None
    yield from trace_of_steps([top, *steps], row.n)


def _score(value: Mapping[str, Any]) -> ImportedScore:
    return score_of(text_of(value.get("name")), value.get("value"), label=value.get("stringValue", value.get("string_value")), reason=value.get("comment"))


def read_scores(source: BinaryIO, filename: str) -> Iterator[Part]:
    """Scores by trace; batches of the SDK are lists inside a list."""
    scores: dict[str, list[ImportedScore]] = {}
    rows = 0
    for value in _score_rows(source, filename):
        if isinstance(value, LoadIssue):
            yield value
            continue
        body = value.get("body") if isinstance(value.get("body"), Mapping) else value
        trace = id_of(body.get("traceId", body.get("trace_id")))
        rows += 1
        if trace is not None:
            scores.setdefault(trace, []).append(_score(body))
    yield Companion(role="scores", rows=rows, where=filename, scores=scores, fix="open it together with the observations or spans")


def _score_rows(source: BinaryIO, filename: str) -> Iterator[Any]:
    start = source.tell()
    first = source.read(64).split()
    source.seek(start)
    if b"".join(first).startswith(b"[["):
        value = try_parse(source.read())
        yield from (one for batch in listed(value) if isinstance(batch, list) for one in batch if isinstance(one, Mapping))
        return
    yield from (row if isinstance(row, LoadIssue) else row.value for row in read_rows(source, filename=filename))


def matches(look: Outline) -> bool:
    """Observation rows, trace rows, a downloaded trace, traces of the API with their observations."""
    if {"trace", "observations"} <= look.top.keys():
        return True
    page = look.top.get("data") if look.top.keys() <= _PAGE else None
    first = next((one for one in page if isinstance(one, Mapping)), {}) if isinstance(page, list) else look.row
    if _has_observations(first) or {"timestamp", "observations", "htmlPath"} <= first.keys():
        return True
    names = look.names
    if {"trace_id", "type", "start_time"} <= names:
        return any(text_of(row.get("type")).upper() in _KINDS for row in look.rows)
    return {"bookmarked", "public", "timestamp"} <= names


def _is_scores(look: Outline) -> bool:
    batch = look.value[0] if isinstance(look.value, list) and look.value else None
    row = batch[0] if isinstance(batch, list) and batch and isinstance(batch[0], dict) else look.row
    row = row["body"] if isinstance(row.get("body"), dict) else row
    keys = {str(k) for k in row}
    return bool(keys & {"traceId", "trace_id"}) and {"name", "value"} <= keys and not keys & {"input", "output", "type", "spans"}


FORMATS = (
    Format(name="langfuse", label="Langfuse observations or traces", order=22, matches=matches, read=read, suffixes=(".json", ".jsonl", ".csv"),
           recognised_by="rows with traceId, type and startTime; rows with bookmarked and public; traces that hold their observations"),
    Format(name="langfuse_otlp", label="Langfuse SDK spans (OTLP)", order=12, read=otlp.read, recognised_by="resourceSpans with langfuse.* attributes",
           matches=lambda look: otlp.is_otlp(look) and "langfuse.observation" in look.text),
    Format(name="langfuse_scores", label="Langfuse scores (beside traces)", order=23, companion=True, matches=_is_scores, read=read_scores, suffixes=(".json", ".csv", ".jsonl"),
           recognised_by="rows with traceId, name and value"),
)
