"""No rule makes a text deny what it says in the same words."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path

import pytest

from ragviz.judges.local_view import view_premise
from ragviz.judges.local_word_for_word import quoted_at
from ragviz.records import Pair, PairKey, Span, Table, Verdict
from ragviz.text.sentences import sentence_spans
from tests.unit.judges.labelled_pairs import FOLDER, JUDGE, rows_of

SAMPLES = sorted((Path(__file__).resolve().parents[3] / "sample_traces").glob("*.jsonl"))
EVERY = 7
"""One text in so many is tried, to keep the law quick."""


def _texts() -> list[str]:
    """Passages of the pair sets, passages and answers of the samples."""
    texts = dict.fromkeys(row["premise"] for path in sorted(FOLDER.glob("*_pairs.jsonl")) for row in rows_of(path.name) if "premise" in row)
    for path in SAMPLES:
        for line in path.read_bytes().splitlines():
            # Some lines of the samples are broken, to show how they are told.
            with contextlib.suppress(ValueError):
                texts.update(dict.fromkeys(_strings(json.loads(line))))
    return [text for text in texts if len(text.split()) > 2 and not view_premise(text).excluded]


def _strings(record: object) -> list[str]:
    if isinstance(record, str):
        return [record]
    inside = record.values() if isinstance(record, dict) else record if isinstance(record, list) else ()
    return [text for value in inside for text in _strings(value)]


TEXTS = _texts()


@pytest.mark.parametrize("table", [Table.RESPONSE_X_PASSAGES, Table.RESPONSE_X_REFERENCE])
def test_sentences_and_whole_texts_are_entailed(table: Table) -> None:
    """A sentence of a text, and all of it, is entailed by the text, with and without a question."""
    pairs = []
    for n, text in enumerate(TEXTS[::EVERY]):
        spans = sentence_spans(text)
        for claim in dict.fromkeys([text, spans[n % len(spans)].of(text)]):
            if any(map(str.isalnum, claim)):
                question = "Is it so?" if n % 2 else ""
                pairs.append(
                    Pair(key=PairKey(table, "t", f"c{len(pairs)}", "p"), premise=text, hypothesis=claim, question=question, context=claim if question else "")
                )

    judged = [judgement for begin in range(0, len(pairs), 200) for judgement in JUDGE.judge(pairs[begin : begin + 200])]

    assert len(pairs) > 200
    assert [pair.hypothesis for pair, judgement in zip(pairs, judged, strict=True) if judgement.verdict is not Verdict.ENTAILED] == []


@pytest.mark.parametrize(
    "text", ["Yes, £80 after 24 or 48 hours; claim within three months.", "No.", "Yes, on request.", "If you don't, then 5. Otherwise 7, not 5."]
)
def test_short_answers_entail_themselves(text: str) -> None:
    """An expected answer beside the same answer to the same question, whatever words of the question it leaves out."""
    pair = Pair(
        key=PairKey(Table.RESPONSE_X_REFERENCE, "t", "c", "r"),
        premise=text,
        hypothesis=text,
        question="Do I get anything if the power fails for 48 hours?",
        context=text,
    )

    assert JUDGE.judge([pair])[0].verdict is Verdict.ENTAILED


def test_place_of_the_words() -> None:
    """Sentences that follow each other are found as one; a part of a sentence is none."""
    text = "It is closed. Ring the bell!  Then **wait** here."

    assert quoted_at("Ring the bell! Then wait here.", text) == Span(14, len(text))
    assert quoted_at("ring the BELL", text) == Span(14, 28)
    assert quoted_at("the bell", text) is None
    assert quoted_at("...", text) is None
