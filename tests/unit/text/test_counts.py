"""Numbers of things in sentences: one of them is never called several."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from ragviz.text.counts import counted

ROOT = Path(__file__).resolve().parents[3]
NOUNS = (
    "claim|trace|passage|answer|question|run|line|row|case|call|label|document|issue|record|verdict|refusal|quote|report|flip|metric|doubt|pair|file"
)
BEHIND = re.compile(rf" (?:[a-z]+ )?(?:{NOUNS})s\b")
FIXED = re.compile(r"[A-Z_][A-Z_0-9]*")
"""A constant of ours: never one."""
SPOKEN_TO_MODELS = {"ragviz/judges/hosted_prompt.py", "ragviz/judges/hosted_raters.py", "ragviz/claims/hosted.py"}
"""Prompts: a changed word asks all models anew."""


def test_one_is_one() -> None:
    """One trace, no traces, 1,204 traces; a plural of its own where an s does not make it."""
    assert [counted(n, "trace") for n in (0, 1, 1204)] == ["0 traces", "1 trace", "1,204 traces"]
    assert counted(2, "reply", "replies") == "2 replies"


def loose_counts(source: str) -> Iterator[str]:
    """Places of a module where a number stands before a plural, whatever the number is."""
    tree = ast.parse(source)
    parents = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
    for node in ast.walk(tree):
        if not isinstance(node, ast.JoinedStr):
            continue
        for value, behind in zip(node.values, node.values[1:], strict=False):
            if (
                isinstance(value, ast.FormattedValue)
                and isinstance(behind, ast.Constant)
                and BEHIND.match(str(behind.value))
                and _is_number(value)
                and not _guarded(node, parents)
            ):
                yield f"{node.lineno}: {ast.unparse(value.value)}{behind.value}"


def _is_number(value: ast.FormattedValue) -> bool:
    """A length, a count, or whatever is written with thousands: names of judges and places stand before plurals as well ("local reads claims")."""
    shown = ast.unparse(value.value)
    if FIXED.fullmatch(shown.removeprefix("count(").rstrip(")")):
        return False
    spec = ast.unparse(value.format_spec) if value.format_spec else ""
    return "," in spec or bool(re.match(r"(?:len|count|sum)\(|(?:\w+\.)*n_\w+$", shown))


def _guarded(node: ast.AST, parents: dict[ast.AST, ast.AST]) -> bool:
    """Said only where there are several: the text is one side of a choice by number."""
    while node in parents:
        child, node = node, parents[node]
        if isinstance(node, ast.IfExp) and child is not node.test and re.search(r"== 1|!= 1|> 1|MOST", ast.unparse(node.test)):
            return True
    return False


def test_no_sentence_of_ours_speaks_of_1_claims() -> None:
    """Every text that holds a number before a plural lets ``counted`` choose the word, or is said of several only."""
    found = [
        f"{path.relative_to(ROOT)}:{place}" for folder in ("ragviz", "pages") for path in sorted((ROOT / folder).rglob("*.py"))
        if str(path.relative_to(ROOT)) not in SPOKEN_TO_MODELS for place in loose_counts(path.read_text(encoding="utf-8"))
    ]

    assert found == []
