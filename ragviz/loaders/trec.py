"""TREC and BEIR: runs, relevance labels, questions, documents, scores."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, BinaryIO

from ragviz.loaders.building import assemble, score_of, warning
from ragviz.loaders.cells import id_of, number, text_of
from ragviz.loaders.companions import Companion, Needs, Part
from ragviz.loaders.fields import Record
from ragviz.loaders.format import Format
from ragviz.loaders.limits import HEAD_BYTES
from ragviz.loaders.outline import Outline, outline
from ragviz.loaders.passages import Draft, draft_of
from ragviz.loaders.rows import read_rows
from ragviz.loaders.utf8 import lines
from ragviz.records import ImportedScore, LoadIssue

_METRIC = re.compile(
    r"^(?:P|R|AP|RR|nDCG|NDCG|ndcg|map|MAP|MRR|mrr|recall|precision|success|Success|recip_rank|num_\w+|gm_\w+|bpref|Rprec|RPrec|iprec\w*|IPrec\w*|set_\w+|"
    r"infAP|ERR|RBP|Judged|runid|relstring|utility|11pt_avg|binG|G|hit|hit_rate)(?:[@_(.].*)?$"
)


def _fields(source: BinaryIO, filename: str) -> Iterator[tuple[str, list[str]] | LoadIssue]:
    """White-space separated fields of each line; any white space, CRLF, no last newline."""
    for n, line in lines(source):
        if line is None:
            yield LoadIssue(where=f"{filename}:{n}", message="a line that is far too long", fix="check that this is a TREC file")
        elif line.strip():
            yield f"{filename}:{n}", line.decode("utf-8", "replace").split()


def read_run(source: BinaryIO, filename: str) -> Iterator[Part]:
    """
    A run: one trace per question, ids without texts, in trec_eval's order.

    trec_eval ignores the rank column: it sorts by score, then by document id, both descending.
    """
    found: dict[str, list[tuple[float, str]]] = {}
    first: dict[str, str] = {}
    tag = ""
    for row in _fields(source, filename):
        if isinstance(row, LoadIssue):
            yield row
            continue
        where, fields = row
        score = number(fields[4]) if len(fields) > 4 else None
        if len(fields) < 5 or score is None:
            yield LoadIssue(where=where, message="not a line of a TREC run (question, Q0, document, rank, score, tag)", fix="six fields, the fifth a number")
            continue
        found.setdefault(fields[0], []).append((score, fields[2]))
        first.setdefault(fields[0], where)
        tag = fields[5] if len(fields) > 5 else tag
    for n, (question, documents) in enumerate(found.items()):
        ordered = sorted(documents, reverse=True)
        yield from assemble(
            first[question],
            n,
            id=question,
            drafts=[Draft(doc_id=name, score=score, missing=True) for score, name in ordered],
            group=question,
            passages_are="ids",
            tags={"run": tag} if tag else {},
        )
        if [name for _, name in ordered] != [name for _, name in documents]:
            yield warning(
                first[question],
                f"question {question}: the order of the file differs from that of its scores",
                "trec_eval's order was taken: score, then id, both descending",
            )
        if len({score for score, _ in documents}) < len(documents):
            yield warning(first[question], f"question {question}: equal scores", "ordered as trec_eval does, by document id descending")
    yield Needs(
        role="queries",
        issue=warning(
            filename, "a run has neither questions nor texts", "open it together with its questions and documents to see more than retrieval figures"
        ),
    )


def read_qrels(source: BinaryIO, filename: str) -> Iterator[Part]:
    """Relevance labels: question, iteration, document, grade; or BEIR's question, document, grade."""
    grades: dict[str, dict[str, int]] = {}
    rows = 0
    for row in _labels(source, filename):
        if isinstance(row, LoadIssue):
            yield row
            continue
        where, fields = row
        grade = number(fields[-1]) if len(fields) in (3, 4) else None
        if grade is None:
            if "query-id" not in fields and "query_id" not in fields:
                yield LoadIssue(
                    where=where, message="not a line of relevance labels (question, iteration, document, grade)", fix="four fields, the last a whole number"
                )
            continue
        rows += 1
        grades.setdefault(fields[0], {})[fields[-2]] = int(grade)
    yield Companion(role="qrels", rows=rows, where=filename, grades=grades, fix="open it together with the run")


def _labels(source: BinaryIO, filename: str) -> Iterator[tuple[str, list[str]] | LoadIssue]:
    """The fields of each label: of text by white space, of a table (BEIR as CSV or Parquet) by its columns."""
    start = source.tell()
    head = source.read(HEAD_BYTES)
    source.seek(start)
    if not _is_label_table(outline(head)):
        yield from _fields(source, filename)
        return
    for row in read_rows(source, filename=filename):
        if isinstance(row, LoadIssue):
            yield row
        else:
            record = Record(row.value)
            yield row.where, [text_of(record.take(name)) for name in ("query_id", "corpus_id", "score")]


def _is_label_table(look: Outline) -> bool:
    return {"query_id", "corpus_id", "score"} <= look.names


def read_scores(source: BinaryIO, filename: str) -> Iterator[Part]:
    """Output of trec_eval (metric, question, value) or ir_measures (question, metric, value)."""
    scores: dict[str, list[ImportedScore]] = {}
    rows = 0
    for row in _fields(source, filename):
        if isinstance(row, LoadIssue):
            yield row
        elif len(row[1]) == 3:
            first, second, value = row[1]
            metric, question = (first, second) if _METRIC.match(first) else (second, first)
            rows += 1
            scores.setdefault(question, []).append(score_of(metric, value))
    yield Companion(role="scores", rows=rows, where=filename, scores=scores, fix="open it together with the run")


def read_results(source: BinaryIO, filename: str) -> Iterator[Part]:
    """BEIR results: {question: {document: score}}, sorted by score."""
    for row in read_rows(source, filename=filename):
        if isinstance(row, LoadIssue):
            yield row
            continue
        for n, (question, documents) in enumerate(row.value.items()):
            if not isinstance(documents, Mapping):
                yield LoadIssue(
                    where=f"{filename}:{n + 1}", message=f"question {question}: documents with scores are expected", fix="{question: {document: score}}"
                )
                continue
            ordered = sorted(((number(score) or 0.0, str(name)) for name, score in documents.items()), reverse=True)
            yield from assemble(
                f"{filename}:{n + 1}",
                n,
                id=question,
                drafts=[Draft(doc_id=name, score=score, missing=True) for score, name in ordered],
                group=str(question),
                passages_are="ids",
            )
        yield Needs(
            role="queries", issue=warning(filename, "results have neither questions nor texts", "open them together with queries.jsonl and corpus.jsonl")
        )


def read_texts(source: BinaryIO, filename: str) -> Iterator[Part]:
    """BEIR corpus (with titles) or questions. Without titles it may be either: ids decide when files are joined."""
    documents: dict[str, Draft] = {}
    questions: dict[str, str] = {}
    titled = False
    for row in read_rows(source, filename=filename):
        if isinstance(row, LoadIssue):
            yield row
            continue
        name = id_of(row.value.get("_id"))
        if name is None:
            yield LoadIssue(where=row.where, message="no _id", fix="each line needs _id and text")
            continue
        titled = titled or "title" in row.value
        documents[name] = draft_of(row.value)
        documents[name].doc_id = name
        if "title" not in row.value:
            questions[name] = text_of(row.value.get("text"))
    role = "documents" if titled else "queries"
    yield Companion(role=role, rows=len(documents), where=filename, documents=documents, questions=questions, fix="open it together with results or a run")


def _columns(look: Outline) -> list[list[str]]:
    """The first lines as fields; [] when the widths differ or it is no such text."""
    if look.container not in ("text", "table") or (look.container == "table" and look.delimiter == ","):
        return []
    found = [line.split() for line in look.text.split("\n")[:60] if line.strip()]
    found = found[:-1] if len(found) > 1 and not look.text.endswith("\n") and len(found[-1]) != len(found[0]) else found
    return found if found and len({len(f) for f in found}) == 1 else []


def _is_run(look: Outline) -> bool:
    rows = _columns(look)
    return bool(rows) and len(rows[0]) in (5, 6) and all(number(f[4]) is not None and (f[1].upper() == "Q0" or f[3].lstrip("-").isdigit()) for f in rows)


def _is_qrels(look: Outline) -> bool:
    if _is_label_table(look):
        return True
    rows = _columns(look)
    if not rows or not all(re.fullmatch(r"-?\d+", f[-1]) for f in rows):
        return False
    return len(rows[0]) == 4 or (len(rows[0]) == 3 and not _is_scores(look))


def _is_scores(look: Outline) -> bool:
    rows = _columns(look)
    if not rows or len(rows[0]) != 3:
        return False
    return sum(bool(_METRIC.match(f[0]) or _METRIC.match(f[1])) for f in rows) >= len(rows) * 0.8


def _is_results(look: Outline) -> bool:
    parts: list[Any] = list(look.top.values())
    return bool(parts) and all(isinstance(p, dict) and all(number(v) is not None for v in p.values()) for p in parts) and any(parts)


FORMATS = (
    Format(name="trec", label="TREC run", order=53, answers=False, matches=_is_run, read=read_run, suffixes=(".trec", ".run", ".txt", ".tsv"),
           recognised_by="lines of six fields (question, Q0, document, rank, score, tag)"),
    Format(name="trec_qrels", label="TREC or BEIR relevance labels (beside a run)", order=54, companion=True, matches=_is_qrels, read=read_qrels, suffixes=(".trec", ".qrels", ".txt", ".tsv"),
           recognised_by="lines of four fields with a whole number last, or the heading query-id corpus-id score"),
    Format(name="trec_scores", label="trec_eval or ir_measures output (beside a run)", order=53, companion=True, matches=_is_scores, read=read_scores, suffixes=(".txt", ".tsv"),
           recognised_by="lines of metric, question and value"),
    Format(name="beir", label="BEIR results", order=50, answers=False, matches=_is_results, read=read_results, suffixes=(".json",), recognised_by="{question: {document: score}}"),
    Format(name="beir_texts", label="BEIR corpus or queries (beside results)", order=49, companion=True, read=read_texts, suffixes=(".jsonl",), recognised_by="rows with _id and text",
           matches=lambda look: {"_id", "text"} <= look.row.keys() and "label" not in look.row),
)
