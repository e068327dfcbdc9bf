"""What makes the local judge quick changes nothing that it says."""

from __future__ import annotations

import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragviz.backends.embedder import BackendState, Embedder
from ragviz.consistency import check
from ragviz.judges.local import LocalJudge
from ragviz.judges.local_features import rounded
from ragviz.judges.local_model import forest, sigmoid
from ragviz.judges.visible import check_visible
from ragviz.records import Pair, PairKey, Table
from ragviz.text.tokens import lower_words, tokens


def test_rounded_as_python_rounds() -> None:
    """Ties, near ties and whole numbers: every value is what ``round(value, 4)`` gives."""
    rng = np.random.default_rng(0)
    values = np.concatenate([rng.random(5_000) * 40 - 20, np.arange(2_000) / 20_000, np.arange(500) / 32, [0.0, 1.0, -1.0, 0.00005, 2.00015]])

    assert [round(value, 4) for value in values.tolist()] == rounded(values).tolist()


def test_thresholds_for_numbers_as_they_are() -> None:
    """A number goes left at the moved threshold exactly where it would, rounded to four decimals, at the threshold itself."""
    rng = np.random.default_rng(1)
    for threshold in [0.3, 0.29, -1.4214, 11.2107, 0.00005, 0.12345, 0.0, *rng.uniform(-3, 20, 300).round(6).tolist()]:
        tree = {"feature": [0, -1, -1], "threshold": [threshold, 0, 0], "left": [1, 0, 0], "right": [2, 0, 0], "value": [0, -1.0, 1.0]}
        near = [threshold + step for step in (-1e-4, -5e-5, -4.9e-5, -1e-9, 0.0, 1e-9, 4.9e-5, 5e-5, 5.1e-5, 1e-4)]

        found = forest(("a",), 0.0, [tree]).probabilities(np.array([[value] for value in near]))

        assert [sigmoid(-1.0 if round(value, 4) <= threshold else 1.0) for value in near] == found


def test_a_tree_that_asks_too_much() -> None:
    """Four questions in a row do not fit into the byte of a tree, and are not cut short."""
    deep = {
        "feature": [0, 0, 0, 0, -1, -1, -1, -1, -1],
        "threshold": [1.0] * 9,
        "left": [1, 2, 3, 4, 0, 0, 0, 0, 0],
        "right": [5, 6, 7, 8, 0, 0, 0, 0, 0],
        "value": [0.0] * 9,
    }

    with pytest.raises(ValueError, match="more than 3 questions"):
        forest(("a",), 0.0, [deep])


@given(st.text(alphabet="aBz019'.,:_-*|% \n\t\x1c\x7f"))
def test_words_of_plain_text(text: str) -> None:
    """ASCII text cut by a table of signs has the words that its tokens have."""
    assert [token.lower for token in tokens(text)] == lower_words(text)


def test_a_sentence_met_again_elsewhere() -> None:
    """The same claim and sentence at another place of a passage: the same findings, every span moved."""
    claim, sentence = "The pump weighs 3 kg.", "The pump weighs 4 kg."

    first, later = check_visible(claim, sentence), check_visible(claim, sentence, start=40)

    assert first.clashes
    assert check(claim, sentence, start=40) == later
    assert [clash.premise_span.shift(40) for clash in first.clashes] == [clash.premise_span for clash in later.clashes]


def test_loading_is_no_part_of_a_judgement() -> None:
    """A model that takes its time to load leaves the time of the judgement alone."""
    ready: list[bool] = []

    class Slow(Embedder):
        loaded = property(lambda _: bool(ready))  # type: ignore[assignment]

        def available(self) -> BackendState:
            return BackendState(ok=True)

        def load(self, on_progress: object = None) -> None:
            time.sleep(0.3)
            ready.append(True)

        def encode(self, texts: object) -> np.ndarray:
            assert ready, "loaded before the first sentence"
            return np.tile(np.array([1.0, 0.0], dtype=np.float32), (len(list(texts)), 1))  # type: ignore[call-overload]

    pair = Pair(key=PairKey(Table.RESPONSE_X_PASSAGES, "t", "c1", "p"), premise="The lamp in the hall is green.", hypothesis="The lamp is red.")
    started = time.perf_counter()

    said = LocalJudge(embedder=Slow()).judge([pair])[0]

    assert said.cost.elapsed_ms is not None
    assert said.cost.elapsed_ms <= (time.perf_counter() - started) * 1000 - 290
