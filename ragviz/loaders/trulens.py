"""TruLens: its SQLite database (events of 2.x, records of 1.x) and the exported data frame."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator, Mapping
from typing import Any, BinaryIO

from ragviz.loaders.asked import unquoted
from ragviz.loaders.attributes import describe
from ragviz.loaders.building import assemble, deduplicated, is_score, score_of, tags_of, usage_of
from ragviz.loaders.cells import id_of, is_null, listed, number, structure, text_of
from ragviz.loaders.companions import Part
from ragviz.loaders.format import Format, guarded, per_row
from ragviz.loaders.outline import Outline
from ragviz.loaders.passages import Draft, drafts_of
from ragviz.loaders.rows import Row
from ragviz.loaders.sqlite import database, rows_of, tables_of
from ragviz.loaders.steps import Step, traces_of
from ragviz.loaders.times import moment
from ragviz.records import JOINED, ImportedClaim, ImportedScore, ImportedVerdict, LoadIssue, Side, Table, Trace, Verdict

_BLOCK = re.compile(r"Criteria:\s*(?P<claim>.*?)\s*\n\s*Supporting Evidence:\s*(?P<evidence>.*?)\s*\n\s*Score:\s*(?P<score>[\d.]+)", re.DOTALL)
_PREFIX = "ai.observability."


def read(source: BinaryIO, filename: str) -> Iterator[Part]:
    """A database, or rows of the data frame."""
    start = source.tell()
    magic = source.read(15)
    source.seek(start)
    if magic != b"SQLite format 3":
        yield from per_row(source, filename, _frame_row)
        return
    try:
        with database(source) as found:
            parts = list(_database(found, filename))
    except sqlite3.DatabaseError as exc:
        yield LoadIssue(where=filename, message=f"not a complete SQLite database ({exc})", fix="copy the database again while the application is stopped")
        return
    yield from parts


def _database(found: sqlite3.Connection, filename: str) -> Iterator[Part]:
    tables = tables_of(found)
    events = next((t for t in tables if t.endswith("_events")), None)
    if events is not None and next(rows_of(found, f'SELECT 1 FROM "{events}" LIMIT 1'), None) is not None:  # noqa: S608 - a table name of this very file, quoted
        yield from traces_of(step for n, row in enumerate(rows_of(found, f'SELECT * FROM "{events}"')) if (step := _event(row, f"{filename}:{n + 1}")))  # noqa: S608
        return
    records = next((t for t in tables if t.endswith("_records")), None)
    if records is None:
        yield LoadIssue(where=filename, message="no TruLens tables in the database", fix="open the database that TruLens writes (default.sqlite)")
        return
    yield from _records(found, records, filename)


def _event(row: Mapping[str, Any], where: str) -> Step | None:
    """A span of 2.x. Evaluations have traces of their own: all is joined by record id."""
    attributes, names, trace = structure(row.get("record_attributes")), structure(row.get("record")), structure(row.get("trace"))
    if not isinstance(attributes, Mapping) or not isinstance(trace, Mapping):
        return None
    record = id_of(attributes.get(f"{_PREFIX}record_id")) or id_of(attributes.get(f"{_PREFIX}eval.target_record_id"))
    kind = text_of(attributes.get(f"{_PREFIX}span_type"))
    if record is None:
        return None
    evaluates = kind.startswith("eval")
    step = Step(
        where=where,
        trace_id=record,
        id=text_of(trace.get("span_id", row.get("event_id"))),
        name=text_of(names.get("name")) if isinstance(names, Mapping) else "",
        tags={},
        scores=[],
        doubts=[],
        parent="evaluation" if evaluates else id_of(trace.get("parent_id")),
        start=moment(row.get("start_timestamp")),
        end=moment(row.get("timestamp")),
    )
    describe(step, attributes)
    if evaluates:
        step.kind, step.documents, step.input, step.output, step.model, step.cost_usd = "evaluation", None, None, None, None, None
        step.tokens_in = step.tokens_out = None
        if step.scores:
            step.claims = statements_in(attributes.get(f"{_PREFIX}eval_root.explanation")) or None
        elif kind == "eval":
            step.claims = statements_in(attributes.get(f"{_PREFIX}eval.explanation")) or None
    elif kind == "record_root":
        step.tags = tags_of(
            {
                "app": attributes.get(f"{_PREFIX}app_name"),
                "version": attributes.get(f"{_PREFIX}app_version"),
                "run": attributes.get(f"{_PREFIX}run.name") or None,
            }
        )
    return step


def statements_in(text: Any) -> tuple[ImportedClaim, ...]:
    """Groundedness reasons: blocks of criteria, evidence and a score of 0 to 10 (or 0 to 1)."""
    claims = []
    blocks = list(_BLOCK.finditer(text_of(text)))
    top = 10.0 if any(float(b["score"]) > 1 for b in blocks if number(b["score"]) is not None) else 1.0
    for block in blocks:
        score = number(block["score"])
        verdict = Verdict.UNJUDGED if score is None or 0 < score < top else Verdict.ENTAILED if score >= top else Verdict.NEUTRAL
        claims.append(ImportedClaim(side=Side.RESPONSE, text=block["claim"], verdicts=(
            ImportedVerdict(table=Table.RESPONSE_X_PASSAGES, premise_id=JOINED, verdict=verdict, label=f"score {block['score']}", reason=block["evidence"]),
        )))
    return tuple(claims)


def _records(found: sqlite3.Connection, table: str, filename: str) -> Iterator[Part]:
    prefix = table.removesuffix("_records")
    feedback: dict[str, list[dict[str, Any]]] = {}
    tables = tables_of(found)
    if f"{prefix}_feedbacks" in tables:
        for row in rows_of(found, f'SELECT * FROM "{prefix}_feedbacks"'):  # noqa: S608 - a table name of this very file, quoted
            feedback.setdefault(text_of(row.get("record_id")), []).append(row)
    apps = {text_of(r["app_id"]): r for r in rows_of(found, f'SELECT * FROM "{prefix}_apps"')} if f"{prefix}_apps" in tables else {}  # noqa: S608
    for n, row in enumerate(rows_of(found, f'SELECT * FROM "{table}" ORDER BY ts')):  # noqa: S608
        app = apps.get(text_of(row.get("app_id")), {})
        given = {**row, "app_name": app.get("app_name"), "app_version": app.get("app_version"), "feedback": feedback.get(text_of(row.get("record_id")), [])}
        yield from guarded(Row(f"{filename}:{n + 1}", n, given), _record)


def _record(row: Row) -> Iterator[Trace | LoadIssue]:
    """A record of 1.x with its feedback."""
    value = row.value
    scores: list[ImportedScore] = []
    claims: tuple[ImportedClaim, ...] | None = None
    for one in value["feedback"]:
        failed = text_of(one.get("status")) not in ("done", "") or is_null(one.get("result"))
        scores.append(
            score_of(text_of(one.get("name")), one.get("result"), reason=(text_of(one.get("error")) or f"status {one.get('status')}") if failed else None)
        )
        calls = structure(one.get("calls_json"))
        for call in listed(calls.get("calls")) if isinstance(calls, Mapping) else ():
            claims = claims or statements_in(_reason(call)) or None
    yield from _assembled(row, scores, claims, None)


def _frame_row(row: Row) -> Iterator[Trace | LoadIssue]:
    """A row of get_records_and_feedback()."""
    value = row.value
    metrics = [str(k).removesuffix("_calls") for k in value if str(k).endswith("_calls")]
    known = {*metrics, *(str(k).removesuffix(" direction") for k in value if str(k).endswith(" direction"))}
    after = list(value)[list(value).index("cost_currency") + 1 :] if "cost_currency" in value and not metrics else []
    names = [k for k in value if k in known or (k in after and is_score(value[k])) or (str(k) == "is_match" and is_score(value[k]))]
    claims: tuple[ImportedClaim, ...] | None = None
    contexts: list[Draft] | None = None
    parts: list[Draft] = []
    for metric in metrics:
        calls = structure(value.get(f"{metric}_calls"))
        for call in calls if isinstance(calls, list) else ():
            claims = claims or statements_in(_reason(call)) or None
            arguments = call.get("args") if isinstance(call, Mapping) else None
            if isinstance(arguments, Mapping):
                source = structure(arguments.get("source"))
                if contexts is None and isinstance(source, list):
                    contexts = drafts_of(source)
                context = arguments.get("context")
                parts += drafts_of(context) or [] if not is_null(context) else []
    if contexts is None and parts:
        contexts = deduplicated(parts)
    yield from _assembled(row, [score_of(str(n), value[n]) for n in names], claims, contexts)


def _assembled(row: Row, scores: list[ImportedScore], claims: tuple[ImportedClaim, ...] | None, contexts: list[Draft] | None) -> Iterator[Trace | LoadIssue]:
    value = row.value
    record, cost, times = structure(value.get("record_json")), structure(value.get("cost_json")), structure(value.get("perf_json"))
    record, cost, times = (x if isinstance(x, Mapping) else {} for x in (record, cost, times))
    began, ended = moment(times.get("start_time")), moment(times.get("end_time"))
    seconds = (ended - began).total_seconds() if began and ended else number(value.get("latency"))
    yield from assemble(
        row.where,
        row.n,
        id=value.get("record_id"),
        question=unquoted(value.get("input")),
        response=unquoted(value.get("output")),
        drafts=contexts if contexts is not None else _called(record),
        scores=tuple(scores),
        claims=claims,
        started_at=moment(value.get("ts")) or began,
        usage=usage_of(
            latency_ms=None if seconds is None else seconds * 1000,
            cost_usd=cost.get("cost", value.get("total_cost")),
            tokens_in=cost.get("n_prompt_tokens"),
            tokens_out=cost.get("n_completion_tokens"),
        ),
        tags=tags_of({"app": value.get("app_name"), "version": value.get("app_version"), "tags": value.get("tags") if value.get("tags") != "-" else None}),
    )


def _called(record: Mapping[str, Any]) -> list[Draft] | None:
    """What calls of methods named retrieve or get_context gave back; None when there was no such call."""
    found: list[Draft] | None = None
    for call in listed(record.get("calls")):
        stack = call.get("stack") if isinstance(call, Mapping) else None
        last = stack[-1] if isinstance(stack, list) and stack and isinstance(stack[-1], Mapping) else {}
        method = last.get("method")
        path = f"{last.get('path')}.{method.get('name') if isinstance(method, Mapping) else ''}".lower()
        if "retriev" in path or "get_context" in path:
            found = [*(found or []), *(drafts_of(call.get("rets")) or [])]
    return found


def _reason(call: Any) -> Any:
    meta = call.get("meta") if isinstance(call, Mapping) else None
    if not isinstance(meta, Mapping):
        return None
    inner = meta.get("metadata")
    return meta.get("reasons", meta.get("explanation", inner.get("reasons") if isinstance(inner, Mapping) else None))


def matches(look: Outline) -> bool:
    """A database with *_events or *_records; or the columns of the frame."""
    if look.container == "sqlite":
        prefixes = [t.removesuffix("_records") for t in look.tables if t.endswith("_records")] + [
            t.removesuffix("_events") for t in look.tables if t.endswith("_events")
        ]
        return any(f"{p}_feedbacks" in look.tables or f"{p}_apps" in look.tables for p in prefixes)
    return {"record_id", "app_id"} <= look.keys and any(k.endswith(("_json", "_calls")) for k in look.keys)


LOADER = Format(
    name="trulens", label="TruLens database or data frame", order=25, matches=matches, read=read, suffixes=(".sqlite", ".db", ".csv", ".json"),
    recognised_by="a SQLite database with tables *_events or *_records; or columns record_id and app_id with *_json or *_calls",
)
