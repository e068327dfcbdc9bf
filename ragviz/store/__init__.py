"""Where runs live: one SQLite file, or PostgreSQL for a team."""

from ragviz.store.engine import Clock, system_clock
from ragviz.store.filters import Neighbours, TraceFilter, TraceRow
from ragviz.store.opening import default_store_path, open_store
from ragviz.store.runs import RunTraits
from ragviz.store.store import Store
from ragviz.store.words import Word

__all__ = [
    "Clock", "Neighbours", "RunTraits", "Store", "TraceFilter", "TraceRow", "Word", "default_store_path", "open_store", "system_clock",
]
