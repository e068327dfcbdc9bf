"""Reading a run some hundred traces at a time takes as long as the run, not as its square: no statement sorts what it then cuts off."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import pytest
from sqlalchemy import Connection, event

from ragviz.store import Store, open_store, outlines, seen, traces
from ragviz.store.outlines import outlines as outlines_of
from tests.contracts.store_laws import JUDGE, VIEW, claim, judgement, manifest, plain, result

N = 7
WAYS: dict[str, Callable[[Store], Iterable[Any]]] = {
    "traces": lambda store: store.traces("run"),
    "judged": lambda store: store.judged(VIEW),
    "results": lambda store: store.results(VIEW),
    "outlines": lambda store: outlines_of(store, "run"),
}


@pytest.fixture
def store() -> Store:
    """Two runs whose traces were written in turns."""
    made = open_store(":memory:")
    for run in ("run", "other"):
        made.create_run(manifest(run))
    for n in range(N):
        for run in ("other", "run"):
            made.add_traces(run, [plain(f"t{n}")])
    ids = [f"t{n}" for n in range(N)]
    made.add_claims("run", [claim(i) for i in ids])
    made.add_judged("run", JUDGE, {i: [judgement(i)] for i in ids}, claim_set="rules", scope=0)
    made.put_results(VIEW, [result(i) for i in ids])
    return made


@pytest.mark.parametrize("way", WAYS)
def test_a_run_is_read_by_an_index(store: Store, monkeypatch: pytest.MonkeyPatch, way: str) -> None:
    """Three traces at a time: all of them, in file order, and every statement that reads only some rows finds them in their order."""
    for module in (traces, outlines):
        monkeypatch.setattr(module, "CHUNK", 3)
    monkeypatch.setattr(seen, "AT_ONCE", 3)
    asked: list[tuple[str, Any]] = []

    def note(_conn: Connection, _cursor: Any, statement: str, parameters: Any, *_: Any) -> None:
        asked.append((statement, parameters))

    engine = store._db._reader
    event.listen(engine, "before_cursor_execute", note)
    found = [getattr(one, "id", None) or getattr(one, "trace_id", None) or one.trace.id for one in WAYS[way](store)]
    event.remove(engine, "before_cursor_execute", note)

    assert found == [f"t{n}" for n in range(N)]
    cut = [(statement, parameters) for statement, parameters in asked if "LIMIT" in statement]
    assert cut
    with store._db.read() as conn:
        for statement, parameters in cut:
            plan = [row[-1] for row in conn.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", parameters).all()]
            assert not any("TEMP B-TREE" in step or step.startswith("SCAN") for step in plan), (statement, plan)
