"""The numbers of the Overview, from whole columns: pure, so that a test can redo them by hand."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ragviz.pipeline.column_means import Columns, Floats, against, claims_against, clusters, mean_of, unsupported_share
from ragviz.records import Interval, Policy
from ragviz.stats.bootstrap import paired_interval
from ragviz.stats.numbering import numbered, places_in
from ragviz.store import TraceFilter
from ragviz.ui import filters

COUNTED = ("n_claims", "n_supported", "n_not_supported", "n_contradicted", "n_conflicted", "n_unjudged")
SCORED = ("faithfulness", "correctness", "relevance", "recall_at_{k}", "abstained", "abstention_precision", *COUNTED)
LOOKED_AT = 5
"""Changes shown side by side: each is called better or worse only at a level corrected for that many."""
LOW = 0.5
"""Correctness and relevance count as low below this; faithfulness and recall are lowered by anything below 1."""


@dataclass(frozen=True, kw_only=True)
class Headline:
    """One card: a mean, what it rests on, and the traces that lowered it."""

    metric: str
    label: str
    kind: str
    """"macro", "micro" or "F1, macro"."""
    value: float | None
    interval: Interval | None
    n: int
    lowered_by: TraceFilter
    lowered_words: str
    """How these traces are called: "below 1"."""
    as_percent: bool = False
    better_high: bool = True


@dataclass(frozen=True, kw_only=True)
class Change:
    """A headline against the same questions of another run."""

    other: float
    difference: float
    words: str
    """"worse", "better" or "within noise"."""


def names(retrieval_k: int) -> tuple[str, ...]:
    """The columns that ``headlines`` reads."""
    return tuple(name.format(k=retrieval_k) for name in SCORED)


def headlines(columns: Columns, *, retrieval_k: int, policy: Policy = Policy.DEFAULT) -> list[Headline]:
    """The five means, in the order of the cards."""
    groups = clusters(columns["group"])
    recall = f"recall_at_{retrieval_k}"
    specs = [
        ("faithfulness", "Faithfulness", "macro", filters.below("faithfulness", 1.0), "below 1"),
        ("correctness", "Correctness", "F1, macro", filters.below("correctness", LOW), "below 0.5"),
        ("relevance", "Relevance", "macro", filters.below("relevance", LOW), "below 0.5"),
        (recall, f"Recall@{retrieval_k}", "macro", filters.below("recall_at_k", 1.0), "below 1"),
    ]
    cards = []
    for name, label, kind, lowered_by, words in specs:
        value, interval, n = mean_of(columns[name], groups)
        cards.append(Headline(metric=name, label=label, kind=kind, value=value, interval=interval, n=n, lowered_by=lowered_by, lowered_words=words))
    cards.insert(1, _hallucination(columns, groups, policy))
    return cards


def _hallucination(columns: Columns, groups: NDArray[np.int64] | None, policy: Policy) -> Headline:
    """Micro: claims that no passage supports over all counted claims of the run."""
    value, interval, _, total = unsupported_share(columns, groups, policy)
    return Headline(
        metric="hallucination", label="Hallucination", kind="micro", value=value, n=total, as_percent=True, better_high=False,
        interval=interval, lowered_words="", lowered_by=TraceFilter(verdicts=against(policy)),
    )


def change(headline: Headline, here: Columns, there: Columns, *, policy: Policy = Policy.DEFAULT, aligned: bool = False) -> Change | None:
    """
    This run against another on the questions both have, by paired bootstrap; None when they share none with a value.

    Macro: several traces of one question are averaged first. Micro: the ratio of sums, its interval by linearisation: each question's influence on
    the ratio, (unsupported - ratio · claims) / mean claims, is drawn like a mean. ``aligned``: both have the same questions in the same order, each once.
    """
    our_parts, their_parts = (_by_row if aligned else _by_shared_question)(headline, here, there, policy)
    if not len(our_parts):
        return None
    (after, ratio), (before, other) = _influences(our_parts), _influences(their_parts)
    difference = ratio - other
    interval = paired_interval(before, after + difference, level=1 - 0.05 / LOOKED_AT) if len(our_parts) > 1 else None
    if interval is None or interval.lo <= 0 <= interval.hi:
        words = "within noise"
    else:
        words = "better" if (difference > 0) == headline.better_high else "worse"
    return Change(other=other, difference=difference, words=words)


def _by_row(headline: Headline, here: Columns, there: Columns, policy: Policy) -> tuple[Floats, Floats]:
    """Numerator and denominator of each question that both have a value of: a million questions need not be looked for."""
    ours, theirs = _counted(here, headline, policy), _counted(there, headline, policy)
    known = _known(*ours) & _known(*theirs)
    mine, other = (np.stack([above[known], below[known]], axis=1).astype(np.float64) for above, below in (ours, theirs))
    return mine, other


def _by_shared_question(headline: Headline, here: Columns, there: Columns, policy: Policy) -> tuple[Floats, Floats]:
    """The same, whatever order they come in and however often."""
    (ours, our_parts), (theirs, their_parts) = (_by_question(columns, headline, policy) for columns in (here, there))
    places = places_in(theirs, ours)
    shared = np.flatnonzero(places >= 0)
    return our_parts[shared], their_parts[places[shared]]


def _influences(parts: Floats) -> tuple[Floats, float]:
    """Each question's pull on sum(numerators) / sum(denominators), and that ratio. parts: shape (n, 2), denominators > 0."""
    ratio = float(parts[:, 0].sum() / parts[:, 1].sum())
    return (parts[:, 0] - ratio * parts[:, 1]) / parts[:, 1].mean(), ratio


def _by_question(columns: Columns, headline: Headline, policy: Policy) -> tuple[NDArray[Any], Floats]:
    """Questions in the order of first occurrence, and for each numerator and denominator: claims for a micro mean, (mean, 1) for a macro mean."""
    above, below = _counted(columns, headline, policy)
    known = _known(above, below)
    if not known.any():
        return columns["group"][:0], np.empty((0, 2))
    at, questions = numbered(columns["group"][known])
    parts = np.stack([np.bincount(at, weights=above[known]), np.bincount(at, weights=below[known])], axis=1)
    if headline.kind != "micro":
        parts = np.stack([parts[:, 0] / parts[:, 1], np.ones(len(parts))], axis=1)
    return questions, parts.astype(np.float64)


def _counted(columns: Columns, headline: Headline, policy: Policy) -> tuple[Floats, Floats]:
    """Numerator and denominator of each trace: claims for a micro mean, its value and 1 for a macro mean."""
    return claims_against(columns, policy) if headline.kind == "micro" else (columns[headline.metric], np.ones(len(columns["group"])))


def _known(above: Floats, below: Floats) -> NDArray[np.bool_]:
    found: NDArray[np.bool_] = ~np.isnan(above) & (below > 0)
    return found


@dataclass(frozen=True)
class Refusals:
    """Answers that decline, and whether they should have."""

    total: int
    right: int
    wrong: int
    untold: int = 0
    """Traces of which nobody can tell: no answer in the file, or not looked at yet."""

    @property
    def unknown(self) -> int:
        """The file does not say whether the question can be answered."""
        return self.total - self.right - self.wrong


def refusals(columns: Columns) -> Refusals:
    """Counts of abstentions: right where the question has no answer, wrong where it has one."""
    declined = columns["quadrant"] == "abstained"
    right = columns["abstention_precision"]
    return Refusals(int(declined.sum()), int((declined & (right == 1)).sum()), int((declined & (right == 0)).sum()),
                    int(np.isnan(columns["abstained"]).sum()) if "abstained" in columns else 0)
