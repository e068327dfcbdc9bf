"""Opik: one JSON or CSV file per trace, as ``opik export`` writes them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, BinaryIO

from ragviz.loaders.building import score_of, tags_of
from ragviz.loaders.cells import id_of, is_null, listed, number, structure, text_of, words
from ragviz.loaders.companions import Part
from ragviz.loaders.format import Format, per_row
from ragviz.loaders.langsmith import documents_inside
from ragviz.loaders.outline import Outline
from ragviz.loaders.passages import drafts_of
from ragviz.loaders.passages_inside import given_back
from ragviz.loaders.rows import Row, left_out
from ragviz.loaders.steps import Step, trace_of_steps, traces_of
from ragviz.loaders.times import moment


def read(source: BinaryIO, filename: str) -> Iterator[Part]:
    """Traces with their spans."""
    steps: list[Step] = []

    def one(row: Row) -> Iterator[Part]:
        if isinstance(row.value.get("trace"), Mapping):
            top = _step(row.value["trace"], row, top=True)
            spans = [_step(s, row) for s in listed(row.value.get("spans")) if isinstance(s, Mapping)]
            yield from trace_of_steps(_linked(top, spans), row.n)
            yield from left_out(row.where, "spans", row.value.get("spans"))
        else:  # the CSV writer repeats the trace on each row of a span
            top = _step(_unflattened(row.value, "trace_"), row, top=True)
            steps.extend(_linked(top, [_step({**_unflattened(row.value, "span_"), "trace_id": top.trace_id}, row)]))

    yield from per_row(source, filename, one)
    yield from traces_of(steps)


def _linked(top: Step, spans: list[Step]) -> list[Step]:
    for span in spans:
        span.parent, span.trace_id = span.parent or top.id, top.trace_id
    return [top, *spans]


def _step(value: Mapping[str, Any], row: Row, *, top: bool = False) -> Step:
    output = structure(value.get("output"))
    kind = text_of(value.get("type")).lower()
    found = documents_inside(output)
    if found is None and not top and kind != "llm" and "retriev" in text_of(value.get("name")).lower():
        found = drafts_of(output.get("output") if isinstance(output, Mapping) else output)
    usage = structure(value.get("usage"))
    usage = usage if isinstance(usage, Mapping) else {}
    scores = structure(value.get("feedback_scores"))
    labels, meta = structure(value.get("tags")), structure(value.get("metadata"))
    return Step(
        where=row.where, trace_id=text_of(value.get("id") if top else value.get("trace_id")), id=text_of(value.get("id")) or row.where, parent=id_of(value.get("parent_span_id")),
        name=text_of(value.get("name")), kind=kind if kind == "llm" or (kind == "tool" and found is None) else "retriever" if found is not None and not top else "other", start=moment(value.get("start_time")),
        end=moment(value.get("end_time")), input=value.get("input"), output=output, documents=found if not top else None, tool=given_back(output.get("output", output) if isinstance(output, Mapping) else output) if kind == "tool" and found is None else None,
        fallback=documents_inside(output, text_too=True) if found is None or top else None,
        model=words(value.get("model")), tokens_in=number(usage.get("prompt_tokens")), tokens_out=number(usage.get("completion_tokens")),
        cost_usd=number(value.get("total_estimated_cost")), latency_ms=number(value.get("duration")) if top else None, doubts=[],
        scores=[score_of(text_of(s.get("name")), s.get("value"), label=s.get("category_name"), reason=s.get("reason")) for s in listed(scores) if isinstance(s, Mapping)],
        tags=tags_of({**(meta if isinstance(meta, Mapping) else {}), "session": value.get("thread_id"), "tags": ", ".join(map(text_of, labels)) if isinstance(labels, list) else None}) if top else {},
    )


def _unflattened(row: Mapping[str, Any], prefix: str) -> dict[str, Any]:
    """Columns ``trace_input_question`` and so on, as the objects they were."""
    found: dict[str, Any] = {}
    for column, cell in row.items():
        if not str(column).startswith(prefix) or is_null(cell):
            continue
        name = str(column)[len(prefix):]
        for group in ("input", "output", "metadata", "usage"):
            if name.startswith(f"{group}_"):
                found.setdefault(group, {})[name[len(group) + 1:]] = structure(cell)
                break
        else:
            found[name] = cell
    return found


def matches(look: Outline) -> bool:
    """{trace, spans, downloaded_at | project_name}; or columns trace_* and span_*."""
    if {"trace", "spans"} <= look.row.keys() and bool(look.row.keys() & {"downloaded_at", "project_name"}):
        return True
    return {"trace_id", "span_id"} <= look.keys and any(k.startswith(("trace_input", "trace_output")) for k in look.keys)


LOADER = Format(
    name="opik", label="Opik export", order=21, matches=matches, read=read, suffixes=(".json", ".csv"),
    recognised_by="{trace, spans} with downloaded_at or project_name; or columns trace_input_* and span_id",
)
