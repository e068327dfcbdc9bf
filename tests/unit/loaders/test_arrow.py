"""Arrow and Feather files, and folders that Hugging Face `datasets` saved."""

from __future__ import annotations

import builtins
import io
import json
import random
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyarrow import feather

from ragviz.loaders import read, read_many
from ragviz.loaders.sources import files_in
from ragviz.records import LoadIssue, Trace

ROWS = [
    {"question": f"How long is plan {n} refundable at Nimbus?", "answer": "30 days — “in full”.", "contexts": [f"Plan {n}: 30 days.", "Other."], "embedding": [0.1] * 3, "faithfulness": 0.5}
    for n in range(700)
]
TABLE = pa.Table.from_pylist(ROWS)


def as_file(table: pa.Table = TABLE, **options: Any) -> bytes:
    out = io.BytesIO()
    with pa.ipc.new_file(out, table.schema, options=pa.ipc.IpcWriteOptions(**options)) as writer:
        writer.write_table(table)
    return out.getvalue()


def as_stream(table: pa.Table = TABLE, **options: Any) -> bytes:
    out = io.BytesIO()
    with pa.ipc.new_stream(out, table.schema, options=pa.ipc.IpcWriteOptions(**options)) as writer:
        writer.write_table(table, max_chunksize=100)
    return out.getvalue()


def as_feather(compression: str) -> bytes:
    out = io.BytesIO()
    feather.write_feather(TABLE, out, compression=compression)
    return out.getvalue()


KINDS = {"file": as_file(), "stream": as_stream(), "lz4": as_feather("lz4"), "zstd": as_feather("zstd"), "packed stream": as_stream(compression="zstd")}


def loaded(data: bytes) -> tuple[list[Trace], list[LoadIssue]]:
    parts = list(read(io.BytesIO(data), filename="f"))
    return [p for p in parts if isinstance(p, Trace)], [p for p in parts if isinstance(p, LoadIssue)]


@pytest.mark.parametrize("data", KINDS.values(), ids=KINDS)
class TestEveryKind:
    def test_every_row_is_a_trace(self, data: bytes) -> None:
        """With its place, list cells as passages and figures as scores; arrays of numbers are left alone."""
        traces, issues = loaded(data)

        assert issues == []
        assert [(t.question, t.origin) for t in traces] == [(row["question"], f"f:{n}") for n, row in enumerate(ROWS, start=1)]
        assert [p.text for p in traces[7].passages or ()] == ROWS[7]["contexts"]
        assert [(s.name, s.value) for s in traces[7].scores] == [("faithfulness", 0.5)]
        assert not any("embedding" in t.tags for t in traces)

    def test_damage_is_told(self, data: bytes) -> None:
        """Cut anywhere or with bytes changed: traces or one sentence, never an exception."""
        rng = random.Random(7)
        cut = [data[: len(data) * n // 9] for n in range(1, 9)]
        changed = [data[:at] + bytes([data[at] ^ 0x55]) + data[at + 1 :] for at in (rng.randrange(8, len(data)) for _ in range(25))]
        for damaged in cut:
            assert any(i.rejected and i.fix for i in loaded(damaged)[1])
        for damaged in changed:
            assert all("\n" not in i.message for i in loaded(damaged)[1])

    def test_without_pyarrow(self, data: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
        """One sentence with the fix."""
        real = builtins.__import__

        def lacking(name: str, *rest: Any, **named: Any) -> Any:
            if name.split(".", maxsplit=1)[0] == "pyarrow":
                raise ImportError(name)
            return real(name, *rest, **named)

        monkeypatch.setattr(builtins, "__import__", lacking)
        traces, issues = loaded(data)

        assert traces == []
        assert [("pyarrow" in i.message, i.fix) for i in issues] == [(True, "pip install pyarrow")]


def test_rows_before_the_cut_of_a_stream_are_read() -> None:
    """A stream has no index at its end."""
    traces, issues = loaded(as_stream()[:-40_000])

    assert 0 < len(traces) < 700
    assert [(i.where, i.rejected) for i in issues] == [(f"f:{len(traces) + 1}", True)]


def test_names_of_columns_alone() -> None:
    """No rows, and it is said."""
    traces, issues = loaded(as_file(TABLE.slice(0, 0)))

    assert traces == []
    assert ["no rows" in i.message for i in issues] == [True]


ODD = {
    "string view": pa.array(["a", "b"]).cast(pa.string_view()),
    "dictionary": pa.array(["a", "b"]).dictionary_encode(),
    "union": pa.UnionArray.from_sparse(pa.array([0, 1], type=pa.int8()), [pa.array([1, 2]), pa.array(["a", "b"])]),
    "interval": pa.array([pa.MonthDayNano([1, 2, 3])] * 2),
    "run ends": pa.RunEndEncodedArray.from_arrays(pa.array([2], type=pa.int32()), pa.array(["a"])),
    "empty object": pa.array([{}, {}], type=pa.struct([])),
    "bytes": pa.array([b"\xff", b"a"]),
    "null": pa.nulls(2),
}


@pytest.mark.parametrize("kind", ODD)
def test_a_column_of_any_type_costs_nothing(kind: str) -> None:
    """Types that Parquet has no word for, too."""
    table = TABLE.slice(0, 2).append_column("more", ODD[kind])
    traces, issues = loaded(as_file(table))

    assert ([t.question for t in traces], issues) == ([row["question"] for row in ROWS[:2]], [])


def test_a_name_that_occurs_twice_is_told() -> None:
    """The first column is the one meant; the later gets a number, as in tables."""
    traces, issues = loaded(as_file(TABLE.slice(0, 2).append_column("question", pa.array(["y", "z"]))))

    assert [t.question for t in traces] == [row["question"] for row in ROWS[:2]]
    assert [("question.1" in i.message, i.rejected) for i in issues] == [(True, False)]


class TestSavedDataSets:
    """The folder that `save_to_disk` makes: dataset_info.json, state.json and data-*.arrow, or one such folder for each split."""

    def save(self, folder: Path, *tables: pa.Table) -> None:
        folder.mkdir(parents=True)
        names = [f"data-{n:05d}-of-{len(tables):05d}.arrow" for n in range(len(tables))]
        for name, table in zip(names, tables, strict=True):
            (folder / name).write_bytes(as_stream(table))
        (folder / "dataset_info.json").write_text(json.dumps({"citation": "", "description": "", "features": {}, "homepage": "", "license": ""}), encoding="utf-8")
        state = {"_data_files": [{"filename": name} for name in names], "_fingerprint": "0", "_format_columns": None, "_format_type": None, "_output_all_columns": False, "_split": "train"}
        (folder / "state.json").write_text(json.dumps(state), encoding="utf-8")

    def imported(self, folder: Path) -> tuple[int, list[LoadIssue], list[str]]:
        reading = read_many([folder])
        parts = list(reading)
        return sum(isinstance(p, Trace) for p in parts), [p for p in parts if isinstance(p, LoadIssue)], [f.name for f in reading.files]

    def test_the_data_and_nothing_else(self, tmp_path: Path) -> None:
        """Its description is no faulty file; a cache beside the data is not read twice."""
        self.save(tmp_path / "d", TABLE.slice(0, 3), TABLE.slice(3, 4))
        (tmp_path / "d" / "cache-0123.arrow").write_bytes(as_stream())

        assert self.imported(tmp_path / "d") == (7, [], ["data-00000-of-00002.arrow", "data-00001-of-00002.arrow"])

    def test_splits(self, tmp_path: Path) -> None:
        """Of a DatasetDict each split is a folder."""
        self.save(tmp_path / "d" / "test", TABLE.slice(0, 3))
        self.save(tmp_path / "d" / "train", TABLE.slice(3, 4))
        (tmp_path / "d" / "dataset_dict.json").write_text('{"splits": ["train", "test"]}', encoding="utf-8")
        (tmp_path / "d" / "more.jsonl").write_text(json.dumps({"question": "q", "answer": "a"}) + "\n", encoding="utf-8")
        count, issues, names = self.imported(tmp_path / "d")

        assert (count, [i for i in issues if i.rejected]) == (8, [])
        assert names == ["more.jsonl", "test/data-00000-of-00001.arrow", "train/data-00000-of-00001.arrow"]

    def test_one_by_one_too(self, tmp_path: Path) -> None:
        """Whoever lists the folder's files sees the data alone."""
        self.save(tmp_path / "d" / "test", TABLE.slice(0, 3))

        assert [path.name for path in files_in(tmp_path / "d")] == ["data-00000-of-00001.arrow"]

    def test_missing_data_are_told(self, tmp_path: Path) -> None:
        """By name."""
        self.save(tmp_path / "d", TABLE.slice(0, 3), TABLE.slice(3, 4))
        (tmp_path / "d" / "data-00001-of-00002.arrow").unlink()
        count, issues, _ = self.imported(tmp_path / "d")

        assert count == 3
        assert [(i.where, i.rejected) for i in issues] == [("data-00001-of-00002.arrow", True)]

    def test_names_lead_nowhere(self, tmp_path: Path) -> None:
        """A state that names a file elsewhere reads nothing there."""
        (tmp_path / "secret.arrow").write_bytes(as_stream())
        self.save(tmp_path / "d", TABLE.slice(0, 3))
        (tmp_path / "d" / "state.json").write_text('{"_data_files": [{"filename": "../secret.arrow"}, {"filename": "data-00000-of-00001.arrow"}]}', encoding="utf-8")

        assert self.imported(tmp_path / "d")[0] == 3
