"""The laws of raters, run on every registered rater without weights."""

from __future__ import annotations

import copy
import random
from collections.abc import Callable

import pytest

from ragviz.contracts import Ask, Rater
from ragviz.judges import fingerprint, raters
from ragviz.records import RESPONSE, Rating, RatingKind

RaterCheck = Callable[[Rater], None]
TEXTS = [
    ("Until when may I send back an item?", "Within 30 days."),
    ("Who built the lighthouse and when?", "Alma Strand built it in 1871."),
    ("Is tracking included?", "Gift boxes can be recycled."),
    ("", "Within 30 days."),
    ("How long?", ""),
    ("😀" * 30, "\x00<b>עברית</b>\ud800"),
    ("word " * 2000, "x" * 5000),
]


def asks_for(rater: Rater) -> list[Ask]:
    return [Ask(kind=kind, trace_id=f"t{i}", target_id=RESPONSE, left=q, right=a) for kind in sorted(rater.kinds) for i, (q, a) in enumerate(TEXTS)]


def said(ratings: list[Rating]) -> list[tuple[object, ...]]:
    return [(r.kind, r.trace_id, r.target_id, None if r.value is None else round(r.value, 6), r.reason, r.provenance) for r in ratings]


def check_one_answer_per_ask(rater: Rater) -> None:
    asks = asks_for(rater)
    assert [(a.kind, a.trace_id, a.target_id) for a in asks] == [(r.kind, r.trace_id, r.target_id) for r in rater.rate(asks)]
    assert rater.rate([]) == []


def check_batch_and_order_change_nothing(rater: Rater) -> None:
    asks = asks_for(rater)
    whole = said(rater.rate(asks))
    assert whole == said(rater.rate(asks[:2])) + said(rater.rate(asks[2:]))
    shuffled = random.Random(1).sample(range(len(asks)), len(asks))
    assert [whole[i] for i in shuffled] == said(rater.rate([asks[i] for i in shuffled]))
    assert whole[:1] * 2 == said(rater.rate([asks[0], asks[0]]))


def check_values_and_reasons(rater: Rater) -> None:
    for rating in rater.rate(asks_for(rater)):
        lowest = -1 if rating.kind is RatingKind.QUESTION_TO_RESPONSE else 0  # a mean cosine, as published
        assert rating.value is None or lowest <= rating.value <= 1
        assert rating.value is not None or rating.reason


def check_provenance(rater: Rater) -> None:
    assert {fingerprint(rater)} == {r.provenance.fingerprint for r in rater.rate(asks_for(rater))}


def check_inputs_unchanged(rater: Rater) -> None:
    asks = asks_for(rater)
    before = copy.deepcopy(asks)
    rater.rate(asks)
    assert before == asks


CHECKS: list[RaterCheck] = [value for name, value in sorted(globals().items()) if name.startswith("check_")]


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize("name", raters.names())
def test_rater_contract(name: str, check: RaterCheck) -> None:
    """Each registered rater keeps each law."""
    rater = raters.make(name, embeddings=False) if name in ("direct_relevance", "reference_similarity") else raters.make(name)
    if rater.info.network or not rater.available().ok:
        pytest.skip(f"{name} needs what is not here; its own tests drive it")
    check(rater)
