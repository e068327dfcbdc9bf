"""
Which engine runs the packaged sentence encoder: ours (numpy), or onnxruntime where ``ragviz doctor`` measured it as faster.

Vectors of the two differ by rounding alone, and verdicts do not (a test compares them), so the judge is the same by either and has one fingerprint.
"""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from ragviz.backends.onnx_graph import GRAPH_VERSION
from ragviz.backends.whole_files import write_whole
from ragviz.errors import SetupError

OWN, ONNX = "own", "onnx"
VARIABLE = "RAGVIZ_ENCODER"
FILE_NAME = "sentence_encoder.json"
FIX = "pip install 'ragviz[onnx]'"


class _Settings(NamedTuple):
    folder: Callable[[], Path] | None = None
    forced: str = ""


_settings = _Settings()


def look_in(folder: Callable[[], Path] | None, *, forced: str = "") -> None:
    """
    Where this process finds the choice, told once by the command line or the dashboard. Without it our own engine runs.

    Args:
        folder: Gives the user's data folder, asked when a model is loaded; None for none.
        forced: "own" or "onnx" whatever was chosen.

    Raises:
        SetupError: ``forced`` is another word.
    """
    global _settings  # noqa: PLW0603 - weights are one per process, and so is what runs them
    if forced not in {"", OWN, ONNX}:
        raise SetupError(f"{VARIABLE} is {forced!r}", fix=f"set it to {OWN} or {ONNX}, or not at all")
    _settings = _Settings(folder, forced)


def forced() -> str:
    """The engine that is forced; "" for none."""
    return _settings.forced


def folder_in_use() -> Path | None:
    """The folder of the choice; None where nobody told of one."""
    return _settings.folder() if _settings.folder is not None else None


def choose(engine: str, *, weights: str) -> bool:
    """Keep the choice for these weights and this onnxruntime; False where the folder cannot be written."""
    folder = folder_in_use()
    words = {"engine": engine, "weights": weights, "runtime": runtime_version(), "graph": GRAPH_VERSION}
    return folder is not None and write_whole(folder / FILE_NAME, json.dumps(words, indent=1).encode())


def chosen(*, weights: str) -> str:
    """OWN or ONNX: what is forced, else what was chosen for exactly these weights, this onnxruntime and this graph, else OWN."""
    if _settings.forced:
        return _settings.forced
    folder = folder_in_use()
    try:
        kept = json.loads((folder / FILE_NAME).read_text("utf-8")) if folder is not None else None
    except (OSError, ValueError):
        # Never written, or damaged: our own until doctor runs again.
        return OWN
    fits = kept == {"engine": ONNX, "weights": weights, "runtime": runtime_version(), "graph": GRAPH_VERSION}
    return ONNX if fits and not missing() else OWN


def missing() -> str:
    """The package of the onnx extra that is not installed; "" if nothing is missing. Imports nothing."""
    return next((name for name in ("onnxruntime", "onnx") if importlib.util.find_spec(name) is None), "")


def runtime_version() -> str:
    """Version of onnxruntime; "" if there is none."""
    from importlib import metadata  # noqa: PLC0415 - every command imports this file, few need it

    try:
        return metadata.version("onnxruntime")
    except metadata.PackageNotFoundError:
        return ""
