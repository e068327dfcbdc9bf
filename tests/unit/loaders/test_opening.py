"""Compressed, huge, binary and Windows files; pipes."""

from __future__ import annotations

import gzip
import io
import zipfile
from pathlib import Path

import pytest
import zstandard

from ragviz.loaders import read, read_many, unpacking
from ragviz.records import LoadIssue, Trace

ROW = b'{"question": "Why?", "answer": "So.", "contexts": ["x"]}\n'


def traces_in(data: bytes) -> tuple[int, list[LoadIssue]]:
    """How many traces, and the issues."""
    parts = list(read(io.BytesIO(data), filename="f"))
    return sum(isinstance(p, Trace) for p in parts), [p for p in parts if isinstance(p, LoadIssue)]


def a_zip(**files: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return out.getvalue()


@pytest.mark.parametrize("packed", [gzip.compress(ROW * 3, mtime=0), zstandard.compress(ROW * 3), a_zip(f=ROW * 3)])
def test_one_level_is_unpacked(packed: bytes) -> None:
    """gzip, zstd and a zip with one file."""
    assert traces_in(packed) == (3, [])


@pytest.mark.parametrize("packed", [gzip.compress(ROW * 300, mtime=0), zstandard.compress(ROW * 300), a_zip(f=ROW * 300)])
def test_cut_archives_are_said_to_be_damaged(packed: bytes) -> None:
    """A cut download gives one sentence."""
    count, issues = traces_in(packed[: len(packed) // 2])

    assert count == 0
    assert len(issues) == 1
    assert "damaged" in issues[0].message or "no format fits" in issues[0].message or "binary" in issues[0].message


def test_a_zip_bomb_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Beyond a free allowance, data may not grow 400 times; here the allowance is 1 MiB."""
    monkeypatch.setattr(unpacking, "RATIO_FREE_BYTES", 1 << 20)
    count, issues = traces_in(gzip.compress(b"\n" * (20 << 20)))

    assert count == 0
    assert "out of all proportion" in issues[0].message


def test_an_archive_of_several_files_is_a_folder(tmp_path: Path) -> None:
    """Its files are read as one run."""
    path = tmp_path / "a.zip"
    path.write_bytes(a_zip(**{"a.jsonl": ROW, "b/c.jsonl": ROW * 2, "notes.txt": b"hello"}))
    reading = read_many([path])
    parts = list(reading)

    assert sum(isinstance(p, Trace) for p in parts) == 3
    assert [(f.name, f.n_traces) for f in reading.files] == [("a.zip/a.jsonl", 1), ("a.zip/b/c.jsonl", 2), ("a.zip/notes.txt", 0)]


def test_a_spreadsheet_is_named() -> None:
    """.xlsx is a zip; the sentence says what to do."""
    _, issues = traces_in(a_zip(**{"[Content_Types].xml": b"<x/>", "xl/workbook.xml": b"<x/>"}))

    assert "CSV" in issues[0].fix


@pytest.mark.parametrize(
    ("data", "word"),
    [(b"", "empty"), (b" \n\n", "empty"), (bytes(range(256)) * 20, "binary"), (b"PAR1junkPAR1", "Parquet"), (b"SQLite format 3\x00" * 9, "SQLite")],
)
def test_one_clear_sentence(data: bytes, word: str) -> None:
    """Empty, binary and damaged files."""
    count, issues = traces_in(data)

    assert count == 0
    assert [word in i.message for i in issues] == [True]


def test_a_line_over_the_limit_is_one_issue(monkeypatch: pytest.MonkeyPatch) -> None:
    """The lines around it are read; here the limit is 1 KiB."""
    for module in ("utf8", "rows", "native"):
        monkeypatch.setattr(f"ragviz.loaders.{module}.LINE_BYTES", 1024)
    count, issues = traces_in(ROW + b'{"question": "' + b"x" * 5000 + b'"}\n' + ROW)

    assert count == 2
    assert [i.where for i in issues] == ["f:2"]


def test_old_mac_line_ends() -> None:
    """Excel's "CSV (Macintosh)" ends lines with a carriage return only."""
    assert traces_in(b"question,answer\rWhy?,So.\rHow?,Thus.\r")[0] == 2


def test_a_missing_file_and_a_folder() -> None:
    """Never a traceback."""
    assert "no such file" in next(iter(read("/no/such/file"))).message  # type: ignore[union-attr]
    assert "folder" in next(iter(read("/"))).message  # type: ignore[union-attr]


def test_a_pipe_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Standard input cannot be rewound: it is copied before it is recognised."""

    class Pipe(io.BytesIO):
        def seekable(self) -> bool:
            return False

        def seek(self, *_: object) -> int:
            raise OSError("pipe")

    stdin = type("Stdin", (), {"buffer": Pipe(ROW * 2)})()
    monkeypatch.setattr("sys.stdin", stdin)

    assert sum(isinstance(p, Trace) for p in read_many(["-"])) == 2


def test_an_upload_is_not_mistaken_for_a_file_of_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A stream called x.sqlite is read itself, even where another x.sqlite lies in the working folder."""
    from tests.contracts.loader_samples import SAMPLES

    (tmp_path / "x.sqlite").write_bytes(b"something else")
    monkeypatch.chdir(tmp_path)
    upload = io.BytesIO(SAMPLES["trulens"].data)
    upload.name = "x.sqlite"  # type: ignore[attr-defined]

    assert sum(isinstance(p, Trace) for p in read_many([("x.sqlite", upload)])) == 1
