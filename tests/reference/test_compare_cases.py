"""Faults of comparisons that were reported in public."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ragviz.compare import Fingerprints, blocking, check_noise, noise_floor, unfair
from ragviz.metrics.aggregate import summarise
from ragviz.metrics.faithfulness import Faithfulness
from ragviz.records import Grounding
from tests.build import a_case


@pytest.fixture
def cases(shared: Path) -> dict[str, dict[str, Any]]:
    rows = (shared / "cases" / "public_reports.jsonl").read_text(encoding="utf-8").split("\n")
    return {row["id"]: row for row in map(json.loads, filter(None, rows))}


def test_another_corpus_is_labelled_and_blocks(cases: dict[str, dict[str, Any]]) -> None:
    """Unless it is allowed by name."""
    base, candidate = cases["corpus-differs"]["fingerprints"]
    found = unfair(Fingerprints(corpus=base), Fingerprints(corpus=candidate))

    assert [u.name for u in blocking(found)] == ["corpus"]
    assert blocking(found, {"corpus"}) == []


def test_flips_of_a_moody_judge_are_within_its_noise(cases: dict[str, dict[str, Any]]) -> None:
    """27 % of verdicts flip on identical inputs: in 200 further A/A comparisons hardly one is called more than noise."""
    assert "27 %" in cases["noise-flips"]["note"]
    rng = np.random.default_rng(0)

    def again(n: int) -> dict[tuple[str, str], Grounding]:
        return {("t", str(i)): Grounding.NOT_SUPPORTED if flip else Grounding.SUPPORTED for i, flip in enumerate(rng.random(n) < 0.27)}

    steady = {("t", str(i)): Grounding.SUPPORTED for i in range(300)}
    floor = noise_floor(steady, again(300))
    alarms = sum(not check_noise(floor, observed=int((rng.random(150) < 0.27).sum()), n=150).within for _ in range(200))

    assert alarms <= 10


def test_one_verdict_of_five(cases: dict[str, dict[str, Any]]) -> None:
    """A judge that answered one claim of five: the other four are unjudged, and coverage says so."""
    row = cases["reply-one-of-five"]
    case = a_case("abcde", response_x_passages={"a": "E", **dict.fromkeys("bcde", "?")})

    score = Faithfulness().score(case)

    assert (score.value, score.unjudged) == (1.0, row["expect"]["unjudged"])
    assert summarise("faithfulness", [score]).coverage == row["expect"]["coverage"]


def test_one_good_passage_among_nine_of_noise_supports(cases: dict[str, dict[str, Any]]) -> None:
    """Nine silent passages take nothing away from the one that states it."""
    n = len(cases["one-good-chunk-nine-noise"]["passages"])

    assert Faithfulness().score(a_case("a", response_x_passages={"a": "E" + "N" * (n - 1)})).value == 1.0
