"""
Judged traces as rows of a Parquet file, and back into a run.

``id``, ``question`` and ``trace`` are those of an exported run; ``said`` holds claims, verdicts and ratings, whole; the other columns
repeat in numbers what a database or a notebook wants to group and filter by.
"""

from __future__ import annotations

import gzip
import hashlib
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, BinaryIO, Literal

import msgspec

from ragviz.backends.parquet_folder import Folder
from ragviz.contracts import View
from ragviz.errors import InputError
from ragviz.pipeline.workers import Said
from ragviz.records import Grounding, JudgedTrace, Provenance, Rating, RunManifest, Trace, TraceResult
from ragviz.records.codec import decode, encode
from ragviz.store import content_hash
from ragviz.store.bundle import Event, Line, Rated
from ragviz.store.schema import SORTABLE_SCORES

NEEDED = {"id", "question", "trace"}
SAID = "said"
COLUMNS: dict[str, Literal["text", "count", "number"]] = {
    "id": "text", "question": "text", "trace": "text", SAID: "text", "judge": "text", "quadrant": "text", "worst_verdict": "text", "n_claims": "count",
    **{f"n_{grounding}": "count" for grounding in Grounding}, **dict.fromkeys(SORTABLE_SCORES, "number"),
}
"""Every file has the same, whatever its values: a missing value is null."""
IN_MEMORY_BYTES = 64 * 2**20


def trace_of(row: Mapping[str, Any], file: str) -> Trace:
    """
    The trace of a row.

    Raises:
        InputError: The file was not written by ragviz.
    """
    if not row.keys() >= NEEDED or not isinstance(row["trace"], str):
        raise InputError(f"{file} does not hold traces as ragviz writes them", fix="import it and write it again with: ragviz export RUN traces.parquet")
    return decode(row["trace"], Trace)


def row_of(case: JudgedTrace, result: TraceResult, said: Said, *, view: View, provenance: Provenance) -> dict[str, Any]:
    """One judged trace as a row."""
    at = datetime.now(UTC).isoformat(timespec="microseconds")
    by_rater: dict[Provenance, list[Rating]] = {}
    for rating in said.ratings:
        by_rater.setdefault(rating.provenance, []).append(rating)
    told = Line(
        claims={view.claim_set: list(case.claims)},
        events=[Event(claim_set=view.claim_set, at=at, provenance=provenance, scope=view.k or 0, said=said.judgements)],
        rated=[Rated(at=at, provenance=who, ratings=ratings) for who, ratings in by_rater.items()],
    )
    counts = {f"n_{grounding}": result.verdicts.get(str(grounding), 0) for grounding in Grounding}
    scores = {name: float(score.value) if (score := result.scores.get(name)) is not None and score.value is not None else None for name in SORTABLE_SCORES}
    return {
        "id": case.trace.id,
        "question": case.trace.question,
        "trace": encode(case.trace).decode(),
        SAID: encode(told).decode(),
        "judge": provenance.fingerprint,
        "quadrant": result.quadrant,
        "worst_verdict": result.worst_verdict,
        "n_claims": sum(counts.values()),
        **counts,
        **scores,
    }


def judged_files(paths: Sequence[object]) -> tuple[Folder, list[str]] | None:
    """The judged Parquet files, where the one thing that is named is such a file or a folder of them; else None."""
    if len(paths) != 1 or isinstance(paths[0], tuple) or not Path(str(paths[0])).exists():
        return None
    path = Path(str(paths[0]))
    folder = Folder(str(path if path.is_dir() else path.parent))
    names = folder.files() if path.is_dir() else [path.name]
    if not names or not (path.is_dir() or path.suffix == ".parquet"):
        return None
    try:
        if not all(folder.columns(name) >= NEEDED | {SAID} for name in names):
            return None
    except InputError:
        return None
    return folder, names


def as_bundle(folder: Folder, names: Sequence[str], manifest: RunManifest) -> BinaryIO:
    """
    The same as a bundle, at its beginning, which the store reads whole traces from. Files are read twice: a run says first what is in it.

    Args:
        folder: Where the files are.
        names: Their names, in order.
        manifest: Of the run; what depends on the traces is filled in.
    """
    everything, questions, corpus, n = hashlib.sha256(), hashlib.sha256(), set[bytes](), 0
    for line in _lines(folder, names):
        trace = line.trace
        assert trace is not None
        hashes = [content_hash(p.text) for p in trace.passages or ()]
        question = f"{trace.question}\x1e".encode("utf-8", "surrogatepass")
        questions.update(question)
        everything.update(b"".join((question, f"{trace.response}\x1e".encode("utf-8", "surrogatepass"), *hashes)))
        corpus.update(hashes)
        n += 1
    full = msgspec.structs.replace(
        manifest, n_traces=n, traces_hash=everything.hexdigest()[:32], questions_hash=questions.hexdigest()[:32], files=tuple(names[:100])
    )
    out = tempfile.SpooledTemporaryFile(max_size=IN_MEMORY_BYTES)  # noqa: SIM115 - lives as long as it is read
    with gzip.GzipFile(fileobj=out, mode="wb", mtime=0, filename="", compresslevel=1) as packed:
        packed.write(encode(Line(manifest=full)) + b"\n")
        for line in _lines(folder, names):
            packed.write(encode(line) + b"\n")
    out.seek(0)
    return out  # type: ignore[return-value]


def _lines(folder: Folder, names: Sequence[str]) -> Iterator[Line]:
    for name in names:
        for group in range(len(folder.row_groups(name))):
            for row in folder.rows(name, group, [*sorted(NEEDED), SAID]):
                yield msgspec.structs.replace(decode(row[SAID], Line), trace=trace_of(row, name))
