"""Take a trace along: as one file that anybody can open, as a test that no later version may fail, or into the Lab."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import partial
from pathlib import Path

import streamlit as st

from ragviz.contracts import View
from ragviz.diagnosis.against_reference import WORDED
from ragviz.errors import RagvizError, UnknownName
from ragviz.gate.regression import CASES, RULES, Kept, keep
from ragviz.grounding import ClaimGrounding
from ragviz.records import Grounding, JudgedTrace
from ragviz.reports.case import case_html, file_name
from ragviz.store import Store
from ragviz.store.opening import default_store_path
from ragviz.ui import resources, widgets
from ragviz.ui.linked_text.evidence_rows import clash_rows
from ragviz.ui.marks import GROUNDING_LABEL, chip
from ragviz.ui.views.inspector_words import judge_name

FOLDER = "regressions"
_KEPT = "_rv_kept"
MAX_WORDS = 500


def draw(seen: View, case: JudgedTrace, grounded: Mapping[str, ClaimGrounding], claim: str | None) -> None:
    """Two buttons, and the way to the Lab where a claim fails; what was written, and where, under them."""
    run = resources.run()
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="keep-row"):
        st.download_button(
            "Save as one-file case",
            data=partial(written, resources.store(), seen, case.trace.id, run.name if run else seen.run_id),
            file_name=file_name(case.trace.id),
            mime="text/html",
            key="save_case",
            on_click="ignore",
            help="One HTML file with answer, claims, evidence and passages. It loads back on the Data page.",
        )
        with st.popover("Make it a regression test", key="make_test"):
            _form(seen, case, grounded, claim)
        if any(found.grounding in (Grounding.CONTRADICTED, Grounding.NOT_SUPPORTED) for found in grounded.values()):
            widgets.link("Try a remedy", "lab", key="remedy", trace=case.trace.id, which="one")
    kept: Kept | RagvizError | None = st.session_state.get(_KEPT, {}).get(case.trace.id)
    if isinstance(kept, Kept):
        _said(kept)
    elif kept is not None:
        widgets.problem(kept.message, kept.fix, key="keep")


def written(store: Store, seen: View, trace_id: str, run: str) -> bytes:
    """The file, out of the store when it is asked for: a button in an open tab holds no text that has been deleted meanwhile."""
    case = store.one(seen, trace_id)
    if case is None:
        raise UnknownName(f"the run has no trace {trace_id!r} any more", fix="reload the page")
    return case_html(case, run=run, judge=judge_name(case)).encode("utf-8", "replace")


def _form(seen: View, case: JudgedTrace, grounded: Mapping[str, ClaimGrounding], claim: str | None) -> None:
    options = [g for g in Grounding if g not in (Grounding.UNJUDGED, Grounding.CONFLICTED)]
    verdict = grounded[claim].grounding if claim is not None and claim in grounded else None
    text, hint = prefilled(case, grounded, claim)
    with st.form("regression", border=False):
        words_key, verdict_key = (f"test-{what}-{seen.run_id}-{case.trace.id}-{claim}" for what in ("words", "verdict"))
        st.text_input(
            "A good answer has a claim that contains",
            value=text[:MAX_WORDS],
            max_chars=MAX_WORDS,
            key=words_key,
            help="Fewer words fit more answers: “30 days” rather than the whole sentence. Upper and lower case are the same.",
        )
        if hint:
            st.caption(hint)
        st.selectbox("and it must come out as", options, format_func=chip, key=verdict_key)
        # In its key too: a press is about the claim that was on the screen.
        st.form_submit_button("Keep as a test", key=f"keep-case-{case.trace.id}-{claim}", type="primary", on_click=_keep, args=(case, words_key, verdict_key))
        now = f" {widgets.md(claim)} is {GROUNDING_LABEL[verdict]} now." if claim and verdict else ""
        st.caption(f"{now} The case goes to {CASES}, the rule to {RULES}, in {widgets.md(str(folder()), limit=300)}.".strip())


def _keep(case: JudgedTrace, words_key: str, verdict_key: str) -> None:
    try:
        result: Kept | RagvizError = keep(folder(), case.trace, claim=st.session_state[words_key], verdict=st.session_state[verdict_key])
    except RagvizError as exc:
        result = exc
    st.session_state[_KEPT] = {case.trace.id: result}


def prefilled(case: JudgedTrace, grounded: Mapping[str, ClaimGrounding], claim: str | None) -> tuple[str, str]:
    """
    Words that a good answer's claim holds, as far as this trace tells them, and what to write where it does not.

    A claim that is right: its text. One that a passage denies with another value: that value, as the passage has it. Of any other claim that fails nothing is
    known of a good answer: a rule asks for a claim that must be there, and no good answer has this one.
    """
    found = grounded.get(claim or "")
    text = next((c.text for c in case.claims if c.id == claim), "")
    if found is None or found.grounding.is_supported or found.grounding is Grounding.UNJUDGED:
        return text, ""
    rows, _ = clash_rows(case, 0, next(c for c in case.claims if c.id == claim), found)
    values = [row.found for row in rows if row.found and row.kind not in WORDED]
    if len(set(values)) == 1:
        return values[0], f"{GROUNDING_LABEL[found.grounding].capitalize()} is what this answer says; the field holds what the passage says."
    return "", f"{widgets.md(claim or '')} is {GROUNDING_LABEL[found.grounding]}: no good answer has it. Write a few words that a good answer has."


def _said(kept: Kept) -> None:
    what = "Kept as a test" if kept.new_rule else "This test was there already"
    cases = f"{kept.n_cases} case{'' if kept.n_cases == 1 else 's'}"
    rules = f"{kept.n_rules} rule{'' if kept.n_rules == 1 else 's'}"
    widgets.note(f"**{what}**: {cases} and {rules} in {widgets.md(str(kept.folder), limit=300)}. This checks a candidate's answers:", key="kept")
    st.code(kept.command, language="bash", wrap_lines=True)


def folder() -> Path:
    """Where tests are kept: beside the store's file, else in the user's data folder."""
    address = resources.store().address
    if "://" in address or address == ":memory:":
        address = default_store_path({name: value for name, value in os.environ.items() if name != "RAGVIZ_STORE"})
    return Path(address).resolve().parent / FOLDER
