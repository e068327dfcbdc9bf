"""A comparison of two runs as Markdown for a pull request."""

from __future__ import annotations

from collections.abc import Callable

from ragviz.compare.families import headline_place, is_cost, is_judging, judging_cost
from ragviz.compare.noise import JudgeNoise
from ragviz.compare.paired import MetricDifference
from ragviz.compare.report import NO_PAIR, Comparison
from ragviz.reports.markdown import text
from ragviz.text.counts import counted
from ragviz.text.sums import decimals

MAX_FLIPS = 30
MAX_SLICES = 12
HEAD = "| {} | before | after | difference | 95 % interval | p (Holm) | better/worse/same | n |\n|---|--:|--:|--:|---|--:|--:|--:|"


def comparison_markdown(found: Comparison, *, base: str, candidate: str, noise: JudgeNoise | None = None) -> str:
    """Differences with intervals, the judge's noise, slices, then what flipped and why. Trace text stays inert."""
    pairing = found.pairing
    parts = [f"## {text(base)} → {text(candidate)}",
             f"{counted(len(pairing.pairs), 'pair')} · {len(pairing.only_base):,} only before · {len(pairing.only_candidate):,} only after · {len(pairing.ambiguous):,} ambiguous"]
    parts += [f"**Not a fair comparison:** {text(u.told)}." for u in found.unfair]
    parts += ["\n".join(f"- ambiguous: {text(a, 200)}" for a in pairing.ambiguous[:10])] if pairing.ambiguous else []
    if not pairing.pairs:
        return "\n\n".join([*parts, NO_PAIR]) + "\n"
    shown = [m for m in sorted(found.metrics, key=lambda m: headline_place(m.metric) is None) if m.n]
    parts.append("\n".join([HEAD.format("metric"), *(_row(m.metric.replace("_", " "), m) for m in shown if not is_cost(m.metric))]))
    costs = [_row(m.metric.replace("_", " "), m) for m in shown if is_cost(m.metric) and not is_judging(m.metric)]
    parts += ["\n".join([HEAD.format("time and money").replace("better/worse/same", "less/more/same"), *costs])] if costs else []
    parts += [told] if (told := judging_cost(found.metrics)) else []
    parts.append(noise_words(found, noise))
    if found.slices:
        rows = [_row(text(f"{s.name.removeprefix('tag: ')}: {s.value}", 60), s.difference) for s in found.slices[:MAX_SLICES]]
        parts += [f"{found.slices[0].difference.metric} by slice of the baseline, largest loss first, p corrected for {len(found.slices)} slices:",
                  "\n".join([HEAD.format("slice"), *rows])]
    return "\n\n".join([*parts, *_answers(found), *_declined(found), *_traces(found)]) + "\n"


def _row(name: str, m: MetricDifference) -> str:
    interval = f"{_signed(m.ci95.lo, m.metric)} to {_signed(m.ci95.hi, m.metric)}" if m.ci95 else "too few" if m.n else "–"
    return f"| {name} | {_number(m.base, m.metric)} | {_number(m.candidate, m.metric)} | {_signed(m.difference, m.metric)} | {interval} | {_number(m.p_holm)} | {m.wins}/{m.losses}/{m.ties} | {m.n} |"


def noise_words(found: Comparison, noise: JudgeNoise | None, *, inert: Callable[[str], str] = text) -> str:
    """How often the judge changes its mind, and what that means here. ``inert``: makes foreign text harmless where this is shown."""
    here = f"{found.noise.observed:,} of {counted(found.noise.n, 'claim')} on identical inputs changed verdict" if found.noise.n else "No claim has identical inputs in both runs"
    if noise is None:
        return f"Judge noise: not measured. {here}."
    if not noise.floor.n:
        return f"Judge noise {inert(noise.source)}. {here}."
    return f"Judge noise: {noise.floor.flips:,} of {counted(noise.floor.n, 'claim')} got another verdict ({inert(noise.source)}). That alone would flip up to {found.noise.up_to:,} here; {here}."


def _answers(found: Comparison) -> list[str]:
    if found.answers_unknown:
        return [f"Answers that became incorrect or correct: – ({found.answers_unknown})."]
    if not found.answers:
        return []
    worse = sum(a.worse for a in found.answers)
    rows = [
        f"| {text(a.candidate_trace_id, 60)} | became {'incorrect' if a.worse else 'correct'} | {a.before:.2f} → {a.after:.2f} | {a.reason.value.replace('_', ' ')}: {text(a.detail, 120)}{f'. {text(a.question, 160)} {text(a.because, 300)}' if a.because else ''} |"
        for a in found.answers[:MAX_FLIPS]
    ]
    more = [f"{len(found.answers) - MAX_FLIPS} more are not shown."] if len(found.answers) > MAX_FLIPS else []
    head = f"{worse:,} {'answer' if worse == 1 else 'answers'} became incorrect, {len(found.answers) - worse:,} became correct:"
    return [head, "\n".join(["| trace | answer | correctness | why |", "|---|---|---|---|", *rows]), *more]


def _declined(found: Comparison) -> list[str]:
    rows = found.declined
    if not rows:
        return []
    named = "; ".join(f"{text(f.candidate_trace_id, 60)}{': ' if f.question else ''}{text(f.question, 160)}" for f in rows[:MAX_FLIPS])
    more = f"; and {len(rows) - MAX_FLIPS} more" if len(rows) > MAX_FLIPS else ""
    return [f"{counted(len(rows), 'answer')} {'is' if len(rows) == 1 else 'are'} declined that the baseline gave: {named}{more}."]


def _traces(found: Comparison) -> list[str]:
    if not found.trace_flips:
        return ["No trace changed its quadrant."]
    flips = [
        f"| {text(f.candidate_trace_id, 60)} | {f.before.replace('_', ' ')} | {f.after.replace('_', ' ')} | {f.reason.value.replace('_', ' ')} |"
        for f in found.trace_flips[:MAX_FLIPS]
    ]
    more = len(found.trace_flips) - MAX_FLIPS
    return ["\n".join(["| trace | before | after | why |", "|---|---|---|---|", *flips]), *([f"{more} more are not shown."] if more > 0 else [])]


def _number(value: float | None, metric: str = "") -> str:
    return "–" if value is None else f"{value:.{decimals(metric, value)}f}"


def _signed(value: float | None, metric: str) -> str:
    return "–" if value is None else f"{value:+.{decimals(metric, value)}f}".replace("-", "−")
