"""Pairs to a judge and asks to a rater, through the cache: what was asked before is not asked again."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from msgspec.structs import replace

from ragviz.contracts import Ask, Judge, Rater
from ragviz.judges import fingerprint
from ragviz.records import Cost, Judgement, Pair, Rating
from ragviz.records.ids import cache_key
from ragviz.store import Store
from ragviz.store.cache import is_answer

MAX_CACHED_LOCALLY = 50_000
"""Pairs of one run up to which a judge on this machine fills the cache: beyond, keeping answers costs more than giving them again."""


class Asker:
    """One judge and the cache in front of it. Counts what it was asked."""

    def __init__(self, judge: Judge, store: Store, *, run_id: str | None = None, fresh: bool = False) -> None:
        """
        Args:
            judge: Who answers.
            store: Whose cache is used.
            run_id: Cached answers are forgotten when this run is deleted.
            fresh: Ask anew even where the answer is known.
        """
        self.judge = judge
        self.store = store
        self.run_id = run_id
        self.fingerprint = fingerprint(judge)
        # Answers from annotations of the file depend on more than texts, and cost nothing.
        self.reads = judge.info.claim_set == "text" and not fresh
        self.writes = judge.info.claim_set == "text"
        self.n_asked = 0
        self.n_cached = 0

    def ask(self, pairs: Sequence[Pair]) -> list[Judgement]:
        """One judgement per pair, in order."""
        if not pairs:
            return []
        found = self.known(pairs)
        open_ = [n for n in range(len(pairs)) if n not in found]
        for some in whole_traces([pairs[n].key.trace_id for n in open_], open_, max(1, self.judge.info.max_batch)):
            found.update(zip(some, self.judge.judge([pairs[n] for n in some]), strict=True))
        self.keep([pairs[n] for n in open_], [found[n] for n in open_])
        return [found[n] for n in range(len(pairs))]

    def known(self, pairs: Sequence[Pair]) -> dict[int, Judgement]:
        """What the cache knows, by place; counts it."""
        keys = self._keys(pairs) if self.reads else []
        known = self.store.judgement_cache.get_many(keys) if keys else {}
        self.n_cached += sum(key in known for key in keys)
        # The cached word was said of another pair with the same texts: it takes this pair's key.
        return {n: replace(known[key], key=pairs[n].key, cost=Cost(cached=True)) for n, key in enumerate(keys) if key in known}

    def keep(self, pairs: Sequence[Pair], said: Sequence[Judgement]) -> None:
        """Put fresh answers into the cache; counts them."""
        self.n_asked += len(pairs)
        if self.writes and pairs and (self.judge.info.network or self.n_asked <= MAX_CACHED_LOCALLY):
            # The same texts may be asked about twice (an answer that equals its reference): a failure must not hide the answer that came in.
            answers = {key: judgement for key, judgement in zip(self._keys(pairs), said, strict=True) if is_answer(judgement)}
            self.store.judgement_cache.put_many(answers, run_id=self.run_id)

    def _keys(self, pairs: Sequence[Pair]) -> list[str]:
        return [cache_key(self.fingerprint, p.question, p.premise, p.hypothesis, p.context) for p in pairs]


def whole_traces(trace_ids: Sequence[str], places: Sequence[int], size: int) -> list[list[int]]:
    """
    ``places`` in batches of up to ``size``, a trace never cut in two unless it alone is larger: judges that read an answer as a whole
    ask about it once.
    """
    batches: list[list[int]] = []
    for _, group in groupby(zip(trace_ids, places, strict=True), key=lambda pair: pair[0]):
        some = [place for _, place in group]
        if batches and len(batches[-1]) + len(some) <= size:
            batches[-1] += some
        else:
            batches += [some[start : start + size] for start in range(0, len(some), size)]
    return batches


def rate(rater: Rater, asks: Sequence[Ask], store: Store, *, run_id: str | None = None, keep: bool = True) -> list[Rating]:
    """One rating per ask, in order, through the cache."""
    if not asks:
        return []
    said_by = fingerprint(rater)
    keys = [cache_key(said_by, ask.left, ask.right, ask.kind, *(["answer"] if ask.is_answer else [])) for ask in asks]
    known = store.judgement_cache.get_ratings(keys)
    found = {
        n: replace(known[key], kind=asks[n].kind, trace_id=asks[n].trace_id, target_id=asks[n].target_id) for n, key in enumerate(keys) if key in known
    }
    open_ = [n for n in range(len(asks)) if n not in found]
    size = max(1, rater.info.max_batch)
    for start in range(0, len(open_), size):
        some = open_[start : start + size]
        found.update(zip(some, rater.rate([asks[n] for n in some]), strict=True))
    if open_ and keep:
        store.judgement_cache.put_ratings({keys[n]: found[n] for n in open_}, run_id=run_id)
    return [found[n] for n in range(len(asks))]
