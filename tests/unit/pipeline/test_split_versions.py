"""Two runs whose claims were split by different versions of the rules, or judged by different versions of a judge: it is said, with what to do."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from ragviz.compare.fairness import Fingerprints, unfair
from ragviz.pipeline import import_files, judge_run
from ragviz.pipeline.comparing import Seen, compare_seen
from ragviz.pipeline.split_versions import SplitAnew, split_anew
from ragviz.records import Claim, Side, Span, Trace
from ragviz.store import Store
from tests.unit.pipeline.fakes import WordJudge

pytestmark = pytest.mark.usefixtures("no_raters")


@dataclass(frozen=True, kw_only=True)
class EarlierRules:
    """Every text is one claim, as no version of the rules has it of two sentences."""

    name: str = "rules"
    version: str = "0"

    def extract(self, traces: Sequence[Trace], *, side: Side) -> list[list[Claim]]:
        return [
            [Claim(id="c1", trace_id=t.id, side=side, text=t.response, spans=(Span(0, len(t.response)),), extractor=self.name)] if side is Side.RESPONSE else []
            for t in traces
        ]


def seen(store: Store, folder: Path, name: str, *, split: EarlierRules | None = None, response: str = "The sky is blue. Grass is green.") -> Seen:
    rows = [{"id": f"q{i}", "question": f"What of {i}?", "response": response, "passages": [{"text": "The sky is blue."}]} for i in range(8)]
    (folder / f"{name}.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    run_id = import_files(store, [folder / f"{name}.jsonl"], run_name=name).run_id
    return Seen(store, judge_run(store, run_id, WordJudge(), claims=split).view)


def test_an_earlier_version_on_one_side_is_said_with_what_to_do(store: Store, tmp_path: Path) -> None:
    """Eight answers of two sentences each are one claim there, and two here."""
    old, new = seen(store, tmp_path, "old", split=EarlierRules()), seen(store, tmp_path, "new", response="The sky is blue. Grass is red.")
    (found,) = compare_seen(old, new).unfair
    (turned,) = compare_seen(new, old).unfair

    assert (split_anew(old), split_anew(new)) == (SplitAnew(8, 8), SplitAnew(0, 8))
    assert found.name == "claim_set"
    assert found.told == (
        "the baseline was split into claims by an earlier version of the rules: version 2 splits 8 of 8 traces otherwise; "
        "import the file of old anew and judge it, so that both runs are split alike"
    )
    assert turned.message.startswith("the candidate was split into claims by an earlier version")


def test_runs_split_alike_are_no_matter(store: Store, tmp_path: Path) -> None:
    """Both by this version, or both by an earlier one."""
    for split in (None, EarlierRules()):
        name = "now" if split is None else "then"
        assert compare_seen(seen(store, tmp_path, f"{name}-a", split=split), seen(store, tmp_path, f"{name}-b", split=split)).unfair == ()


def test_versions_of_one_judge_are_named() -> None:
    """And so are settings and other judges; each with what to do."""
    def told(base: str, candidate: str) -> tuple[str, str]:
        (found,) = unfair(Fingerprints(judge=base), Fingerprints(judge=candidate))
        return found.message, found.fix

    message, fix = told("local:11:ab:-:-:-", "local:12:ab:-:-:-")
    assert message == "the two runs were judged by different versions of local: 11 and 12"
    assert "`ragviz judge RUN --judge local`" in fix
    assert told("anthropic:1:ab:opus:-:p1", "anthropic:1:ab:sonnet:-:p1")[0] == "the two runs were judged by anthropic 1 with different models or settings"
    assert told("local:12:ab:-:-:-", "nli:2:cd:m:-:-") == ("the two runs were judged by different judges", "judge both runs with one judge")
