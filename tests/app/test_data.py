"""Data: from a path to a judged run; broken files are one sentence each."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from ragviz.store import Store
from ragviz.ui import resources
from ragviz.ui.views.data_load import IMPORT_JOB
from tests.app.five import FILE, five_cases, shown

Open = Callable[..., AppTest]


def add(app: AppTest, path: Path | str) -> AppTest:
    """Type a path and press Add."""
    app.text_input(key="path").set_value(str(path))
    return next(b for b in app.button if b.label == "Add").click().run()


def import_all(app: AppTest) -> AppTest:
    """Press Import and wait for the job."""
    app.button(key="import").click().run()
    resources.jobs().wait(IMPORT_JOB)
    return app.run()


def test_empty_store_offers_to_load(app_store: Store, no_samples: None, open_at: Open) -> None:
    """The upload box, the path, and the samples."""
    app = open_at("data")

    assert not app.exception
    assert "No traces yet" in shown(app)
    assert "Try the sample traces" in [b.label for b in app.button]


def test_a_file_is_recognised_imported_and_shown(app_store: Store, no_samples: None, open_at: Open) -> None:
    """The teaching file: its format by content, five traces, and the new run is selected."""
    app = add(open_at("data"), FILE)
    staged = app.dataframe[0].value

    assert staged["file"].tolist() == ["five_cases.json"]
    assert staged["recognised as"].tolist() != ["not recognised"]

    app = import_all(app)

    assert not app.exception
    assert [r.n_traces for r in app_store.runs()] == [5]
    assert "5 traces imported" in shown(app)


def test_price_before_judging(app_store: Store, open_at: Open) -> None:
    """Judges that can work here with pairs, calls, time and cost; the others with the reason; one primary button."""
    five_cases(app_store)

    app = open_at("data")
    table = next(d.value for d in app.dataframe if "paid calls" in d.value)

    assert not app.exception
    assert "facts" in table["judge"].tolist()
    assert set(table["cost"]) == {"$0.00"}
    assert "**anthropic**" in shown(app)
    assert len([b for b in app.button if b.proto.type == "primary"]) == 1


@pytest.mark.parametrize(("name", "content"), [("empty.jsonl", b""), ("binary.bin", bytes(range(256)) * 8), ("wrong.csv", b"colour,size\nred,4\n")])
@pytest.mark.usefixtures("no_samples")
def test_an_unusable_file_is_one_sentence(app_store: Store, open_at: Open, tmp_path: Path, *, name: str, content: bytes) -> None:
    """Nothing is imported, nothing breaks, and the sentence says what to do."""
    (tmp_path / name).write_bytes(content)

    app = import_all(add(open_at("data"), tmp_path / name))

    assert not app.exception
    assert len(app.error) == 1
    assert app_store.runs() == []


def test_half_written_lines_are_listed(app_store: Store, no_samples: None, open_at: Open, tmp_path: Path) -> None:
    """One good line, one cut off: one trace and one rejected line with its number, reason and fix; nothing else is lost."""
    good = json.dumps({"question": "How long?", "response": "30 days.", "passages": [{"id": "a", "text": "Within 30 days."}]})
    (tmp_path / "half.jsonl").write_text(good + "\n" + good[:25] + "\n", encoding="utf-8")

    app = import_all(add(open_at("data"), tmp_path / "half.jsonl"))
    issues = next(d.value for d in app.dataframe if "problem" in d.value)

    assert [r.n_traces for r in app_store.runs()] == [1]
    assert issues["where"].tolist() == ["half.jsonl:2"]
    assert issues["fix"].tolist() != [""]


def test_a_path_that_is_not_there(app_store: Store, no_samples: None, open_at: Open) -> None:
    """One sentence."""
    app = add(open_at("data"), "/nowhere/at/all.jsonl")

    assert not app.exception
    assert "There is no file" in app.error[0].value


def test_deleting_asks_first(app_store: Store, open_at: Open) -> None:
    """The run stays until the second click."""
    five_cases(app_store)
    app = open_at("data")

    app.button(key="delete").click().run()
    assert len(app_store.runs()) == 1
    app.button(key="delete-yes").click().run()

    assert app_store.runs() == []
