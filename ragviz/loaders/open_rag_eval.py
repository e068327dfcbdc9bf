"""open-rag-eval: inputs with one row per passage, result tables and reports."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, BinaryIO

from ragviz.loaders.building import assemble, first_text, score_of, warning
from ragviz.loaders.cells import id_of, is_null, listed, number, structure, text_of, whole
from ragviz.loaders.citation_marks_in import bracketed
from ragviz.loaders.companions import Part
from ragviz.loaders.format import Format, guarded
from ragviz.loaders.outline import Outline
from ragviz.loaders.passages import Draft
from ragviz.loaders.rows import Row, no_object, read_rows
from ragviz.records import RESPONSE, Citation, ImportedClaim, ImportedScore, ImportedVerdict, LoadIssue, Side, Span, Table, Trace, Verdict

_ERROR = "API_ERROR"
_FAILED = frozenset({"NO_ANSWER", _ERROR})
_ASSIGNED = {"support": Verdict.ENTAILED, "partial_support": Verdict.UNJUDGED, "not_support": Verdict.NEUTRAL}


def read(source: BinaryIO, filename: str) -> Iterator[Part]:
    """Rows of passages grouped to answers; or results, one trace per run."""
    groups: dict[tuple[str, str], list[Row]] = {}
    for row in read_rows(source, filename=filename):
        if isinstance(row, LoadIssue):
            yield row
        elif isinstance(row.value.get("evaluation"), list):
            for n, one in enumerate(row.value["evaluation"]):
                if not isinstance(one, Mapping):
                    yield no_object(filename, n + 1, one)
                    continue
                for m, run in enumerate(listed(one.get("runs"))):
                    yield from guarded(Row(f"{filename}:{n + 1}", n, {**one, "run": run, "number": m + 1, "many": len(one["runs"]) > 1}), _result)
        elif any(re.match(r"run_\d+_", str(k)) for k in row.value):
            yield from _table_row(row)
        else:
            name = id_of(row.value.get("query_id")) or f"\x00{text_of(row.value.get('query'))}"
            groups.setdefault((name, text_of(row.value.get("query_run"))), []).append(row)
    runs: dict[str, int] = {}
    for name, _ in groups:
        runs[name] = runs.get(name, 0) + 1
    for n, ((name, run), rows) in enumerate(groups.items()):
        yield from guarded(Row(rows[0].where, n, {"name": name, "run": run, "rows": rows, "many": runs[name] > 1}), _grouped)


def _grouped(row: Row) -> Iterator[Trace | LoadIssue]:
    """One answer: its first filled cell of the group, and a passage per row."""
    rows = [one.value for one in row.value["rows"]]
    name = None if row.value["name"].startswith("\x00") else row.value["name"]
    answer = next((text_of(r["generated_answer"]) for r in rows if not is_null(r.get("generated_answer"))), None)
    said = (answer or "").strip()
    failed = answer is None or said in _FAILED
    drafts = [
        Draft(text=text_of(r.get("passage")), id=id_of(r.get("passage_id"))) for r in rows if not is_null(r.get("passage")) or not is_null(r.get("passage_id"))
    ]
    labels = {(d.id or "").strip("[] "): d.id or "" for d in drafts}
    yield from assemble(
        row.where,
        row.n,
        id=f"{name}-run{row.value['run']}" if name and row.value["many"] else name,
        question=rows[0].get("query"),
        response=None if answer is None or said == _ERROR else "" if failed else answer,
        drafts=drafts,
        citations=() if failed or answer is None else bracketed(answer, labels),
        group=name,
        reference=first_text(rows[0].get("expected_answer")),
        tags={k: v for k, v in (("query_run", row.value["run"]), ("answer", said if failed else "")) if v},
    )
    if said in _FAILED:
        yield warning(
            row.where, f"{said} stands where the answer should be", "the answer is taken as missing" if said == _ERROR else "it counts as declining to answer"
        )


def _table_row(row: Row) -> Iterator[Part]:
    """Columns run_N_…, all JSON in text."""
    runs: dict[int, dict[str, Any]] = {}
    for column, cell in row.value.items():
        match = re.match(r"run_(\d+)_(.+)", str(column))
        if match:
            runs.setdefault(int(match[1]), {})[match[2]] = structure(cell)
    for n in sorted(runs):
        yield from guarded(
            row._replace(value={**{k: v for k, v in row.value.items() if not str(k).startswith("run_")}, "run": runs[n], "number": n, "many": len(runs) > 1}),
            _result,
        )


def _result(row: Row) -> Iterator[Trace | LoadIssue]:
    value, run = row.value, row.value["run"]
    relevance = run.get("retrieval_score_umbrela_scores")
    relevance = relevance if isinstance(relevance, Mapping) else {}
    given = run.get("retrieved_passages")
    drafts = (
        [Draft(text=text_of(text), id=str(name), relevance=whole(relevance.get(name))) for name, text in given.items() if text is not None]
        if isinstance(given, Mapping)
        else None
    )
    answer, citations = _answer(run.get("generated_answer"), {d.id for d in drafts or () if d.id})
    name = id_of(value.get("query_id"))
    yield from assemble(
        row.where,
        row.n,
        id=f"{name}-run{value['number']}" if name and value["many"] else name,
        question=value.get("query"),
        response=answer,
        citations=citations,
        drafts=drafts,
        group=name,
        claims=_nuggets(run.get("generation_score_autonugget_scores")),
        scores=tuple(_scores(run)),
        tags={"query_run": str(value["number"])} if value["many"] else {},
    )


def _answer(parts: Any, known: set[str]) -> tuple[str, tuple[Citation, ...]]:
    """The sentences put together, each followed by the marks of its citations."""
    if not isinstance(parts, list):
        text = text_of(parts)
        return ("" if text.strip() in _FAILED else text), ()
    text, citations = "", []
    for part in parts:
        if not isinstance(part, Mapping):
            continue
        text += text_of(part.get("text"))
        for mark in listed(part.get("citations")):
            name = text_of(mark)
            text += f" {name}"
            found = name if name in known else f"[{name}]" if f"[{name}]" in known else None
            if name:
                citations.append(
                    Citation(
                        span=Span(len(text) - len(name), len(text)),
                        marker=name,
                        passage_ids=() if found is None else (found,),
                        unresolved=() if found is not None else (name.strip("[]"),),
                    )
                )
    return text, tuple(citations)


def _nuggets(given: Any) -> tuple[ImportedClaim, ...] | None:
    """Nuggets are points the answer SHOULD make: reference claims, judged against the answer."""
    if not isinstance(given, Mapping) or not isinstance(given.get("nuggets"), list):
        return None
    assigned = given.get("assignments") or []
    return tuple(
        ImportedClaim(side=Side.REFERENCE, text=text_of(nugget), verdicts=() if n >= len(assigned) else (ImportedVerdict(
            table=Table.REFERENCE_X_RESPONSE, premise_id=RESPONSE, verdict=_ASSIGNED.get(text_of(assigned[n]), Verdict.UNJUDGED), label=text_of(assigned[n]),
        ),))
        for n, nugget in enumerate(given["nuggets"])
    )


def _scores(run: Mapping[str, Any]) -> Iterator[ImportedScore]:
    for name, value in run.items():
        short = re.sub(r"^(?:retrieval|generation)_score_", "", str(name))
        if short != name and number(value) is not None:
            yield score_of(short, value)
        elif isinstance(value, Mapping) and short in ("citation_scores", "no_answer_score"):
            for inner, one in value.items():
                yield score_of(f"{short.removesuffix('_scores').removesuffix('_score')}_{inner}", one)


def matches(look: Outline) -> bool:
    """Passages as rows, results as columns, or the report."""
    inner = look.top.get("evaluation")
    if isinstance(inner, list) and inner and isinstance(inner[0], dict) and "runs" in inner[0]:
        return True
    return {"passage_id", "passage", "generated_answer"} <= look.keys or any(re.match(r"run_\d+_retrieved_passages", k) for k in look.keys)


LOADER = Format(
    name="open_rag_eval", label="open-rag-eval inputs and results", order=41, matches=matches, read=read, suffixes=(".csv", ".json"),
    recognised_by="columns passage_id, passage and generated_answer; columns run_1_retrieved_passages; or evaluation with runs",
)
