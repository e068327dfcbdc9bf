"""Traces as the stores of OpenTelemetry give them out, Grafana Tempo and Jaeger, in the writing of OTLP."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ragviz.loaders.cells import listed, number

_BATCHES = ("resourceSpans", "resource_spans", "batches")
_SCOPES = ("scopeSpans", "scope_spans", "instrumentationLibrarySpans")
_CHILD = "CHILD_OF"


def as_otlp(value: Mapping[str, Any]) -> Mapping[str, Any]:
    """The batch inside what Tempo answers (``{"batches": […]}``, ``{"trace": {…}}``), or that what Jaeger answers amounts to; anything else as it is."""
    inner = value.get("trace")
    if isinstance(inner, Mapping) and any(isinstance(inner.get(name), list) for name in _BATCHES):
        value = inner
    if _are_batches(value.get("batches")):
        return {"resourceSpans": value["batches"]}
    traces = _jaegers(value)
    if traces is None:
        return value
    return {"resourceSpans": [{"scopeSpans": [{"spans": [_from_jaeger(span) if isinstance(span, Mapping) else span for span in listed(trace.get("spans"))]}]} for trace in traces]}


def is_page(value: Mapping[str, Any]) -> bool:
    """True for such an answer."""
    return as_otlp(value) is not value


def _are_batches(value: Any) -> bool:
    return isinstance(value, list) and any(isinstance(one, Mapping) and any(isinstance(one.get(name), list) for name in _SCOPES) for one in value)


def _jaegers(value: Mapping[str, Any]) -> list[Mapping[str, Any]] | None:
    """The traces of a page of Jaeger's, or the one that the object is; None where it is none."""
    given = value.get("data") if isinstance(value.get("data"), list) else [value]
    traces = [one for one in listed(given) if isinstance(one, Mapping) and isinstance(one.get("spans"), list) and "traceID" in one]
    return traces or None


def _from_jaeger(span: Mapping[str, Any]) -> dict[str, Any]:
    """Its times are microseconds; a parent is a reference, an attribute is a tag, an event is a log whose fields name it."""
    start, length = number(span.get("startTime")), number(span.get("duration"))
    parent = next((one.get("spanID") for one in listed(span.get("references")) if isinstance(one, Mapping) and one.get("refType", _CHILD) == _CHILD), span.get("parentSpanID"))
    tags = _tags(span.get("tags"))
    events = [{"name": fields.get("event", fields.get("name")), "attributes": fields} for log in listed(span.get("logs")) if isinstance(log, Mapping) for fields in (_tags(log.get("fields")),)]
    return {
        "traceId": span.get("traceID"), "spanId": span.get("spanID"), "parentSpanId": parent, "name": span.get("operationName"), "attributes": tags, "events": events,
        **({"startTimeUnixNano": int(start * 1000)} if start is not None else {}),
        **({"endTimeUnixNano": int((start + length) * 1000)} if start is not None and length is not None else {}),
        "status": {"code": "ERROR"} if tags.get("error") is True or tags.get("otel.status_code") == "ERROR" else {},
    }


def _tags(given: Any) -> dict[str, Any]:
    if isinstance(given, Mapping):
        return {str(key): value for key, value in given.items()}
    return {str(one.get("key")): one.get("value") for one in listed(given) if isinstance(one, Mapping)}
