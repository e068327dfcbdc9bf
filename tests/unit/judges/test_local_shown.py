"""What a reader is shown of a passage: sentences rather than headings, and where nothing decides the places that come nearest."""

from __future__ import annotations

from ragviz.judges.local import LocalJudge
from ragviz.judges.local_shown import shown_units
from ragviz.judges.local_view import look, view_claim, view_premise
from ragviz.records import JOINED, Pair, PairKey, Table, Verdict

JUDGE = LocalJudge(embeddings=False)
NOTICE = "# Harbour pool closed\n\nThe council has closed the harbour pool until the leak is found. Tickets stay valid. Showers at the beach are open."


def shown(claim: str, premise: str) -> list[str]:
    seen = look(view_claim(claim), view_premise(premise))
    return [seen.premise.indexed.units[choice.unit].span.of(premise) for choice in shown_units(seen)]


def said(claim: str, premise: str, premise_id: str = "p") -> tuple[Verdict, list[str]]:
    pair = Pair(key=PairKey(Table.RESPONSE_X_PASSAGES, "t", "c1", premise_id), premise=premise, hypothesis=claim)
    judgement = JUDGE.judge([pair])[0]
    assert all(e.span.of(premise) == e.quote for e in judgement.evidence)
    return judgement.verdict, [e.quote for e in judgement.evidence]


def test_a_sentence_stands_for_its_heading() -> None:
    """The heading is shorter and holds the same words; the sentence says it."""
    assert shown("The harbour pool was closed for a year.", NOTICE)[0].startswith("The council has closed")


def test_a_heading_that_is_the_claim_stays() -> None:
    """Nothing says it better than itself."""
    assert shown("Harbour pool closed", NOTICE)[0].lstrip("# ") == "Harbour pool closed"


def test_a_heading_without_its_sentence_stays() -> None:
    """Where no sentence holds its words, the heading is all there is."""
    assert "# Opening hours in winter" in shown("The opening hours in winter are short.", "# Opening hours in winter\n\nMonday to Friday from nine to five.")[0]


def test_nearest_places_where_nothing_decides() -> None:
    """Of all passages together three places to look at; of a single passage, of which there are many, only those that carry the verdict."""
    premise = "The north ferry leaves at six. The south ferry leaves at eight. The ferry to the north takes an hour. Dogs travel free."
    claim = "The north ferry is painted green and leaves daily."
    joined, alone = said(claim, premise, JOINED), said(claim, premise)

    assert joined[0] is alone[0] is Verdict.NEUTRAL
    assert len(alone[1]) < len(joined[1]) == 3
    assert joined[1][: len(alone[1])] == alone[1]
    assert "Dogs travel free." not in joined[1]
