"""The Inspector: one trace, its claims, and what they rest on."""

from __future__ import annotations

from typing import Any, NamedTuple
from urllib.parse import urlencode

import msgspec
import streamlit as st

from ragviz.contracts import View
from ragviz.diagnosis.causes import Cause, root_cause
from ragviz.diagnosis.conflicts import source_faults
from ragviz.diagnosis.quadrants import quadrant
from ragviz.errors import RagvizError
from ragviz.grounding import ClaimGrounding, groundings, word_on_answer
from ragviz.metrics import score_all
from ragviz.metrics.cited import cited_claims
from ragviz.pipeline.standing import NOT_CALIBRATED, Standing, confidences
from ragviz.records import Citation, Claim, JudgedTrace, Side, Table, TraceResult
from ragviz.store import FAILING, TraceFilter
from ragviz.text.citation_marks import resolve_citations
from ragviz.ui import held_out, resources, selection, slices, widgets
from ragviz.ui.linked_text import linked_text
from ragviz.ui.linked_text.content import Frame, build
from ragviz.ui.views import inspector_panels, inspector_passages, inspector_scores, inspector_table, inspector_why
from ragviz.ui.views import inspector_words as words

DETAILS_FOR_ALL_UP_TO = 150
"""Claims whose certificate lines all travel with the content; above, only the selected claim's do."""


class Reading(NamedTuple):
    """A trace with all that follows from its verdicts."""

    case: JudgedTrace
    grounded: dict[str, ClaimGrounding]
    citations: tuple[Citation, ...]
    content: dict[str, Any]
    cause: Cause

    @property
    def claims(self) -> list[Claim]:
        """Claims of the answer, in reading order."""
        return [c for c in self.case.claims if c.side is Side.RESPONSE]


def render() -> None:
    """Draw the page. Whatever goes wrong on purpose is said in one sentence; the rest is the log's."""
    widgets.look()
    try:
        _draw()
    except RagvizError as exc:
        widgets.problem(exc.message, exc.fix)


def _draw() -> None:
    seen = resources.view()
    if seen is None:
        widgets.no_run("The Inspector shows one trace with its claims and evidence.")
        return
    picked = selection.current()
    trace_id = picked.trace or _first_trace(seen)
    if trace_id is None:
        widgets.empty_state(
            "This run has no traces", "Its file held nothing that could be read; the Data page says why.", widgets.Action(label="See the issues", page="data")
        )
        return
    case = resources.judged_trace(seen, trace_id)
    if case is None:
        _not_found(seen)
        return
    n = len(case.trace.passages or ())
    k = picked.k if picked.k is not None and picked.k < n else None
    _top_row(seen, trace_id, n, k)
    if held_out.is_closed(seen.run_id, case.trace):
        widgets.page_head("Inspector")[0].caption(f"Trace {widgets.md(trace_id)}")
        with st.container(border=True, key="box-held-out"):
            held_out.ask(seen.run_id, [(trace_id, case.trace.question)], place="Inspector", key="inspector")
        return
    stands = resources.standing(seen.judge)
    # What is stored was explained with the whole corpus at hand; at another cut-off the trace has to speak for itself.
    known = resources.trace_result(seen, trace_id) if k == seen.k else None
    bare = resources.without_reference(seen)
    reading = resources.shared(lambda: read(case, k, stands, known, without_reference=bare), "reading", seen, trace_id, k, bare)
    claim = picked.claim if any(c.id == picked.claim for c in reading.claims) else None
    linked_text(
        reading.content, selected=claim, on_select=lambda c: selection.select(trace=trace_id, claim=c), detail=_detail(reading, claim),
        link=urlencode(selection.link_params(run=seen.run_id, trace=trace_id, k=k)), key=f"viewer-{seen.run_id}-{trace_id}",
    )
    inspector_why.draw(seen, reading.case, reading.cause)
    inspector_panels.draw(seen, reading.case, reading.grounded, claim)
    inspector_scores.draw(reading.case.trace)
    inspector_table.draw(reading.case, reading.grounded, reading.content)


def _first_trace(seen: View) -> str | None:
    """Where the page opens without a trace in the URL: the first failing one, else the first."""
    for where in (failing(seen), TraceFilter()):
        rows = resources.page(seen, where, limit=1)
        if rows:
            return rows[0].id
    return None


def failing(seen: View) -> TraceFilter:
    """What previous and next walk through: the filter of the URL if there is one, else traces that need attention."""
    asked = slices.here(seen.run_id)
    if asked != TraceFilter():
        return asked
    return FAILING


def _not_found(seen: View) -> None:
    with st.container(border=True, horizontal_alignment="center"):
        st.markdown("**No such trace in this run**", width="content")
        st.caption("The link may belong to another run: choose it on the left, or start with a trace of this one.", width="content")
        first = _first_trace(seen)
        if first is not None:
            st.button("Show the first failing trace", type="primary", on_click=selection.select, kwargs={"trace": first})


def _top_row(seen: View, trace_id: str, n: int, k: int | None) -> None:
    """Previous and next failing trace, and how many passages count."""
    around = resources.neighbours(seen, failing(seen), trace_id)
    # From a trace that is not in the list, "next" starts the list.
    onward = around.next or (_first_trace(seen) if around.position is None and around.total else None)
    row = st.container(horizontal=True, vertical_alignment="bottom", horizontal_alignment="right", gap="small", key="toprow")
    with row:
        st.button("‹ Previous failing", key="previous_failing", disabled=around.previous is None, on_click=selection.select, kwargs={"trace": around.previous})
        position = f"{around.position} of {around.total}" if around.position else f"not one of {around.total}" if around.total else "none fails"
        with st.container(key="cap-position", width="content"):
            st.caption(position, width="content")
        st.button("Next failing ›", key="next_failing", disabled=onward is None, on_click=selection.select, kwargs={"trace": onward})
        if n > 1:
            _k_slider(trace_id, n, k)


def _k_slider(trace_id: str, n: int, k: int | None) -> None:
    key, shown = f"k-{trace_id}", k or n
    if st.session_state.get(key) != shown:
        st.session_state[key] = shown
    st.slider("Passages used, k", 1, n, key=key, width=206, on_change=_choose_k, args=(key, trace_id, n))


def _choose_k(key: str, trace_id: str, n: int) -> None:
    value = st.session_state[key]
    selection.select(trace=trace_id, claim=selection.current().claim, k=None if value == n else value)


def read(case: JudgedTrace, k: int | None, stands: Standing = NOT_CALIBRATED, known: TraceResult | None = None, *, without_reference: bool = False) -> Reading:
    """All that the page says of a trace, computed from its verdicts. ``stands``: what the judge's confidence is worth; ``known``: its stored result."""
    case = msgspec.structs.replace(case, k=k)
    grounded = groundings(case, Table.RESPONSE_X_PASSAGES)
    citations = resolve_citations(case.trace)
    scores = score_all(case)
    where, faults = quadrant(case, scores), source_faults(case)
    cause = root_cause(case, scores) if known is None else Cause(name=known.cause, detail=known.cause_detail, evidence=known.cause_evidence)
    frame = Frame(
        crumb=words.crumb(case),
        scores=words.score_strip(case, scores, where, cause, strict=words.strict_share(grounded), without_reference=without_reference),
        reference_note=words.reference_note(case),
        smaller=inspector_passages.survival(case),
        citations=inspector_passages.citation_words(case, cited_claims(case)),
        passage_flags=inspector_passages.passage_flags(case, faults),
        confidences=confidences(case, grounded, stands),
        denied=frozenset(f.claim_id for f in faults if f.kind == "wrong"),
        judge=words.judge_name(case),
        details=words.certificate_words(case, grounded, faults) if len(grounded) <= DETAILS_FOR_ALL_UP_TO else {},
        no_claims=words.no_claims(case.trace, abstained=where == "abstained", word=word_on_answer(case.annotations)),
    )
    return Reading(case, grounded, citations, build(case, grounded, citations, frame), cause)


def _detail(reading: Reading, claim: str | None) -> dict[str, str] | None:
    """Certificate lines of the selected claim where the content does not bring all."""
    if claim is None or len(reading.grounded) <= DETAILS_FOR_ALL_UP_TO:
        return None
    return words.certificate_words(reading.case, reading.grounded, source_faults(reading.case), only=[claim]).get(claim)
