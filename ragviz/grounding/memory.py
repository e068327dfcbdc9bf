"""What was worked out of the trace at hand: some forty metrics ask the same of one case, and records never change."""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable
from typing import Any, TypeVar

from ragviz.records import JudgedTrace

T = TypeVar("T")


class _Threads:
    """What each thread has at hand."""

    def __init__(self) -> None:
        self.local = threading.local()


_threads = _Threads()


def let_go() -> None:
    """Keep nothing of any case, in no thread."""
    _threads.local = threading.local()


def remembered(case: JudgedTrace, key: Hashable, compute: Callable[[], T]) -> T:
    """
    ``compute()``, once per case and key as long as the thread stays with the case.

    Only the last case of each thread is kept, by identity, so memory does not grow. The result is shared: callers must not change it.
    """
    last = _threads.local
    if getattr(last, "case", None) is not case:
        last.case, last.results = case, {}
    results: dict[Hashable, Any] = last.results
    if key not in results:
        results[key] = compute()
    found: T = results[key]
    return found
