"""What judges are called where several stand side by side."""

from __future__ import annotations

from collections.abc import Sequence


def judge_labels(prints: Sequence[str]) -> dict[str, str]:
    """The shortest label that tells judges apart: name, else name and version, else with the model, else with the settings' hash."""
    parts = {p: [*p.split(":"), "-", "-", "-", "-"] for p in dict.fromkeys(prints)}
    # A judge without a model has "-" in its place, which tells nobody anything.
    tries = {
        p: [*(" ".join(word for word in some if word != "-") for some in ((w[0],), (w[0], w[1]), (w[0], w[1], w[3]), (w[0], w[1], w[3], w[2][:6]))), p]
        for p, w in parts.items()
    }
    labels: dict[str, str] = {}
    for one, candidates in tries.items():
        others = [c for other, cs in tries.items() if other != one for c in cs]
        labels[one] = next((c for c in candidates if c not in others), one)
    return labels
