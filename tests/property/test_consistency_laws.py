"""Laws of the readers of amounts, dates and names, and of the comparison, on any text."""

from __future__ import annotations

import itertools

from hypothesis import given, settings
from hypothesis import strategies as st

from ragviz.consistency import check
from ragviz.records import Span
from ragviz.text.dates import dates
from ragviz.text.names import names
from ragviz.text.quantities import quantities

PIECES = [
    "The pump", "the motor", "weighs", "opened", "in", "1998", "3.2 kg", "30 days", "$1.2bn", "12 %", "not", "no", "more than", "up to", "between", "and", "Mara Olsen",
    "WHO", "on 31/01/2026", "6 pm", "Mon–Fri", "all", "some", "rose", "fell", ",", ".", ";", "**", "½", "1.410,00", "1'410", "twenty-five", "-", "–", "(", ")", "€", "x", "null",
    "eins", "der", "die", "le", "les", "\u00a0", "\n", "🙂", "א", "\x00", "5", "5/6", "a week", "P30D", "May", "second", "third", "is", "was", "by", "to", "from", "only", "may",
]
texts = st.lists(st.sampled_from(PIECES), max_size=25).map(" ".join) | st.text(max_size=60) | st.lists(st.sampled_from(PIECES), max_size=25).map("".join)


@given(texts)
@settings(deadline=None, max_examples=300)
def test_mentions_lie_in_the_text_in_order(text: str) -> None:
    """Spans are inside, ordered and apart; values and labels can be shown."""
    for found in (quantities(text), dates(text), names(text)):
        spans: list[Span] = [mention.span for mention in found]
        assert all(span.fits(text) for span in spans)
        assert all(a.end <= b.start for a, b in itertools.pairwise(spans))
    assert all(q.label and q.outer.contains(q.span) for q in quantities(text))
    assert all(d.label for d in dates(text))
    assert all(n.span.of(text).startswith(n.text) and n.parts for n in names(text))


@given(texts, texts, st.integers(0, 50))
@settings(deadline=None, max_examples=300)
def test_findings_lie_in_their_texts(claim: str, premise: str, start: int) -> None:
    """Any two texts can be compared; each span lies on its side; figures lie in [0, 1]; asking again gives the same."""
    found = check(claim, premise, start=start)

    for clash in (*found.clashes, *found.dropped):
        assert clash.hypothesis_span is None or clash.hypothesis_span.fits(claim)
        assert clash.premise_span is not None
        assert clash.premise_span.start >= start
        assert clash.premise_span.shift(-start).fits(premise)
    assert all(a.hypothesis_span.fits(claim) and a.premise_span.shift(-start).fits(premise) for a in found.agreements)
    assert all(m.hypothesis_span.fits(claim) for m in found.missing)
    assert all(0 <= x <= 1 for x in (found.alignment, found.coverage, found.matched_share))
    assert found == check(claim, premise, start=start)


@given(texts, texts)
@settings(deadline=None, max_examples=200)
def test_start_only_moves_the_premise(claim: str, premise: str) -> None:
    """Where the window begins changes nothing but the premise's spans."""
    here, there = check(claim, premise), check(claim, premise, start=7)

    assert [c.premise_span.shift(7) if c.premise_span else None for c in here.clashes] == [c.premise_span for c in there.clashes]
    assert here.missing == there.missing


@given(st.lists(st.sampled_from(PIECES[:30]), min_size=1, max_size=12).map(" ".join))
@settings(deadline=None, max_examples=200)
def test_one_plain_sentence_agrees_with_itself(text: str) -> None:
    """A text that does not contradict itself does not clash with a copy: checked where it has at most one number and one verb."""
    if len(quantities(text)) + len(dates(text)) > 1 or ("rose" in text and "fell" in text) or text.count("not") + text.count("no") > 0 or "all" in text:
        return
    assert check(text, text).clashes == ()
