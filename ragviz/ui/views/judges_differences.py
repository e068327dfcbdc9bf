"""Where they part: two judges, a judge and people, two people. Each row opens the claim in the Inspector."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import pyarrow as pa
import streamlit as st

from ragviz.figures.plot_text import count, counted, number
from ragviz.pipeline.label_rows import as_label
from ragviz.pipeline.labelling import ClaimRef
from ragviz.records import Grounding
from ragviz.stats.agreement import cohen_kappa
from ragviz.text.unmarked import unmarked
from ragviz.ui import address, held_out, marks, openers, resources, tables, widgets
from ragviz.ui.views.judges_seen import Surveyed

ROWS = 50
BETWEEN = "between"


class Row(NamedTuple):
    """One claim with two opinions."""

    ref: ClaimRef
    left: str
    right: str
    confidence: float | None


def draw(seen: Surveyed) -> None:
    """This part of the page."""
    judge, other = seen.judge.label, seen.other.label if seen.other else None
    groups = {"judges": between_judges(seen), "people": against_people(seen), "persons": between_people(seen)}
    titles = {"judges": "Two judges", "people": "Judge and people", "persons": "Two people"}
    labels = {name: f"{titles[name]} **{count(len(rows))}**" for name, rows in groups.items()}
    first = next((name for name, rows in groups.items() if rows), "judges")
    shown = address.pills("Between", BETWEEN, list(groups), labels=labels, default=first, required=True) or first
    heads = {"judges": (judge, other or "second judge"), "people": (judge, "people"), "persons": ("one person", "another")}[shown]
    widgets.heading(titles[shown], _remark(seen, shown))
    if not groups[shown]:
        st.caption(_nothing(seen, shown))
        return
    _table(groups[shown], seen, shown, heads)


def between_judges(seen: Surveyed) -> list[Row]:
    """Claims both have judged, in different words; the most serious difference first: two classes, then the rest."""
    found = [
        c for c in seen.survey.claims
        if c.other is not None and c.other is not c.grounding and Grounding.UNJUDGED not in (c.grounding, c.other)
    ]
    found.sort(key=lambda c: (not c.disputed, -(c.confidence or 0.0)))
    return [Row(c.ref, marks.chip(c.grounding), marks.chip(c.other), c.confidence) for c in found]


def against_people(seen: Surveyed) -> list[Row]:
    """Labelled claims on which the judge says something else; the surest error first."""
    found = [(c, seen.labelled[c.ref]) for c in seen.survey.claims if c.ref in seen.labelled]
    differ = [(c, said) for c, said in found if as_label(c.grounding) is not as_label(said)]
    differ.sort(key=lambda pair: -(pair[0].confidence or 0.0))
    return [Row(c.ref, marks.chip(c.grounding), marks.chip(said), c.confidence) for c, said in differ]


def between_people(seen: Surveyed) -> list[Row]:
    """Claims on which two people's standing words differ."""
    rows = []
    for ref, said in seen.labels.conflicts().items():
        words = [f"{marks.chip(note.grounding)} · {author}" for author, note in said.items()]
        rows.append(Row(ref, words[0], "; ".join(words[1:]), None))
    return rows


def _remark(seen: Surveyed, shown: str) -> str:
    if shown == "judges" and seen.other is not None:
        both = [
            (c.grounding.is_supported, c.other.is_supported)
            for c in seen.survey.claims
            if c.other is not None and Grounding.UNJUDGED not in (c.grounding, c.other)
        ]
        kappa = cohen_kappa([a for a, _ in both], [b for _, b in both])
        return f"{counted(len(both), 'claim')} judged by both · κ {number(kappa)} between supported and the rest"
    if shown == "persons":
        pairs = [[note.grounding for note in seen.labels.by_author(ref).values()][:2] for ref in seen.labels.by_claim]
        twice = [(as_label(a).is_supported, as_label(b).is_supported) for a, b in (p for p in pairs if len(p) == 2) if a is not None and b is not None]
        if twice:
            return f"{counted(len(twice), 'claim')} labelled twice · κ {number(cohen_kappa([a for a, _ in twice], [b for _, b in twice]))} between supported and the rest"
    return ""


def _nothing(seen: Surveyed, shown: str) -> str:
    if shown == "judges":
        return "Both judges agree on every claim." if seen.other else "Only one judge has judged these claims. Let a second one judge the run on the Data page."
    if shown == "people":
        return "The judge says what people say on every labelled claim." if seen.labelled else "No claim is labelled yet."
    return "No two people differ. Under Label claims, a second person can choose claims that somebody else has labelled."


def _table(rows: Sequence[Row], seen: Surveyed, shown: str, heads: tuple[str, str]) -> None:
    n_pages = -(-len(rows) // ROWS)
    page = address.page_number(n_pages, draw=False)
    part = rows[(page - 1) * ROWS : page * ROWS]
    key = f"differ-{shown}-{seen.run.run_id}-{page}-{len(rows)}"
    tables.show(
        table(part, _words(seen, part), heads),
        row_height=28,
        height="content",
        key=key,
        placeholder="–",
        alt="Claims with two opinions",
        column_config={
            "open": openers.opening(f"{key}-open", "inspector", [{"trace": r.ref.trace_id, "claim": r.ref.claim_id} for r in part], pinned=True),
            "question": st.column_config.TextColumn(width=280),
            "claim": st.column_config.TextColumn(width=420),
            "confidence": st.column_config.NumberColumn(format="%.2f", width=84),
        },
    )
    address.page_number(n_pages)


def _words(seen: Surveyed, rows: Sequence[Row]) -> dict[ClaimRef, tuple[str, str]]:
    """Question and claim of each row."""
    ids = tuple(dict.fromkeys(row.ref.trace_id for row in rows))
    store = resources.store()

    def read() -> dict[ClaimRef, tuple[str, str]]:
        claims = store.claim_sets(seen.view.run_id, seen.view.claim_set, ids)
        return {ClaimRef(t.id, c.id): (t.question, unmarked(c.text)) for t in store.traces(seen.view.run_id, ids) for c in claims.get(t.id, ())}

    closed = held_out.closed_ids(seen.view.run_id)
    found = resources.query(read, "claim words", seen.view.run_id, seen.view.claim_set, ids, run_id=seen.view.run_id)
    return {ref: (held_out.CLOSED, held_out.CLOSED) if ref.trace_id in closed else words for ref, words in found.items()}


def table(rows: Sequence[Row], words: dict[ClaimRef, tuple[str, str]], heads: tuple[str, str]) -> pa.Table:
    """One row a claim."""
    left, right = heads if heads[0] != heads[1] else (heads[0], f"{heads[1]} (2)")
    found = []
    for row in rows:
        question, claim = words.get(row.ref, ("–", "–"))
        found.append({"open": "Open ›", "question": question, "claim": claim, left: row.left, right: row.right, "confidence": row.confidence})
    return tables.without_empty(tables.of_rows(found), ["confidence"])
