"""Faults that users of other tools reported: the checks must see them, or keep quiet."""

from __future__ import annotations

import json
from pathlib import Path

from ragviz.consistency import check


def test_claim_cases_of_public_reports(shared: Path) -> None:
    """A contradicted case clashes on its passage, on both conflicting tokens; no other case clashes on any passage it is compared with alone."""
    wrong = []
    for line in (shared / "cases" / "public_reports.jsonl").read_text(encoding="utf-8").splitlines():
        case = json.loads(line)
        if case["kind"] != "claim":
            continue
        found = [check(case["claim"], passage) for passage in case["passages"]]
        clashes = [clash for f in found for clash in f.clashes]
        verdict = case["expect"].get("verdict")
        if verdict == "contradicted":
            shown = " ".join(f"{c.hypothesis_value} {c.premise_value}" for c in clashes)
            good = bool(clashes) and all(token in shown for token in case["expect"].get("tokens", []))
        elif verdict == "conflicted":
            good = len(clashes) == 1
        else:
            good = not clashes or case["expect"].get("verdict_not") == "supported"
        if not good:
            wrong.append((case["id"], [(c.kind, c.hypothesis_value, c.premise_value) for c in clashes]))

    assert wrong == []
