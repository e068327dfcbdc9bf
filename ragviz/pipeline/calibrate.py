"""A judge against people's labels: how often it is right, what it misses, whether it points at the right sentence."""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from ragviz.contracts import Judge
from ragviz.errors import InputError
from ragviz.grounding.resolve import ClaimGrounding, groundings
from ragviz.pipeline.label_files import LABELS, LabelRow
from ragviz.pipeline.single_claims import CLAIM, TABLE, claim_cases, judged_cases
from ragviz.records import Grounding, JudgedTrace, Judgement, Span

_BATCH_ROWS = 32


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """What the judge made of a row."""

    row: LabelRow
    grounding: Grounding
    confidence: float | None
    evidence: tuple[tuple[str, Span], ...]
    """(passage id, span) that it showed."""


def calibrate(
    rows: Sequence[LabelRow], judge: Judge, *, limit: int | None = None, on_progress: Callable[[int, int], None] | None = None,
) -> dict[str, Any]:
    """
    Judge the rows and compare with their labels.

    Args:
        rows: Labelled claims.
        judge: Any judge of text claims.
        limit: Only the first so many rows.
        on_progress: Called with (rows done, rows in all).

    Returns:
        The object ``ragviz calibrate --json`` prints. Two-class figures set supported (and conflicted) against the rest; an
        unjudged row counts as wrong there. A figure whose denominator is empty is None.

    Raises:
        InputError: There are no rows.
    """
    wanted = list(rows[:limit] if limit is not None else rows)
    if not wanted:
        raise InputError("there are no labelled rows", fix="give a JSONL file with at least one row")
    started = time.perf_counter()
    answers = answer_rows(wanted, judge, on_progress=on_progress)
    seconds = time.perf_counter() - started
    return report(answers, judge=judge.info.name, seconds=seconds)


def report(answers: Sequence[Answer], *, judge: str, seconds: float) -> dict[str, Any]:
    """The same object from answers that are there. ``seconds``: what judging took; 0 where nothing was judged anew."""
    datasets = sorted({a.row.dataset for a in answers})
    return {
        "judge": judge,
        **scores(answers),
        "per_dataset": {name: scores([a for a in answers if a.row.dataset == name]) for name in datasets},
        "claims_per_second": round(len(answers) / seconds, 2) if seconds > 0 else None,
        "peak_rss_mb": _peak_rss_mb(),
    }


def answer_rows(rows: Sequence[LabelRow], judge: Judge, *, on_progress: Callable[[int, int], None] | None = None) -> list[Answer]:
    """What the judge makes of each row, in order: each passage, then the joined passages where no single one settles the claim."""
    answers: list[Answer] = []
    for start in range(0, len(rows), _BATCH_ROWS):
        answers += _answer_batch(rows[start : start + _BATCH_ROWS], judge)
        if on_progress is not None:
            on_progress(len(answers), len(rows))
    return answers


def _answer_batch(rows: Sequence[LabelRow], judge: Judge) -> list[Answer]:
    cases = judged_cases(claim_cases([(row.claim, row.question, row.passages) for row in rows]), judge)
    return [_answer(row, case) for row, case in zip(rows, cases, strict=True)]


def _answer(row: LabelRow, case: JudgedTrace) -> Answer:
    fate = groundings(case, TABLE)[CLAIM]
    return Answer(row=row, grounding=fate.grounding, confidence=fate.confidence, evidence=_shown(fate, case.judgements))


def _shown(fate: ClaimGrounding, said: Sequence[Judgement]) -> tuple[tuple[str, Span], ...]:
    """The spans a reader is shown: those behind the verdict, or, where nothing decides, those that come nearest."""
    behind: Sequence[Judgement] = (*fate.supporting, *fate.contradicting)
    if not behind:
        whole = [j for j in said if any(e.passage_id for e in j.evidence)]
        behind = whole or [j for j in said if j.evidence][:1]
    return tuple((e.passage_id or j.key.premise_id, e.span) for j in behind for e in j.evidence)


def scores(answers: Sequence[Answer]) -> dict[str, Any]:
    """Every figure of ``calibrate`` that can be computed from answers alone."""
    confusion: Counter[tuple[str, str]] = Counter((a.row.label.value, a.grounding.value) for a in answers)
    bad = [a for a in answers if a.row.label is not Grounding.SUPPORTED]
    good = [a for a in answers if a.row.label is Grounding.SUPPORTED]
    caught = sum(_says_unsupported(a) for a in bad)
    false_alarms = sum(_says_unsupported(a) for a in good)
    passed = sum(a.grounding.is_supported for a in good)
    recall, precision = _ratio(caught, len(bad)), _ratio(caught, caught + false_alarms)
    specificity = _ratio(passed, len(good))
    contradicted = [a for a in answers if a.grounding is Grounding.CONTRADICTED]
    refuted = [a for a in answers if a.row.label is Grounding.CONTRADICTED]
    right = sum(a.row.label is Grounding.CONTRADICTED for a in contradicted)
    return {
        "n": len(answers),
        "coverage": _ratio(sum(a.grounding is not Grounding.UNJUDGED for a in answers), len(answers)),
        "balanced_accuracy": None if recall is None or specificity is None else (recall + specificity) / 2,
        "precision_unsupported": precision,
        "recall_unsupported": recall,
        "f1_unsupported": None if precision is None or recall is None else _f1(precision, recall),
        "kappa": _kappa(answers),
        "base_rate": _ratio(len(bad), len(answers)),
        "confusion": {label.value: {g.value: confusion[label.value, g.value] for g in Grounding} for label in LABELS},
        "contradiction": {"precision": _ratio(right, len(contradicted)), "recall": _ratio(right, len(refuted))},
        "evidence": _evidence_scores([a for a in answers if a.row.evidence]),
    }


def _says_unsupported(answer: Answer) -> bool:
    return answer.grounding in (Grounding.NOT_SUPPORTED, Grounding.CONTRADICTED)


def _kappa(answers: Sequence[Answer]) -> float | None:
    """Cohen's kappa of two classes; an unjudged row counts as the class the person did not choose."""
    n = len(answers)
    if not n:
        return None
    theirs = [a.row.label is Grounding.SUPPORTED for a in answers]
    ours = [not label if a.grounding is Grounding.UNJUDGED else a.grounding.is_supported for a, label in zip(answers, theirs, strict=True)]
    observed = sum(x == y for x, y in zip(theirs, ours, strict=True)) / n
    chance = (sum(theirs) * sum(ours) + (n - sum(theirs)) * (n - sum(ours))) / n**2
    return None if chance == 1 else (observed - chance) / (1 - chance)


def _evidence_scores(answers: Sequence[Answer]) -> dict[str, Any]:
    """Hit: some span shown overlaps a labelled one. F1: over characters, against the labelled set that fits best; mean over rows."""
    hits, f1s = 0, []
    for answer in answers:
        ours = {(passage, i) for passage, span in answer.evidence for i in range(span.start, span.end)}
        sets: dict[int, set[tuple[str, int]]] = {}
        for number, passage, span in answer.row.evidence:
            sets.setdefault(number, set()).update((passage, i) for i in range(span.start, span.end))
        hits += any(ours & theirs for theirs in sets.values())
        f1s.append(max(2 * len(ours & theirs) / (len(ours) + len(theirs)) for theirs in sets.values()))
    return {"n": len(answers), "hit": _ratio(hits, len(answers)), "f1": sum(f1s) / len(f1s) if f1s else None}


def _ratio(part: float, whole: float) -> float | None:
    return part / whole if whole else None


def _f1(precision: float, recall: float) -> float:
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def _peak_rss_mb() -> float | None:
    try:
        import resource  # noqa: PLC0415 - Windows has no such module
    except ImportError:
        return None
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    # Linux counts KiB, macOS bytes.
    return round(peak / (1024 * 1024 if sys.platform == "darwin" else 1024), 1)
