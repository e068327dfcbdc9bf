"""A judge measured against labels, with figures a reader can redo."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pytest

from ragviz.contracts import Availability, JudgeInfo
from ragviz.errors import InputError
from ragviz.pipeline.calibrate import calibrate
from ragviz.pipeline.label_files import LabelRow, read_labels
from ragviz.records import Evidence, Judgement, Pair, Provenance, Span, Verdict

BY_WORD = {"yes": Verdict.ENTAILED, "no": Verdict.NEUTRAL, "against": Verdict.CONTRADICTED, "hm": Verdict.UNJUDGED}


@dataclass(frozen=True)
class WordJudge:
    """Says what the first word of the claim tells it to; its evidence is the first ten characters."""

    info = JudgeInfo(name="word", version="1", summary="for tests", deterministic=True, network=False, max_batch=8, joined=True)

    @property
    def params(self) -> Mapping[str, object]:
        return {}

    def available(self) -> Availability:
        return Availability(ok=True)

    def judge(self, pairs: Sequence[Pair]) -> list[Judgement]:
        provenance = Provenance(judge="word", judge_version="1", params_hash="")
        return [
            Judgement(
                key=p.key, verdict=BY_WORD[p.hypothesis.split()[0]], rationale="told so", provenance=provenance,
                evidence=(Evidence(span=Span(0, 10), quote=p.premise[:10]),),
            )
            for p in pairs
        ]


def row(claim: str, label: str, dataset: str = "a", **more: object) -> dict[str, object]:
    return {"id": claim, "dataset": dataset, "claim": claim, "passages": [{"id": "d0", "text": "0123456789 and more"}], "label": label, **more}


def read(rows: list[dict[str, object]]) -> list[LabelRow]:
    return list(read_labels([json.dumps(r) for r in rows]))


class TestCalibrate:
    def test_by_hand(self) -> None:
        """
        Two supported rows (one passed, one unjudged), three not (two caught, one passed).

        Balanced accuracy (2/3 + 1/2) / 2; precision of "unsupported" 2/2; coverage 4/5.
        """
        rows = read([
            row("yes 1", "supported"), row("hm 2", "supported"), row("no 3", "not_supported"), row("against 4", "contradicted"), row("yes 5", "contradicted"),
        ])

        found = calibrate(rows, WordJudge())

        assert (5, 0.8, 0.6) == (found["n"], found["coverage"], found["base_rate"])
        assert pytest.approx((2 / 3 + 1 / 2) / 2) == found["balanced_accuracy"]
        assert (1.0, pytest.approx(2 / 3), pytest.approx(0.8)) == (found["precision_unsupported"], found["recall_unsupported"], found["f1_unsupported"])
        assert {"precision": 1.0, "recall": 0.5} == found["contradiction"]
        assert 1 == found["confusion"]["supported"]["unjudged"]
        # observed 3/5; theirs 2 of 5 supported, ours 2 of 5 (the unjudged one counts as the wrong class): chance 13/25
        assert pytest.approx((3 / 5 - 13 / 25) / (12 / 25)) == found["kappa"]
        assert {"judge", "per_dataset", "claims_per_second", "peak_rss_mb", "evidence"} <= set(found)

    def test_evidence(self) -> None:
        """Ten characters shown, ten labelled, five shared: a hit with F1 one half; the set that fits best counts."""
        labelled = [{"set": 0, "passage_id": "d0", "start": 12, "end": 15}, {"set": 1, "passage_id": "d0", "start": 5, "end": 15}]
        far = [{"set": 0, "passage_id": "d0", "start": 12, "end": 15}]

        found = calibrate(read([row("yes 1", "supported", evidence=labelled), row("yes 2", "supported", evidence=far), row("yes 3", "supported")]), WordJudge())

        assert {"n": 2, "hit": 0.5, "f1": 0.25} == found["evidence"]

    def test_per_dataset_and_limit(self) -> None:
        """Each data set has its own figures; a limit takes the first rows; progress counts them."""
        seen: list[tuple[int, int]] = []
        rows = read([row("yes 1", "supported", "a"), row("no 2", "supported", "b"), row("no 3", "supported", "c")])

        found = calibrate(rows, WordJudge(), limit=2, on_progress=lambda done, of: seen.append((done, of)))

        assert ["a", "b"] == list(found["per_dataset"])
        assert found["per_dataset"]["a"]["balanced_accuracy"] is None
        assert (2, 2) == seen[-1]

    def test_no_rows(self) -> None:
        """Nothing to measure is an error with a way out."""
        with pytest.raises(InputError, match="no labelled rows"):
            calibrate([], WordJudge())


GOOD: dict[str, object] = {"claim": "a", "passages": [{"id": "d0", "text": "0123456789"}], "label": "supported"}


def but(**changes: object) -> str:
    """A good row with something changed; None takes a field away."""
    return json.dumps({name: value for name, value in {**GOOD, **changes}.items() if value is not None})


class TestReadLabels:
    def test_passages_may_be_plain_texts(self) -> None:
        """They are called by their place, so evidence can name them; objects may stand between them."""
        (row,) = read_labels(
            [but(passages=["It is blue.", {"id": "d7", "text": "It is red."}, "It is blue."], evidence=[{"passage_id": "3", "start": 6, "end": 10}])]
        )

        assert [(p.id, p.text, p.rank) for p in row.passages] == [("1", "It is blue.", 1), ("d7", "It is red.", 2), ("3", "It is blue.", 3)]
        assert [(name, span.of("It is blue.")) for _, name, span in row.evidence] == [("3", "blue")]

    @pytest.mark.parametrize(("line", "words"), [
        ("{", "not JSON from character 2 on"),
        ('{"claim": "a" "label"', "not JSON from character 15 on"),
        (b"\xff\xfe{}", "not UTF-8"),
        ("[" * 100_000, "nested too deeply"),
        ("[]", "the line is a list, not an object"),
        ("3", "the line is a number"),
        (but(claim=None), '"claim" is missing'),
        (but(claim=None, claims="a"), 'there is "claims"'),
        (but(claim=7), '"claim" is a number'),
        (but(claim="  "), '"claim" is empty'),
        (but(label=None), '"label" is missing'),
        (but(label="maybe"), 'the label "maybe" is none of supported, not_supported, contradicted'),
        (but(label="unjudged"), "is none of"),
        (but(label=1), '"label" is a number'),
        (but(passages=None), '"passages" is missing'),
        (but(passages="text"), '"passages" is a text, not a list'),
        (but(passages=["text", 7]), "passage 2 is a number, not a text or an object"),
        (but(passages=[{"id": "d0"}]), 'passage 1 has no "text"'),
        (but(passages=[{"text": "x"}]), 'passage 1 has no "id"'),
        (but(passages=[{"id": "d0", "text": None}]), 'passage 1 has no "text"'),
        (but(passages=[{"id": "d", "text": "x"}, {"id": "d", "text": "y"}]), "passages 1 and 2 have the same id"),
        (but(passages=[{"id": {}, "text": "x"}]), '"id" is an object'),
        (but(group=["g"]), '"group" is a list'),
        (but(evidence={}), '"evidence" is an object, not a list'),
        (but(evidence=[3]), "evidence 1 is a number"),
        (but(evidence=[{"passage_id": "d0", "start": 1}]), 'evidence 1 lacks a whole number for "start", "end"'),
        (but(evidence=[{"passage_id": "d9", "start": 1, "end": 2}]), 'names passage "d9"'),
        (but(evidence=[{"passage_id": "d0", "start": 5, "end": 11}]), "characters 5 to 11, but the passage has 10"),
        (but(evidence=[{"passage_id": "d0", "start": 5, "end": 5}]), "characters 5 to 5"),
    ])
    def test_bad_line(self, line: str | bytes, words: str) -> None:
        """File and line, what is wrong in one sentence without a word of Python, and a fix."""
        with pytest.raises(InputError, match=r"^labels\.jsonl:2: ") as caught:
            list(read_labels(["", line], filename="labels.jsonl"))

        assert words in caught.value.message
        assert "\n" not in caught.value.message
        assert caught.value.fix
        for python in ("Expecting", "codec", "KeyError", "NoneType", " dict", "Traceback", "'claim'", "recursion"):
            assert python not in caught.value.message

    def test_forgiving_where_the_meaning_is_clear(self) -> None:
        """A mark at the start of the file, upper case and spaces in labels, numbers as ids, no question, no passages."""
        row = next(read_labels([b"\xef\xbb\xbf" + but(label="Not supported", id=7, question=None, passages=[]).encode()]))

        assert ("7", "not_supported", "", ()) == (row.id, row.label, row.question, row.passages)
