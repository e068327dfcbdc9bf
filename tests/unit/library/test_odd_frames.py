"""Data frames as notebooks really hold them: each row becomes a trace or an issue, or the frame is refused in a sentence that names the place."""

from __future__ import annotations

import copy
import json
import pickle
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import ragviz
from ragviz.errors import InputError, UnknownName

PASSAGE = "It takes 30 days."
GOOD: dict[str, list[Any]] = {
    "question": ["How long?", "And abroad?"],
    "answer": ["It takes 30 days.", "It takes 90 days."],
    "contexts": [[PASSAGE], [PASSAGE]],
}


class Document:
    """As frameworks have them."""

    page_content, metadata = PASSAGE, {"source": "x.md"}


class Rows:
    """A frame of Polars, as far as it is asked."""

    columns = tuple(GOOD)

    def to_dicts(self) -> list[dict[str, Any]]:
        return [dict(zip(GOOD, row, strict=True)) for row in zip(*GOOD.values(), strict=True)]

    def to_dict(self, *, as_series: bool = True) -> dict[str, Any]:
        raise AssertionError("that is by column")


def verdicts(frame: object) -> list[str]:
    """Of every claim."""
    return [c.verdict for t in ragviz.evaluate(frame).traces for c in t.claims]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "contexts",
    [
        [np.array([PASSAGE]), np.array([PASSAGE], dtype=object)],
        [np.array([[PASSAGE]]), np.array([PASSAGE, np.nan], dtype=object)],
        [(PASSAGE,), {PASSAGE}],
        [frozenset([PASSAGE]), PASSAGE],
        [pd.Series([PASSAGE]), pd.array([PASSAGE])],
        [[{"text": PASSAGE}], [{"page_content": PASSAGE}]],
        [[Document()], [Document()]],
        [pd.DataFrame({"text": [PASSAGE]}), pd.DataFrame({"content": [PASSAGE]})],
    ],
    ids=["arrays", "nested arrays", "tuple and set", "frozenset and text", "series", "dicts", "documents", "frames"],
)
def test_passages_in_any_kind_of_list(contexts: list[Any]) -> None:
    """The same verdicts as lists of texts give."""
    assert verdicts(pd.DataFrame({**GOOD, "contexts": contexts})) == ["supported", "contradicted"]


@pytest.mark.parametrize(
    "frame",
    [
        pd.DataFrame(GOOD, index=[0, 0]),
        pd.DataFrame(GOOD, index=["x", None]),
        pd.DataFrame(GOOD, index=pd.MultiIndex.from_tuples([(1, 2), (1, 3)])),
        pd.DataFrame({**GOOD, "question": pd.Categorical(GOOD["question"]), "answer": pd.Categorical(GOOD["answer"])}),
        pd.DataFrame(GOOD).convert_dtypes(),
        pd.DataFrame({**GOOD, "answer": [a.encode() for a in GOOD["answer"]]}),
        pd.DataFrame({**GOOD, "when": pd.period_range("2026-01", "2026-02", freq="M"), "took": [pd.Timedelta("1s"), pd.NaT]}),
        pd.DataFrame({**GOOD, "score": [np.inf, np.nan], "at": [pd.NaT, pd.Timestamp("2026-01-01")], "id": [1, np.nan], 7: [1, 2]}),
        pa.table(GOOD),
        Rows(),
    ],
    ids=["index twice", "index of texts", "index of levels", "categorical", "own types", "bytes", "periods", "odd cells", "Arrow", "Polars"],
)
def test_frames_of_every_make(frame: object) -> None:
    """What does not matter changes nothing."""
    assert verdicts(frame) == ["supported", "contradicted"]


@pytest.mark.parametrize(
    ("name", "value", "told"),
    [
        ("answer", np.nan, "no answer in this record"),
        ("answer", None, "no answer in this record"),
        ("answer", pd.NA, "no answer in this record"),
        ("answer", "half \ud800 a character", ""),
        ("contexts", np.nan, ""),
        ("contexts", np.array([], dtype=object), ""),
        ("question", pd.NA, ""),
    ],
)
def test_a_cell_without_a_value_costs_no_other_row(name: str, value: object, told: str) -> None:
    """Its row is an issue by its number, or a trace that says what it lacks."""
    found = ragviz.evaluate(pd.DataFrame({n: pd.Series([column[0], value if n == name else column[1]], dtype=object) for n, column in GOOD.items()}))

    assert (len(found.traces), found.traces[0].claims[0].verdict) == (2, "supported")
    assert [(i.where.rpartition(":")[2], told in i.message) for i in found.issues if told] == ([("2", True)] if told else [])


def test_a_row_of_nothing_is_named() -> None:
    """Every cell is NaN."""
    found = ragviz.evaluate(pd.DataFrame({n: pd.Series([column[0], np.nan], dtype=object) for n, column in GOOD.items()}))

    assert (len(found.traces), [i.where for i in found.issues]) == (1, ["rows.jsonl:2"])


def circle() -> list[Any]:
    """A list that holds itself."""
    found: list[Any] = [PASSAGE]
    found.append(found)
    return found


@pytest.mark.parametrize(("value", "told"), [
    (object(), "no text, number, list or dict: object"), (1j, "complex"), (b"\xff", "no UTF-8"), (circle(), "holds itself"), (iter([PASSAGE]), "list_iterator"),
])
def test_a_value_that_is_none_of_a_file_is_refused_by_row_and_column(value: object, told: str) -> None:
    """A sentence, with the place and the way out."""
    frame = pd.DataFrame({**GOOD, "contexts": pd.Series([[PASSAGE], value], dtype=object)})

    with pytest.raises(InputError) as caught:
        ragviz.evaluate(frame)

    assert caught.value.message.startswith("row 2, contexts: ")
    assert told in caught.value.message
    assert caught.value.fix


@pytest.mark.parametrize(
    ("frame", "told"),
    [
        (pd.DataFrame(), "has no rows"),
        (pd.DataFrame(columns=list(GOOD)), "has no rows"),
        (pd.DataFrame(GOOD)["answer"], "single column"),
        (pa.table(GOOD).slice(0, 0), "has no rows"),
        (pd.concat([pd.DataFrame(GOOD), pd.DataFrame({"answer": ["x", "y"]})], axis=1), "several columns are named answer"),
        (pd.DataFrame([["q", "a"]], columns=pd.MultiIndex.from_tuples([("x", "question"), ("x", "answer")])), "several levels"),
        (pd.DataFrame([["q", "a", [PASSAGE]]]), "names found: 0, 1, 2"),
        (pd.DataFrame({"x": [1]}), "no column holds"),
    ],
    ids=["empty", "columns alone", "a series", "empty Arrow", "columns twice", "levels", "numbered", "other columns"],
)
def test_a_frame_that_cannot_be_read_is_refused(frame: object, told: str) -> None:
    """One sentence; pandas warns of nothing."""
    with pytest.raises(InputError, match=told) as caught:
        ragviz.evaluate(frame)  # type: ignore[arg-type]

    assert caught.value.fix


class TestTablesThatAreNoneYet:
    ROW = {"question": ["How long is it?"], "answer": ["It is 2 years."], "passages": [["It is 2 years."]]}  # noqa: RUF012

    def test_batches_of_arrow_are_read(self) -> None:
        """As a reader gives them: they are one table."""
        assert len(ragviz.evaluate(pa.table(self.ROW).to_reader()).traces) == 1

    def test_a_lazy_frame_is_told_how(self) -> None:
        """One sentence, and the call that helps; not a warning of Polars."""
        class LazyFrame:
            columns = ("question", "answer")

            def collect(self) -> None: ...

            def collect_schema(self) -> None: ...

        with pytest.raises(InputError, match="LazyFrame has not been worked out yet") as told:
            ragviz.evaluate(LazyFrame())

        assert ".collect()" in told.value.fix

    @pytest.mark.parametrize("unit", ["s", "ms", "us"])
    def test_a_moment_beyond_python_is_told(self, unit: str) -> None:
        """No bare OverflowError."""
        with pytest.raises(InputError, match="beyond what Python holds"):
            ragviz.evaluate(pa.table({**self.ROW, "when": pa.array([2**62], pa.timestamp(unit))}))


@pytest.mark.parametrize(
    "rows",
    [
        pd.DataFrame({"a": ["x"], "ctx": ["y"], "zz": ["z"]}),
        [{"a": "x", "ctx": "y", "zz": "z"}],
        pa.table({"a": ["x"], "ctx": ["y"], "zz": ["z"]}),
        {"a": "x", "ctx": "y", "zz": "z"},
        [{}],
        [{"a": None}],
    ],
    ids=["frame", "dicts", "arrow", "one dict", "empty dict", "nothing in it"],
)
def test_faults_of_rows_name_no_file(rows: Any) -> None:
    """Nobody gave one: the sentence speaks of the rows, and names the columns where there are several."""
    with pytest.raises(InputError) as fault:
        ragviz.evaluate(rows)

    assert "rows.jsonl" not in fault.value.message + fault.value.fix
    assert fault.value.message.startswith(("no format fits the rows", "the rows", "row 1"))
    assert "column names found: a, ctx, zz" in fault.value.message or "zz" not in str(rows)


def test_a_file_that_is_called_so_keeps_its_name(tmp_path: Path) -> None:
    """The name of a file that is there is the user's word for it."""
    (tmp_path / "rows.jsonl").write_text('{"a": "x", "ctx": "y"}\n')

    with pytest.raises(InputError, match=r"rows\.jsonl: no format fits"):
        ragviz.evaluate(tmp_path / "rows.jsonl")


@pytest.mark.parametrize("name", ["recall_at_3", "faithfullness", "", "NAME"])
def test_a_figure_that_is_not_there_names_those_that_are(name: str) -> None:
    """Ours and Python's own kind of error; all else is as of any dict, in JSON and in copies too."""
    summary = ragviz.evaluate(pd.DataFrame(GOOD)).summary

    with pytest.raises(UnknownName, match="faithfulness") as fault:
        summary[name]

    assert isinstance(fault.value, KeyError)
    assert name in fault.value.message
    assert (summary.get(name), name in summary) == (None, False)
    assert json.loads(msgspec.json.encode(summary)) == json.loads(msgspec.json.encode(dict(summary)))
    assert pickle.loads(pickle.dumps(summary)) == copy.deepcopy(summary) == summary
