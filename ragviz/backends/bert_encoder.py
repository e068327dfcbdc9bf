"""
A sentence encoder of the BERT family without torch: the packaged weights read and run by numpy.

Importing torch and sentence-transformers costs seconds before the first sentence; this reads the same files in a fraction of one. Texts of one call are
laid behind each other, so no time goes into padding. Vectors equal those of sentence-transformers up to rounding (a test compares them).
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]

_TOKENS_AT_ONCE = 768
"""Tokens of one pass: enough that reading the weights does not count, few enough that the middle layer stays in the cache."""
_ROWS_AT_ONCE = 16
# Abramowitz & Stegun, Handbook of Mathematical Functions, 7.1.26: |error| <= 1.5e-7.
_ERF = (0.3275911, 0.254829592, -0.284496736, 1.421413741, -1.453152027, 1.061405429)


class _Layer(NamedTuple):
    """Weights of one transformer layer; matrices map rows of tokens from the left."""

    qkv: Floats
    qkv_bias: Floats
    out: Floats
    out_bias: Floats
    norm: tuple[Floats, Floats]
    up: Floats
    up_bias: Floats
    down: Floats
    down_bias: Floats
    out_norm: tuple[Floats, Floats]


class BertEncoder:
    """Texts to unit vectors: mean of the last layer over tokens, as sentence-transformers does it."""

    def __init__(self, folder: Path) -> None:
        """
        Read a folder in the layout of sentence-transformers.

        Raises:
            OSError, ValueError, KeyError: A file is missing, or the folder holds another kind of model (see ``can_read``).
        """
        from tokenizers import Tokenizer  # noqa: PLC0415 - comes with the embeddings extra

        config = json.loads((folder / "config.json").read_text("utf-8"))
        limit = json.loads((folder / "sentence_bert_config.json").read_text("utf-8"))["max_seq_length"]
        self._tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self._tokenizer.enable_truncation(limit)
        self._tokenizer.no_padding()
        self._heads = int(config["num_attention_heads"])
        self._eps = float(config["layer_norm_eps"])
        weights = _read_safetensors(folder / "model.safetensors")
        self._words = weights["embeddings.word_embeddings.weight"]
        self._places = weights["embeddings.position_embeddings.weight"] + weights["embeddings.token_type_embeddings.weight"][0]
        self._norm = (weights["embeddings.LayerNorm.weight"], weights["embeddings.LayerNorm.bias"])
        self._layers = [_layer(weights, f"encoder.layer.{n}.") for n in range(int(config["num_hidden_layers"]))]

    def get_embedding_dimension(self) -> int:
        """Length of a vector."""
        return int(self._words.shape[1])

    def encode(self, texts: Sequence[str], **_: object) -> Floats:
        """Unit vectors, shape (n_texts, n_dimensions). Options of sentence-transformers are taken and not needed."""
        ids = [encoding.ids for encoding in self._tokenizer.encode_batch(list(texts))]
        out = np.zeros((len(ids), self.get_embedding_dimension()), dtype=np.float32)
        for batch in self._batches(ids):
            out[batch] = self._forward([ids[i] for i in batch])
        lengths = np.linalg.norm(out, axis=1, keepdims=True)
        np.divide(out, lengths, out=out, where=lengths > 0)
        return out

    def _batches(self, ids: list[list[int]]) -> Iterator[list[int]]:
        """Indices of texts by length, in runs of about so many tokens as one pass takes."""
        batch: list[int] = []
        n_tokens = 0
        for i in sorted(range(len(ids)), key=lambda i: len(ids[i])):
            if batch and n_tokens + len(ids[i]) > _TOKENS_AT_ONCE:
                yield batch
                batch, n_tokens = [], 0
            batch.append(i)
            n_tokens += len(ids[i])
        if batch:
            yield batch

    def _forward(self, rows: list[list[int]]) -> Floats:
        """Mean of the last layer over the tokens of each row; rows are sorted by length."""
        lengths = [len(row) for row in rows]
        flat = np.fromiter((token for row in rows for token in row), dtype=np.intp, count=sum(lengths))
        x: Floats = self._words[flat] + np.concatenate([self._places[:n] for n in lengths])
        _normalised(x, self._norm, self._eps)
        groups = _groups(lengths)
        for layer in self._layers:
            attended = self._attention(np.asarray(x @ layer.qkv + layer.qkv_bias, dtype=np.float32), groups)
            x += attended @ layer.out + layer.out_bias
            _normalised(x, layer.norm, self._eps)
            inner: Floats = np.asarray(x @ layer.up, dtype=np.float32)
            inner += layer.up_bias
            _gelu(inner)
            x += inner @ layer.down + layer.down_bias
            _normalised(x, layer.out_norm, self._eps)
        starts = np.concatenate([[0], np.cumsum(lengths)[:-1]])
        return np.asarray(np.add.reduceat(x, starts, axis=0) / np.array(lengths, dtype=np.float32)[:, None], dtype=np.float32)

    def _attention(self, qkv: Floats, groups: list[tuple[int, int, int]]) -> Floats:
        """Each row attends to itself; rows of one length go together. ``groups``: first token, rows, tokens a row."""
        width = qkv.shape[1] // 3
        size = width // self._heads
        out = np.empty((len(qkv), width), dtype=np.float32)
        for at, n, length in groups:
            block = qkv[at : at + n * length].reshape(n, length, 3, self._heads, size)
            q, k, v = (block[:, :, part].transpose(0, 2, 1, 3) for part in range(3))
            scores = (q * np.float32(1 / math.sqrt(size))) @ k.transpose(0, 1, 3, 2)
            scores -= scores.max(axis=-1, keepdims=True)
            np.exp(scores, out=scores)
            scores /= scores.sum(axis=-1, keepdims=True)
            out[at : at + n * length] = (scores @ v).transpose(0, 2, 1, 3).reshape(n * length, width)
        return out


def can_read(folder: Path) -> bool:
    """True for a BERT model of sentence-transformers whose vector is the mean of its tokens, made unit length."""
    try:
        config = json.loads((folder / "config.json").read_text("utf-8"))
        modules = [module["type"].rsplit(".", 1)[-1] for module in json.loads((folder / "modules.json").read_text("utf-8"))]
        pooling = json.loads((folder / "1_Pooling" / "config.json").read_text("utf-8"))
        extras = json.loads((folder / "config_sentence_transformers.json").read_text("utf-8"))
    except (OSError, ValueError, KeyError):
        return False
    bert = config.get("model_type") == "bert" and config.get("hidden_act") == "gelu" and config.get("position_embedding_type", "absolute") == "absolute"
    modes = {name for name, on in pooling.items() if name.startswith("pooling_mode_") and on}
    mean = modes == {"pooling_mode_mean_tokens"} and not extras.get("default_prompt_name")
    return (
        bert
        and mean
        and modules == ["Transformer", "Pooling", "Normalize"]
        and (folder / "tokenizer.json").is_file()
        and (folder / "model.safetensors").is_file()
    )


def _layer(weights: dict[str, Floats], at: str) -> _Layer:
    own = "attention.self."
    qkv = np.ascontiguousarray(np.concatenate([weights[f"{at}{own}{part}.weight"] for part in ("query", "key", "value")]).T)

    def matrix(name: str) -> Floats:
        return np.ascontiguousarray(weights[at + name].T)

    def norm(name: str) -> tuple[Floats, Floats]:
        return weights[f"{at}{name}.LayerNorm.weight"], weights[f"{at}{name}.LayerNorm.bias"]

    return _Layer(
        qkv, np.concatenate([weights[f"{at}{own}{part}.bias"] for part in ("query", "key", "value")]),
        matrix("attention.output.dense.weight"), weights[f"{at}attention.output.dense.bias"], norm("attention.output"),
        matrix("intermediate.dense.weight"), weights[f"{at}intermediate.dense.bias"],
        matrix("output.dense.weight"), weights[f"{at}output.dense.bias"], norm("output"),
    )


def _read_safetensors(path: Path) -> dict[str, Floats]:
    """All 32-bit tensors of a file. Layout: https://huggingface.co/docs/safetensors (length of the header, header in JSON, bytes)."""
    with path.open("rb") as file:
        size = int.from_bytes(file.read(8), "little")
        if size > 100_000_000:
            raise ValueError(f"{path.name} is no safetensors file")
        header: dict[str, Any] = json.loads(file.read(size))
    raw = np.memmap(path, dtype=np.uint8, mode="r", offset=8 + size)
    found: dict[str, Floats] = {}
    for name, entry in header.items():
        if name != "__metadata__" and entry["dtype"] == "F32":
            start, end = entry["data_offsets"]
            found[name.removeprefix("bert.")] = np.frombuffer(raw[start:end], dtype="<f4").reshape(entry["shape"]).astype(np.float32, copy=False)
    return found


def _groups(lengths: list[int]) -> list[tuple[int, int, int]]:
    groups: list[tuple[int, int, int]] = []
    at = 0
    for length in lengths:
        if groups and groups[-1][2] == length:
            groups[-1] = (groups[-1][0], groups[-1][1] + 1, length)
        else:
            groups.append((at, 1, length))
        at += length
    return groups


def _normalised(x: Floats, weights: tuple[Floats, Floats], eps: float) -> None:
    """Layer normalisation, in place."""
    x -= x.mean(axis=1, keepdims=True)
    variance = np.einsum("ij,ij->i", x, x)[:, None] / np.float32(x.shape[1])
    x /= np.sqrt(variance + np.float32(eps))
    x *= weights[0]
    x += weights[1]


def _gelu(x: Floats) -> None:
    """Replace x by x · Φ(x), a few rows at a time so that what is in between stays in the cache."""
    p, *a = (np.float32(c) for c in _ERF)
    for start in range(0, len(x), _ROWS_AT_ONCE):
        rows = x[start : start + _ROWS_AT_ONCE]
        z = np.abs(rows)
        z *= np.float32(math.sqrt(0.5))
        t = 1 / (1 + p * z)
        tail = a[4] * t
        for c in reversed(a[:4]):
            tail += c
            tail *= t
        z *= z
        np.negative(z, out=z)
        np.exp(z, out=z)
        tail *= z
        # x·Φ(x) = x - x·tail/2 for x >= 0, x·tail/2 for x < 0.
        tail *= rows
        tail *= np.float32(0.5)
        np.subtract(rows, tail, out=rows, where=rows >= 0)
        np.copyto(rows, tail, where=rows < 0)
