"""An evaluation as Markdown for a pull request or a wiki. Trace text stays text: every character that Markdown or HTML would act on is escaped."""

from __future__ import annotations

import re
import unicodedata

from ragviz.diagnosis.standings import WITHOUT_REFERENCE, in_words
from ragviz.pipeline import Evaluation
from ragviz.pipeline.evaluating import stands_without_reference
from ragviz.stats.bootstrap import why_none
from ragviz.text.counts import counted
from ragviz.text.sums import decimals
from ragviz.text.unmarked import unmarked

HEADLINES = ("faithfulness", "hallucination", "contradicted_rate", "not_supported_rate", "correctness", "relevance", "context_recall")
MARKS = {"supported": "✓", "not_supported": "?", "contradicted": "✕", "conflicted": "⇄", "unjudged": "○"}
MAX_CLAIMS = 50

_ACTIVE = re.compile(r"([\\`*_{}\[\]()#+\-.!|<>&$~^:@/=\"'])")


def evaluation_markdown(found: Evaluation) -> str:
    """Means, quadrants and the claims to look at, with their certificates."""
    judge = found.judge
    head = (
        f"{counted(len(found.traces), 'trace')} · judge {text(judge.judge)} {text(judge.judge_version)}"
        + (f" ({text(judge.model)})" if judge.model else "")
        + f" · policy {found.policy}"
    )
    parts = [
        f"## {text(found.run)}",
        head + (f" · first {counted(found.k, 'passage')}" if found.k else ""),
        _means(found),
        _imported(found),
        _quadrants(found),
        _claims(found),
        _issues(found),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def text(raw: str, width: int = 160) -> str:
    """
    Trace text as one line of inert Markdown.

    Backslashes before every active character, entities for < > &, direction and control characters as U+FFFD; no link, image, mention,
    formula or tag survives.
    """
    line = " ".join(
        "".join(" " if unicodedata.category(c) in ("Cc", "Zl", "Zp") else "\ufffd" if unicodedata.category(c) in ("Cf", "Cs") else c for c in raw).split()
    )
    line = line if len(line) <= width else line[: width - 1] + "…"
    entities = {"<": "&lt;", ">": "&gt;", "&": "&amp;", "@": "&#64;"}
    return _ACTIVE.sub(lambda m: entities.get(m.group(1), "\\" + m.group(1)), line)


def _means(found: Evaluation) -> str:
    names = [n for n in HEADLINES if n in found.summary] + [n for n in found.summary if "_at_" in n]
    rows = []
    for name in names:
        line = found.summary[name]
        interval = f"{_number(line.ci95[0], name)} to {_number(line.ci95[1], name)}" if line.ci95 else why_none(line.n) or "–"
        rows.append(
            f"| {name.replace('_', ' ')} | {_number(line.macro, name)} | {_number(line.micro, name)} | {interval} | {line.n} | {line.undefined} | "
            f"{_number(line.coverage)} |"
        )
    return "\n".join(["| metric | macro | micro | 95 % interval | n | undefined | coverage |", "|---|--:|--:|---|--:|--:|--:|", *rows]) if rows else ""


def _imported(found: Evaluation) -> str:
    if not found.imported_scores:
        return ""
    rows = [f"| {text(name, 60)} | {_number(s.mean)} | {s.n} | {s.missing} |" for name, s in found.imported_scores.items()]
    return "\n".join(
        ["Scores of other tools that came with the traces (theirs, not recomputed):\n", "| imported score | mean | n | no number |", "|---|--:|--:|--:|", *rows]
    )


def _quadrants(found: Evaluation) -> str:
    if stand := stands_without_reference(found):
        return f"Where the answers stand ({WITHOUT_REFERENCE}): {in_words(stand).lower()}."
    counts: dict[str, int] = {}
    for trace in found.traces:
        counts[trace.quadrant] = counts.get(trace.quadrant, 0) + 1
    return "Quadrants: " + ", ".join(f"{name.replace('_', ' ')} {n}" for name, n in sorted(counts.items(), key=lambda x: -x[1])) + "." if counts else ""


def _claims(found: Evaluation) -> str:
    wrong = [(t, c) for t in found.traces for c in t.claims if c.verdict in ("contradicted", "conflicted", "not_supported", "unjudged")]
    if not wrong:
        return "Every claim is supported." if any(t.claims for t in found.traces) else ""
    rows = ["| | trace | claim | evidence |", "|---|---|---|---|"]
    for trace, claim in wrong[:MAX_CLAIMS]:
        evidence = "<br>".join(f"{text(e.name, 40)} \\[{e.start}:{e.end}\\] “{text(e.quote, 120)}”" for e in claim.evidence[:3]) or "–"
        rows.append(f"| {MARKS[claim.verdict]} {claim.verdict.replace('_', ' ')} | {text(trace.id, 40)} | {text(unmarked(claim.text))} | {evidence} |")
    more = len(wrong) - MAX_CLAIMS
    return "\n".join(rows) + (f"\n\n{counted(more, 'more claim')} not shown." if more > 0 else "")


def _issues(found: Evaluation) -> str:
    if not found.issues:
        return ""
    shown = "\n".join(f"- {text(i.where, 80)}: {text(i.message)}" for i in found.issues[:20])
    return f"Rows with issues ({len(found.issues)}):\n\n{shown}"


def _number(value: float | None, metric: str = "") -> str:
    return "–" if value is None else f"{value:.{decimals(metric, value)}f}"
