"""One metric under every convention."""

from __future__ import annotations

from ragviz.metrics.policies import compare_policies
from tests.build import a_case


def test_side_by_side_with_the_traces_that_differ() -> None:
    """A plain trace agrees everywhere; a refusal is nothing, 1 or 0; a conflicted claim counts for all but strict."""
    cases = [
        a_case("a", id="plain", response_x_passages={"a": "EN"}), a_case(id="refusal", response="I don't know."),
        a_case("a", id="conflict", response_x_passages={"a": "EC"}),
    ]

    found = compare_policies(cases, "faithfulness")

    assert found.differing == {
        "refusal": {"default": None, "strict": None, "ragas": None, "deepeval": 1.0, "ragchecker": 0.0},
        "conflict": {"default": 1.0, "strict": 0.0, "ragas": 1.0, "deepeval": 1.0, "ragchecker": 1.0},
    }
    assert (found.summaries["default"].macro, found.summaries["strict"].macro, found.summaries["ragchecker"].macro) == (1.0, 0.5, 2 / 3)
