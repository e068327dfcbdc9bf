"""Ctrl+C while a model is working: the first one stops between batches, the second one at once."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


@contextmanager
def stop_on_interrupt() -> Iterator[threading.Event]:
    """
    An event that the first Ctrl+C sets. Numeric libraries abort the program when Python raises inside them, so nothing is raised then.

    Outside the main thread, where signals cannot be caught, Ctrl+C works as always.
    """
    stop = threading.Event()

    def first(_number: int, _frame: FrameType | None) -> None:
        stop.set()
        sys.stderr.write("\nStopping after this batch; press Ctrl+C again to stop at once.\n")
        signal.signal(signal.SIGINT, signal.default_int_handler)

    if threading.current_thread() is not threading.main_thread():
        yield stop
        return
    before = signal.signal(signal.SIGINT, first)
    try:
        yield stop
    finally:
        signal.signal(signal.SIGINT, before)
