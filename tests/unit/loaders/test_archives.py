"""tar, bzip2 and xz: read like zip and gzip, and as careful."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import tarfile
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard

from ragviz.loaders import read, read_many, tarballs, unpacking
from ragviz.loaders.bundle import Reading
from ragviz.records import LoadIssue, Trace

ROW = b'{"question": "How long for a refund at Nimbus?", "answer": "30 days.", "contexts": ["Within 30 days."]}\n'
PACKERS: dict[str, Callable[[bytes], bytes]] = {
    "plain": bytes, "gzip": lambda data: gzip.compress(data, mtime=0), "bzip2": bz2.compress, "xz": lzma.compress, "zstd": zstandard.compress,
}


def a_tar(*files: tuple[str, bytes], others: tuple[tarfile.TarInfo, ...] = (), form: int = tarfile.PAX_FORMAT) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=form) as archive:
        for name, data in files:
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
        for info in others:
            archive.addfile(info)
    return out.getvalue()


def imported(path: Path, data: bytes) -> tuple[list[Trace], list[LoadIssue], Reading]:
    path.write_bytes(data)
    reading = read_many([path])
    parts = list(reading)
    return [p for p in parts if isinstance(p, Trace)], [p for p in parts if isinstance(p, LoadIssue)], reading


def streamed(data: bytes) -> tuple[int, list[LoadIssue]]:
    parts = list(read(io.BytesIO(data), filename="f"))
    return sum(isinstance(p, Trace) for p in parts), [p for p in parts if isinstance(p, LoadIssue)]


@pytest.mark.parametrize("pack", PACKERS.values(), ids=PACKERS)
class TestEveryPacking:
    def test_one_file(self, pack: Callable[[bytes], bytes], tmp_path: Path) -> None:
        """Alone or in a tar, as a path or as a stream."""
        for data in (pack(ROW * 3), pack(a_tar(("x/a.jsonl", ROW * 3)))):
            assert streamed(data) == (3, [])
            traces, issues, _ = imported(tmp_path / "f", data)
            assert (len(traces), issues) == (3, [])

    def test_several_files_are_a_folder(self, pack: Callable[[bytes], bytes], tmp_path: Path) -> None:
        """In every dialect of tar; clutter is left out."""
        for form in (tarfile.USTAR_FORMAT, tarfile.GNU_FORMAT, tarfile.PAX_FORMAT):
            data = a_tar(("a.jsonl", ROW), ("b/ü" + "x" * 120 + ".jsonl" if form != tarfile.USTAR_FORMAT else "b/c.jsonl", ROW * 2), ("._a.jsonl", b"fork"), form=form)
            traces, issues, reading = imported(tmp_path / "f.tgz", pack(data))

            assert (len(traces), issues) == (3, [])
            assert [f.n_traces for f in reading.files] == [1, 2]

    def test_cut_off(self, pack: Callable[[bytes], bytes], tmp_path: Path) -> None:
        """One sentence, no traceback, wherever the cut is; of a plain tar what lies before it is read."""
        whole = pack(a_tar(("a.jsonl", ROW * 50), ("b.jsonl", ROW * 50)))
        for at in range(600, 12_000 if pack is bytes else len(whole) - 8, max(1, len(whole) // 12)):
            traces, issues, _ = imported(tmp_path / "f.tar", whole[:at])

            assert any(i.rejected and i.fix for i in issues)
            assert all("\n" not in i.message for i in issues)
            assert pack is not bytes or at < 1200 or traces

    def test_out_of_all_proportion(self, pack: Callable[[bytes], bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """Nothing grows beyond the limits; here they are small."""
        monkeypatch.setattr(unpacking, "RATIO_FREE_BYTES", 1 << 20)
        monkeypatch.setattr(unpacking, "RATIO", 20)
        monkeypatch.setattr(unpacking, "UNPACKED_BYTES", 4 << 20)
        bomb = b"\n" * (8 << 20)
        for data in (pack(a_tar(("a.jsonl", bomb))), *([pack(bomb)] if pack is not bytes else [])):
            traces, issues, _ = imported(tmp_path / "f", data)

            assert traces == []
            assert ["out of all proportion" in i.message for i in issues] == [True]


class TestTrust:
    def test_names_lead_nowhere(self, tmp_path: Path) -> None:
        """A name that climbs out of the folder is only a name: nothing is written, the content is read from the archive."""
        (tmp_path / "in").mkdir()
        traces, _, reading = imported(tmp_path / "in" / "f.tar", a_tar(("../outside.jsonl", ROW), ("/etc/passwd.jsonl", ROW)))

        assert len(traces) == 2
        assert [f.n_traces for f in reading.files] == [1, 1]
        assert sorted(p.relative_to(tmp_path).as_posix() for p in tmp_path.rglob("*")) == ["in", "in/f.tar"]

    @pytest.mark.parametrize("kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE, tarfile.FIFOTYPE])
    def test_links_are_never_followed(self, kind: bytes, tmp_path: Path) -> None:
        """Neither to a file beside the archive nor to one inside; told in one sentence."""
        (tmp_path / "secret.jsonl").write_bytes(ROW * 9)
        link = tarfile.TarInfo("link.jsonl")
        link.type, link.linkname = kind, "secret.jsonl" if kind == tarfile.SYMTYPE else "a.jsonl"
        traces, issues, _ = imported(tmp_path / "f.tar", a_tar(("a.jsonl", ROW), others=(link,)))

        assert len(traces) == 1
        assert [("left out" in i.message, i.rejected) for i in issues] == [(True, False)]

    def test_a_header_of_any_length_is_not_held_in_memory(self, tmp_path: Path) -> None:
        """Extended headers say their own length: one of 16 MiB ends the reading, with a sentence."""
        header = tarfile.TarInfo("pax")
        header.type, header.size = tarfile.XHDTYPE, 16 << 20
        data = a_tar(("a.jsonl", ROW))[:1024] + header.tobuf(tarfile.USTAR_FORMAT) + b"1" * (16 << 20) + a_tar(("b.jsonl", ROW))
        traces, issues, _ = imported(tmp_path / "f.tar", data)

        assert len(traces) == 1
        assert [("damaged" in i.message, i.rejected) for i in issues] == [(True, True)]

    def test_too_many_files(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """Here more than two."""
        monkeypatch.setattr(tarballs, "MEMBERS", 2)
        traces, issues, _ = imported(tmp_path / "f.tar", a_tar(*((f"{n}.jsonl", ROW) for n in range(3))))

        assert traces == []
        assert ["more than 2 files" in i.message for i in issues] == [True]

    def test_xz_may_not_ask_for_any_memory(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """The file says how much it needs; here 1 MiB is allowed."""
        monkeypatch.setattr(unpacking, "XZ_BYTES", 1 << 20)

        assert streamed(lzma.compress(ROW, preset=9))[0] == 0

    def test_streams_one_after_the_other(self) -> None:
        """As `cat a.xz b.xz` makes them, with the zeros that xz pads with."""
        assert streamed(bz2.compress(ROW) + bz2.compress(ROW)) == (2, [])
        assert streamed(lzma.compress(ROW) + lzma.compress(ROW) + b"\0\0\0\0") == (2, [])

    def test_a_stream_of_several_files_says_what_to_do(self) -> None:
        """Uploads are one file."""
        count, issues = streamed(gzip.compress(a_tar(("a.jsonl", ROW), ("b.jsonl", ROW))))

        assert count == 0
        assert [("2 files" in i.message, "folder" in i.fix) for i in issues] == [(True, True)]

    def test_an_empty_archive(self, tmp_path: Path) -> None:
        """One sentence."""
        link = tarfile.TarInfo("d")
        link.type = tarfile.DIRTYPE
        assert [i.message.endswith("holds no files") for i in imported(tmp_path / "f.tar", a_tar(others=(link,)))[1]] == [True]
