"""Writes METRICS.md from the registered metrics. Run by `make docs`; a test fails when the page is stale."""

from __future__ import annotations

import inspect
import math
import sys
from collections.abc import Mapping
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from ragviz.diagnosis.causes import CauseName
from ragviz.diagnosis.meanings import CAUSE_MEANINGS, QUADRANT_MEANINGS, STANDING_MEANINGS
from ragviz.diagnosis.quadrants import FORMULAS, STANDING_FORMULAS, Thresholds
from ragviz.metrics import counting, metrics
from ragviz.records import Direction, MetricInfo

PAGE = Path(__file__).with_name("METRICS.md")

INTRODUCTION = """# Metrics

Generated from the registry by `docs/generate_metrics.py`; do not edit by hand.

Every metric is a pure function of stored verdicts, ratings and labels: none calls a model, and the same verdicts give the same number.
A score is a value or a reason why there is none: *undefined* (nothing to divide by), *missing input* (the file lacks what is needed),
*failed* (the judge could not answer). Beside each value stand its support (the denominator) and how many claims are unjudged.

Over a run each metric has two means. **Macro** is the mean over traces that have a value; its 95 % interval is a percentile bootstrap,
drawn by question where several traces share one. Of one question there is none ("too few"); of two to five it covers the mean some 80 times of 100
instead of 95, as few resamples of them differ. Where n ≥ 2 questions all have the same value v of a metric between a and b, another value comes with a probability of at most q = 1 − 0.05^(1/n), and the interval is
v − q (v − a) to v + q (b − v): ten times 1 is 0.741 to 1 (rule of three, Hanley & Lippman-Hand 1983); of a metric without bounds (time, money, counts) there is none then. **Micro** pools all counts (claims, passages) and exists where the metric is a ratio of counts.

## How verdicts are read

A claim is judged against each passage, and against the joined passages where no single one settles it. From that follows its grounding:
*supported* (entailed somewhere, contradicted nowhere), *contradicted* (the other way round), *conflicted* (both), *not supported* (every
passage is silent), *unjudged* (a verdict is missing and nothing else decides). A person's word replaces the judge's.

## Policies

The same verdicts under five conventions. Only these points differ:

"""

QUADRANTS = """
## Quadrants

Where an answer stands, from three of these figures together: relevance (R), faithfulness (F) and correctness (C), each high from its threshold on, at or above it.
Thresholds: {thresholds}; the sliders of the Quadrants page move them there, and nowhere else. The rows are checked from top to bottom, the first that holds is the quadrant.

"""

QUADRANT_NOTES = """
- Relevance comes first because it says what the answer speaks of, not whether it is right: an answer below its threshold is off-topic, be it faithful or correct.
- Faithfulness of 0.5 is high: of two claims one may have no support. A *wrong mirror* rests on these figures, not on a look at the source: that the source is wrong is inferred
  from a faithful answer which the reference denies or does not give. Whether one was shown to be wrong, outdated or contested is the root cause's word, and it says by what;
  where none was, the cause says that too.
- *Extra claim* needs faithfulness at or above its threshold; below it the same answer is a *lucky guess*. Faithfulness counts as 1 within 1e-9.
- The policy counts: under `strict` a conflicted or unjudged claim lowers faithfulness, and answers change their quadrant with it.
- An answer that makes no claim is *abstained* whatever its figures; one whose text the file lacks is *unknown*. A figure without a value makes *unknown*, and its reason is told.
- Failing are extra claim, lucky guess, fabrication, wrong mirror and off-topic; of answers in no quadrant, those with a claim that is contradicted, conflicted or not supported.
- Source: ours; the terms faithful and correct as in Ragas and RAGChecker (above).

Without any reference in the run there is no correctness, and the Quadrants page says so and draws faithfulness against relevance. Pages, the table of `ragviz evaluate` and the column
`standing` of a run as `.csv` (empty where the run has references) say the following; `quadrant` in JSON and CSV stays `unknown`:

"""

CAUSES = """
### Root causes

Which part is to blame for a failing answer, with its evidence: the first of these that can be shown. Of an extra claim *generator added* is looked at first, of a lucky guess
what retrieval missed. Where a source is called wrong because the expected answer denies a claim, and nothing but the judge's *supported* says that the passage makes that claim (no person,
no annotated fact, no sentence with the claim's words, no verdict that the passage denies what was expected), the sentence says so: then the judge may be what is wrong.

"""

GROUPS = {
    "claims": "Claims",
    "relevance": "Relevance",
    "citations": "Citations",
    "retrieval": "Retrieval at a fixed cut-off",
    "abstention": "Abstention",
    "cost": "Time and money",
}


def page() -> str:
    """The whole page."""
    infos = [metrics.make(name).info for name in metrics.names()]
    parts = [INTRODUCTION, policy_table(), "\n"]
    for group, title in GROUPS.items():
        members = [info for info in infos if info.group == group]
        if members:
            parts.append(f"\n## {title}\n")
            parts.extend(entry(info) for info in members)
    parts += [
        QUADRANTS.format(thresholds=thresholds()),
        standing_table(QUADRANT_MEANINGS, FORMULAS),
        QUADRANT_NOTES,
        standing_table(STANDING_MEANINGS, STANDING_FORMULAS),
        CAUSES,
    ]
    parts += [f"- `{name}`: {CAUSE_MEANINGS[name]}\n" for name in CauseName if name is not CauseName.NONE]
    return "".join(parts)


def thresholds() -> str:
    """The defaults, as ``F = 0.5``."""
    limits = Thresholds()
    return ", ".join(f"{name} = {value:g}" for name, value in (("R", limits.relevance), ("F", limits.faithfulness), ("C", limits.correctness)))


def standing_table(meanings: Mapping[str, tuple[str, str]], formulas: Mapping[str, str]) -> str:
    """Quadrants, or standings without a reference, in the order in which they are checked."""
    rows = [f"| `{name}` | {meanings[name][0]} | {formula} | {meanings[name][1]} |" for name, formula in formulas.items()]
    return "\n".join(["| field | name | when | what it means |", "|---|---|---|---|", *rows]) + "\n"


def policy_table() -> str:
    """The table of the module that implements the policies, as Markdown."""
    rows = [line for line in (inspect.getdoc(counting) or "").splitlines() if line and not line.startswith("=")]
    header = next(i for i, line in enumerate(rows) if line.startswith("policy "))
    cells = [[cell.strip() for cell in line.split("  ") if cell.strip()] for line in rows[header:]]
    lines = ["| " + " | ".join(row) + " |" for row in cells]
    return "\n".join([lines[0], "|" + "---|" * len(cells[0]), *lines[1:]])


def entry(info: MetricInfo) -> str:
    """One metric."""
    arrow = {Direction.HIGHER: "higher is better", Direction.LOWER: "lower is better", Direction.NEITHER: "neither direction is better"}[info.better]
    lo, hi = info.range
    needs = [f"`{table.value}`" for table in sorted(info.needs)] + [f"rating `{kind.value}`" for kind in sorted(info.needs_ratings)]
    lines = [
        f"\n### `{info.name}`: {info.label}\n",
        f"{info.summary} Range {lo:g} to {'any size' if math.isinf(hi) else f'{hi:g}'}, {arrow}. Version {info.version}.\n",
        f"- Formula: {info.formula}",
        f"- Edge cases: {info.edge_cases}",
        f"- Source: {info.source}",
    ]
    if needs:
        lines.append(f"- Needs: {', '.join(needs)}")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
