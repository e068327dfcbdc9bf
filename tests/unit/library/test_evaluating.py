"""``ragviz.evaluate``, ``ragviz.difference`` and the frames: rows and files in, objects out."""

from __future__ import annotations

import copy
import datetime as dt
import gc
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import ragviz
from ragviz.errors import InputError
from ragviz.judges.local import LocalJudge
from ragviz.library import kept
from ragviz.library.wording import in_python
from ragviz.store import open_store

WORDS = LocalJudge(embeddings=False)
PASSAGE = "The kettle holds 1.7 litres. The warranty lasts two years."
ROWS = [
    {"user_input": "How long is the warranty?", "response": "The warranty lasts five years.", "retrieved_contexts": [PASSAGE], "reference": "The warranty lasts two years."},
    {"user_input": "How much does it hold?", "response": "The kettle holds 1.7 litres.", "retrieved_contexts": [PASSAGE], "reference": "The kettle holds 1.7 litres."},
]


def rows_as_file(folder: Path) -> Path:
    """The same rows as a frame would write them."""
    path = folder / "traces.jsonl"
    path.write_text(pd.DataFrame(ROWS).to_json(orient="records", lines=True), encoding="utf-8")
    return path


@pytest.mark.parametrize("shape", ["dicts", "generator", "frame", "path", "text", "paths"])
def test_rows_and_files_of_any_shape_are_judged_alike(shape: str, tmp_path: Path) -> None:
    """One contradicted, one supported, whatever brings them."""
    path = rows_as_file(tmp_path)
    traces: dict[str, Any] = {"dicts": ROWS, "generator": (row for row in ROWS), "frame": pd.DataFrame(ROWS), "path": path, "text": str(path), "paths": [path]}

    found = ragviz.evaluate(traces[shape], judge=WORDS)

    assert [c.verdict for t in found.traces for c in t.claims] == ["contradicted", "supported"]
    assert (found.summary["faithfulness"].macro, found.summary["faithfulness"].n) == (0.5, 2)


def test_scores_of_the_rows_are_columns_beside_ours() -> None:
    """Two tools' faithfulness stay two columns; a row without one has a gap."""
    found = ragviz.evaluate([ROWS[0] | {"faithfulness": 0.9}, ROWS[1]], judge=WORDS)

    frame = ragviz.traces_frame(found)

    assert (frame["faithfulness"].tolist(), frame["faithfulness (imported)"].fillna(-1).tolist()) == ([0.0, 1.0], [0.9, -1.0])
    assert (found.imported_scores["faithfulness"].mean, found.imported_scores["faithfulness"].n, found.imported_scores["faithfulness"].missing) == (0.9, 1, 1)


def test_one_dict_is_one_trace() -> None:
    """A single row needs no list."""
    assert len(ragviz.evaluate(ROWS[0], judge=WORDS).traces) == 1


def test_values_of_numpy_and_dates_are_read() -> None:
    """A frame holds arrays and times where a file holds lists and texts."""
    row = ROWS[1] | {"retrieved_contexts": np.array([PASSAGE]), "asked": dt.datetime(2026, 3, 9, tzinfo=dt.UTC), "score": np.float32(0.5), "nothing": float("nan")}

    assert ragviz.evaluate([row], judge=WORDS).traces[0].claims[0].verdict == "supported"


def test_a_run_stays_in_the_store_that_is_named(tmp_path: Path) -> None:
    """So that the dashboard can open it; a store that is open already stays open."""
    ragviz.evaluate(ROWS, judge=WORDS, store=tmp_path / "runs.sqlite", run="nightly")
    with_store = open_store(str(tmp_path / "runs.sqlite"))

    again = ragviz.evaluate(ROWS, judge=WORDS, store=with_store, run="nightly")

    assert [r.name for r in with_store.runs()] == ["nightly"]
    assert again.run == "nightly"
    with_store.close()


def test_a_stored_run_is_evaluated_by_its_name(tmp_path: Path) -> None:
    """No file is needed again."""
    ragviz.evaluate(ROWS, judge=WORDS, store=tmp_path / "runs.sqlite", run="nightly")

    found = ragviz.evaluate("nightly", judge=WORDS, store=tmp_path / "runs.sqlite")

    assert (found.run, len(found.traces)) == ("nightly", 2)


def test_a_row_that_cannot_be_read_is_an_issue_and_the_rest_is_judged() -> None:
    """Its line is its place in the list."""
    found = ragviz.evaluate([ROWS[0], {"colour": "red"}, ROWS[1]], judge=WORDS)

    assert len(found.traces) == 2
    assert [(issue.where, bool(issue.fix)) for issue in found.issues] == [("rows.jsonl:2", True)]


@pytest.mark.parametrize("traces", [3, [], [1], [{"a": object()}], "no-such-file.jsonl"])
def test_what_cannot_be_read_is_said_with_a_way_out(traces: object) -> None:
    """Never a traceback of a loader."""
    with pytest.raises(InputError) as caught:
        ragviz.evaluate(traces, judge=WORDS)

    assert caught.value.fix


def test_unusual_columns_are_named_in_our_words_or_refused() -> None:
    """A slip in the name of a field is told, not ignored."""
    row = {"prompt": "How much does it hold?", "said": "The kettle holds 1.7 litres.", "found": [PASSAGE]}

    found = ragviz.evaluate([row], fields={"question": "prompt", "response": "said", "passages": "found"}, judge=WORDS)

    assert (found.traces[0].question, found.traces[0].claims[0].verdict) == ("How much does it hold?", "supported")
    with pytest.raises(InputError):
        ragviz.evaluate([row], fields={"querry": "prompt"}, judge=WORDS)


def test_a_notebook_shows_one_line() -> None:
    """Not every claim of every trace."""
    found = ragviz.evaluate(ROWS, judge=WORDS)

    assert repr(found).startswith("<Evaluation of 'rows': 2 traces, 2 claims, judge local")
    assert len(repr(found)) < 250
    assert len(repr(ragviz.difference(ROWS, ROWS, judge=WORDS))) < 250


def test_frames_have_a_row_for_each_claim_trace_and_metric() -> None:
    """A missing value is missing, never 0; places stay whole numbers."""
    found = ragviz.evaluate([*ROWS, {"user_input": "Colour?", "response": "The kettle is red.", "retrieved_contexts": [PASSAGE]}], judge=WORDS)

    claims, traces, summary = ragviz.claims_frame(found), ragviz.traces_frame(found), ragviz.summary_frame(found)

    assert list(claims["verdict"]) == ["contradicted", "supported", "not_supported"]
    first = claims.iloc[0]
    assert PASSAGE[first["start"] : first["end"]] == first["quote"]
    assert pd.isna(claims.iloc[2]["start"])
    assert list(traces["faithfulness"]) == [0.0, 1.0, 0.0]
    assert pd.isna(traces.iloc[2]["correctness"])
    assert set(summary["metric"]) == set(found.summary)


def test_what_is_missing_in_a_frame_is_missing_alike_and_has_a_reason() -> None:
    """Figures are numbers also in a column without any; the reason stands beside them."""
    found = ragviz.evaluate([*ROWS[:1], {"user_input": "Colour?", "response": None, "retrieved_contexts": [PASSAGE], "faithfulness": None}], judge=WORDS)

    claims, traces, summary = ragviz.claims_frame(found), ragviz.traces_frame(found), ragviz.summary_frame(found).set_index("metric")

    for frame in (claims, traces, summary):
        assert {str(kind) for kind in frame.dtypes} <= {"float64", "Int64", "string"}
        assert not any(value is None for value in frame.to_numpy(dtype=object).ravel())
    assert traces["reason"].tolist() == ["", "faithfulness: the file does not say what was answered; correctness: the file has no expected answer; relevance: the file does not say what was answered"]
    assert summary.loc["recall_at_5", "reason"] == "no passage is labelled as relevant or not"
    assert np.isnan(summary.loc["recall_at_5", "macro"])
    assert summary.loc[["faithfulness", "recall_at_5"], ["lo", "hi"]].isna().all(axis=None)


def test_frames_of_no_claims_have_their_columns() -> None:
    """So that code written for a full run works on an empty one."""
    found = ragviz.evaluate([{"user_input": "Why?", "response": "I don't know.", "retrieved_contexts": [PASSAGE]}], judge=WORDS)

    assert list(ragviz.claims_frame(found).columns)[:5] == ["trace", "question", "claim", "text", "verdict"]
    assert len(ragviz.claims_frame(found)) == 0


def test_two_runs_are_compared_pair_by_pair() -> None:
    """The claim that was wrong is right now."""
    better = [ROWS[0] | {"response": "The warranty lasts two years."}, ROWS[1]]

    found = ragviz.difference(ROWS, better, judge=WORDS)

    (row,) = [m for m in found.metrics if m.metric == "faithfulness"]
    assert (row.base, row.candidate, row.n) == (0.5, 1.0, 2)


def test_two_evaluations_are_compared_without_judging_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In memory or in a store that was named, on either side, beside plain rows; a copy has only the numbers."""
    better = [ROWS[0] | {"response": "The warranty lasts two years."}, ROWS[1]]
    was, stored = ragviz.evaluate(ROWS, judge=WORDS), ragviz.evaluate(better, judge=WORDS, store=tmp_path / "runs.sqlite", run="new")

    mixed = ragviz.difference(was, better, judge=WORDS)
    monkeypatch.setattr(LocalJudge, "judge", lambda *_: pytest.fail("judged again"))
    found = ragviz.difference(was, stored)

    for difference in (mixed, found):
        assert [(m.base, m.candidate) for m in difference.metrics if m.metric == "faithfulness"] == [(0.5, 1.0)]
    assert (len(found.claim_flips), found.unfair) == (len(mixed.claim_flips), mixed.unfair)
    with pytest.raises(InputError, match="does not know its traces") as caught:
        ragviz.difference(copy.copy(was), stored)
    assert "ragviz.evaluate returned" in caught.value.fix


def test_a_result_that_is_gone_takes_its_traces_along() -> None:
    """A loop over many files must not keep them all."""
    gc.collect()  # what earlier tests left
    before = len(kept._KEPT)
    found = ragviz.evaluate(ROWS, judge=WORDS)
    assert len(kept._KEPT) == before + 1

    del found
    gc.collect()

    assert len(kept._KEPT) == before


OPTION = re.compile(r"--\w|(?<!\w)-k\b")


@pytest.mark.parametrize("traces", [[{"colour": "red"}], [ROWS[0], {"colour": "red"}], [{"question": "q?", "contexts": ["c"]}] * 2, [{"Frage": "q?", "Antwort": "a", "Kontext": "c"}]], ids=["nothing", "one row", "no answers", "translated"])
def test_advice_names_arguments_not_options(traces: list[dict[str, Any]]) -> None:
    """What the command line calls --map is ``fields`` here: in faults and in issues."""
    try:
        found = ragviz.evaluate(traces, judge=WORDS)
        told = " ".join(f"{issue.message} {issue.fix}" for issue in found.issues)
    except InputError as fault:
        told = f"{fault} {fault.message} {fault.fix}"

    assert "fields" in told
    assert not OPTION.search(told)


def test_a_wrong_field_is_told_in_the_words_of_the_call() -> None:
    """Not as --map querry=prompt."""
    with pytest.raises(InputError) as caught:
        ragviz.evaluate(ROWS, fields={"querry": "prompt"}, judge=WORDS)

    assert str(caught.value) == """fields={"querry": "prompt"}: no field named 'querry'"""


@pytest.mark.parametrize(("option", "argument"), [
    ("name the columns with --map question=…, --map response=…, --map passages=…", 'name the columns with fields={"question": "…", "response": "…", "passages": "…"}'),
    ("for example --map question=prompt --map passages=chunks[].body", 'for example fields={"question": "prompt", "passages": "chunks[].body"}'),
    ("try --format generic with --map, or export the file again", 'try format="generic" with fields, or export the file again'), ("leave --format out, or name another one", "leave format out, or name another one"),
    ("open it together with the file of documents (--documents)", "open it together with the file of documents (documents=…)"), ("choose another file with --store; this one", "choose another file with store=…; this one"),
])
def test_each_option_has_its_argument(option: str, argument: str) -> None:
    """The sentences as loaders and stores write them."""
    assert in_python(option) == argument


def test_import_alone_loads_nothing_heavy() -> None:
    """The names are there, what is behind them loads with the first use."""
    code = "import sys, ragviz; assert 'evaluate' in dir(ragviz); print(sorted({m.partition('.')[0] for m in sys.modules} & {'torch', 'plotly', 'pandas', 'anthropic', 'numpy', 'streamlit'}))"

    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip() == "[]"


def test_unknown_names_are_attribute_errors() -> None:
    """As of any module."""
    with pytest.raises(AttributeError):
        ragviz.no_such_name  # noqa: B018


@pytest.mark.parametrize(
    ("called", "said"),
    [
        (lambda: ragviz.evaluate(ROWS, k=0), "whole number from 1"), (lambda: ragviz.evaluate(ROWS, k=-1), "whole number from 1"), (lambda: ragviz.evaluate(ROWS, k="3"), "whole number from 1"),
        (lambda: ragviz.evaluate(ROWS, k=1.5), "whole number from 1"), (lambda: ragviz.evaluate(ROWS, k=True), "whole number from 1"), (lambda: ragviz.difference(ROWS, ROWS, k=0), "whole number from 1"),
        (lambda: ragviz.evaluate(ROWS, policy="nope"), "no policy 'nope'"), (lambda: ragviz.evaluate(ROWS, store=5), "store is int"),
        (lambda: ragviz.claims_frame([]), "list is no evaluation"), (lambda: ragviz.traces_frame(None), "NoneType is no evaluation"), (lambda: ragviz.summary_frame({}), "dict is no evaluation"),
    ],
)
def test_arguments_of_another_kind_are_refused(called: Callable[[], object], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a fix, and before anything is judged by them: ``k=-1`` would leave the last passage out, ``store=5`` make a file of that name."""
    monkeypatch.chdir(tmp_path)

    with pytest.raises(InputError, match=said) as found:
        called()

    assert found.value.fix
    assert list(tmp_path.iterdir()) == []


def test_numbers_of_numpy_and_no_judge_are_as_good() -> None:
    """What a notebook has at hand."""
    assert ragviz.evaluate(ROWS, k=np.int64(1)).k == 1
    assert ragviz.check("The warranty lasts five years.", ["The warranty lasts two years."], judge=None).verdict == "contradicted"
