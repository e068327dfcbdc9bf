"""Rank measures equal trec_eval's (through pytrec_eval) on every query of every pair of files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ragviz.metrics.trec import RunEvaluation, evaluate_run
from ragviz.text.trec_files import read_qrels, read_trec_run

PAIRS = ("trec_eval", "trec_eval_missing_query", "trec_eval_graded", "trec_eval_graded_level2", "ranx_tiny", "wice_dev_bm25")


def evaluated(shared: Path, pair: str) -> tuple[dict[str, Any], RunEvaluation]:
    raw = json.loads((shared / "retrieval" / "expected.json").read_text(encoding="utf-8"))
    expected = raw["pairs"][pair]
    folder = shared / "retrieval"
    with (folder / expected["run"]).open(encoding="utf-8") as run, (folder / expected["qrels"]).open(encoding="utf-8") as qrels:
        result = evaluate_run(read_trec_run(run), read_qrels(qrels), raw["k"], expected["relevance_level"])
    return expected, result


@pytest.mark.parametrize("pair", PAIRS)
def test_every_value_of_every_query(shared: Path, pair: str) -> None:
    """P, R, nDCG, AP, RR and hit at 1, 2, 3, 5, 10, 20 and uncut; ties, graded levels, level 2 and a query without results included."""
    expected, result = evaluated(shared, pair)

    for name, by_query in expected["per_query"].items():
        ours = {query: result["per_query"][query][name.replace("Success@", "hit@")] for query in by_query}
        assert ours == pytest.approx(by_query, abs=1e-5), name


@pytest.mark.parametrize("pair", PAIRS)
def test_means_count_every_judged_query(shared: Path, pair: str) -> None:
    """A judged query without results counts as 0."""
    expected, result = evaluated(shared, pair)

    theirs = {name: tools["pytrec_eval-terrier"]["over_all_qrels_queries"] for name, tools in expected["mean"].items()}
    ours = {name.replace("hit@", "Success@"): value for name, value in result["mean"].items()}
    assert ours == pytest.approx(theirs, abs=1e-5)
    assert (expected["queries_in_qrels"], expected["queries_in_both"]) == (result["queries"]["judged"], result["queries"]["retrieved"])
