"""Marks that traces can be filtered by: tags with their values, and sources, each a number made from its words."""

from __future__ import annotations

import hashlib
from typing import Any

from ragviz.records import Trace


class Terms:
    """What traces of one run can be filtered by: ("tag", name, value), the model among them, and ("source", "", document or source)."""

    def __init__(self, run: int) -> None:
        self._run = run
        self._tags: dict[tuple[str, str], int] = {}
        self._sources: dict[str, int] = {}
        self._fresh: list[tuple[Any, ...]] = []

    def __len__(self) -> int:
        """How many different ones were met."""
        return len(self._tags) + len(self._sources)

    def of(self, trace: Trace) -> set[int]:
        """Those of a trace."""
        tags, sources = self._tags, self._sources
        found = {tags.get(named) or self._tag(*named) for named in trace.tags.items()}
        if trace.model and "model" not in trace.tags:
            found.add(self._tag("model", trace.model))
        for passage in trace.passages or ():
            source, document = passage.source, passage.doc_id
            if source is not None:
                found.add(sources.get(source) or self._source(source))
            if document is not None:
                found.add(sources.get(document) or self._source(document))
        return found

    def _tag(self, name: str, value: str) -> int:
        term = self._tags.get((name, value))
        if term is None:
            term = self._tags[name, value] = self._met("tag", name, value)
        return term

    def _source(self, source: str) -> int:
        term = self._sources[source] = self._met("source", "", source)
        return term

    def _met(self, kind: str, name: str, value: str) -> int:
        term = term_of(self._run, kind, name, value)
        self._fresh.append((self._run, kind, name, value, term))
        return term

    def fresh(self) -> list[tuple[Any, ...]]:
        """Those that were met since this was asked last, for the table of terms."""
        fresh, self._fresh = self._fresh, []
        return fresh


def term_of(run: int, kind: str, name: str, value: str) -> int:
    """A 63-bit hash, so that marks need no look-up; its words stand in ``term``."""
    raw = "\x1f".join((str(run), kind, name, value)).encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.blake2b(raw, digest_size=8).digest(), "big") >> 1
