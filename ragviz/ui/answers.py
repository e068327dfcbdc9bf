"""
Answers of the store for pages, remembered.

They belong to a view and to a data version that moves when a judgement, an annotation or an import arrives, so no page shows yesterday's verdicts. While
others write all the time, dear ones may be seconds old, and the page says so (``as_of``); never for a reader who has just changed something.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any, TypeVar

from ragviz.ui.process import data_version, jobs, memory, store
from ragviz.ui.remembering import Answer, Newest

T = TypeVar("T")


def _since() -> int:
    return memory().n_own + jobs().n_over


def begin() -> None:
    """A page is going to be drawn."""
    _drawn.oldest_s = None


def as_of() -> datetime | None:
    """When the oldest of the figures that this page showed was worked out, in UTC; None where all are up to date."""
    oldest: float | None = getattr(_drawn, "oldest_s", None)
    return None if oldest is None else store().now() - timedelta(seconds=oldest)


_drawn = threading.local()


def _told(found: Answer) -> Any:
    """The value; its age is noted for the page."""
    if found.age_s is not None:
        _drawn.oldest_s = max(found.age_s, getattr(_drawn, "oldest_s", None) or 0.0)
    return found.value


def _key(parts: tuple[object, ...]) -> str:
    return "\x1f".join(map(repr, parts))


def query(make: Callable[[], T], *key: object, run_id: str | None = None) -> T:
    """
    A small result, computed once per data version; every caller gets a copy of its own.

    Args:
        make: Computes it.
        *key: All that it depends on.
        run_id: It depends on this run alone: what is written to others leaves it as it is.
    """
    return _told(memory().small.get(_key(key), _version(run_id), make, since=_since()))  # type: ignore[no-any-return]


def shared(make: Callable[[], T], *key: object, run_id: str | None = None, version: object = None, heavy: bool = False) -> T:
    """
    A large result of frozen records, computed once per data version and shared by all sessions: nobody may change it.

    Arguments as for ``query``; ``version``: changes whenever the result may, instead of everything that is written; ``heavy``: it reads thousands of traces
    with their verdicts, so that two such results are not worked out at a time.
    """
    return _told(memory().large.get(_key(key), _version(run_id) if version is None else repr(version), make, since=_since(), heavy=heavy))  # type: ignore[no-any-return]


def huge(make: Callable[[], T], *key: object, version: object) -> T:
    """``shared`` for what takes many seconds and much room: no smaller answer pushes it out."""
    return _told(memory().huge.get(_key(key), repr(version), make, since=_since()))  # type: ignore[no-any-return]


def huge_by_job(make: Callable[[], T], *key: object, version: object) -> None:
    """The same for a job in the background: pages read it with ``newest``. Other jobs that end make it no older."""
    memory().huge.get(_key(key), repr(version), make, since=memory().n_own, patient=False)


def newest(*key: object, version: object) -> Newest | None:
    """What ``huge_by_job`` last made, of whatever version, at once; its age is noted for the page. None where it never did."""
    found = memory().huge.newest(_key(key), repr(version), since=memory().n_own)
    if found is not None:
        _told(Answer(found.value, found.age_s))
    return found


def _version(run_id: str | None) -> str:
    return data_version() if run_id is None else store().run_version(run_id)
