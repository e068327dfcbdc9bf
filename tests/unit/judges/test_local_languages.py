"""
Figures, dates, denials, permissions, bounds and names in German, French, Spanish, Italian, Dutch and Portuguese: what is right is not denied, what is
wrong not supported.
"""

from __future__ import annotations

import collections

import pytest

from ragviz.records import Verdict
from tests.unit.judges.labelled_pairs import rows_of, verdicts

ROWS = rows_of("language_pairs.jsonl")
LANGUAGES = ("de", "fr", "es", "it", "nl", "pt")
DEVELOPED = [row for row in ROWS if row["id"][-2] == "d"]
HELD_OUT = [row for row in ROWS if row["id"][-2] == "h"]


def counts(rows: list[dict[str, str]]) -> collections.Counter[tuple[str, Verdict]]:
    return collections.Counter(zip([row["expect"] for row in rows], verdicts([(row["claim"], row["premise"]) for row in rows]), strict=True))


def test_enough_of_each() -> None:
    """Twenty-eight kinds in six languages, each as a right and a wrong claim; a third is held out."""
    assert len({row["kind"] for row in ROWS}) == 28
    assert {tuple(sorted((row["language"], row["kind"]) for row in ROWS)).count(one) for one in {(row["language"], row["kind"]) for row in ROWS}} == {2}
    assert len({row["id"] for row in ROWS}) == len(ROWS) == len(DEVELOPED) + len(HELD_OUT)
    assert len(HELD_OUT) >= len(ROWS) / 4


@pytest.mark.parametrize("language", LANGUAGES)
def test_developed(language: str) -> None:
    """By words alone: no right claim is contradicted, at most one wrong one supported, and four right ones in five are supported."""
    found = counts([row for row in DEVELOPED if row["language"] == language])
    right = sum(n for (expect, _), n in found.items() if expect == "supported")

    assert found["supported", Verdict.CONTRADICTED] == 0
    assert found["wrong", Verdict.ENTAILED] <= 1
    assert found["supported", Verdict.ENTAILED] >= 0.6 * right


@pytest.mark.parametrize(("claim", "premise"), [
    ("Die Garantie gilt fünf Jahre.", "Die Garantie gilt zwei Jahre."),
    ("La garantía dura cinco años.", "La garantía dura dos años."),
    ("De winkel is open op zondag.", "De winkel is niet open op zondag."),
    ("Eine nicht bestandene Modulprüfung können Sie dreimal wiederholen.", "Eine nicht bestandene Modulprüfung können Sie zweimal wiederholen."),
    ("Sie können sich bis zu sechs Semester beurlauben lassen.", "Sie können sich höchstens vier Semester beurlauben lassen."),
    ("La garanzia dura cinque anni.", "La garanzia dura due anni."),
    ("A garantia vale cinco anos.", "A garantia vale dois anos."),
])
def test_reported(claim: str, premise: str) -> None:
    """Plain figures and denials that a new user saw called supported."""
    assert verdicts([(claim, premise)]) == [Verdict.CONTRADICTED]


@pytest.mark.parametrize(("claim", "premise"), [
    ("Processing takes ten weeks.", "Die Bearbeitung dauert sechs Wochen."),
    ("Die Bearbeitung dauert zehn Wochen.", "Processing takes six weeks."),
    ("The tour takes 20 minutes.", "Die Führung (Tour) dauert 30 Minuten."),
    ("La visite (tour) dure 20 minutes.", "The tour takes half an hour."),
])
def test_two_languages(claim: str, premise: str) -> None:
    """A figure is never supported by another one, in whatever language it stands."""
    assert verdicts([(claim, premise)]) != [Verdict.ENTAILED]


@pytest.mark.parametrize(("premise", "right", "wrong"), [
    ("日曜日は営業していません。", "日曜日は営業していません。", "日曜日は営業しています。"),
    ("料金は1,200円です。", "料金は1,200円です。", "料金は2,100円です。"),
    ("保修期为两年。", "保修期为2年。", "保修期为五年。"),
    ("图书馆周一不开放。", "图书馆周一不开放。", "图书馆周一开放。"),
    ("最多可借二十本书。", "最多可借20本书。", "最多可借十本书。"),
])
def test_han(premise: str, right: str, wrong: str) -> None:
    """In Japanese and Chinese a figure in signs or digits, and a denial, are never supported by another one."""
    assert verdicts([(wrong, premise)]) != [Verdict.ENTAILED]
    assert verdicts([(right, premise)]) != [Verdict.CONTRADICTED]


def test_held_out() -> None:
    """Of the third that was written at the same time and looked at once, as totals: nine right ones in ten are supported, and one wrong one in ten at most."""
    found = counts(HELD_OUT)
    n = len(HELD_OUT) / 2

    assert found["supported", Verdict.ENTAILED] >= 0.9 * n
    assert found["supported", Verdict.CONTRADICTED] <= 1
    assert found["wrong", Verdict.ENTAILED] <= 0.1 * n
