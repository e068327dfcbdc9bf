"""OpenTelemetry spans in all their writings: OTLP JSON, the SDK's own JSON, Phoenix' REST answers."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, BinaryIO, NamedTuple

from ragviz.loaders.attributes import describe, flat
from ragviz.loaders.cells import number, structure, text_of
from ragviz.loaders.companions import Part
from ragviz.loaders.format import Format, in_words
from ragviz.loaders.genai_attributes import of_event
from ragviz.loaders.outline import Outline
from ragviz.loaders.rows import Row, kind_of, read_rows
from ragviz.loaders.span_pages import as_otlp, is_page
from ragviz.loaders.steps import Step, traces_of
from ragviz.loaders.times import moment
from ragviz.records import LoadIssue

_OPENINFERENCE = re.compile(r"(?<![\w.])(?:openinference\.|retrieval\.documents|input\.value|llm\.model_name|llm\.input_messages)")
_RESOURCE = "ragviz.resource"
"""Under this key a span carries what its batch says of the system."""
_DEPLOYMENT = ("service.version", "deployment.environment.name", "deployment.environment")
_LOGS, _METRICS = "resourceLogs", {"resourceMetrics", "resource_metrics"}
"""What a collector writes into the same file beside the spans."""
_SCOPES = ("scopeSpans", "scope_spans", "instrumentationLibrarySpans")
_SURPRISES = (TypeError, ValueError, KeyError, AttributeError, IndexError, RecursionError, OverflowError)


def read(source: BinaryIO, filename: str) -> Iterator[Part]:
    """All spans of the file, grouped by trace."""
    steps: list[Step] = []
    for row in read_rows(source, filename=filename):
        if isinstance(row, LoadIssue):
            yield row
            continue
        if isinstance(row.value.get(_LOGS), list):
            steps += _log_steps(row.value, row)
        elif not row.value.keys() & _METRICS:
            yield from taken(row, steps, step_of)
    if not steps:
        yield LoadIssue(where=filename, message="the file holds no spans", fix="export again, and check the time range of the export")
    yield from traces_of(steps)


def taken(row: Row, steps: list[Step], make: Callable[[Mapping[str, Any], Row], Step]) -> Iterator[LoadIssue]:
    """Put what ``make`` makes of the spans of a record at the end of ``steps``; one that is none, or is damaged, costs itself alone and is told."""
    for n, span in enumerate(spans_in(row.value), start=1):
        if not isinstance(span, Mapping):
            yield LoadIssue(where=row.where, message=f"{span.path} should be {span.wanted}, found {kind_of(span.found)}", fix="export the spans again")
            continue
        try:
            steps.append(make(span, row))
        except _SURPRISES as exc:
            yield LoadIssue(where=row.where, message=f"span {n} has an unexpected shape ({in_words(exc)})", fix="export the spans again")


class Misplaced(NamedTuple):
    """Something in a batch that is not what belongs there: it costs itself alone."""

    path: str
    wanted: str
    found: Any


def spans_in(value: Mapping[str, Any]) -> Iterator[Mapping[str, Any] | Misplaced]:
    """The spans of an OTLP batch, a REST page, or one span alone; between them what is none, with its place."""
    value = as_otlp(value)
    name = next((name for name in ("resourceSpans", "resource_spans") if isinstance(value.get(name), list)), None)
    if name is not None:
        for batch_at, batch in _objects(value[name], name):
            if isinstance(batch, Misplaced):
                yield batch
                continue
            resource = _deployed(batch.get("resource"))
            scopes = next((given for given in _SCOPES if given in batch), _SCOPES[0])
            for scope_at, scope in _objects(batch.get(scopes), f"{batch_at}.{scopes}"):
                if isinstance(scope, Misplaced):
                    yield scope
                    continue
                for _, span in _objects(scope.get("spans"), f"{scope_at}.spans"):
                    yield {**span, _RESOURCE: resource} if resource and isinstance(span, Mapping) else span
    elif isinstance(value.get("data"), list):
        yield from (span for _, span in _objects(value["data"], "data"))
    else:
        yield value


def _objects(given: Any, path: str) -> Iterator[tuple[str, Mapping[str, Any] | Misplaced]]:
    """The objects of a list, each with its path; an absent or empty list holds none."""
    if given and not isinstance(given, list):
        yield path, Misplaced(path, "a list", given)
        return
    for n, one in enumerate(given or ()):
        yield f"{path}[{n}]", one if isinstance(one, Mapping) else Misplaced(f"{path}[{n}]", "an object", one)


def _deployed(resource: Any) -> dict[str, str]:
    """Which version of the system sent the spans, and from where: all that traces keep of a resource."""
    given = resource.get("attributes") if isinstance(resource, Mapping) else None
    names = keyed(given) if isinstance(given, list) else flat(given) if isinstance(given, Mapping) else {}
    return {name: text for name in _DEPLOYMENT if (text := text_of(names.get(name)))}


def step_of(span: Mapping[str, Any], row: Row) -> Step:
    """One span in any writing as a step."""
    context = span.get("context") if isinstance(span.get("context"), Mapping) else {}
    assert isinstance(context, Mapping)
    step = Step(
        where=row.where, trace_id=span_id(context.get("trace_id", span.get("traceId", span.get("trace_id")))) or row.where,
        id=span_id(context.get("span_id", span.get("spanId", span.get("span_id")))) or f"{row.where}/{text_of(span.get('name'))}",
        parent=span_id(span.get("parentSpanId", span.get("parent_span_id", span.get("parent_id")))), name=text_of(span.get("name")),
        start=moment(span.get("startTimeUnixNano", span.get("start_time_unix_nano", span.get("start_time")))),
        end=moment(span.get("endTimeUnixNano", span.get("end_time_unix_nano", span.get("end_time")))), tags={}, doubts=[], scores=[],
    )
    step.tags.update(span.get(_RESOURCE) or {})
    attributes = span.get("attributes")
    describe(
        step, keyed(attributes) if isinstance(attributes, list) else attributes if isinstance(attributes, Mapping) else {}, kind=text_of(span.get("span_kind"))
    )
    unknown_where_failed(step, span)
    dropped = number(span.get("droppedAttributesCount", span.get("dropped_attributes_count")))
    if dropped:
        step.doubts.append(f"the tracer dropped {int(dropped)} attributes of span {step.name or step.id}; passages or the question may be missing")
        for draft in step.documents or ():
            draft.missing = not draft.text  # said already
    events = structure(span.get("events"))
    for event in events if isinstance(events, list) else ():
        _event(step, event)
    return step


def unknown_where_failed(step: Step, span: Mapping[str, Any]) -> None:
    """A retriever that ended with an error found nothing that is known: this is not the same as "found nothing"."""
    status = span.get("status")
    code = (
        status.get("code", status.get("status_code", status.get("statusCode")))
        if isinstance(status, Mapping)
        else span.get("status_code", span.get("statusCode"))
    )
    if step.kind in ("retriever", "reranker") and not step.documents and text_of(code).upper().removeprefix("STATUS_CODE_") in ("2", "ERROR"):
        step.documents = None


def _event(step: Step, event: Mapping[str, Any]) -> None:
    """Evaluation results, messages and documents recorded on the span, or beside it in a log record."""
    given = event.get("attributes")
    names = keyed(given) if isinstance(given, list) else given if isinstance(given, Mapping) else {}
    name = text_of(event.get("eventName") or event.get("event_name") or event.get("name") or names.get("event.name"))
    of_event(step, name, flat(names), _value(event.get("body")))


def _log_steps(value: Mapping[str, Any], row: Row) -> Iterator[Step]:
    """Log records of GenAI messages, as steps under the ids of their spans, which they complete."""
    records: dict[tuple[str, str], list[Mapping[str, Any]]] = {}
    for _, batch in _objects(value[_LOGS], _LOGS):
        for _, scope in _objects(batch.get("scopeLogs"), "") if isinstance(batch, Mapping) else ():
            for _, one in _objects(scope.get("logRecords"), "") if isinstance(scope, Mapping) else ():
                if isinstance(one, Mapping) and one.get("spanId"):
                    records.setdefault((text_of(one.get("traceId")), text_of(one["spanId"])), []).append(one)
    for (trace, span), events in records.items():
        step = step_of({"traceId": trace, "spanId": span, "parentSpanId": "unknown", "events": events}, row)
        step.kind = "llm" if step.kind == "other" and (step.input or step.output) else step.kind
        if step.input or step.output or step.scores or step.documents:
            yield step


def keyed(attributes: list[Any]) -> dict[str, Any]:
    """OTLP's [{key, value: {stringValue: …}}] as a plain object."""
    return {text_of(a.get("key")): _value(a.get("value")) for a in attributes if isinstance(a, Mapping)}


def _value(value: Any) -> Any:
    """One OTLP value; of REST's alternatives, all null but one, the one."""
    if not isinstance(value, Mapping):
        return value
    for name, given in value.items():
        if given is None:
            continue
        kind = name.replace("_", "").lower()
        if kind == "intvalue":
            return int(given)
        if kind == "arrayvalue":
            return [_value(v) for v in (given.get("values") or [])]
        if kind == "kvlistvalue":
            return keyed(given.get("values") or [])
        return given
    return None


def span_id(value: Any) -> str | None:
    """An id in hex: without 0x, out of base64 where a plain protobuf writer left it; None for no id."""
    text = text_of(value).strip().removeprefix("0x")
    if not text or not text.strip("0"):
        return None
    if text.endswith("=") and len(text) in (12, 24):
        try:
            return base64.b64decode(text, validate=True).hex()
        except (binascii.Error, ValueError):
            return text
    return text


def is_span_id(value: Any, *, n_bytes: int) -> bool:
    """Whether it is an id of so many bytes, in hex or base64, not all zero."""
    found = span_id(value)
    if found is None:
        return False
    try:
        return len(bytes.fromhex(found)) == n_bytes
    except ValueError:
        return False


def is_otlp(look: Outline) -> bool:
    """A batch, or Phoenix' page of snake-case spans."""
    if look.keys & {"resourceSpans", "resource_spans"}:
        return True
    if is_page(look.top or look.row):
        return "traceloop." in look.text or "gen_ai." in look.text or _OPENINFERENCE.search(look.text) is not None
    page = look.top.get("data")
    return isinstance(page, list) and bool(page) and isinstance(page[0], dict) and "start_time_unix_nano" in page[0]


def is_sdk_span(look: Outline) -> bool:
    """Spans as the OpenTelemetry SDK prints them."""
    context = look.row.get("context")
    return isinstance(context, dict) and text_of(context.get("trace_id")).startswith("0x") and "attributes" in look.row


def _genai_matches(look: Outline) -> bool:
    return (is_otlp(look) or is_sdk_span(look)) and not _openinference_matches(look)


def _openinference_matches(look: Outline) -> bool:
    return (is_otlp(look) or is_sdk_span(look)) and _OPENINFERENCE.search(look.text) is not None


OPENINFERENCE = Format(
    name="openinference", label="OpenInference spans (OTLP JSON, SDK JSON, console)", order=13, matches=_openinference_matches, read=read,
    recognised_by="resourceSpans, or spans with a 0x… trace id, that carry openinference.*, input.value or retrieval.documents.* attributes",
    suffixes=(".json", ".jsonl", ".txt"),
)
GENAI = Format(
    name="otel_genai", label="OpenTelemetry spans with GenAI conventions (also OpenLLMetry)", order=14, matches=_genai_matches, read=read,
    recognised_by="resourceSpans, or spans with a 0x… trace id, with gen_ai.* or traceloop.* attributes", suffixes=(".json", ".jsonl", ".txt"),
)
