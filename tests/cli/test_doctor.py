"""The doctor asks judges and embeddings something whose answer is known."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ragviz.backends import encoder_choice as choice
from ragviz.backends.embedder import BackendState, Embedder
from ragviz.backends.encoder_trial import Trial
from ragviz.cli import doctor_probes
from ragviz.cli.doctor_probes import embeddings_checked, encoder_chosen
from ragviz.testing import MessagesServer, Scripted, claims_in, message, verdicts
from ragviz.testing.messages_server import failure
from tests.cli.hosted import KEY, ragviz


def says(*words: str, quote: str = "within 30 days") -> Callable[[dict[str, Any]], Scripted]:
    """One verdict a claim."""
    def answer(request: dict[str, Any]) -> Scripted:
        rows = [
            {"id": c, "reasoning": "looked", "verdict": word, "confidence": 0.9,
             "evidence": [] if word == "not_supported" else [{"passage": "P1", "relation": "supports" if word == "supported" else "contradicts", "quote": quote}]}
            for c, word in zip(claims_in(request), words, strict=True)
        ]
        return message(verdicts(rows))
    return answer


@pytest.fixture(autouse=True)
def _own_store(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("RAGVIZ_STORE", str(tmp_path / "store.sqlite"))
    for name in ("HOME", "XDG_DATA_HOME", "LOCALAPPDATA"):
        monkeypatch.setenv(name, str(tmp_path / "home"))
    monkeypatch.delenv("RAGVIZ_ENCODER", raising=False)
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    monkeypatch.setattr(doctor_probes, "MAX_RETRIES", 0)
    monkeypatch.setattr(doctor_probes, "TIMEOUT_S", 1.0)


def checked(server: MessagesServer, monkeypatch: pytest.MonkeyPatch, judge: str = "anthropic") -> tuple[int, dict[str, Any], str]:
    monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
    code, out, err = ragviz("doctor", "--judge", judge, "--json")
    return code, {c["name"]: c for c in json.loads(out)["checks"]}, err


def test_a_hosted_judge_is_really_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """One call with structured output; the key is called set and never shown; what is under way is said."""
    with MessagesServer(says("supported", "contradicted")) as server:
        code, checks, err = checked(server, monkeypatch)

    assert code == 0
    assert checks["judge anthropic"]["detail"] == "said entailed to a sentence and itself, contradicted to one with another figure"
    assert checks["API key for anthropic"]["detail"] == "set"
    assert server.requests[0]["output_config"]["format"]["type"] == "json_schema"
    assert (len(server.requests), err) == (1, "Asking the judge anthropic …\n")
    assert "sentence embeddings" not in checks


@pytest.mark.parametrize(("answer", "says_why"), [
    (lambda _: failure(401, "authentication_error", "x"), "the key was refused (401)"),
    (lambda _: failure(404, "not_found_error", "x"), "answered 404"),
    (lambda _: failure(529, "overloaded_error", "x"), "answered 529"),
    (lambda _: message("I would say so."), "could not be read"),
    (lambda _: message("", stop_reason="refusal"), "declined"),
    (lambda _: Scripted(body=b"{}", delay_s=3.0), "no reply within 1 s"),
    (says("supported", "supported"), "entailed to one with another figure"),
    (says("supported", "contradicted", quote="within 45 days"), "is not in this passage"),
], ids=["key", "model", "overloaded", "prose", "refusal", "slow", "yes-man", "invented"])
def test_one_that_cannot_work_is_told_apart(monkeypatch: pytest.MonkeyPatch, answer: Callable[[dict[str, Any]], Scripted], says_why: str) -> None:
    """Exit 1 with the reason, and something to do."""
    with MessagesServer(answer) as server:
        code, checks, _ = checked(server, monkeypatch)

    assert code == 1
    assert says_why in checks["judge anthropic"]["detail"]
    assert checks["judge anthropic"]["fix"]


def test_several_judges(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """One that cannot work is enough for exit 1."""
    with MessagesServer(says("supported", "not_supported")) as server:
        code, checks, _ = checked(server, monkeypatch, f"facts,anthropic:claude-haiku-5-5,nli:{tmp_path / 'nothing'}")

    assert code == 1
    assert [checks[f"judge {name}"]["ok"] for name in ("facts", "anthropic:claude-haiku-5-5", f"nli:{tmp_path / 'nothing'}")] == [True, True, False]
    assert server.requests[0]["model"] == "claude-haiku-5-5"


def test_every_step_of_a_cascade_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first step would have decided: the second is asked all the same, and it is the one that fails."""
    monkeypatch.setattr(Embedder, "available", lambda _: BackendState(ok=False, reason="not here", fix="install"))
    with MessagesServer(lambda _: failure(401, "authentication_error", "x")) as server:
        code, checks, _ = checked(server, monkeypatch, "cascade")

    assert code == 1
    assert checks["judge cascade"]["detail"] == "anthropic could not judge: the key was refused (401)"
    assert checks["sentence embeddings"] == {"name": "sentence embeddings", "ok": False, "detail": "not here", "fix": "install"}


def unit(*rows: Sequence[float]) -> np.ndarray:
    return np.array(rows, dtype=np.float32)


@pytest.mark.parametrize(("vectors", "fault"), [
    (unit([1, 0], [0.8, 0.6], [0, 1]), ""),
    (unit([np.nan, 0], [0.8, 0.6], [0, 1]), "not every number is finite"),
    (unit([2, 0], [0.8, 0.6], [0, 1]), "has not length 1"),
    (unit([1, 0], [1, 0], [1, 0]), "different texts have the same vector"),
    (unit([1, 0], [0, 1], [0.8, 0.6]), "another topic is nearer"),
])
def test_embeddings_that_are_none(monkeypatch: pytest.MonkeyPatch, vectors: np.ndarray, fault: str) -> None:
    """Each fault has its own words."""
    monkeypatch.setattr(Embedder, "available", lambda _: BackendState(ok=True))
    monkeypatch.setattr(Embedder, "encode", lambda _self, _texts: vectors)
    found = embeddings_checked()

    assert found.ok == (not fault)
    assert fault in found.detail


@pytest.mark.weights
@pytest.mark.slow
def test_the_real_embeddings_pass() -> None:
    """With the weights of the package."""
    if not Embedder().available().ok:
        pytest.skip("the sentence embedding model is not installed")
    found = embeddings_checked()
    assert found.ok
    assert "384 numbers a text" in found.detail


def test_a_judge_that_does_not_exist_is_a_mistake_of_the_command() -> None:
    """Exit 2 and the names there are, as with the other commands; 1 is for a judge that cannot work here."""
    code, _, err = ragviz("doctor", "--judge", "zzz")

    assert code == 2
    assert "no judge named 'zzz'" in err
    assert "local" in err


class TestEncoder:
    """Which engine embeds sentences: told in one line, kept where the next command finds it."""

    @pytest.fixture(autouse=True)
    def _here(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
        monkeypatch.setattr(choice, "missing", lambda: "")
        monkeypatch.setattr(choice, "runtime_version", lambda: "1.32.0")
        monkeypatch.setattr(Embedder, "revision", "weights==1")
        monkeypatch.setattr(doctor_probes, "packaged_folder", lambda: tmp_path)
        choice.look_in(lambda: tmp_path / "data")
        yield
        choice.look_in(None)

    def measured(self, monkeypatch: pytest.MonkeyPatch, trial: Trial | Exception) -> tuple[bool, str, str]:
        def tried(*_: object, **__: object) -> Trial:
            if isinstance(trial, Exception):
                raise trial
            return trial

        monkeypatch.setattr(doctor_probes, "tried", tried)
        found = encoder_chosen()
        return found.ok, found.detail, choice.chosen(weights="weights==1")

    def test_without_the_extra(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Nothing is timed, nothing kept."""
        monkeypatch.setattr(choice, "missing", lambda: "onnxruntime")

        assert self.measured(monkeypatch, AssertionError("not asked")) == (True, "our own (numpy); onnxruntime is not installed", "own")

    @pytest.mark.parametrize(("trial", "says", "engine"), [
        (Trial(3.0, 1.5, 2e-7), "onnxruntime 1.32.0 from now on; CPU a sentence: our own 3.00 ms, onnxruntime 1.50 ms; their vectors differ by 2e-07", "onnx"),
        (Trial(1.5, 3.0, 2e-7), "our own (numpy) from now on; CPU a sentence: our own 1.50 ms, onnxruntime 3.00 ms; their vectors differ by 2e-07", "own"),
        (Trial(3.0, 1.5, 3e-4), "our own (numpy) from now on; CPU a sentence: our own 3.00 ms, onnxruntime 1.50 ms; their vectors differ by 3e-04, more than the 1e-05 that is rounding", "own"),
        (RuntimeError("no such instruction\nat 0"), "our own (numpy); onnxruntime cannot run it: no such instruction", "own"),
    ], ids=["faster", "slower", "other vectors", "fails"])
    def test_both_figures(self, monkeypatch: pytest.MonkeyPatch, trial: Trial | Exception, says: str, engine: str) -> None:
        """Faster with the same vectors is taken from now on; anything else leaves or brings back our own."""
        choice.choose("onnx", weights="weights==1")

        assert self.measured(monkeypatch, trial) == (True, says, engine)

    def test_nowhere_to_keep_it(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        """A choice that the next command would not find is none."""
        (tmp_path / "data").write_text("a file", "utf-8")
        ok, detail, engine = self.measured(monkeypatch, Trial(3.0, 1.5, 2e-7))

        assert (ok, engine) == (True, "own")
        assert f"the choice cannot be kept in {tmp_path / 'data'}" in detail

    def test_forced(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Nothing is timed: the variable decides. What it names has to be here."""
        choice.look_in(None, forced="onnx")
        assert encoder_chosen() == (True, "RAGVIZ_ENCODER says onnx", "")

        monkeypatch.setattr(choice, "missing", lambda: "onnx")
        assert encoder_chosen() == (False, "RAGVIZ_ENCODER says onnx, but onnx is not installed", "pip install 'ragviz[onnx]'")

    def test_a_word_it_does_not_know(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Exit 2 with the words there are, whatever the command."""
        monkeypatch.setenv("RAGVIZ_ENCODER", "gpu")
        code, _, err = ragviz("judges")

        assert code == 2
        assert "RAGVIZ_ENCODER is 'gpu'" in err
        assert "set it to own or onnx" in err
