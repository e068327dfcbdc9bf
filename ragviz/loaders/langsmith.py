"""LangSmith: runs (SDK traffic, list_runs, bulk export) and data set examples."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, BinaryIO

from ragviz.loaders.asked import answered, asked, unquoted
from ragviz.loaders.building import assemble, ids_of, score_of, tags_of
from ragviz.loaders.cells import id_of, is_null, listed, number, structure, text_of, words
from ragviz.loaders.companions import Companion, Part
from ragviz.loaders.format import Format, per_row
from ragviz.loaders.outline import Outline
from ragviz.loaders.passages import Draft, drafts_of
from ragviz.loaders.passages_inside import given_back
from ragviz.loaders.rows import Row, read_rows
from ragviz.loaders.steps import Step, traces_of
from ragviz.loaders.times import moment
from ragviz.records import ImportedScore, LoadIssue, Trace

DOCUMENT_KEYS = ("context", "contexts", "documents", "source_documents", "retrieved_documents", "passages", "retrieved_contexts", "chunks")


def documents_inside(value: Any, *, text_too: bool = False) -> list[Draft] | None:
    """
    Passages that an output carries beside the answer; None when it carries none. ``text_too``: one text is one passage, where nothing better was
    recorded.
    """
    value = unquoted(value)
    if isinstance(value, Mapping):
        for key in DOCUMENT_KEYS:
            if isinstance(value.get(key), list):
                return drafts_of(value[key])
        if text_too:
            return next((drafts_of(value[key]) for key in DOCUMENT_KEYS if isinstance(value.get(key), str) and value[key].strip()), None)
    return None


def read(source: BinaryIO, filename: str) -> Iterator[Part]:
    """Runs, flat or nested, grouped by trace."""
    steps: list[Step] = []

    def collect(row: Row) -> Iterator[Part]:
        steps.extend(_steps(row.value, row))
        yield from ()

    yield from per_row(source, filename, collect)
    _under_their_roots(steps)
    yield from traces_of(steps)


def _under_their_roots(steps: list[Step]) -> None:
    """Runs that were exported without the id of their trace (``list_runs(select=…)``) are of the trace of their topmost parent in the file."""
    by_id = {step.id: step for step in steps}
    for step in steps:
        seen, top = {step.id}, step
        while top.trace_id == top.id and top.parent in by_id and top.parent not in seen:
            top = by_id[top.parent]
            seen.add(top.id)
        step.trace_id = top.trace_id


def _steps(run: Mapping[str, Any], row: Row) -> Iterator[Step]:
    inputs, outputs = nested_value(run, "inputs"), nested_value(run, "outputs")
    extra = structure(run.get("extra"))
    meta = extra.get("metadata") if isinstance(extra, Mapping) and isinstance(extra.get("metadata"), Mapping) else {}
    assert isinstance(meta, Mapping)
    kind = text_of(run.get("run_type")).lower()
    finds = kind == "retriever"
    tokens = _tokens(run, meta, outputs) if kind == "llm" else (number(run.get("prompt_tokens")), number(run.get("completion_tokens")))
    labels = structure(run.get("tags"))
    session = run.get("session_name")
    yield Step(
        where=row.where, trace_id=text_of(run.get("trace_id") or _first_of(run.get("dotted_order")) or run.get("id")), id=text_of(run.get("id")) or row.where, parent=id_of(run.get("parent_run_id")), name=text_of(run.get("name")),
        kind=kind if kind in ("retriever", "llm", "tool") else "other", tool=_tool_result(outputs) if kind == "tool" else None, start=moment(run.get("start_time")), end=moment(run.get("end_time")), input=inputs, output=outputs,
        documents=drafts_of(outputs) if finds else None, fallback=None if finds else documents_inside(outputs, text_too=True) if not run.get("parent_run_id") else None,
        model=_model(extra, meta, outputs) if kind == "llm" else None, tokens_in=tokens[0], tokens_out=tokens[1], cost_usd=number(run.get("total_cost")), scores=_feedback(run), doubts=[],
        tags=tags_of({"session": session, "error": run.get("error"), "tags": ", ".join(map(text_of, labels)) if isinstance(labels, list) else None, "release": meta.get("release"),
                      "reference_example_id": run.get("reference_example_id")}),
    )
    for child in listed(run.get("child_runs")):
        if isinstance(child, Mapping):
            yield from _steps({"trace_id": run.get("trace_id", run.get("id")), "parent_run_id": run.get("id"), **child}, row)


def _tool_result(outputs: Any) -> list[Draft]:
    """What a tool's run gave back: ``{"output": …}``, whose content is the message to the model."""
    inner = outputs.get("output", outputs) if isinstance(outputs, Mapping) else outputs
    return given_back(inner["content"] if isinstance(inner, Mapping) and not is_null(inner.get("content")) else inner)


def _first_of(dotted_order: Any) -> str:
    """The id of the topmost run in ``20260301T100000000000Z<id>.20260301T…``; "" where there is none."""
    return text_of(dotted_order).split(".", 1)[0].partition("Z")[2]


def nested_value(run: Mapping[str, Any], name: str) -> Any:
    """An object, the JSON of one in a cell, or columns ``inputs.question`` and ``inputs_question``."""
    if name in run:
        return unquoted(run[name])
    singular = name.removesuffix("s")
    found = {}
    for key, value in run.items():
        for prefix in (f"{name}.", f"{name}_", f"{singular}_", f"{singular}."):
            if str(key).startswith(prefix):
                found[str(key)[len(prefix):]] = unquoted(value)
    return found or None


def _tokens(run: Mapping[str, Any], meta: Mapping[str, Any], outputs: Any) -> tuple[float | None, float | None]:
    llm_output = outputs.get("llm_output") if isinstance(outputs, Mapping) else None
    used = llm_output.get("token_usage") if isinstance(llm_output, Mapping) else None
    for place, before, after in (
        (run, "prompt_tokens", "completion_tokens"),
        (used, "prompt_tokens", "completion_tokens"),
        (meta.get("usage_metadata"), "input_tokens", "output_tokens"),
    ):
        if isinstance(place, Mapping) and number(place.get(before)) is not None:
            return number(place.get(before)), number(place.get(after))
    return None, None


def _model(extra: Any, meta: Mapping[str, Any], outputs: Any) -> str | None:
    called = extra.get("invocation_params") if isinstance(extra, Mapping) else None
    called = called if isinstance(called, Mapping) else {}
    return words(meta.get("ls_model_name")) or words(called.get("model")) or words(called.get("model_name")) or _said_model(outputs, 0)


def _said_model(value: Any, depth: int) -> str | None:
    """The model name inside the response metadata of the first generation."""
    if depth > 8:
        return None
    if isinstance(value, Mapping):
        if words(value.get("model_name")):
            return words(value["model_name"])
        return next(
            (
                found
                for k in ("generations", "message", "kwargs", "response_metadata", "llm_output")
                if k in value and (found := _said_model(value[k], depth + 1))
            ),
            None,
        )
    if isinstance(value, list) and value:
        return _said_model(value[0], depth + 1)
    return None


def _feedback(run: Mapping[str, Any]) -> list[ImportedScore]:
    stats = structure(run.get("feedback_stats"))
    if not isinstance(stats, Mapping):
        return []
    return [score_of(str(name), value.get("avg") if isinstance(value, Mapping) else value) for name, value in stats.items()]


def read_examples(source: BinaryIO, filename: str) -> Iterator[Part]:
    """A data set: questions and references, no answers."""
    yield from per_row(source, filename, _example)


def _example(row: Row) -> Iterator[Trace | LoadIssue]:
    meta = structure(row.value.get("metadata"))
    meta = dict(meta) if isinstance(meta, Mapping) else {}
    relevant = next((meta.pop(k) for k in ("relevant_doc_ids", "relevant_ids", "doc_ids") if k in meta), None)
    yield from assemble(
        row.where,
        row.n,
        id=row.value.get("id"),
        question=asked(nested_value(row.value, "inputs")),
        drafts=None,
        reference=answered(nested_value(row.value, "outputs")),
        relevant_ids=ids_of(relevant),
        tags=tags_of(meta),
    )


def read_feedback(source: BinaryIO, filename: str) -> Iterator[Part]:
    """Feedback rows: key, score and comment of a run."""
    scores: dict[str, list[ImportedScore]] = {}
    rows = 0
    for row in read_rows(source, filename=filename):
        if isinstance(row, LoadIssue):
            yield row
            continue
        rows += 1
        run = id_of(row.value.get("run_id"))
        if run is not None:
            value = row.value.get("score")
            scores.setdefault(run, []).append(score_of(
                text_of(row.value.get("key")), value if not is_null(value) else row.value.get("value"), reason=row.value.get("comment"),
            ))
    yield Companion(role="scores", rows=rows, where=filename, scores=scores, fix="open it together with the runs")


def matches(look: Outline) -> bool:
    """Runs: run_type with trace_id, dotted_order or session_name."""
    return "run_type" in look.keys and bool(look.keys & {"trace_id", "dotted_order", "session_name", "session_id", "child_runs"})


FORMATS = (
    Format(name="langsmith", label="LangSmith runs", order=19, matches=matches, read=read, suffixes=(".jsonl", ".json", ".csv", ".parquet"),
           recognised_by="run_type beside trace_id, dotted_order or session_name"),
    Format(name="langsmith_feedback", label="LangSmith feedback (beside runs)", order=20, companion=True, read=read_feedback, suffixes=(".jsonl", ".json", ".csv"),
           recognised_by="rows with run_id, key and score", matches=lambda look: {"run_id", "key", "score"} <= look.keys and "inputs" not in look.keys),
    Format(name="langsmith_dataset", label="LangSmith data set examples", order=20, read=read_examples, suffixes=(".jsonl", ".csv"), recognised_by="dataset_id with inputs and outputs",
           matches=lambda look: "dataset_id" in look.keys and any(k.startswith("input") for k in look.keys) and "run_type" not in look.keys),
)
