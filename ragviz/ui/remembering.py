"""
Answers in memory: of each question the newest one alone, within bounds of number and bytes, worked out once however many ask at a time.

While a run is written to, every answer is out of date at once. What was dear to work out is then given as it was for a while, together with its age,
so that a page says what it shows instead of having everybody wait; what is cheap is always up to date, and so is everything soon after the writing has ended.
"""

from __future__ import annotations

import pickle
import threading
import time
import weakref
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

from ragviz.ui.weighing import weight

DEAR_S = 0.15
"""Processor time from which on an answer may be given once more although something was written since. Below, it is worked out anew."""
SHARE = 20
"""So many times what it took: questions that are asked all the time take a twentieth of a processor each."""
OLDEST_S = 180.0
QUIET_S, QUIET_SHARE = 10.0, 5
"""Where nothing more was written for so long, and for so many times what the answer took, the next one who asks gets the newest."""
Make = Callable[[], Any]


class Answer(NamedTuple):
    """A value, and how old it is where newer ones may differ."""

    value: Any
    age_s: float | None
    """None: nothing it depends on was written since."""


class Newest(NamedTuple):
    """An answer that is there, whether or not it still holds."""

    value: Any
    age_s: float | None
    """None: nothing it depends on was written since."""
    serves: bool
    """Whether ``get`` would give it; False: it is time to work it out anew."""


@dataclass
class _Kept:
    version: str
    since: int
    made_at: float
    took_s: float
    size: int
    value: Any
    newer: str = ""
    """The last other version that was asked for, and since when: as long as these follow each other, somebody is writing."""
    newer_since: float = 0.0

    @property
    def patience_s(self) -> float:
        return min(OLDEST_S, SHARE * self.took_s) if self.took_s >= DEAR_S else 0.0

    @property
    def quiet_s(self) -> float:
        return max(QUIET_S, QUIET_SHARE * self.took_s)


class _Turn:
    """Held while an answer is worked out."""

    def __init__(self) -> None:
        self.lock = threading.RLock()


class _AtWork(threading.local):
    """How many answers this thread is working out, each for the one before."""

    depth = 0


_at_work = _AtWork()


class Remembered:
    """Safe to use from any thread."""

    def __init__(
        self, *, most: int, most_bytes: int, copies: bool, clock: Callable[[], float] = time.monotonic, spent: Callable[[], float] = time.thread_time
    ) -> None:
        """
        Args:
            most: Answers kept at most; the ones not asked for longest go first.
            most_bytes: The same in bytes, estimated where nothing is copied. Beside them one answer is kept that takes more than all that, however large.
            copies: Whoever asks gets a copy of its own; False = all share the same one, and nobody may change it.
            clock: Seconds that only go on.
            spent: Processor seconds of this thread.
        """
        self._most, self._most_bytes, self._copies = most, most_bytes, copies
        self._clock, self._spent = clock, spent
        self._kept: OrderedDict[str, _Kept] = OrderedDict()
        self._heavy = threading.RLock()
        self._turns: weakref.WeakValueDictionary[str, _Turn] = weakref.WeakValueDictionary()
        self._lock = threading.Lock()
        self._n_forgotten = 0
        self.n_bytes = 0

    def __len__(self) -> int:
        return len(self._kept)

    def get(self, key: str, version: str, make: Make, *, since: int = 0, patient: bool = True, heavy: bool = False) -> Answer:
        """
        The answer to a question.

        Args:
            key: The question.
            version: A word that changes whenever the answer may.
            make: Works it out.
            since: A number that moves when nobody may be shown an older answer any more: the reader has just changed something.
            patient: False = never one of another version.
            heavy: It takes much room while it is worked out: such ones follow each other, so that what they take never adds up. Python runs one at
                a time anyway.
        """
        kept = self._look(key)
        if kept is None or not self._serves(kept, version, since, patient=patient):
            turn = self._turn(key)
            lock = self._heavy if heavy else turn.lock
            older = kept is not None and patient and kept.since == since and kept.patience_s > 0
            # Somebody is at it already: who has an older answer to something dear does not wait. Nor does, for a heavy one, who holds the turn of
            # another: both would wait for ever.
            held = lock.acquire(blocking=not older and not (heavy and _at_work.depth))
            if held or not older:
                try:
                    kept = self._look(key)
                    if kept is None or not self._serves(kept, version, since, patient=patient):
                        kept = self._made(key, version, make, since)
                finally:
                    if held:
                        lock.release()
        assert kept is not None
        value = pickle.loads(kept.value) if self._copies else kept.value  # noqa: S301 - pickled by this process, and never stored
        return Answer(value, None if kept.version == version else self._clock() - kept.made_at)

    def forget(self) -> None:
        """Keep nothing any more; what is being worked out at this moment is given to those who wait for it, and not kept either."""
        with self._lock:
            self._kept.clear()
            self.n_bytes = 0
            self._n_forgotten += 1

    def newest(self, key: str, version: str, *, since: int = 0) -> Newest | None:
        """The answer that is there, of whatever version, without working anything out; None where there is none."""
        kept = self._look(key)
        if kept is None:
            return None
        value = pickle.loads(kept.value) if self._copies else kept.value  # noqa: S301 - pickled by this process, and never stored
        return Newest(value, None if kept.version == version else self._clock() - kept.made_at, serves=self._serves(kept, version, since, patient=True))

    def _serves(self, kept: _Kept, version: str, since: int, *, patient: bool) -> bool:
        if kept.version == version:
            return True
        now = self._clock()
        if kept.newer != version:
            kept.newer, kept.newer_since = version, now
        return patient and kept.since == since and now - kept.made_at < kept.patience_s and now - kept.newer_since < kept.quiet_s

    def _look(self, key: str) -> _Kept | None:
        with self._lock:
            kept = self._kept.get(key)
            if kept is not None:
                self._kept.move_to_end(key)
            return kept

    def _turn(self, key: str) -> _Turn:
        with self._lock:
            turn = self._turns.get(key)
            if turn is None:
                turn = self._turns[key] = _Turn()
            return turn

    def _made(self, key: str, version: str, make: Make, since: int) -> _Kept:
        began, n_forgotten = self._spent(), self._n_forgotten
        _at_work.depth += 1
        try:
            value = make()
        finally:
            _at_work.depth -= 1
        took = self._spent() - began
        held = pickle.dumps(value, protocol=pickle.HIGHEST_PROTOCOL) if self._copies else value
        made = _Kept(version, since, self._clock(), took, len(held) if self._copies else weight(held), held)
        with self._lock:
            if n_forgotten != self._n_forgotten:
                return made
            old = self._kept.pop(key, None)
            self.n_bytes += made.size - (old.size if old else 0)
            self._kept[key] = made
            self._make_room(key)
        return made

    def _make_room(self, newest: str) -> None:
        """
        Let the oldest go. One that takes more than all the room pushes out its like alone: else it and all the others would be worked out
        again and again.
        """
        outsize = [key for key, kept in self._kept.items() if kept.size > self._most_bytes]
        gone = outsize[:-1]
        alone = sum(self._kept[key].size for key in outsize)
        n, n_bytes = len(self._kept) - len(outsize), self.n_bytes - alone
        for key, kept in self._kept.items():
            if n <= self._most and n_bytes <= self._most_bytes:
                break
            if kept.size <= self._most_bytes and key != newest:
                gone.append(key)
                n, n_bytes = n - 1, n_bytes - kept.size
        for key in gone:
            self.n_bytes -= self._kept.pop(key).size
