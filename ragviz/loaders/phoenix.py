"""Phoenix: spans as a data frame or from its REST interface, annotations, retrieved documents, experiments and data sets."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, BinaryIO

from ragviz.loaders.asked import answered, asked, replied
from ragviz.loaders.attributes import describe
from ragviz.loaders.building import assemble, first_text, ids_of, score_of, tags_of, usage_of
from ragviz.loaders.cells import id_of, is_null, listed, number, structure, text_of
from ragviz.loaders.companions import Companion, Part
from ragviz.loaders.format import Format, per_row
from ragviz.loaders.otlp import span_id, step_of, taken, unknown_where_failed
from ragviz.loaders.outline import Outline
from ragviz.loaders.passages import Draft, drafts_of
from ragviz.loaders.rows import Row, read_rows
from ragviz.loaders.steps import Step, traces_of
from ragviz.loaders.times import moment
from ragviz.records import ImportedScore, LoadIssue, Trace


def read(source: BinaryIO, filename: str) -> Iterator[Part]:
    """Spans, one a row, grouped by trace."""
    steps: list[Step] = []

    def collect(row: Row) -> Iterator[Part]:
        yield from taken(row, steps, lambda s, row: step_of(s, row) if isinstance(s.get("context"), Mapping) or "attributes" in s else _frame_step(s, row))

    yield from per_row(source, filename, collect)
    yield from traces_of(steps)


def _frame_step(row: Mapping[str, Any], at: Row) -> Step:
    """A row of the data frame: columns ``attributes.…`` whose lists hold objects with dotted keys."""
    attributes = {str(k).removeprefix("attributes."): structure(v) for k, v in row.items() if str(k).startswith("attributes.") and not is_null(v)}
    step = Step(
        where=at.where, trace_id=span_id(row.get("context.trace_id")) or at.where, id=span_id(row.get("context.span_id")) or at.where,
        parent=None if is_null(row.get("parent_id")) else span_id(row.get("parent_id")), name=text_of(row.get("name")), start=moment(row.get("start_time")),
        end=moment(row.get("end_time")), tags={}, doubts=[], scores=[],
    )
    describe(step, attributes, kind=text_of(row.get("span_kind")))
    unknown_where_failed(step, row)
    return step


def matches(look: Outline) -> bool:
    """Columns context.span_id and attributes.*; or REST spans with span_kind and context."""
    if look.keys & {"context.span_id", "context.trace_id"} and any(k.startswith("attributes.") for k in look.keys):
        return True
    page = look.top.get("data")
    row = page[0] if isinstance(page, list) and page and isinstance(page[0], dict) else look.row
    context = row.get("context")
    return isinstance(context, dict) and "span_id" in context and "attributes" in row and not text_of(context.get("trace_id")).startswith("0x")


def read_annotations(source: BinaryIO, filename: str) -> Iterator[Part]:
    """Scores and labels of spans."""
    scores: dict[str, list[ImportedScore]] = {}
    rows = 0
    for row in read_rows(source, filename=filename):
        if isinstance(row, LoadIssue):
            yield row
            continue
        rows += 1
        name = span_id(row.value.get("span_id"))
        result = row.value.get("result") if isinstance(row.value.get("result"), Mapping) else {}
        assert isinstance(result, Mapping)
        if name is not None:
            scores.setdefault(name, []).append(score_of(
                text_of(row.value.get("annotation_name", row.value.get("name"))), row.value.get("result.score", result.get("score")),
                label=row.value.get("result.label", result.get("label")), reason=row.value.get("result.explanation", result.get("explanation")),
            ))
    yield Companion(role="scores", rows=rows, where=filename, scores=scores, fix="open it together with the spans")


def read_documents(source: BinaryIO, filename: str) -> Iterator[Part]:
    """One row per retrieved document."""
    passages: dict[str, list[Draft]] = {}
    questions: dict[str, str] = {}
    rows = 0
    for row in read_rows(source, filename=filename):
        if isinstance(row, LoadIssue):
            yield row
            continue
        rows += 1
        value = row.value
        trace = span_id(value.get("context.trace_id", value.get("trace_id"))) or ""
        questions.setdefault(trace, text_of(value.get("input.value", value.get("input"))))
        passages.setdefault(trace, []).append(Draft(
            text=text_of(value.get("reference", value.get("document"))), doc_id=id_of(value.get("document_id")), score=number(value.get("document_score")),
        ))
    yield Companion(
        role="passages", rows=rows, where=filename, passages=passages, questions=questions, fix="open it together with the spans, which hold the answers"
    )


def read_experiment(source: BinaryIO, filename: str) -> Iterator[Part]:
    """Experiment runs: input, output, reference and annotations of each example."""
    yield from per_row(source, filename, _experiment)


def _experiment(row: Row) -> Iterator[Trace | LoadIssue]:
    value = row.value
    output = structure(value.get("output"))
    scores = [
        score_of(text_of(a.get("name")), a.get("score"), label=a.get("label"), reason=a.get("explanation"))
        for a in listed(structure(value.get("annotations"))) if isinstance(a, Mapping)
    ]
    for column in value:
        if str(column).startswith("annotation_") and str(column).endswith("_score"):
            name = column.removeprefix("annotation_").removesuffix("_score")
            scores.append(score_of(name, value[column], label=value.get(f"annotation_{name}_label"), reason=value.get(f"annotation_{name}_explanation")))
    meta = structure(value.get("metadata"))
    found = output if isinstance(output, Mapping) else {}
    drafts = next((drafts_of(found[k]) for k in ("contexts", "context", "documents", "passages", "retrieved_contexts", "source_documents") if k in found), None)
    yield from assemble(
        row.where, row.n, id=value.get("example_id"), question=asked(value.get("input")), response=replied(output), drafts=drafts,
        reference=answered(value.get("reference_output")), scores=tuple(scores), started_at=moment(value.get("start_time")),
        usage=usage_of(latency_ms=value.get("latency_ms"), tokens_in=value.get("prompt_token_count"), tokens_out=value.get("completion_token_count")),
        relevant_ids=ids_of(meta.get("relevant_doc_ids")) if isinstance(meta, Mapping) else None,
        tags=tags_of({"error": value.get("error"), "repetition": value.get("repetition_number")}),
    )


def read_dataset(source: BinaryIO, filename: str) -> Iterator[Part]:
    """A data set: questions and references, no answers."""
    yield from per_row(source, filename, _example)


def _example(row: Row) -> Iterator[Trace | LoadIssue]:
    groups: dict[str, dict[str, Any]] = {"input": {}, "output": {}, "metadata": {}}
    for name, value in row.value.items():
        head, _, rest = str(name).partition(".")
        if head in groups and rest:
            groups[head][rest] = value
    relevant = next((groups["metadata"].pop(k) for k in ("relevant_doc_ids", "relevant_ids", "doc_ids") if k in groups["metadata"]), None)
    yield from assemble(
        row.where, row.n, id=row.value.get("id", row.value.get("example_id")), question=asked(groups["input"]), drafts=None,
        reference=first_text(answered(groups["output"])), relevant_ids=ids_of(relevant), tags=tags_of(groups["metadata"]),
    )


def _is_dataset(look: Outline) -> bool:
    if any(k.startswith(("retrieval.", "llm.", "attributes.", "context.")) for k in look.keys):
        return False  # a table of spans: its output is what was answered, not what was expected
    return look.is_table and any(k.startswith("input.") for k in look.keys) and any(k.startswith(("output.", "metadata.")) for k in look.keys)


FORMATS = (
    Format(name="phoenix", label="Phoenix spans (data frame or REST)", order=15, matches=matches, read=read, suffixes=(".csv", ".parquet", ".json", ".jsonl"),
           recognised_by="columns context.span_id and attributes.*, or objects with span_kind, context and attributes"),
    Format(name="phoenix_annotations", label="Phoenix span annotations (beside spans)", order=16, companion=True, read=read_annotations, suffixes=(".csv", ".json"),
           matches=lambda look: "annotation_name" in look.keys and "span_id" in look.keys, recognised_by="columns span_id and annotation_name"),
    Format(name="phoenix_documents", label="Phoenix retrieved documents (beside spans)", order=17, companion=True, read=read_documents, suffixes=(".csv", ".parquet"),
           matches=lambda look: {"context.span_id", "document_position"} <= look.keys, recognised_by="columns context.span_id and document_position"),
    Format(name="phoenix_experiment", label="Phoenix experiment", order=45, read=read_experiment, suffixes=(".json", ".csv"),
           matches=lambda look: {"example_id", "reference_output"} <= look.keys, recognised_by="example_id, reference_output and annotations"),
    Format(name="phoenix_dataset", label="Phoenix data set", order=52, read=read_dataset, suffixes=(".csv",), matches=_is_dataset,
           recognised_by="columns input.* with output.* or metadata.*"),
)
