"""A run that grows: traces are added as they come in, under a name, for as long as the system lives."""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec.structs import replace

from ragviz import __version__
from ragviz.pipeline.rankings import pack_ranking
from ragviz.records import LoadIssue, RunManifest, Trace
from ragviz.records.ids import digest
from ragviz.store import Store
from ragviz.store.replacing import replace_trace
from ragviz.text.citation_marks import resolve_citations


class GrowingRun:
    """The run of that name that grows; made with its first trace, found again by the next start."""

    def __init__(self, store: Store, name: str, *, kind: str) -> None:
        """
        Args:
            store: Where it is.
            name: What it is called.
            kind: What feeds it: "watch" or "receive"; two feeders of one name are two runs.
        """
        slug = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:40] or "run"
        self.run_id = f"{slug}-{digest((kind, name), length=8)}"
        self.name = name
        self._store = store

    @property
    def exists(self) -> bool:
        """Whether anything came in yet."""
        return any(run.run_id == self.run_id for run in self._store.runs())

    def add(self, rows: Sequence[Trace | LoadIssue]) -> list[str]:
        """One batch. Traces whose id the run has are left alone. Returns the ids of the new ones."""
        made = [row if isinstance(row, LoadIssue) or row.citations is not None else replace(row, citations=resolve_citations(row)) for row in rows]
        told = [row for row in made if isinstance(row, Trace)]
        if not told and not self.exists:
            return []
        self._create()
        known = set(self._store.origins(self.run_id, [t.id for t in told]))
        self._store.add_traces(self.run_id, made, packed={t.id: pack_ranking(t) for t in told if t.id not in known})
        return [t.id for t in told if t.id not in known]

    def replace(self, trace: Trace) -> bool:
        """Tell a trace anew that the run has; True when that changed anything, and it is to be judged again."""
        made = trace if trace.citations is not None else replace(trace, citations=resolve_citations(trace))
        return replace_trace(self._store, self.run_id, made, ranking=pack_ranking(made))

    def origins(self, ids: Sequence[str]) -> dict[str, str]:
        """Where those traces came from that the run has."""
        return self._store.origins(self.run_id, ids) if self.exists else {}

    def _create(self) -> None:
        if not self.exists:
            manifest = RunManifest(run_id=self.run_id, name=self.name, created_at=self._store.now(), ragviz_version=__version__, format="mixed")
            self._store.create_run(manifest)
            self._store.finish_run(manifest)
