"""Which engine runs the sentence encoder: what is kept, what is forced, and what happens where nothing fits."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from ragviz.backends import encoder_choice as choice
from ragviz.backends import onnx_encoder
from ragviz.backends.bert_encoder import BertEncoder
from ragviz.backends.encoder_choice import OWN, chosen
from ragviz.backends.encoder_trial import Trial
from ragviz.backends.onnx_encoder import OnnxEncoder, load_encoder
from ragviz.backends.onnx_graph import kept_graph
from ragviz.errors import JudgeUnavailable, SetupError

WEIGHTS = "weights==1"


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if the extra were here."""
    monkeypatch.setattr(choice, "missing", lambda: "")
    monkeypatch.setattr(choice, "runtime_version", lambda: "1.32.0")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path) -> Iterator[Path]:
    """A data folder of our own; afterwards no folder at all, as in a process that nobody told of one."""
    choice.look_in(lambda: tmp_path / "data")
    yield tmp_path / "data"
    choice.look_in(None)


class TestChosen:
    def test_nothing_kept(self) -> None:
        """Our own, until doctor has measured."""
        assert chosen(weights=WEIGHTS) == OWN

    @pytest.mark.usefixtures("installed")
    @pytest.mark.parametrize("engine", ["own", "onnx"])
    def test_what_was_chosen(self, engine: str) -> None:
        """The next process finds it."""
        assert choice.choose(engine, weights=WEIGHTS)

        assert chosen(weights=WEIGHTS) == engine

    @pytest.mark.usefixtures("installed")
    def test_something_changed(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Other weights, another onnxruntime, or none: it was measured for something else."""
        choice.choose("onnx", weights=WEIGHTS)

        assert chosen(weights="weights==2") == OWN
        monkeypatch.setattr(choice, "missing", lambda: "onnx")
        assert chosen(weights=WEIGHTS) == OWN
        monkeypatch.setattr(choice, "missing", lambda: "")
        monkeypatch.setattr(choice, "runtime_version", lambda: "1.33.0")
        assert chosen(weights=WEIGHTS) == OWN

    @pytest.mark.usefixtures("installed")
    @pytest.mark.parametrize("content", [b"", b"{", b"[]", b'"onnx"', b"\xff", json.dumps({"engine": "onnx"}).encode()])
    def test_damaged(self, folder: Path, content: bytes) -> None:
        """A file that says nothing is no choice."""
        folder.mkdir()
        (folder / choice.FILE_NAME).write_bytes(content)

        assert chosen(weights=WEIGHTS) == OWN

    def test_forced(self, folder: Path) -> None:
        """The variable goes before what is kept; another word is told."""
        choice.look_in(lambda: folder, forced="onnx")
        assert chosen(weights=WEIGHTS) == "onnx"

        with pytest.raises(SetupError, match="RAGVIZ_ENCODER is 'gpu'"):
            choice.look_in(lambda: folder, forced="gpu")

    def test_nowhere_to_keep(self, folder: Path) -> None:
        """A folder that cannot be made, or none: said, not raised."""
        folder.write_text("a file", "utf-8")
        assert not choice.choose("own", weights=WEIGHTS)

        choice.look_in(None)
        assert not choice.choose("own", weights=WEIGHTS)


@pytest.mark.parametrize(
    ("trial", "wins"),
    [
        (Trial(2.0, 1.0, 2e-7), True),
        (Trial(1.05, 1.0, 2e-7), False),
        (Trial(1.0, 2.0, 2e-7), False),
        (Trial(2.0, 1.0, 2e-5), False),
        (Trial(2.0, 1.0, float("nan")), False),
    ],
)
def test_who_wins(trial: Trial, wins: bool) -> None:
    """Clearly less CPU and the same vectors, or ours stays."""
    assert trial.onnx_wins == wins


class TestGraphFile:
    def test_built_once(self, folder: Path) -> None:
        """The second process reads what the first wrote; another key is another file."""
        built: list[str] = []
        for key in ("a", "a", "b"):
            assert kept_graph(folder, key, lambda key=key: built.append(key) or f"graph {key}".encode()) == f"graph {key}".encode()

        assert built == ["a", "b"]
        assert len(list(folder.iterdir())) == 2

    @pytest.mark.parametrize(
        "harm", [lambda b: b[:-1], lambda _: b"", lambda b: b[:40] + b"X" + b[41:], lambda b: b"\0" + b[1:]], ids=["cut", "empty", "changed", "hash"]
    )
    def test_damaged(self, folder: Path, harm) -> None:
        """Built again, and whole afterwards."""
        kept_graph(folder, "a", lambda: b"the graph of a model")
        (path,) = folder.iterdir()
        whole = path.read_bytes()
        path.write_bytes(harm(whole))

        assert kept_graph(folder, "a", lambda: b"the graph of a model") == b"the graph of a model"
        assert path.read_bytes() == whole

    def test_nowhere_to_write(self, folder: Path) -> None:
        """It is built every time."""
        folder.write_text("a file", "utf-8")

        assert kept_graph(folder, "a", lambda: b"graph") == b"graph"
        assert kept_graph(None, "a", lambda: b"graph") == b"graph"


class TestThatCannotRun:
    @pytest.fixture(autouse=True)
    def _broken(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def fails(*_: object, **__: object) -> None:
            raise RuntimeError("no such instruction\nat 0x00")

        monkeypatch.setattr(onnx_encoder, "OnnxEncoder", fails)
        monkeypatch.setattr(onnx_encoder, "BertEncoder", lambda _: "ours")

    @pytest.mark.usefixtures("installed")
    def test_chosen(self, caplog: pytest.LogCaptureFixture) -> None:
        """Our own gives the same vectors: it goes on, and the log says so."""
        choice.choose("onnx", weights=WEIGHTS)

        assert load_encoder(Path(), weights=WEIGHTS, max_threads=1) == "ours"  # type: ignore[comparison-overlap]
        assert "no such instruction; our own runs instead" in caplog.text

    def test_forced(self, folder: Path) -> None:
        """Who asked for it by name is told."""
        choice.look_in(lambda: folder, forced="onnx")

        with pytest.raises(JudgeUnavailable, match=r"cannot run the sentence encoder: no such instruction$") as caught:
            load_encoder(Path(), weights=WEIGHTS, max_threads=1)
        assert "unset RAGVIZ_ENCODER" in caught.value.fix


def test_texts_of_a_pass_fill_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Padding counts: no pass holds more places than it may, but for one long text; every text is in one pass; the shortest come first."""
    lengths = np.random.default_rng(0).integers(2, 256, 300).tolist()
    passes = list(OnnxEncoder._batches(object.__new__(OnnxEncoder), [[0] * n for n in lengths]))

    assert sorted(i for batch in passes for i in batch) == list(range(300))
    assert all(len(batch) == 1 or len(batch) * lengths[batch[-1]] <= 256 for batch in passes)
    assert [lengths[i] for batch in passes for i in batch] == sorted(lengths)
    assert isinstance(object.__new__(OnnxEncoder), BertEncoder)
