"""A run to a file that other programs read. The ending of the name decides."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import secrets
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from ragviz.contracts import View
from ragviz.diagnosis.quadrants import Quadrant, standing_of
from ragviz.errors import InputError
from ragviz.grounding import ANSWERS, word_on_answer
from ragviz.grounding.resolve import groundings
from ragviz.loaders import write_native, write_parquet, write_ragas, write_ragchecker
from ragviz.pipeline.evaluation import told_first
from ragviz.pipeline.standing import standing
from ragviz.records import Annotation, Evidence, JudgedTrace, Side, Table, Trace
from ragviz.records.ids import is_made_up
from ragviz.records.naming import name_of
from ragviz.store import Store, TraceFilter, TraceRow
from ragviz.store.labels import people_said
from ragviz.text.cells import safe_cell

PAGE = 500
LEFT_OVER_S = 3_600.0
"""A hidden unfinished file that nobody wrote to for so long belongs to nobody."""
Writer = Callable[[Store, View, BinaryIO], int]
Certificate = list[object]
"""passage_id, start, end, quote, tier."""


def export_run(store: Store, view: View, out: Path) -> int:
    """
    Write a run, seen through a judge, to a file; says how many traces or claims.

    ``.ragviz`` everything; ``.jsonl`` and ``.parquet`` traces that load again; ``.csv`` a line per trace with its scores;
    ``.claims.csv`` a line per claim with its verdict; ``.ragas.jsonl`` and ``.ragchecker.json`` for those tools. The file appears when
    it is complete; an existing one is replaced then.

    Raises:
        InputError: No such ending, or the file cannot be written.
        UnknownName: No such run.
    """
    ending = next((e for e in sorted(WRITERS, key=len, reverse=True) if out.name.lower().endswith(e)), None)
    if ending is None:
        raise InputError(f"{out.name}: the ending says nothing", fix=f"use one of {', '.join(WRITERS)}")
    store.run(view.run_id)
    with whole_file(out) as target:
        return WRITERS[ending](store, view, target)


@contextmanager
def whole_file(out: Path) -> Iterator[BinaryIO]:
    """
    A file that appears when it is complete: a full disk or a stop leaves what was there before. Who may read it is up to the user's umask.

    Until then it is written beside it under a hidden name. A kill leaves that there; the next file of the same name takes it away, unless it was
    written to within the last hour: somebody else may be at work.

    Raises:
        InputError: The file cannot be written.
    """
    if out.is_dir():
        raise InputError(f"{out} is a folder", fix="name the file to write, for example one in it")
    special = out.exists() and not out.is_file()  # /dev/stdout, a pipe
    made = out if special else out.with_name(f".{out.name}.{secrets.token_hex(6)}")
    if not special:
        _sweep(out)
    try:
        try:
            with made.open("wb" if special else "xb") as target:
                yield target
                if not special:
                    target.flush()
                    os.fsync(target.fileno())
            if not special:
                made.replace(out)
        except BaseException:
            if not special:
                made.unlink(missing_ok=True)
            raise
    except OSError as exc:
        raise InputError(f"{out} cannot be written: {exc.strerror or exc}", fix="choose another place, or free some space") from exc


def _sweep(out: Path) -> None:
    """Take away what killed exports of that name left."""
    ours = re.compile(re.escape(f".{out.name}.") + r"[0-9a-f]{12}")
    with suppress(OSError):
        for left in out.parent.iterdir():
            if ours.fullmatch(left.name) and time.time() - left.lstat().st_mtime > LEFT_OVER_S:
                left.unlink(missing_ok=True)


def _lines(write: Callable[[Iterable[Trace]], Iterator[bytes]]) -> Writer:
    def writer(store: Store, view: View, out: BinaryIO) -> int:
        n = 0

        def counted() -> Iterator[Trace]:
            nonlocal n
            for trace in store.traces(view.run_id):
                n += 1
                yield trace

        out.writelines(write(counted()))
        return n

    return writer


def _bundle(store: Store, view: View, out: BinaryIO) -> int:
    return store.export_bundle(view.run_id, out)


def _parquet(store: Store, view: View, out: BinaryIO) -> int:
    return write_parquet(store.traces(view.run_id), out)


def _csv(out: BinaryIO, head: list[str], rows: Iterable[list[object]]) -> int:
    text = io.TextIOWrapper(out, encoding="utf-8-sig", newline="", write_through=True)  # the mark makes spreadsheets read UTF-8
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow(head)
    n = 0
    for row in rows:
        writer.writerow([safe_cell(cell) if isinstance(cell, str) else cell for cell in row])
        n += 1
    text.detach()
    return n


def _traces_csv(store: Store, view: View, out: BinaryIO) -> int:
    first = store.page(view, limit=1)
    names = sorted({name for result in store.results(view, [row.id for row in first]) for name in result.scores})
    counts = ["n_claims", "n_supported", "n_not_supported", "n_contradicted", "n_conflicted", "n_unjudged"]
    head = [
        "id",
        "question",
        "response",
        "reference",
        "quadrant",
        "standing",
        "cause",
        *counts,
        "worst_claim",
        "worst_verdict",
        "answer_is",
        "answer_is_by",
        *names,
    ]
    return _csv(out, head, _trace_rows(store, view, names, counts))


def _trace_rows(store: Store, view: View, names: list[str], counts: list[str]) -> Iterator[list[object]]:
    words = _words_on_answers(store, view.run_id)
    bare = not store.count(view, TraceFilter(ranges=(("correctness", 0.0, None),)))
    for offset in range(0, store.count(view, TraceFilter()), PAGE):
        rows = store.page(view, limit=PAGE, offset=offset)
        traces = {trace.id: trace for trace in store.traces(view.run_id, [row.id for row in rows])}
        for row in rows:
            trace = traces[row.id]
            yield [
                row.id,
                trace.question,
                trace.response,
                trace.reference or "",
                row.quadrant,
                _standing(row) if bare else "",
                row.cause,
                *(getattr(row, c) if row.scores else None for c in counts),
                row.worst_claim,
                row.worst_verdict or "",
                *words.get(row.id, ("", "")),
                *(row.scores.get(name) for name in names),
            ]


def _standing(row: TraceRow) -> str:
    """What can be said of an answer in a run without expected answers, where every quadrant is unknown."""
    return standing_of(row.scores.get("relevance"), row.scores.get("faithfulness")) if row.quadrant == Quadrant.UNKNOWN else row.quadrant


def _words_on_answers(store: Store, run_id: str) -> dict[str, tuple[str, str]]:
    """By trace: what a person says that its answer is ("answer", "refusal"), and who; only where somebody's word is in force."""
    notes: dict[str, list[Annotation]] = {}
    for note in people_said(store, run_id, ANSWERS):
        notes.setdefault(note.trace_id, []).append(note)
    in_force = {trace_id: word_on_answer(said) for trace_id, said in notes.items()}
    return {trace_id: ("refusal" if word.declines else "answer", word.author) for trace_id, word in in_force.items() if word is not None}


def _claims_csv(store: Store, view: View, out: BinaryIO) -> int:
    head = ["trace_id", "question", "claim_id", "claim", "verdict", "confidence", "calibrated", "by", "passage_id", "start", "end", "quote", "tier", "rationale", "more_evidence"]
    return _csv(out, head, _claim_rows(store, view))


def _claim_rows(store: Store, view: View) -> Iterator[list[object]]:
    worth = standing(store, view.judge)
    for case in store.judged(view):
        found = groundings(case, Table.RESPONSE_X_PASSAGES)
        for claim in case.claims:
            if claim.side is not Side.RESPONSE:
                continue
            grounding = found[claim.id]
            said = [*grounding.supporting, *grounding.contradicting]
            certificates = [_certificate(case, e.passage_id or j.key.premise_id, e) for j in said for e in told_first(case, j)]
            certificate = certificates[0] if certificates else ["", "", "", "", ""]
            yield [
                case.trace.id,
                case.trace.question,
                claim.id,
                claim.text,
                str(grounding.grounding),
                grounding.confidence,
                worth.of(grounding.grounding, grounding.confidence),
                grounding.by,
                *certificate,
                said[0].rationale if said else "",
                more_evidence(certificates[1:]),
            ]


def _certificate(case: JudgedTrace, where: str, e: Evidence) -> Certificate:
    passage = case.trace.passage(where)
    return [name_of(passage) if passage is not None and is_made_up(where) else where, e.span.start, e.span.end, e.quote, str(e.tier)]


def more_evidence(certificates: Iterable[Sequence[object]]) -> str:
    """Certificates after the first as a JSON list of objects, the quotes exact; "" where there is none. Each is (passage_id, start, end, quote, tier)."""
    told = [dict(zip(("passage_id", "start", "end", "quote", "tier"), certificate, strict=True)) for certificate in certificates]
    return json.dumps(told, ensure_ascii=False) if told else ""


WRITERS: dict[str, Writer] = {
    ".ragviz": _bundle, ".jsonl": _lines(write_native), ".parquet": _parquet, ".csv": _traces_csv, ".claims.csv": _claims_csv,
    ".ragas.jsonl": _lines(write_ragas), ".ragchecker.json": _lines(write_ragchecker),
}
