"""Stores that may only be read: what is still to be judged is judged in a copy that is thrown away."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from ragviz.cli.stores import api_key
from ragviz.pipeline.choices import default_judge, make_judge
from ragviz.pipeline.copying import copy_runs
from ragviz.pipeline.judging import view_of
from ragviz.records import Policy
from ragviz.store import Store, open_store


@contextmanager
def workable(
    store: Store, run_id: str, *, judge: str | None, k: int | None = None, policy: Policy = Policy.DEFAULT, claims: str | None = None
) -> Iterator[Store]:
    """
    The store, or a copy of its run where something has to be written first and the store may only be read; that is told on stderr.

    So a command says of a run that others own what it would say of one's own: the same judge, the same numbers.
    """
    if not store.read_only or _is_complete(store, run_id, judge=judge, k=k, policy=policy, claims=claims):
        yield store
        return
    sys.stderr.write(f"{store.address} can only be read: what is judged now is used here and not kept.\n")
    copy = open_store(":memory:")
    try:
        copy_runs(store, copy, [run_id])
        yield copy
    finally:
        copy.close()


def _is_complete(store: Store, run_id: str, *, judge: str | None, k: int | None, policy: Policy, claims: str | None) -> bool:
    """True when every trace has the verdicts of this judge, and its results."""
    view = view_of(store, run_id, make_judge(judge or default_judge(store, run_id), api_key=api_key()), k=k, policy=policy, claims=claims)
    return not store.not_judged(run_id, view.judge, view.claim_set, k or 0) and not store.missing_results(view)
