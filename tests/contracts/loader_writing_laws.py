"""The same JSON written in another way reads alike, in every loader: with its first text far inside, and several exports put together into one file."""

from __future__ import annotations

import io
import json
from collections.abc import Callable

from ragviz.contracts import Loader
from ragviz.loaders import read
from ragviz.loaders.limits import HEAD_BYTES
from ragviz.records import LoadIssue, Trace
from tests.contracts.loader_damage_laws import values_of
from tests.contracts.loader_samples import Sample

SENT_TWICE = frozenset({"phoenix", "openinference", "otel_genai", "langfuse", "langfuse_otlp"})
"""Formats of spans with the id of their trace: the same ones again are the same trace."""


def _read(data: bytes) -> tuple[list[Trace], list[LoadIssue]]:
    """As a user opens it: the format is found by the content."""
    parts = list(read(io.BytesIO(data), filename="sample"))
    return [p for p in parts if isinstance(p, Trace)], [p for p in parts if isinstance(p, LoadIssue)]


def _said(trace: Trace) -> tuple[object, ...]:
    return trace.question, trace.response, tuple(p.text for p in trace.passages or ()), trace.reference


def check_a_long_beginning_changes_nothing(_loader: Loader, sample: Sample) -> None:
    """Whatever is looked at to recognise a file may hold nothing of it yet: blanks, or the beginning of one long text."""
    values = values_of(sample)
    if len(values) != 1:
        return
    plain = [_said(t) for t in _read(sample.data)[0]]
    written = json.dumps(values[0], indent=1).encode()
    for padded in (written[:1] + b" " * HEAD_BYTES + written[1:], json.dumps(values[0]).encode()[:1] + b"\n" * HEAD_BYTES + written[1:]):
        assert [_said(t) for t in _read(padded)[0]] == plain


def check_exports_put_together_are_all_read(loader: Loader, sample: Sample) -> None:
    """``cat a.json b.json > both.json``, with or without line breaks, or with a comma between: nothing of either is lost, and nothing is called damaged."""
    values = values_of(sample)
    if len(values) != 1:
        return
    traces, _ = _read(sample.data)
    for text in (json.dumps(values[0], indent=1), json.dumps(values[0])):
        for between in ("\n", "", ",\n"):
            both, told = _read((text + between + text).encode())
            assert [_said(t) for t in both] == [_said(t) for t in traces] * (1 if loader.name in SENT_TWICE else 2), repr(between)
            assert not [i for i in told if "cut off" in i.message or "not JSON" in i.message], told


WRITING_LAWS: tuple[Callable[[Loader, Sample], None], ...] = (
    check_a_long_beginning_changes_nothing,
    check_exports_put_together_are_all_read,
)
