"""onnxruntime gives the vectors and the verdicts that our own encoder gives: why both are one judge with one fingerprint."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from ragviz.backends import embedder as room
from ragviz.backends.bert_encoder import BertEncoder
from ragviz.backends.embedder import Embedder
from ragviz.backends.embedding_weights import packaged_folder
from ragviz.backends.encoder_choice import missing
from ragviz.backends.encoder_trial import tried
from ragviz.backends.onnx_encoder import OnnxEncoder
from ragviz.judges.local import LocalJudge
from ragviz.pipeline import export_cache, import_files, judge_run
from ragviz.records import Pair, PairKey, Table
from ragviz.store import open_store
from tests.unit.backends.test_bert_encoder import TEXTS

pytestmark = [
    pytest.mark.weights,
    pytest.mark.slow,
    pytest.mark.skipif(bool(missing()) or not Embedder().available().ok, reason=f"needs ragviz[onnx]: {missing() or 'the weights'} not installed"),
]
REPO = Path(__file__).resolve().parents[3]


@pytest.fixture(scope="module")
def encoders(tmp_path_factory: pytest.TempPathFactory) -> tuple[BertEncoder, OnnxEncoder]:
    """Ours and onnxruntime's, of the packaged weights."""
    return BertEncoder(packaged_folder()), OnnxEncoder(packaged_folder(), kept_in=tmp_path_factory.mktemp("kept"))


def test_same_vectors(encoders: tuple[BertEncoder, OnnxEncoder]) -> None:
    """Blank, long, foreign and broken texts, alone and together: no number differs by more than rounding does."""
    own, other = encoders
    expected = own.encode(TEXTS)

    np.testing.assert_allclose(other.encode(TEXTS), expected, atol=2e-6)
    np.testing.assert_allclose(np.concatenate([other.encode([text]) for text in TEXTS]), expected, atol=2e-6)


def test_from_the_kept_graph(tmp_path: Path) -> None:
    """The next process reads the graph without the package that built it; a damaged one is built again."""
    code = (
        "import sys; from pathlib import Path; from ragviz.backends.embedding_weights import packaged_folder; from ragviz.backends.onnx_encoder import OnnxEncoder\n"
        f"e = OnnxEncoder(packaged_folder(), kept_in=Path({str(tmp_path)!r})); print(e.encode(['a sentence']).shape, 'onnx' in sys.modules, "
        f"'torch' in sys.modules)"
    )

    def run() -> str:
        return subprocess.run([sys.executable, "-c", code], cwd=REPO, capture_output=True, text=True, check=True).stdout.strip()

    assert [run(), run()] == ["(1, 384) True False", "(1, 384) False False"]
    (kept,) = tmp_path.iterdir()
    kept.write_bytes(kept.read_bytes()[:-1])
    assert run() == "(1, 384) True False"


def test_the_trial_measures_both() -> None:
    """Both figures are there, and the vectors are near enough to be taken."""
    trial = tried(packaged_folder(), ["One sentence.", "And another one, which is longer."], kept_in=None)

    assert trial.own_ms > 0
    assert trial.onnx_ms > 0
    assert 0 <= trial.apart < 2e-6


def test_same_judgements(encoders: tuple[BertEncoder, OnnxEncoder], monkeypatch: pytest.MonkeyPatch) -> None:
    """
    The project's own pairs and every claim of the sample runs: verdict, confidence to four decimals, evidence, clashes and words are the same.
    Ratings are kept to six decimals, of which the last may differ, as it may between batches of one engine.
    """
    rows = [
        json.loads(line) for name in ("minimal_pairs", "everyday_pairs") for line in (REPO / "tests" / "data" / f"{name}.jsonl").read_text("utf-8").splitlines()
    ]
    pairs = [Pair(key=PairKey(Table.RESPONSE_X_PASSAGES, "t", f"c{n}", "p"), premise=row["premise"], hypothesis=row["claim"]) for n, row in enumerate(rows)]

    found = []
    for encoder in encoders:
        monkeypatch.setitem(room._models, room.PACKAGED, encoder)
        store = open_store(":memory:")
        runs = [import_files(store, [REPO / "sample_traces" / name]).run_id for name in ("five_cases.json", "baseline.jsonl", "candidate.jsonl")]
        lines = [json.loads(line) for run in runs for line in gzip.decompress(export_cache(store, judge_run(store, run, LocalJudge()).view)).splitlines()]
        store.close()
        found.append(({line["key"]: line for line in lines}, LocalJudge().judge(pairs)))

    (own_lines, own), (other_lines, other) = found
    assert own == other
    assert own_lines.keys() == other_lines.keys()
    assert sum("judgement" in line for line in own_lines.values()) > 1_000
    for key, line in own_lines.items():
        if "judgement" in line:
            assert {**line["judgement"], "cost": None} == {**other_lines[key]["judgement"], "cost": None}
        elif "rating" in line:
            assert line["rating"]["value"] == pytest.approx(other_lines[key]["rating"]["value"], abs=2e-6)
