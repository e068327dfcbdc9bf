"""Batches under way are remembered, and forgotten with their run."""

from __future__ import annotations

from pathlib import Path

from ragviz.records import LoadIssue, PairKey, Table
from ragviz.store import PendingBatch, open_store
from tests.contracts.store_laws import manifest
from tests.unit.store.older import set_back

KEY = PairKey(Table.RESPONSE_X_PASSAGES, "t1", "c1", "p1")


def a_batch(batch_id: str, *, fingerprint: str = "judge", sent_at: str = "2026-01-01") -> PendingBatch:
    return PendingBatch(
        batch_id=batch_id, fingerprint=fingerprint, claim_set="rules", k=3, trace_ids=("t1", "t2"), left_out=(KEY,), fence="f", n_requests=2, sent_at=sent_at,
    )


def test_what_was_noted_is_found_by_run_and_judge(tmp_path: Path) -> None:
    """Oldest first, after a restart as well; another judge's batches are its own."""
    store = open_store(tmp_path / "s.sqlite")
    run = manifest().run_id
    store.create_run(manifest())
    late, early = a_batch("b1", sent_at="2026-01-02"), a_batch("b2")
    for batch in (late, early, late, a_batch("b3", fingerprint="other")):
        store.add_pending(run, batch)
    store.close()
    again = open_store(tmp_path / "s.sqlite")

    assert again.pending(run, "judge") == [early, late]
    again.remove_pending("b2")
    assert again.pending(run, "judge") == [late]
    again.delete_run(run)
    again.create_run(manifest())
    assert again.pending(run, "judge") == []
    again.close()


def test_a_database_of_schema_1_is_lifted_with_a_copy_beside_it(tmp_path: Path) -> None:
    """Schema 1 had no such table; its runs stay."""
    path = tmp_path / "s.sqlite"
    store = open_store(path)
    store.create_run(manifest())
    store.close()
    set_back(path, 1, "DROP TABLE pending_batch")
    lifted = open_store(path)
    lifted.add_pending(manifest().run_id, a_batch("b1"))

    assert [b.batch_id for b in lifted.pending(manifest().run_id, "judge")] == ["b1"]
    assert (tmp_path / "s.sqlite.schema-1.backup").exists()
    lifted.close()


def test_a_doubt_of_later_work_joins_the_issues_once(tmp_path: Path) -> None:
    """Said twice, stored once."""
    store = open_store(tmp_path / "s.sqlite")
    store.create_run(manifest())
    doubt = LoadIssue(where="f:1", message="split by rules", rejected=False)
    for _ in range(2):
        store.add_issues(manifest().run_id, [doubt])

    assert store.issues(manifest().run_id) == [doubt]
    store.close()
