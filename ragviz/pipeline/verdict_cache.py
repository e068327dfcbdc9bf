"""Answers of a run as a file, and back into the cache of another store: samples show verdicts before any model is loaded."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from pathlib import Path

import msgspec

from ragviz.contracts import View
from ragviz.errors import InputError
from ragviz.grounding.tables import joined_pairs, pairs_for
from ragviz.records import JudgedTrace, Judgement, Rating, Table
from ragviz.records.codec import encode
from ragviz.records.ids import cache_key
from ragviz.store import Store

BATCH = 2_000


class _Line(msgspec.Struct, kw_only=True, omit_defaults=True):
    key: str
    judgement: Judgement | None = None
    rating: Rating | None = None


def export_cache(store: Store, view: View) -> bytes:
    """The cached answers that a judge gave on a run, as gzipped JSON lines; the same run gives the same bytes."""
    keys: dict[str, None] = {}
    rating_keys: dict[str, None] = {}
    for case in store.judged(view):
        keys.update(dict.fromkeys(_pair_keys(case, view.judge)))
        rating_keys.update(dict.fromkeys(_rating_keys(case)))
    lines = [encode(_Line(key=key, judgement=judgement)) for key, judgement in sorted(store.judgement_cache.get_many(list(keys)).items())]
    lines += [encode(_Line(key=key, rating=rating)) for key, rating in sorted(store.judgement_cache.get_ratings(list(rating_keys)).items())]
    return gzip.compress(b"".join(line + b"\n" for line in lines), mtime=0)


def carry_over(source: Store, view: View, target: Store) -> int:
    """
    Put the cached answers that a judge gave on a run into another store's cache, so that nothing is asked twice.

    Args:
        source: Where the run is.
        view: The run, seen through the judge.
        target: Whose cache takes them.

    Returns:
        How many answers and ratings were carried.
    """
    n = 0
    judgements: dict[str, Judgement] = {}
    ratings: dict[str, Rating] = {}
    for case in source.judged(view):
        judgements |= source.judgement_cache.get_many(list(dict.fromkeys(_pair_keys(case, view.judge))))
        ratings |= source.judgement_cache.get_ratings(list(dict.fromkeys(_rating_keys(case))))
        if len(judgements) + len(ratings) >= BATCH:
            n += len(judgements) + len(ratings)
            _put(target, judgements, ratings)
    n += len(judgements) + len(ratings)
    _put(target, judgements, ratings)
    return n


def _pair_keys(case: JudgedTrace, fingerprint: str) -> Iterator[str]:
    for table in Table:
        for pair in (*pairs_for(case.trace, case.claims, table, k=case.k), *joined_pairs(case.trace, case.claims, table, k=case.k)):
            yield cache_key(fingerprint, pair.question, pair.premise, pair.hypothesis, pair.context)


def _rating_keys(case: JudgedTrace) -> Iterator[str]:
    trace = case.trace
    for rating in case.ratings:
        for left in (trace.question, trace.reference or ""):
            yield cache_key(rating.provenance.fingerprint, left, trace.response, rating.kind)


def load_cache(store: Store, path: Path) -> int:
    """
    Put the answers of such a file into the store's cache. Says how many there were.

    Raises:
        InputError: Not such a file.
    """
    decoder = msgspec.json.Decoder(_Line)
    n = 0
    judgements: dict[str, Judgement] = {}
    ratings: dict[str, Rating] = {}
    try:
        with gzip.open(path, "rb") as source:
            for raw in source:
                line = decoder.decode(raw)
                n += 1
                if line.judgement is not None:
                    judgements[line.key] = line.judgement
                if line.rating is not None:
                    ratings[line.key] = line.rating
                if len(judgements) + len(ratings) >= BATCH:
                    _put(store, judgements, ratings)
    except (OSError, EOFError, msgspec.DecodeError) as exc:
        raise InputError(f"{path.name} is not a file of cached verdicts", fix="make one with ragviz.pipeline.export_cache") from exc
    _put(store, judgements, ratings)
    return n


def _put(store: Store, judgements: dict[str, Judgement], ratings: dict[str, Rating]) -> None:
    store.judgement_cache.put_many(judgements)
    store.judgement_cache.put_ratings(ratings)
    judgements.clear()
    ratings.clear()
