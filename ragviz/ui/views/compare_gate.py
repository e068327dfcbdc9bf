"""Would the candidate pass the gate? The rules of ``ragviz gate`` on the run as it is judged here, with the reason for every line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import pyarrow as pa
import streamlit as st

from ragviz.compare.columns import PairedScores
from ragviz.compare.moods import moods_of
from ragviz.compare.noise import JudgeNoise
from ragviz.compare.parts import Parts
from ragviz.compare.report import Comparison
from ragviz.contracts import View
from ragviz.errors import InputError
from ragviz.figures.plot_text import count, counted, number
from ragviz.gate.baseline import against_baseline
from ragviz.gate.cases import GateCase, case_of, rest_on_facets
from ragviz.gate.check import GateLine, GateReport, check
from ragviz.gate.grouping import blamed
from ragviz.gate.rules import Rules, default_rules, read_rules, unlabelled
from ragviz.metrics.aggregate import summarise_all
from ragviz.metrics.retrieval import NO_LABELS
from ragviz.metrics.scoring import NO_REFERENCE
from ragviz.records import RunManifest
from ragviz.store import Store, TraceFilter
from ragviz.ui import address, openers, resources, tables, widgets

MOST_BYTES = 1_000_000
SHOWN = 200


def draw(view: View, found: Comparison, run: RunManifest, base: RunManifest, *, parts: Parts, noise: JudgeNoise | None) -> None:
    """The expander; worked out only when it is open."""
    box = st.expander("Gate: would this candidate pass?", key="gate", on_change="rerun")
    if not box.open:
        return
    with box:
        if not isinstance(parts, PairedScores):
            st.caption("The rules are asked of every trace and its claims, which takes this page too long for runs of this size. `ragviz gate` does it.")
            return
        with st.container(key="cap-rules"):
            path = address.search_box("Rules file on this machine, as for ragviz gate", "rules", placeholder="gate.toml; empty: the default rules")
        try:
            rules = _rules(path)
            with st.spinner("Checking the rules", show_time=True):
                cases = resources.shared(lambda: cases_of(resources.store(), view), "gate_cases", view)
                ungated = {} if rules else _ungated(cases, view.retrieval_k, base)
                facets = rest_on_facets(case.scores for case in cases)
                rules = rules or default_rules(view.retrieval_k, without=ungated, facets=facets)
                report = checked(cases, rules, found, parts, noise, runs=(base.run_id, run.run_id), facets=facets)
        except InputError as exc:
            widgets.problem(exc.message, exc.fix, key="gate")
            return
        _summary(report, rules, run, base, ungated)
        _failing(view, [line for line in report.lines if not line.passed])


def _ungated(cases: Sequence[GateCase], k: int, base: RunManifest) -> dict[str, str]:
    """What the default rules cannot ask of these runs, and why: neither has the labels for it."""
    before = resources.query(lambda: resources.store().traits(base.run_id), "traits", base.run_id, run_id=base.run_id)
    correct, found = ([case.scores[name] for case in cases if name in case.scores] for name in ("correctness", f"recall_at_{k}"))
    return unlabelled(
        k,
        references=before.with_reference > 0 or any(s.reason != NO_REFERENCE for s in correct),
        relevance=before.with_relevance > 0 or any(s.reason != NO_LABELS for s in found),
    )


def _rules(path: str) -> Rules | None:
    """
    The rules of a file; None without one, where the default ones depend on what the runs hold.

    Raises:
        InputError: No such file, too large for rules, not text, or no good rules.
    """
    if not path:
        return None
    file = Path(path).expanduser()
    try:
        if file.stat().st_size > MOST_BYTES:
            raise InputError(f"{path} is too large for a file of rules", fix="give the path of a TOML file, as for ragviz gate --rules")
        return read_rules(file.read_text(encoding="utf-8"), filename=path)
    except (OSError, UnicodeDecodeError) as exc:
        raise InputError(f"{path} cannot be read as text", fix="give the path of a TOML file, as for ragviz gate --rules") from exc


def cases_of(store: Store, view: View) -> list[GateCase]:
    """Every scored trace of the run with its claims and how they came out."""
    results = {result.trace_id: result for result in store.results(view)}
    return [case_of(case, results[case.trace.id]) for case in store.judged(view) if case.trace.id in results]


def checked(
    cases: Sequence[GateCase], rules: Rules, found: Comparison, scores: PairedScores, noise: JudgeNoise | None, *, runs: tuple[str, str], facets: bool,
) -> GateReport:
    """All rules, those about the baseline among them. Cases in quarantine are in no mean. ``runs``: ids of the baseline and of the candidate."""
    steady = [case for case in cases if case.id not in rules.quarantine]
    slices = {(s.tag, s.value): summarise_all([c.scores for c in steady if c.tags.get(s.tag) == s.value]) for s in rules.slices}
    summary = summarise_all([c.scores for c in steady]) if rules.mean else {}
    outside = [at for at, (_, c) in enumerate(found.pairing.pairs) if c not in rules.quarantine]
    moods = moods_of(noise, *runs, [found.pairing.pairs[at] for at in outside])
    return check(cases, summary, rules, slices=slices, extra=against_baseline(rules, found.unfair, scores.part(outside), noise, moods=moods, facets=facets))


def _summary(report: GateReport, rules: Rules, run: RunManifest, base: RunManifest, ungated: Mapping[str, str]) -> None:
    failing = [line for line in report.lines if not line.passed]
    quarantined = len(failing) - len(report.failures)
    head = "**Passes.**" if report.passed else f"**Does not pass:** {counted(len(report.failures), 'line')} of {count(len(report.lines))}."
    words = f"{head} {counted(report.n_cases, 'case')}" + (f", {count(quarantined)} failing in quarantine" if quarantined else "")
    words += "" if rules.about_baseline else "; no rule is about the baseline"
    left_out = [f"{name.replace('_', ' ')} ({why})" for name, why in ungated.items()]
    words += f"  \nNot gated: {'; '.join(left_out)}." if left_out else ""
    differ = _truths_that_differ(run, base)
    if differ:
        words += f"  \nIn {counted(differ, 'trace')} the candidate's file has another reference than the baseline's: `ragviz gate` takes it from the known cases only."
    widgets.note(words, key="gate")


def _failing(view: View, failing: Sequence[GateLine]) -> None:
    """The lines that fail, each case with its way to the Inspector."""
    if not failing:
        return
    shown = failing[:SHOWN]
    key = f"gate-{view.run_id}-{len(failing)}"
    known = {row.id for row in resources.page(view, TraceFilter(ids=tuple(sorted({line.scope for line in shown}))), limit=SHOWN)}
    tables.show(
        table(shown, known),
        row_height=28,
        key=key,
        alt="Rules that fail",
        placeholder="–",
        column_config={
            "open": openers.opening(f"{key}-open", "inspector", [_place(line) if line.scope in known else None for line in shown]),
            "case": st.column_config.TextColumn(width=150),
            "reason": st.column_config.TextColumn(width=250),
            "claims": st.column_config.TextColumn(width=360),
            "value": st.column_config.TextColumn(width=64, alignment="right"),
        },
    )
    if len(failing) > SHOWN:
        st.caption(f"The first {SHOWN} of {count(len(failing))}.")


def _place(line: GateLine) -> dict[str, str | None]:
    return {"trace": line.scope, "claim": line.claim_ids[0] if line.claim_ids else None}


def _truths_that_differ(run: RunManifest, base: RunManifest) -> int:
    """Traces of equal id whose reference is not the same."""
    def compare() -> int:
        store = resources.store()
        known = {trace.id: trace.reference for trace in store.traces(base.run_id)}
        return sum(trace.id in known and known[trace.id] != trace.reference for trace in store.traces(run.run_id))

    return resources.query(compare, "truths", run.run_id, base.run_id)


def table(lines: Sequence[GateLine], known: set[str]) -> pa.Table:
    """One row a line."""
    return tables.of_rows(
        [
            {
                "open": "Open ›" if line.scope in known else "",
                "case": line.scope,
                "rule": f"{line.metric} {line.limit}",
                "value": number(line.value) if line.value is not None else None,
                "reason": line.reason,
                "claims": "; ".join(blamed(line)),
                "": "in quarantine" if line.quarantined else "fails",
            }
            for line in lines
        ]
    )
