"""The retrieval gate over the whole run: coverage against faithfulness at every threshold, without asking a model."""

from __future__ import annotations

from typing import Any, NamedTuple

import streamlit as st

from ragviz.backends.embedder import Embedder
from ragviz.contracts import View
from ragviz.figures.coverage import CoveragePoint, coverage_curve
from ragviz.figures.plot_text import count, counted, interval, number, percent, share
from ragviz.pipeline.gate_rows import gate_rows, with_scores
from ragviz.records import RunManifest, ScoreKind
from ragviz.remedies.gate import GateCurve, GatePoint, GateRow, gate_curve
from ragviz.remedies.passage_scores import LABELS, falls_with_rank
from ragviz.ui import address, resources, selection, widgets
from ragviz.ui.views import lab_settings
from ragviz.ui.widgets import StripPart

MOST_TRACES = 20_000
PLOT = "gate-curve"
SCORES = {"retriever": "retriever's score", "lexical": "lexical overlap", "embedding": "embedding similarity"}


class Gate(NamedTuple):
    """What is chosen."""

    scores: ScoreKind
    higher: bool
    threshold: float | None


NOTHING = Gate(ScoreKind.RETRIEVER, True, None)


@st.cache_resource(show_spinner=False)
def _embedder() -> Embedder:
    return Embedder()


def draw(view: View, run: RunManifest) -> Gate:
    """The box with the curve; gives the chosen threshold."""
    kind = ScoreKind(selection.choice(st.query_params, "scores", list(SCORES)) or "retriever")
    with widgets.box("gate", "Every threshold, over the whole run", "counted from stored verdicts; no model is asked"):
        if run.n_traces > MOST_TRACES:
            st.caption(
                f"The curve reads every passage of every trace, for runs of up to {count(MOST_TRACES)} traces. `ragviz remedy --remedy gate "
                f"--threshold X` works on any."
            )
            return Gate(kind, True, lab_settings.number_of("t"))
        controls = st.columns([0.42, 0.22, 0.36], gap="small", vertical_alignment="bottom")
        with controls[0]:
            address.segments("Score", "scores", list(SCORES), labels=SCORES, default="retriever", keep_page=True)
        state = _embedder().available()
        if kind is ScoreKind.EMBEDDING and not state.ok:
            widgets.note(
                f"**No embedding similarity here:** {widgets.md(state.reason)}. {widgets.md(state.fix)}; or choose lexical overlap.", key="no-embeddings"
            )
            return Gate(kind, True, None)
        with st.spinner("Reading the scores", show_time=True):
            rows = resources.shared(lambda: gate_rows(resources.store(), view, kind, embedder=_embedder()), "gate_rows", view, kind)
        if not with_scores(rows):
            _no_scores(rows, kind)
            return Gate(kind, True, None)
        higher = kind is not ScoreKind.RETRIEVER or resources.shared(lambda: falls_with_rank([r.scores or () for r in rows]), "falls", view, kind)
        with controls[1]:
            address.whole_slider("Passages needed", "need", low=1, high=5, default=1)
        return _chosen(view, rows, kind, higher, controls[2])


def _no_scores(rows: list[GateRow], kind: ScoreKind) -> None:
    if not rows:
        widgets.note("**No answer of this run is judged yet.** Judge it on the Data page; the curve needs verdicts.", key="no-rows")
    else:
        widgets.note(
            f"**No passage of this run has {LABELS[kind]}.** The file does not bring one. Lexical overlap and embedding similarity can stand in, "
            f"under their own names: "
            "a threshold on them says nothing about your retriever's numbers.",
            key="no-scores",
        )


def _chosen(view: View, rows: list[GateRow], kind: ScoreKind, higher: bool, place: Any) -> Gate:
    need, asked = lab_settings.needed(), lab_settings.number_of("t")
    curve = resources.shared(lambda: gate_curve(rows, min_passages=need, higher_is_better=higher, at=asked), "gate_curve", view, kind, need, higher, asked)
    points = {key_of(p.threshold): p for p in curve.points}
    key = key_of(asked)
    key = key if key in points else ""
    with place:
        _slider(list(points), key, higher)
    drawn = [_point(k, p, higher) for k, p in points.items() if p.coverage is not None and p.faithfulness is not None]
    alt = "; ".join(
        f"{p.label}: coverage {percent(p.coverage, digits=0)}, faithfulness {number(p.faithfulness, digits=2)}" for p in drawn[:: max(1, len(drawn) // 8)]
    )
    st.plotly_chart(
        coverage_curve(drawn, chosen=key, colours=widgets.colours()),
        theme=None,
        key=PLOT,
        on_select=_clicked,
        selection_mode="points",
        config={"displayModeBar": False},
        alt=alt,
    )
    _numbers(points[key], points[""], curve, kind, higher)
    return Gate(kind, higher, points[key].threshold)


def key_of(threshold: float | None) -> str:
    """A threshold as it stands in the URL; "" for no gate."""
    return "" if threshold is None else repr(float(threshold))


def _label(key: str, higher: bool) -> str:
    return "no gate" if not key else f"{'≥' if higher else '≤'} {float(key):.4g}"


def _slider(keys: list[str], shown: str, higher: bool) -> None:
    """One step a threshold that makes a difference."""
    name = "url_t"
    if st.session_state.get(name) != shown:
        st.session_state[name] = shown
    st.select_slider("Threshold", keys, key=name, format_func=lambda k: _label(k, higher), on_change=_slid)


def _slid() -> None:
    address.put(t=st.session_state["url_t"] or None)


def _clicked() -> None:
    points = st.session_state[PLOT]["selection"]["points"]
    keys = [p.get("customdata") for p in points]
    word = keys[0][0] if keys and isinstance(keys[0], list) else keys[0] if keys else None
    if isinstance(word, str):
        address.put(t=word or None)


def _point(key: str, p: GatePoint, higher: bool) -> CoveragePoint:
    return CoveragePoint(
        key=key,
        label=_label(key, higher),
        coverage=p.coverage or 0.0,
        faithfulness=p.faithfulness or 0.0,
        lo=p.ci95.lo if p.ci95 else None,
        hi=p.ci95.hi if p.ci95 else None,
        n=p.n_faithful,
    )


def _numbers(p: GatePoint, none: GatePoint, curve: GateCurve, kind: ScoreKind, higher: bool) -> None:
    def mean(point: GatePoint) -> str:
        return number(point.faithfulness) + (f", {interval(point.ci95.lo, point.ci95.hi)}" if point.ci95 else "")

    without = f"; {counted(curve.n_without_scores, 'trace')} without a score left as they are" if curve.n_without_scores else ""
    widgets.number_strip(
        [
            StripPart(number=_label(key_of(p.threshold), higher), what="threshold", remark=f"on {LABELS[kind]}" + ("" if higher else "; lower is better")),
            StripPart(number=percent(p.coverage), what="still answered", remark=f"{count(p.answered)} of {count(p.n)}{without}"),
            StripPart(
                number=mean(p).partition(",")[0],
                what="faithfulness",
                remark=(mean(p).partition(", ")[2] or "no interval") + f", n {count(p.n_faithful)}; without a gate {mean(none)}",
            ),
            StripPart(number=count(p.stopped_bad), what="failing answers stopped", remark=f"of {count(p.stopped_bad + p.lost_good)} stopped"),
            StripPart(
                number=count(p.lost_good),
                what="good answers lost",
                remark=share(p.lost_good, p.stopped_bad + p.lost_good) + " of what is stopped" if p.stopped_bad + p.lost_good else "none",
            ),
        ],
        key="gate",
    )
    st.caption(
        "Good: as the quadrants say; where there is no reference, an answer without an unsupported claim. A threshold picked on this run should be "
        "checked on another."
    )
