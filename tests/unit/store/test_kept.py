"""Settings of the pages, ids that pass a filter, and filters on a trace's own numbers."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from ragviz.contracts import View
from ragviz.records import Trace, Usage
from ragviz.store import TraceFilter, masks, open_store
from tests.contracts.store_laws import JUDGE, manifest, plain, result
from tests.unit.store.older import set_back

DAY = 86_400.0


def test_a_setting_is_kept_replaced_and_forgotten(tmp_path: Path) -> None:
    """It outlives the process and the runs; kinds do not mix."""
    store = open_store(tmp_path / "s.sqlite")
    store.keep("traces-view", "worst", {"sort": "faithfulness"})
    store.keep("traces-view", "worst", {"sort": "relevance"})
    store.keep("authority", "*wiki*", "mirror")
    store.close()
    again = open_store(tmp_path / "s.sqlite")

    assert again.kept("traces-view", dict[str, str]) == {"worst": {"sort": "relevance"}}
    assert again.kept("authority", str) == {"*wiki*": "mirror"}
    again.forget("authority", "*wiki*")
    again.forget("authority", "never there")
    assert again.kept("authority", str) == {}
    again.close()


def test_a_database_of_schema_2_is_lifted(tmp_path: Path) -> None:
    """Schema 2 had no settings; its runs stay."""
    path = tmp_path / "s.sqlite"
    store = open_store(path)
    store.create_run(manifest())
    store.close()
    set_back(path, 2, "DROP TABLE kept")
    lifted = open_store(path)
    lifted.keep("authority", "a", "official")

    assert [r.run_id for r in lifted.runs()] == [manifest().run_id]
    assert lifted.kept("authority", str) == {"a": "official"}
    lifted.close()


def test_time_cost_and_model_narrow_the_list(tmp_path: Path) -> None:
    """Days 1, 2, 3 of 1970 by two models; nothing was judged. Both ends of a range belong to it."""
    store = open_store(tmp_path / "s.sqlite")
    run = manifest().run_id
    store.create_run(manifest())
    store.add_traces(
        run,
        [
            Trace(
                id=f"t{day}",
                question="?",
                response="!",
                passages=None,
                model="small" if day == 2 else "large",
                started_at=datetime.fromtimestamp(day * DAY, UTC),
                usage=Usage(cost_usd=day / 10),
            )
            for day in (1, 2, 3)
        ],
    )
    view = View(run_id=run, judge=JUDGE.fingerprint, claim_set="rules")

    assert store.passing(view, TraceFilter(ranges=(("started_at", 2 * DAY, 3 * DAY),))) == ["t2", "t3"]
    assert store.passing(view, TraceFilter(ranges=(("cost_usd", None, 0.1),))) == ["t1"]
    assert store.passing(view, TraceFilter(tags={"model": "large"}, ranges=(("started_at", 2 * DAY, None),))) == ["t3"]
    assert store.passing(view, TraceFilter()) == ["t1", "t2", "t3"]
    assert store.labels(run, "tag") == {"model": ["large", "small"]}
    store.close()


@pytest.mark.parametrize("large", [False, True])
def test_what_lacks_a_score_can_be_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, large: bool) -> None:
    """Any of those named; a trace that was never scored lacks all of them. Small and large runs alike."""
    monkeypatch.setattr(masks, "FROM", 1 if large else 10**9)
    store = open_store(tmp_path / "s.sqlite")
    run = manifest().run_id
    view = View(run_id=run, judge=JUDGE.fingerprint, claim_set="rules")
    store.create_run(manifest(n_traces=3))
    store.add_traces(run, [plain(name) for name in ("t1", "t2", "t3")])
    store.finish_run(manifest(n_traces=3))
    store.put_results(view, [result("t1", 1.0, "unknown"), result("t2", None, "unknown")])

    assert store.passing(view, TraceFilter(lacking=("faithfulness",))) == ["t2", "t3"]
    assert store.passing(view, TraceFilter(quadrants=("unknown",), lacking=("faithfulness",))) == ["t2", "t3"]
    assert store.passing(view, TraceFilter(lacking=("faithfulness", "relevance"))) == ["t1", "t2", "t3"]
    assert store.count(view, TraceFilter(lacking=("faithfulness",))) == 2
    store.close()
