"""What stepped with which version: one sentence each, and the way to the traces behind it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta

import streamlit as st

from ragviz.compare.quantities import quantity
from ragviz.compare.trend import Change, Shift, Trend, Version
from ragviz.diagnosis.meanings import TERMS
from ragviz.figures.plot_text import cut, visible
from ragviz.pipeline.trend_facts import By
from ragviz.pipeline.trends import MOST_CHANGES, Followed, Moved
from ragviz.records import Grounding
from ragviz.store import TraceFilter
from ragviz.ui import filters, held_out, widgets
from ragviz.ui.views.trends_words import effect_of, name_of, sentence, value_of

MARKS = {"regression": "▼", "improvement": "▲", "change": "◆"}
METHOD = (
    "Each boundary: up to four versions on either side, a common drift and a step; kinds of questions keep a level of their own, so a changed mix is no step. "
    "p is corrected (Holm) for all boundaries and quantities looked at."
)


def draw(followed: Followed, by: By, version_tag: str | None) -> None:
    """The box of changes; says so when there are none, and what would have been found."""
    found = followed.trend
    assert found is not None
    with widgets.box("changes", "Changes", "beyond chance, drift and mix of questions", hint=f"{TERMS['mix']}  \n{TERMS['holm']}"):
        if not found.looked_at:
            st.caption("No two versions have 20 questions with a value, so nothing can be said about changes. The charts show what there is.")
            return
        if not found.changes:
            st.markdown("**No change beyond chance.**")
        for change in found.changes[:MOST_CHANGES]:
            _one(followed, change, by, version_tag)
        if len(found.changes) > MOST_CHANGES:
            st.caption(f"And {len(found.changes) - MOST_CHANGES} more; the charts mark them all.")
        st.caption(f"{METHOD} {_would_find(found)}")


def _would_find(found: Trend) -> str:
    sizes = [f"{quantity(name).label.lower()} {effect_of(name, size, sign=False)}" for name, size in found.finds.items() if quantity(name).is_quality][:3]
    drift = "" if found.tells_drift else " With fewer than five versions a slow drift looks like a step."
    return (f"A step of this size would be found 8 times of 10: {', '.join(sizes)}." if sizes else "") + drift


def _one(followed: Followed, change: Change, by: By, version_tag: str | None) -> None:
    before, after = followed.versions[change.before], followed.versions[change.after]
    kind, lead = change.kind, change.lead
    others = [s for s in change.shifts if s is not lead]
    words = [sentence(lead), *(f"{quantity(s.quantity).label.lower()} {effect_of(s.quantity, s.effect)}" for s in others)]
    when = f" ({after.at:%d %b %Y})" if after.at and by in (By.RUN, By.VERSION) else ""
    with st.container(key=f"note-change-{change.after}", gap="xsmall"):
        st.markdown(
            f"{MARKS[kind]} **{widgets.md(name_of(after, by), limit=40)}**{when}, {kind}: "
            + "; ".join(words)
            + f". Before it: {widgets.md(name_of(before, by), limit=40)}."
        )
        with st.container(horizontal=True, gap="small"):
            if by is By.RUN:
                widgets.link("Compare the two runs", "compare", key=f"compare-{change.after}", run=after.run_id, base=before.run_id)
            widgets.link(_traces_label(lead), "traces", key=f"traces-{change.after}", run=after.run_id, **traces_params(after, lead, by, version_tag))
        _traces(after, lead, followed.behind.get(change.after, ()))


def _traces(after: Version, lead: Shift, rows: Sequence[Moved]) -> None:
    """The traces that moved most, each a link to the Inspector."""
    questions = held_out.questions(after.run_id, tuple(row.trace_id for row in rows))
    for row in rows:
        with st.container(horizontal=True, gap="small", key=f"cap-behind-{after.key}-{row.trace_id}", vertical_alignment="center"):
            widgets.link(cut(visible(row.trace_id), 24), "inspector", key=f"behind-{after.key}-{row.trace_id}", run=after.run_id, trace=row.trace_id)
            st.caption(f"{_moved(lead.quantity, row)} · {widgets.md(questions.get(row.trace_id, ''), limit=90)}", width="content")


def _moved(name: str, row: Moved) -> str:
    label = quantity(name).label.lower()
    return f"{label} {value_of(name, row.after)}" if row.before is None else f"{label} {value_of(name, row.before)} → {value_of(name, row.after)}"


def _traces_label(lead: Shift) -> str:
    where = narrowed(lead)
    return "Its traces" if where == TraceFilter() else f"Its traces: {quantity(lead.quantity).label.lower()}"


def narrowed(lead: Shift) -> TraceFilter:
    """Which traces of the version show the quantity that stepped."""
    low = {"faithfulness": ("faithfulness", 1.0), "correctness": ("correctness", 0.5), "relevance": ("relevance", 0.5), "recall_at_5": ("recall_at_k", 1.0)}
    verdicts = {"contradicted_rate": Grounding.CONTRADICTED, "not_supported_rate": Grounding.NOT_SUPPORTED, "conflicted": Grounding.CONFLICTED}
    if lead.quantity in low:
        return filters.below(*low[lead.quantity])
    if lead.quantity in verdicts:
        return TraceFilter(verdicts=(verdicts[lead.quantity],))
    return TraceFilter(quadrants=("abstained",)) if lead.quantity == "abstained" else TraceFilter()


def traces_params(after: Version, lead: Shift, by: By, version_tag: str | None) -> dict[str, str]:
    """Query parameters of the Traces page for these traces."""
    where = narrowed(lead)
    if by is By.VERSION and version_tag is not None:
        where = filters.also(where, tags={version_tag: after.key})
    params = filters.to_params(where)
    if by in (By.MONTH, By.WEEK, By.DAY):
        first = date.fromisoformat(after.key)
        params |= {"since": first.isoformat(), "until": (_next(first, by) - timedelta(days=1)).isoformat()}
    return params


def _next(first: date, by: By) -> date:
    """First day of the next bin."""
    if by is By.MONTH:
        return (first.replace(day=28) + timedelta(days=4)).replace(day=1)
    return first + timedelta(days=7 if by is By.WEEK else 1)
