"""What is tried on which answers: read from the URL, drawn as controls that write it back."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from ragviz.backends.anthropic_client import CHEAP_MODEL, DEFAULT_MODEL, AnthropicClient
from ragviz.backends.budget import Budget
from ragviz.contracts import RemedyInfo, View
from ragviz.figures.plot_text import count, counted
from ragviz.pipeline.remedy_selection import FAILING
from ragviz.pipeline.remedy_settings import remedies_here, seen_judge
from ragviz.records import RemedyNote, RemedySettings, RunManifest, ScoreKind
from ragviz.store import TraceFilter
from ragviz.ui import address, resources, selection, slices, widgets

BUDGETS = ("", "0.1", "0.5", "1", "5", "20")
WHICH = {"failing": "unsupported claims", "one": "this one", "filter": "as filtered", "all": "all"}
OWN = ("remedy", "which", "t", "need", "scores", "lower", "act", "target", "rounds", "sure", "model", "usd", "result", "turn")
"""Query parameters of this page beside the filters."""
_MODEL = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:@/-]{2,80}")
_NUMBER = re.compile(r"-?[0-9]{1,12}(?:\.[0-9]{1,12})?(?:e-?[0-9]{1,2})?")


@dataclass(frozen=True)
class Chosen:
    """What would be tried."""

    info: RemedyInfo
    settings: RemedySettings
    which: str
    ids: tuple[str, ...]
    model: str
    max_usd: float | None
    judge: str
    """Who judges before and after."""
    judge_note: str
    """Set when that is not the judge of the sidebar."""

    def client(self) -> AnthropicClient | None:
        """Who would ask; None where nobody is asked."""
        if not self.info.hosted:
            return None
        return AnthropicClient(api_key=resources.api_key(), model=self.model, budget=Budget(max_usd=self.max_usd))


def remedy_bar() -> RemedyInfo:
    """The five remedies; one is chosen."""
    known = {info.name: info for info in remedies_here()}
    name = address.segments("Remedy", "remedy", list(known), labels={n: i.label for n, i in known.items()}, default="verify")
    return known[name]


def choose(info: RemedyInfo, view: View, run: RunManifest, trace_id: str | None, *, higher: bool, threshold: float | None, scores: ScoreKind) -> Chosen:
    """
    The controls of a remedy, and what they come to.

    Args:
        info: The remedy.
        view: The run through the sidebar's judge.
        run: The run.
        trace_id: The trace that is looked at.
        higher: Of the gate: whether higher scores are better.
        threshold: Of the gate.
        scores: Of the gate.
    """
    settings = RemedySettings(scores=scores, threshold=threshold, higher_is_better=higher, min_passages=needed(), k=view.k)
    which, ids = _which(info, view, trace_id)
    if info.name == "verify":
        act = address.segments(
            "What happens to them", "act", ["remove", "flag"], labels={"remove": "remove them", "flag": "mark them"}, default="remove", keep_page=True
        )
        settings = RemedySettings(flag=act == "flag", k=view.k)
    model, max_usd = DEFAULT_MODEL, None
    if info.hosted:
        settings = _hosted(info, view)
        model, max_usd = _spending()
    judge, note = judge_of(view)
    del run
    return Chosen(info, settings, which, ids, model, max_usd, judge, note)


def judge_of(view: View) -> tuple[str, str]:
    """Who judges old and new answers, and why it is not the sidebar's judge, where it is not."""
    mine = resources.query(lambda: seen_judge(view.judge, api_key=resources.api_key()), "seen_judge", view.judge, bool(resources.api_key()))
    if mine is not None:
        return mine, ""
    shown = view.judge.partition(":")[0]
    return "local", f"{shown} cannot read a new answer here, so local judges before and after."


def needed() -> int:
    """Of the gate: so many passages."""
    return selection.number(st.query_params, "need", low=1, high=20) or 1


def number_of(name: str) -> float | None:
    """A number out of the URL."""
    word = selection.text(st.query_params, name) or ""
    return float(word) if _NUMBER.fullmatch(word) else None


def _which(info: RemedyInfo, view: View, trace_id: str | None) -> tuple[str, tuple[str, ...]]:
    asked = slices.here(view.run_id)
    counts = {"failing": resources.count(view, FAILING), "one": int(trace_id is not None), "filter": resources.count(view, asked), "all": resources.count(view)}
    offered = [name for name in WHICH if name != "filter" or asked != TraceFilter()]
    default = "filter" if asked != TraceFilter() else "all" if info.name == "gate" else "failing"
    st.caption("On which answers")
    which = address.segments(
        "On which answers", "which", offered, labels={n: f"{WHICH[n]} {count(counts[n])}" for n in offered}, default=default, keep_page=True
    )
    if which == "one":
        return which, (trace_id,) if trace_id else ()
    where = {"failing": FAILING, "filter": asked, "all": TraceFilter()}[which]
    return which, tuple(resources.query(lambda: resources.store().passing(view, where), "passing", view, where, run_id=view.run_id))


def _hosted(info: RemedyInfo, view: View) -> RemedySettings:
    if info.name == "refine":
        target = address.share_slider("Target faithfulness", "target", default=0.95)
        rounds = address.whole_slider("Rounds at most", "rounds", low=1, high=6, default=3)
        return RemedySettings(target=target, max_rounds=rounds, k=view.k)
    if info.name == "structured":
        return RemedySettings(min_confidence=address.share_slider("Leave out claims below this confidence", "sure", default=0.0), k=view.k)
    return RemedySettings(k=view.k)


def _spending() -> tuple[str, float | None]:
    asked = selection.text(st.query_params, "model") or ""
    models = list(dict.fromkeys([DEFAULT_MODEL, CHEAP_MODEL, *([asked] if _MODEL.fullmatch(asked) else [])]))
    left, right = st.columns([0.6, 0.4], gap="small")
    with left:
        model = address.select_box("Model", "model", models, default=DEFAULT_MODEL)
    with right:
        limit = address.select_box("Spend at most", "usd", BUDGETS, labels={"": "no limit"} | {b: f"${b}" for b in BUDGETS if b})
    return model, float(limit) if limit else None


def again(note: RemedyNote, ids: Sequence[str], before: View) -> Chosen:
    """The remedy of a result once more, on the same answers, within the limit of the URL."""
    limit = selection.choice(st.query_params, "usd", BUDGETS)
    judge, said = judge_of(before)
    info = next(info for info in remedies_here() if info.name == note.remedy)
    return Chosen(info, note.settings, "result", tuple(ids), note.model or DEFAULT_MODEL, float(limit) if limit else None, judge, said)


def judge_line(chosen: Chosen) -> None:
    """Who judges."""
    note = f" {widgets.md(chosen.judge_note, limit=200)}" if chosen.judge_note else ""
    st.caption(f"{counted(len(chosen.ids), 'answer')}, judged before and after by {widgets.md(chosen.judge)}.{note}")
