"""Work in a child that is killed (kill -9) at a random moment, as often as wanted; the parent hears what the child had finished by then."""

from __future__ import annotations

import gc
import os
import random
import select
import signal
import sqlite3
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

Say = Callable[[str], None]


@dataclass(frozen=True)
class Heard:
    """What became of one child."""

    said: list[str]
    """Words it finished saying: each was said after the work it speaks of was acknowledged."""
    killed: bool
    """False: it was done before the shot."""
    at: list[float]
    """When each word was heard, in seconds from the start."""


@dataclass(frozen=True)
class Shot:
    """When to kill: so long after so many words, or at the end if there are fewer."""

    after_words: int
    then_s: float


def child(work: Callable[[Say], None], shot: Shot | None = None) -> Heard:
    """
    Fork, work, kill. Forked because a new interpreter would take longer to start than most of the work takes.

    Args:
        work: Gets a function to say what is done; runs with nothing open from before.
        shot: None lets it end by itself.
    """
    ours, theirs = os.pipe()
    gc.collect()
    began, pid = time.monotonic(), os.fork()
    if pid == 0:
        os.close(ours)
        _work(work, theirs)
    os.close(theirs)
    raw, at, shoot_at = b"", [], None
    while True:
        if shot is not None and shoot_at is None and len(at) >= shot.after_words:
            shoot_at = time.monotonic() + shot.then_s
        ready, _, _ = select.select([ours], [], [], None if shoot_at is None else max(0.0, shoot_at - time.monotonic()))
        if not ready:
            os.kill(pid, signal.SIGKILL)
            shot = shoot_at = None
            continue
        block = os.read(ours, 65536)
        if not block:
            break
        raw += block
        at += [time.monotonic() - began] * block.count(b"\n")
    os.close(ours)
    _, status = os.waitpid(pid, 0)
    if not os.WIFSIGNALED(status) and os.WEXITSTATUS(status) != 0:
        raise AssertionError("the child failed; see its message on stderr")
    return Heard(raw.decode().split("\n")[:-1], os.WIFSIGNALED(status), at)


def _work(work: Callable[[Say], None], pipe: int) -> None:
    code = 1
    try:
        work(lambda word: _write(pipe, word))
        code = 0
    except BaseException as exc:  # noqa: BLE001 - told to the parent, in the one way there is
        os.write(2, f"{type(exc).__name__}: {exc}\n".encode())
    finally:
        os._exit(code)


def _write(pipe: int, word: str) -> None:
    os.write(pipe, f"{word}\n".encode())


def a_shot(rng: random.Random, whole: Heard) -> Shot:
    """A random moment of work that went like that when nobody disturbed it: before the first word, or somewhere after one of them."""
    after = rng.randrange(len(whole.at))
    gap = whole.at[after] - (whole.at[after - 1] if after else 0.0)
    return Shot(after, rng.random() * gap)


def sound(path: Path) -> None:
    """The database is whole: pages, keys, word index."""
    conn = sqlite3.connect(path)
    assert [("ok",)] == conn.execute("PRAGMA integrity_check").fetchall()
    assert [] == conn.execute("PRAGMA foreign_key_check").fetchall()
    if conn.execute("SELECT 1 FROM sqlite_master WHERE name = 'trace_text'").fetchone():
        conn.execute("INSERT INTO trace_text(trace_text, rank) VALUES ('integrity-check', 1)")
    conn.close()


if sys.platform == "win32":  # pragma: no cover
    raise ImportError("needs fork")
