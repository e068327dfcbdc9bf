"""Agreement by kind of claim: a judge that is good on the whole may be poor at long claims, or where many passages were retrieved."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ragviz.pipeline.calibrate import Answer, scores
from ragviz.pipeline.label_files import LabelRow
from ragviz.pipeline.trust import ends, two_class_intervals
from ragviz.text.question_kinds import question_kind

SMALLEST = 10
"""Labels below which a slice is not shown: it would say nothing."""
SMALL = 30
"""Labels below which a slice is marked as small."""
_MANY, _SEVERAL = 5, 2
_LONG, _MEDIUM = 20, 10


def kinds(row: LabelRow) -> dict[str, str]:
    """What slices are made of; a property the row lacks is absent."""
    words, n = len(row.claim.split()), len(row.passages)
    found = {
        "claim length": f"over {_LONG} words" if words > _LONG else f"{_MEDIUM + 1} to {_LONG} words" if words > _MEDIUM else f"up to {_MEDIUM} words",
        "numbers in the claim": "some" if any(c.isdigit() for c in row.claim) else "none",
        "passages": f"{_MANY} or more" if n >= _MANY else f"{_SEVERAL} to {_MANY - 1}" if n >= _SEVERAL else str(n),
    }
    if row.question.strip():
        found["question"] = question_kind(row.question)
    return found


def per_slice(answers: Sequence[Answer], *, smallest: int = SMALLEST) -> dict[str, dict[str, dict[str, Any]]]:
    """
    Every figure by property and value, with n and intervals: ``{"claim length": {"up to 10 words": {…}}}``.

    Args:
        answers: What the judge said, beside the labels.
        smallest: Slices of fewer labels are left out, and so is a property all rows share.
    """
    members: dict[str, dict[str, list[Answer]]] = {}
    for answer in answers:
        for name, value in kinds(answer.row).items():
            members.setdefault(name, {}).setdefault(value, []).append(answer)
    found: dict[str, dict[str, dict[str, Any]]] = {}
    for name, values in sorted(members.items()):
        kept = {value: with_intervals(some) for value, some in sorted(values.items(), key=lambda item: _order(item[0])) if len(some) >= smallest}
        if len(values) > 1 and kept:
            found[name] = kept
    return found


def per_dataset(answers: Sequence[Answer]) -> dict[str, dict[str, Any]]:
    """Every figure by data set, with intervals."""
    return {name: with_intervals([a for a in answers if a.row.dataset == name]) for name in sorted({a.row.dataset for a in answers})}


def with_intervals(answers: Sequence[Answer]) -> dict[str, Any]:
    """Figures of some answers, and the intervals of the two that are compared most."""
    kappa, balanced = two_class_intervals(answers)
    return scores(answers) | {"kappa_ci95": ends(kappa), "balanced_accuracy_ci95": ends(balanced)}


def _order(value: str) -> tuple[int, str]:
    """"up to 10 words" before "11 to 20 words" before "over 20 words"; other values by their letters and numbers."""
    digits = "".join(c for c in value.split(maxsplit=1)[0] if c.isdigit()) if value.split() else ""
    first = -1 if value.startswith("up to") else 10**6 if value.startswith("over") else int(digits) if digits else 10**7
    return first, value
