"""Braintrust: spans of project logs and experiments, as the API, the exports and the UI give them with their ids."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, BinaryIO

from ragviz.loaders.asked import answered, unquoted
from ragviz.loaders.building import first_text, score_of, tags_of
from ragviz.loaders.cells import id_of, is_null, listed, number, structure, text_of, words
from ragviz.loaders.companions import Part
from ragviz.loaders.format import Format, per_row
from ragviz.loaders.langsmith import documents_inside
from ragviz.loaders.outline import Outline
from ragviz.loaders.passages import Draft, drafts_of
from ragviz.loaders.passages_inside import beside, given_back
from ragviz.loaders.rows import Row
from ragviz.loaders.steps import Step, traces_of
from ragviz.loaders.times import moment
from ragviz.records import ImportedScore, LoadIssue

_SAY = frozenset({"score", "scorer", "classifier", "facet", "automation", "preprocessor", "review"})
"""Types of spans that say something of the trace and are no part of it; a judge's own model call stands below such a one."""
_FINDS, _RANKS = ("retriev", "search", "vector", "knowledge"), "rerank"
"""Braintrust has no type for retrievers: the name of a function, tool or task tells."""


def read(source: BinaryIO, filename: str) -> Iterator[Part]:
    """Spans grouped by their root."""
    steps: list[Step] = []
    sayings: dict[str, str] = {}

    def collect(row: Row) -> Iterator[Part]:
        if is_null(row.value.get("span_id")) or is_null(row.value.get("root_span_id")):
            yield LoadIssue(where=row.where, message="a span needs span_id and root_span_id", fix="export the logs with all their columns")
            return
        step = _step(row.value, row)
        attributes = _object(row.value.get("span_attributes"))
        if text_of(attributes.get("type")).lower() in _SAY or attributes.get("purpose") == "scorer":
            sayings[step.id] = step.trace_id
        steps.append(step)

    yield from per_row(source, filename, collect)
    yield from traces_of(_without(steps, set(sayings)))


def _without(steps: list[Step], sayings: set[str]) -> Iterable[Step]:
    """The steps without scorers and all that lies below them; what they gave goes to the root, where it has no such score yet."""
    below: dict[str, list[str]] = {}
    for step in steps:
        below.setdefault(step.parent or "", []).append(step.id)
    gone, waiting = set(sayings), list(sayings)
    while waiting:
        fresh = [one for one in below.get(waiting.pop(), ()) if one not in gone]
        gone.update(fresh)
        waiting += fresh
    kept = [step for step in steps if step.id not in gone]
    roots: dict[str, Step] = {}
    for step in kept:
        if step.trace_id not in roots or (step.parent is None and roots[step.trace_id].parent is not None):
            roots[step.trace_id] = step
    for step in steps:
        root = roots.get(step.trace_id)
        if step.id in gone and root is not None:
            known = {score.name for score in root.scores}
            root.scores = [*root.scores, *(score for score in step.scores if score.name not in known)]
    return kept


def _step(value: Mapping[str, Any], row: Row) -> Step:
    attributes, metrics, meta = (_object(value.get(name)) for name in ("span_attributes", "metrics", "metadata"))
    kind, name = text_of(attributes.get("type")).lower(), text_of(attributes.get("name") or value.get("name"))
    parents = [id_of(one) for one in listed(structure(value.get("span_parents")))]
    parent = next((one for one in reversed(parents) if one is not None), None)
    output = structure(value.get("output"))
    role = _role(kind, name, meta, is_root=parent is None)
    found = _found(output) if role in ("retriever", "reranker") else None
    return Step(
        where=row.where, trace_id=text_of(value["root_span_id"]), id=text_of(value["span_id"]), parent=parent, name=name,
        kind=role if found is not None else "llm" if kind == "llm" else "tool" if kind == "tool" and role == "other" else "other",
        start=moment(metrics.get("start")) or moment(value.get("created")), end=moment(metrics.get("end")), input=structure(value.get("input")), output=output, documents=found,
        fallback=None if role != "other" else beside(output, meta) or documents_inside(output, text_too=True), tool=_given(output) if kind == "tool" else None,
        model=words(meta.get("model")) if kind == "llm" else None, tokens_in=number(metrics.get("prompt_tokens")), tokens_out=number(metrics.get("completion_tokens")),
        cost_usd=number(metrics.get("estimated_cost")), scores=_scores(value.get("scores")), doubts=[], tags=_tags(value, name, meta) if parent is None else {},
        reference=None if is_null(value.get("expected")) else answered(value["expected"]) or first_text(value["expected"]),
    )


def _role(kind: str, name: str, meta: Mapping[str, Any], *, is_root: bool) -> str:
    """retriever, reranker or other, by what OpenInference's instrumentation says or by the name."""
    told, called = text_of(meta.get("openinference.span.kind")).lower(), name.lower()
    if told in ("retriever", "reranker"):
        return told
    if is_root or kind not in ("", "function", "tool", "task"):
        return "other"
    return "reranker" if _RANKS in called else "retriever" if any(word in called for word in _FINDS) else "other"


def _found(output: Any) -> list[Draft] | None:
    """The passages of a step that finds some; None where it gave nothing, or something else."""
    value = unquoted(output)
    inside = documents_inside(value)
    if inside is not None:
        return inside
    return drafts_of(value) if isinstance(value, list | Mapping) or (isinstance(value, str) and value.strip()) else None


def _given(output: Any) -> list[Draft]:
    inner = output.get("output", output) if isinstance(output, Mapping) else output
    return given_back(inner["content"] if isinstance(inner, Mapping) and not is_null(inner.get("content")) else inner)


def _scores(given: Any) -> list[ImportedScore]:
    """By name; a score without a value was not given."""
    return [score_of(str(name), value) for name, value in _object(given).items() if not is_null(value)]


def _tags(value: Mapping[str, Any], name: str, meta: Mapping[str, Any]) -> dict[str, str]:
    labels = structure(value.get("tags"))
    plain = {key: one for key, one in meta.items() if isinstance(one, str | int | float | bool)}
    return tags_of({**plain, "name": name or None, "error": value.get("error"), "tags": ", ".join(map(text_of, labels)) if isinstance(labels, list) else None})


def _object(value: Any) -> Mapping[str, Any]:
    found = structure(value)
    return found if isinstance(found, Mapping) else {}


def matches(look: Outline) -> bool:
    """Spans with their root, and one of Braintrust's own names."""
    return {"span_id", "root_span_id"} <= look.keys and bool(look.keys & {"span_attributes", "span_parents", "_xact_id", "is_root"})


LOADER = Format(
    name="braintrust", label="Braintrust logs and experiments", order=27, matches=matches, read=read, suffixes=(".jsonl", ".json", ".csv", ".parquet"),
    recognised_by="span_id and root_span_id beside span_attributes or span_parents",
)
