"""The encoder without torch gives the vectors that sentence-transformers gives."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from ragviz.backends.bert_encoder import BertEncoder, can_read
from ragviz.backends.embedder import Embedder
from ragviz.backends.embedding_weights import packaged_folder

TEXTS = [
    "", ".", "The film was a success.", "The film was a success.", "Rückgabe binnen 30 Tagen, ohne Gebühr.", "返品は30日以内です。", "word " * 400, "a" * 2_000,
    "zero\u200bwidth, \u202eturned\u202c and \x00 control", "🙂 emoji", *(" ".join(f"w{n}" for n in range(length)) for length in range(1, 60, 7)),
]


def needs_weights() -> None:
    """Skip where the embeddings extra is not installed."""
    if not Embedder().available().ok:
        pytest.skip("needs sentence-transformers and its weights")


@pytest.mark.weights
@pytest.mark.slow
def test_same_vectors() -> None:
    """Blank, long, foreign and broken texts, alone and together: no number differs by more than rounding does."""
    needs_weights()
    from sentence_transformers import SentenceTransformer

    expected = SentenceTransformer(str(packaged_folder()), device="cpu", local_files_only=True).encode(
        TEXTS, normalize_embeddings=True, show_progress_bar=False
    )
    encoder = BertEncoder(packaged_folder())

    np.testing.assert_allclose(encoder.encode(TEXTS), expected, atol=2e-6)
    np.testing.assert_allclose(np.concatenate([encoder.encode([text]) for text in TEXTS]), expected, atol=2e-6)


@pytest.mark.weights
def test_no_torch() -> None:
    """The first sentence is embedded without torch, which takes seconds to import."""
    needs_weights()
    code = "import sys; from ragviz.backends.embedder import Embedder; print(Embedder().encode(['a sentence']).shape, {'torch', 'sentence_transformers', 'transformers'} & set(sys.modules))"

    assert "(1, 384) set()" == subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip()


class TestCanRead:
    def test_packaged(self) -> None:
        """The packaged weights are of the kind it was written for."""
        needs_weights()
        assert can_read(packaged_folder())

    def test_nothing_there(self, tmp_path: Path) -> None:
        """An empty folder, or a hub id, is left to sentence-transformers."""
        assert not can_read(tmp_path)
        assert not can_read(Path("some-owner/some-model"))

    @pytest.mark.parametrize(
        ("file", "change"),
        [
            ("config.json", {"model_type": "roberta"}), ("config.json", {"hidden_act": "relu"}), ("1_Pooling/config.json", {"pooling_mode_cls_token": True}),
            ("1_Pooling/config.json", {"pooling_mode_mean_tokens": False}), ("config_sentence_transformers.json", {"default_prompt_name": "query"}),
        ],
    )
    def test_other_models(self, tmp_path: Path, file: str, change: dict[str, object]) -> None:
        """Another family, activation, pooling or a prompt: not this encoder's work."""
        parts = {
            "config.json": {"model_type": "bert", "hidden_act": "gelu"},
            "modules.json": [{"type": f"x.{name}"} for name in ("Transformer", "Pooling", "Normalize")],
            "1_Pooling/config.json": {"pooling_mode_mean_tokens": True, "pooling_mode_cls_token": False},
            "config_sentence_transformers.json": {},
            "tokenizer.json": {},
            "model.safetensors": {},
        }
        (tmp_path / "1_Pooling").mkdir()
        for name, content in parts.items():
            (tmp_path / name).write_text(json.dumps(content), "utf-8")
        assert can_read(tmp_path)

        (tmp_path / file).write_text(json.dumps({**dict(parts[file]), **change}), "utf-8")

        assert not can_read(tmp_path)
