"""
The sentence encoder as an ONNX graph, built without torch and without weights: ten kilobytes that say what is computed.

The weights stay where they are (the package's safetensors file) and are handed to the runtime beside the graph.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from ragviz.backends.whole_files import write_whole

GRAPH_VERSION = 1
"""Raised whenever ``build_graph`` makes another graph of the same weights."""
OPSET, IR_VERSION = 20, 9
"""The oldest that have LayerNormalization and Gelu as one operator each: more runtimes read it."""
WORDS, PLACES, NORM = "words", "places", "norm"
LAYER_PARTS = ("qkv", "qkv_bias", "out", "out_bias", "norm.0", "norm.1", "up", "up_bias", "down", "down_bias", "out_norm.0", "out_norm.1")
_MASKED = -3e4
"""Added to the score of a padded place: its share is exactly 0 after the softmax, and a row of padding alone stays finite."""


def kept_graph(folder: Path | None, key: str, build: Callable[[], bytes]) -> bytes:
    """
    The graph of that key, out of the folder, else built and kept there.

    A file begins with the hash of the rest; one that does not fit (cut off, changed) is built again. A folder that cannot be written costs the
    building in every process, nothing else.

    Args:
        folder: Where it is kept; None builds it each time.
        key: All that the graph depends on.
        build: Makes it.
    """
    if folder is None:
        return build()
    path = folder / f"encoder-{hashlib.sha256(key.encode()).hexdigest()[:16]}.onnx.kept"
    try:
        stored = path.read_bytes()
    except OSError:
        stored = b""
    if len(stored) > 32 and hashlib.sha256(stored[32:]).digest() == stored[:32]:
        return stored[32:]
    graph = build()
    write_whole(path, hashlib.sha256(graph).digest() + graph)
    return graph


def build_graph(shapes: Mapping[str, tuple[int, ...]], *, heads: int, eps: float) -> bytes:
    """
    A BERT encoder from token ids to unit vectors: mean of the last layer over the tokens that count.

    Inputs ``ids`` and ``mask`` (1 = counts), 64-bit integers, shape (n_texts, n_tokens); output ``vectors``, shape (n_texts, n_dimensions).

    Args:
        shapes: Of each weight, named as in ``LAYER_PARTS`` behind the layer's number ("0.qkv"); matrices map rows of tokens from the left.
        heads: Attention heads.
        eps: What layer normalisation adds to the variance.

    Source: Devlin et al. 2019 (1810.04805) §3, with the weights' own layout; pooling as in Reimers & Gurevych 2019 (1908.10084) §3.
    """
    import numpy as np  # noqa: PLC0415 - with onnx
    from onnx import TensorProto, helper, numpy_helper  # noqa: PLC0415 - comes with the onnx extra

    width = shapes[WORDS][1]
    size = width // heads
    constants = {
        "first": np.array([0], np.int64), "axis1": np.array([1], np.int64), "axis2": np.array([2], np.int64), "axes12": np.array([1, 2], np.int64),
        "by_head": np.array([0, 0, heads, size], np.int64), "joined": np.array([0, 0, width], np.int64),
        "scale": np.array(1 / math.sqrt(size), np.float32), "one": np.array(1, np.float32), "masked": np.array(_MASKED, np.float32),
    }
    g = _Nodes(helper.make_node)
    g("Shape", "ids", to="length", start=1, end=2)
    g("Add", g("Gather", WORDS, "ids"), g("Slice", PLACES, "first", "length", "first"), to="embedded")
    counts = g("Cast", "mask", as_type=TensorProto.FLOAT)
    bias = g("Unsqueeze", g("Mul", g("Sub", "one", counts), "masked"), "axes12")
    x = g("LayerNormalization", "embedded", f"{NORM}.0", f"{NORM}.1", axis=-1, epsilon=eps)
    for n in range(sum(name.endswith(".qkv") for name in shapes)):
        x = _layer(g, f"{n}.", x, bias, eps)
    total = g("ReduceSum", g("Mul", x, g("Unsqueeze", counts, "axis2")), "axis1", keepdims=0)
    g("LpNormalization", total, to="vectors", axis=-1, p=2)
    ins = [helper.make_tensor_value_info(name, TensorProto.INT64, ["n_texts", "n_tokens"]) for name in ("ids", "mask")]
    outs = [helper.make_tensor_value_info("vectors", TensorProto.FLOAT, ["n_texts", width])]
    weights = [_elsewhere(TensorProto, name, shape) for name, shape in shapes.items()]
    graph = helper.make_graph(
        g.made, "sentence-encoder", ins, outs, initializer=[*(numpy_helper.from_array(value, name) for name, value in constants.items()), *weights]
    )
    return bytes(helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=IR_VERSION).SerializeToString())


class _Nodes:
    """Operators in the order they were called; each call returns the name of its result."""

    def __init__(self, make_node: Callable[..., Any]) -> None:
        self._make = make_node
        self.made: list[Any] = []

    def __call__(self, operator: str, *inputs: str, to: str = "", as_type: int | None = None, **settings: object) -> str:
        name = to or f"v{len(self.made)}"
        self.made.append(self._make(operator, list(inputs), [name], **settings, **({} if as_type is None else {"to": as_type})))
        return name

    def parted(self, operator: str, source: str, n: int) -> list[str]:
        """An operator with ``n`` results."""
        names = [f"v{len(self.made)}.{k}" for k in range(n)]
        self.made.append(self._make(operator, [source], names, axis=-1, num_outputs=n))
        return names


def _layer(g: _Nodes, at: str, x: str, bias: str, eps: float) -> str:
    """Attention and the two dense steps, each added to what came in and normalised."""
    def heads(part: str, order: tuple[int, ...]) -> str:
        return g("Transpose", g("Reshape", part, "by_head"), perm=order)

    q, k, v = g.parted("Split", g("Add", g("MatMul", x, f"{at}qkv"), f"{at}qkv_bias"), 3)
    scores = g("MatMul", g("Mul", heads(q, (0, 2, 1, 3)), "scale"), heads(k, (0, 2, 3, 1)))
    shares = g("Softmax", g("Add", scores, bias), axis=-1)
    attended = g("Reshape", g("Transpose", g("MatMul", shares, heads(v, (0, 2, 1, 3))), perm=(0, 2, 1, 3)), "joined")
    out = g("Add", g("MatMul", attended, f"{at}out"), f"{at}out_bias")
    x = g("LayerNormalization", g("Add", x, out), f"{at}norm.0", f"{at}norm.1", axis=-1, epsilon=eps)
    inner = g("Gelu", g("Add", g("MatMul", x, f"{at}up"), f"{at}up_bias"))
    down = g("Add", g("MatMul", inner, f"{at}down"), f"{at}down_bias")
    return g("LayerNormalization", g("Add", x, down), f"{at}out_norm.0", f"{at}out_norm.1", axis=-1, epsilon=eps)


def _elsewhere(proto: Any, name: str, shape: tuple[int, ...]) -> Any:
    """A weight that the runtime is given beside the graph."""
    tensor = proto(name=name, data_type=proto.FLOAT, dims=shape, data_location=proto.EXTERNAL)
    entry = tensor.external_data.add()
    entry.key, entry.value = "location", "given-beside-the-graph"
    return tensor
