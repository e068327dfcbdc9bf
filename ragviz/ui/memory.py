"""
How the server process deals with memory: what pages no longer need goes back to the system, and cycles are looked for every few seconds.

Streamlit looks through all objects after every page it draws. With twenty readers that took two thirds of the server's processor time (measured); here it is
done by one thread, for all pages of a few seconds together, and not at all while nobody comes.
"""

from __future__ import annotations

import ctypes
import gc
import os
import threading
import time
from collections.abc import Callable, Mapping

from ragviz.backends.collector import look_rarely

_M_TRIM_THRESHOLD, _M_MMAP_THRESHOLD, _M_ARENA_MAX = -1, -3, -8  # malloc.h
MOST_ARENAS = 2
"""
Every thread that draws a page may get a heap of its own, eight for each core, and each keeps what it once needed: 60 MiB after all pages. Python runs
one thread at a time anyway.
"""
APART_FROM = 256 * 1024
"""Bytes from which on a piece is asked of the system and given back to it: arrays of a hundred thousand numbers leave no holes behind."""
LARGE = 300_000
"""Numbers in an array from which on that takes longer than it is worth: a click on a million traces 100 ms (measured)."""


_SETTLED: list[tuple[int, int]] = []
"""What the C library took, until ``make_room`` takes it back."""
PAUSE_S = 5.0
SHARE = 25
"""A look through all objects is followed by a pause so many times as long."""
WORTH_S = 0.2
"""Processor time since the last look below which there is nothing to look for."""


def settle(env: Mapping[str, str]) -> bool:
    """
    To be called once, before the server's threads start.

    Args:
        env: The process's variables; whoever set glibc's own (``MALLOC_…``, ``GLIBC_TUNABLES``) is left alone.

    Returns:
        Whether the C library took the settings; only glibc knows them.
    """
    look_rarely()
    if "GLIBC_TUNABLES" in env or any(name.startswith("MALLOC_") for name in env):
        return False
    mallopt = _of_glibc("mallopt")
    settings = ((_M_ARENA_MAX, MOST_ARENAS), (_M_MMAP_THRESHOLD, APART_FROM), (_M_TRIM_THRESHOLD, APART_FROM))
    _SETTLED.extend(settings if mallopt is not None and all(mallopt(what, value) for what, value in settings) else ())
    return bool(_SETTLED)


def make_room(n: int) -> None:
    """To be called with the length of a run's columns: where they are large, what was freed is kept for the next ones, until ``give_back``."""
    mallopt = _of_glibc("mallopt") if n >= LARGE and _SETTLED else None
    if mallopt is not None:
        _SETTLED.clear()  # once a process
        mallopt(_M_MMAP_THRESHOLD, 32 * 2**20)
        mallopt(_M_TRIM_THRESHOLD, 64 * 2**20)


def tend(stop: threading.Event) -> None:
    """Look for cycles and give free memory back, in pauses, until ``stop`` is set: the work of a thread."""
    pause_s, spent = PAUSE_S, time.process_time()
    while not stop.wait(pause_s):
        if time.process_time() - spent < WORTH_S:
            continue
        began = time.thread_time()
        give_back()
        pause_s = max(PAUSE_S, SHARE * (time.thread_time() - began))
        spent = time.process_time()


def give_back() -> None:
    """Find cycles, and return every free page to the system."""
    gc.collect()
    trim = _of_glibc("malloc_trim")
    if trim is not None:
        trim(0)


def _of_glibc(name: str) -> Callable[..., int] | None:
    """A function of the C library; None where it is another one."""
    try:
        os.confstr("CS_GNU_LIBC_VERSION")
        found: Callable[..., int] = getattr(ctypes.CDLL(None), name)
    except (AttributeError, OSError, ValueError):
        return None
    return found
