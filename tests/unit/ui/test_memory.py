"""Settings of the C library and the collector: where they are taken, and that memory goes back."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
from types import SimpleNamespace

import pytest

from ragviz.ui import memory

CODE = """
import sys, numpy as np
from ragviz.ui import memory
{settle}
def rss():
    return next(int(line.split()[1]) / 1024 for line in open("/proc/self/status") if line.startswith("VmRSS"))
kept = []
for _ in range(3):
    large = []
    for _ in range(150):
        large.append(np.ones(40_000))  # 320 kB
        kept.append(np.ones(100))  # a small piece beside each, which stays
    before, large = rss(), None
{then}
print(round(before - rss()))
"""


def given_back(settle: str, then: str = "", **env: str) -> int:
    done = subprocess.run([sys.executable, "-c", CODE.format(settle=settle, then=then)], capture_output=True, text=True, check=True, env={"PATH": "", **env})
    return int(done.stdout.split()[0])


@pytest.mark.skipif(sys.platform != "linux", reason="glibc alone has these settings")
def test_settings_are_taken() -> None:
    """And what 150 arrays took, 46 MiB, goes back, whatever lies between them."""
    assert given_back("assert memory.settle({})", "memory.give_back()") >= 40


@pytest.mark.skipif(sys.platform != "linux", reason="glibc alone has these settings")
def test_large_runs_keep_room_until_it_is_given_back() -> None:
    """Arrays of a million numbers are needed again with the next click: asked of the system each time, that took 100 ms longer."""
    small = "assert memory.settle({}); memory.make_room(100_000); assert memory._SETTLED"
    large = "assert memory.settle({}); memory.make_room(1_000_000); assert not memory._SETTLED"
    assert given_back(small) >= 40
    assert given_back(large) < 40
    assert given_back(large, "memory.give_back()") >= 40


def test_own_settings_are_left_alone() -> None:
    """Whoever set glibc's variables knows why; the collector's threshold is ours in any case."""
    code = "import gc; from ragviz.backends import collector; from ragviz.ui import memory; assert not memory.settle({'MALLOC_ARENA_MAX': '4'}); assert not memory.settle({'GLIBC_TUNABLES': 'x'}); assert gc.get_threshold()[0] == collector.TOUCHED"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_cycles_are_looked_for_in_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    """After work, once a pause, and the longer the look took the longer the pause; while nothing is done, not at all."""
    work_s = iter([0.0, 0.1, 0.3, 0.0, 0.25])  # processor seconds of the process in each pause
    clock = SimpleNamespace(process=0.0, thread=0.0)
    pauses: list[float] = []
    looks: list[int] = []

    def wait(pause_s: float) -> bool:
        pauses.append(pause_s)
        worked = next(work_s, None)
        clock.process += worked or 0.0
        return worked is None

    def look() -> None:
        looks.append(len(pauses))
        clock.thread += 0.4

    monkeypatch.setattr(memory, "time", SimpleNamespace(process_time=lambda: clock.process, thread_time=lambda: clock.thread))
    monkeypatch.setattr(memory, "give_back", look)

    memory.tend(SimpleNamespace(wait=wait))  # type: ignore[arg-type]

    assert looks == [3, 5]  # 0.1 + 0.3 s are worth one; 0.25 s another
    assert pauses == [5, 5, 5, 10, 10, 10]  # 25 times the 0.4 s of a look


def test_a_look_finds_cycles(monkeypatch: pytest.MonkeyPatch) -> None:
    """What nothing leads to any more is gone."""
    looks: list[int] = []
    monkeypatch.setattr(gc, "collect", lambda: looks.append(1))
    memory.give_back()
    assert looks == [1]


def test_streamlit_leaves_the_looking_to_us() -> None:
    """Its own look after every page is off while the server runs; a choice of the user stays."""
    code = """
import asyncio, sys, threading
from streamlit import config
from ragviz.ui.starting import warm
if sys.argv[1] == "own":
    config.set_option("runner.postScriptGC", True, "the user's file")
async def start():
    async with warm(None):
        return config.get_option("runner.postScriptGC"), any(t.name == "ragviz-memory" for t in threading.enumerate())
print(asyncio.run(start()))
"""
    for who, said in (("none", "(False, True)"), ("own", "(True, False)")):
        done = subprocess.run([sys.executable, "-c", code, who], capture_output=True, text=True, check=True, env={**os.environ, "RAGVIZ_STORE": ":memory:"})
        assert done.stdout.strip() == said, done.stderr
