"""Runs from one store to another: from one's own file to the team's server, or back."""

from __future__ import annotations

import tempfile
import threading
from collections.abc import Sequence

import msgspec

from ragviz.errors import Cancelled, StoreError
from ragviz.pipeline.scoring import Progress
from ragviz.store import Store
from ragviz.store.carrying import Carried, RunCounts, carry_ledgers, run_counts
from ragviz.text.counts import counted

IN_MEMORY_BYTES = 64 * 2**20


def copy_runs(source: Store, target: Store, run_ids: Sequence[str] | None = None, *, on_progress: Progress | None = None) -> int:
    """
    Copy runs with all that was said about them; says how many. What the target has already is left alone, so a copy can be repeated.

    Results are not copied: the target computes them from the verdicts when it shows them.
    """
    wanted = list(run_ids) if run_ids is not None else [manifest.run_id for manifest in reversed(source.runs())]
    for n, run_id in enumerate(wanted, start=1):
        with tempfile.SpooledTemporaryFile(max_size=IN_MEMORY_BYTES) as between:
            source.export_bundle(run_id, between)  # type: ignore[arg-type]
            between.seek(0)
            target.import_bundle(between, name=run_id)  # type: ignore[arg-type]
        if on_progress is not None:
            on_progress(n, len(wanted))
    return len(wanted)


class CopyReport(msgspec.Struct, frozen=True, kw_only=True):
    """What copying a store came to."""

    runs: dict[str, RunCounts]
    """Run ids and what the target now holds of each: the same as the source."""
    carried: Carried


def copy_store(
    source: Store, target: Store, run_ids: Sequence[str] | None = None, *, on_progress: Progress | None = None, cancel: threading.Event | None = None,
) -> CopyReport:
    """
    Runs with all that was said about them (claims, verdicts, ratings, people's labels, splits), and what belongs to the store: calibrations,
    looks at held-out traces, saved settings. Counted on both sides at the end.

    Stopped and started again it goes on: traces that are there already are left alone.

    Args:
        source: Read only.
        target: May hold runs of its own.
        run_ids: Only these runs; None = all, oldest first.
        on_progress: Told how many of how many runs are there.
        cancel: Stops between runs.

    Raises:
        StoreError: The target holds less of a run than the source, or more: something was said on one side since an earlier copy. Or it refused
            a run, which costs no other: these are there, and nothing of the refused one is left behind.
        Cancelled: Stopped; start again to go on.
    """
    wanted = list(run_ids) if run_ids is not None else [manifest.run_id for manifest in reversed(source.runs())]
    refused: dict[str, StoreError] = {}
    for n, run_id in enumerate(wanted, start=1):
        if cancel is not None and cancel.is_set():
            raise Cancelled("copying was stopped", fix="start it again to go on from here")
        try:
            copy_runs(source, target, [run_id])
        except StoreError as exc:
            _take_back(target, run_id, exc)
            refused[run_id] = exc
        if on_progress is not None:
            on_progress(n, len(wanted))
    carried = carry_ledgers(source, target)
    counts = {run_id: (run_counts(source, run_id), run_counts(target, run_id)) for run_id in wanted if run_id not in refused}
    for run_id, (here, there) in counts.items():
        if here != there:
            unlike = ", ".join(
                f"{name} {getattr(here, name):,} and {getattr(there, name):,}"
                for name in RunCounts.__struct_fields__
                if getattr(here, name) != getattr(there, name)
            )
            raise StoreError(f"run {run_id!r} is not the same in both stores: {unlike}",
                             fix="something was said on one side after an earlier copy: delete the run in the store that is behind, and copy again")
    if refused:
        name, first = next(iter(refused.items()))
        raise StoreError(
            f"{counted(len(refused), 'run')} of {len(wanted)} could not be copied, the others are there: {', '.join(refused)}. Of {name}: {first.message}",
            fix=first.fix,
        )
    return CopyReport(runs={run_id: there for run_id, (_, there) in counts.items()}, carried=carried)


def _take_back(target: Store, run_id: str, fault: StoreError) -> None:
    """Leave no unfinished run of which nothing arrived; a target that does not answer any more is told at once."""
    try:
        there = next((run for run in target.runs() if run.run_id == run_id), None)
    except StoreError:
        raise fault from None
    if there is not None and not run_counts(target, run_id).traces:
        target.delete_run(run_id)
