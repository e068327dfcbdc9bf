"""
Rows for ``st.dataframe``, as Arrow tables: what is sent to the browser anyway.

Streamlit takes them as they are. A pandas frame would be turned into one first, and pandas alone takes 43 MiB of every dashboard and a third of a second of its
start.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np
import pyarrow as pa
import streamlit as st

from ragviz.records.ids import digest
from ragviz.text.cells import safe_cell

Cells = Sequence[Any]
READ_ALL = "Double-click a cell, or press Enter on it, to read all of it."
"""A grid cuts long words at the column's edge; the heads of columns that may hold some say so."""
CUTS_FROM = 160
"""px: columns of words that are as wide as this hold sentences."""
MOST_LOOKED_AT = 1_000
GAP = "–"
_ONE = r"[+−-]?[$£€]?\d[\d,]*(\.\d+)?( ?%| ms| s)?"
_FIGURE = re.compile(rf"(< )?{_ONE}( to {_ONE})?")
"""A number, a share, a duration, a price, or an interval of two."""
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def show(table: pa.Table, *, alt: str, **options: Any) -> Any:
    """
    ``st.dataframe`` without row numbers; ``alt``: what it shows, for those who cannot see it. Gives what is selected where ``on_select`` asks for it.

    Never sent in parts: to find out whether it should be, Streamlit would load pandas.
    """
    told = {name: _told(config) for name, config in options.get("column_config", {}).items()}
    options = options | {"column_config": told | {name: _to_the_right(told.get(name, {})) for name in table.column_names if _holds_figures(table[name])}}
    return st.dataframe(table, hide_index=True, lazy=False, alt=alt, **options)


def key_of(name: str, what: Iterable[object]) -> str:
    """A key that names what its widget is about: a choice by position must not move to another row when the list changes, nor a press to other traces."""
    return f"{name}-{digest(map(repr, what), length=12)}"


def _told(config: Any) -> Any:
    """A column of sentences says at its head how to read what is cut."""
    if not isinstance(config, Mapping) or (config.get("type_config") or {}).get("type") != "text":
        return config
    width = config.get("width")
    cuts = width >= CUTS_FROM if isinstance(width, int) else width == "large"
    return {**config, "help": config.get("help") or READ_ALL} if cuts else config


def _holds_figures(cells: pa.ChunkedArray) -> bool:
    """Numbers that were rounded for reading are words to the grid; they still stand below one another by their last digit."""
    if cells.type != pa.string() or len(cells) > MOST_LOOKED_AT:
        return False
    words = [word for word in cells.to_pylist() if word and word != GAP]
    return bool(words) and all(map(_FIGURE.fullmatch, words))


def _to_the_right(config: Any) -> Any:
    """A hidden column (None) and one that is only renamed stay as they are."""
    return {**config, "alignment": config.get("alignment") or "right"} if isinstance(config, Mapping) else config


def of_columns(columns: Mapping[str, Cells]) -> pa.Table:
    """A table out of its columns, all of one length. None and NaN are gaps."""
    return pa.Table.from_arrays([_column(cells) for cells in columns.values()], names=list(columns))


def of_rows(rows: Iterable[Mapping[str, object]], columns: Iterable[str] = ()) -> pa.Table:
    """One row a mapping, columns in the order in which they are met; what a row lacks is a gap. ``columns``: those that are there in any case, and first."""
    known = list(rows)
    names = dict.fromkeys([*columns, *(name for row in known for name in row)])
    return of_columns({name: [row.get(name) for row in known] for name in names})


def without_empty(table: pa.Table, names: Collection[str] | None = None) -> pa.Table:
    """The same without those of the columns ``names`` (None: of all) that no row fills; empty words fill nothing."""
    return table.drop_columns([name for name in table.column_names if (names is None or name in names) and not is_filled(table, name)])


def is_filled(table: pa.Table, name: str) -> bool:
    """Whether any row has something in this column."""
    cells = table[name]
    # Times are not taken out of the table: pyarrow loads pandas to make some of them.
    return cells.null_count < len(cells) and (cells.type != pa.string() or any(cells.to_pylist()))


def as_csv(head: Iterable[str], rows: Iterable[Iterable[object]]) -> str:
    """The same for a spreadsheet: no cell starts a formula, gaps are empty."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(map(safe_cell, head))
    for row in rows:
        writer.writerow([safe_cell(cell) if isinstance(cell, str) else cell for cell in row])
    return out.getvalue()


def _column(cells: Cells) -> Any:
    """
    One column: whole numbers, numbers, yes and no, times, else words, which hold everything.

    Put together from its bytes: ``pyarrow.array`` loads pandas to ask whether it was given some.
    """
    filled = [None if cell != cell else cell for cell in cells]  # noqa: PLR0124 - the NaN test
    kinds = {type(cell) for cell in filled if cell is not None}
    if kinds and kinds <= {bool, np.bool_}:
        return _packed(pa.bool_(), filled, np.packbits([bool(cell) for cell in filled], bitorder="little"))
    if kinds and all(issubclass(kind, (int, np.integer)) for kind in kinds) and all(cell is None or abs(cell) < 2**63 for cell in filled):
        return _packed(pa.int64(), filled, np.array([cell or 0 for cell in filled], dtype=np.int64))
    if kinds and all(issubclass(kind, (int, float, np.integer, np.floating)) for kind in kinds):
        return _packed(pa.float64(), filled, np.array([cell or 0.0 for cell in filled], dtype=np.float64))
    if kinds and kinds <= {datetime} and all(cell is None or cell.tzinfo is not None for cell in filled):
        return _packed(
            pa.timestamp("us", tz="UTC"),
            filled,
            np.array([0 if cell is None else (cell - _EPOCH) // timedelta(microseconds=1) for cell in filled], dtype=np.int64),
        )
    # Half a surrogate pair is no text that could be sent.
    words = [b"" if cell is None else str(cell).encode("utf-8", "replace") for cell in filled]
    ends = np.cumsum([0, *map(len, words)], dtype=np.int32)
    return _packed(pa.string(), filled, ends, b"".join(words))


def _packed(kind: pa.DataType, cells: Cells, *values: Any) -> Any:
    there = np.packbits([cell is not None for cell in cells], bitorder="little") if None in cells else None
    return pa.Array.from_buffers(kind, len(cells), [None if there is None else pa.py_buffer(there), *map(pa.py_buffer, values)])
