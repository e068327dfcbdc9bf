"""Cases whose answers bear on the question, and their root cause."""

from __future__ import annotations

from typing import Any

from ragviz.diagnosis.causes import Cause, root_cause
from ragviz.metrics import score_all
from ragviz.records import JudgedTrace, RatingKind
from tests.build import a_case, a_rating

RELEVANT = (a_rating(0.9, RatingKind.QUESTION_TO_RESPONSE_DIRECT),)


def cause(case: JudgedTrace, **settings: Any) -> Cause:
    return root_cause(case, score_all(case), **settings)


def a_rated_case(claims: str, expected: str, **fields: Any) -> JudgedTrace:
    return a_case(claims, expected, ratings=RELEVANT, **fields)
