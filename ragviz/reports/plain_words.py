"""The sentences of a report for people who do not read traces: shared by its page and its Markdown."""

from __future__ import annotations

from ragviz.compare.families import headline_place, word_of
from ragviz.compare.paired import MetricDifference
from ragviz.compare.report import NO_PAIR, Comparison
from ragviz.diagnosis.meanings import QUADRANT_MEANINGS, STANDING_MEANINGS
from ragviz.pipeline.briefing import Briefing, Figure
from ragviz.records import Grounding
from ragviz.text.counts import counted

SURE = 0.05
ASKED: dict[str, tuple[str, str, str]] = {
    "hallucination": ("Without support", "of all claims in the answers have no support in what was retrieved", "claims"),
    "faithfulness": ("Faithfulness", "of an answer's claims are backed by what was retrieved, on average", "answers"),
    "correctness": ("Correctness", "agreement with the expected answer, on average", "answers"),
    "relevance": ("Relevance", "how far an answer speaks of what was asked, right or wrong, on average", "answers"),
}
"""Name, what the number says, and what it counts."""
LEFT_OUT = {
    "hallucination": "unjudged",
    "faithfulness": "declined, or unjudged",
    "correctness": "declined, unjudged, or without an expected answer",
    "relevance": "declined, or unjudged",
}
"""Why some do not count."""


def percent(value: float | None) -> str:
    """A share for people: 87 %; one digit where it is small."""
    if value is None:
        return "–"
    return f"{100 * value:.1f} %" if 0 < value < 0.1 else f"{100 * value:.0f} %"


def between(figure: Figure) -> str:
    """The interval in words."""
    if figure.interval is None:
        return "too few answers for a range" if figure.value is not None else ""
    low, high = percent(figure.interval.lo), percent(figure.interval.hi)
    return f"plausibly between {low} and {high}" if low != high else f"plausibly about {low}"


def rests_on(figure: Figure) -> str:
    """Coverage in words: how many counted, and how many did not."""
    counted = ASKED[figure.name][2]
    if figure.value is None:
        return f"cannot be said: none of {figure.of:,} {counted} has what it takes"
    left = figure.of - figure.n
    return f"rests on {figure.n:,} of {figure.of:,} {counted}" + (
        f"; {left:,} {'has' if left == 1 else 'have'} no figure: {LEFT_OUT[figure.name]}" if left else ""
    )


def lead(found: Briefing) -> str:
    """The one sentence to remember."""
    figure = next(f for f in found.figures if f.name == "hallucination")
    contradicted, bad = found.claims.get(Grounding.CONTRADICTED, 0), found.claims.get(Grounding.CONTRADICTED, 0) + found.claims.get(Grounding.NOT_SUPPORTED, 0)
    if figure.value is None:
        return f"{counted(found.n_traces, 'answer')} {'was' if found.n_traces == 1 else 'were'} read; none of their claims has a verdict yet."
    judged = sum(n for g, n in found.claims.items() if g is not Grounding.UNJUDGED)
    of = f"Of {judged:,} checked {'claim' if judged == 1 else 'claims'} in {found.n_traces:,} {'answer' if found.n_traces == 1 else 'answers'}, "
    if not bad:
        return of + "every one is backed by what was retrieved."
    return (
        of
        + f"{bad:,} {'has' if bad == 1 else 'have'} no support in what was retrieved"
        + (f"; {contradicted:,} of these {'is' if contradicted == 1 else 'are'} contradicted by it." if contradicted else ".")
    )


def headline_rows(change: Comparison) -> list[MetricDifference]:
    """The metrics that a reader is told of, in their order."""
    return sorted((m for m in change.metrics if m.n and headline_place(m.metric) is not None), key=lambda m: headline_place(m.metric) or 0)


def is_beyond(m: MetricDifference) -> bool:
    """Better or worse beyond chance, also after correction for looking at several."""
    return m.verdict in ("better", "worse", "different") and m.p_holm is not None and m.p_holm < SURE


def standing(m: MetricDifference) -> str:
    """What a difference amounts to."""
    if m.verdict == "too_few":
        return "too few to say"
    if m.difference == 0.0 and not (m.wins or m.losses):
        return "equal"
    return word_of(m) if is_beyond(m) else "within chance"


def change_lead(change: Comparison, base: str) -> str:
    """What changed, in two sentences."""
    if not change.pairing.pairs:
        return NO_PAIR
    rows = headline_rows(change)
    better, worse = ([m.metric.replace("_", " ") for m in rows if is_beyond(m) and m.verdict == word] for word in ("better", "worse"))
    said = [f"{' and '.join(names)} got {word}" for names, word in ((worse, "worse"), (better, "better")) if names]
    first = (
        f"Since {base}, on {counted(len(change.pairing.pairs), 'question')} that both have, "
        + ("; ".join(said) if said else "no headline figure moved by more than chance explains")
        + "."
    )
    if change.answers_unknown:
        return f"{first} Answers that became incorrect or correct: – ({change.answers_unknown})."
    wrong, right = sum(a.worse for a in change.answers), sum(not a.worse for a in change.answers)
    return first + (f" {wrong:,} {'answer' if wrong == 1 else 'answers'} became incorrect, {right:,} became correct." if wrong or right else "")


def places(found: Briefing) -> list[tuple[str, str, int]]:
    """(label, meaning, answers) of each kind of answer that there is: by quadrant, or by standing where no answer has a correctness."""
    meanings, counts = (QUADRANT_MEANINGS, found.quadrants) if found.standings is None else (STANDING_MEANINGS, found.standings)
    return [(label, meaning, n) for name, (label, meaning) in meanings.items() if (n := counts.get(name, 0))]
