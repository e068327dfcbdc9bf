"""Cutting claims out of any answer: what is left is the old text with stretches missing, and cutting again changes nothing."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from ragviz.claims import extractors
from ragviz.records import Side, Trace
from ragviz.remedies.cutting import Piece, cut_out

SENTENCES = st.sampled_from(
    [
        "The plan is free [1].",
        "It includes ten seats, and support is open daily [2].",
        "- Red is warm;\n",
        "1. Labels cost £2 and parcels cost £9 [1][3].\n\n",
        "# Head\n",
        "However, sale items cannot be returned, but vouchers are valid.",
        "未開封の商品は返品できます[1]。",
        "Ok!",
        "Sources:\n[1] terms\n",
        "Der Tarif kostet 5 €, und der Versand ist frei. ",
        "She said “it is done.” Then she left.",
        "\r\n",
        "  ",
        "A\u202eb is c.",
    ]
)
TEXTS = st.one_of(st.lists(SENTENCES, max_size=8).map(" ".join), st.text(max_size=200))


@settings(max_examples=150, deadline=None)
@given(text=TEXTS, data=st.data())
def test_only_stretches_are_missing(text: str, data: st.DataObject) -> None:
    """Kept characters in their order (a first letter may be raised), kept claims in their words, bad ones gone; and cutting is done once."""
    trace = Trace(id="t", question="q", response=text, passages=())
    (claims,) = extractors.make("rules").extract([trace], side=Side.RESPONSE)
    pieces = [Piece(c.id, c.text, c.spans, data.draw(st.booleans())) for c in claims]
    found = cut_out(text, pieces)

    kept = [i for i in range(len(text)) if not any(g.start <= i < g.end for g in found.gone)]
    assert [c.casefold() for c in found.text] == [text[i].casefold() for i in kept]
    assert sum(a != text[i] for a, i in zip(found.text, kept, strict=True)) <= len(found.capital_at)
    for piece in pieces:
        moved = [found.moved(span) for span in piece.spans]
        if piece.bad:
            assert None in moved or not piece.spans
        elif piece.claim_id not in found.lost:
            assert [m.of(found.text).casefold() for m in moved if m] == [s.of(text).casefold() for s in piece.spans]
    again = [p._replace(spans=tuple(m for s in p.spans if (m := found.moved(s)) is not None)) for p in pieces if not p.bad]
    assert cut_out(found.text, again).text == found.text
