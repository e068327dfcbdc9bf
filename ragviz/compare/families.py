"""
Which p-values are corrected together: one rule for page, command line, reports and gate.

* The **headline** metrics are what a comparison is about. Those of them that two runs share are one family, corrected among themselves (Holm).
* Every **other** metric is looked at besides: it is corrected for all metrics that were compared, the headline ones among them.
* **Time and money** are shown apart: an answer that took longer is none that got worse.
* **What judging cost** says nothing of the system that is compared: it has no p-value, takes part in no correction and is told in a line of its own.

What a page happens to show therefore changes no p-value.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec.structs import replace

from ragviz.compare.paired import MetricDifference
from ragviz.errors import UnknownName
from ragviz.metrics import metric_info
from ragviz.records import Direction
from ragviz.stats.significance import holm
from ragviz.text.sums import decimals

HEADLINE = (
    "faithfulness",
    "hallucination",
    "contradicted_rate",
    "not_supported_rate",
    "correctness",
    "relevance",
    "recall_at_k",
    "citation_precision",
    "false_refusals",
)
ARROWS = {Direction.HIGHER: " ↑", Direction.LOWER: " ↓", Direction.NEITHER: ""}
SIDES = "Left of the line worse, right of it better: of a metric marked ↓ a fall is better, and drawn to the right. Without an arrow no side is better; right is more."
"""Under every picture of differences, on pages and in reports."""
COST_SIDES = "Left of the line more than before, right of it less, as a share of what it was."
_CUT_OFF = re.compile(r"_at_\d+$")


def headline_place(metric: str) -> int | None:
    """Where a metric stands among the headline metrics (``recall_at_5`` counts as ``recall_at_k``); None when it is none of them."""
    name = _CUT_OFF.sub("_at_k", metric)
    return HEADLINE.index(name) if name in HEADLINE else None


def is_cost(metric: str) -> bool:
    """Whether it measures time, tokens or money, not how good an answer is."""
    try:
        return metric_info(metric).group == "cost"
    except UnknownName:
        return False


def is_judging(metric: str) -> bool:
    """Whether it measures what the judge took: another machine, or answers that were kept, change it, and no answer does."""
    return is_cost(metric) and metric.startswith("judge_")


def judging_cost(found: Sequence[MetricDifference]) -> str:
    """What judging cost in both runs, as a fact; "" where the judge states nothing, or worked for nothing in both."""
    told = [
        f"{metric_info(m.metric).label[0].lower()}{metric_info(m.metric).label[1:]} {m.base:.{decimals(m.metric, m.base)}f} → "
        f"{m.candidate:.{decimals(m.metric, m.candidate)}f}"
        for m in found if is_judging(m.metric) and m.base is not None and m.candidate is not None and (m.base or m.candidate)
    ]
    return f"What judging cost: {'; '.join(told)}. It says nothing of the two systems: another machine, or answers that were kept, change it." if told else ""


def way_of(found: MetricDifference) -> int:
    """1 where a rise is drawn to the right, −1 where a fall is: better stands on the right, whichever way the metric counts."""
    return -1 if found.better is Direction.LOWER else 1


def word_of(found: MetricDifference) -> str:
    """Its ``verdict`` as people read it: time and money are ``more`` or ``less``, never better or worse."""
    if not is_cost(found.metric) or found.verdict not in ("better", "worse"):
        return found.verdict
    return "more" if (found.difference or 0.0) > 0 else "less"


def corrected(found: Sequence[MetricDifference]) -> list[MetricDifference]:
    """The same differences with ``p_holm`` filled in, each corrected within its family. Metrics without a p-value take no part; what judging cost has none."""
    out = [replace(d, p=None, p_holm=None) if is_judging(d.metric) else d for d in found]
    tested = [at for at, d in enumerate(out) if d.p is not None]
    headline = [at for at in tested if headline_place(out[at].metric) is not None]
    everything = dict(zip(tested, holm([out[at].p or 0.0 for at in tested]), strict=True))
    among = dict(zip(headline, holm([out[at].p or 0.0 for at in headline]), strict=True))
    for at, p in (everything | among).items():
        out[at] = replace(out[at], p_holm=p)
    return out
