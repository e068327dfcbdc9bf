"""Conversations: who answers what, whose passages, and how long a line may be."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest

from ragviz.loaders import read
from ragviz.records import LoadIssue, Trace

USER, REPLY, OPEN = (
    {"role": "user", "content": "How long is the warranty?"},
    {"role": "assistant", "content": "The warranty lasts two years."},
    {"role": "user", "content": "How do I return it?"},
)
PASSAGES = ["The warranty lasts two years. Return it by post."]


def loaded(*records: dict[str, Any], format: str | None = None) -> tuple[list[Trace], list[LoadIssue]]:  # noqa: A002
    data = b"".join(json.dumps(record).encode() + b"\n" for record in records)
    parts = list(read(io.BytesIO(data), filename="f.jsonl", format=format))
    return [p for p in parts if isinstance(p, Trace)], [p for p in parts if isinstance(p, LoadIssue)]


@pytest.mark.parametrize("name", ["turns", "messages", "conversation"])
class TestAnOpenQuestion:
    def test_it_gets_no_earlier_answer(self, name: str) -> None:
        """The answer to the first question is none to the second, and the place is told."""
        traces, issues = loaded(*[{name: [USER, REPLY, OPEN], "passages": PASSAGES}] * 2)

        assert [(t.question, t.response, t.response_is) for t in traces] == [(OPEN["content"], "", "absent")] * 2
        assert [i.where for i in issues if "nobody answers" in i.message] == ["f.jsonl:1", "f.jsonl:2"]

    def test_a_reply_alone_asks_nothing(self, name: str) -> None:
        """A greeting is not its own question."""
        traces, _ = loaded(*[{name: [{"role": "assistant", "content": "hi"}], "passages": PASSAGES}] * 2)

        assert [(t.question, t.response) for t in traces] == [("", "hi")] * 2

    def test_an_answered_one_is_told_nothing(self, name: str) -> None:
        """Also with a tool's reply between."""
        traces, issues = loaded(*[{name: [USER, REPLY, OPEN, {"role": "tool", "content": PASSAGES[0]}, {"role": "assistant", "content": "By post."}]}] * 2)

        assert [(t.question, t.response) for t in traces] == [(OPEN["content"], "By post.")] * 2
        assert not issues

    def test_passages_of_an_earlier_turn_are_told(self, name: str) -> None:
        """They are all there is, and what was retrieved for the last question is not in the file."""
        given = [USER, {**REPLY, "contexts": PASSAGES}, OPEN, {"role": "assistant", "content": "By post."}]
        own = [USER, REPLY, OPEN, {"role": "assistant", "content": "By post.", "contexts": PASSAGES}]

        traces, issues = loaded({name: given}, {name: own}, format="generic")

        assert [len(t.passages or ()) for t in traces] == [1, 1]
        assert [i.where for i in issues if "earlier turn" in i.message] == ["f.jsonl:1"]

    @pytest.mark.parametrize("at", range(4))
    def test_a_first_line_may_be_long(self, name: str, at: int) -> None:
        """Longer than what is looked at to recognise a file, whichever turn is the long one."""
        said = [USER, REPLY, OPEN, {"role": "assistant", "content": "By post."}]
        said[at] = {**said[at], "content": "word " * 80_000}

        traces, _ = loaded(*[{name: said, "passages": PASSAGES}] * 2)

        assert len(traces) == 2


def test_chat_lines_keep_to_it_too() -> None:
    """The format of OpenAI's lines."""
    traces, _ = loaded({"messages": [USER, REPLY, OPEN]}, {"messages": [USER, REPLY]}, format="chat_lines")

    assert [(t.question, t.response) for t in traces] == [(OPEN["content"], ""), (USER["content"], REPLY["content"])]
