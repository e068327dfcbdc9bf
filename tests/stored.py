"""
Judged traces into a store, for tests of what pages show.

Most tests of pages begin with one of few contents. Each is made once, as anybody would make it, and from then on copied: page by page, by SQLite itself.
"""

from __future__ import annotations

import atexit
import shutil
import sqlite3
import tempfile
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from ragviz.pipeline.scoring import score_view
from ragviz.records import JudgedTrace, RunManifest
from ragviz.store import Store, open_store

Made = TypeVar("Made")
OF_ITSELF = frozenset({"migration", "change", "trace_text_data", "trace_text_config"})
"""Tables that are not empty in an empty store."""
_made: dict[bytes, tuple[Path, Any]] = {}


def empty_store(address: Path) -> Store:
    """A new store of today's schema."""
    template = _templates() / "empty.sqlite"
    if not template.exists():
        open_store(template).close()
    shutil.copyfile(template, address)
    return open_store(address)


def once(store: Store, content: bytes, make: Callable[[], Made]) -> Made:
    """
    What ``make`` puts into this store and gives: made the first time, copied from then on.

    ``content`` names all that decides what comes of it. A store that already holds something, or is no file, gets it by ``make`` each time.
    """
    file = Path(store.address)
    if not file.is_file() or not _is_empty(file):
        return make()
    if content not in _made:
        given, template = make(), _templates() / f"{len(_made)}.sqlite"
        _copy(file, template)
        _made[content] = (template, given)
        return given
    template, given = _made[content]
    _copy(template, file)
    return given  # type: ignore[no-any-return]


def fill(store: Store, *cases: JudgedTrace, name: str = "made-up") -> None:
    """A run with these traces, claims and verdicts, scored. All cases speak through one judge and one claim set."""
    once(store, msgspec.json.encode((name, cases)), lambda: _filled(store, cases, name))


def _filled(store: Store, cases: tuple[JudgedTrace, ...], name: str) -> None:
    manifest = RunManifest(run_id=name, name=name, created_at=datetime(2026, 3, 12, tzinfo=UTC), ragviz_version="0", format="native", n_traces=len(cases))
    store.create_run(manifest)
    store.add_traces(name, [case.trace for case in cases])
    for case in cases:
        store.add_claims(name, case.claims)
        if case.judgements:
            store.add_judged(name, case.judgements[0].provenance, {case.trace.id: case.judgements}, claim_set=case.claims[0].extractor, scope=0)
    store.finish_run(manifest)
    for view, _ in store.views(name):
        score_view(store, view)


def renamed(case: JudgedTrace, trace_id: str) -> JudgedTrace:
    """The same trace under another id."""
    replace = msgspec.structs.replace
    return replace(
        case, trace=replace(case.trace, id=trace_id), claims=tuple(replace(c, trace_id=trace_id) for c in case.claims),
        judgements=tuple(replace(j, key=replace(j.key, trace_id=trace_id)) for j in case.judgements),
    )


@cache
def _templates() -> Path:
    folder = Path(tempfile.mkdtemp(prefix="ragviz-tests-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def _is_empty(file: Path) -> bool:
    with closing(sqlite3.connect(file)) as found:
        tables = {name for (name,) in found.execute("SELECT name FROM sqlite_master WHERE type = 'table'")} - OF_ITSELF
        return "run" in tables and not any(found.execute(f'SELECT EXISTS (SELECT 1 FROM "{name}")').fetchone()[0] for name in tables)


def _copy(source: Path, target: Path) -> None:
    with closing(sqlite3.connect(source)) as here, closing(sqlite3.connect(target)) as there:
        here.backup(there)
