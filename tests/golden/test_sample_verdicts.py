"""The verdicts shipped with the samples are those the local judge gives today."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from pathlib import Path

import pytest

from ragviz.judges import fingerprint, judges
from ragviz.judges.local import LocalJudge
from ragviz.records import Judgement, Provenance
from ragviz.records.codec import decode, encode

REPO = Path(__file__).resolve().parent.parent.parent
SHIPPED = REPO / "sample_traces" / "verdicts.jsonl.gz"


def lines() -> list[dict[str, object]]:
    """Every shipped answer."""
    return [json.loads(line) for line in gzip.decompress(SHIPPED.read_bytes()).splitlines()]


def test_they_come_from_this_version_of_the_judge() -> None:
    """Otherwise they would never be found in the cache: run `make samples`."""
    judge = judges.make("local")
    if judge.available().degraded:
        pytest.skip("the shipped verdicts were made with embeddings, which are not installed here")
    said = {decode(encode(line["judgement"]), Judgement).provenance.fingerprint for line in lines() if "judgement" in line}

    assert said == {fingerprint(judge)}


def test_the_first_page_needs_no_model() -> None:
    """Judging the samples from the shipped answers alone loads no torch."""
    if LocalJudge().available().degraded:
        pytest.skip("the shipped verdicts were made with embeddings, which are not installed here")
    code = (
        "import sys; from pathlib import Path; from ragviz.pipeline import import_files, judge_run, load_cache; from ragviz.store import open_store\n"
        "store = open_store(':memory:'); folder = Path('sample_traces'); load_cache(store, folder / 'verdicts.jsonl.gz')\n"
        "reports = [judge_run(store, import_files(store, [folder / n]).run_id, 'local') for n in ('five_cases.json', 'baseline.jsonl', 'candidate.jsonl')]\n"
        "print(sum(r.n_pairs for r in reports) - sum(r.n_cached for r in reports), 'torch' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=REPO, capture_output=True, text=True, check=False)

    assert done.stdout.split() == ["0", "False"], done.stderr


def test_provenance_is_complete() -> None:
    """Who said so, with which version and model."""
    some = next(line["judgement"] for line in lines() if "judgement" in line)

    assert decode(encode(some["provenance"]), Provenance).judge == "local"  # type: ignore[index]
