"""LangChain, LlamaIndex and Haystack: what people dump of the results of their own chains."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, BinaryIO

from ragviz.loaders.asked import answered, asked, replied
from ragviz.loaders.building import assemble, first_text, score_of, tags_of, usage_of
from ragviz.loaders.cells import structure, text_of, whole, words
from ragviz.loaders.companions import Companion, Part
from ragviz.loaders.format import Format, guarded, per_row
from ragviz.loaders.outline import Outline
from ragviz.loaders.passages import Draft, drafts_of, numbered
from ragviz.loaders.records_in import trace_of_row
from ragviz.loaders.rows import Row, read_rows
from ragviz.records import ImportedScore, LoadIssue, Trace


def read_langchain(source: BinaryIO, filename: str) -> Iterator[Part]:
    """{input, context, answer}, {query, result, source_documents} and the like."""
    yield from per_row(source, filename, trace_of_row)


def _is_langchain(look: Outline) -> bool:
    for name in ("context", "source_documents", "documents"):
        documents = look.row.get(name)
        first = documents[0] if isinstance(documents, list) and documents else None
        if isinstance(first, str) and first.startswith(("page_content=", "Document(page_content=")):
            return True
        if isinstance(first, dict) and ("page_content" in first or ("lc" in first and isinstance(first.get("kwargs"), dict))):
            return True
    return False


def read_llamaindex(source: BinaryIO, filename: str) -> Iterator[Part]:
    """Responses, bare nodes, a RAG data set, predictions, evaluation results."""
    rows: list[Row] = []
    predictions: list[Mapping[str, Any]] = []
    for row in read_rows(source, filename=filename):
        if isinstance(row, LoadIssue):
            yield row
            continue
        value = row.value
        if isinstance(value.get("examples"), list):
            for n, example in enumerate(value["examples"]):
                yield from guarded(Row(f"{filename}:{n + 1}", n, example), trace_of_row)
        elif isinstance(value.get("predictions"), list):
            predictions += [p for p in value["predictions"] if isinstance(p, Mapping)]
        elif _is_evaluation(value):
            yield from _evaluation(value, filename)
        elif "node" in value:
            rows.append(row)
        elif set(value) <= {"response", "contexts", "error"} and "source_nodes" not in value:
            predictions.append(value)
        else:
            yield from guarded(row, _response)
    if rows:
        yield from assemble(rows[0].where, 0, drafts=drafts_of([row.value for row in rows]))
    if predictions:
        yield _predictions(predictions, filename)


def _response(row: Row) -> Iterator[Trace | LoadIssue]:
    value = row.value
    yield from assemble(
        row.where,
        row.n,
        id=value.get("id"),
        question=asked(value.get("query", value.get("question"))),
        response=replied(value.get("response", value.get("answer"))),
        drafts=drafts_of(value.get("source_nodes")),
        reference=first_text(value.get("reference", value.get("reference_answer"))),
    )


def _predictions(given: list[Mapping[str, Any]], filename: str) -> Companion:
    """Answers without questions: they belong to the data set by position."""
    fields: list[Mapping[str, Any]] = [{"response": text_of(p.get("response")), "drafts": drafts_of(p.get("contexts"))} for p in given]
    alone = [
        Trace(
            id=f"row-{n + 1}",
            question="",
            response=one["response"],
            passages=None if one["drafts"] is None else numbered(one["drafts"])[0],
            origin=f"{filename}:{n + 1}",
        )
        for n, one in enumerate(fields)
    ]
    return Companion(role="answers", rows=len(given), where=filename, fields=fields, alone=alone, fix="open it together with rag_dataset.json, row for row")


_EVALUATED = frozenset({"contexts", "passing", "score", "feedback"})
"""What an EvaluationResult has beside the query and the response: other records have these two names as well."""


def _is_evaluation(value: Mapping[str, Any]) -> bool:
    return bool(value) and all(
        isinstance(v, list)
        and v
        and isinstance(v[0], Mapping)
        and {"query", "response"} <= v[0].keys()
        and v[0].keys() & _EVALUATED
        and "source_nodes" not in v[0]
        for v in value.values()
    )


def _evaluation(value: Mapping[str, Any], filename: str) -> Iterator[Trace | LoadIssue]:
    """{metric: [{query, response, contexts, passing, score, feedback}]}: the same answers under each metric."""
    results: dict[tuple[str, str], tuple[Mapping[str, Any], list[ImportedScore]]] = {}
    for metric, rows in value.items():
        for one in rows:
            key = (text_of(one.get("query")), text_of(one.get("response")))
            _, scores = results.setdefault(key, (one, []))
            passing = one.get("passing")
            scores.append(
                score_of(
                    str(metric),
                    one.get("score"),
                    label=None if passing is None else "pass" if passing else "fail",
                    reason=one.get("feedback") or one.get("invalid_reason"),
                )
            )
    for n, ((question, _), (one, scores)) in enumerate(results.items()):
        yield from assemble(
            f"{filename}:{n + 1}", n, question=question, response=one.get("response"), drafts=drafts_of(one.get("contexts")), scores=tuple(scores)
        )


def _is_llamaindex(look: Outline) -> bool:
    top, row = look.top, look.row
    for name, wanted in (("examples", {"query", "reference_answer"}), ("predictions", {"response", "contexts"})):
        inner = top.get(name)
        if isinstance(inner, list) and inner and isinstance(inner[0], dict) and wanted <= inner[0].keys():
            return True
    if "source_nodes" in row or (isinstance(row.get("node"), dict) and "score" in row):
        return True
    return (look.container == "json" and _is_evaluation(top)) or look.keys in ({"response", "contexts"}, {"response", "contexts", "error"})


def read_haystack(source: BinaryIO, filename: str) -> Iterator[Part]:
    """Pipeline results, generated answers, detailed evaluation reports."""
    for row in read_rows(source, filename=filename):
        if isinstance(row, LoadIssue):
            yield row
            continue
        yield from guarded(row, _reader_of(row.value))


def _reader_of(value: Mapping[str, Any]) -> Callable[[Row], Iterator[Trace | LoadIssue]]:
    """How one record is read: an answer, a row of a report, an old result, or components."""
    if "data" in value or "init_parameters" in value:
        return _generated
    if "questions" in value:
        return trace_of_row
    return _flat_result if isinstance(value.get("answers"), list) else _pipeline


def _flat_result(row: Row) -> Iterator[Trace | LoadIssue]:
    """Results of 1.x: {query, answers, documents} without components."""
    value = row.value
    first = value["answers"][0] if value["answers"] and isinstance(value["answers"][0], Mapping) else {}
    top = _parameters(first)
    drafts, cited = _documents(top.get("documents"))
    meta = top.get("meta")
    yield from _assembled(
        row, value.get("query", top.get("query")), top.get("data", top.get("answer")), drafts=drafts_of(value["documents"]) if "documents" in value else drafts,
        meta=meta if isinstance(meta, Mapping) else {}, cited=None if "documents" in value else cited,
    )


def _pipeline(row: Row) -> Iterator[Trace | LoadIssue]:
    """{component: {documents | replies | answers}}."""
    parts = {str(name): part for name, part in row.value.items() if isinstance(part, Mapping)}
    answers: list[Any] = next((p["answers"] for p in parts.values() if isinstance(p.get("answers"), list) and p["answers"]), [])
    top = _parameters(answers[0]) if answers and isinstance(answers[0], Mapping) else {}
    replier = next((p for p in parts.values() if isinstance(p.get("replies"), list)), {})
    finders = sorted((n for n, p in parts.items() if isinstance(p.get("documents"), list)), key=lambda n: ("rank" not in n.lower(), "retriev" not in n.lower()))
    drafts = drafts_of(parts[finders[0]]["documents"]) if finders else None
    cited = None
    if drafts is None and "documents" in top:
        drafts, cited = _documents(top["documents"])
    replies = [message.get("_meta", message.get("meta")) for message in replier.get("replies", ()) if isinstance(message, Mapping)]
    meta = next((m[0] for m in (replier.get("meta"), [top.get("meta")], replies) if isinstance(m, list) and m and isinstance(m[0], Mapping)), {})
    question = top.get("query") or next((asked(p[k]) for p in parts.values() for k in ("query", "question", "text") if isinstance(p.get(k), str)), None)
    yield from _assembled(row, question, top.get("data") or answered(replier.get("replies")), drafts=drafts, meta=meta, cited=cited)


def _generated(row: Row) -> Iterator[Trace | LoadIssue]:
    value = _parameters(row.value)
    drafts, cited = _documents(value.get("documents"))
    meta = value.get("meta")
    yield from _assembled(row, value.get("query"), value.get("data"), drafts=drafts, meta=meta if isinstance(meta, Mapping) else {}, cited=cited)


def _assembled(
    row: Row, question: Any, response: Any, *, drafts: list[Draft] | None, meta: Mapping[str, Any], cited: str | None
) -> Iterator[Trace | LoadIssue]:
    usage = meta.get("usage")
    usage = usage if isinstance(usage, Mapping) else {}
    yield from assemble(
        row.where,
        row.n,
        question=question,
        response=replied(response),
        drafts=drafts,
        model=words(meta.get("model")),
        passages_are=cited,
        usage=usage_of(tokens_in=usage.get("prompt_tokens"), tokens_out=usage.get("completion_tokens")),
        tags=tags_of({"finish_reason": meta.get("finish_reason")}),
    )


def _parameters(value: Mapping[str, Any]) -> Mapping[str, Any]:
    """Files of 1.x and early 2.x wrap everything: {type, init_parameters}."""
    inner = value.get("init_parameters")
    return inner if isinstance(inner, Mapping) else value


def _documents(given: Any) -> tuple[list[Draft] | None, str | None]:
    """Documents of an answer. With a reference pattern only the cited ones are left, under their old rank."""
    given = structure(given)
    if not isinstance(given, list):
        return None, None
    objects = [_parameters(d) for d in given if isinstance(d, Mapping)]
    drafts = drafts_of(objects) or []
    marked = [d.metadata.get("source_index") for d in drafts]
    if not drafts or not any(marked):
        return drafts, None
    for draft, index in zip(drafts, marked, strict=True):
        draft.rank = whole(index)
    return drafts, "cited" if all(d.metadata.get("referenced") == "true" for d in drafts) else None


def _is_haystack(look: Outline) -> bool:
    row = _parameters(look.row)
    if {"data", "query", "documents"} <= row.keys():
        return True
    if {"predicted_answers", "questions"} <= look.keys or ("questions" in look.keys and any(k.startswith("individual") for k in look.keys)):
        return True
    answers = look.row.get("answers")
    if isinstance(answers, list) and "query" in look.row and (not answers or isinstance(answers[0], dict)):
        return True
    parts = [p for p in look.row.values() if isinstance(p, dict)]
    return len(parts) == len(look.row) > 0 and any(isinstance(p.get(k), list) for p in parts for k in ("answers", "replies")) and "context" not in look.row


FORMATS = (
    Format(name="llamaindex", label="LlamaIndex responses, data sets and evaluations", order=38, companion=True, matches=_is_llamaindex, read=read_llamaindex, suffixes=(".jsonl", ".json", ".csv"),
           recognised_by="source_nodes; examples with query and reference_answer; predictions with response and contexts; {metric: [{query, response}]}"),
    Format(name="langchain", label="LangChain chain results", order=39, matches=_is_langchain, read=read_langchain, suffixes=(".jsonl", ".json"),
           recognised_by="context or source_documents whose entries have page_content"),
    Format(name="haystack", label="Haystack pipeline results and reports", order=40, matches=_is_haystack, read=read_haystack, suffixes=(".jsonl", ".json", ".csv"),
           recognised_by="components with answers, replies or documents; data, query and documents; questions with predicted_answers"),
)
