"""Compare: slices, answers that changed, and what a filter does to the differences."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from streamlit.testing.v1 import AppTest

from ragviz.pipeline import import_files, judge_run
from ragviz.store import Store
from tests.app.five import FILE, five_cases, shown
from tests.stored import once

Open = Callable[..., AppTest]


def worse_run(store: Store, folder: Path) -> None:
    """The five cases, the good answer changed to 90 days, and the five as they are."""
    once(store, b"a worse run", lambda: _worse_run(store, folder))


def _worse_run(store: Store, folder: Path) -> None:
    whole = json.loads(FILE.read_text(encoding="utf-8"))
    row = next(row for row in whole["TRACES"] if row["name"] == "good_return")
    row.update(response="90 days.", response_claims=[["return_window", "90 days"]])
    (folder / "worse.json").write_text(json.dumps(whole), encoding="utf-8")
    five_cases(store)
    judge_run(store, import_files(store, [folder / "worse.json"], run_name="worse").run_id, "facts")


def listed(app: AppTest) -> list[tuple[str, str, str]]:
    """Trace, before and after of the answers that changed."""
    frame = next(d.value for d in app.dataframe if "trace" in d.value)
    return [(str(a), str(b), str(c)) for a, b, c in frame[["trace", "before", "after"]].to_numpy().tolist()]


def test_the_wrong_answers_come_first(app_store: Store, open_at: Open, tmp_path: Path) -> None:
    """As in the terminal: answers that changed, then the differences of the figures."""
    worse_run(app_store, tmp_path)

    heads = [h.value for h in open_at("compare", run="worse", base="five cases").header]

    assert heads.index("Answers that changed") < heads.index("Differences")


def test_an_answer_became_incorrect(app_store: Store, open_at: Open, tmp_path: Path) -> None:
    """One of five; its quadrant changed too; nothing became correct; the judge's noise is 0 and why is said."""
    worse_run(app_store, tmp_path)
    app = open_at("compare", run="worse", base="five cases")

    assert not app.exception
    assert listed(app) == [("good_return", "1.00", "0.00")]
    assert "Judge noise 0: the judge facts computes its verdicts" in shown(app).replace("\\", "")

    app.query_params["answers"] = "quadrant"
    assert listed(app.run())[0][:2] == ("good_return", "good")
    app.query_params["answers"] = "correct"
    assert "No answer." in shown(app.run())


def test_against_itself_nothing_changed(app_store: Store, open_at: Open) -> None:
    """No answer, no claim, no difference."""
    five_cases(app_store)
    judge_run(app_store, import_files(app_store, [FILE], run_name="again").run_id, "facts")
    app = open_at("compare", run="again", base="five cases")

    assert not app.exception
    assert ["No answer." in shown(app), "No claim." in shown(app), "no claim got worse" in shown(app)] == [True] * 3


def test_without_references_nothing_is_counted(app_store: Store, open_at: Open, tmp_path: Path) -> None:
    """A dash and the reason instead of "0 became incorrect"; what judging cost is no row of the differences."""
    for name, more in (("old", "Thank you."), ("new", "Goodbye.")):
        rows = [
            {"question": f"How long for kind {n}?", "answer": f"Kind {n} is kept 30 days. {more}", "passages": [f"Kind {n} is kept 30 days."]} for n in range(8)
        ]
        (tmp_path / f"{name}.json").write_text(json.dumps(rows), encoding="utf-8")
        judge_run(app_store, import_files(app_store, [tmp_path / f"{name}.json"], run_name=name).run_id, "local")
    app = open_at("compare", run="new", base="old", all="all")

    assert not app.exception
    assert "no pair has a correctness in both runs" in shown(app)
    assert "What judging cost: judge time per claim" in shown(app).replace("\\", "")


def test_a_slice_narrows_the_differences(app_store: Store, open_at: Open, tmp_path: Path) -> None:
    """The choice is in the URL; a slice that does not exist is all pairs."""
    worse_run(app_store, tmp_path)
    app = open_at("compare", run="worse", base="five cases", slice="no=such")
    options = app.selectbox(key="url_slice").options

    assert not app.exception
    assert options[0] == "all pairs"
    app.selectbox(key="url_slice").select(options[1]).run()
    assert not app.exception
    assert "slice" in app.query_params
