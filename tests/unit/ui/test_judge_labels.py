"""Names that the pages give to judges."""

from __future__ import annotations

import pytest

from ragviz.ui.judge_labels import judge_labels


@pytest.mark.parametrize(("prints", "labels"), [
    (["local:1:aaaaaaaaaaaa:-:-:-"], ["local"]),
    (["local:1:aaaaaaaaaaaa:-:-:-", "local:2:aaaaaaaaaaaa:-:-:-"], ["local 1", "local 2"]),
    (["local:1:aaaaaaaaaaaa:-:-:-", "local:1:bbbbbbbbbbbb:-:-:-"], ["local 1 aaaaaa", "local 1 bbbbbb"]),
    (["anthropic:1:aaaaaaaaaaaa:claude-x:-:judge.v1", "anthropic:1:aaaaaaaaaaaa:claude-y:-:judge.v1", "local:1:c:-:-:-"],
     ["anthropic 1 claude-x", "anthropic 1 claude-y", "local"]),
    (["local:1:aaaaaaaaaaaa:-:-:-", "local:1:aaaaaaaaaaaa:mini:-:-"], ["local 1 aaaaaa", "local 1 mini"]),
])
def test_labels_are_short_unique_and_name_only_what_there_is(prints: list[str], labels: list[str]) -> None:
    """A judge without a model is not called after its absence."""
    assert list(judge_labels(prints).values()) == labels
