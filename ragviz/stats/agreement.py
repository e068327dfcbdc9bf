"""How far two sources of labels agree: people and a judge, two judges, one judge twice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence

import msgspec


class Detection(msgspec.Struct, frozen=True, kw_only=True):
    """How well one class is found."""

    precision: float | None
    """Of those called so, the share that is; None when none was called so."""
    recall: float | None
    """Of those that are, the share that was called so; None when there are none."""
    f1: float | None
    n: int
    """How many there are."""


def confusion(truth: Sequence[Hashable], said: Sequence[Hashable]) -> dict[tuple[Hashable, Hashable], int]:
    """Counts of (true label, said label)."""
    return dict(Counter(zip(truth, said, strict=True)))


def cohen_kappa(truth: Sequence[Hashable], said: Sequence[Hashable]) -> float | None:
    """
    Agreement beyond chance, 1 = perfect, 0 = chance, negative = worse than chance.

    Returns:
        None when there is nothing to compare, or both use one and the same label throughout: agreement by chance is then certain.

    Source: Cohen 1960, Educational and Psychological Measurement 20(1).
    """
    n = len(truth)
    if n == 0:
        return None
    agreed = sum(a == b for a, b in zip(truth, said, strict=True)) / n
    rows, columns = Counter(truth), Counter(said)
    by_chance = sum(rows[label] * columns[label] for label in rows) / n**2
    return None if by_chance >= 1 else (agreed - by_chance) / (1 - by_chance)


def detection(truth: Sequence[Hashable], said: Sequence[Hashable], label: Hashable) -> Detection:
    """Precision, recall and F1 of one label against all others."""
    pairs = list(zip(truth, said, strict=True))
    right = sum(t == label and s == label for t, s in pairs)
    called = sum(s == label for _, s in pairs)
    there = sum(t == label for t, _ in pairs)
    precision = right / called if called else None
    recall = right / there if there else None
    f1 = 2 * right / (called + there) if called + there else None
    return Detection(precision=precision, recall=recall, f1=f1, n=there)


def balanced_accuracy(truth: Sequence[Hashable], said: Sequence[Hashable]) -> float | None:
    """Mean over the true labels of the share that was recognised; None when there is nothing."""
    labels = dict.fromkeys(truth)
    recalls = [r for label in labels if (r := detection(truth, said, label).recall) is not None]
    return sum(recalls) / len(recalls) if recalls else None


def base_rate(truth: Sequence[Hashable], label: Hashable) -> float | None:
    """Share of a label; kappa means little without it."""
    return sum(t == label for t in truth) / len(truth) if truth else None


def corrected_rate(apparent: float, *, sensitivity: float, specificity: float) -> float | None:
    """
    The true rate of a label behind the rate an imperfect judge reports, cut to [0, 1].

    Args:
        apparent: Share the judge calls so.
        sensitivity: Share of the true ones it recognises.
        specificity: Share of the others it recognises as such.

    Returns:
        None when the judge is no better than chance: nothing can be inferred.

    Source: Rogan & Gladen 1978, American Journal of Epidemiology 107(1).
    """
    skill = sensitivity + specificity - 1
    return None if skill <= 0 else min(1.0, max(0.0, (apparent + specificity - 1) / skill))


def stability(answers: Mapping[Hashable, Sequence[Hashable]]) -> float | None:
    """
    Share of pairs of repeats of one item that agree, over items asked at least twice; None when there are none.

    Args:
        answers: For each item, what the judge said each time.
    """
    agree = total = 0
    for said in answers.values():
        counts = Counter(said)
        agree += sum(c * (c - 1) // 2 for c in counts.values())
        total += len(said) * (len(said) - 1) // 2
    return agree / total if total else None
