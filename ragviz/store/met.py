"""What an import has stored already, so that its next batch need not look it up again."""

from __future__ import annotations

from sqlalchemy import Connection, select

from ragviz.records import Trace
from ragviz.store.passages import content_hash
from ragviz.store.schema import change
from ragviz.store.terms import Terms

MOST = 100_000
"""Terms, and passages, that are remembered: some 25 MiB. Beyond, remembering begins anew."""


class Met:
    """
    Terms and passages of the batches that one import has stored in its run, and hashes of those of the batch at hand.

    True only as long as nobody else has written to the run, and nothing of a batch counts before it is kept: the run's version tells.
    """

    def __init__(self) -> None:
        self._run = self._version = -1
        self._hashes: dict[str, tuple[Trace, list[bytes]]] = {}
        self.terms = Terms(-1)
        self.passages: set[bytes] = set()

    def hashes_of(self, trace: Trace) -> list[bytes]:
        """What the texts of its passages are stored under, in rank order; worked out once, until its batch is stored."""
        known = self._hashes.get(trace.id)
        if known is None or known[0] is not trace:
            known = self._hashes[trace.id] = trace, [content_hash(passage.text) for passage in trace.passages or ()]
        return known[1]

    def begin(self, conn: Connection, run: int) -> None:
        """A batch is about to be stored in this run."""
        if (run, version_in(conn, run)) != (self._run, self._version) or max(len(self.terms), len(self.passages)) > MOST:
            self.terms, self.passages = Terms(run), set()
        self._run, self._version = run, -1

    def stored(self, version: int | None) -> None:
        """The batch is kept, and left the run at this version; None: it brought no trace that the run did not have."""
        if version is not None:
            self._version = version
        self._hashes.clear()


def version_in(conn: Connection, run: int) -> int:
    """How often was written to a run."""
    return int(conn.execute(select(change.c.n).where(change.c.key == run + 1)).scalar() or 0)
