"""Files of labelled pairs, and what the local judge says of them by words alone."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ragviz.judges.local import LocalJudge
from ragviz.records import Pair, PairKey, Table, Verdict

FOLDER = Path(__file__).resolve().parents[2] / "data"
JUDGE = LocalJudge(embeddings=False)


def rows_of(name: str) -> list[dict[str, Any]]:
    """Rows of a file beside the tests."""
    return [json.loads(line) for line in (FOLDER / name).read_text("utf-8").splitlines()]


def verdicts(pairs: Sequence[tuple[str, str]]) -> list[Verdict]:
    """One for each (claim, premise)."""
    asked = [Pair(key=PairKey(Table.RESPONSE_X_PASSAGES, "t", f"c{i}", "p"), premise=premise, hypothesis=claim) for i, (claim, premise) in enumerate(pairs)]
    return [judgement.verdict for judgement in JUDGE.judge(asked)]
