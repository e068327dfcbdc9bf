"""Why a claim came out as it did, in the words of whoever decided."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from msgspec.structs import replace

from ragviz.grounding import groundings, reason_of
from ragviz.records import Annotation, Grounding, JudgedTrace, Table
from tests.build import a_case

TABLE = Table.RESPONSE_X_PASSAGES
AT = datetime(2026, 3, 12, tzinfo=UTC)


def reasoned(verdicts: str, *, confidences: tuple[float | None, ...] = (), **fields: Any) -> JudgedTrace:
    """One claim against as many passages as there are verdicts; passage 1 says "1", and so on."""
    case = a_case("a", response_x_passages={"a": verdicts}, **fields)
    told = tuple(
        replace(j, rationale=str(n), confidence=c)
        for n, (j, c) in enumerate(zip(case.judgements, confidences or (None,) * len(case.judgements), strict=True), start=1)
    )
    return replace(case, judgements=told)


def reason(case: JudgedTrace) -> str:
    return reason_of(case, groundings(case, TABLE)["a"], TABLE)


@pytest.mark.parametrize(
    ("verdicts", "expected"),
    [("NE", "2"), ("NC", "2"), ("EE", "1"), ("NEC", "3; 2"), ("N", "1"), ("N?", "2")],
    ids=["supported", "contradicted", "by the first", "conflicted: both sides", "not supported", "unjudged"],
)
def test_the_passage_that_decides_says_why(verdicts: str, expected: str) -> None:
    """Of a conflict one reason for each side; of an open claim what was left open."""
    assert reason(reasoned(verdicts)) == expected


def test_of_passages_that_are_silent_the_nearest_speaks() -> None:
    """The one whose silence is least sure."""
    assert reason(reasoned("NNN", confidences=(0.99, 0.6, 0.9))) == "2"


def test_a_person_comes_first() -> None:
    """With the name and, where one was given, the reason."""
    note = Annotation(trace_id="t", claim_id="a", grounding=Grounding.SUPPORTED, author="Ada", reason="read the annex", at=AT, claim_set="")
    case = reasoned("C")
    case = replace(case, annotations=(replace(note, trace_id=case.trace.id, claim_set=case.claims[0].extractor),))

    assert reason(case) == "Ada: read the annex"
    assert reason(replace(case, annotations=(replace(case.annotations[0], reason=""),))) == "Ada: no reason given"


def test_nothing_retrieved_is_a_reason() -> None:
    """Nobody was asked, and it is known why."""
    case = a_case("a", response_x_passages={"a": ""})
    empty = replace(case, trace=replace(case.trace, passages=()))

    assert reason(empty) == "there is no passage"
    assert reason(replace(case, trace=replace(case.trace, passages=None))) == ""
