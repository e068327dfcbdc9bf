"""Passages beside a claim to label, in an order no judge has a say in."""

from __future__ import annotations

from ragviz.ui.views.judges_queue import nearest
from tests.build import a_case, a_claim, a_passage


def test_the_passage_that_shares_most_comes_first() -> None:
    """Four of the claim's words over two sentences beat two in one; nothing shared keeps the rank."""
    texts = ("Nothing about it.", "Express delivery costs 8.90.", "Saturday delivery is offered. It costs £11.50, paid at once.", "")
    case = a_case("a", passages=tuple(a_passage(i, text) for i, text in enumerate(texts, start=1)))
    found = nearest(case, a_claim("a", text="Saturday delivery costs £11.50."))

    assert [passage.rank for passage, _ in found] == [3, 2, 1, 4]
    assert found[0][1] in texts[2]
    assert found[3][1] == ""
