"""promptfoo results: JSON, JSON Lines, CSV."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, BinaryIO

from ragviz.loaders.asked import answered, asked
from ragviz.loaders.building import assemble, first_text, score_of, tags_of, usage_of, with_ids
from ragviz.loaders.cells import is_null, structure, text_of, words
from ragviz.loaders.companions import Part
from ragviz.loaders.fields import SYNONYMS, normal
from ragviz.loaders.format import Format, guarded
from ragviz.loaders.outline import Outline
from ragviz.loaders.passages import Draft, drafts_of
from ragviz.loaders.passages_inside import beside
from ragviz.loaders.rows import Row, read_rows
from ragviz.records import ImportedScore, LoadIssue, Trace

_REFERENCE = ("ideal", "reference", "reference_answer", "expected", "expected_output", "expected_answer", "ground_truth", "gold")
_DOCUMENTS = ("retrieved", "contexts", "context", "documents", "passages", "sources", "chunks", "retrieved_contexts")
_AFTER = frozenset({"description", "status", "score", "named_scores", "grader_reason", "comment", "pass", "pass/fail"})


def read(source: BinaryIO, filename: str) -> Iterator[Part]:
    """One trace per test, provider and prompt."""
    for row in read_rows(source, filename=filename):
        if isinstance(row, LoadIssue):
            yield row
            continue
        results = row.value.get("results")
        if isinstance(results, Mapping):
            results = results.get("results")
        if isinstance(results, list):
            for n, result in enumerate(results):
                yield from guarded(Row(f"{filename}:{n + 1}", n, result), _result)
        elif any(_is_output(str(k)) for k in row.value):
            yield from guarded(row, _csv)
        else:
            yield from guarded(row, _result)


def _result(row: Row) -> Iterator[Trace | LoadIssue]:
    value = row.value
    test = _object(value.get("testCase"))
    given = _object(value.get("vars")) or _object(test.get("vars"))
    reply = _object(value.get("response"))
    meta = {**_object(test.get("metadata")), **_object(reply.get("metadata")), **_object(value.get("metadata"))}
    grading = _object(value.get("gradingResult"))
    tokens = _object(reply.get("tokenUsage")) or _object(value.get("tokenUsage"))
    provider = value.get("provider")
    output = reply.get("output")
    found = _passages(meta, given)
    drafts, _ = with_ids(beside(output) if found is None else found, next((v for k, v in meta.items() if normal(str(k)) in SYNONYMS["passage_ids"]), None))
    yield from assemble(
        row.where,
        row.n,
        id=value.get("id") or f"{value.get('testIdx', row.n)}-{value.get('promptIdx', 0)}",
        question=_question(given),
        response=answered(output) or output if isinstance(output, Mapping) else output,
        drafts=drafts,
        reference=first_text(next((given[k] for k in given if normal(str(k)) in _REFERENCE), None)),
        scores=tuple(_scores(value, grading)),
        usage=usage_of(
            latency_ms=value.get("latencyMs"),
            cost_usd=value.get("cost", reply.get("cost")),
            tokens_in=tokens.get("prompt"),
            tokens_out=tokens.get("completion"),
        ),
        model=words(provider.get("id") if isinstance(provider, Mapping) else provider),
        group=words(test.get("description")),
        tags=tags_of({"description": test.get("description"), "error": value.get("error") if value.get("failureReason") == 2 else None}),
    )


def _scores(value: Mapping[str, Any], grading: Mapping[str, Any]) -> Iterator[ImportedScore]:
    for name, number in (_object(value.get("namedScores")) or _object(grading.get("namedScores"))).items():
        yield score_of(str(name), number)
    yield score_of("promptfoo score", value.get("score"), reason=grading.get("reason"))
    if isinstance(value.get("success"), bool):
        yield score_of("promptfoo pass", value["success"], label="pass" if value["success"] else "fail")


def _passages(meta: Mapping[str, Any], given: Mapping[str, Any]) -> list[Draft] | None:
    """A list in the provider's metadata; else the context variable, cut at blank lines."""
    for key, value in meta.items():
        if normal(str(key)) in _DOCUMENTS and isinstance(structure(value), list):
            return drafts_of(value)
    for key, value in given.items():
        if normal(str(key)) in _DOCUMENTS:
            parsed = structure(value)
            if isinstance(parsed, list):
                return drafts_of(parsed)
            return [Draft(text=part.strip()) for part in re.split(r"\n\s*\n", text_of(value)) if part.strip()]
    return None


def _question(given: Mapping[str, Any]) -> str | None:
    named = {normal(str(k)): v for k, v in given.items()}
    found = next((named[k] for k in SYNONYMS["question"] if not is_null(named.get(k))), None)
    if found is not None:
        return asked(found)
    texts = [v for k, v in named.items() if isinstance(v, str) and k not in _DOCUMENTS and k not in _REFERENCE]
    return texts[0] if texts else None


def _csv(row: Row) -> Iterator[Trace | LoadIssue]:
    """Variables, then one column per provider and prompt, then its grading."""
    outputs = [k for k in row.value if _is_output(str(k))]
    given: dict[str, Any] = {}
    for column, cell in row.value.items():
        if column in outputs:
            break
        if normal(str(column)) != "description":
            given[str(column)] = cell if cell is not None else ""
    named = {normal(str(k)): v for k, v in row.value.items()}
    scores = [score_of(k.removeprefix("metric:").strip("_ "), v) for k, v in named.items() if k.startswith("metric:")]
    scores.append(score_of("promptfoo score", named.get("score"), label=named.get("status"), reason=named.get("grader_reason")))
    for n, column in enumerate(outputs):
        yield from assemble(
            row.where,
            row.n * len(outputs) + n,
            id=named.get("description") if len(outputs) == 1 else None,
            question=_question(given),
            response=row.value[column],
            drafts=_passages({}, given),
            reference=first_text(next((v for k, v in given.items() if normal(k) in _REFERENCE), None)),
            scores=tuple(scores) if n == 0 else (),
            model=column[1 : column.index("]")],
            group=words(named.get("description")),
            tags=tags_of({"description": named.get("description")}),
        )


def _is_output(heading: str) -> bool:
    """Headings like ``[provider] prompt text``."""
    return heading.startswith("[") and "]" in heading


def _object(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def matches(look: Outline) -> bool:
    """An eval file, its lines, or its CSV."""
    top = look.top
    results = top.get("results")
    if ("evalId" in top or "version" in top) and isinstance(results, dict) and "results" in results:
        return True
    if (
        "version" in top
        and isinstance(results, list)
        and bool(results)
        and isinstance(results[0], dict)
        and bool(results[0].keys() & {"promptIdx", "gradingResult", "vars"})
    ):
        return True
    if {"promptIdx", "gradingResult"} <= look.row.keys() or {"promptIdx", "testIdx"} <= look.row.keys():
        return True
    return any(_is_output(k) for k in look.keys) and bool(look.names & {"status", "score", "named_scores", "grader_reason"})


LOADER = Format(
    name="promptfoo", label="promptfoo results", order=26, matches=matches, read=read, suffixes=(".json", ".jsonl", ".csv"),
    recognised_by="evalId with results.results; lines with promptIdx and gradingResult; or a column headed [provider] prompt beside Status and Score",
)
