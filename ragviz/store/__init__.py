"""Where runs live: one SQLite file, or PostgreSQL for a team."""

from ragviz.store.bundle import is_bundle
from ragviz.store.engine import Clock, system_clock
from ragviz.store.filters import FAILING, FAILING_QUADRANTS, FAILING_VERDICTS, TO_EXPLAIN, Neighbours, TraceFilter, TraceRow
from ragviz.store.met import Met
from ragviz.store.opening import data_folder, default_store_path, open_store
from ragviz.store.passages import content_hash
from ragviz.store.pending import PendingBatch
from ragviz.store.runs import RunTraits
from ragviz.store.seen import Word
from ragviz.store.store import Store

__all__ = [
    "FAILING", "FAILING_QUADRANTS", "FAILING_VERDICTS", "TO_EXPLAIN", "Clock", "Met", "Neighbours", "PendingBatch", "RunTraits", "Store", "TraceFilter", "TraceRow", "Word", "content_hash", "data_folder", "default_store_path", "is_bundle", "open_store", "system_clock",
]
