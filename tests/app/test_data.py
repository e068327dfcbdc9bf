"""Data: from a path to a judged run; broken files are one sentence each."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from ragviz.figures.plot_text import size
from ragviz.pipeline import import_files, judge_run
from ragviz.store import Store, TraceFilter
from ragviz.ui.views import data_export
from ragviz.ui.views.data_load import IMPORT_JOB
from tests.app.five import FILE, five_cases, shown
from tests.app.waiting import over

Open = Callable[..., AppTest]


def add(app: AppTest, path: Path | str) -> AppTest:
    """Type a path and press Add."""
    app.text_input(key="path").set_value(str(path))
    return next(b for b in app.button if b.label == "Add").click().run()


def import_all(app: AppTest) -> AppTest:
    """Press Import and wait for the job."""
    app.button(key="import").click().run()
    over(IMPORT_JOB)
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


def test_waiting_files_stand_alone(app_store: Store, open_at: Open, tmp_path: Path) -> None:
    """While a file waits, what another run's file brought is not shown under it; once the files are cleared it is."""
    five_cases(app_store)
    (tmp_path / "other.jsonl").write_text('{"question": "Who?", "answer": "Ada.", "contexts": ["Ada did it."]}', encoding="utf-8")
    app = open_at("data")
    assert "2 · Understood" in "".join(h.value for h in app.header)

    app = add(app, tmp_path / "other.jsonl")
    assert "2 · Understood" not in "".join(h.value for h in app.header)

    app = next(b for b in app.button if b.label == "Clear").click().run()
    assert "2 · Understood" in "".join(h.value for h in app.header)


def test_another_sessions_import_touches_nothing_here(app_store: Store, no_samples: None, open_at: Open) -> None:
    """The job belongs to the process: a second tab's first file stays staged, and nothing is announced to it."""
    import_all(add(open_at("data"), FILE))
    second = add(open_at("data"), FILE)

    assert not second.exception
    assert second.dataframe[0].value["file"].tolist() == ["five_cases.json"]
    assert "traces imported" not in shown(second)


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
    """Before anything is imported: one sentence that says what to do on this page, not on the command line, and nothing to import."""
    (tmp_path / name).write_bytes(content)

    app = add(open_at("data"), tmp_path / name)

    assert not app.exception
    assert len(app.error) == 1
    assert "--map" not in app.error[0].value
    assert app.button(key="import").disabled
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


def test_the_size_counts_what_the_database_keeps_in_its_log(app_store: Store, open_at: Open) -> None:
    """A store in use: SQLite's own file may be one empty page while everything new stands in the log beside it."""
    five_cases(app_store)
    file = Path(app_store.address)
    log = file.with_name(f"{file.name}-wal")
    assert log.stat().st_size > 0

    both = file.stat().st_size + log.stat().st_size

    assert f"one local file, {size(both)}" in shown(open_at("data"))


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
    next(b for b in app.button if b.label == "Delete").click().run()

    assert app_store.runs() == []


def unknown_shape(tmp_path: Path, n: int = 7) -> Path:
    """Rows in names nobody knows: the map is what tells them."""
    rows = [
        {"ask": f"How long is rule {i}?", "said": f"{i} days.", "chunks": [{"key": "a", "body": f"Rule {i}: {i} days."}, {"key": "b", "body": "Other."}]}
        for i in range(n)
    ]
    path = tmp_path / "own.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def test_missing_passages_are_named_first(app_store: Store, no_samples: None, open_at: Open, tmp_path: Path) -> None:
    """A file of questions and answers: before the import it is said, after it the row of passages leads what was understood, and the cause says why nothing is judged."""
    (tmp_path / "bare.csv").write_text("question,answer\nWho built it?,Ada built it in 1843.\n", encoding="utf-8")
    app = add(open_at("data"), tmp_path / "bare.csv")
    assert "No passages were found" in shown(app)

    import_files(app_store, [tmp_path / "bare.csv"], run_name="bare")
    view = judge_run(app_store, next(r.run_id for r in app_store.runs() if r.name == "bare"), "local").view
    rows = next(d.value for d in open_at("data", run="bare").dataframe if "read as" in d.value)

    assert str(rows["read as"].iloc[0]).startswith("passages")
    assert "without passages none can be" in str(rows["used for"].iloc[0])
    assert [found.cause_detail for found in app_store.results(view, [row.id for row in app_store.page(view, TraceFilter())])] == ["no passages to judge against: 1 claim of the answer could not be judged"]


def test_an_unknown_shape_is_mapped_previewed_and_imported(app_store: Store, no_samples: None, open_at: Open, tmp_path: Path) -> None:
    """Its places are offered; with the map the first five traces are shown before anything is stored, and the import follows the map."""
    app = add(open_at("data"), unknown_shape(tmp_path))
    assert app.dataframe[0].value["recognised as"].tolist() == ["not recognised"]
    box = next(s for s in app.selectbox if s.label == "Passages")
    assert {"ask", "said", "chunks[].body"} <= set(box.options)

    for title, place in (("Question", "ask"), ("Answer", "said"), ("Passages", "chunks[].body")):
        next(s for s in app.selectbox if s.label == title).set_value(place)
    app.run()
    shown_first = next(d.value for d in app.dataframe if "first passage" in d.value)

    assert not app.exception
    assert shown_first["question"].tolist() == [f"How long is rule {i}?" for i in range(5)]
    assert shown_first["first passage"].tolist()[2] == "Rule 2: 2 days."
    assert app_store.runs() == []
    import_all(app)
    run = app_store.runs()[0]
    assert run.n_traces == 7
    assert [len(t.passages or ()) for t in app_store.traces(run.run_id)] == [2] * 7


def test_texts_of_passages_come_from_a_file_of_their_own(app_store: Store, no_samples: None, open_at: Open, tmp_path: Path) -> None:
    """Traces with ids only, and a map of documents: one run, whose passages have the texts."""
    (tmp_path / "answers.jsonl").write_text(json.dumps({"question": "How long?", "response": "30 days.", "doc_ids": ["d1"]}) + "\n", encoding="utf-8")
    (tmp_path / "texts.json").write_text(json.dumps({"d1": "Within 30 days."}), encoding="utf-8")
    app = add(add(open_at("data"), tmp_path / "answers.jsonl"), tmp_path / "texts.json")

    next(s for s in app.selectbox if s.label == "Texts of the passages").set_value(str(tmp_path / "texts.json")).run()
    import_all(app)

    run = app_store.runs()[0]
    assert [p.text for t in app_store.traces(run.run_id) for p in t.passages or ()] == ["Within 30 days."]


def test_a_small_run_is_judged_at_once(app_store: Store, no_samples: None, open_at: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    """After the import a judge is started on the new run; nobody has to ask."""
    started: list[str] = []
    monkeypatch.setattr("ragviz.ui.samples.start_judging", lambda run_id, *_: started.append(run_id))

    import_all(add(open_at("data"), FILE))

    assert started == [app_store.runs()[0].run_id]


SECRET = "ada@nimbus.example"


def with_a_secret(tmp_path: Path) -> Path:
    """One trace that names a person and a ticket."""
    row = {
        "id": "t1",
        "question": f"Who is {SECRET}?",
        "response": f"{SECRET} wrote NIM-123456.",
        "passages": [{"id": "a", "text": f"NIM-123456 is of {SECRET}."}],
    }
    (tmp_path / "secret.jsonl").write_text(json.dumps(row) + "\n", encoding="utf-8")
    return tmp_path / "secret.jsonl"


def hide(app: AppTest, where: str, *words: str, patterns: str = "") -> AppTest:
    """Choose what to hide, at import or at export."""
    next(m for m in app.multiselect if (m.key or "").startswith(f"hide-{where}")).set_value(list(words)).run()
    if patterns:
        next(t for t in app.text_area if (t.key or "").startswith(f"hide-own-{where}")).set_value(patterns).run()
    return app


def test_private_details_are_hidden_before_anything_is_stored(app_store: Store, no_samples: None, open_at: Open, tmp_path: Path) -> None:
    """Addresses and a pattern of one's own are chosen at import: the store never holds them, and lengths stay."""
    import_all(hide(add(open_at("data"), with_a_secret(tmp_path)), "import", "emails", "own", patterns=r"NIM-\d{6}"))

    (trace,) = app_store.traces(app_store.runs()[0].run_id)
    assert f"{'█' * len(SECRET)} wrote {'█' * 10}." == trace.response
    app_store.close()
    assert not [f.name for f in tmp_path.glob("store.sqlite*") if SECRET.encode() in f.read_bytes()]


def test_a_broken_pattern_is_said_and_nothing_is_imported(app_store: Store, no_samples: None, open_at: Open, tmp_path: Path) -> None:
    """One sentence in place; Import waits until it is mended."""
    app = hide(add(open_at("data"), with_a_secret(tmp_path)), "import", "own", patterns="NIM-(")

    assert not app.exception
    assert [True] == [b.disabled for b in app.button if b.key == "import"]
    assert len(app.error) == 1
    assert [False] == [b.disabled for b in hide(app, "import", "emails").button if b.key == "import"]


def test_private_details_are_hidden_in_a_download_only(app_store: Store, open_at: Open, tmp_path: Path) -> None:
    """Every format of the page; the store keeps them."""
    run = import_files(app_store, [with_a_secret(tmp_path)]).run_id
    view = judge_run(app_store, run, "facts").view
    app = hide(open_at("data", run=run), "export", "emails")

    assert not app.exception
    for kind in data_export.FORMATS:
        assert SECRET.encode() in data_export.write(app_store, view, TraceFilter(), "jsonl")
        raw = data_export.write(app_store, view, TraceFilter(), kind, hide=("emails",))
        assert SECRET.encode() not in raw
        assert raw
