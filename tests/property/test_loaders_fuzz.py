"""Any bytes give traces or issues: never a traceback, never a hang."""

from __future__ import annotations

import io
import json
import random
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ragviz.loaders import loaders, read, read_many
from ragviz.records import LoadIssue, Trace
from ragviz.records.codec import decode, encode
from tests.contracts.loader_samples import SAMPLES

TEXT_SAMPLES = [name for name, sample in SAMPLES.items() if not sample.data.startswith((b"PAR1", b"SQLite"))]
ODD_VALUES = [None, True, 0, -1, 1e308, "", "nan", "x", "[", "{'a': 1}", "\x00", [], {}, [None], [[]], {"": None}, {"text": {"text": []}}, [1, "a", {}], "\u2028", "9" * 400, {"role": 3, "content": {}}]


def sound(parts: list[Trace | LoadIssue]) -> None:
    """There is a word on every file, and every part is a record that can be stored: it survives encoding."""
    assert parts
    for part in parts:
        assert isinstance(part, Trace) or part.message
        assert decode(encode(part), type(part)) == part


@pytest.mark.parametrize(
    "parts",
    [[], [LoadIssue(where="x:1", message="")], [Trace(id="t", question="?", response="", passages=None, tags={"n": Decimal(1)})]],
    ids=["nothing", "no word", "another class"],
)  # type: ignore[dict-item]
def test_what_is_not_sound_is_told_apart(parts: list[Trace | LoadIssue]) -> None:
    """A file that vanishes, an issue that says nothing, a value that comes back as another."""
    with pytest.raises(AssertionError):
        sound(parts)


@settings(max_examples=200, deadline=None)
@given(data=st.binary(max_size=400))
@example(data=b"\x1f\x8b\x08\x00")
@example(data=b"PK\x03\x04" + b"\x00" * 40)
@example(data=b"PAR1" + b"\x00" * 40 + b"PAR1")
@example(data=b"SQLite format 3\x00" + b"\x10" * 200)
def test_any_bytes(data: bytes) -> None:
    """Random bytes through the front door."""
    sound(list(read(io.BytesIO(data), filename="x")))


@settings(max_examples=15, deadline=None)
@given(data=st.one_of(st.binary(max_size=200), st.text(max_size=200).map(lambda t: t.encode("utf-8", "replace"))))
@pytest.mark.parametrize("name", loaders.names())
def test_any_bytes_through_each_loader(name: str, data: bytes) -> None:
    """--format NAME on a file that is nothing of the kind."""
    sound(list(read(io.BytesIO(data), filename="x", format=name)))


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 2**32))
@pytest.mark.parametrize("name", TEXT_SAMPLES)
def test_damaged_samples(name: str, seed: int) -> None:
    """Bytes flipped, cut out, doubled."""
    rng = random.Random(seed)
    data = bytearray(SAMPLES[name].data)
    for _ in range(rng.randint(1, 6)):
        at = rng.randrange(max(1, len(data)))
        what = rng.randrange(4)
        if what == 0 and data:
            data[at % len(data)] = rng.randrange(256)
        elif what == 1:
            del data[at : at + rng.randint(1, 40)]
        elif what == 2:
            data[at:at] = data[at : at + rng.randint(1, 40)]
        else:
            data[at:at] = rng.choice([b"[", b"{", b'"', b",", b"\n", b"\\", b"null", b"NaN", b"\xff", b"\x00"])

    sound(list(read(io.BytesIO(bytes(data)), filename="x", format=name)))
    sound(list(read(io.BytesIO(bytes(data)), filename="x")))


def changed(value: Any, rng: random.Random) -> Any:
    """The value with one node, somewhere, of another kind."""
    if isinstance(value, dict) and value and rng.random() < 0.85:
        key = rng.choice(list(value))
        return {**value, key: changed(value[key], rng)} if rng.random() < 0.9 else {k: v for k, v in value.items() if k != key}
    if isinstance(value, list) and value and rng.random() < 0.85:
        at = rng.randrange(len(value))
        return [*value[:at], changed(value[at], rng), *value[at + 1 :]]
    if isinstance(value, str) and value[:1] in ("[", "{") and rng.random() < 0.8:
        try:
            return json.dumps(changed(json.loads(value), rng))
        except ValueError:
            return rng.choice(ODD_VALUES)
    return rng.choice(ODD_VALUES)


@settings(max_examples=50, deadline=None)
@given(seed=st.integers(0, 2**32))
@pytest.mark.parametrize("name", [n for n in TEXT_SAMPLES if SAMPLES[n].data[:1] in (b"{", b"[")])
def test_wrong_types(name: str, seed: int) -> None:
    """Valid JSON of the right shape, with nodes of another type: a number for a list, an object for a text."""
    rng = random.Random(seed)
    lines = [json.loads(line) for line in SAMPLES[name].data.splitlines()] if SAMPLES[name].data.count(b"\n") > 1 else [json.loads(SAMPLES[name].data)]
    for _ in range(rng.randint(1, 3)):
        at = rng.randrange(len(lines))
        lines[at] = changed(lines[at], rng)
    data = b"\n".join(json.dumps(line).encode() for line in lines)

    sound(list(read(io.BytesIO(data), filename="x", format=name)))
    sound(list(read(io.BytesIO(data), filename="x")))


@settings(max_examples=60, deadline=None)
@given(names=st.lists(st.sampled_from(list(SAMPLES)), min_size=2, max_size=4))
@example(names=["deepeval", "trec_qrels", "trec_qrels"])
def test_any_files_together(names: list[str]) -> None:
    """Whatever lies in a folder: ids stay unique, and each file is accounted for."""
    reading = read_many([(f"{n}-{name}", io.BytesIO(SAMPLES[name].data)) for n, name in enumerate(names)])
    parts = list(reading)
    ids = [p.id for p in parts if isinstance(p, Trace)]

    sound(parts)
    assert len(ids) == len(set(ids))
    assert len(reading.files) == len(names)
    assert sum(f.n_traces for f in reading.files) == len(ids)
    assert sum(f.n_issues for f in reading.files) == len(parts) - len(ids)
