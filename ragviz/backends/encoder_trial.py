"""Both engines of the sentence encoder side by side: CPU time of each, and how far their vectors are apart."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ragviz.backends.bert_encoder import BertEncoder
from ragviz.backends.onnx_encoder import OnnxEncoder

MAX_APART = 1e-5
"""Most that two numbers of a vector may differ by. The judge rounds what it makes of vectors to four decimals."""
WORTH_IT = 1.1
"""How many times less CPU the other engine has to take: less than this is noise."""
_ROUNDS = 5


class Trial(NamedTuple):
    """What was measured, with one thread each."""

    own_ms: float
    """CPU milliseconds a text: the least of some rounds, which other work on the machine lengthens least."""
    onnx_ms: float
    apart: float
    """The largest difference of two numbers; not finite if a vector is not."""

    @property
    def same(self) -> bool:
        """Whether the vectors are the same but for rounding."""
        return bool(self.apart <= MAX_APART)

    @property
    def onnx_wins(self) -> bool:
        """Whether onnxruntime is to be used: same vectors, clearly less CPU."""
        return self.same and self.own_ms >= WORTH_IT * self.onnx_ms


def tried(folder: Path, texts: Sequence[str], *, kept_in: Path | None) -> Trial:
    """
    Embed the texts by both, in turns.

    Args:
        folder: The weights.
        texts: At least one.
        kept_in: See ``OnnxEncoder``.

    Raises:
        ImportError, RuntimeError, OSError, ValueError, KeyError: See ``OnnxEncoder``.
    """
    from threadpoolctl import threadpool_limits  # noqa: PLC0415 - comes with the embeddings extra

    encoders = (BertEncoder(folder), OnnxEncoder(folder, kept_in=kept_in))
    spent: tuple[list[float], list[float]] = ([], [])
    with threadpool_limits(limits=1, user_api="blas"):
        own, other = (encoder.encode(texts) for encoder in encoders)
        for _ in range(_ROUNDS):
            for encoder, times in zip(encoders, spent, strict=True):
                begun = time.process_time()
                encoder.encode(texts)
                times.append((time.process_time() - begun) * 1000 / len(texts))
    return Trial(min(spent[0]), min(spent[1]), float(np.abs(own - other).max()))
