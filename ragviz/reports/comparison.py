"""A comparison of two runs as Markdown for a pull request."""

from __future__ import annotations

from ragviz.compare.report import Comparison
from ragviz.reports.markdown import text

MAX_FLIPS = 30


def comparison_markdown(found: Comparison, *, base: str, candidate: str) -> str:
    """Differences with intervals, then what flipped and why. Trace text stays inert."""
    pairing = found.pairing
    parts = [f"## {text(base)} → {text(candidate)}",
             f"{len(pairing.pairs):,} pairs · {len(pairing.only_base):,} only before · {len(pairing.only_candidate):,} only after · {len(pairing.ambiguous):,} ambiguous"]
    parts += [f"**Not a fair comparison:** {text(u.message)}." for u in found.unfair]
    rows = [
        f"| {m.metric.replace('_', ' ')} | {_number(m.base)} | {_number(m.candidate)} | {_signed(m.difference)} | "
        f"{f'{_signed(m.ci95.lo)} to {_signed(m.ci95.hi)}' if m.ci95 else '–'} | {_number(m.p_holm)} | {m.wins}/{m.losses}/{m.ties} | {m.n} |"
        for m in found.metrics if m.n
    ]
    parts.append("\n".join(["| metric | before | after | difference | 95 % interval | p (Holm) | better/worse/same | n |", "|---|--:|--:|--:|---|--:|--:|--:|", *rows]))
    if found.trace_flips:
        flips = [f"| {text(f.candidate_trace_id, 60)} | {f.before.replace('_', ' ')} | {f.after.replace('_', ' ')} | {f.reason.value.replace('_', ' ')} |" for f in found.trace_flips[:MAX_FLIPS]]
        parts.append("\n".join(["| trace | before | after | why |", "|---|---|---|---|", *flips]))
        more = len(found.trace_flips) - MAX_FLIPS
        if more > 0:
            parts.append(f"{more} more are not shown.")
    else:
        parts.append("No trace changed its quadrant.")
    return "\n\n".join(parts) + "\n"


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"


def _signed(value: float | None) -> str:
    return "–" if value is None else f"{value:+.3f}".replace("-", "−")
