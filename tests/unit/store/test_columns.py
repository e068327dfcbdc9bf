"""Columns of one store seen by another process, and of a store that was made before there were any."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from ragviz.store import TraceFilter, blocks, masks, open_store, refreshing, schema
from ragviz.store import columns as store_columns
from tests.contracts.store_laws import VIEW, manifest, plain, result
from tests.unit.store.older import set_back


def test_what_another_process_writes_is_seen(tmp_path: Path) -> None:
    """Two stores on one file: versions and columns of the one move with what the other writes."""
    one, other = open_store(tmp_path / "s.sqlite"), open_store(tmp_path / "s.sqlite")
    one.create_run(manifest())
    one.add_traces("run", [plain("a"), plain("b")])
    one.put_results(VIEW, [result("a", 1.0)])
    before = (one.data_version(), one.run_version("run"))
    assert one.columns(VIEW, ["faithfulness"])["faithfulness"][0] == 1.0

    other.put_results(VIEW, [result("a", 0.0), result("b", 0.5)])

    assert before[0] != one.data_version()
    assert before[1] != one.run_version("run")
    assert one.columns(VIEW, ["faithfulness"])["faithfulness"].tolist() == [0.0, 0.5]
    one.close()
    other.close()


def test_a_run_that_another_process_deletes_and_imports_again_is_the_new_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Under the same id, with other traces and scores: columns, filters and pages are those of the new one."""
    monkeypatch.setattr(masks, "FROM", 1)
    one, other = open_store(tmp_path / "s.sqlite"), open_store(tmp_path / "s.sqlite")
    german, words = TraceFilter(tags={"lang": "de"}), TraceFilter(text="answer")
    for store, langs, scores in ((one, ("de", "en"), (1.0, 0.5)), (other, ("en", "en", "de"), (0.25, 0.75, 0.0))):
        if "run" in {run.run_id for run in store.runs()}:
            store.delete_run("run")
        store.create_run(manifest())
        store.add_traces("run", [plain(trace_id, tags={"lang": lang}) for trace_id, lang in zip("abc", langs, strict=False)])
        store.put_results(VIEW, [result(trace_id, score) for trace_id, score in zip("abc", scores, strict=False)])

        assert one.columns(VIEW, ["faithfulness"])["faithfulness"].tolist() == list(scores)
        assert [row.id for row in one.page(VIEW, german)] == ["a" if store is one else "c"]
        assert (one.count(VIEW, words), one.count(VIEW, german)) == (len(langs), 1)
    one.close()
    other.close()


def test_a_database_of_schema_4_is_lifted(tmp_path: Path) -> None:
    """Schema 4 had no columns; they are made from what is there."""
    path = tmp_path / "s.sqlite"
    store = open_store(path)
    store.create_run(manifest())
    store.add_traces("run", [plain("a")])
    store.put_results(VIEW, [result("a", 0.5)])
    store.close()
    set_back(path, 4, "DROP TABLE block", "DELETE FROM change WHERE key > 1")
    lifted = open_store(path)

    assert lifted.columns(VIEW, ["faithfulness"])["faithfulness"].tolist() == [0.5]
    lifted.close()


def test_tags_of_large_runs_are_read_from_their_columns_where_these_are_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same traces before and after the columns are made, and when one of their blocks is gone; a model that counts as a tag has none."""
    monkeypatch.setattr(masks, "FROM", 1)
    for module in (blocks, store_columns, refreshing):
        monkeypatch.setattr(module, "SIZE", 2)
    tags: list[dict[str, str]] = [{"lang": "de"}, {"lang": "", "model": "own"}, {}, {"lang": "de"}, {"lang": "fr"}]
    wanted = {("lang", "de"): [0, 3], ("lang", ""): [1], ("lang", "fr"): [4], ("lang", "it"): [], ("model", "m"): [0, 2, 3, 4], ("model", "own"): [1]}
    with contextlib.closing(open_store(tmp_path / "s.sqlite")) as store:
        store.create_run(manifest())
        store.add_traces("run", [replace(plain(f"t{n}"), tags=some, model="m") for n, some in enumerate(tags)])
        for step in ("not made", "made", "one block gone"):
            if step == "made":
                store.prepare(VIEW)
            if step == "one block gone":
                with store._db.write(counted=False) as conn:
                    conn.execute(schema.block.delete().where(schema.block.c.name.endswith(":tag:lang"), schema.block.c.n == 1))
            store.let_go()
            found = {tag: store.positions(VIEW, TraceFilter(tags=dict([tag]))).tolist() for tag in wanted}

            assert (step, found) == (step, wanted)
            assert [store._columns.tag(VIEW, name) is not None for name in ("lang", "model")] == [step == "made", False]


def test_nothing_of_a_deleted_run_is_kept_when_it_was_being_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The run is deleted while a page reads its columns: they are given to that page, and not kept."""
    store = open_store(tmp_path / "s.sqlite")
    store.create_run(manifest())
    store.add_traces("run", [plain("a")])
    store.put_results(VIEW, [result("a", 0.5)])
    columns = store._columns
    refreshed = refreshing.refreshed

    def meanwhile(*args: Any) -> Any:
        found = refreshed(*args)
        store.let_go()
        return found

    monkeypatch.setattr(store_columns, "refreshed", meanwhile)
    assert store.columns(VIEW, ["faithfulness"])["faithfulness"].tolist() == [0.5]
    assert (columns.n_bytes, len(columns._held)) == (0, 0)
    monkeypatch.setattr(store_columns, "refreshed", refreshed)
    store.columns(VIEW, ["faithfulness"])
    assert columns.n_bytes > 0
    store.close()


def test_words_count_among_the_bytes(tmp_path: Path) -> None:
    """A column of different words takes more room than its numbers, and the bound knows."""
    store = open_store(tmp_path / "s.sqlite")
    store.create_run(manifest())
    store.add_traces("run", [replace(plain(f"t{n}"), tags={"city": f"{n:0100}"}) for n in range(50)])
    numbers = store.columns(VIEW, ["group"])["group"].nbytes
    before = store._columns.n_bytes
    assert before == numbers

    store._columns.get(VIEW, ["tag:city"])

    assert store._columns.n_bytes - before > 50 * 100
    store.let_go()
    assert store._columns.n_bytes == 0
    store.close()
