"""A run that was looked at on every page, deleted: no live object of the process holds its text any more, whoever deleted it."""

from __future__ import annotations

import ast
import functools
import gc
import sys
import types
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from ragviz.errors import UnknownName
from ragviz.pipeline import corpora, import_files
from ragviz.pipeline.judging import judge_run
from ragviz.store import Store
from ragviz.text.word_table import WordTable
from ragviz.ui import forgetting, process
from ragviz.ui.shell import PAGES
from ragviz.ui.views import data_understood, inspector_keep
from tests.reliability.test_deleting import SECRET, full_of_it
from tests.unit.pipeline.fakes import WordJudge, a_file

Open = Callable[..., AppTest]


def modules() -> list[types.ModuleType]:
    return [module for name, module in list(sys.modules.items()) if name.startswith("ragviz.")]


def below(roots: list[Any]) -> Iterator[tuple[Any, str]]:
    """All that these hold, at any depth, and by way of what. Of functions what they close over, not the modules they were written in."""
    seen, left = set(), [(root, "") for root in roots]
    while left:
        one, way = left.pop()
        if id(one) in seen or isinstance(one, (type, types.ModuleType, types.CodeType, types.FrameType)):
            continue
        seen.add(id(one))
        yield one, way
        inside = [*(one.__closure__ or ()), one.__defaults__] if isinstance(one, types.FunctionType) else gc.get_referents(one)
        here = f"{way[-200:]} > {getattr(one, '__qualname__', type(one).__name__)}"
        left += [(part, here) for part in inside]


def held(app_store: Store, run: str) -> list[str]:
    """
    Every string with the word that this process remembers. Names of finished jobs may go on naming the run; ``app_store`` stands for another
    program, and remembers for itself.
    """
    corpora.let_go(app_store)
    roots = [process.memory(), process.store(), process.jobs(), *(vars(module) for module in modules())]
    word = SECRET.lower()
    texts = ((one if isinstance(one, str) else one.decode("latin-1"), way) for one, way in below(roots) if isinstance(one, (str, bytes)))
    return [f"{text!r:.60} in {way}" for text, way in texts if word in text.lower().replace(run, "")]


@pytest.fixture
def looked_at(app_store: Store, no_samples: None, open_at: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A run with the word in every field, beside another, seen on every page."""
    monkeypatch.setattr("ragviz.store.masks.FROM", 1)
    judge_run(app_store, import_files(app_store, [a_file(tmp_path, 10)]).run_id, WordJudge())
    run = full_of_it(app_store, tmp_path)
    for page in PAGES:
        app = open_at(page.name, run=run, **({"trace": f"{SECRET}-1", "claim": "c1"} if page.name == "inspector" else {}))
        assert not app.exception
    list(process.store().judged(process.store().views(run)[0][0]))
    return run


def test_deleted_here(app_store: Store, looked_at: str) -> None:
    """As the Data page deletes."""
    assert held(app_store, looked_at)

    process.store().delete_run(looked_at)
    gc.collect()

    assert [] == held(app_store, looked_at)


def test_deleted_by_another_program(app_store: Store, looked_at: str, open_at: Open) -> None:
    """The next page that anybody draws notices."""
    app_store.delete_run(looked_at)
    assert held(app_store, looked_at)

    app = open_at("overview")
    gc.collect()

    assert not app.exception
    assert [] == held(app_store, looked_at)


def test_what_the_other_runs_showed_is_there_again(looked_at: str, open_at: Open) -> None:
    """Pages of a run that stays draw as before."""
    process.store().delete_run(looked_at)
    (other,) = process.store().runs()

    for page in ("overview", "sources", "inspector"):
        app = open_at(page, run=other.run_id)
        assert not app.exception
        assert SECRET not in str(app.main)


def test_buttons_of_open_tabs_read_the_store(looked_at: str) -> None:
    """A tab that was open before has buttons that make files: they find nothing."""
    store = process.store()
    view = store.views(looked_at)[0][0]
    assert SECRET.encode() in inspector_keep.written(store, view, f"{SECRET}-1", "a run")
    assert SECRET in data_understood.written(store, looked_at)

    store.delete_run(looked_at)

    with pytest.raises(UnknownName):
        inspector_keep.written(store, view, f"{SECRET}-1", "a run")
    with pytest.raises(UnknownName):
        data_understood.written(store, looked_at)


def test_no_button_holds_a_file(repo: Path) -> None:
    """What a button gives is made when it is asked for, by a function: an open tab holds no file, and no file stays behind in the server."""
    calls = [call for path in (repo / "ragviz" / "ui").rglob("*.py") for call in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
             if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr == "download_button"]
    given = [next(word.value for word in call.keywords if word.arg == "data") for call in calls]

    assert len(given) >= 8
    assert [] == [
        ast.unparse(data) for data in given if not (isinstance(data, ast.Lambda) or (isinstance(data, ast.Call) and ast.unparse(data.func) == "partial"))
    ]


class TestTexts:
    def test_every_cache_of_texts_is_emptied(self) -> None:
        """Caches with a bound remember texts; they are found where they are, as attributes of modules."""
        gc.unfreeze()  # modules are left out of looks for cycles (conftest.py), and would be left out here
        every = [one for one in gc.get_objects() if isinstance(one, functools._lru_cache_wrapper) and str(one.__module__).startswith("ragviz.")]
        gc.freeze()
        bounded = [one for one in every if one.cache_parameters()["maxsize"] is not None]
        named = [value for module in modules() for value in vars(module).values()]
        tables = [value for value in named if isinstance(value, WordTable)]
        for table in tables:
            table["a"]

        forgetting.texts()

        assert bounded
        assert tables
        assert [] == [one.__qualname__ for one in bounded if not any(one is value for value in named)]
        assert [] == [one.__qualname__ for one in bounded if one.cache_info().currsize]
        assert not any(len(table) for table in tables)

    def test_runs_that_come_are_no_loss(self) -> None:
        """Only one that goes is."""
        runs = forgetting.Runs()

        assert [False, False, False, True, False] == [runs.lost_one(now) for now in ([], ["a"], ["a", "b"], ["b", "c"], ["b", "c"])]
