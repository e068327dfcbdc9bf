"""Answers in memory: newest of each question, bounds, and age told."""

from __future__ import annotations

import random

import numpy as np
import pytest

from ragviz.ui.remembering import DEAR_S, OLDEST_S, QUIET_S, QUIET_SHARE, SHARE
from tests.unit.ui.clocks import World


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
        """
        While version follows version the old answer stays; where one stays for ten seconds, the next one who asks gets the newest, before the
        old one is too old.
        """
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
