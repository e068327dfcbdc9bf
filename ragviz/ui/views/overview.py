"""Overview: is this run good, and where does it fail? Each number opens the traces it counts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import streamlit as st

from ragviz.contracts import View
from ragviz.diagnosis.meanings import BLAMED, FAILING_EXPLAINED, QUADRANTS_EXPLAINED, STANDING_MEANINGS, STRONGER, TERMS, believed
from ragviz.diagnosis.quadrants import Thresholds
from ragviz.diagnosis.standings import WITHOUT_REFERENCE, counts_without_reference
from ragviz.figures.bars import CountedRow, counted_bars
from ragviz.figures.plot_text import count, counted, interval, number, percent, share, signed
from ragviz.figures.strips import axis_for, interval_strip, share_strip
from ragviz.figures.verdict_bar import verdict_bar
from ragviz.pipeline.column_means import Columns
from ragviz.records import Grounding, RunManifest
from ragviz.stats.bootstrap import why_none
from ragviz.stats.numbering import all_distinct
from ragviz.store import TO_EXPLAIN, TraceFilter
from ragviz.ui import baseline, filters, held_out, marks, presses, resources, samples, selection, tags, tour, vocabulary, widgets
from ragviz.ui.views import overview_details, overview_policies, overview_slices, sharing
from ragviz.ui.views import overview_numbers as numbers
from ragviz.ui.views.overview_part import Part
from ragviz.ui.views.quadrants_numbers import Mode, cell_filter

ROW = 25
"""px of a bar and of the link beside it."""


@widgets.plainly
def render() -> None:
    """The whole page."""
    view, run = resources.view(), resources.run()
    if view is None or run is None:
        widgets.page_head("Overview")
        widgets.no_run("The first run you load is judged and summed up here.")
        return
    line, controls = widgets.page_head("Overview", controls=4, widths=(0.15, 0.15, 0.09, 0.08))
    with controls[0]:
        part = tags.choose(run.run_id, title="Slice", none="whole run")
    with controls[1]:
        other = baseline.choose(run)
    columns = Part(view, part)
    with controls[2]:
        sharing.draw(view, run, other)
    if presses.pressed(controls[3].button, "Export", key="overview-export", width="stretch"):
        selection.open_page("data")
    line.caption(_facts(run, columns, view, part))
    held_out.note(run.run_id)
    # Places that are there whatever stands in them: what comes and goes would shift all that follows, and for a moment the old cards would stand beside
    # the new.
    with st.container(key="place-not-judged"):
        _not_judged(run, view, columns)
    with st.container(key="place-tour"):
        tour.draw(view)
    _cards(view, columns, other, part)
    _verdicts(view, part)
    left, middle, right = st.columns(3, gap="small")
    with left:
        _where(view, part, columns)
    with middle:
        _why(view, part)
    with right:
        overview_slices.render(view, run.n_traces, part)
    overview_details.look_first(view, part)
    overview_details.left_out(view, run, columns.refusals(), part)
    overview_policies.render(view, part)


def _facts(run: RunManifest, columns: Part, view: View, part: TraceFilter) -> str:
    n_traces, silent = columns.n_traces, columns.silent()
    n_claims = int(sum(resources.claim_counts(view, part).values()))
    of = f" of {count(run.n_traces)}" if part.tags else ""
    words = f"{counted(n_traces, 'trace')}{of} · {counted(n_claims, 'claim')} · judged {share(n_traces - silent, n_traces)} of traces"
    words += f" ({count(silent)} with no verdict)" if silent else ""
    return f"{words} · imported {run.created_at:%-d %b %Y}"


def _not_judged(run: RunManifest, view: View, columns: Columns) -> None:
    """A run without any verdict says so before it shows dashes; so does one that was looked through and has no answers to judge."""
    if sum(resources.claim_counts(view).values()) or resources.count(view, TraceFilter(quadrants=("abstained",))):
        return
    if any(samples.name_of(state) == run.name for state in samples.judging()):
        widgets.note("**Being judged now.** The numbers arrive when it is done; the sidebar shows how far it is.", key="judging")
        return
    known = columns["n_claims"] == columns["n_claims"]
    if known.all() and not columns["n_claims"].any():
        widgets.note(
            "**No answers.** The file does not say what was answered, so there is no claim to judge; what was retrieved is on the Retrieval page.",
            key="not-judged",
        )
        widgets.link("Retrieval", "retrieval", key="not-judged")
        return
    widgets.note("**Not judged yet.** Until then there are no verdicts, and every number below is unknown, not 0.", key="not-judged")
    widgets.link("Choose a judge, and see what it takes", "data", key="not-judged")


def _cards(view: View, columns: Part, other: RunManifest | None, part: TraceFilter) -> None:
    whole = resources.query(lambda: numbers.headlines(columns, retrieval_k=view.retrieval_k, policy=view.policy), "headlines", view, part, run_id=view.run_id)
    headlines = [replace(h, lowered_by=filters.also(h.lowered_by, tags=part.tags)) for h in whole]
    changes = {} if other is None else resources.query(lambda: _changes(view, whole, columns, other, part), "changes", view, part, other.run_id)
    places = st.columns(len(headlines) + 1, gap="small")
    for place, headline in zip(places, headlines, strict=False):
        with place:
            _card(view, headline, changes.get(headline.metric))
    with places[-1]:
        _refusals(columns.refusals(), part)
    dashed = f" Dashed tick: {widgets.md(other.name)} on the same questions; “within noise”: the 99 % interval of the change holds 0." if other else ""
    with st.container(key="cap-cards"):
        st.caption(f"Bar: 95 % interval, clustered by question. Thick tick: this run.{dashed} Axes start at 0.5 where values allow.",
                   help="  \n".join(TERMS[name] for name in ("relevance", "macro", "micro", "interval", "coverage")))
        if said := believed(view.judge):
            st.caption(f"{said} {STRONGER}")
        if other is not None:
            widgets.link(
                f"The answers and claims that changed since {widgets.md(other.name, limit=40)}", "compare", key="changed", run=view.run_id, base=other.run_id
            )


def _changes(view: View, cards: list[numbers.Headline], columns: Columns, other: RunManifest, part: TraceFilter) -> dict[str, numbers.Change | None]:
    there, aligned = _there(view, other, part)
    return {card.metric: numbers.change(card, columns, there, policy=view.policy, aligned=aligned) for card in cards}


def _there(view: View, other: RunManifest, part: TraceFilter) -> tuple[Columns, bool]:
    """The other run's columns, and whether they go row by row with this one's. Runs of the same file of questions do, and need no looking for each other."""
    seen = View(run_id=other.run_id, judge=view.judge, claim_set=view.claim_set, policy=view.policy)
    there = resources.columns(seen, numbers.names(view.retrieval_k))
    same = np.array_equal(resources.columns(view, ["group"])["group"], there["group"])
    if not same or not resources.query(lambda: all_distinct(there["group"]), "asked once", other.run_id, run_id=other.run_id):
        return there, False
    if part.tags:
        kept = np.flatnonzero(resources.store().mask(view, part))
        there = {name: values.take(kept) for name, values in there.items()}
    return there, True


def _pair(left: str, right: str) -> None:
    """Two words at both ends of a card's line."""
    with st.container(horizontal=True, horizontal_alignment="distribute", gap=None):
        st.markdown(left, width="content")
        st.markdown(right, width="content")


def _card(view: View, headline: numbers.Headline, change: numbers.Change | None) -> None:
    low, high = (headline.interval.lo, headline.interval.hi) if headline.interval else (None, None)
    other = change.other if change else None
    with st.container(key=f"card-{headline.metric}", gap=None, height="stretch"):
        _pair(headline.label + vocabulary.arrow(headline.metric), headline.kind)
        shown = percent(headline.value) if headline.as_percent else number(headline.value)
        st.metric(headline.label, shown, label_visibility="collapsed")
        figure = interval_strip(
            headline.value,
            lo=low,
            hi=high,
            axis=axis_for([headline.value, low, other], better_high=headline.better_high),
            other=other,
            colours=widgets.colours(),
        )
        widgets.chart(figure, key=f"tick-{headline.metric}", alt=f"{headline.label} {shown}, interval {interval(low, high)}")
        _pair(interval(low, high, as_percent=headline.as_percent) or (f"{why_none(headline.n)} for an interval" if headline.n else "no value"), f"n {count(headline.n)}")
        if change:
            shown_change = f"{signed(100 * change.difference, digits=1)} points" if headline.as_percent else signed(change.difference)
            st.markdown(f"{shown_change}, {change.words}")
        lowered = resources.count(view, headline.lowered_by) if headline.n else 0
        if lowered:
            widgets.link(
                f"{counted(lowered, 'trace')} {headline.lowered_words}".strip(), "traces", key=headline.metric, **filters.to_params(headline.lowered_by)
            )
        else:
            st.markdown("no trace lowers it" if headline.n else "nothing to measure it by")


def _refusals(found: numbers.Refusals, part: TraceFilter) -> None:
    with st.container(key="card-abstained", gap=None, height="stretch"):
        _pair("Abstained", "traces")
        st.metric("Abstained", count(found.total), label_visibility="collapsed")
        figure = share_strip([found.right, found.wrong, found.unknown], colours=widgets.colours())
        widgets.chart(figure, key="tick-abstained", alt=f"{found.right} right, {found.wrong} wrong, {found.unknown} unknown")
        _pair(f"{count(found.right)} right", f"{count(found.wrong)} wrong")
        if found.total:
            widgets.link(counted(found.total, "trace"), "traces", key="abstained", quadrant="abstained", **filters.to_params(part))
        else:
            st.markdown(f"not known of {counted(found.untold, 'trace')}" if found.untold else "every question answered")


def _verdicts(view: View, part: TraceFilter) -> None:
    counts = resources.claim_counts(view, part)
    total = sum(counts.values())
    judged = total - counts.get(Grounding.UNJUDGED, 0)
    bad = counts.get(Grounding.NOT_SUPPORTED, 0) + counts.get(Grounding.CONTRADICTED, 0)
    with widgets.box("verdicts", "Claims by verdict", f"{count(total)} · {count(bad)} of {count(judged)} judged without support = {share(bad, judged)}"):
        if not total:
            st.caption("No claims yet: judge this run on the Data page.")
            return
        _open_picked(st.plotly_chart(
            verdict_bar(counts, colours=widgets.colours()), theme=None, key="verdict-bar", on_select="rerun", selection_mode="points",
            config={"displayModeBar": False}, alt="Claims by verdict: " + ", ".join(f"{g.value} {n}" for g, n in counts.items() if n),
        ), {str(g): {"verdict": str(g), **filters.to_params(part)} for g in counts})
        with st.container(horizontal=True, horizontal_alignment="distribute", gap="small", key="legend"):
            for g in marks.GLYPH:
                if counts.get(g):
                    _legend(view, filters.also(part, verdicts=(g,)), g, f"**{count(counts[g])}** :gray[{share(counts[g], total)}]")


def _legend(view: View, where: TraceFilter, g: Grounding, numbers_of_claims: str) -> None:
    """One verdict: mark, word, claims, and the traces that have such claims."""
    with st.container(horizontal=True, gap="xsmall", width="content", key=f"legend-{g}"):
        st.markdown(f"{marks.chip(g).capitalize()} {numbers_of_claims}", width="content")
        widgets.link(counted(resources.count(view, where), "trace"), "traces", key=f"verdict-{g}", **filters.to_params(where))


def _open_picked(event: Any, opens: Mapping[str, Mapping[str, str]]) -> None:
    """A click on a part of a picture opens its traces."""
    points = event["selection"]["points"]
    if points and points[0].get("customdata"):
        key = points[0]["customdata"]
        selection.open_page("traces", **opens[str(key[0] if isinstance(key, list) else key)])


def _where(view: View, part: TraceFilter, columns: Part) -> None:
    counts, n_traces = resources.counts_by(view, "quadrant", part), columns.n_traces
    failing, unplaced = overview_details.n_failing(view, part), counts.get("unknown", 0)
    said = f"{count(failing)} failing of {count(n_traces)}" + (f", {count(unplaced)} in no quadrant" if unplaced else "")
    if unplaced + counts.get("abstained", 0) == n_traces:
        stand = counts_without_reference(columns["faithfulness"], columns["correctness"], columns["relevance"], columns["quadrant"] == "abstained")
        if stand is not None:
            _where_without_reference(stand, said, n_traces, part, failing=failing)
            return
    tones = {"good": 3, "abstained": 2, "unknown": 2}
    rows = [CountedRow(key=name, label=label, n=counts.get(name, 0), tone=tones.get(name, 1)) for name, (label, _) in vocabulary.QUADRANTS.items()]
    with widgets.box("where", "Where it fails", said, height="stretch", hint=f"{QUADRANTS_EXPLAINED}  \n{FAILING_EXPLAINED}"):
        _linked_bars(rows, part, of=n_traces, name="quadrant", label_width=92)
        _link_failing(failing, part)


def _link_failing(failing: int, part: TraceFilter) -> None:
    if failing:
        widgets.link(counted(failing, "failing trace"), "traces", key="failing", **filters.to_params(filters.also(part, failing=True)))


def _where_without_reference(counts: Mapping[str, int], said: str, n_traces: int, part: TraceFilter, *, failing: int) -> None:
    """Where the answers stand by faithfulness and relevance: the cells of the Quadrants page."""
    tones = {"grounded": 3, "abstained": 2, "unknown": 2}
    rows = [CountedRow(key=name, label=label, n=counts[name], tone=tones.get(name, 1)) for name, (label, _) in STANDING_MEANINGS.items()]
    where = {name: filters.also(part, quadrants=cell.quadrants, ranges=(*cell.ranges, *part.ranges), lacking=cell.lacking)
             for name in counts for cell in [cell_filter(name, Thresholds(), Mode.NO_REFERENCE)]}
    explained = "  \n".join(f"**{label}**: {meaning}" for label, meaning in STANDING_MEANINGS.values())
    with widgets.box("where", "Where it fails", said, height="stretch", hint=explained):
        _linked_bars(rows, part, of=n_traces, name="quadrant", label_width=112, where=where)
        st.caption(f"{WITHOUT_REFERENCE[0].upper()}{WITHOUT_REFERENCE[1:]}.")
        _link_failing(failing, part)


def _why(view: View, part: TraceFilter) -> None:
    blamed = filters.also(part, refusals=TO_EXPLAIN.refusals)
    counts = resources.counts_by(view, "cause", blamed)
    rows = sorted((CountedRow(key=name, label=vocabulary.CAUSES[name], n=counts.get(name, 0)) for name in BLAMED), key=lambda r: -r.n)
    total = sum(r.n for r in rows)
    with widgets.box("why", "Which part is to blame", f"{count(total)}, wrong refusals included", height="stretch", hint=vocabulary.CAUSES_EXPLAINED):
        _linked_bars(rows, blamed, of=total, name="cause", label_width=126)
        rest = counts.get("unknown", 0)
        st.caption(
            "Each cause names its evidence in the Inspector." + (f" For {counted(rest, 'trace')} none can be shown from what the file holds." if rest else "")
        )


def _linked_bars(rows: list[CountedRow], part: TraceFilter, *, of: int, name: str, label_width: int, where: Mapping[str, TraceFilter] | None = None) -> None:
    """Bars with the counts beside them as links: to the traces with that ``name``, or to those of ``where``, by the row's key."""
    opens = {row.key: filters.to_params(where[row.key]) if where else {name: row.key, **filters.to_params(part)} for row in rows}
    picture, links = st.columns([0.76, 0.24], gap=None)
    with picture:
        figure = counted_bars(rows, of=of, colours=widgets.colours(), label_width=label_width, numbers=False)
        alt = ", ".join(f"{r.label} {r.n}" for r in rows)
        _open_picked(
            st.plotly_chart(figure, theme=None, key=f"bars-{name}", on_select="rerun", selection_mode="points", config={"displayModeBar": False}, alt=alt),
            opens,
        )
    with links.container(key=f"rows-{name}", gap=None, horizontal_alignment="right"):
        for row in rows:
            label = f"**{count(row.n)}** :gray[{share(row.n, of)}]"
            if row.n:
                widgets.row_link(label, "traces", key=f"{name}-{row.key}", **opens[row.key])
            else:
                st.markdown(label, width="content")
