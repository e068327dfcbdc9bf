"""No test depends on how quick the machine is: what is waited for may take minutes, and no example fails because it took long."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

TESTS = Path(__file__).resolve().parent
CLOCKS = {"monotonic", "perf_counter", "time", "monotonic_ns", "perf_counter_ns", "time_ns"}


def calls_of_settings(tree: ast.AST) -> Iterator[ast.Call]:
    """Hypothesis' ``settings(…)``."""
    return (node for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "settings")


def hurried(source: str) -> list[int]:
    """Lines that give Hypothesis a deadline, let it complain of slow inputs, or bound what a wall clock showed."""
    tree, found = ast.parse(source), []
    for call in calls_of_settings(tree) if "hypothesis" in source else ():
        words = {word.arg: ast.unparse(word.value) for word in call.keywords}
        if words.get("deadline", "None") != "None" or "too_slow" not in words.get("suppress_health_check", "too_slow"):
            found.append(call.lineno)
    return found + [node.lineno for node in ast.walk(tree) if isinstance(node, ast.Assert) and _bounds_a_clock(node.test)]


def _bounds_a_clock(test: ast.expr) -> bool:
    """``time.monotonic() - began < 30``."""
    return isinstance(test, ast.Compare) and isinstance(test.ops[-1], ast.Lt | ast.LtE) and _reads_a_clock(test.left)


def _reads_a_clock(node: ast.AST) -> bool:
    """``time.monotonic() - began`` or the like."""
    return any(
        isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr in CLOCKS and ast.unparse(call.func.value) == "time"
        for call in ast.walk(node)
    )


def test_examples_have_all_the_time() -> None:
    """By the profile of ``conftest.py``, which every ``settings`` begins with."""
    assert settings.default is not None
    assert settings.default.deadline is None
    assert HealthCheck.too_slow in settings.default.suppress_health_check


def test_no_test_is_hurried() -> None:
    """Neither by Hypothesis nor by a clock on the wall."""
    assert {} == {str(file.relative_to(TESTS)): lines for file in sorted(TESTS.rglob("*.py")) if (lines := hurried(file.read_text(encoding="utf-8")))}


@pytest.mark.parametrize("source", [
    "from hypothesis import settings\nsettings(deadline=500)", "from hypothesis import settings\nsettings(suppress_health_check=[HealthCheck.data_too_large])",
    "import time\nassert time.monotonic() - began < 30", "import time\nassert time.time() <= end",
])
def test_a_hurried_one_is_seen(source: str) -> None:
    """Each kind."""
    assert hurried(source) == [2]
