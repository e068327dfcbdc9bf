"""Words as whole numbers."""

from __future__ import annotations

import numpy as np
import pytest

from ragviz.stats.coded import Coded, all_different, closed_up, coded, first_met, joined, recoded
from ragviz.stats.products import connected, crossed, inverse_of


def test_words_come_back_as_they_were() -> None:
    """Also none, and from a column that has its words twice."""
    assert coded(["b", None, "a", "b"]).plain() == ["b", None, "a", "b"]
    assert coded(["b", None, "a", "b"]).counts() == {"b": 2, "a": 1}
    assert recoded(["x", None, "x"], np.array([2, 1, 0, 2])).plain() == ["x", None, "x", "x"]


def test_columns_are_joined_by_their_words() -> None:
    """Whatever number each gives them."""
    assert joined([coded(["a", "b"]), coded(["b", None]), Coded((), np.array([-1]))]).plain() == ["a", "b", "b", None, None]
    assert joined([]).plain() == []


def test_numbers_in_the_order_in_which_they_are_met() -> None:
    """As a dictionary would give them."""
    assert first_met(np.array([30, 10, 30, 20])).tolist() == [0, 1, 0, 2]
    assert closed_up(np.array([5, 0, 5, 7])).tolist() == [1, 0, 1, 2]


def test_whether_all_are_different() -> None:
    """In any order."""
    assert all_different(np.array([3, 1, 2]))
    assert not all_different(np.array([3, 1, 3]))


@pytest.mark.parametrize("shape", [(0, 3, 3), (5, 2, 3), (700, 8, 8), (40, 130, 70)])
def test_a_product_in_pieces_is_the_product(shape: tuple[int, int, int]) -> None:
    """Whole pieces, what is left of them, and sides longer than one."""
    n, a, b = shape
    rng = np.random.default_rng(0)
    one, other = rng.normal(size=(n, a)), rng.normal(size=(n, b))

    np.testing.assert_allclose(crossed(one, other), one.T @ other, atol=1e-10)


@pytest.mark.parametrize("n", [1, 64, 65, 150])
def test_an_inverse_in_pieces_is_the_inverse(n: int) -> None:
    """Of one piece, and of several."""
    root = np.random.default_rng(n).normal(size=(n, n))
    matrix = root @ root.T + n * np.eye(n)

    np.testing.assert_allclose(inverse_of(matrix) @ matrix, np.eye(n), atol=1e-9)


def test_what_is_linked_by_way_of_others_is_one_group() -> None:
    """0 and 3 by way of 1; 2 alone."""
    linked = np.eye(4, dtype=np.bool_)
    for one, other in ((0, 1), (1, 3)):
        linked[one, other] = linked[other, one] = True

    assert connected(linked) == [[0, 1, 3], [2]]
    assert connected(np.zeros((0, 0), np.bool_)) == []
