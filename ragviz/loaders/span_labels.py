"""RAGTruth, LettuceDetect and HaluBench: answers with hallucinated spans or a verdict on the whole."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, BinaryIO

from ragviz.loaders.building import assemble, first_text, score_of, tags_of, warning
from ragviz.loaders.cells import id_of, is_null, structure, text_of
from ragviz.loaders.claims_in import span_in, verdict_in
from ragviz.loaders.companions import Companion, Needs, Part
from ragviz.loaders.format import Format, per_row
from ragviz.loaders.jsontext import try_parse
from ragviz.loaders.outline import Outline
from ragviz.loaders.passages import Draft, drafts_of
from ragviz.loaders.rows import Row, read_rows
from ragviz.records import ImportedClaim, ImportedVerdict, LoadIssue, Side, Span, Table, Trace, Verdict

_PASSAGE = re.compile(r"(?:^|\n)passage \d+:", re.IGNORECASE)


def spans_as_claims(answer: str, labels: Any, doubts: list[str]) -> tuple[ImportedClaim, ...] | None:
    """Marked spans as claims that the passages do not support (or contradict); None when there are no labels to read."""
    labels = structure(labels)
    if not isinstance(labels, list):
        return None
    claims = []
    for one in labels:
        if not isinstance(one, Mapping):
            continue
        span, doubt = span_in(answer, one.get("start"), one.get("end"), one.get("text"))
        if doubt:
            doubts.append(doubt)
        text = span.of(answer).strip() if span is not None else text_of(one.get("text")).strip()
        if not text:
            continue
        label = text_of(one.get("label_type") or one.get("category") or one.get("label") or "hallucinated")
        claims.append(ImportedClaim(side=Side.RESPONSE, text=text, spans=() if span is None else (span,), verdicts=(_verdict(one, label),)))
    return tuple(claims)


def _verdict(one: Mapping[str, Any], label: str) -> ImportedVerdict:
    """Conflicts contradict; baseless information is merely unsupported; what is true though unsaid stays open."""
    lowered = label.lower()
    base = verdict_in(label, reason=one.get("meta") or one.get("subcategory"), confidence=one.get("confidence"))
    verdict = Verdict.CONTRADICTED if "conflict" in lowered or "contradict" in lowered else Verdict.NEUTRAL
    if one.get("implicit_true") is True:
        verdict = Verdict.UNJUDGED
    return ImportedVerdict(table=base.table, premise_id=base.premise_id, verdict=verdict, label=label, reason=base.reason, confidence=base.confidence)


def read_ragtruth(source: BinaryIO, filename: str) -> Iterator[Part]:
    """Answers with labelled spans; their questions and passages are in source_info.jsonl."""
    needy: list[LoadIssue] = []

    def one(row: Row) -> Iterator[Trace | LoadIssue]:
        value = row.value
        answer, doubts = text_of(value.get("response")), list[str]()
        if not needy:
            needy.append(warning(row.where, "questions and passages are in the other half, source_info.jsonl", "open both files together"))
        yield from assemble(
            row.where,
            row.n,
            id=value.get("id"),
            response=value.get("response"),
            drafts=None,
            claims=spans_as_claims(answer, value.get("labels"), doubts),
            model=first_text(value.get("model")),
            group=id_of(value.get("source_id")),
            tags=tags_of({k: value.get(k) for k in ("source_id", "quality", "split", "task_type", "temperature")}),
        )
        for doubt in doubts:
            yield warning(row.where, doubt, "check the offsets of the labels")

    yield from per_row(source, filename, one)
    for issue in needy:
        yield Needs(role="sources", issue=issue)


def read_sources(source: BinaryIO, filename: str) -> Iterator[Part]:
    """RAGTruth's source_info: question and passages (QA), a text (summary), or a record (data to text)."""
    questions: dict[str, str] = {}
    passages: dict[str, list[Draft]] = {}
    rows = 0
    for row in read_rows(source, filename=filename):
        if isinstance(row, LoadIssue):
            yield row
            continue
        name, given = id_of(row.value.get("source_id")), structure(row.value.get("source_info"))
        if name is None:
            yield LoadIssue(where=row.where, message="no source_id", fix="each line needs source_id and source_info")
            continue
        rows += 1
        if isinstance(given, Mapping) and "passages" in given:
            questions[name] = text_of(given.get("question"))
            text = text_of(given["passages"])
            parts = [part.strip() for part in _PASSAGE.split(text)] if _PASSAGE.search(text) else [text.strip()]
            passages[name] = [Draft(text=part) for part in parts if part]
        else:
            passages[name] = [Draft(text=text_of(given))]
    yield Companion(role="sources", rows=rows, where=filename, questions=questions, passages=passages, fix="open it together with response.jsonl")


def read_lettucedetect(source: BinaryIO, filename: str) -> Iterator[Part]:
    """Answers with predicted or labelled spans; a bare list of spans is refused."""
    start = source.tell()
    value = try_parse(source.read()) if b"".join(source.read(64).split()).startswith(b"[[") and source.seek(start) == start else None
    if isinstance(value, list) and all(isinstance(spans, list) for spans in value):
        yield Companion(
            role="refused", rows=len(value), where=filename, fix="store each list of spans beside its answer: {question, context, answer, predictions}"
        )
        return
    source.seek(start)
    yield from per_row(source, filename, _lettuce)


def _lettuce(row: Row) -> Iterator[Trace | LoadIssue]:
    value = row.value
    answer, doubts = text_of(value.get("answer", value.get("response"))), list[str]()
    given = structure(value.get("predictions", value.get("labels")))
    if isinstance(given, list) and given and isinstance(given[0], Mapping) and "token" in given[0]:
        doubts.append("predictions are tokens, not spans; they were not read")
        given = None
    context = value.get("context", value.get("contexts"))
    question = value.get("question")
    yield from assemble(
        row.where,
        row.n,
        id=value.get("id"),
        question=question if not is_null(question) else value.get("prompt"),
        response=value.get("answer", value.get("response")),
        drafts=drafts_of(context),
        claims=spans_as_claims(answer, given, doubts),
        tags=tags_of({k: value.get(k) for k in ("split", "task_type", "dataset", "language")}),
    )
    for doubt in doubts:
        yield warning(row.where, doubt, "ask the detector for output_format='spans'")


def read_halubench(source: BinaryIO, filename: str) -> Iterator[Part]:
    """One passage, one answer, PASS or FAIL for the whole answer."""
    yield from per_row(source, filename, _halubench)


def _halubench(row: Row) -> Iterator[Trace | LoadIssue]:
    value = row.value
    answer = first_text(value.get("answer")) or ""
    label = value.get("label", value.get("score"))
    passed = text_of(label).strip().upper() in ("PASS", "1")
    claims = None
    if not is_null(label) and answer.strip():
        said = ImportedVerdict(table=Table.RESPONSE_X_PASSAGES, premise_id="*", verdict=Verdict.ENTAILED if passed else Verdict.NEUTRAL, label=text_of(label))
        claims = (ImportedClaim(side=Side.RESPONSE, text=answer, spans=(Span(0, len(answer)),), verdicts=(said,)),)
    yield from assemble(
        row.where,
        row.n,
        id=value.get("id"),
        question=value.get("question"),
        response=value.get("answer") and answer,
        drafts=drafts_of(value.get("passage")),
        claims=claims,
        scores=() if is_null(label) else (score_of("HaluBench label", 1.0 if passed else 0.0, label=label),),
        tags=tags_of({"source_ds": value.get("source_ds")}),
    )


def _is_lettuce(look: Outline) -> bool:
    if isinstance(look.value, list) and look.value and all(isinstance(e, list) for e in look.value):
        spans = [span for e in look.value for span in e]
        return bool(spans) and all(isinstance(s, dict) and {"start", "end"} <= s.keys() for s in spans)
    row = look.row
    given = row.get("predictions")
    if "answer" in row and isinstance(given, list) and all(isinstance(s, dict) and ({"start", "end"} <= s.keys() or "token" in s) for s in given):
        return True
    return {"prompt", "answer", "labels", "task_type"} <= row.keys()


FORMATS = (
    Format(name="ragtruth", label="RAGTruth answers", order=34, read=read_ragtruth, suffixes=(".jsonl",), recognised_by="rows with source_id, response and labels",
           matches=lambda look: {"source_id", "response", "labels"} <= look.keys),
    Format(name="ragtruth_sources", label="RAGTruth sources (beside answers)", order=35, companion=True, read=read_sources, suffixes=(".jsonl",), recognised_by="rows with source_id and source_info",
           matches=lambda look: {"source_id", "source_info"} <= look.keys and "response" not in look.keys),
    Format(name="lettucedetect", label="LettuceDetect spans", order=37, companion=True, matches=_is_lettuce, read=read_lettucedetect, suffixes=(".jsonl", ".json"),
           recognised_by="answer with predictions that have start and end; or prompt, answer, labels and task_type"),
    Format(name="halubench", label="HaluBench", order=43, read=read_halubench, suffixes=(".parquet", ".jsonl", ".csv"), recognised_by="passage, question, answer, label and source_ds",
           matches=lambda look: {"passage", "question", "answer"} <= look.keys and bool(look.keys & {"label", "score"}) and "source_ds" in look.keys),
)
