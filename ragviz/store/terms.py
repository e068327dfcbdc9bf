"""Marks that traces can be filtered by: tags with their values, and sources, each a number made from its words."""

from __future__ import annotations

import hashlib
from functools import lru_cache
from typing import Any

from ragviz.records import Trace


class Terms:
    """What traces of one run can be filtered by: ("tag", name, value), the model among them, and ("source", "", document or source)."""

    def __init__(self, run: int) -> None:
        self._run = run
        self._tags: dict[tuple[str, str], int] = {}
        self._sources: dict[str, int] = {}

    def of(self, trace: Trace) -> set[int]:
        """Those of a trace."""
        found = {self._tag(name, value) for name, value in trace.tags.items()}
        if trace.model and "model" not in trace.tags:
            found.add(self._tag("model", trace.model))
        for passage in trace.passages or ():
            for source in (passage.source, passage.doc_id):
                if source is not None:
                    term = self._sources.get(source)
                    if term is None:
                        term = self._sources[source] = term_of(self._run, "source", "", source)
                    found.add(term)
        return found

    def _tag(self, name: str, value: str) -> int:
        term = self._tags.get((name, value))
        if term is None:
            term = self._tags[name, value] = term_of(self._run, "tag", name, value)
        return term

    def rows(self) -> list[tuple[Any, ...]]:
        """All that were met, for the table of terms."""
        tags = [(self._run, "tag", name, value, term) for (name, value), term in self._tags.items()]
        return tags + [(self._run, "source", "", source, term) for source, term in self._sources.items()]


@lru_cache(maxsize=8_192)
def term_of(run: int, kind: str, name: str, value: str) -> int:
    """A 63-bit hash, so that marks need no look-up; its words stand in ``term``."""
    raw = "\x1f".join((str(run), kind, name, value)).encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.blake2b(raw, digest_size=8).digest(), "big") >> 1
