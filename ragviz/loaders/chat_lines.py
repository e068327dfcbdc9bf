"""OpenAI's lines of messages, logged calls of its chat and Responses interfaces (Azure's too), and batches."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, BinaryIO

import msgspec

from ragviz.loaders.asked import answered, asked
from ragviz.loaders.azure import documents_beside
from ragviz.loaders.building import assemble, tags_of, usage_of, warning
from ragviz.loaders.cells import id_of, is_null, listed, structure, text_of, words
from ragviz.loaders.companions import Companion, Needs, Part
from ragviz.loaders.format import Format, per_row
from ragviz.loaders.outline import Outline
from ragviz.loaders.passages import Draft, numbered
from ragviz.loaders.passages_inside import from_tools
from ragviz.loaders.records_in import trace_of_row
from ragviz.loaders.rows import Row, read_rows
from ragviz.records import LoadIssue, Trace, Usage

_LINE = frozenset({"messages", "ideal", "tools", "functions", "parallel_tool_calls", "metadata"})
_PARTS = ("request", "response", "request_body", "response_body")
_ASKS = ("messages", "input")


def read(source: BinaryIO, filename: str) -> Iterator[Part]:
    """Fine-tuning or evals lines with messages and an ideal answer; calls with what was sent and what came back."""
    return per_row(source, filename, _line)


def _line(row: Row) -> Iterator[Trace | LoadIssue]:
    sent, got = _call(row.value)
    if sent is not None and got is not None:
        yield from _called(row, row.value, sent, got)
        return
    question = asked(row.value.get("messages"))
    if question is None:
        yield LoadIssue(where=row.where, message="no messages in this line", fix="export the data set as CSV instead")
        return
    yield from assemble(
        row.where, row.n, question=question, response=answered(row.value.get("messages")), drafts=from_tools(listed(row.value.get("messages"))),
        reference=words(row.value.get("ideal")),
    )


def _call(value: Mapping[str, Any]) -> tuple[Mapping[str, Any] | None, Mapping[str, Any] | None]:
    """What was sent and what came back, under the names that people and proxies give them; None where there is no such thing."""
    got = structure(value.get("response", value.get("response_body")))
    sent = structure(value.get("request", value.get("request_body")))
    if sent is None and isinstance(got, Mapping) and got.keys() & {"choices", "output"}:
        sent = value  # the messages lie beside the reply
    return (
        sent if isinstance(sent, Mapping) and any(isinstance(structure(sent.get(name)), list) or (name == "input" and sent.get(name)) for name in _ASKS) else None,
        got if isinstance(got, Mapping) else None,
    )


def _called(row: Row, beside: Mapping[str, Any], sent: Mapping[str, Any], got: Mapping[str, Any]) -> Iterator[Trace | LoadIssue]:
    """One call as a record: the conversation asks, the reply answers; tools, file searches and Azure's citations are what was retrieved."""
    given = {name: sent[name] for name in (*_ASKS, "model") if name in sent}
    value = {
        **{name: inner for name, inner in beside.items() if name not in (*_PARTS, *given)},
        **given,
        "answer": got["output"] if isinstance(got.get("output"), list) else got,
        **{name: got[name] for name in ("usage", "model") if got.get(name)},
    }
    found = documents_beside(got)
    asks = structure(given.get("messages", given.get("input")))
    if found is None and isinstance(asks, list):
        found = from_tools([*asks, *listed(got.get("output"))])
    for part in trace_of_row(row._replace(value=value)):
        yield _with(part, found) if isinstance(part, Trace) else part


def _with(trace: Trace, drafts: list[Draft] | None) -> Trace:
    return trace if drafts is None or trace.passages else msgspec.structs.replace(trace, passages=numbered(drafts)[0], passages_are=None)


def read_batch(source: BinaryIO, filename: str) -> Iterator[Part]:
    """The output of a batch: replies by custom_id; what was asked lies in the file that was sent."""
    needy: list[LoadIssue] = []

    def one(row: Row) -> Iterator[Part]:
        outer = structure(row.value.get("response"))
        outer = outer if isinstance(outer, Mapping) else {}
        got, name = structure(outer.get("body")), id_of(row.value.get("custom_id"))
        reply = got if isinstance(got, Mapping) else {}
        fault = structure(row.value.get("error")) or reply.get("error")
        answer = None if fault else answered(reply["output"] if isinstance(reply.get("output"), list) else reply)
        drafts = documents_beside(reply)
        said = fault.get("message") if isinstance(fault, Mapping) else fault
        status = outer.get("status_code")
        failed = None if answer is not None else words(said) or (f"status {text_of(status)}" if not is_null(status) else "no reply")
        yield from assemble(
            row.where, row.n, id=name, question=None, response=answer, model=words(reply.get("model")), usage=_usage(reply), tags=tags_of({"error": failed}),
            drafts=drafts if drafts is not None else from_tools(listed(reply.get("output"))),
        )
        if failed is not None:
            yield warning(row.where, f"the reply to {name or 'this request'} is an error: {failed[:200]}", "send the request again; until then its answer is not known")
        if not needy:
            needy.append(warning(row.where, "a batch's output does not hold what was asked", "open it together with the file of requests that was sent"))

    yield from per_row(source, filename, one)
    for issue in needy:
        yield Needs(role="sources", issue=issue)


def _usage(reply: Mapping[str, Any]) -> Usage | None:
    used = reply.get("usage")
    used = used if isinstance(used, Mapping) else {}
    return usage_of(tokens_in=used.get("prompt_tokens", used.get("input_tokens")), tokens_out=used.get("completion_tokens", used.get("output_tokens")))


def read_requests(source: BinaryIO, filename: str) -> Iterator[Part]:
    """The requests of a batch: questions, and what tools gave back, by custom_id."""
    questions: dict[str, str] = {}
    passages: dict[str, list[Draft]] = {}
    rows = 0
    for row in read_rows(source, filename=filename):
        if isinstance(row, LoadIssue):
            yield row
            continue
        name, body = id_of(row.value.get("custom_id")), structure(row.value.get("body"))
        messages = structure(body.get("messages", body.get("input"))) if isinstance(body, Mapping) else None
        question = asked(messages)
        if name is None or question is None:
            yield LoadIssue(where=row.where, message="a request needs custom_id, and a body that asks something", fix="each line needs custom_id and body with messages or input")
            continue
        rows += 1
        questions[name] = question
        found = from_tools(messages) if isinstance(messages, list) else None
        if found is not None:
            passages[name] = found
    yield Companion(role="sources", rows=rows, where=filename, questions=questions, passages=passages, fix="open it together with the batch's output")


def matches(look: Outline) -> bool:
    """A call with its reply; or lines of messages and nothing else that means something."""
    sent, got = _call(look.row)
    return (sent is not None and got is not None) or ("messages" in look.keys and look.keys <= _LINE)


FORMATS = (
    Format(
        name="openai_batch", label="OpenAI batch output", order=56, read=read_batch, suffixes=(".jsonl",), recognised_by="rows with custom_id whose response has status_code and body",
        matches=lambda look: "custom_id" in look.keys and any(isinstance(reply := row.get("response"), Mapping) and {"status_code", "body"} <= reply.keys() for row in look.rows),
    ),
    Format(
        name="openai_batch_requests", label="OpenAI batch requests (beside the output)", order=57, companion=True, read=read_requests, suffixes=(".jsonl",),
        matches=lambda look: {"custom_id", "method", "url", "body"} <= look.keys and "response" not in look.keys, recognised_by="rows with custom_id, method, url and body",
    ),
    Format(
        name="chat_lines", label="OpenAI chat lines and logged calls", order=58, matches=matches, read=read, suffixes=(".jsonl", ".json"),
        recognised_by="lines of messages, with or without an ideal answer; or a request (or its messages) with its response",
    ),
)
