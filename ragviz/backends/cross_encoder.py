"""Cross-encoders through sentence-transformers: loaded on first use, safetensors only, no code from the model's folder."""

from __future__ import annotations

import importlib.util
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ragviz.backends.embedder import BackendState
from ragviz.errors import BackendError, JudgeUnavailable
from ragviz.records.codec import clean

FALLBACK_MAX_TOKENS = 512
SPECIAL_TOKENS = 4
HUB_WAIT_S = 10


class CrossEncoderBackend:
    """Probabilities of (premise, hypothesis) pairs, one column per label of the model. The constructor does nothing."""

    def __init__(self, model: str, *, batch_size: int = 16) -> None:
        """
        Args:
            model: Folder with config.json and *.safetensors, or the id of one on the hub.
            batch_size: Pairs per forward pass.
        """
        self.model = model
        self.batch_size = batch_size
        self._encoder: Any = None
        self._lock = threading.Lock()

    def state(self) -> BackendState:
        """Whether it can work here; loads and downloads nothing."""
        if not self.model:
            return BackendState(ok=False, reason="no model named", fix="name one: nli:<folder or hub id>")
        if importlib.util.find_spec("sentence_transformers") is None:
            return BackendState(ok=False, reason="sentence-transformers is not installed", fix="pip install 'ragviz[embeddings]'")
        folder = Path(self.model)
        if folder.is_dir():
            if not (folder / "config.json").is_file():
                return BackendState(ok=False, reason=f"{folder.name} has no config.json", fix="name the folder that holds the model's config.json")
            if not any(folder.glob("*.safetensors")):
                return BackendState(
                    ok=False, reason=f"{folder.name} has no .safetensors weights", fix="convert the weights: pickled ones can run code and are not loaded"
                )
            return BackendState(ok=True)
        if self.model.startswith((".", "/", "~")) or "\\" in self.model:
            return BackendState(ok=False, reason=f"there is no folder {self.model}", fix="check the path")
        return BackendState(ok=True, reason=f"{self.model} is fetched from the hub on first use unless it is already there")

    def must_be_here(self) -> None:
        """
        Refuse a model that is neither on this machine nor to be had from the hub, by one question: loading it would ask for every file, each again and again.

        Raises:
            JudgeUnavailable: Says which of the two it is.
        """
        if Path(self.model).is_dir():
            return
        import huggingface_hub  # noqa: PLC0415 - comes with sentence-transformers

        places = (self.model,) if "/" in self.model else (f"cross-encoder/{self.model}", self.model)
        try:
            if any(isinstance(huggingface_hub.try_to_load_from_cache(place, "config.json"), str) for place in places):
                return
            huggingface_hub.HfApi().model_info(places[0], timeout=HUB_WAIT_S)
        except Exception as exc:
            unknown = isinstance(exc, huggingface_hub.errors.RepositoryNotFoundError | huggingface_hub.errors.HFValidationError)
            why = "the hub has no model of that name" if unknown else f"the hub cannot be asked: {_first_line(exc)}"
            raise JudgeUnavailable(
                f"nli: {self.model} is not on this machine, and {why}",
                fix="name a folder with config.json, tokenizer and *.safetensors, or the id of a model on the hub",
            ) from exc

    def labels(self) -> tuple[str, ...]:
        """The model's own label names by column, lower case; () when its head has one output."""
        config = self._load().config
        names = getattr(config, "id2label", None) or {}
        return () if config.num_labels == 1 else tuple(str(names.get(i, names.get(str(i), f"label_{i}"))).lower() for i in range(config.num_labels))

    def max_tokens(self) -> int:
        """Word pieces of premise and hypothesis together that the model reads."""
        found = getattr(self._load(), "max_seq_length", None)
        return min(int(found), 8192) if found else FALLBACK_MAX_TOKENS

    def token_counts(self, texts: Sequence[str]) -> list[int]:
        """Word pieces of each text, special ones excluded."""
        tokenizer = self._load().tokenizer
        return (
            [len(ids) for ids in tokenizer([clean(text) for text in texts], add_special_tokens=False, truncation=False, verbose=False)["input_ids"]]
            if texts
            else []
        )

    def probabilities(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float64]:
        """
        Shape (n_pairs, n_labels); rows sum to 1. A single output is the probability of entailment, shape (n_pairs, 1).

        Raises:
            BackendError: The model failed or gave numbers that are none.
        """
        if not pairs:
            return np.zeros((0, 1))
        encoder = self._load()
        import torch  # noqa: PLC0415 - loaded with the model anyway

        try:
            raw = encoder.predict(
                [[clean(premise), clean(hypothesis)] for premise, hypothesis in pairs],
                batch_size=self.batch_size,
                activation_fn=torch.nn.Identity(),
                show_progress_bar=False,
            )
        except (RuntimeError, ValueError, IndexError) as exc:
            raise BackendError(f"{self.model}: the model failed: {exc}", fix="try a smaller batch, or another model") from exc
        logits = np.asarray(raw, dtype=np.float64).reshape(len(pairs), -1)
        if not np.isfinite(logits).all():
            raise BackendError(f"{self.model}: the model gives infinite or undefined scores", fix="the weights do not fit the config; get them again")
        if logits.shape[1] == 1:
            return np.asarray(1 / (1 + np.exp(-np.clip(logits, -60, 60))))
        shifted = np.exp(logits - logits.max(axis=1, keepdims=True))
        return np.asarray(shifted / shifted.sum(axis=1, keepdims=True))

    def _load(self) -> Any:
        state = self.state()
        if not state.ok:
            raise JudgeUnavailable(f"nli: {state.reason}", fix=state.fix)
        with self._lock:
            if self._encoder is None:
                self.must_be_here()
                from sentence_transformers import CrossEncoder  # noqa: PLC0415 - 8 s and 400 MB that only this judge needs

                try:
                    self._encoder = CrossEncoder(self.model, device="cpu", trust_remote_code=False, model_kwargs={"use_safetensors": True})
                except (OSError, ValueError, RuntimeError, KeyError) as exc:
                    raise JudgeUnavailable(
                        f"nli: {self.model} cannot be loaded: {_first_line(exc)}", fix="name a folder with config.json, tokenizer and *.safetensors"
                    ) from exc
            return self._encoder


def _first_line(exc: Exception) -> str:
    return (str(exc).strip() or type(exc).__name__).splitlines()[0]
