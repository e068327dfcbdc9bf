"""
When a run was deleted, nothing that this process remembers of texts is shown any more, or kept: answers of the store, files made for a download,
and what functions remember of words and texts. It makes no difference who deleted it: the page itself, or another program on the same store.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Iterable

from streamlit import runtime

from ragviz.text.word_table import WordTable

_PACKAGE = "ragviz."


def texts() -> None:
    """What functions remember by text. Caches without a bound are left: they hold the program's own word lists and models, and no text of anybody."""
    for name, module in list(sys.modules.items()):
        for value in list(vars(module).values()) if name.startswith(_PACKAGE) else ():
            if isinstance(value, WordTable):
                value.clear()
            elif isinstance(value, functools._lru_cache_wrapper) and value.cache_parameters()["maxsize"] is not None:  # noqa: SLF001 - the only name the type has
                value.cache_clear()


def downloads() -> None:
    """Files that were made for a download: the first look marks those that no open page shows, the second takes them away."""
    if runtime.exists():
        files = runtime.get_instance().media_file_mgr
        files.remove_orphaned_files()
        files.remove_orphaned_files()


class Runs:
    """Which runs the store has, as far as this process knows."""

    def __init__(self) -> None:
        self._known: frozenset[str] = frozenset()

    def lost_one(self, now: Iterable[str]) -> bool:
        """Whether a run that was there at the last call is not there any more."""
        before, self._known = self._known, frozenset(now)
        return not before <= self._known
