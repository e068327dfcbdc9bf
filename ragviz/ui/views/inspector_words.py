"""What the Inspector says about a trace in words: scores, why there are no claims, the expected answer, and who decided."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from ragviz.diagnosis.causes import Cause
from ragviz.diagnosis.faults import SourceFault
from ragviz.diagnosis.meanings import TERMS
from ragviz.diagnosis.standings import all_the_same, told_of
from ragviz.figures.plot_text import cut
from ragviz.grounding.resolve import ClaimGrounding, groundings
from ragviz.metrics import metric_info
from ragviz.metrics.counting import Fate, fate_of
from ragviz.metrics.relevance import BY_ESTIMATE, BY_RATING, NOT_RATED
from ragviz.records import (
    Annotation,
    Grounding,
    JudgedTrace,
    Judgement,
    Policy,
    Score,
    ScoreStatus,
    Side,
    Table,
    Trace,
    Verdict,
)
from ragviz.text.polarity import refusal_span
from ragviz.text.sums import dollars
from ragviz.ui import vocabulary
from ragviz.ui.marks import GROUNDING_LABEL

_MOST_OF_A_REFUSAL = 160

_RELEVANCE_BY = {BY_RATING: " · questions guessed", BY_ESTIMATE: " · estimated"}
"""How a relevance came about where it does not rest on the file's own facets."""

def score_strip(
    case: JudgedTrace, scores: Mapping[str, Score], where: str, cause: Cause, *, strict: float | None, without_reference: bool = False
) -> list[tuple[str, str, str, str]]:
    """
    Label, value, small print and meaning for the strip under the question. A missing value is "–" with its reason, never 0.
    ``without_reference``: no answer of the run has a correctness.
    """
    cause_words = "" if cause.name == "none" else f"cause: {vocabulary.cause(str(cause.name)).lower()}"
    n = sum(1 for c in case.claims if c.side is Side.RESPONSE)
    faithfulness = scores["faithfulness"]
    note = "" if strict is None or faithfulness.value is None or abs(strict - faithfulness.value) < 0.005 else f" · strict {strict:.2f}"
    recall = next((s for name, s in scores.items() if name.startswith("recall_at_")), None)
    label, meaning = told_of(where, scores["relevance"].value, faithfulness.value, without_reference=without_reference)
    n_contradicted = sum(g.grounding is Grounding.CONTRADICTED for g in groundings(case, Table.RESPONSE_X_PASSAGES).values())
    strip = [
        ("diagnosis", label, cause_words, meaning and meaning + all_the_same(where, n_contradicted)),
        ("faithfulness ↑", *_number(faithfulness, "of", extra=note), metric_info("faithfulness").summary),
        ("correctness ↑", *_number(scores["correctness"], ""), metric_info("correctness").summary),
        ("relevance ↑", *_number(scores["relevance"], "", extra=_RELEVANCE_BY.get(scores["relevance"].reason, "")), TERMS["relevance"]),
    ]
    if recall is not None:
        strip.append((f"R@{case.retrieval_k} ↑", *_number(recall, "of"), metric_info(recall.metric).summary))
    unjudged = faithfulness.unjudged if n else 0
    return [*strip, ("unjudged", str(unjudged), f"of {n}", TERMS["unjudged"])]


def strict_share(grounded: Mapping[str, ClaimGrounding]) -> float | None:
    """Faithfulness under the strict policy, from groundings that are there already; None without claims."""
    fates = [fate_of(g.grounding, Policy.STRICT) for g in grounded.values()]
    return sum(fate is Fate.SUPPORTED for fate in fates) / len(fates) if fates else None


def _number(score: Score, joint: str, *, extra: str = "") -> tuple[str, str]:
    if score.value is None:
        return "–", _short(score)
    if joint and score.numerator is not None and score.support:
        return f"{score.value:.2f}", f"{score.numerator:g} {joint} {score.support}{extra}"
    return f"{score.value:.2f}", f"n {score.support}{extra}" if score.support > 1 else extra.removeprefix(" · ")


def _short(score: Score) -> str:
    """The reason why there is no value, short enough for the strip."""
    if score.reason == NOT_RATED:
        return "not rated yet"
    if score.status is ScoreStatus.MISSING_INPUT:
        return "not in the file" if len(score.reason) > 32 else score.reason
    return (
        score.reason if len(score.reason) <= 32 else {ScoreStatus.UNDEFINED: "nothing to measure", ScoreStatus.FAILED: "the judge failed"}.get(score.status, "")
    )


def no_claims(trace: Trace, *, abstained: bool, word: Annotation | None = None) -> str:
    """What stands where the claims would: why there are none. ``word``: a person's, on whether the answer answers."""
    if word is not None:
        says = "is a refusal, so there is nothing to judge" if word.declines else "is an answer, and no claim of it is known"
        return f"{word.author} says that this {says}{': ' + cut(word.reason, _MOST_OF_A_REFUSAL) if word.reason else ''}."
    if trace.is_unanswered:
        return "The file does not say what was answered, so there is nothing to judge."
    if abstained and not trace.response.strip():
        return "The answer is an empty text: a reply that states nothing."
    declined = refusal_span(trace.response) if abstained else None
    if declined is not None:
        return f"Read as declining, so there is nothing to judge. Why: it says “{cut(declined.of(trace.response), _MOST_OF_A_REFUSAL)}”, and states nothing beside it."
    return "The answer declines, so there is nothing to judge." if abstained else "No claim was found in this answer, or nobody has judged it yet."


def reference_note(case: JudgedTrace) -> str:
    """How much of the expected answer was said, and how many of the answer's claims it confirms: "0 of 2 said · 1 of 3 right"; "" when nobody judged that."""
    found = groundings(case, Table.REFERENCE_X_RESPONSE)
    judged = [g for g in found.values() if g.grounding is not Grounding.UNJUDGED]
    if not judged:
        return ""
    said = f"{sum(g.grounding.is_supported for g in judged)} of {len(judged)} said"
    own = [g for g in groundings(case, Table.RESPONSE_X_REFERENCE).values() if g.grounding is not Grounding.UNJUDGED]
    return f"{said} · {sum(g.grounding.is_supported for g in own)} of {len(own)} right" if own else said


def certificate_words(
    case: JudgedTrace, grounded: Mapping[str, ClaimGrounding], faults: Sequence[SourceFault], *, only: Sequence[str] | None = None,
) -> dict[str, dict[str, str]]:
    """
    Lines of each claim's certificate.

    Args:
        case: The trace.
        grounded: What became of its claims.
        faults: What is wrong with the sources behind them.
        only: Claims to speak of; None = all.
    """
    told: dict[str, list[Judgement]] = {}
    for judgement in case.judgements:
        if judgement.key.table is Table.RESPONSE_X_PASSAGES:
            told.setdefault(judgement.key.claim_id, []).append(judgement)
    fault_of = {f.claim_id: f.detail for f in reversed(faults)}
    out: dict[str, dict[str, str]] = {}
    for claim_id, found in grounded.items():
        if only is not None and claim_id not in only:
            continue
        decisive = [*found.supporting, *found.contradicting] or told.get(claim_id, [])
        alarm = next((j.alarm for j in told.get(claim_id, []) if j.alarm), None)
        reasons = dict.fromkeys(j.rationale for j in decisive if j.rationale and j.verdict is not Verdict.NEUTRAL)
        out[claim_id] = {
            "by": _overruled(found),
            "src": fault_of.get(claim_id, ""),
            "near": "" if found.supporting or found.contradicting else _closest(case, told.get(claim_id, [])),
            "why": "; ".join(list(reasons)[:2]),
            "who": _decided_by(decisive, told.get(claim_id, [])),
            "alarm": f"a passage tries to instruct the judge: “{alarm}”" if alarm else "",
        }
    return out


def _overruled(found: ClaimGrounding) -> str:
    note = found.annotation
    if note is None or note.grounding is None:
        return ""
    judged = "" if found.judged is None else f" (the judge said {GROUNDING_LABEL[found.judged]})"
    return f"{note.author}: {GROUNDING_LABEL[note.grounding]}{', ' + note.reason if note.reason else ''}{judged}"


def _closest(case: JudgedTrace, judgements: Sequence[Judgement]) -> str:
    """The nearest sentence of a passage that neither supports nor contradicts: not evidence, and said to be none."""
    near = [(e.weight, j, e) for j in judgements if j.verdict is Verdict.NEUTRAL for e in j.evidence]
    if not near:
        return ""
    _, judgement, evidence = max(near, key=lambda t: t[0])
    passage = case.trace.passage(evidence.passage_id or judgement.key.premise_id)
    return f"not evidence, but nearest: “{evidence.quote}”" + (f" (#{passage.rank})" if passage else "")


def _decided_by(decisive: Sequence[Judgement], told: Sequence[Judgement]) -> str:
    """Who gave the verdict, and what all its words on the claim took: silent passages were read too, and the history counts them."""
    if not decisive:
        return ""
    first = decisive[0]
    by = first.provenance
    name = [f"{by.judge} {by.judge_version}", by.model and f"{by.model}{f' ({_brief(by.model_revision)})' if by.model_revision else ''}",
            by.prompt_version and f"prompt {by.prompt_version}", _took(told or decisive)]
    return " · ".join(part for part in name if part)


def judge_name(case: JudgedTrace) -> str:
    """Who judged the trace: "local 1"; a person's words are not counted."""
    by = next((j.provenance for j in case.judgements), None)
    return "nobody yet" if by is None else f"{by.judge} {by.judge_version}" + (f" · {by.model}" if by.model else "")


def _brief(revision: str) -> str:
    """A commit hash by its first digits; anything else, such as a package and its version, whole."""
    return revision[:8] if re.fullmatch(r"[0-9a-f]{20,}", revision) else revision


def _took(judgements: Sequence[Judgement]) -> str:
    if all(j.cost.cached for j in judgements):
        return "from the cache"
    times = [j.cost.elapsed_ms for j in judgements if j.cost.elapsed_ms is not None]
    money = [j.cost.cost_usd for j in judgements if j.cost.cost_usd]
    parts = [took(sum(times))] if times else []
    return " · ".join([*parts, dollars(sum(money))] if money else parts)


def took(ms: float) -> str:
    """A duration: "12 ms", "1.9 s"."""
    return f"{ms:.0f} ms" if ms < 1000 else f"{ms / 1000:.1f} s"


def crumb(case: JudgedTrace) -> str:
    """Where the trace comes from and when it was: "support assistant · 12 Mar 2026, 14:02"."""
    trace = case.trace
    when = "" if trace.started_at is None else f"{trace.started_at.day} {trace.started_at:%b %Y, %H:%M}"
    return " · ".join(part for part in (*list(trace.tags.values())[:2], trace.model, when) if part)
