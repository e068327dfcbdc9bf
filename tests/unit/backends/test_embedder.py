"""Embeddings without weights: a stand-in model counts what it is asked."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from ragviz.backends import embedder as room
from ragviz.backends.embedder import PIECE_CHARS, BackendState, Embedder
from ragviz.errors import BackendError, JudgeUnavailable


class CountingModel:
    """Gives each text the vector (length, 1, 0) and remembers what it was asked."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def get_embedding_dimension(self) -> int:
        return 3

    def encode(self, texts: list[str], **_: object) -> NDArray[np.float32]:
        self.asked += texts
        rows = np.array([[len(t), 1.0, 0.0] for t in texts], dtype=np.float32)
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> CountingModel:
    """A model in memory under the name "fake", and no torch."""
    stand_in = CountingModel()
    monkeypatch.setitem(room._models, "fake", stand_in)
    monkeypatch.setattr(Embedder, "_capped_threads", lambda _: __import__("contextlib").nullcontext())
    return stand_in


class TestEncode:
    def test_each_text_once(self, model: CountingModel) -> None:
        """Repeats inside a call and between calls are looked up, not computed."""
        embedder = Embedder("fake")

        first = embedder.encode(["aa", "b", "aa"])
        second = embedder.encode(["b", "ccc"])

        assert ["aa", "b", "ccc"] == model.asked
        assert (3, 3) == first.shape
        np.testing.assert_array_equal(first[1], second[0])
        np.testing.assert_allclose(np.linalg.norm(first, axis=1), 1, rtol=1e-6)

    def test_nothing_asked_nothing_loaded(self, model: CountingModel) -> None:
        """No texts, no model."""
        assert (0, 0) == Embedder("never loaded").encode([]).shape
        assert model.asked == []

    def test_blank_text_is_the_zero_vector(self, model: CountingModel) -> None:
        """A blank text is like nothing, not like everything."""
        assert [[0.0, 0.0, 0.0]] == Embedder("fake").encode([" \n"]).tolist()

    def test_long_text_is_read_whole(self, model: CountingModel) -> None:
        """What the model would cut off is embedded in pieces."""
        text = "word " * PIECE_CHARS

        Embedder("fake").encode([text])

        assert text.replace(" ", "") == "".join(model.asked).replace(" ", "")
        assert max(map(len, model.asked)) <= PIECE_CHARS

    def test_lone_surrogate(self, model: CountingModel) -> None:
        """Broken text is embedded as the tokenizer can take it."""
        assert (1, 3) == Embedder("fake").encode(["a\ud800b"]).shape

    def test_not_finite(self, model: CountingModel, monkeypatch: pytest.MonkeyPatch) -> None:
        """A damaged model says so instead of giving nan."""
        monkeypatch.setattr(model, "encode", lambda texts, **_: np.full((len(texts), 3), np.nan, dtype=np.float32))

        with pytest.raises(BackendError, match="not finite"):
            Embedder("fake").encode(["a"])


class TestCaches:
    def test_memory_is_bounded(self, model: CountingModel) -> None:
        """The least recently used vector goes first."""
        embedder = Embedder("fake", max_cached=2)

        embedder.encode(["a", "b"])
        embedder.encode(["a"])
        embedder.encode(["c"])
        model.asked.clear()
        embedder.encode(["a", "b"])

        assert ["b"] == model.asked

    def test_folder_outlives_the_embedder(self, model: CountingModel, tmp_path: Path) -> None:
        """A new embedder on the same folder asks the model nothing; a damaged file is computed again."""
        Embedder("fake", cache_folder=tmp_path).encode(["a"])
        model.asked.clear()

        Embedder("fake", cache_folder=tmp_path).encode(["a"])
        assert model.asked == []

        next(tmp_path.rglob("*.npy")).write_bytes(b"cut off")
        Embedder("fake", cache_folder=tmp_path).encode(["a"])
        assert ["a"] == model.asked

    def test_count_new(self, model: CountingModel) -> None:
        """A plan can say how much is still to do."""
        embedder = Embedder("fake")
        embedder.encode(["a"])

        assert 1 == embedder.count_new(["a", "b", "b"])


class TestAvailable:
    def test_missing_package(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Says what to install; loading then refuses in the same words."""
        monkeypatch.setattr("importlib.util.find_spec", lambda _: None)

        assert BackendState(ok=False, reason="sentence-transformers is not installed", fix='pip install "ragviz[embeddings]"') == Embedder().available()
        with pytest.raises(JudgeUnavailable, match="not installed"):
            Embedder("unheard of").load()

    def test_asking_imports_nothing_heavy(self) -> None:
        """Looking whether it could work costs no torch."""
        code = "import sys; from ragviz.backends.embedder import Embedder; e = Embedder(); e.available(); e.revision; print('torch' in sys.modules)"

        assert "False" == subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip()


@pytest.mark.weights
@pytest.mark.slow
def test_real_weights() -> None:
    """Paraphrases lie closer together than unrelated sentences."""
    if not Embedder().available().ok:
        pytest.skip("needs sentence-transformers and its weights")
    said, meant, other = Embedder().encode(["The film was a success.", "The movie did well.", "Bake the bread at 230 degrees."])

    assert said @ meant > 0.5 > said @ other
