"""A comparison of two runs as one HTML file: no script, no network, prints well."""

from __future__ import annotations

from ragviz.compare.families import is_cost, is_judging, judging_cost
from ragviz.compare.noise import JudgeNoise
from ragviz.compare.paired import SliceDifference
from ragviz.compare.report import Comparison
from ragviz.reports import plain_words as words
from ragviz.reports.briefing import PAPER, changes_html, costs_html, differences_html
from ragviz.reports.comparison import noise_words
from ragviz.reports.html import STYLE, shown
from ragviz.text.counts import counted
from ragviz.text.unmarked import unmarked

MAX_FLIPS = 60
MAX_SLICES = 20


def comparison_html(found: Comparison, *, base: str, candidate: str, noise: JudgeNoise | None = None) -> str:
    """Differences with intervals, the judge's noise, slices, then every claim and answer that changed, with its reason."""
    pairing = found.pairing
    counts = [
        counted(len(pairing.pairs), "pair"),
        f"{len(pairing.only_base):,} only before",
        f"{len(pairing.only_candidate):,} only after",
        f"{len(pairing.ambiguous):,} ambiguous",
    ]
    rest = [m for m in found.metrics if m.n and m not in words.headline_rows(found)]
    quality, costs = [m for m in rest if not is_cost(m.metric)], [m for m in rest if is_cost(m.metric) and not is_judging(m.metric)]
    others = f"<section><h2>All other metrics <small>p corrected for all</small></h2>{differences_html(quality)}</section>" if quality else ""
    others += f"<section><h2>Time and money <small>no quality; p corrected for all metrics</small></h2>{costs_html(costs)}</section>" if costs else ""
    others += f"<p class=cap>{shown(told)}</p>" if (told := judging_cost(found.metrics)) else ""
    return (
        "<!doctype html><html lang=en><meta charset=utf-8><meta name=viewport content='width=device-width'>"
        "<meta http-equiv=Content-Security-Policy content=\"default-src 'none'; style-src 'unsafe-inline'\">"
        f"<title>{shown(base)} → {shown(candidate)} · ragviz</title><style>{STYLE}{PAPER}</style>"
        f"<h1>{shown(base)} → {shown(candidate)}</h1><p class=cap>{' · '.join(counts)}</p>{changes_html(found, base)}<p "
        f"class=cap>{noise_words(found, noise, inert=shown)}</p>"
        f"{_slices(found.slices)}{_claims(found)}{_traces(found)}{others}</html>\n"
    )


def _slices(slices: tuple[SliceDifference, ...]) -> str:
    if not slices:
        return ""
    rows = "".join(
        f"<tr><td>{shown(s.name.removeprefix('tag: '))}: {shown(s.value)}<td class=n>{_number(s.difference.base)}<td class=n>{_number(s.difference.candidate)}"
        f"<td class=n>{_number(s.difference.p_holm)}<td>{words.standing(s.difference)}<td class=n>{s.difference.n:,}" for s in slices[:MAX_SLICES]
    )
    more = f"<p class=cap>{len(slices) - MAX_SLICES:,} more are not shown.</p>" if len(slices) > MAX_SLICES else ""
    return f"<section><h2>{slices[0].difference.metric.replace('_', ' ')} by slice of the baseline <small>largest loss first</small></h2><table><tr><th>slice<th class=n>before<th class=n>after<th class=n>p (Holm)<th>reading<th class=n>pairs{rows}</table>{more}</section>"


def _claims(found: Comparison) -> str:
    flips = sorted(found.claim_flips, key=lambda f: not f.worse)
    if not flips:
        return ""
    rows = "".join(
        f"<tr><td>{shown(f.candidate_trace_id)}<td>{shown(unmarked((f.candidate_claim or f.base_claim).text) if (f.candidate_claim or f.base_claim) else '')}"  # type: ignore[union-attr]
        f"<td>{_verdict(f.before)} → {_verdict(f.after)}<td>{f.reason.value.replace('_', ' ')}: {shown(f.detail[:200])}" for f in flips[:MAX_FLIPS]
    )
    more = f"<p class=cap>{len(flips) - MAX_FLIPS:,} more are not shown.</p>" if len(flips) > MAX_FLIPS else ""
    return f"<section><h2>Claims that changed verdict, came or went <small>{len(flips):,}, {sum(f.worse is True for f in flips):,} for the worse, these first</small></h2><table><tr><th>answer<th>claim<th>verdict<th>why{rows}</table>{more}</section>"


def _traces(found: Comparison) -> str:
    flips = found.trace_flips
    if not flips:
        return "<p class=cap>No answer changed its quadrant.</p>"
    rows = "".join(
        f"<tr><td>{shown(f.candidate_trace_id)}<td>{f.before.replace('_', ' ')}<td>{f.after.replace('_', ' ')}<td>{f.reason.value.replace('_', ' ')}"
        for f in flips[:MAX_FLIPS]
    )
    more = f"<p class=cap>{len(flips) - MAX_FLIPS:,} more are not shown.</p>" if len(flips) > MAX_FLIPS else ""
    return f"<section><h2>Answers that changed quadrant <small>{len(flips):,}</small></h2><table><tr><th>answer<th>before<th>after<th>why{rows}</table>{more}</section>"


def _verdict(grounding: object) -> str:
    return "–" if grounding is None else str(grounding).replace("_", " ")


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"
