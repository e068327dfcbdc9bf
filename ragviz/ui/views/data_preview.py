"""Before importing: where things are in an unknown shape, which file holds the documents, and the first traces as they would be read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import pyarrow as pa
import streamlit as st

from ragviz.errors import RagvizError
from ragviz.figures.plot_text import cut, size, visible
from ragviz.loaders import parse_map, peek, read_many
from ragviz.loaders.opening import opened
from ragviz.loaders.outline import outline
from ragviz.records import LoadIssue, Trace
from ragviz.ui import resources, tables, widgets
from ragviz.ui.views.data_fixes import on_the_page

FIRST = 5
MOST_READ = 2_000
"""Rows looked at for the first traces: a file of nothing but rejected lines is not read to its end."""
READ_AT_ONCE = 32 << 20
"""Bytes up to which the first traces are shown without being asked for."""
FIELDS = ("question", "response", "passages", "passage_ids", "reference", "id")
TITLES = {"question": "Question", "response": "Answer", "passages": "Passages", "passage_ids": "Passage ids", "reference": "Reference answer", "id": "Trace id"}
MOST_PLACES, DEEPEST, MOST_SAID = 80, 4, 20


@dataclass(frozen=True)
class Reading:
    """How the waiting files are to be read."""

    paths: tuple[str, ...]
    documents: str | None
    """A file with the passages' texts, not among ``paths``."""
    format: str | None
    field_map: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Preview:
    """What came of the first rows."""

    traces: tuple[Trace, ...]
    issues: tuple[LoadIssue, ...]


def field_map(places: Sequence[str], *, round_: int, unknown: bool) -> dict[str, str]:
    """
    The boxes that say where our fields are; open at once when a file was not recognised.

    Args:
        places: Paths that the first file offers.
        round_: Counts the uploads: new files, new boxes.
        unknown: Whether a file was not recognised.
    """
    with st.expander("Where things are, for a shape of your own", expanded=unknown, key=f"map-{round_}"):
        st.caption("Only what is not found by itself. A path such as `chunks[].body` goes into lists and objects; your own can be typed.")
        found = {}
        for row in (FIELDS[:3], FIELDS[3:]):
            for column, field in zip(st.columns(3, gap="small"), row, strict=True):
                place = column.selectbox(
                    TITLES[field],
                    ["", *places],
                    key=f"map-{field}-{round_}",
                    accept_new_options=True,
                    format_func=lambda p: cut(visible(p), 60) if p else "as recognised",
                )
                if place and place.strip():
                    found[field] = place.strip()
        more = st.text_input("More, one after the other", key=f"map-more-{round_}", placeholder="tags=meta  model=llm.name  latency_ms=ms")
        try:
            return found | parse_map(more.split())
        except RagvizError as exc:
            widgets.problem(exc.message.removeprefix("--map "), exc.fix.replace("--map ", ""), key="map")
            return found


def places_in(path: str) -> list[str]:
    """Paths that the first rows of a file offer, outermost first; [] for a file that cannot be opened."""
    try:
        with opened(path) as source:
            rows = outline(peek(source)).rows
    except (RagvizError, OSError):
        return []
    found: dict[str, None] = {}
    for row in rows[:3]:
        found.update(dict.fromkeys(islice(_places(row, "", 0), MOST_PLACES)))
    return sorted(found, key=lambda p: (p.count(".") + p.count("[]"), list(found).index(p)))[:MOST_PLACES]


def _places(value: Any, path: str, depth: int) -> Iterator[str]:
    if path:
        yield path
    if depth >= DEEPEST:
        return
    if isinstance(value, list) and value and isinstance(value[0], Mapping | list):
        yield from _places(value[0], f"{path}[]", depth + 1)
    elif isinstance(value, Mapping):
        for name, inner in value.items():
            yield from _places(inner, f"{path}.{name}" if path else str(name), depth + 1)


def draw(reading: Reading, n_bytes: int) -> bool:
    """The first traces as they would come in; False where it is known that there are none. Large files wait for a click."""
    asked = "preview-" + repr(hash(reading))
    if n_bytes > READ_AT_ONCE and not st.session_state.get(asked):
        st.button(
            f"Show the first {FIRST} traces",
            key="preview",
            type="tertiary",
            on_click=st.session_state.__setitem__,
            args=(asked, True),
            help=f"{size(n_bytes)} to look into",
        )
        return True
    found = resources.query(lambda: look(reading), "preview", reading, *(_stamp(p) for p in reading.paths))
    if isinstance(found, RagvizError):
        widgets.problem(found.message, on_the_page(found.fix), key="preview")
        return False
    if not found.traces:
        first = found.issues[0] if found.issues else None
        widgets.problem(first.message if first else "There is no trace in these files.", on_the_page(first.fix) if first else "", key="preview")
        return len(found.issues) >= MOST_SAID  # more rows may follow than were looked at
    if not any(t.passages for t in found.traces):
        widgets.note("No passages were found: without them no claim can be checked. If the file holds them, say where under “Where things are”.", key="no-passages")
    doubts = f" · first doubt: {widgets.md(f'{found.issues[0].where}, {found.issues[0].message}', limit=160)}" if found.issues else ""
    st.caption(f"The first {len(found.traces)} as they would come in; nothing is stored yet{doubts}")
    tables.show(
        frame(found.traces),
        row_height=28,
        height="content",
        key=f"preview-{abs(hash(reading))}",
        alt="The first traces as they would be read",
        placeholder="–",
        column_config={
            "question": st.column_config.TextColumn(width=170),
            "answer": st.column_config.TextColumn(width=170),
            "passages": st.column_config.TextColumn(width=68, alignment="right"),
            "first passage": st.column_config.TextColumn(width=150),
            "reference": st.column_config.TextColumn(width=120),
        },
    )
    return True


def look(reading: Reading) -> Preview | RagvizError:
    """Read until the first traces are there; whatever goes wrong is the result."""
    traces: list[Trace] = []
    issues: list[LoadIssue] = []
    try:
        rows = read_many(list(reading.paths), format=reading.format, documents=reading.documents, field_map=dict(reading.field_map) or None)
        for row in islice(rows, MOST_READ):
            if isinstance(row, Trace):
                traces.append(row)
            else:
                issues.append(row)
            if len(traces) == FIRST:
                break
    except RagvizError as exc:
        return exc
    return Preview(tuple(traces), tuple(issues[:MOST_SAID]))


def frame(traces: Sequence[Trace]) -> pa.Table:
    """One row a trace; a field that the file cannot fill is a gap, so that a wrong map is seen."""
    return tables.without_empty(tables.of_rows([
        {
            "trace": t.id, "question": cut(visible(t.question), 300) or None, "answer": cut(visible(t.response), 300) or None,
            "passages": None if t.passages is None else str(len(t.passages)), "first passage": cut(visible(t.passages[0].text), 300) if t.passages else None,
            "reference": cut(visible(t.reference), 300) if t.reference else None, "tags": ", ".join(f"{n}: {v}" for n, v in list(t.tags.items())[:6]) or None,
        }
        for t in traces
    ]))


def _stamp(path: str) -> tuple[str, int]:
    try:
        return path, Path(path).stat().st_mtime_ns
    except OSError:
        return path, 0
