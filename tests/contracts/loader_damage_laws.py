"""One damaged piece among good ones costs itself alone, in every loader: written once, tried on every list inside every JSON sample."""

from __future__ import annotations

import copy
import io
import json
import re
from collections.abc import Callable, Iterator
from typing import Any

from ragviz.contracts import Loader
from ragviz.records import LoadIssue, Trace, Usage
from ragviz.store.packing import is_storable
from tests.contracts.loader_samples import Sample

NO_OBJECTS: tuple[Any, ...] = (None, "odd", 3, [1])
ODD: tuple[Any, ...] = (*NO_OBJECTS, {"odd": 1}, {})
FIGURES: tuple[Any, ...] = (10**30, 1e30, -(10**30), -7)
PYTHON = re.compile(r"\b\w*(?:Error|Exception)\b|NoneType|not subscriptable|has no attribute|indices must be|not iterable")
"""What Python says to programmers and nobody else understands."""
Path = tuple[Any, ...]


def values_of(sample: Sample) -> list[Any]:
    """The lines, or the one value, of a JSON sample; [] for other containers."""
    if sample.data[:1] not in b"{[":
        return []
    return [json.loads(line) for line in sample.data.splitlines()] if sample.data.endswith(b"\n") else [json.loads(sample.data)]


def loaded(loader: Loader, sample: Sample, values: list[Any]) -> list[Trace | LoadIssue]:
    """The changed values, written as the sample was."""
    end = b"\n" if sample.data.endswith(b"\n") else b""
    return list(loader.load(io.BytesIO(b"".join(json.dumps(value).encode() + end for value in values)), filename="sample"))


def n_traces(parts: list[Trace | LoadIssue]) -> int:
    """How many of the parts are traces."""
    return sum(isinstance(part, Trace) for part in parts)


def issues(parts: list[Trace | LoadIssue]) -> list[LoadIssue]:
    """The others."""
    return [part for part in parts if isinstance(part, LoadIssue)]


def lists_in(value: Any, path: Path = ()) -> Iterator[Path]:
    """Where lists of objects stand."""
    if isinstance(value, list) and any(isinstance(one, dict) for one in value) and path:
        yield path
    for key, one in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        yield from lists_in(one, (*path, key))


def nodes_in(value: Any, path: Path = ()) -> Iterator[Path]:
    """Where anything stands, the lines or the one value themselves left out."""
    if len(path) > 1:
        yield path
    for key, one in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        yield from nodes_in(one, (*path, key))


def at(value: Any, path: Path) -> Any:
    """What stands there."""
    for key in path:
        value = value[key]
    return value


def with_odd(values: list[Any], path: Path, odd: Any, *, first: bool) -> list[Any]:
    """The values with one more element in the list at the path."""
    changed = copy.deepcopy(values)
    found = at(changed, path)
    found.insert(0 if first else len(found), odd)
    return changed


def check_an_odd_element_costs_no_trace(loader: Loader, sample: Sample) -> None:
    """Null, text, a number, a list or an object of other names, before or behind the good ones of any list: every trace is still there."""
    values = values_of(sample)
    for path in lists_in(values):
        for odd in ODD:
            for first in (True, False):
                parts = loaded(loader, sample, with_odd(values, path, odd, first=first))
                assert n_traces(parts) >= sample.traces, (path, odd, first, issues(parts)[:1])


def check_an_odd_record_is_told_with_its_place(loader: Loader, sample: Sample) -> None:
    """In a list whose elements make traces, an element that is no object is an issue more, and it says where."""
    values = values_of(sample)
    before = len(issues(loaded(loader, sample, values)))
    for path in lists_in(values):
        doubled = copy.deepcopy(values)
        found = at(doubled, path)
        found.extend(copy.deepcopy(found))
        if n_traces(loaded(loader, sample, doubled)) <= sample.traces:
            continue
        for odd in NO_OBJECTS:
            told = issues(loaded(loader, sample, with_odd(values, path, odd, first=False)))
            assert len(told) > before, (path, odd)
            assert all(one.where and one.message for one in told)
            assert any(re.search(r"\d", one.where + one.message) for one in told), (path, odd, told)


def check_no_issue_speaks_python(loader: Loader, sample: Sample) -> None:
    """Whatever stands in the place of whatever: what is said of it has no word of Python's."""
    values = values_of(sample)
    for path in nodes_in(values):
        for odd in ODD:
            changed = copy.deepcopy(values)
            at(changed, path[:-1])[path[-1]] = odd
            for told in issues(loaded(loader, sample, changed)):
                assert not PYTHON.search(told.message), (path, odd, told.message)


def check_no_figure_is_too_large_for_a_store(loader: Loader, sample: Sample) -> None:
    """A figure in the place of any other that nobody can have: every trace is still there, can be stored, and has no usage below zero."""
    values = values_of(sample)
    for path in nodes_in(values):
        before = at(values, path)
        if isinstance(before, bool) or not isinstance(before, (int, float)):
            continue
        for figure in FIGURES:
            changed = copy.deepcopy(values)
            at(changed, path[:-1])[path[-1]] = figure
            parts = loaded(loader, sample, changed)
            told = sum(one.rejected for one in issues(parts)) if loader.name == "native" else 0  # a record of our own is whole, or told
            assert n_traces(parts) + told >= sample.traces, (path, figure, issues(parts)[:1])
            for trace in (part for part in parts if isinstance(part, Trace)):
                assert loader.name == "native" or is_storable(trace), (path, figure)  # of our own records the import looks after that: each would cost time
                assert all((getattr(trace.usage, name, None) or 0) >= 0 for name in Usage.__struct_fields__), (path, figure)


DAMAGE_LAWS: tuple[Callable[[Loader, Sample], None], ...] = (
    check_an_odd_element_costs_no_trace, check_an_odd_record_is_told_with_its_place, check_no_issue_speaks_python, check_no_figure_is_too_large_for_a_store,
)
