"""Lines of the gate name the claims that lowered a value, in words."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from ragviz.diagnosis.causes import root_cause
from ragviz.gate.cases import case_of
from ragviz.gate.check import DUST, GateReport, apart, check
from ragviz.gate.grouping import blamed
from ragviz.gate.rules import Bounds, MustPass, Rules
from ragviz.metrics import score_all
from ragviz.records import SPLIT_TAG, Grounding, JudgedTrace, Split, TraceResult
from ragviz.reports.gate import gate_markdown
from ragviz.reports.junit import junit
from tests.unit.diagnosis.caused import a_rated_case

TABLES: dict[str, dict[str, str]] = {
    "response_x_passages": {"a": "E", "b": "C"},
    "response_x_reference": {"a": "N", "b": "C"},
    "reference_x_passages": {"x": "N"},
    "reference_x_response": {"x": "N"},
}


def judged(case: JudgedTrace | None = None) -> JudgedTrace:
    """Two claims: one supported and not expected, one denied by both; what was expected is neither said nor retrieved."""
    made = case or a_rated_case("ab", "x", **TABLES)
    words = {"a": "It is blue", "b": "It takes 90 days", "x": "It takes 30 days"}
    told = tuple(replace(j, rationale=f"the passage says {j.verdict}") for j in made.judgements)
    return replace(made, claims=tuple(replace(c, text=words.get(c.id, c.text)) for c in made.claims), judgements=told)


def lines_of(case: JudgedTrace, rules: Rules) -> GateReport:
    """The gate on one trace."""
    scores = score_all(case)
    result = TraceResult(trace_id=case.trace.id, scores=scores, quadrant="fabrication", cause=root_cause(case, scores).name)
    return check([case_of(case, result)], {}, rules)


@pytest.mark.parametrize(
    ("metric", "expected"),
    [
        ("faithfulness", ["b contradicted: “It takes 90 days” (the passage says contradicted)"]),
        ("correctness_precision", ["a not in the expected answer: “It is blue” (the expected answer says neutral)",
                                   "b contradicted by the expected answer: “It takes 90 days” (the expected answer says contradicted)"]),
        ("correctness_recall", ["x expected, not said: “It takes 30 days” (the answer says neutral)"]),
        ("context_recall", ["x expected, in no passage: “It takes 30 days” (the passage says neutral)"]),
    ],
)
def test_a_claim_is_told_in_the_words_of_what_the_metric_asks(metric: str, expected: list[str]) -> None:
    """Against the passages, the expected answer or the answer, with the judge's reason."""
    (line,) = lines_of(judged(), Rules(each={metric: Bounds(min=0.95)})).failures

    assert blamed(line) == expected
    assert [c.id for c in line.claims] == list(line.claim_ids)


def test_a_claim_that_must_pass_is_told_too() -> None:
    """With what it came out as; nothing where it passes."""
    rule = MustPass(case="t1", claim="90 days", verdict=Grounding.SUPPORTED)
    case = judged()
    (line,) = lines_of(case, Rules(must_pass=(replace(rule, case=case.trace.id),))).lines

    assert blamed(line) == ["b contradicted: “It takes 90 days” (the passage says contradicted)"]


def test_documents_that_were_missed_go_by_their_id() -> None:
    """They are no claims, even where one is called like a claim."""
    case = judged(a_rated_case("ab", "x", **TABLES, relevant_ids=frozenset({"a", "d9"})))
    (line,) = lines_of(case, Rules(each={f"recall_at_{case.retrieval_k}": Bounds(min=1.0)})).failures

    assert line.claims == ()
    assert blamed(line) == ["a, d9"]


def test_words_of_a_held_out_case_stay_unread() -> None:
    """Its claims go by their ids, in every form."""
    case = judged()
    held = replace(case, trace=replace(case.trace, tags={SPLIT_TAG: Split.HELD_OUT.value}))
    report = lines_of(
        held, Rules(each={"faithfulness": Bounds(min=0.95)}, must_pass=(MustPass(case=case.trace.id, claim="90 days", verdict=Grounding.SUPPORTED),))
    )

    assert [blamed(line) for line in report.failures] == [["b"], ["b"]]
    assert "It takes" not in gate_markdown(report, name="x") + junit(report, name="x").decode()


@pytest.mark.parametrize(
    "said", ["<script>alert(1)</script>", "| a | b |", "[a](javascript:x)", "`x` **y**", "@everyone", "\u202eevil", "]]>", "\x1b[31m", "x" * 5000]
)
def test_text_of_a_trace_is_short_and_inert_in_every_form(said: str) -> None:
    """Claim and reason come from a trace: no tag, link, cell or control character of theirs survives."""
    case = judged()
    hostile = replace(case, claims=tuple(replace(c, text=said) for c in case.claims), judgements=tuple(replace(j, rationale=said) for j in case.judgements))
    report = lines_of(hostile, Rules(each={"faithfulness": Bounds(min=0.95)}))
    table = gate_markdown(report, name="x").splitlines()[-1]

    assert len(re.findall(r"(?<!\\)\|", table)) == 7
    assert not re.search(r"<(?!br>)|(?<!\\)[`@\[]|\u202e|\x1b", table)
    assert len(table) < 1200
    assert b"<script" not in junit(report, name="x")
    assert all(len(text) < 300 for line in report.lines for text in blamed(line))


def test_many_claims_are_counted() -> None:
    """Three in words, the others by id."""
    names = "abcdefg"
    case = judged(
        a_rated_case(
            names, "x", response_x_passages=dict.fromkeys(names, "N"), response_x_reference={}, reference_x_passages={"x": "N"}, reference_x_response={"x": "N"}
        )
    )
    (line,) = lines_of(case, Rules(each={"faithfulness": Bounds(min=0.95)})).failures

    assert len(blamed(line)) == 4
    assert blamed(line)[-1] == "and d, e, f, g"


FIGURES: Any = st.floats(0, 1, allow_nan=False)


@given(value=FIGURES, limit=FIGURES)
def test_a_value_is_never_shown_as_its_limit(value: float, limit: float) -> None:
    """"0.900 is below 0.9" is no reason: what fails differs from the limit in the digits that are shown."""
    if abs(value - limit) > DUST:
        shown = apart(value, limit)
        assert shown != f"{limit:.{len(shown) - 2}f}"


def test_rounding_dust_is_no_fall() -> None:
    """Three times 0.3 is 0.8999999999999999, and reaches 0.9."""
    case = judged(a_rated_case("ab", "x", **TABLES))
    scores = {"faithfulness": replace(score_all(case)["faithfulness"], value=0.3 * 3)}
    made = case_of(case, TraceResult(trace_id=case.trace.id, scores=scores, quadrant="unknown", cause="unknown"))

    assert check([made], {}, Rules(each={"faithfulness": Bounds(min=0.9)})).passed
    assert check([made], {}, Rules(each={"faithfulness": Bounds(max=0.9 - 1e-12)})).passed
