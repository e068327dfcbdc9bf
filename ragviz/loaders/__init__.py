"""Every format we read: detection by content, one way in, three ways out."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import BinaryIO

from ragviz.contracts import Loader, Registry
from ragviz.errors import InputError, RagvizError, UnreadableFile
from ragviz.loaders import (
    alce,
    autorag,
    azure,
    bedrock,
    braintrust,
    case,
    chat_lines,
    claim_sets,
    deepeval,
    frameworks,
    gemini,
    generic,
    langfuse,
    langsmith,
    mlflow,
    native,
    open_rag_eval,
    opik,
    otlp,
    paperqa,
    phoenix,
    promptfoo,
    ragas,
    ragchecker,
    span_labels,
    squad,
    trec,
    trec_rag,
    trulens,
    tutorial,
    weave,
)
from ragviz.loaders.arrow import need_arrow
from ragviz.loaders.bundle import FileReport, Reading, Source, mapping_choice, read_files
from ragviz.loaders.companions import Companion, Part, issue_of
from ragviz.loaders.containers import binary_kind
from ragviz.loaders.fields import has_synonym, parse_map
from ragviz.loaders.format import Format, peek
from ragviz.loaders.jsontext import parse, scrub
from ragviz.loaders.limits import HEAD_BYTES
from ragviz.loaders.mapping import names_inside
from ragviz.loaders.native import write_native, write_parquet
from ragviz.loaders.opening import opened
from ragviz.loaders.outline import Outline, outline
from ragviz.loaders.ragas import write_ragas
from ragviz.loaders.ragchecker import write_ragchecker
from ragviz.loaders.shortening import after_damage, shortened, tells_too_little
from ragviz.loaders.wrapped import readings
from ragviz.records import LoadIssue, Trace

__all__ = [
    "Companion", "FileReport", "Loader", "Part", "Reading", "detect", "loaders", "parse_map", "peek", "read", "read_many", "recognise", "role_of",
    "write_native", "write_parquet", "write_ragas", "write_ragchecker",
]

_DATABASES = {
    frozenset({"trace_info", "experiments"}): "export them from MLflow: mlflow.search_traces().to_json('traces.json', orient='records')",
    frozenset({"spans", "traces"}): "export them from Phoenix: client.spans.get_spans_dataframe().to_parquet('spans.parquet')",
}
"""Tables by which the databases of other tools are known, and what to do with them."""

_WITH_TRACES = frozenset({ragas.LOADER.name, "llamaindex", "factscore", "lettucedetect"})
"""Of the formats that can be companions those whose files mostly hold traces."""

loaders: Registry[Loader] = Registry("format", group="ragviz.loaders")
for _format in (
    native.LOADER, case.LOADER, ragas.LOADER, ragchecker.LOADER, tutorial.LOADER, generic.LOADER, tutorial.DOCUMENTS, otlp.OPENINFERENCE, otlp.GENAI, *phoenix.FORMATS,
    *langfuse.FORMATS, *langsmith.FORMATS, mlflow.LOADER, opik.LOADER, weave.LOADER, deepeval.LOADER, promptfoo.LOADER, trulens.LOADER,
    *trec.FORMATS, trec_rag.LOADER, *claim_sets.FORMATS, *span_labels.FORMATS, alce.LOADER, paperqa.LOADER, *frameworks.FORMATS, open_rag_eval.LOADER, *autorag.FORMATS, bedrock.LOADER, squad.LOADER,
    braintrust.LOADER, azure.LOADER, *chat_lines.FORMATS, gemini.LOADER,
):
    loaders.add(_format.name)(lambda _format=_format: _format)


def detect(head: bytes, filename: str) -> list[tuple[Loader, float]]:
    """
    Loaders that recognise the content, best first.

    Args:
        head: First bytes of the file (``peek`` gives them), up to 256 KiB.
        filename: For messages; the name decides nothing.
    """
    found = [(loader, loader.sniff(head, filename)) for loader in (loaders.make(name) for name in loaders.names())]
    return sorted(((loader, sure) for loader, sure in found if sure > 0), key=lambda pair: -pair[1])


def read(
    path_or_stream: str | Path | BinaryIO, *, filename: str | None = None, format: str | None = None, field_map: Mapping[str, str] | None = None,  # noqa: A002
) -> Iterator[Trace | LoadIssue]:
    """
    Every row of one file as a trace or an issue. Never raises for what is in the file.

    Args:
        path_or_stream: A path, "-" for standard input, or a binary stream.
        filename: How the file is called in messages (default: its name).
        format: Name of a loader; None detects it.
        field_map: Where our fields are in a shape of your own, see ``parse_map``.

    Raises:
        UnknownName: No loader of that name.
    """
    name = filename or (Path(path_or_stream).name if isinstance(path_or_stream, (str, Path)) else "input")
    chosen = loaders.make(format) if format is not None else None
    try:
        with opened(path_or_stream) as source:
            if field_map:
                yield from mapping_loader(field_map).load(source, filename=name)
                return
            loader = chosen or recognise(source, name)
            yield from loader.load(source, filename=name)
    except RagvizError as exc:
        yield issue_of(exc, name)


def read_many(
    paths: Sequence[Source], *, format: str | None = None, documents: Source | None = None, field_map: Mapping[str, str] | None = None,  # noqa: A002
) -> Reading:
    """
    Files that belong together as one run: folders, globs, archives, a name with a stream, "-".

    Documents, relevance labels, questions, scores and claims in files of their own are joined to the traces.

    Args:
        paths: In the order in which traces shall come.
        format: Name of a loader for all of them; None detects each.
        documents: A file of documents for traces that hold ids only.
        field_map: Where our fields are in a shape of your own, see ``parse_map``.

    Returns:
        An iterator of traces and issues; its ``files`` say what became of each file.

    Raises:
        UnknownName: No loader of that name.
    """
    fixed = mapping_loader(field_map) if field_map else loaders.make(format) if format is not None else None
    choose = recognise if fixed is None else mapping_choice(fixed)
    return read_files(paths, choose=choose, documents=documents, document_loader=tutorial.DOCUMENTS)


def role_of(path: str) -> str:
    """What a file is for: "traces", one of the roles of companions, "unreadable"; "" for several files in one. Reads a companion whole, of traces the first."""
    reading = read_many([path])
    next(reading, None)
    return reading.files[0].role if len(reading.files) == 1 else ""


def mapping_loader(field_map: Mapping[str, str]) -> Format:
    """The generic loader under the names a user gives."""
    base = generic.LOADER
    return Format(
        name=base.name,
        label=base.label,
        recognised_by=base.recognised_by,
        matches=base.matches,
        read=partial(generic.read, field_map=field_map),
        order=base.order,
    )


def recognise(source: BinaryIO, name: str) -> Loader:
    """
    The loader for a file.

    Raises:
        UnreadableFile: None fits; the message says what the file looks like.
    """
    head = peek(source)
    found = detect(head, name)
    if found and found[0][0].name != generic.LOADER.name:
        return found[0][0]
    look = outline(head)
    if not found and len(head) >= HEAD_BYTES and (whole := after_damage(source)) and (found := detect(whole, name)):
        return found[0][0]
    if tells_too_little(head, look) and (short := shortened(source)):
        head, look, found = short, outline(short), detect(short, name)
        if found and found[0][0].name != generic.LOADER.name:
            return found[0][0]
    for sample, read_so in readings(look, unknown=not found):
        inner = next((loader for loader, _ in detect(sample, name)), None)
        # Of rows of questions and answers the generic loader finds the list by itself; mere companions have too little shape to be told inside something else.
        plain = inner is None or inner.name == generic.LOADER.name or (inner.name == ragas.LOADER.name and not look.top)
        if isinstance(inner, Format) and not plain and (not inner.companion or inner.name in _WITH_TRACES):
            return read_so(inner)
    if found:
        return found[0][0]
    if look.container in ("json", "jsonl", "objects") and generic.wraps(look.row):  # several pages of them, gathered by a script
        return generic.LOADER
    raise _refusal(source, name, head, look)


def _refusal(source: BinaryIO, name: str, head: bytes, look: Outline) -> UnreadableFile:
    """What is said of a file that no loader fits."""
    if look.row.keys() == {"manifest"} and "run_id" in look.row["manifest"]:
        return UnreadableFile(f"{name}: holds a whole run that ragviz exported; it cannot be part of another one", fix="import it by itself, by its path")
    if look.names >= generic.CLAIM_TABLE:
        return UnreadableFile(f"{name}: has one row per claim, and no answers", fix="export the run as .jsonl (traces) or .ragviz (with all verdicts)")
    if generic.labels_claims(look.names):
        return UnreadableFile(
            f"{name}: holds what somebody says of claims, without the answers they are in", fix="`ragviz calibrate FILE` measures a judge against these labels"
            if has_synonym(look.names, "passages") else "`ragviz feedback FILE --run RUN` puts such rows onto the traces of a run",
        )
    if look.container == "empty":
        return UnreadableFile(f"{name}: the file is empty", fix="check the export that wrote it")
    if look.container == "json" and look.value in ([], {}) and not head.strip(b"[]{} \t\r\n"):
        return UnreadableFile(f"{name}: an empty list or object, without any record", fix="check the export that wrote it")
    for known, fix in _DATABASES.items():
        if look.container == "sqlite" and known <= look.tables:
            return UnreadableFile(f"{name}: is a database whose traces are read from an export", fix=fix)
    if look.container == "arrow":
        need_arrow(name)
    if look.container in ("binary", "sqlite", "parquet", "arrow") and not look.rows:
        what = binary_kind(head)
        kind = {"binary": f"{what} (binary data), not text" if what else "binary data, not text", "sqlite": "a SQLite database of an unknown or damaged kind", "parquet": "a damaged Parquet file", "arrow": "a damaged Arrow or Feather file"}[
            look.container
        ]
        return UnreadableFile(f"{name}: is {kind}", fix="export as JSON Lines, JSON, CSV or Parquet")
    size = source.seek(0, 2)
    source.seek(0)
    if look.container == "json" and not look.keys and size > len(head):
        return UnreadableFile(f"{name}: nothing is recognised in its first {len(head) >> 10} KiB", fix="write one JSON object per line")
    if look.container == "json" and not look.keys and (fault := _json_fault(head)) is not None:
        return UnreadableFile(f"{name}: {fault.message}", fix=fault.fix)
    if (other := _text_of_another_kind(head)) is not None:
        return UnreadableFile(f"{name}: {other[0]}", fix=other[1])
    inside = names_inside(look.value)
    names = (", ".join(sorted(look.keys)[:15]) or "none") + (f"; in {inside}" if inside else "")
    return UnreadableFile(
        f"{name}: no format fits; names found: {names}", fix="say where things are: --map question=… --map response=… --map passages=…, or --format NAME"
    )


def _text_of_another_kind(head: bytes) -> tuple[str, str] | None:
    """What a text that is neither JSON nor a table looks like, and what to do with it; None for anything else."""
    written = [line for line in head.decode("utf-8", "replace").splitlines() if line.strip()][:20]
    if written and all(re.search(r"^[^{]{1,200}\{\s*\".*\}\s*$", line) for line in written):
        return "each line has something before its JSON object, as logs do", "cut it off: sed 's/^[^{]*//' FILE > traces.jsonl"
    if (
        written
        and written[0].lstrip()[:1] not in ("{", "[", "<")
        and sum(bool(re.match(r"^\s*(?:- )?[A-Za-z_][\w ]{0,40}:(?:\s|$)", line)) for line in written) * 2 > len(written)
    ):
        return (
            "looks like YAML, which is not read",
            'convert it to JSON: python -c "import yaml,json,sys; json.dump(yaml.safe_load(sys.stdin), sys.stdout)" < FILE > traces.json',
        )
    return None


def _json_fault(head: bytes) -> InputError | None:
    """Why a file that begins like JSON is none."""
    try:
        scrub(parse(head))
    except InputError as exc:
        return exc
    return None
