"""Numbers in words of six languages: each from 2 to 99 once, and what hundreds and thousands make of them."""

from __future__ import annotations

import pytest

from ragviz.text.numerals_abroad import joined, numerals

TONGUES = ("german", "french", "spanish", "italian", "dutch", "portuguese")


@pytest.mark.parametrize("tongue", TONGUES)
def test_every_number(tongue: str) -> None:
    """No number below a hundred is missing, and none but the articles ("un", "um") is left out; a hundred and a thousand are known."""
    assert set(range(2, 101)) | {1000} <= set(numerals(tongue).values())


@pytest.mark.parametrize(("tongue", "said", "number"), [
    ("german", "fünfundvierzig", 45), ("german", "einundzwanzig", 21), ("german", "dreihundert", 300), ("german", "zweitausend", 2000),
    ("french", "soixante et onze", 71), ("french", "quatre vingts", 80), ("french", "quatre vingt dix sept", 97), ("french", "vingt et un", 21), ("french", "deux cents", 200),
    ("spanish", "treinta y cinco", 35), ("spanish", "veintidós", 22), ("spanish", "quinientas", 500),
    ("italian", "ventotto", 28), ("italian", "quarantuno", 41), ("italian", "trecento", 300), ("italian", "duemila", 2000),
    ("dutch", "vijfenveertig", 45), ("dutch", "tweeëntwintig", 22), ("dutch", "driehonderd", 300),
    ("portuguese", "vinte e cinco", 25), ("portuguese", "duas", 2), ("portuguese", "trezentos", 300),
])
def test_one(tongue: str, said: str, number: int) -> None:
    """As it is written, hyphens aside."""
    assert numerals(tongue)[tuple(said.split())] == number


@pytest.mark.parametrize(
    ("first", "second", "together"), [(200, 45, 245), (3, 1000, 3000), (3000, 500, 3500), (2, 3, None), (20, 30, None), (1, 1000, None), (250, 10, None)]
)
def test_joined(first: int, second: int, together: int | None) -> None:
    """Hundreds take what is below a hundred, thousands what is below a thousand; two numbers in a list stay two."""
    assert joined(first, second) == together
