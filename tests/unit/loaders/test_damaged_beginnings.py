"""Files whose first bytes or first line are damaged: the good lines behind them are read."""

from __future__ import annotations

import io
import json

import pytest

from ragviz.loaders import read
from ragviz.records import LoadIssue, Trace

ROWS = [{"question": f"How long is warranty {n}?", "answer": f"It lasts {n} years.", "passages": [f"It lasts {n} years."]} for n in range(1, 6)]
GOOD = b"".join(json.dumps(row).encode() + b"\n" for row in ROWS)


def loaded(data: bytes) -> tuple[list[Trace], list[LoadIssue]]:
    parts = list(read(io.BytesIO(data), filename="f.jsonl"))
    return [p for p in parts if isinstance(p, Trace)], [p for p in parts if isinstance(p, LoadIssue)]


@pytest.mark.parametrize(
    "first",
    [b"[", b"{", b"[" * 100_000, b"[" * 400_000, b'{"a":' * 50_000, b"[{", b'{"question": [', b"]", b"}", b"null", b"//", b'"', b"[{},"],
    ids=lambda first: f"{first[:12]!r}x{len(first)}",
)
def test_a_damaged_first_line_costs_itself_alone(first: bytes) -> None:
    """An open bracket is no list where whole objects follow line by line without a comma between."""
    traces, issues = loaded(first + b"\n" + GOOD)

    assert [t.response for t in traces] == [row["answer"] for row in ROWS]
    assert [i.where for i in issues if i.rejected] == ["f.jsonl:1"]


@pytest.mark.parametrize("mark", [b"\xff\xfe", b"\xfe\xff"])
def test_the_mark_of_utf_16_before_plain_text_is_damage(mark: bytes) -> None:
    """Not a file of Chinese signs: the first line is told, the others are read."""
    traces, issues = loaded(mark + GOOD)

    assert [t.response for t in traces] == [row["answer"] for row in ROWS[1:]]
    assert [i.where for i in issues if i.rejected] == ["f.jsonl:1"]


@pytest.mark.parametrize(
    "text",
    [
        json.dumps(ROWS, indent=1),
        json.dumps(ROWS),
        "[\n" + ",\n".join(map(json.dumps, ROWS)) + "\n]",
        "{\n" + '"data": [\n' + ",\n".join(map(json.dumps, ROWS)) + "\n]}",
    ],
    ids=["indented", "one line", "a row a line", "in an object"],
)
def test_one_json_value_stays_one(text: str) -> None:
    """Lists that stand on several lines are still lists, in UTF-16 too."""
    for data in (text.encode(), text.encode("utf-16"), ("\u4e2d" + text)[1:].encode("utf-16-be")):
        traces, issues = loaded(data)
        assert ([t.response for t in traces], issues) == ([row["answer"] for row in ROWS], [])
