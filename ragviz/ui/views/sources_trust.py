"""How far sources can be trusted: patterns a person sets, kept for all runs, and the answers that rest on a source which a better one denies."""

from __future__ import annotations

import glob
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase

import streamlit as st
from msgspec.structs import replace

from ragviz.contracts import View
from ragviz.diagnosis.authority import AuthorityRule, apply_rules
from ragviz.diagnosis.conflicts import better_sources, source_faults
from ragviz.diagnosis.corpus import Corpus
from ragviz.diagnosis.faults import SourceFault
from ragviz.diagnosis.showing import called
from ragviz.diagnosis.sources import SourceReport
from ragviz.figures.plot_text import count, counted
from ragviz.pipeline.corpora import authority_rules, corpus_of
from ragviz.records import JudgedTrace
from ragviz.records.ids import is_made_up
from ragviz.store import Store
from ragviz.text.unmarked import unmarked
from ragviz.ui import held_out, openers, resources, sampled, tables, troubles, widgets

WORDS = {"official": "official", "secondary": "secondary", "mirror": "mirror", "forum": "forum"}
FILE = ""
"""As the file says."""
WHY = {
    "outdated": "a newer source says otherwise", "less_authoritative": "a more authoritative source says otherwise",
    "superseded": "it is no longer in force, as it says itself", "older_revision": "a newer revision does not say it",
}
MOST_LOOKED_AT, SAMPLE = 3_000, 1_000
"""Traces up to which each supported claim is held against the whole corpus, and how many are drawn otherwise."""
ROWS = 100


@dataclass(frozen=True)
class Suspect:
    """A claim that rests on a source which a newer or more authoritative one denies."""

    trace_id: str
    claim: str
    used: str
    against: str
    why: str


def ruled(cases: Iterable[JudgedTrace], rules: Sequence[AuthorityRule]) -> Iterator[JudgedTrace]:
    """Traces with the authority of their passages as people set it."""
    return (replace(case, trace=apply_rules(case.trace, rules)) for case in cases)


def _suspects(store: Store, view: View, rules: Sequence[AuthorityRule], ids: Sequence[str] | None) -> list[Suspect]:
    """Of some traces or all, in file order."""
    corpus = corpus_of(store, view.run_id)
    return [found for case in ruled(store.judged(view, ids), rules) for found in suspects_of(case, corpus, source_faults(case, corpus=corpus))]


def suspects_of(case: JudgedTrace, corpus: Corpus, known: Sequence[SourceFault]) -> Iterator[Suspect]:
    """Wrong mirrors of one trace that need no reference to be seen; ``known``: its ``source_faults``."""
    claims = {claim.id: unmarked(claim.text) for claim in case.claims}
    faults = [*known, *better_sources(case, corpus)]
    seen: set[str] = set()
    for fault in faults:
        if fault.kind in WHY and fault.claim_id not in seen:
            seen.add(fault.claim_id)
            yield Suspect(case.trace.id, claims.get(fault.claim_id, ""), _docs(case, fault.used), _docs(case, fault.against), WHY[fault.kind])


def _docs(case: JudgedTrace, passage_ids: Iterable[str]) -> str:
    found = [passage.matching_id if (passage := case.trace.passage(i)) and not is_made_up(passage.matching_id) else called(case, i) for i in passage_ids]
    return ", ".join(dict.fromkeys(found))


def of_one(report: SourceReport) -> None:
    """The box that sets the authority of one document."""
    pattern = glob.escape(report.doc_id)
    known = resources.store().kept("authority", str)
    now = known.get(pattern, FILE)
    key = f"authority-{report.doc_id}-{now}"
    troubles.tell("trust-one")
    st.selectbox(
        "How far it can be trusted", [FILE, *WORDS], index=[FILE, *WORDS].index(now) if now in WORDS else 0, key=key,
        format_func=lambda w: WORDS.get(w, "as its file or a pattern says"), on_change=_set_one, args=(pattern, key),
    )


@troubles.kept("trust-one")
def _set_one(pattern: str, key: str) -> None:
    word = st.session_state[key]
    if word == FILE:
        resources.store().forget("authority", pattern)
    else:
        resources.store().keep("authority", pattern, word)


def rules_box(reports: Sequence[SourceReport]) -> None:
    """Patterns for groups of sources: what there is, and one more."""
    rules = authority_rules(resources.store())
    title = f"Trust by pattern · {counted(len(rules), 'rule')}, for all runs" if rules else "Trust by pattern: call a group of sources official, mirror or forum"
    with st.expander(title, key="trust"):
        troubles.tell("trust")
        st.caption("A shell pattern on document id, source or title, such as `*fan-site*`. The most exact pattern that fits wins. Causes are worked out anew after each change.")
        with st.form("trust-form", border=False, clear_on_submit=True):
            where, what, go = st.columns([0.56, 0.26, 0.18], vertical_alignment="bottom", gap="small")
            where.text_input("Pattern", key="trust-pattern", max_chars=200, placeholder="*mirror*")
            what.selectbox("Is", list(WORDS), key="trust-word")
            go.form_submit_button("Set", width="stretch", on_click=_set_rule)
        for rule in rules:
            left, right = st.columns([0.86, 0.14], vertical_alignment="center")
            left.text(f"{rule.pattern} is {rule.authority}; fits {counted(_fits(rule, reports), 'document')} here")
            right.button("Remove", key=f"trust-remove-{rule.pattern}", type="tertiary", on_click=_remove, args=(rule.pattern,))


@troubles.kept("trust")
def _remove(pattern: str) -> None:
    resources.store().forget("authority", pattern)


@troubles.kept("trust")
def _set_rule() -> None:
    pattern = st.session_state["trust-pattern"].strip()
    if pattern:
        resources.store().keep("authority", pattern, st.session_state["trust-word"])


def _fits(rule: AuthorityRule, reports: Sequence[SourceReport]) -> int:
    pattern = rule.pattern.casefold()
    return sum(any(fnmatchcase(name.casefold(), pattern) for name in (r.doc_id, r.source, r.title) if name) for r in reports)


def draw(view: View, rules: Sequence[AuthorityRule], known: Sequence[Suspect] | None, drawn: sampled.Sample | None) -> None:
    """
    The table of suspects, each with its way to the Inspector.

    Args:
        view: The run.
        rules: What people said of groups of sources.
        known: The suspects, where the traces were looked at already; None: in a sample of their own.
        drawn: The sample in which they were found; None = all.
    """
    widgets.heading("Answers on a source that a better one denies or replaces", "needs no reference: newer or more authoritative passages of the whole run are searched")
    found = known
    if found is None:
        drawn = sampled.sample(view, above=MOST_LOOKED_AT, size=SAMPLE)
        ids = None if drawn is None else drawn.ids
        with st.spinner("Searching for better sources", show_time=True):
            found = resources.shared(lambda: _suspects(resources.store(), view, rules, ids), "suspects", view, rules, run_id=view.run_id, heavy=True)
    corpus = corpus_of(resources.store(), view.run_id)
    searched = f"{counted(len(corpus.passages), 'different passage')} searched" + (f": {corpus.part}" if corpus.part else "")
    said = f"{drawn.words.capitalize()}; {searched}" if drawn is not None else f"{searched[:1].upper()}{searched[1:]}"
    if not found:
        st.caption(f"{said}; none was found. Sources without a date and without a known authority cannot be told apart; set patterns above.")
        return
    ids = tuple(dict.fromkeys(s.trace_id for s in found))
    questions = held_out.questions(view.run_id, ids[:ROWS])
    closed = held_out.closed_ids(view.run_id)
    shown = [s for s in found if s.trace_id in questions]
    st.caption(f"{said}; {counted(len(found), 'claim')} in {counted(len(ids), 'trace')}" + (f", the first {count(ROWS)} traces are shown" if len(ids) > ROWS else "") + ".")
    key = f"suspects-{view.run_id}-{len(shown)}"
    tables.show(
        tables.of_columns({
            "open": ["Open ›"] * len(shown), "question": [questions[s.trace_id] for s in shown], "claim": [held_out.CLOSED if s.trace_id in closed else s.claim for s in shown], "rests on": [s.used for s in shown],
            "denied by": [s.against or None for s in shown], "why": [s.why for s in shown],
        }),
        row_height=28, key=key, placeholder="–", alt="Claims that rest on a source which a newer or more authoritative one denies",
        column_config={
            "open": openers.opening(f"{key}-open", "inspector", [{"trace": s.trace_id} for s in shown]), "question": st.column_config.TextColumn(width=220),
            "claim": st.column_config.TextColumn(width=300), "rests on": st.column_config.TextColumn(width=150), "denied by": st.column_config.TextColumn(width=150),
        },
    )
