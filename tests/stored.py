"""Judged traces into a store, for tests of what pages show."""

from __future__ import annotations

from datetime import UTC, datetime

import msgspec

from ragviz.pipeline.scoring import score_view
from ragviz.records import JudgedTrace, RunManifest
from ragviz.store import Store


def fill(store: Store, *cases: JudgedTrace, name: str = "made-up") -> None:
    """A run with these traces, claims and verdicts, scored. All cases speak through one judge and one claim set."""
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
