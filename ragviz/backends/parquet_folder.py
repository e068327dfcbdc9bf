"""A folder of Parquet files, on a disk or in an object store: the same calls for both."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from ragviz.errors import InputError

_FIX = "check the address and that it can be read and written from here"


class Folder:
    """
    Files below a path (``traces``) or an address (``s3://bucket/traces``, ``gs://…``, ``file:///…``). Names are relative, with slashes.

    Credentials are those that pyarrow finds by itself (environment, instance role); none are kept here.
    """

    def __init__(self, address: str) -> None:
        """
        Args:
            address: Where. A path on this machine is made absolute, for workers that stand in another folder.

        Raises:
            InputError: No such kind of address.
        """
        import pyarrow as pa  # noqa: PLC0415 - 200 ms, only here
        from pyarrow import fs  # noqa: PLC0415

        self.address = address if "://" in address else str(Path(address).absolute())
        self._faults = (OSError, pa.ArrowException)
        try:
            self._fs, root = fs.FileSystem.from_uri(self.address) if "://" in address else (fs.LocalFileSystem(), self.address)
        except (*self._faults, ValueError) as exc:
            raise InputError(
                f"{address} is no address of files: {_first_line(exc)}", fix="use a folder, s3://bucket/folder, gs://bucket/folder or file:///folder"
            ) from exc
        self._root = root.rstrip("/")
        self._local = self._fs.type_name == "local"

    def files(self) -> list[str]:
        """Names of its Parquet files, at any depth, sorted; those that are hidden or under way are left out. [] when it does not exist."""
        from pyarrow import fs  # noqa: PLC0415

        try:
            found = self._fs.get_file_info(fs.FileSelector(self._root, recursive=True, allow_not_found=True))
        except self._faults as exc:
            raise InputError(f"{self.address} cannot be listed: {_first_line(exc)}", fix=_FIX) from exc
        names = [info.path[len(self._root) + 1 :] for info in found if info.type == fs.FileType.File]
        return sorted(name for name in names if name.endswith(".parquet") and not any(part.startswith((".", "_")) for part in name.split("/")))

    def row_groups(self, name: str) -> list[int]:
        """Rows of each row group of a file; reads its end only."""
        with self._opened(name) as file:
            return [file.metadata.row_group(n).num_rows for n in range(file.metadata.num_row_groups)]

    def columns(self, name: str) -> set[str]:
        """Names of the columns of a file."""
        with self._opened(name) as file:
            return set(file.schema_arrow.names)

    def rows(self, name: str, group: int, columns: Sequence[str] | None = None) -> list[dict[str, Any]]:
        """One row group."""
        with self._opened(name) as file:
            try:
                return list(file.read_row_group(group, columns=list(columns) if columns else None).to_pylist())
            except self._faults as exc:
                raise InputError(f"{name} is damaged: {_first_line(exc)}", fix="write or copy the file again") from exc

    def write_rows(self, name: str, rows: Sequence[Mapping[str, Any]], columns: Mapping[str, Literal["text", "count", "number"]]) -> None:
        """A file of one row group with these columns; appears when it is complete."""
        import pyarrow as pa  # noqa: PLC0415
        import pyarrow.parquet as pq  # noqa: PLC0415

        out = pa.BufferOutputStream()
        kinds = {"text": pa.string(), "count": pa.int32(), "number": pa.float64()}
        schema = pa.schema([(column, kinds[kind]) for column, kind in columns.items()])
        pq.write_table(pa.Table.from_pylist(list(rows), schema=schema), out, compression="zstd")
        self.write(name, out.getvalue().to_pybytes())

    def read(self, name: str) -> bytes | None:
        """A file's bytes; None when there is no such file."""
        try:
            with self._fs.open_input_stream(f"{self._root}/{name}") as source:
                return bytes(source.read())
        except FileNotFoundError:
            return None
        except self._faults as exc:
            raise InputError(f"{self.address}/{name} cannot be read: {_first_line(exc)}", fix=_FIX) from exc

    def write(self, name: str, raw: bytes) -> None:
        """Bytes to a file, whole or not at all. An object appears when its upload is complete; on a disk the finished file is moved to its name."""
        try:
            if self._local:
                self._fs.create_dir(self._root, recursive=True)
            made = f"{self._root}/.{name.rsplit('/', 1)[-1]}.{secrets.token_hex(6)}" if self._local else f"{self._root}/{name}"
            with self._fs.open_output_stream(made) as out:
                out.write(raw)
            if self._local:
                self._fs.move(made, f"{self._root}/{name}")
        except self._faults as exc:
            raise InputError(f"{self.address}/{name} cannot be written: {_first_line(exc)}", fix=_FIX) from exc

    def _opened(self, name: str) -> Any:
        import pyarrow.parquet as pq  # noqa: PLC0415

        try:
            return pq.ParquetFile(self._fs.open_input_file(f"{self._root}/{name}"), pre_buffer=False)
        except self._faults as exc:
            raise InputError(f"{name} is not a complete Parquet file: {_first_line(exc)}", fix="write or copy the file again") from exc


def _first_line(exc: BaseException) -> str:
    return (str(exc) or type(exc).__name__).splitlines()[0][:200]
