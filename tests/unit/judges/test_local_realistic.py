"""Realistic pairs, written by somebody who did not know the judge's rules: passages as they are retrieved, claims as answers make them."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from pathlib import Path

from ragviz.judges.local import LocalJudge
from ragviz.records import Pair, PairKey, Table, Verdict

PAIRS = Path(__file__).resolve().parents[2] / "data" / "realistic_pairs.jsonl"
ROWS = [json.loads(line) for line in PAIRS.read_text("utf-8").splitlines()]
DEVELOPED = [row for row in ROWS if "-d" in row["id"]]
JUDGE = LocalJudge(embeddings=False)


def verdicts(rows: list[dict[str, str]]) -> list[Verdict]:
    asked = [Pair(key=PairKey(Table.RESPONSE_X_PASSAGES, "t", row["id"], "p"), premise=row["premise"], hypothesis=row["claim"]) for row in rows]
    return [judgement.verdict for judgement in JUDGE.judge(asked)]


class TestFile:
    def test_enough_of_each(self) -> None:
        """400 pairs, ids unique, all three expectations on both sides."""
        assert len(ROWS) >= 400
        assert len({row["id"] for row in ROWS}) == len(ROWS)
        assert 6 == len({(half, row["expect"]) for row in ROWS for half in ("-d", "-h") if half in row["id"]})

    def test_a_passage_stays_on_one_side(self) -> None:
        """What was developed on shares no passage with what was held out."""
        sides: dict[str, set[str]] = defaultdict(set)
        for row in ROWS:
            found = re.fullmatch(r"real-([dh])\d{3}-\d", row["id"])
            assert found, row["id"]
            sides[row["premise"]].add(found[1])

        assert all(len(found) == 1 for found in sides.values())


class TestDevelopmentHalf:
    def test_right_side_of_supported(self) -> None:
        """Balanced accuracy on the half that was looked at; what it is worth, only the other half tells."""
        found = verdicts(DEVELOPED)
        good = [v is Verdict.ENTAILED for v, row in zip(found, DEVELOPED, strict=True) if row["expect"] == "supported"]
        bad = [v in (Verdict.NEUTRAL, Verdict.CONTRADICTED) for v, row in zip(found, DEVELOPED, strict=True) if row["expect"] != "supported"]

        assert (sum(good) / len(good) + sum(bad) / len(bad)) / 2 >= 0.62

    def test_supported_is_hardly_ever_contradicted(self) -> None:
        """At most 3 in 100."""
        rows = [row for row in DEVELOPED if row["expect"] == "supported"]

        assert sum(v is Verdict.CONTRADICTED for v in verdicts(rows)) <= 0.03 * len(rows)
