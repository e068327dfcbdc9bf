"""AutoRAG: question files, the corpus, the best output of a node; and files that hold averages only."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, BinaryIO

from ragviz.loaders.building import warning
from ragviz.loaders.cells import id_of, is_null, number, structure, text_of
from ragviz.loaders.companions import Companion, Part
from ragviz.loaders.fields import has_synonym
from ragviz.loaders.format import Format, per_row
from ragviz.loaders.outline import Outline
from ragviz.loaders.passages import Draft, draft_of
from ragviz.loaders.records_in import trace_of_row
from ragviz.loaders.rows import Row, read_rows
from ragviz.records import LoadIssue, Trace
from ragviz.text.counts import counted

_STAGES = re.compile(r"^(?:retrieved_contents|retrieved_ids|retrieve_scores)_\w+$|^(?:queries|prompts|generated_tokens|generated_log_probs)$")


def read(source: BinaryIO, filename: str) -> Iterator[Part]:
    """Questions, with what was retrieved and generated where the node did so."""
    yield from per_row(source, filename, _row)


def _row(row: Row) -> Iterator[Trace | LoadIssue]:
    value = {k: v for k, v in row.value.items() if not _STAGES.match(str(k))}
    notes: list[LoadIssue] = []
    ids = structure(value.get("retrieved_ids"))
    if isinstance(ids, list) and len(set(map(text_of, ids))) < len(ids):
        first = {text_of(name): n for n, name in reversed(list(enumerate(ids)))}
        keep = sorted(first.values())
        for column in ("retrieved_ids", "retrieved_contents", "retrieve_scores"):
            cells = structure(value.get(column))
            if isinstance(cells, list):
                value[column] = [cells[n] for n in keep if n < len(cells)]
        notes.append(
            warning(
                row.where,
                f"{counted(len(ids) - len(keep), 'repeated passage')} {'was' if len(ids) - len(keep) == 1 else 'were'} counted once",
                "the retriever returned the same id more than once",
            )
        )
    groups = structure(value.get("retrieval_gt"))
    if isinstance(groups, list) and len(groups) > 1 and all(isinstance(g, list) for g in groups):
        value["relevant_groups"] = json.dumps(groups)  # inner lists: any of; outer: all of
    yield from trace_of_row(row._replace(value=value), notes=notes)


def read_corpus(source: BinaryIO, filename: str) -> Iterator[Part]:
    """Documents by id."""
    documents: dict[str, Draft] = {}
    for row in read_rows(source, filename=filename):
        if isinstance(row, LoadIssue):
            yield row
        elif (name := id_of(row.value.get("doc_id"))) is not None:
            documents[name] = draft_of(row.value)
            documents[name].doc_id = name
    yield Companion(role="documents", rows=len(documents), where=filename, documents=documents, fix="open it together with the questions or results")


def read_module(source: BinaryIO, filename: str) -> Iterator[Part]:
    """Output of one module: no questions in it."""
    rows = sum(isinstance(row, Row) for row in read_rows(source, filename=filename))
    yield Companion(role="refused", rows=rows, where=filename, fix="the output of a module has no questions: open best_*.parquet of the same folder")


def read_averages(source: BinaryIO, filename: str) -> Iterator[Part]:
    """Tables with one row per system."""
    rows = 0
    for row in read_rows(source, filename=filename):
        if isinstance(row, LoadIssue):
            yield row
        else:
            rows += 1
    yield Companion(role="aggregate", rows=rows, where=filename)


def _is_averages(look: Outline) -> bool:
    """Only scores, one row per system; or a list of trials."""
    if (
        look.container in ("text", "binary", "empty", "sqlite")
        or not look.rows
        or has_synonym(look.names, "question", "response", "passages")
        or "_id" in look.keys
    ):
        return False
    if look.keys & {"trial_name"} and "start_time" in look.keys:
        return True
    top: Mapping[str, Any] = look.top
    if top:
        if all(number(v) is not None for v in top.values()):
            return True
        return {"metrics", "score"} == top.keys() or {"metrics", "scores"} == top.keys() or set(top) <= {"metricsScores", "testPassed", "testFailed"}
    named = look.names & {"app_name", "module_name", "best_module_name", "node_line_name", "system", "model", "run", "metric", "app_version"}
    numeric = [k for k in look.row if number(look.row[k]) is not None]
    return bool(numeric) and (bool(named) or all(is_null(v) or number(v) is not None for row in look.rows for v in row.values()))


FORMATS = (
    Format(name="autorag", label="AutoRAG questions and node results", order=42, read=read, suffixes=(".parquet", ".csv"), recognised_by="columns qid, query and retrieval_gt",
           matches=lambda look: {"qid", "query"} <= look.keys and bool(look.keys & {"retrieval_gt", "generation_gt", "retrieved_ids"})),
    Format(name="autorag_corpus", label="AutoRAG corpus (beside questions)", order=43, companion=True, read=read_corpus, suffixes=(".parquet", ".csv"), recognised_by="columns doc_id and contents",
           matches=lambda look: {"doc_id", "contents"} <= look.keys and "query" not in look.keys),
    Format(name="autorag_module", label="AutoRAG module output (refused)", order=44, companion=True, read=read_module, suffixes=(".parquet",), recognised_by="retrieved_contents without a query",
           matches=lambda look: "retrieved_contents" in look.keys and not has_synonym(look.names, "question")),
    Format(name="averages", label="Tables of averages (refused)", order=61, companion=True, matches=_is_averages, read=read_averages, suffixes=(".csv", ".json"),
           recognised_by="only scores, one row per system"),
)
