"""A comparison of two runs in words and tables, for the terminal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from ragviz.cli.printing import measure, number, plain, table
from ragviz.compare.columns import MOST_SLICES
from ragviz.compare.families import headline_place, is_cost, is_judging, judging_cost, word_of
from ragviz.compare.flips import AnswerChange, ClaimFlip
from ragviz.compare.noise import JudgeNoise
from ragviz.compare.paired import MetricDifference
from ragviz.compare.report import NO_PAIR, Comparison
from ragviz.figures.plot_text import counted
from ragviz.text.sums import decimals
from ragviz.text.unmarked import unmarked

SHOWN = 20
SLICES_SHOWN = 12
SURE = 0.05


def words(found: Comparison, *, base: str, candidate: str, noise: JudgeNoise | None = None) -> str:
    """Pairs and what is unfair; answers that changed, with their reasons; differences; the judge's noise; slices; traces and claims that changed."""
    if not found.pairing.pairs:
        return f"{_head(found, base, candidate)}\n\n{NO_PAIR}\n"
    parts = [
        _head(found, base, candidate), _answers(found), _declined(found), _metrics(found, noise), judging_cost(found.metrics), said_of_noise(found, noise), _slices(found),
        _traces(found), _claims(found),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def standing(m: MetricDifference, noise: JudgeNoise | None) -> str:
    """``better`` or ``worse`` (time and money: ``more`` or ``less``) beyond chance after correction and beyond the judge's noise; else what explains the difference."""
    if m.difference == 0.0 and not (m.wins or m.losses):
        return "equal"
    if m.verdict == "too_few":
        return "too few"
    if m.verdict == "no_difference" or m.p_holm is None or m.p_holm >= SURE:
        return "within chance"
    if noise is not None and abs(m.difference or 0.0) <= noise.half_width(m.metric, m.n):
        return "within noise"
    return word_of(m)


def said_of_noise(found: Comparison, noise: JudgeNoise | None) -> str:
    """How often the judge changes its mind on identical inputs, what that alone would flip here, and how many did."""
    check = found.noise
    here = f"{check.observed:,} of the {counted(check.n, 'claim')} on identical inputs changed verdict" if check.n else "No claim has identical inputs in both runs"
    if noise is None:
        return f"Judge noise: not measured. {here}."
    if not noise.floor.n:
        hint = "; --noise 20 asks it about 20 traces" if noise.floor.rate is None and noise.source.startswith("not measured") else ""
        return f"Judge noise {plain(noise.source)}{hint}. {here}."
    floor = noise.floor
    assert floor.rate is not None
    assert floor.ci95 is not None
    rate = f"{floor.rate:.1%} ({floor.ci95.lo:.1%} to {floor.ci95.hi:.1%})"
    within = "within noise" if check.within else "beyond noise"
    return (f"Judge noise: {floor.flips:,} of {counted(floor.n, 'claim')} got another verdict, {rate}; {plain(noise.source)}.\n"
            f"By that alone about {check.expected:.0f}, up to {check.up_to:,}, would flip here: {here}, {within}.")


def _head(found: Comparison, base: str, candidate: str) -> str:
    pairing = found.pairing
    lines = [f"{plain(base)} → {plain(candidate)}: {counted(len(pairing.pairs), 'pair')}, {len(pairing.only_base):,} only in the first, {len(pairing.only_candidate):,} only in the second"]
    lines += [f"  ambiguous: {plain(a)}" for a in pairing.ambiguous[:10]]
    lines += [f"  and {counted(len(pairing.ambiguous) - 10, 'more ambiguous question')}; --json lists all"] if len(pairing.ambiguous) > 10 else []
    return "\n".join([*lines, *(f"  not a fair comparison: {plain(u.told, 400)}" for u in found.unfair)])


def _metrics(found: Comparison, noise: JudgeNoise | None) -> str:
    shown = sorted((m for m in found.metrics if m.n), key=lambda m: place if (place := headline_place(m.metric)) is not None else 100)
    rows = [["* " + m.metric if headline_place(m.metric) is not None else "  " + m.metric, *_figures(m), standing(m, noise)] for m in shown if not is_cost(m.metric)]
    heading = ["  metric", "before", "after", "difference", "95 % interval", "p (Holm)", "better/worse/same", "n", ""]
    note = "* headline metrics, corrected among themselves; the others are corrected for all metrics."
    return table(rows, heading=heading, right=range(1, 8)) + "\n" + note + _costs([m for m in shown if is_cost(m.metric) and not is_judging(m.metric)], noise)


def _costs(shown: Sequence[MetricDifference], noise: JudgeNoise | None) -> str:
    """Time and money, apart from what is good or bad."""
    if not shown:
        return ""
    heading = ["  time and money", "before", "after", "difference", "95 % interval", "p (Holm)", "less/more/same", "n", ""]
    return "\n\n" + table([["  " + m.metric, *_figures(m), standing(m, noise)] for m in shown], heading=heading, right=range(1, 8))


def _figures(m: MetricDifference) -> list[str]:
    interval = f"{_signed(m.metric, m.ci95.lo)} to {_signed(m.metric, m.ci95.hi)}" if m.ci95 else "too few" if m.n else "–"
    return [measure(m.metric, m.base), measure(m.metric, m.candidate), _signed(m.metric, m.difference), interval, number(m.p_holm), f"{m.wins}/{m.losses}/{m.ties}", str(m.n)]


def _slices(found: Comparison) -> str:
    if not found.slices:
        return ""
    rows = [[plain(f"{s.name.removeprefix('tag: ')}: {s.value}", 40), *_figures(s.difference)] for s in found.slices[:SLICES_SHOWN]]
    n, sure = len(found.slices), sum((s.difference.p_holm or 1.0) < SURE for s in found.slices)
    head = f"{found.slices[0].difference.metric} by slice, largest loss first; p corrected for {'the largest ' if n == MOST_SLICES else ''}{counted(n, 'slice')}, {sure} beyond chance:"
    more = f"\nand {counted(n - SLICES_SHOWN, 'more slice')}; --json lists all" if n > SLICES_SHOWN else ""
    return head + "\n" + table(rows, heading=["slice of the baseline", "before", "after", "difference", "95 % interval", "p (Holm)", "better/worse/same", "n"], right=range(1, 8)) + more


def _answers(found: Comparison) -> str:
    if found.answers_unknown:
        return f"Answers that became incorrect or correct: – ({found.answers_unknown})"
    worse, better = [a for a in found.answers if a.worse], [a for a in found.answers if not a.worse]
    lines = [f"{counted(len(worse), 'answer')} became incorrect, {len(better):,} became correct"]
    for name, group in (("became incorrect", worse), ("became correct", better)):
        for a in group[:SHOWN]:
            lines += [f"  {plain(a.candidate_trace_id, 30)} {name}: {_answer(a)}", *(f"      {plain(words, 300)}" for words in (a.question, a.because) if words)]
        lines += [f"  and {len(group) - SHOWN:,} more that {name}; --json lists all"] if len(group) > SHOWN else []
    return "\n".join(lines)


def _declined(found: Comparison) -> str:
    rows = found.declined
    if not rows:
        return ""
    lines = [f"{counted(len(rows), 'answer')} {'is' if len(rows) == 1 else 'are'} declined that the baseline gave"]
    lines += [f"  {plain(f.candidate_trace_id, 30)} (was {f.before.replace('_', ' ')}){': ' if f.question else ''}{plain(f.question, 200)}" for f in rows[:SHOWN]]
    return "\n".join(lines + ([f"  and {len(rows) - SHOWN:,} more; --json lists all"] if len(rows) > SHOWN else []))


def _answer(change: AnswerChange) -> str:
    return f"{change.before:.2f} → {change.after:.2f} ({change.reason.value.replace('_', ' ')}: {plain(change.detail, 80)})"


def _traces(found: Comparison) -> str:
    flips = found.trace_flips
    looked = "" if found.n_looked_into is None else f" (the first {found.n_looked_into:,} that changed quadrant were looked into)"
    lines = [f"{counted(len(flips), 'trace')} changed quadrant{looked}"]
    lines += [f"  {plain(f.candidate_trace_id, 30)}: {f.before.replace('_', ' ')} → {f.after.replace('_', ' ')} ({f.reason.value.replace('_', ' ')})" for f in flips[:SHOWN]]
    return "\n".join(lines + ([f"  and {len(flips) - SHOWN:,} more; --json lists all"] if len(flips) > SHOWN else []))


def _claims(found: Comparison) -> str:
    flips = found.claim_flips
    reasons = ", ".join(f"{n:,} {reason.value.replace('_', ' ')}" for reason, n in Counter(f.reason for f in flips).most_common())
    worse = [f for f in flips if f.worse]
    lines = [f"{counted(len(flips), 'claim')} changed verdict, appeared or went" + (f": {reasons}; {len(worse):,} for the worse" if flips else "")]
    lines += [f"  {plain(f.candidate_trace_id, 30)}: {_claim(f)}" for f in worse[:SHOWN]]
    return "\n".join(lines + ([f"  and {len(worse) - SHOWN:,} more for the worse; --json lists all"] if len(worse) > SHOWN else []))


def _claim(flip: ClaimFlip) -> str:
    claim = flip.candidate_claim or flip.base_claim
    before, after = ("–" if g is None else g.value.replace("_", " ") for g in (flip.before, flip.after))
    return f"{before} → {after} \"{plain(unmarked(claim.text) if claim else '', 70)}\" ({flip.reason.value.replace('_', ' ')}: {plain(flip.detail, 60)})"


def _signed(metric: str, value: float | None) -> str:
    return "–" if value is None else f"{value:+.{decimals(metric, value)}f}".replace("-", "−")
