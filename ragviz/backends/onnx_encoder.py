"""The packaged sentence encoder run by onnxruntime: the same weights, tokens and vectors as ``BertEncoder``, where installed and faster."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from ragviz.backends.bert_encoder import BertEncoder, Floats
from ragviz.backends.encoder_choice import FIX, OWN, VARIABLE, chosen, folder_in_use, forced
from ragviz.backends.onnx_graph import GRAPH_VERSION, IR_VERSION, LAYER_PARTS, NORM, OPSET, PLACES, WORDS, build_graph, kept_graph
from ragviz.errors import JudgeUnavailable

_log = logging.getLogger(__name__)
_PLACES_AT_ONCE = 256
"""Tokens and padding of one pass; measured: 256 takes 0.9 times the CPU of 768."""


class OnnxEncoder(BertEncoder):
    """Texts to unit vectors. Texts of one pass are padded to the longest of them, which changes no vector."""

    def __init__(self, folder: Path, *, kept_in: Path | None = None, max_threads: int = 1) -> None:
        """
        Args:
            folder: The weights, in the layout of sentence-transformers.
            kept_in: Where the graph is kept for the next process; None builds it anew.
            max_threads: Threads of one pass.

        Raises:
            ImportError: onnxruntime, or onnx where the graph has to be built, is not installed.
            OSError, ValueError, KeyError: See ``BertEncoder``.
            RuntimeError: onnxruntime cannot run the graph.
        """
        import onnxruntime  # noqa: PLC0415 - comes with the onnx extra

        super().__init__(folder)
        weights = dict(self._named())
        shapes = {name: tuple(array.shape) for name, array in weights.items()}
        key = f"{GRAPH_VERSION} {OPSET} {IR_VERSION} {self._heads} {self._eps} {shapes}"
        graph = kept_graph(kept_in, key, lambda: build_graph(shapes, heads=self._heads, eps=self._eps))
        settings = onnxruntime.SessionOptions()
        settings.intra_op_num_threads, settings.inter_op_num_threads = max_threads, 1
        # Threads that wait for work would take the processor from others.
        settings.add_session_config_entry("session.intra_op.allow_spinning", "0")
        settings.log_severity_level = 3
        settings.add_external_initializers(list(weights), [onnxruntime.OrtValue.ortvalue_from_numpy(array) for array in weights.values()])
        try:
            self._session: Any = onnxruntime.InferenceSession(graph, settings, providers=["CPUExecutionProvider"])
        except Exception as exc:  # the library's errors have no other common class
            raise RuntimeError(f"onnxruntime {onnxruntime.__version__} does not take the graph: {exc}") from exc
        # The session has copied them; only the width is asked for again.
        self._words, self._places, self._layers = np.empty((0, shapes[WORDS][1]), dtype=np.float32), np.empty(0, dtype=np.float32), []

    def _named(self) -> Iterator[tuple[str, Floats]]:
        yield WORDS, np.ascontiguousarray(self._words)
        yield PLACES, np.ascontiguousarray(self._places)
        yield from ((f"{NORM}.{n}", np.ascontiguousarray(part)) for n, part in enumerate(self._norm))
        for n, layer in enumerate(self._layers):
            for name in LAYER_PARTS:
                part, _, index = name.partition(".")
                value = getattr(layer, part)
                yield f"{n}.{name}", np.ascontiguousarray(value[int(index)] if index else value)

    def _batches(self, ids: list[list[int]]) -> Iterator[list[int]]:
        batch: list[int] = []
        for i in sorted(range(len(ids)), key=lambda i: len(ids[i])):
            if batch and (len(batch) + 1) * len(ids[i]) > _PLACES_AT_ONCE:
                yield batch
                batch = []
            batch.append(i)
        if batch:
            yield batch

    def _forward(self, rows: list[list[int]]) -> Floats:
        ids = np.zeros((len(rows), len(rows[-1])), dtype=np.int64)
        mask = np.zeros_like(ids)
        for n, row in enumerate(rows):
            ids[n, : len(row)], mask[n, : len(row)] = row, 1
        return np.asarray(self._session.run(None, {"ids": ids, "mask": mask})[0], dtype=np.float32)


def load_encoder(folder: Path, *, weights: str, max_threads: int) -> BertEncoder:
    """
    The packaged encoder by the engine that is chosen.

    Args:
        folder: The weights.
        weights: Their version, as in the choice.
        max_threads: See ``OnnxEncoder``; ours is capped when it runs.

    Raises:
        JudgeUnavailable: onnx is forced and cannot run here. What was only chosen gives way to our own, with a warning in the log.
        OSError, ValueError, KeyError, TypeError: See ``BertEncoder``.
    """
    if chosen(weights=weights) == OWN:
        return BertEncoder(folder)
    try:
        return OnnxEncoder(folder, kept_in=folder_in_use(), max_threads=max_threads)
    except (ImportError, RuntimeError) as exc:
        why = f"onnxruntime cannot run the sentence encoder: {first_line(exc)}"
        if forced():
            raise JudgeUnavailable(why, fix=f"{FIX}, or unset {VARIABLE}") from exc
        _log.warning("%s; our own runs instead, with the same vectors", why)
    return BertEncoder(folder)


def first_line(exc: BaseException) -> str:
    """What went wrong, in one line."""
    lines: list[Any] = str(exc).strip().splitlines()
    return str(lines[0]) if lines else type(exc).__name__
