"""
The ranking of a trace in 188 bytes, written once while importing: retrieval at any k over a million traces is then reading and counting.

Layout (little endian): places in the list, relevant documents, a flag per place (1 = repeated, 2 = nobody labelled it), gain per place,
the gains of all judged documents from the highest down; the first twenty of each. A trace without labels has no bytes.
"""

from __future__ import annotations

import struct
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from ragviz.metrics.ranked import ideal_of, labels_of, places_of
from ragviz.records import Trace
from ragviz.records.ids import group_code

DEPTH = 20
REPEATED, UNLABELLED = 1, 2
DTYPE = np.dtype([("n_places", "<u4"), ("n_relevant", "<u4"), ("flags", "u1", DEPTH), ("gains", "<f4", DEPTH), ("ideal", "<f4", DEPTH)])
_LAYOUT = struct.Struct(f"<II{DEPTH}B{DEPTH}f{DEPTH}f")
_ZEROS = (0,) * DEPTH


def pack_ranking(trace: Trace) -> tuple[int, bytes]:
    """Which question the trace belongs to (equal for equal groups), and its ranking."""
    question = trace.group if trace.group is not None else trace.question
    group = group_code(question)
    labels = None if trace.passages is None else labels_of(trace)
    if trace.passages is None or labels is None:
        return group, b""
    places, every = places_of(trace.passages, labels), ideal_of(labels)
    shown = places[:DEPTH]
    flags = bytes([REPEATED if first is not None else 0 if labelled else UNLABELLED for _, _, labelled, first in shown])
    return group, _body(len(places), len(every), flags, tuple([gain for _, gain, _, _ in shown]), every[:DEPTH])


@lru_cache(maxsize=1_024)
def _body(n_places: int, n_relevant: int, flags: bytes, gains: tuple[float, ...], ideal: tuple[float, ...]) -> bytes:
    """Most traces of a run have one of a few dozen rankings."""
    rest = _ZEROS[len(flags) :]
    return _LAYOUT.pack(n_places, n_relevant, *flags, *rest, *gains, *rest, *ideal, *_ZEROS[len(ideal) :])


def unpack_rankings(bodies: list[bytes]) -> NDArray[np.void]:
    """Rankings as one structured array; none of them may be empty."""
    return np.frombuffer(b"".join(bodies), dtype=DTYPE)
