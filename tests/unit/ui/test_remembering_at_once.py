"""Answers in memory while many ask: one maker at a time, nobody waits who has something to show, and nobody for ever."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest

from ragviz.ui.remembering import SHARE, Remembered
from tests.unit.ui.clocks import World


@pytest.fixture
def world() -> World:
    return World()


class TestHeavy:
    """What takes much room while it is worked out."""

    def test_one_after_the_other(self, world: World) -> None:
        """Six different ones asked for by six threads: never two at a time, and what is light does not wait for them."""
        memory, at_work, most, light = world.memory(), [], [], []

        def make(n: int) -> Callable[[], int]:
            def work() -> int:
                at_work.append(n)
                most.append(len(at_work))
                memory.get(f"light {n}", "1", lambda: light.append(n))
                at_work.remove(n)
                return n

            return work

        threads = [threading.Thread(target=lambda n=n: memory.get(f"heavy {n}", "1", make(n), heavy=True)) for n in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(timeout=300)

        assert not any(thread.is_alive() for thread in threads)
        assert most == [1] * 6
        assert sorted(light) == list(range(6))

    def test_an_older_one_is_given_while_another_is_at_work(self, world: World) -> None:
        """Who has something to show does not wait for his turn."""
        memory = world.memory()
        memory.get("q", "a", world.make("old", 1.0), heavy=True)
        world.now = SHARE + 1.0
        got: list[Any] = []

        def other() -> str:
            asks = threading.Thread(target=lambda: got.append(memory.get("q", "b", world.make("no"), heavy=True).value))
            asks.start()
            asks.join(timeout=300)
            return "other"

        memory.get("other", "1", other, heavy=True)
        assert got == ["old"]

    def test_asked_for_within_another(self, world: World) -> None:
        """A heavy one inside a light one, whose turn a heavy one in another thread waits for: both end."""
        memory, inside, asked = world.memory(), threading.Event(), threading.Event()

        def light() -> str:
            inside.set()
            asked.wait(timeout=300)
            return str(memory.get("heavy", "1", lambda: "h", heavy=True).value)

        def heavy() -> str:
            inside.wait(timeout=300)
            asked.set()
            return str(memory.get("light", "1", lambda: "l").value)

        threads = [
            threading.Thread(target=lambda: memory.get("light", "1", light)),
            threading.Thread(target=lambda: memory.get("another", "1", heavy, heavy=True)),
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(timeout=300)
        assert not any(thread.is_alive() for thread in threads)


class TestManyAtOnce:
    def test_made_once(self) -> None:
        """Twenty ask at the same moment, one works."""
        memory, made, gate = Remembered(most=10, most_bytes=2**20, copies=False), [], threading.Event()

        def make() -> int:
            gate.wait(5)
            made.append(1)
            return 7

        found: list[int] = []
        threads = [threading.Thread(target=lambda: found.append(memory.get("q", "1", make).value)) for _ in range(20)]
        for thread in threads:
            thread.start()
        gate.set()
        for thread in threads:
            thread.join(5)
        assert (found, made) == ([7] * 20, [1])

    def test_nobody_waits_who_has_an_older_one(self) -> None:
        """While a dear one is worked out anew, others get the old one, however old; a reader who changed something waits."""
        now, spent = [0.0], [0.0]
        memory = Remembered(most=10, most_bytes=2**20, copies=False, clock=lambda: now[0], spent=lambda: spent[0])

        def first() -> str:
            spent[0] += 1.0
            return "old"

        memory.get("q", "1", first)
        now[0], begun, gate = 1000.0, threading.Event(), threading.Event()

        def slow() -> str:
            begun.set()
            gate.wait(5)
            return "new"

        worker = threading.Thread(target=lambda: memory.get("q", "2", slow))
        worker.start()
        begun.wait(5)
        assert memory.get("q", "2", lambda: "unused") == ("old", 1000.0)
        waiting: list[Any] = []
        reader = threading.Thread(target=lambda: waiting.append(memory.get("q", "2", lambda: "mine", since=1)))
        reader.start()
        reader.join(0.05)
        assert not waiting
        gate.set()
        worker.join(5)
        reader.join(5)
        assert waiting[0].value == "new"

    def test_a_question_in_a_question(self) -> None:
        """One answer needs another, and even itself under another key."""
        memory = Remembered(most=10, most_bytes=2**20, copies=False)
        assert memory.get("outer", "1", lambda: memory.get("inner", "1", lambda: 1).value + 1).value == 2

    def test_what_failed_is_asked_again(self) -> None:
        """Nothing is kept of it, and nobody waits for ever."""
        memory = Remembered(most=10, most_bytes=2**20, copies=False)
        with pytest.raises(ZeroDivisionError):
            memory.get("q", "1", lambda: 1 // 0)
        assert memory.get("q", "1", lambda: 3).value == 3
