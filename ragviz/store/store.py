"""The store as everybody else sees it: ``contracts.RunStore``, and what pages ask (``Asked``) on top."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import BinaryIO, Literal, TypeVar

from ragviz.contracts import View
from ragviz.records import (
    Annotation,
    Claim,
    ImportedScore,
    JudgedTrace,
    Judgement,
    LoadIssue,
    Provenance,
    Rating,
    RunManifest,
    Trace,
    TraceResult,
)
from ragviz.store import bundle, kept, migrations, pending, queries, rankings, results, runs, seen, traces, words
from ragviz.store.asked import Asked
from ragviz.store.cache import StoredCache
from ragviz.store.engine import Database
from ragviz.store.kept import Kind
from ragviz.store.met import Met
from ragviz.store.pending import PendingBatch
from ragviz.store.rankings import Packed
from ragviz.store.runs import RunTraits
from ragviz.store.seen import Word

T = TypeVar("T")


class Store(Asked):
    """
    Runs, traces, verdicts, results. Safe to share between threads: readers never wait, writers queue.

    Every method that writes is one transaction. Every fault of the database leaves as StoreError.
    """

    def __init__(self, database: Database) -> None:
        super().__init__(database)
        self.judgement_cache = StoredCache(database)
        self._bereaved: list[Callable[[], None]] = []

    @property
    def address(self) -> str:
        """The file, or the address without its password."""
        return self._db.where

    @property
    def read_only(self) -> bool:
        """True for a file that this process may only read: every write raises StoreError."""
        return self._db.read_only

    @property
    def full_address(self) -> str:
        """With which another process opens this store: the whole path, or the address with its password. Never to be shown."""
        db = self._db
        return str(db.path.absolute()) if db.path else db.url.render_as_string(hide_password=False)

    def now(self) -> datetime:
        """The store's clock."""
        return self._db.clock()

    def on_write(self, tell: Callable[[], None]) -> None:
        """Call this after everything that this process writes, in the thread that wrote it."""
        self._db.heard.append(tell)

    def on_delete(self, tell: Callable[[], None]) -> None:
        """Call this after a run was deleted by this process, in the thread that did it: whoever remembers texts forgets them."""
        self._bereaved.append(tell)

    def close(self) -> None:
        """Give all connections back."""
        self._db.close()

    def back_up(self, target: Path) -> None:
        """Copy a SQLite store into another file, whole and consistent."""
        migrations.back_up(self._db, target)

    # Runs

    def create_run(self, manifest: RunManifest) -> None:
        """Start a run; no error if it exists: import resumes."""
        runs.create(self._db, manifest)

    def finish_run(self, manifest: RunManifest) -> None:
        """Final counts and fingerprints."""
        runs.finish(self._db, manifest)

    def is_finished(self, run_id: str) -> bool:
        """Whether its import reached the end."""
        return runs.is_finished(self._db, run_id)

    def unfinished_runs(self) -> frozenset[str]:
        """Ids of the runs that are still being made, or whose making was stopped."""
        return runs.unfinished(self._db)

    def runs(self) -> list[RunManifest]:
        """Newest first."""
        return runs.every(self._db)

    def run(self, name_or_id: str) -> RunManifest:
        """The run of that id, else the newest of that name; UnknownName with the known names."""
        return runs.find(self._db, name_or_id)

    def traits(self, run_id: str) -> RunTraits:
        """What its traces bring along: how many have references, labels, verdicts, …"""
        return runs.traits(self._db, run_id)

    def delete_run(self, run_id: str) -> None:
        """Leave no text behind, neither in the files nor in what this store holds in memory."""
        try:
            runs.remove(self._db, run_id)
        finally:  # also where only the log could not be emptied: the run is gone
            self.let_go()
            for tell in self._bereaved:
                tell()

    def issues(self, run_id: str) -> list[LoadIssue]:
        """Rejected and doubtful rows."""
        return runs.issues(self._db, run_id)

    def export_bundle(self, run_id: str, target: BinaryIO) -> int:
        """Write a run with all that was said about it as one file; says how many traces."""
        return bundle.export(self._db, run_id, target)

    def import_bundle(self, source: BinaryIO, *, name: str) -> RunManifest:
        """Read such a file; traces that are there already are left alone."""
        return bundle.read(self._db, source, name=name)

    # Traces

    def add_traces(
        self, run_id: str, rows: Sequence[Trace | LoadIssue], *, packed: Mapping[str, Packed] | None = None, met: Met | None = None,
    ) -> int:
        """
        One batch of an import, all or nothing. Says how many traces were new.

        ``packed``: rankings by trace id. ``met``: the same for all batches of an import, which then looks up less.
        """
        return traces.add(self._db, run_id, rows, packed or {}, met or Met())

    def add_scores(self, run_id: str, found: Mapping[str, Sequence[ImportedScore]]) -> None:
        """Scores of other tools by trace id; one of the same name that was made with the same takes the place of the earlier one."""
        traces.add_scores(self._db, run_id, found)

    def put_rankings(self, run_id: str, packed: Mapping[str, Packed]) -> None:
        """Packed rankings by trace id; known ones stay."""
        rankings.put(self._db, run_id, packed)

    def without_ranking(self, run_id: str) -> list[str]:
        """Ids of traces whose ranking was not worked out."""
        return rankings.missing(self._db, run_id)

    def traces(self, run_id: str, ids: Sequence[str] | None = None) -> Iterator[Trace]:
        """Traces in file order, streamed; only ``ids`` if given."""
        return traces.stream(self._db, run_id, ids)

    def trace_ids(self, run_id: str) -> list[str]:
        """Ids of all traces in file order."""
        return traces.ids(self._db, run_id)

    def origins(self, run_id: str, ids: Sequence[str]) -> dict[str, str]:
        """Where those traces came from that the run has."""
        return {trace.id: trace.origin for trace in self.traces(run_id, ids)}

    def labels(self, run_id: str, kind: Literal["tag", "source"], *, limit: int = 5_000) -> Mapping[str, list[str]]:
        """Names and values to filter by: tags by name, sources under ""."""
        return queries.labels(self._db, run_id, kind, limit=limit)

    # Words of judges and people

    def add_claims(self, run_id: str, claims: Sequence[Claim]) -> None:
        """Claims of one or several traces; known ids stay as they are."""
        sets: dict[tuple[str, str], list[Claim]] = {}
        for claim in claims:
            sets.setdefault((claim.trace_id, claim.extractor), []).append(claim)
        words.add_claim_sets(self._db, run_id, sets)

    def add_claim_sets(self, run_id: str, sets: Mapping[tuple[str, str], Sequence[Claim]]) -> None:
        """Claims by (trace id, claim set); an empty set says "looked, found none"."""
        words.add_claim_sets(self._db, run_id, sets)

    def claim_sets(self, run_id: str, claim_set: str, ids: Sequence[str]) -> dict[str, list[Claim]]:
        """Claims of one set by trace; traces that were never looked at are missing."""
        return words.claim_sets(self._db, run_id, claim_set, ids)

    def add_judgements(self, run_id: str, judgements: Sequence[Judgement], *, claim_set: str) -> None:
        """Append verdicts; they never replace earlier ones."""
        words.add_judgements(self._db, run_id, judgements, claim_set=claim_set)

    def add_judged(
        self, run_id: str, provenance: Provenance, said: Mapping[str, Sequence[Judgement]], *, claim_set: str, scope: int | None = None,
        repeats: bool = False,
    ) -> None:
        """Append one judge's words by trace. scope 0: complete on all passages; k: on the first k; None: some pairs. ``repeats``: also what was said before."""
        words.add_judged(self._db, run_id, provenance, said, claim_set=claim_set, scope=scope, repeats=repeats)

    def not_judged(self, run_id: str, fingerprint: str, claim_set: str, scope: int) -> list[str]:
        """Ids of the traces a judge has not completed for that scope, in file order."""
        return words.not_judged(self._db, run_id, fingerprint, claim_set, scope)

    def add_ratings(self, run_id: str, ratings: Sequence[Rating]) -> None:
        """Append ratings."""
        words.add_ratings(self._db, run_id, ratings)

    def annotate(self, run_id: str, note: Annotation) -> None:
        """Append a person's word."""
        words.annotate(self._db, run_id, note)

    def add_issues(self, run_id: str, found: Sequence[LoadIssue]) -> None:
        """Append doubts that came up after the import; saying the same twice changes nothing."""
        traces.add(self._db, run_id, found, {}, Met())

    def add_pending(self, run_id: str, batch: PendingBatch) -> None:
        """Note a batch that was sent to a service, before waiting for it."""
        pending.add(self._db, run_id, batch)

    def pending(self, run_id: str, fingerprint: str) -> list[PendingBatch]:
        """Batches whose answers are still out, oldest first."""
        return pending.every(self._db, run_id, fingerprint)

    def remove_pending(self, batch_id: str) -> None:
        """Forget a batch: its answers are stored, or will never come."""
        pending.remove(self._db, batch_id)

    def judged(self, view: View, ids: Sequence[str] | None = None) -> Iterator[JudgedTrace]:
        """Traces seen through a judge, in file order, streamed."""
        return seen.judged(self._db, view, ids)

    def one(self, view: View, trace_id: str) -> JudgedTrace | None:
        """One trace seen through a judge."""
        return next(seen.judged(self._db, view, [trace_id]), None)

    def history(self, run_id: str, trace_id: str, claim_id: str, claim_set: str) -> list[Judgement | Annotation]:
        """Everything ever said about one claim, newest first."""
        return [word.said for word in self.words(run_id, trace_id, claim_id, claim_set)]

    def words(self, run_id: str, trace_id: str, claim_id: str, claim_set: str) -> list[Word]:
        """The same with the time at which it was said."""
        return seen.history(self._db, run_id, trace_id, claim_id, claim_set)

    def views(self, run_id: str) -> list[tuple[View, int]]:
        """Judges the run can be seen through, and how many traces each has judged; the most complete first."""
        return results.views(self._db, run_id)

    def judged_runs(self, fingerprint: str, claim_set: str) -> frozenset[str]:
        """Ids of the runs that can be seen through a judge."""
        return results.judged_runs(self._db, fingerprint, claim_set)

    # Results

    def put_results(self, view: View, found: Sequence[TraceResult]) -> None:
        """Computed scores of a view (thrown away when a judgement, rating or annotation arrives)."""
        results.put(self._db, view, found)

    def results(self, view: View, ids: Sequence[str] | None = None) -> Iterator[TraceResult]:
        """Stored scores of a view, in file order."""
        return results.stream(self._db, view, ids)

    def missing_results(self, view: View) -> list[str]:
        """Ids of traces without a result in this view, in file order."""
        return results.missing(self._db, view)

    # What people set in the pages

    def keep(self, kind: Kind, name: str, value: object) -> None:
        """Keep a setting for all runs; replaces one of that name."""
        kept.put(self._db, kind, name, value)

    def kept(self, kind: Kind, what: type[T]) -> dict[str, T]:
        """Settings of a kind by name."""
        return kept.every(self._db, kind, what)

    def kept_one(self, kind: Kind, name: str, what: type[T]) -> T | None:
        """The setting of that name; None when there is none."""
        return kept.one(self._db, kind, name, what)

    def forget(self, kind: Kind, name: str) -> None:
        """Take a setting back."""
        kept.remove(self._db, kind, name)
