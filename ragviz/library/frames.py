"""
An evaluation as pandas data frames: a row a claim, a trace or a metric.

What is missing is missing in pandas' own way in every column, also in one that is empty throughout: figures are float64 (NaN), places Int64 and texts
string (both NA). ``reason`` says why.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from ragviz.library.arguments import evaluation_of
from ragviz.pipeline import Evaluation
from ragviz.pipeline.exporting import more_evidence

if TYPE_CHECKING:
    import pandas as pd

HEADLINES = ("faithfulness", "correctness", "relevance")
MEANS = ("macro", "micro", "n", "undefined", "coverage", "lo", "hi")


def claims_frame(found: Evaluation) -> pd.DataFrame:
    """
    One row per claim: trace, question, text, verdict, confidence, its first certificate (passage, start, end, quote), the judge's reason, and
    further certificates as JSON.
    """
    rows = []
    for trace in evaluation_of(found).traces:
        for claim in trace.claims:
            shown = claim.evidence[0] if claim.evidence else None
            rows.append({
                "trace": trace.id, "question": trace.question, "claim": claim.id, "text": claim.text, "verdict": claim.verdict, "confidence": claim.confidence,
                "hallucination_type": claim.hallucination_type, "passage": shown.name if shown else None, "start": shown.start if shown else None,
                "end": shown.end if shown else None, "quote": shown.quote if shown else None, "reason": claim.reason or None,
                "more_evidence": more_evidence((e.name, e.start, e.end, e.quote, e.tier) for e in claim.evidence[1:]) or None,
            })
    names = ["trace", "question", "claim", "text", "verdict", "confidence", "hallucination_type", "passage", "start", "end", "quote", "reason", "more_evidence"]
    return _frame(rows, names, whole=("start", "end"), figures=("confidence",))


def traces_frame(found: Evaluation) -> pd.DataFrame:
    """
    One row per trace: question, quadrant, cause, a column per metric, and one per imported score, "NAME (imported)". What has no value is
    missing, never 0; ``reason`` says why a headline figure is.
    """
    theirs = {f"{name} (imported)": score.by_trace for name, score in evaluation_of(found).imported_scores.items()}
    names = list(dict.fromkeys(name for trace in found.traces for name in trace.scores))
    rows = [
        {
            "trace": t.id,
            "question": t.question,
            "quadrant": t.quadrant,
            "cause": t.cause,
            "claims": len(t.claims),
            **{n: t.scores[n].value for n in names if n in t.scores},
            **{name: values[t.id].value for name, values in theirs.items() if t.id in values},
            "reason": "; ".join(f"{n}: {t.scores[n].reason}" for n in HEADLINES if n in t.scores and t.scores[n].value is None),
        }
        for t in found.traces
    ]
    return _frame(rows, ["trace", "question", "quadrant", "cause", "claims", *names, *theirs, "reason"], whole=("claims",), figures=(*names, *theirs))


def summary_frame(found: Evaluation) -> pd.DataFrame:
    """One row per metric: means, n, undefined, coverage, the 95 % interval, and ``reason``: why most traces without a value have none."""
    rows = [
        {"metric": name, "macro": s.macro, "micro": s.micro, "n": s.n, "undefined": s.undefined, "coverage": s.coverage,
         "lo": s.ci95[0] if s.ci95 else None, "hi": s.ci95[1] if s.ci95 else None, "reason": _usual_reason(found, name)}
        for name, s in evaluation_of(found).summary.items()
    ]
    return _frame(rows, ["metric", *MEANS, "reason"], whole=("n", "undefined"), figures=("macro", "micro", "coverage", "lo", "hi"))


def _usual_reason(found: Evaluation, name: str) -> str:
    reasons = Counter(t.scores[name].reason for t in found.traces if name in t.scores and t.scores[name].value is None)
    return next((reason for reason, _ in reasons.most_common(1)), "")


def _frame(rows: list[dict[str, Any]], names: list[str], *, whole: tuple[str, ...] = (), figures: tuple[str, ...] = ()) -> pd.DataFrame:
    """Columns that are empty throughout stay, and of the kind they would have with values."""
    import pandas as pd  # noqa: PLC0415 - a third of a second that only frames need

    frame = pd.DataFrame(rows, columns=names)
    kinds = {name: "Int64" if name in whole else "float64" if name in figures else "string" for name in names}
    return frame.astype(kinds)
