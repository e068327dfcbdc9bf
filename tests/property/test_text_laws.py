"""Laws of folding, splitting and finding, on text nobody would think of."""

from __future__ import annotations

import itertools

from hypothesis import example, given
from hypothesis import strategies as st

from ragviz.evidence.quotes import find_quote
from ragviz.records import MatchTier, Span
from ragviz.text.citation_marks import _MAY_CITE, _may_cite, citation_marks, trailing_sources
from ragviz.text.normalize import fold
from ragviz.text.polarity import is_refusal, negations
from ragviz.text.sentences import sentence_spans
from ragviz.text.tokens import _TOKEN, _pattern, content_stem_list, content_tokens, tokens

# Letters, marks and signs that folding and splitting care about, so that collisions happen often.
TRICKY = st.text(alphabet="aB1 .,;!?*_`-\n\t\"'[](){}|#>ﬁßİéΣς…—“”²½①\u0301\u200b\u202e\u00ad\u00a0。！「」ᄀ\u1161各가\U0001f600️‍ا؟$", max_size=60)
TEXTS = TRICKY | st.text(max_size=80)


@example("\u1100\u202e\u1161")
@example("\u1100\u0301\u202e\u1161\u11a8 a\u202e\u0301")
@given(TEXTS)
def test_folding_twice_is_folding_once(text: str) -> None:
    """A folded text folds to itself."""
    once = fold(text).text

    assert once == fold(once).text


@given(TEXTS, st.data())
def test_the_way_back_stays_in_the_text_and_in_order(text: str, data: st.DataObject) -> None:
    """Every span of the folded text stands for characters of the input; a later span never begins earlier."""
    folded = fold(text)
    if not folded.text:
        return
    a = data.draw(st.integers(0, len(folded.text) - 1))
    b = data.draw(st.integers(a, len(folded.text) - 1))
    first, second = folded.original(Span(a, a + 1)), folded.original(Span(b, b + 1))

    assert first.fits(text)
    assert first.start <= second.start
    assert first.end <= second.end
    assert folded.original(Span(a, b + 1)) == Span(first.start, second.end)


@given(TEXTS)
def test_sentences_cover_all_words_once(text: str) -> None:
    """Sentences ascend, do not overlap, carry no outer white space, and no letter or digit is lost outside code fences."""
    spans = sentence_spans(text)

    assert all(a.end <= b.start for a, b in itertools.pairwise(spans))
    assert all(s.fits(text) and s.of(text) == s.of(text).strip() for s in spans)
    if "```" not in text and "~~~" not in text:
        kept = sum(sum(c.isalnum() for c in s.of(text)) for s in spans)
        assert kept == sum(c.isalnum() for c in text)


@given(TEXTS)
def test_tokens_and_marks_are_what_they_say(text: str) -> None:
    """Tokens, citation marks and negations ascend and show the characters they stand for."""
    found = tokens(text)
    marks = citation_marks(text)

    assert all(t.span.of(text) == t.text for t in found)
    assert all(a.span.end <= b.span.start for a, b in itertools.pairwise(found))
    assert all(m.span.of(text) == m.text and m.labels for m in marks)
    assert all(a.span.end <= b.span.start for a, b in itertools.pairwise(marks))
    assert all(n.fits(text) for n in negations(text))
    sources = trailing_sources(text)
    assert sources is None or sources.fits(text)
    assert is_refusal(text) in (True, False)


@given(TEXTS, TEXTS)
def test_a_quote_found_is_there(quote: str, premise: str) -> None:
    """Every located span lies in the passage; pieces ascend; exact means verbatim."""
    located = find_quote(quote, premise)
    if located is None:
        return

    assert all(s.fits(premise) for s in located.spans)
    assert all(a.end <= b.start for a, b in zip(located.spans, located.spans[1:], strict=False))
    if located.tier is MatchTier.EXACT:
        assert all(s.of(premise) in quote for s in located.spans)


@given(st.lists(st.text(alphabet="abcdeé ", min_size=1, max_size=8).filter(str.strip), min_size=3, max_size=12), st.data())
def test_whole_words_of_a_passage_are_found(words: list[str], data: st.DataObject) -> None:
    """Words cut out of a passage are found in it, exactly."""
    words = [w.strip() for w in words]
    premise = " ".join(words)
    a = data.draw(st.integers(0, len(words) - 1))
    b = data.draw(st.integers(a + 1, len(words)))
    quote = " ".join(words[a:b])

    located = find_quote(quote, premise)

    assert located is not None
    assert located.tier is MatchTier.EXACT
    assert located.spans[0].of(premise) == quote


@given(st.text(alphabet=st.characters(max_codepoint=0x3100, exclude_categories=("Cs",)), max_size=60))
def test_the_fast_way_to_words_finds_the_same_words(text: str) -> None:
    """Texts without combining marks and without scripts that use no spaces are read with a simpler pattern."""
    assert _pattern(text).findall(text) == _TOKEN.findall(text)
    assert content_stem_list(text) == [t.stem for t in content_tokens(text)]


@given(st.text(alphabet="a1[(]\u3010\u00b9\u00b2\u00b3\u2070\u2074\u2079\u2075 é", max_size=6) | TEXTS)
def test_a_text_that_cannot_cite_is_told_without_looking_for_each_sign(text: str) -> None:
    """The quick look says what looking for every sign says."""
    assert _may_cite(text) == (_MAY_CITE.search(text) is not None)
