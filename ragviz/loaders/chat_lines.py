"""OpenAI's lines of messages, logged calls of its chat and Responses interfaces (Azure's too), and batches."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any, BinaryIO

import msgspec

from ragviz.loaders.asked import answered, asked
from ragviz.loaders.azure import documents_beside
from ragviz.loaders.building import assemble, tags_of, usage_of, warning
from ragviz.loaders.cells import id_of, is_null, listed, structure, text_of, words
from ragviz.loaders.cited_replies import Cited, cited_reply, is_reply
from ragviz.loaders.companions import Companion, Needs, Part
from ragviz.loaders.fields import has_synonym
from ragviz.loaders.format import Format, per_row
from ragviz.loaders.outline import Outline
from ragviz.loaders.passages import Draft, numbered
from ragviz.loaders.passages_inside import from_tools
from ragviz.loaders.records_in import trace_of_row
from ragviz.loaders.rows import Row, read_rows
from ragviz.loaders.turns import messages_in
from ragviz.records import LoadIssue, Trace, Usage

_LINE = frozenset({"messages", "ideal", "tools", "functions", "parallel_tool_calls", "metadata"})
_PARTS = ("request", "response", "request_body", "response_body")
_ASKS = ("messages", "input", "message")


def read(source: BinaryIO, filename: str) -> Iterator[Part]:
    """Fine-tuning or evals lines with messages and an ideal answer; calls with what was sent and what came back."""
    told: set[str] = set()
    return per_row(source, filename, partial(_line, told=told))


def _line(row: Row, *, told: set[str]) -> Iterator[Trace | LoadIssue]:
    sent, got = _call(row.value)
    if sent is not None and got is not None:
        for part in _called(row, row.value, sent, got):
            yield part
            if isinstance(part, Trace) and not part.question and not told:
                told.add("question")
                yield warning(row.where, "what was asked is not in a reply", 'write it beside the reply: {"question": "…", "response": {…}}')
        return
    question = asked(row.value.get("messages"))
    if question is None:
        yield LoadIssue(where=row.where, message="no messages in this line", fix="export the data set as CSV instead")
        return
    messages = listed(row.value.get("messages"))
    last = messages[-1] if messages and isinstance(messages[-1], Mapping) else {}
    cited = cited_reply(last, {"messages": messages[:-1]}) if last.get("role") == "assistant" else None
    for part in assemble(
        row.where, row.n, question=question, response=answered(messages) if cited is None else cited.answer, drafts=from_tools(messages) if cited is None else None,
        reference=words(row.value.get("ideal")),
    ):
        yield _told(part, cited) if cited is not None and isinstance(part, Trace) else part


def _call(value: Mapping[str, Any]) -> tuple[Mapping[str, Any] | None, Mapping[str, Any] | None]:
    """What was sent and what came back, under the names that people and proxies give them; None where there is no such thing."""
    got = structure(value.get("response", value.get("response_body")))
    sent = structure(value.get("request", value.get("request_body")))
    done = structure(value.get("result"))
    if isinstance(done, Mapping) and is_reply(done.get("message")) and "custom_id" in value:  # a line of Anthropic's batches
        return {}, {**done["message"], "id": value["custom_id"]}
    if got is None and sent is None and is_reply(value):
        return {}, value  # a reply as it came; what was asked is not known
    got = structure(value.get("output")) if got is None and is_reply(structure(value.get("output"))) else got
    if sent is None and isinstance(got, Mapping) and (got.keys() & {"choices", "output"} or is_reply(got)):
        sent = value  # the messages lie beside the reply
        if not any(isinstance(structure(sent.get(name)), list) for name in _ASKS) and is_reply(got) and (has_synonym(map(str, sent), "question") or isinstance(sent.get("message"), str)):
            return sent, got
    asks = isinstance(sent, Mapping) and any(isinstance(structure(sent.get(name)), list) or (name in ("input", "message") and sent.get(name)) for name in _ASKS)
    return sent if asks else None, got if isinstance(got, Mapping) else None


def _called(row: Row, beside: Mapping[str, Any], sent: Mapping[str, Any], got: Mapping[str, Any]) -> Iterator[Trace | LoadIssue]:
    """One call as a record: the conversation asks, the reply answers; tools, file searches and Azure's citations are what was retrieved."""
    given = {name: sent[name] for name in (*_ASKS, "model") if name in sent}
    if isinstance(said := given.pop("message", None), str):  # Cohere's: what was asked
        given["question"] = said
    told = cited_reply(got, sent)
    value = {
        **{name: inner for name, inner in beside.items() if sent and name not in (*_PARTS, *_ASKS, *given) and inner is not got},
        **given,
        "answer": told.answer if told is not None else got["output"] if isinstance(got.get("output"), list) else got,
        **{name: got[name] for name in ("usage", "model") if got.get(name)},
    }
    if not sent:
        value["id"] = got.get("id", got.get("generation_id"))
    if "question" not in value and (before := messages_in(structure(got.get("chat_history")))):
        value["question"] = asked(before)
    found = documents_beside(got)
    asks = structure(given.get("messages", given.get("input")))
    if found is None:
        found = from_tools([*listed(asks), *listed(got.get("output"))])
    for part in trace_of_row(row._replace(value=value)):
        if isinstance(part, Trace):
            yield _with(part, found) if told is None else _told(part, told)
        elif told is None or told.passages is None or part.fix != "check the retriever":  # of passages that these took the place of
            yield part
    for doubt in told.doubts if told is not None else ():
        yield warning(row.where, doubt, "check the retriever")


def _told(trace: Trace, told: Cited) -> Trace:
    return msgspec.structs.replace(trace, passages=told.passages if told.passages is not None else trace.passages, passages_are=None, citations=told.citations or trace.citations)


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
        recognised_by="lines of messages, with or without an ideal answer; a request (or its messages, or a question) with its response; or a reply of OpenAI, Anthropic or Cohere as it came",
    ),
)
