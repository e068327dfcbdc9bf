"""Each registered metric keeps each law, on awkward cases and on random ones; a new metric is one file and one line."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import HealthCheck, given, settings

from ragviz.metrics import metric_info, metrics, score_all
from ragviz.metrics.aggregate import summarise
from ragviz.records import Grounding, JudgedTrace, Policy, Usage
from tests.build import a_case, a_note, a_trace
from tests.contracts.answer_words import AnswerWords
from tests.contracts.metric_laws import LAWS, check_value_lies_in_the_declared_range
from tests.property.judged import judged_cases

AWKWARD = {
    "nothing at all": a_case(passages=None, response=""),
    "nothing retrieved": a_case("a", passages=(), response_x_passages={}),
    "passages unknown": a_case("a", "x", passages=None, response_x_reference={"a": "E"}),
    "refusal": a_case(response="I don't know.", answerable=True, expected="x", reference_x_passages={"x": "E"}, reference_x_response={"x": "N"}),
    "all unjudged": a_case("ab", "x", response_x_passages={"a": "??", "b": "??"}, response_x_reference={"a": "?", "b": "?"}),
    "conflicted": a_case("a", response_x_passages={"a": "EC"}),
    "joined": a_case("a", response_x_passages={"a": "NN"}, joined={"a": "E"}),
    "overruled": a_case("a", response_x_passages={"a": "N"}, annotations=(a_note("a", Grounding.SUPPORTED),)),
    "cites": a_case("a", response="It is so [1, 9].", response_x_passages={"a": "E"}, relevant_ids=frozenset({"p1"}), usage=Usage(latency_ms=3.0)),
}


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
@pytest.mark.parametrize("name", metrics.names())
def test_laws_on_awkward_cases(name: str, law) -> None:
    """No claims, no passages, no verdicts, refusals, conflicts: each has an answer."""
    for case in AWKWARD.values():
        law(metrics.make(name), case)


@pytest.mark.parametrize("policy", sorted(Policy))
@pytest.mark.parametrize("case", AWKWARD.values(), ids=AWKWARD)
def test_every_policy_has_an_answer(case: JudgedTrace, policy: Policy) -> None:
    """Each convention scores each awkward case without a gap."""
    seen = JudgedTrace(
        trace=case.trace, claims=case.claims, judgements=case.judgements, ratings=case.ratings, annotations=case.annotations, policy=policy
    )

    for name in metrics.names():
        check_value_lies_in_the_declared_range(metrics.make(name), seen)


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(case=judged_cases(policies=True))
def test_laws_on_random_cases(case: JudgedTrace) -> None:
    """Any verdicts, labels, ratings, cut-offs and policies."""
    for name in metrics.names():
        for law in LAWS:
            law(metrics.make(name), case)


@pytest.mark.parametrize("name", metrics.names())
def test_every_metric_explains_itself(name: str) -> None:
    """Name as registered; formula, edge cases, source and summary in words."""
    info = metrics.make(name).info

    assert name == info.name
    assert all([info.label, info.summary, info.formula, info.edge_cases, info.source, info.version])


def test_a_new_metric_is_one_file_and_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """Registered, it is scored, summarised, documented and held to the laws like the others."""
    monkeypatch.setattr(metrics, "_factories", dict(metrics.factories()))

    metrics.add("answer_words")(AnswerWords)

    case = AWKWARD["cites"]
    score = score_all(case)["answer_words"]
    assert score.value == 5
    assert summarise("answer_words", [score, score]).macro == 5
    assert metric_info("answer_words").label == "Answer words"
    assert "`answer_words`" in generator().page()
    for law in LAWS:
        law(metrics.make("answer_words"), case)


def generator() -> ModuleType:
    path = Path(__file__).resolve().parents[2] / "docs" / "generate_metrics.py"
    spec = importlib.util.spec_from_file_location("generate_metrics_under_test", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_reference_page_is_fresh() -> None:
    """docs/METRICS.md is what the registry says today."""
    script = generator()

    assert script.PAGE.read_text(encoding="utf-8") == script.page()


def test_empty_trace_scores_everything() -> None:
    """Every registered metric answers, under its own name with the cut-off filled in."""
    scores = score_all(a_case(trace=a_trace(), retrieval_k=7))

    assert len(scores) == len(metrics.names())
    assert "ndcg_at_7" in scores
