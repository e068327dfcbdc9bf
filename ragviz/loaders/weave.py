"""W&B Weave: calls, one a line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, BinaryIO

from ragviz.loaders.asked import unquoted
from ragviz.loaders.building import first_text, score_of, tags_of
from ragviz.loaders.cells import id_of, number, structure, text_of
from ragviz.loaders.companions import Part
from ragviz.loaders.fields import SYNONYMS, normal
from ragviz.loaders.format import Format, per_row
from ragviz.loaders.langsmith import documents_inside, nested_value
from ragviz.loaders.outline import Outline
from ragviz.loaders.passages import drafts_of
from ragviz.loaders.rows import Row
from ragviz.loaders.steps import Step, traces_of
from ragviz.loaders.times import moment
from ragviz.records import ImportedScore


def read(source: BinaryIO, filename: str) -> Iterator[Part]:
    """Calls grouped by trace."""
    steps: list[Step] = []

    def collect(row: Row) -> Iterator[Part]:
        steps.append(_step(row.value, row))
        yield from ()

    yield from per_row(source, filename, collect)
    yield from traces_of(_by_example(steps))


_EXAMPLE = "Evaluation.predict_and_score"


def _by_example(steps: list[Step]) -> list[Step]:
    """An evaluation is one trace to Weave; each of its examples is one here. What belongs to none of them (the evaluation, its summary) is left out."""
    parents = {step.id: step for step in steps}
    evaluated = {step.trace_id for step in steps if step.name == _EXAMPLE}
    kept = []
    for step in steps:
        top: Step | None = step
        for _ in range(len(parents)):
            if top is None or top.name == _EXAMPLE:
                break
            top = parents.get(top.parent or "")
        if step.trace_id not in evaluated:
            kept.append(step)
        elif top is not None and top.name == _EXAMPLE:
            kept.append(step)
            step.tags["evaluation"], step.trace_id = step.trace_id, top.id
    for step in kept:
        if step.name == _EXAMPLE:
            _describe_example(step)
    return kept


def _describe_example(step: Step) -> None:
    """The example asks, the model's output answers, the scorers' outputs are scores."""
    given, made = unquoted(step.input), unquoted(step.output)
    example = structure(given.get("example")) if isinstance(given, Mapping) else None
    if isinstance(example, Mapping):
        step.input = example
        step.reference = first_text(next((example[name] for name in example if normal(str(name)) in SYNONYMS["reference"]), None))
    if isinstance(made, Mapping):
        step.output = made.get("output", made.get("model_output"))
        step.fallback = documents_inside(step.output, text_too=True)
        for name, value in (made["scores"] if isinstance(made.get("scores"), Mapping) else {}).items():
            inner = value if isinstance(value, Mapping) else {"": value}
            step.scores += [score_of(".".join(filter(None, (str(name), str(part)))), one) for part, one in inner.items() if isinstance(one, (int, float, bool))]
        seconds = number(made.get("model_latency"))
        step.latency_ms = step.latency_ms if seconds is None else seconds * 1000
    step.parent = None


def _step(call: Mapping[str, Any], row: Row) -> Step:
    operation = text_of(call.get("op_name")).removeprefix("weave:///").rsplit("/op/", 1)[-1].split(":", 1)[0]
    output = nested_value(call, "output")
    finds = "retriev" in operation.lower() or "search" in operation.lower()
    summary = structure(call.get("summary"))
    summary = summary if isinstance(summary, Mapping) else {}
    own, usage = summary.get("weave"), summary.get("usage")
    model, counts = next(iter(usage.items()), (None, {})) if isinstance(usage, Mapping) else (None, {})
    counts = counts if isinstance(counts, Mapping) else {}
    documents = drafts_of(output) if finds else None
    step = Step(
        where=row.where, trace_id=text_of(call.get("trace_id", call.get("id"))), id=text_of(call.get("id")) or row.where, parent=id_of(call.get("parent_id")), name=operation,
        kind="retriever" if finds else "other", start=moment(call.get("started_at")), end=moment(call.get("ended_at")), input=nested_value(call, "inputs"), output=output,
        documents=documents, fallback=None if finds else documents_inside(output, text_too=True), model=text_of(model) or None,
        tokens_in=number(counts.get("prompt_tokens", counts.get("input_tokens"))), tokens_out=number(counts.get("completion_tokens", counts.get("output_tokens"))),
        latency_ms=number(own.get("latency_ms")) if isinstance(own, Mapping) else None, scores=_scores(summary), doubts=[],
        tags=tags_of({**(call["attributes"] if isinstance(call.get("attributes"), Mapping) else {}), "exception": call.get("exception"), "session": call.get("thread_id")}),
    )
    if any(d.text.startswith("weave:///") for d in documents or ()):
        step.doubts.append("passages are references (weave:///…), their texts are not in the file")
    return step


def _scores(summary: Mapping[str, Any]) -> list[ImportedScore]:
    """Scorer results in the summary or in its feedback."""
    own = summary.get("weave")
    given = own.get("feedback") if isinstance(own, Mapping) else None
    given = given if isinstance(given, list) else summary.get("feedback")
    found = []
    for one in given if isinstance(given, list) else ():
        payload = one.get("payload") if isinstance(one, Mapping) else None
        output = payload.get("output", payload.get("value")) if isinstance(payload, Mapping) else None
        name = text_of(one.get("feedback_type")).rsplit(".", 1)[-1] if isinstance(one, Mapping) else ""
        if isinstance(output, Mapping):
            found += [score_of(str(k), v) for k, v in output.items() if isinstance(v, (int, float, bool))]
        elif output is not None:
            found.append(score_of(name, output))
    return found


def matches(look: Outline) -> bool:
    """Calls with a weave:/// operation, or project_id, started_at and inputs."""
    return text_of(look.row.get("op_name")).startswith("weave:///") or {"project_id", "started_at", "op_name"} <= look.keys


LOADER = Format(
    name="weave",
    label="W&B Weave calls",
    order=24,
    matches=matches,
    read=read,
    suffixes=(".jsonl", ".json"),
    recognised_by="op_name that starts with weave:///",
)
