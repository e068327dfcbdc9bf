"""Answers in memory: newest of each question, bounds, one maker at a time, and age told."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import msgspec
import numpy as np
import pytest

from ragviz.ui.remembering import DEAR_S, OLDEST_S, QUIET_S, QUIET_SHARE, SHARE, Remembered
from ragviz.ui.weighing import weight


class World:
    """Clocks that a test moves."""

    def __init__(self) -> None:
        self.now = self.spent = 0.0
        self.made: list[Any] = []

    def memory(self, **bounds: Any) -> Remembered:
        return Remembered(**{"most": 10, "most_bytes": 2**20, "copies": False, "clock": lambda: self.now, "spent": lambda: self.spent} | bounds)

    def make(self, value: Any, takes_s: float = 0.0) -> Callable[[], Any]:
        def make() -> Any:
            self.spent += takes_s
            self.made.append(value)
            return value

        return make


@pytest.fixture
def world() -> World:
    return World()


class TestCheap:
    def test_always_up_to_date(self, world: World) -> None:
        """Made once a version, and never given for another one."""
        memory = world.memory()
        got = [memory.get("q", version, world.make(n)) for n, version in enumerate("aabba")]

        assert [a.value for a in got] == [0, 0, 2, 2, 4]
        assert [a.age_s for a in got] == [None] * 5

    def test_of_each_question_one(self, world: World) -> None:
        """A hundred versions leave one answer: what kept them all grew by each."""
        memory = world.memory()
        for n in range(100):
            memory.get("q", str(n), world.make(np.zeros(1000)))

        assert (len(memory), memory.n_bytes) == (1, 8000)


class TestDear:
    def test_served_with_its_age_for_a_while(self, world: World) -> None:
        """One second of work: twenty seconds old at most."""
        memory = world.memory()
        memory.get("q", "a", world.make("old", 1.0))
        world.now = SHARE - 1.0
        assert memory.get("q", "b", world.make("new", 1.0)) == ("old", SHARE - 1.0)
        world.now = SHARE
        assert memory.get("q", "b", world.make("new", 1.0)) == ("new", None)
        assert world.made == ["old", "new"]

    def test_until_the_writing_has_ended(self, world: World) -> None:
        """While version follows version the old answer stays; where one stays for ten seconds, the next one who asks gets the newest, before the old one is too old."""
        memory = world.memory()
        memory.get("q", "0", world.make("old", 2.0))
        world.now = 5.0
        assert memory.get("q", "1", world.make("no")).value == "old"
        world.now = 5.0 + QUIET_S + 2.0
        assert memory.get("q", "2", world.make("no")).value == "old"
        world.now += QUIET_S * 0.9
        assert memory.get("q", "2", world.make("no")).value == "old"
        world.now += QUIET_S * 0.2
        assert memory.get("q", "2", world.make("new", 2.0)) == ("new", None)

    def test_a_quiet_time_is_longer_where_it_takes_long(self, world: World) -> None:
        """Ten seconds of work wait for fifty without a word: a judge that writes every half minute has nobody wait for each."""
        memory = world.memory()
        memory.get("q", "0", world.make("old", 10.0))
        memory.get("q", "1", world.make("no"))
        world.now += QUIET_SHARE * 10.0 - 1.0
        assert memory.get("q", "1", world.make("no")).value == "old"
        world.now += 1.0
        assert memory.get("q", "1", world.make("new", 10.0)).value == "new"

    def test_up_to_date_again_where_nothing_was_written(self, world: World) -> None:
        """Its age matters only when something was."""
        memory = world.memory()
        memory.get("q", "a", world.make("it", 5.0))
        world.now = 10_000.0
        assert memory.get("q", "a", world.make("no")) == ("it", None)

    @pytest.mark.parametrize(("takes", "oldest"), [(DEAR_S * 0.99, 0.0), (DEAR_S, DEAR_S * SHARE), (100.0, OLDEST_S)])
    def test_how_long(self, world: World, takes: float, oldest: float) -> None:
        """Below the bound never, above it in proportion, and never older than three minutes."""
        memory = world.memory()
        memory.get("q", "a", world.make("old", takes))
        world.now = max(0.0, oldest - 0.01)
        assert memory.get("q", "b", world.make("new", takes)).value == ("old" if oldest else "new")
        world.now = oldest + 100
        assert memory.get("q", "c", world.make("newest", takes)).value == "newest"

    def test_never_for_who_has_just_changed_something(self, world: World) -> None:
        """``since`` moves with a reader's own word."""
        memory = world.memory()
        memory.get("q", "a", world.make("old", 1.0), since=1)
        assert memory.get("q", "b", world.make("new", 1.0), since=2) == ("new", None)

    def test_never_where_it_is_not_wanted(self, world: World) -> None:
        """What others build upon is of its version."""
        memory = world.memory()
        memory.get("q", "a", world.make("old", 1.0), patient=False)
        assert memory.get("q", "b", world.make("new", 1.0), patient=False) == ("new", None)


class TestBounds:
    def test_number(self, world: World) -> None:
        """The one not asked for longest goes."""
        memory = world.memory(most=2)
        for key in "aba":
            memory.get(key, "1", world.make(key))
        memory.get("c", "1", world.make("c"))
        memory.get("a", "1", world.make("a again"))
        assert world.made == ["a", "b", "c"]

    def test_bytes(self, world: World) -> None:
        """Two that do not fit together: the older one goes."""
        memory = world.memory(most_bytes=10_000)
        for key, n in (("a", 500), ("b", 600), ("c", 700)):
            memory.get(key, "1", world.make(np.zeros(n)))
        assert (len(memory), memory.n_bytes) == (1, 5_600)

    def test_larger_than_all_the_room(self, world: World) -> None:
        """It is kept beside the others, and drives out only the one like it: neither it nor they are worked out each time anew."""
        memory = world.memory(most_bytes=10_000)
        for key, n in (("a", 500), ("huge", 100_000), ("b", 600), ("huge", 0), ("b", 0), ("other", 50_000), ("b", 0)):
            memory.get(key, "1", world.make(np.zeros(n)))
        assert [len(value) for value in world.made] == [500, 100_000, 600, 50_000]
        assert (len(memory), memory.n_bytes) == (3, 4_000 + 4_800 + 400_000)

    def test_bound_holds_whatever_comes(self, world: World) -> None:
        """Never more than all the room and the one largest answer."""
        memory, rng = world.memory(most=5, most_bytes=10_000), random.Random(1)
        for _ in range(500):
            memory.get(str(rng.randrange(20)), str(rng.randrange(3)), world.make(np.zeros(rng.choice((10, 300, 900, 2_000)))))
            sizes = sorted(kept.size for kept in memory._kept.values())
            assert sum(sizes) == memory.n_bytes
            assert len([size for size in sizes if size <= 10_000]) <= 5
            assert sum(size for size in sizes if size <= 10_000) <= 10_000
            assert len([size for size in sizes if size > 10_000]) <= 1

    def test_forgotten(self, world: World) -> None:
        """All goes, and what is being worked out meanwhile is given but not kept."""
        memory = world.memory()
        memory.get("a", "1", world.make("a"))

        def make() -> str:
            memory.forget()
            return "b"

        assert memory.get("b", "1", make).value == "b"
        assert (len(memory), memory.n_bytes) == (0, 0)
        assert memory.get("a", "1", world.make("a again")).value == "a again"

    def test_copies(self, world: World) -> None:
        """Whoever changes a copy changes it for nobody else."""
        memory = world.memory(copies=True)
        memory.get("q", "1", world.make([1])).value.append(2)
        assert memory.get("q", "1", world.make("no")).value == [1]


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
            thread.join(timeout=30)

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
            asks.join(timeout=30)
            return "other"

        memory.get("other", "1", other, heavy=True)
        assert got == ["old"]

    def test_asked_for_within_another(self, world: World) -> None:
        """A heavy one inside a light one, whose turn a heavy one in another thread waits for: both end."""
        memory, inside, asked = world.memory(), threading.Event(), threading.Event()

        def light() -> str:
            inside.set()
            asked.wait(timeout=30)
            return str(memory.get("heavy", "1", lambda: "h", heavy=True).value)

        def heavy() -> str:
            inside.wait(timeout=30)
            asked.set()
            return str(memory.get("light", "1", lambda: "l").value)

        threads = [threading.Thread(target=lambda: memory.get("light", "1", light)), threading.Thread(target=lambda: memory.get("another", "1", heavy, heavy=True))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(timeout=30)
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


class Record(msgspec.Struct):
    text: str
    values: list[float]


@dataclass
class Table:
    columns: dict[str, np.ndarray]


@pytest.mark.parametrize(("value", "least", "most"), [
    (np.zeros(1000), 8000, 8000), (np.arange(1000.0).tolist(), 32_000, 32_200), ([f"{n:0100}" for n in range(10_000)], 1_500_000, 1_650_000), (["x" * 100] * 10_000, 80_000, 150_000), (Record("x" * 1000, np.arange(10.0).tolist()), 1300, 1700),
    (Table({"a": np.zeros(10_000)}), 80_000, 81_000), (np.array([f"{n:0100}" for n in range(500)], dtype=object), 75_000, 85_000), (None, 16, 16), ({}, 64, 64),
])
def test_weight(value: Any, least: int, most: int) -> None:
    """Near enough to bound what is kept."""
    assert least <= weight(value) <= most
