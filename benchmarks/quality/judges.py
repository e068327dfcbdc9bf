"""
The local judge against people's labels, with baselines and ablations.

Reports on the half that was not fitted: rows of ../shared/claims whose group is odd (fit_local.py), minimal pairs marked "-h".
Intervals: bootstrap over groups, 1,000 draws, 95 %.

    python benchmarks/quality/judges.py [--claims FOLDER] [--append] [--developed]     # a table; --append adds it to results.md; --developed: the other half
"""

from __future__ import annotations

import argparse
import platform
import subprocess
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
from fit_local import read_rows
from sklearn.metrics import balanced_accuracy_score

from ragviz.backends.embedder import Embedder
from ragviz.judges.local import LocalJudge, features_of
from ragviz.judges.local_features import WORD_NAMES
from ragviz.judges.local_view import look, view_claim, view_premise
from ragviz.pipeline.calibrate import Answer, answer_rows, scores
from ragviz.pipeline.label_files import read_labels
from ragviz.records import Grounding

REPO = Path(__file__).resolve().parents[2]
RESULTS = Path(__file__).with_name("results.md")


def interval(answers: Sequence[Answer], figure: Callable[[Sequence[Answer]], float | None]) -> str:
    """A figure in percent with its interval over groups."""
    value = figure(answers)
    if value is None:
        return "–"
    groups: dict[str, list[Answer]] = {}
    for answer in answers:
        groups.setdefault(answer.row.group, []).append(answer)
    names = sorted(groups)
    rng = np.random.default_rng(0)
    draws = []
    for _ in range(1000):
        picked = [a for name in rng.choice(names, len(names)) for a in groups[name]]
        drawn = figure(picked)
        if drawn is not None:
            draws.append(drawn)
    lo, hi = np.percentile(draws, [2.5, 97.5])
    return f"{100 * value:.1f} [{100 * lo:.0f}–{100 * hi:.0f}]"


def balanced_accuracy(answers: Sequence[Answer]) -> float | None:
    """Of two classes; unjudged counts as wrong."""
    good = [a.grounding.is_supported for a in answers if a.row.label is Grounding.SUPPORTED]
    bad = [a.grounding in (Grounding.NOT_SUPPORTED, Grounding.CONTRADICTED) for a in answers if a.row.label is not Grounding.SUPPORTED]
    return (sum(good) / len(good) + sum(bad) / len(bad)) / 2 if good and bad else None


def baseline(fit: list[dict[str, Any]], report: list[dict[str, Any]], column: str) -> dict[str, float]:
    """Balanced accuracy of one number with one threshold for all sets, the best one on the fitted half."""
    embedder = Embedder()

    def values(rows: list[dict[str, Any]]) -> np.ndarray:
        out = []
        for row in rows:
            seen = look(view_claim(row["claim"]), view_premise(row["premise"]))
            if column == "overlap":
                out.append(features_of(seen, None)[WORD_NAMES.index("cover_chosen")])
                continue
            units = [seen.premise.indexed.units[unit].span.of(row["premise"]) for unit in seen.near]
            vectors = embedder.encode([row["claim"], *units])
            out.append(float((vectors[1:] @ vectors[0]).max()) if units else 0.0)
        return np.array(out)

    def truth(rows: list[dict[str, Any]]) -> np.ndarray:
        return np.array([row["label"] == "supported" for row in rows])

    x, y = values(fit), truth(fit)
    names = sorted({row["dataset"] for row in fit})
    member = {name: np.array([row["dataset"] == name for row in fit]) for name in names}
    cuts = np.quantile(x, np.linspace(0.02, 0.98, 97))
    best = max(cuts, key=lambda cut: np.mean([balanced_accuracy_score(y[m], x[m] >= cut) for m in member.values()]))
    x, y = values(report), truth(report)
    return {name: float(balanced_accuracy_score(y[m], x[m] >= best)) for name in names for m in [np.array([row["dataset"] == name for row in report])]}


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--claims", type=Path, default=REPO.parent / "shared" / "claims")
    parser.add_argument("--append", action="store_true")
    parser.add_argument("--developed", action="store_true", help="the half that rules and weights were made on: says what a change breaks, not how good the judge is")
    options = parser.parse_args()
    fit, report = (read_rows(options.claims, half=half) for half in ("fit", "fit" if options.developed else "report"))
    import json

    rows = list(read_labels([json.dumps(row) for row in report]))
    names = list(dict.fromkeys(row.dataset for row in rows))
    lines = [
        f"## {datetime.now(UTC):%Y-%m-%d} · {_commit()} · {platform.machine()}, {platform.python_version()}", "",
        f"Balanced accuracy (supported against the rest, unjudged counts as wrong), {'developed' if options.developed else 'report'} half, one threshold for all sets.", "",
        f"| judge | {' | '.join(names)} |", f"|---|{'---:|' * len(names)}",
    ]
    for column, label in (("cosine", "cosine of the nearest sentence"), ("overlap", "weighted word overlap")):
        found = baseline(fit, report, column)
        lines.append(f"| {label} | {' | '.join(f'{100 * found[name]:.1f}' for name in names)} |")
    answers: list[Answer] = []
    for embeddings, label in ((False, "local, words and checks"), (True, "local, with embeddings")):
        started = time.perf_counter()
        answers = answer_rows(rows, LocalJudge(embeddings=embeddings))
        speed = len(rows) / (time.perf_counter() - started)
        cells = [interval([a for a in answers if a.row.dataset == name], balanced_accuracy) for name in names]
        lines.append(f"| {label} ({speed:.0f} claims/s) | {' | '.join(cells)} |")
    lines += ["", "| with embeddings | n | coverage | contradiction precision | recall | supported called contradicted | evidence hit | evidence F1 |", "|---|---:|---:|---:|---:|---:|---:|---:|"]
    for name in names:
        part = [a for a in answers if a.row.dataset == name]
        s = scores(part)
        wrong = [a.grounding is Grounding.CONTRADICTED for a in part if a.row.label is Grounding.SUPPORTED]
        lines.append(
            f"| {name} | {s['n']} | {_percent(s['coverage'])} | {_percent(s['contradiction']['precision'])} | {_percent(s['contradiction']['recall'])} | "
            f"{_percent(sum(wrong) / len(wrong))} | {_percent(s['evidence']['hit'])} | {_percent(s['evidence']['f1'])} |"
        )
    print("\n".join(lines))
    if options.append:
        with RESULTS.open("a", encoding="utf-8") as out:
            out.write("\n".join(lines) + "\n\n")


def _percent(value: float | None) -> str:
    return "–" if value is None else f"{100 * value:.1f}"


def _commit() -> str:
    return subprocess.run(["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=False, cwd=REPO).stdout.strip() or "no commit"


if __name__ == "__main__":
    main()
