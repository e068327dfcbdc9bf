"""ALCE: answers with numbered citations over the first ndoc documents."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, BinaryIO

from ragviz.loaders.building import assemble, first_text, score_of, tags_of, warning
from ragviz.loaders.cells import listed, number, structure, text_of, whole
from ragviz.loaders.citation_marks_in import bracketed
from ragviz.loaders.claims_in import claims_in
from ragviz.loaders.companions import Part
from ragviz.loaders.format import Format, guarded
from ragviz.loaders.outline import Outline
from ragviz.loaders.passages import drafts_of, numbered
from ragviz.loaders.rows import Row, no_object, read_rows
from ragviz.records import LoadIssue, Side, Trace
from ragviz.text.counts import counted


def read(source: BinaryIO, filename: str) -> Iterator[Part]:
    """Results with their settings; or the files of the human evaluation."""
    for row in read_rows(source, filename=filename):
        if isinstance(row, LoadIssue):
            yield row
            continue
        value = row.value
        if isinstance(value.get("data"), list):
            settings = value.get("args") if isinstance(value.get("args"), Mapping) else {}
            for n, one in enumerate(value["data"]):
                if not isinstance(one, Mapping):
                    yield no_object(filename, n + 1, one)
                    continue
                yield from guarded(Row(f"{filename}:{n + 1}", n, {"row": one, "args": settings, "cost": value.get("total_cost")}), _trace)
        else:
            found = [(system, one) for group in value.values() for system, rows in _named(group) for _, one in _named(rows)]
            if not found:
                yield LoadIssue(where=row.where, message="no list of results under data, and no answers by system", fix="copy the file that ALCE wrote again")
            for n, (system, one) in enumerate(found):
                yield from guarded(Row(f"{filename}:{n + 1}", n, {"row": one, "system": system}), _evaluated)


def _named(value: Any) -> list[tuple[str, Any]]:
    """What an object holds; nothing of anything else."""
    return list(value.items()) if isinstance(value, Mapping) else []


def _trace(row: Row) -> Iterator[Trace | LoadIssue]:
    value, settings = row.value["row"], row.value["args"]
    given = structure(value.get("output"))
    said = None if given is None else first_text(given) or ""
    output = said or ""
    limit = whole(settings.get("ndoc"))
    documents = value.get("docs")
    # The prompt holds only the first ndoc documents, and the numbers count over those; the file may list a hundred.
    drafts = drafts_of(documents[:limit] if limit is not None else documents) if isinstance(documents, list) else None
    passages, _ = numbered(drafts or ())
    pairs = value.get("qa_pairs")
    short = [text_of(a) for p in pairs for a in listed(p.get("short_answers") if isinstance(p, Mapping) else None)[:1]] if isinstance(pairs, list) else []
    yield from assemble(
        row.where,
        row.n,
        id=value.get("sample_id", value.get("id")),
        question=value.get("question"),
        response=said,
        drafts=drafts,
        reference=first_text(value.get("answer")) or "; ".join(short) or None,
        citations=bracketed(output, {str(p.rank): p.id for p in passages}),
        claims=claims_in(value.get("claims"), Side.REFERENCE),
        model=text_of(settings.get("model")) or None,
        tags=tags_of(
            {"dataset": settings.get("dataset_name"), "shot": settings.get("shot"), "seed": settings.get("seed"), "run_cost_usd": row.value.get("cost")}
        ),
    )
    if isinstance(given, list) and len(given) > 1:
        yield warning(
            row.where, f"{counted(len(given), 'answer')} were sampled for this question; the first was read", "keep one answer in output to see another one"
        )


def _evaluated(row: Row) -> Iterator[Trace | LoadIssue]:
    value: Mapping[str, Any] = row.value["row"]
    yield from assemble(
        row.where, row.n, id=value.get("id"), question=value.get("question"), response=first_text(value.get("output")), drafts=None,
        scores=tuple(score_of(str(k), v) for k, v in value.items() if number(v) is not None and k != "id"), tags=tags_of({"system": row.value["system"]}),
    )


def matches(look: Outline) -> bool:
    """{args, data[].docs, output}; or {data set: {system: {id: {question, output}}}}."""
    rows = look.top.get("data")
    if isinstance(rows, list):
        first = rows[0] if rows and isinstance(rows[0], dict) else {}
        return "question" in first and ("docs" in first or "output" in first) and "args" in look.top
    value: Any = look.top
    for _ in range(3):
        value = next(iter(value.values()), None) if isinstance(value, Mapping) and value else None
    return isinstance(value, dict) and {"question", "output"} <= value.keys()


LOADER = Format(
    name="alce", label="ALCE results", order=33, matches=matches, read=read, suffixes=(".json",), recognised_by="args with data whose rows have docs and output"
)
