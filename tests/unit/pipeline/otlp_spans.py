"""Spans as OTLP JSON has them: a question that was answered, a retriever, a request's body."""

from __future__ import annotations

from typing import Any

TRACE, ROOT, CHILD = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331", "00f067aa0ba902b7"
SECOND = 1_790_000_000


def a_span(span: str, *, parent: str | None = None, trace: str = TRACE, **attributes: Any) -> dict[str, Any]:
    """One span as OTLP JSON has it; dots in attribute names are written as __."""
    values = [{"key": k.replace("__", "."), "value": {"intValue": str(v)} if isinstance(v, int) else {"stringValue": v}} for k, v in attributes.items()]
    return {
        "traceId": trace,
        "spanId": span,
        **({"parentSpanId": parent} if parent else {}),
        "name": "step",
        "startTimeUnixNano": f"{SECOND}000000000",
        "endTimeUnixNano": f"{SECOND + 1}000000000",
        "attributes": values,
    }


def root_span(**more: Any) -> dict[str, Any]:
    """Question and answer."""
    return a_span(ROOT, openinference__span__kind="CHAIN", input__value="How long?", output__value="It takes 30 days.", **more)


def retriever_span() -> dict[str, Any]:
    """One document."""
    return a_span(
        CHILD,
        parent=ROOT,
        openinference__span__kind="RETRIEVER",
        retrieval__documents__0__document__id="d1",
        retrieval__documents__0__document__content="It takes 30 days.",
    )


def batch(*spans: Any) -> dict[str, Any]:
    """A request's body."""
    resource = {"attributes": [{"key": "service.version", "value": {"stringValue": "2.4.1"}}]}
    return {"resourceSpans": [{"resource": resource, "scopeSpans": [{"spans": list(spans)}]}]}
