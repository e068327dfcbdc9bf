"""Runs from one store to another: from one's own file to the team's server, or back."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence

from ragviz.pipeline.scoring import Progress
from ragviz.store import Store

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
