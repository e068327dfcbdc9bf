"""
How often a clash found by the consistency checks is a real contradiction.

Claims sets of ../shared/claims; each passage is reduced to its best windows (lexical), each window is checked. A row counts as "called
contradicted" when its best-aligned window clashes. Development rows: even group hash; held-out rows: odd.

    python benchmarks/quality/consistency.py [--half dev|test|both] [--show fp|fn|tp --set NAME]
"""

from __future__ import annotations

import argparse
import json
import math
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ragviz.consistency import Findings, check
from ragviz.evidence.select import choose_units
from ragviz.evidence.windows import index_premise
from ragviz.text.tokens import content_tokens

SETS = ("fever_symmetric_dev", "wice_dev", "factcheck_gpt", "summedits_sales")
CLAIMS = Path(__file__).resolve().parents[3] / "shared" / "claims"
MAX_WINDOW = 900


def rows(name: str, half: str) -> Iterator[dict[str, Any]]:
    """Rows of one set; the half by the group's hash."""
    with (CLAIMS / f"{name}.jsonl").open(encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            if half == "both" or int(row["group"], 16) % 2 == (half == "test"):
                yield row


def windows(claim: str, passages: list[dict[str, str]]) -> list[str]:
    """The best sentence of each of the three best passages, with its neighbours."""
    stems = frozenset(token.stem for token in content_tokens(claim))
    found: list[tuple[float, str]] = []
    for passage in passages:
        indexed = index_premise(passage["text"])
        for choice in choose_units(stems, indexed, max_spans=2):
            units = indexed.units[max(0, choice.unit - 1) : choice.unit + 2]
            start, end = units[0].span.start, units[-1].span.end
            if end - start > MAX_WINDOW:
                start, end = indexed.units[choice.unit].span.start, indexed.units[choice.unit].span.end
            found.append((choice.gain, passage["text"][start:end]))
    found.sort(key=lambda f: -f[0])
    if not found:
        return [passage["text"][:MAX_WINDOW] for passage in passages[:1]]
    return [text for _, text in found[:3]]


def verdict(claim: str, passages: list[dict[str, str]]) -> tuple[Findings, str]:
    """Findings of the window that covers most of the claim, and the window."""
    checked = [(check(claim, text), text) for text in windows(claim, passages)]
    return max(checked, key=lambda c: (c[0].coverage, c[0].alignment), default=(Findings(), ""))


def interval(k: int, n: int) -> str:
    """Wilson 95 % interval."""
    if not n:
        return "-"
    z, p = 1.96, k / n
    mid, half = (p + z * z / 2 / n) / (1 + z * z / n), z * math.sqrt(p * (1 - p) / n + z * z / 4 / n / n) / (1 + z * z / n)
    return f"{mid - half:.2f}-{mid + half:.2f}"


def measure(name: str, half: str, show: str | None) -> None:
    """One table row per label, one per kind."""
    called: Counter[str] = Counter()
    total: Counter[str] = Counter()
    dropped: Counter[str] = Counter()
    kinds: Counter[tuple[str, str]] = Counter()
    for row in rows(name, half):
        findings, window = verdict(row["claim"], row["passages"])
        label = row["label"]
        total[label] += 1
        dropped[label] += bool(findings.dropped)
        if findings.clashes:
            called[label] += 1
            kinds.update((kind.value, label) for kind in findings.kinds)
        wrong = bool(findings.clashes) and label == "supported"
        if show and (
            (show == "fp" and wrong)
            or (show == "fn" and not findings.clashes and label == "contradicted")
            or (show == "tp" and findings.clashes and label != "supported")
            or (show == "drop" and findings.dropped and label == "supported")
        ):
            shown = findings.dropped if show == "drop" else findings.clashes
            print(
                label,
                "|",
                row["claim"],
                "\n   ",
                window[:700].replace("\n", " / "),
                "\n   ",
                [(c.kind.value, c.hypothesis_value, c.premise_value) for c in shown],
            )
    right, wrong = called["contradicted"], called["supported"]
    print(f"\n{name} ({half}): rows {sum(total.values())}")
    for label, n in sorted(total.items()):
        print(
            f"  called contradicted | {label:14} {called[label]:4}/{n:4} = {called[label] / n:6.1%} ({interval(called[label], n)})   qualifier "
            f"dropped {dropped[label] / n:6.1%}"
        )
    if total["contradicted"]:
        print(
            f"  precision against supported {right / max(1, right + wrong):.3f} ({interval(right, right + wrong)}), recall {right / total['contradicted']:.3f}"
        )
    print("  by kind: " + ", ".join(f"{k}/{label[:4]} {n}" for (k, label), n in sorted(kinds.items())))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--half", choices=("dev", "test", "both"), default="dev")
    parser.add_argument("--set", choices=SETS)
    parser.add_argument("--show", choices=("fp", "fn", "tp", "drop"))
    options = parser.parse_args()
    begun = time.perf_counter()
    for name in SETS:
        if options.set in {None, name}:
            measure(name, options.half, options.show)
    print(f"\n{time.perf_counter() - begun:.1f} s")


if __name__ == "__main__":
    main()
