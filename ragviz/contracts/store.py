"""Where runs live. The real store offers more (ragviz.store); these are the parts others may count on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Protocol

import msgspec

from ragviz.records import Annotation, Claim, JudgedTrace, Judgement, LoadIssue, Policy, Rating, RunManifest, Trace, TraceResult


class View(msgspec.Struct, frozen=True, kw_only=True):
    """A run seen through a judge: the key of everything a page shows."""

    run_id: str
    judge: str
    """Fingerprint (Provenance.fingerprint) of the judge whose word counts, after people's."""
    claim_set: str
    """``rules``, ``facts``, ``imported``, ``anthropic``: which claims are looked at."""
    policy: Policy = Policy.DEFAULT
    k: int | None = None
    retrieval_k: int = 5


class RunStore(Protocol):
    """
    Append-only judgements over traces.

    Laws: what was added is read back equal; adding the same trace, claim or judgement twice changes nothing; two stores agree on
    the same operations; concurrent readers see whole batches; a database of each older schema opens.
    """

    def create_run(self, manifest: RunManifest) -> None:
        """Start a run (no error if it exists: import resumes)."""
        ...

    def add_traces(self, run_id: str, rows: Sequence[Trace | LoadIssue]) -> None:
        """One batch of an import, all or nothing."""
        ...

    def finish_run(self, manifest: RunManifest) -> None:
        """Final counts and fingerprints."""
        ...

    def runs(self) -> list[RunManifest]:
        """Newest first."""
        ...

    def delete_run(self, run_id: str) -> None:
        """Leave no text behind."""
        ...

    def issues(self, run_id: str) -> list[LoadIssue]:
        """Rejected and doubtful rows."""
        ...

    def traces(self, run_id: str, ids: Sequence[str] | None = None) -> Iterator[Trace]:
        """Traces in file order, streamed; only ``ids`` if given."""
        ...

    def add_claims(self, run_id: str, claims: Sequence[Claim]) -> None:
        """Claims of one or several traces."""
        ...

    def add_judgements(self, run_id: str, judgements: Sequence[Judgement], *, claim_set: str) -> None:
        """Append verdicts; they never replace earlier ones."""
        ...

    def add_ratings(self, run_id: str, ratings: Sequence[Rating]) -> None:
        """Append ratings."""
        ...

    def annotate(self, run_id: str, note: Annotation) -> None:
        """Append a person's word."""
        ...

    def judged(self, view: View, ids: Sequence[str] | None = None) -> Iterator[JudgedTrace]:
        """Traces seen through a judge, in file order, streamed."""
        ...

    def history(self, run_id: str, trace_id: str, claim_id: str, claim_set: str) -> list[Judgement | Annotation]:
        """Everything ever said about one claim, newest first."""
        ...

    def put_results(self, view: View, results: Sequence[TraceResult]) -> None:
        """Computed scores of a view (thrown away when a judgement or annotation arrives)."""
        ...

    def results(self, view: View, ids: Sequence[str] | None = None) -> Iterator[TraceResult]:
        """Stored scores of a view, in file order."""
        ...


class JudgementCache(Protocol):
    """Judgements by content, across runs. A failure (UNJUDGED without a confidence) is never kept."""

    def get_many(self, keys: Sequence[str]) -> dict[str, Judgement]:
        """Those that are known."""
        ...

    def put_many(self, items: Mapping[str, Judgement]) -> None:
        """Remember; one transaction."""
        ...
