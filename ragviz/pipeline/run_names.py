"""What a run is called after its files, and the id that the same import finds again."""

from __future__ import annotations

import glob
import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import BinaryIO

from ragviz.loaders.bundle import Source
from ragviz.loaders.sources import place_of
from ragviz.records.ids import digest


def name_of(paths: Sequence[Source]) -> str:
    """A run's name: that of its first file, and how many more there are."""
    name = file_name(paths[0])
    stem = name.split(".")[0] or name
    n_more = len({place_of(path) or str(n) for n, path in enumerate(paths)}) - 1
    return f"{stem} and {n_more} more" if n_more else stem


def file_name(source: Source) -> str:
    """What a source is called."""
    if isinstance(source, tuple):
        return source[0]
    if str(source) == "-":
        return "standard input"
    name = Path(source).name
    return name if name not in ("", "..") else Path(source).resolve().name or str(source)


def run_id_of(name: str, sources: Sequence[Source], format: str | None, field_map: Mapping[str, str] | None, now: str, *, hides: str) -> str:  # noqa: A002
    """From name and content: the same import started again finds its run; a changed file makes a new one."""
    parts = [name, format or "", *(f"{k}={v}" for k, v in sorted((field_map or {}).items()))]
    for source in sources:
        parts.append(file_name(source))
        parts += _content(source, now)
    parts += [f"hides={hides}"] if hides else []
    slug = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:40] or "run"
    return f"{slug}-{digest(parts, length=8)}"


def _content(source: Source, now: str) -> Iterator[str]:
    if isinstance(source, tuple):
        yield _stream_hash(source[1], now)
        return
    path = Path(source)
    if str(source) == "-" or (path.exists() and not path.is_file() and not path.is_dir()):
        yield now  # standard input and pipes cannot be read twice, so such an import cannot be resumed
        return
    if not path.exists() and glob.has_magic(str(source)):
        files = sorted(Path(p) for p in glob.glob(str(source), recursive=True))  # noqa: PTH207 - the pattern may be absolute
    else:
        files = sorted(path.rglob("*")) if path.is_dir() else [path]
    for file in files:
        if path.is_dir() and not file.is_file():
            continue
        try:
            with file.open("rb") as opened:
                yield hashlib.file_digest(opened, "sha256").hexdigest()
        except OSError:
            yield "unreadable"


def _stream_hash(stream: BinaryIO, now: str) -> str:
    if not stream.seekable():
        return now
    stream.seek(0)
    h = hashlib.sha256()
    while block := stream.read(1 << 20):
        h.update(block)
    stream.seek(0)
    return h.hexdigest()
