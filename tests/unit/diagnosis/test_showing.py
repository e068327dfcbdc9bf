"""What shows a cause: all places of a passage that the certificate names, not the first alone."""

from __future__ import annotations

from datetime import UTC, datetime

import msgspec
import pytest

from ragviz.diagnosis.showing import retrieved, stating
from ragviz.records import Annotation, Evidence, Grounding, JudgedTrace, Span, Table, Verdict
from tests.build import a_claim, a_judgement, a_passage, a_trace

TEXT = "Returns take 30 days. Sale items are kept. Opened items count as sold."


def place(words: str, passage_id: str | None = None) -> Evidence:
    """Words of the passage."""
    return Evidence(span=Span(TEXT.index(words), TEXT.index(words) + len(words)), quote=words, passage_id=passage_id)


@pytest.mark.parametrize(
    "words",
    [
        ("Returns take 30 days.",),
        ("Returns take 30 days.", "Opened items count as sold."),
        ("Sale items are kept.", "Opened items count as sold.", "Returns take 30 days."),
    ],
)
@pytest.mark.parametrize("verdict", ["E", "C"])
def test_a_passage_is_shown_with_every_quote_of_its_certificate(words: tuple[str, ...], verdict: str) -> None:
    """Of one, two and three places, in the certificate's order; the first stays where it was."""
    said = a_judgement(Table.RESPONSE_X_PASSAGES, "c1", "p1", verdict, evidence=tuple(map(place, words)))
    case = JudgedTrace(trace=a_trace(passages=(a_passage(1, TEXT),)), claims=(a_claim("c1"),), judgements=(said,))

    found = retrieved(case, Table.RESPONSE_X_PASSAGES, ["c1"])

    assert [(e.quotes, e.quote) for e in found] == [(words, words[0])]
    if said.verdict is Verdict.ENTAILED:
        assert stating(case, Table.RESPONSE_X_PASSAGES, ["c1"], ["p1"]) == found


def test_what_is_kept_reads_back_whole() -> None:
    """Results are stored: the further places among them."""
    said = a_judgement(Table.RESPONSE_X_PASSAGES, "c1", "p1", "E", evidence=(place("Returns take 30 days."), place("Sale items are kept.")))
    case = JudgedTrace(trace=a_trace(passages=(a_passage(1, TEXT),)), claims=(a_claim("c1"),), judgements=(said,))
    (shown,) = retrieved(case, Table.RESPONSE_X_PASSAGES, ["c1"])

    assert msgspec.msgpack.decode(msgspec.msgpack.encode(shown), type=type(shown)) == shown


@pytest.mark.parametrize(("verdict", "word"), [("E", Grounding.CONTRADICTED), ("E", Grounding.NOT_SUPPORTED), ("C", Grounding.SUPPORTED)])
def test_what_a_person_gainsaid_shows_nothing(verdict: str, word: Grounding) -> None:
    """A passage does not "state" a claim that a person found denied by it; where the person agrees, the place stays."""
    said = a_judgement(Table.RESPONSE_X_PASSAGES, "c1", "p1", verdict, evidence=(place("Returns take 30 days."),))
    note = Annotation(trace_id="t", claim_id="c1", grounding=word, author="Ada", at=datetime(2026, 3, 12, tzinfo=UTC), claim_set=a_claim("c1").extractor)
    agreed = Grounding.SUPPORTED if verdict == "E" else Grounding.CONTRADICTED

    def found(*notes: Annotation) -> int:
        return len(
            retrieved(
                JudgedTrace(trace=a_trace(id="t", passages=(a_passage(1, TEXT),)), claims=(a_claim("c1"),), judgements=(said,), annotations=notes),
                Table.RESPONSE_X_PASSAGES,
                ["c1"],
            )
        )

    assert (found(), found(note), found(msgspec.structs.replace(note, grounding=agreed))) == (1, 0, 1)
