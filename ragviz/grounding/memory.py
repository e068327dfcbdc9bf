"""What was worked out of the trace at hand: some forty metrics ask the same of one case, and records never change."""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable
from typing import Any, TypeVar

from ragviz.records import JudgedTrace

T = TypeVar("T")

_last = threading.local()


def remembered(case: JudgedTrace, key: Hashable, compute: Callable[[], T]) -> T:
    """
    ``compute()``, once per case and key as long as the thread stays with the case.

    Only the last case of each thread is kept, by identity, so memory does not grow. The result is shared: callers must not change it.
    """
    if getattr(_last, "case", None) is not case:
        _last.case, _last.results = case, {}
    results: dict[Hashable, Any] = _last.results
    if key not in results:
        results[key] = compute()
    found: T = results[key]
    return found
