"""Which texts two large runs saw under which names, as numbers: a passage that ten thousand traces retrieved takes 20 bytes."""

from __future__ import annotations

from array import array
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ragviz.compare.fairness import Unfairness, nothing_shared, texts_differ

PENDING = 500_000
"""Rows that wait until repeated ones are taken out."""
Codes = NDArray[np.int32]
Texts = NDArray[np.uint64]


class Names:
    """Names of passages (what labels go by, and their id), each once for both runs."""

    def __init__(self) -> None:
        self._codes: dict[tuple[str, str], int] = {}
        self._docs: dict[str, int] = {}
        self._doc_of = array("i")

    def code(self, doc: str, passage: str) -> int:
        """The number of a name."""
        found = self._codes.setdefault((doc, passage), len(self._codes))
        if found == len(self._doc_of):
            self._doc_of.append(self._docs.setdefault(doc, len(self._docs)))
        return found

    def docs(self, codes: Codes) -> NDArray[np.int32]:
        """Different documents under these names, as numbers."""
        return np.unique(np.frombuffer(self._doc_of, dtype=np.int32)[codes]) if len(codes) else np.zeros(0, np.int32)

    def of(self, codes: Codes) -> list[tuple[tuple[str, str], int]]:
        """Names of these numbers, each with its number."""
        wanted = set(codes.tolist())
        return [(name, code) for name, code in self._codes.items() if code in wanted]


class Seen(NamedTuple):
    """What one run saw, each text under each name once, by name."""

    codes: Codes
    texts: Texts
    """Fingerprints, shape (n, 2)."""


class Gathered:
    """Made of a run trace by trace."""

    def __init__(self) -> None:
        self._found = Seen(np.zeros(0, np.int32), np.zeros((0, 2), np.uint64))
        self._codes, self._texts = array("i"), list[str]()

    def add(self, code: int, text: str) -> None:
        """A text (``records.ids.text_hash``) under a name."""
        self._codes.append(code)
        self._texts.append(text)

    def settle(self) -> None:
        """To be called now and then: what came since takes its short form."""
        if len(self._codes) > max(PENDING, len(self._found.codes)):
            self.seen()

    def seen(self) -> Seen:
        """All of it."""
        texts = np.frombuffer(bytes.fromhex("".join(self._texts)), dtype=">u8").reshape(-1, 2).astype(np.uint64)
        codes = np.frombuffer(self._codes, dtype=np.int32) if len(self._codes) else np.zeros(0, np.int32)
        self._found = _distinct(np.concatenate([self._found.codes, codes]), np.concatenate([self._found.texts, texts]))
        self._codes, self._texts = array("i"), []
        return self._found


def _distinct(codes: Codes, texts: Texts) -> Seen:
    # 64 of the 128 bits tell texts apart here: among ten million that two are taken for one has a chance of one in 100,000.
    order = np.lexsort((texts[:, 0], codes))
    codes, texts = codes[order], texts[order]
    new = np.ones(len(codes), dtype=np.bool_)
    new[1:] = (codes[1:] != codes[:-1]) | (texts[1:, 0] != texts[:-1, 0])
    return Seen(codes[new], texts[new])


def packed_corpora_differ(names: Names, base: Seen, candidate: Seen) -> Unfairness | None:
    """``corpora_differ`` of two runs of any size: only names whose texts differ become words again."""
    mine, theirs = np.unique(base.codes), np.unique(candidate.codes)
    if not len(mine) or not len(theirs):
        return None
    if not len(np.intersect1d(names.docs(mine), names.docs(theirs), assume_unique=True)):
        return nothing_shared(len(names.docs(mine)), len(names.docs(theirs)))
    shared = np.intersect1d(mine, theirs, assume_unique=True)
    changed = shared[~np.isin(shared, _alike(base, candidate))]
    if not len(changed):
        return None
    return texts_differ(_texts(names, base, changed), _texts(names, candidate, changed), n_shared=len(names.docs(shared)))


def _alike(base: Seen, candidate: Seen) -> Codes:
    """Numbers of the names under which both saw one text at least."""
    codes, texts = np.concatenate([base.codes, candidate.codes]), np.concatenate([base.texts[:, 0], candidate.texts[:, 0]])
    order = np.lexsort((texts, codes))
    codes, texts = codes[order], texts[order]
    return np.unique(codes[1:][(codes[1:] == codes[:-1]) & (texts[1:] == texts[:-1])])


def _texts(names: Names, seen: Seen, wanted: Codes) -> dict[tuple[str, str], frozenset[str]]:
    """Fingerprints by name, of the ``wanted`` numbers alone."""
    rows = np.isin(seen.codes, wanted)
    found: dict[int, set[str]] = {}
    for code, (high, low) in zip(seen.codes[rows].tolist(), seen.texts[rows].tolist(), strict=True):
        found.setdefault(code, set()).add(f"{high:016x}{low:016x}")
    return {name: frozenset(found[code]) for name, code in names.of(wanted)}
