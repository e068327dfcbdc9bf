"""Arrow tables for the pages: what kinds of cells become, and that pandas stays out."""

from __future__ import annotations

import csv
import io
import subprocess
import sys
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
import streamlit as st

from ragviz.ui import tables

AT = datetime(2026, 1, 2, 3, 4, 5, 678, tzinfo=UTC)


@pytest.mark.parametrize(("cells", "kind", "read"), [
    ([1, None, 3], pa.int64(), [1, None, 3]), ([np.int64(1), 2], pa.int64(), [1, 2]), ([0.5, float("nan"), 2], pa.float64(), [0.5, None, 2.0]),
    ([np.float32(0.5), np.nan], pa.float64(), [0.5, None]), ([True, None, False], pa.bool_(), [True, None, False]), (["a", None, "ü😀"], pa.string(), ["a", None, "ü😀"]),
    ([AT, None, AT.astimezone(timezone(timedelta(hours=5)))], pa.timestamp("us", tz="UTC"), [AT, None, AT]), ([1, "two"], pa.string(), ["1", "two"]),
    ([2**70, 1], pa.float64(), [float(2**70), 1.0]), (["half \ud800"], pa.string(), ["half ?"]), ([], pa.string(), []), ([None, None], pa.string(), [None, None]),
    ([datetime(2026, 1, 1)], pa.string(), ["2026-01-01 00:00:00"]), ([True, 2], pa.int64(), [1, 2]),  # noqa: DTZ001 - a time without a zone is shown as it is
])
def test_kinds(cells: list[object], kind: pa.DataType, read: list[object]) -> None:
    """Each column has one kind; what is None or NaN is a gap."""
    table = tables.of_columns({"it": cells})
    table.validate(full=True)
    assert (table["it"].type, table["it"].to_pylist()) == (kind, read)


def test_rows() -> None:
    """Columns in the order in which they are met; what a row lacks is a gap; columns may be asked for."""
    table = tables.of_rows([{"b": 1}, {"a": "x", "b": 2}], columns=["first"])
    assert table.to_pylist() == [{"first": None, "b": 1, "a": None}, {"first": None, "b": 2, "a": "x"}]
    assert tables.without_empty(table).column_names == ["b", "a"]
    assert tables.without_empty(table, ["a"]).column_names == ["first", "b", "a"]
    assert tables.of_rows([]).num_rows == 0


def test_csv() -> None:
    """No cell starts a formula, gaps are empty, line ends inside a cell stay inside."""
    text = tables.as_csv(["=head", "n"], [["=1+1", 2], [None, -0.5], ['two\nlines, and "quotes"', True]])
    assert list(csv.reader(io.StringIO(text))) == [["'=head", "n"], ["'=1+1", "2"], ["", "-0.5"], ['two\nlines, and "quotes"', "True"]]


def test_without_pandas() -> None:
    """A table drawn by Streamlit, and columns of a large run numbered, load no pandas: it would take 43 MiB of every dashboard."""
    code = (
        "import sys, numpy as np, streamlit as st; from ragviz.ui import tables; from ragviz.stats import numbering; from datetime import datetime, UTC; "
        "numbering.HASHED_FROM = 0; numbering.numbered(np.array([3, 3, 4])); numbering.places_in(np.array([1, 2]), np.array([2, 2])); "
        "t = tables.of_columns({'a': [1, None], 'b': ['x', 'y'], 'c': [0.5, None], 'd': [True, False], 'e': [datetime.now(UTC), None]}); "
        "tables.show(t, key='k', on_select='rerun', selection_mode='single-row', column_config={'a': st.column_config.TextColumn(width=9)}, placeholder='–', alt='x'); "
        "tables.show(tables.without_empty(t), alt='y', column_config={'a': st.column_config.ButtonColumn('', key='z')}); "
        "assert t.select(['a']).to_pylist() and 'pyarrow' in sys.modules; assert 'pandas' not in sys.modules"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]


def test_columns_of_sentences_say_how_to_read_them_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    """The grid cuts them; narrow columns, figures and heads with words of their own stay as they are."""
    sent: dict[str, Any] = {}
    monkeypatch.setattr(st, "dataframe", lambda _, **options: sent.update(options))
    text, figure = st.column_config.TextColumn, st.column_config.NumberColumn
    tables.show(tables.of_columns({"a": ["x"]}), alt="A", column_config={"question": text(width=262), "verdict": text(width=110), "n": figure(width=200), "claim": text(width=300, help="ours"), "why": text(width="large"), "by": text(width="small"),
                                                                             "at": text(), "hidden": None, "renamed": "ours"})

    told = {name: config["help"] for name, config in sent["column_config"].items() if isinstance(config, dict)}
    assert told == {"question": tables.READ_ALL, "verdict": None, "n": None, "claim": "ours", "why": tables.READ_ALL, "by": None, "at": None}
    assert (sent["column_config"]["hidden"], sent["column_config"]["renamed"]) == (None, "ours")


@pytest.mark.parametrize(
    ("cells", "right"),
    [
        (["0.667", "1.000", "–"], True), (["0.5 to 1.0", "+0.032 to +0.302", None], True), (["< 0.001", "0.23"], True), (["−0.167"], True), (["$0.000204", "1,024"], True),
        (["12.5 %", ""], True), (["763 ms"], True), (["too few", "0.1 to 0.2"], False), (["2024-03-01"], False), (["q01"], False), (["–", None], False), (["1 of 2"], False), ([1.5], False),
    ],
)
def test_figures_in_words_stand_at_the_right(monkeypatch: pytest.MonkeyPatch, cells: list[object], right: bool) -> None:
    """As numbers do, so that their digits stand below one another; what a caller said of the column stays."""
    sent: dict[str, Any] = {}
    monkeypatch.setattr(st, "dataframe", lambda _, **options: sent.update(options))
    tables.show(tables.of_columns({"x": cells, "hidden": cells, "left": cells}), alt="A", column_config={"hidden": None, "left": st.column_config.TextColumn(width=90, alignment="left")})

    assert sent["column_config"].get("x") == ({"alignment": "right"} if right else None)
    assert sent["column_config"]["hidden"] is None
    assert sent["column_config"]["left"]["alignment"] == "left"
