"""Filters and URLs say the same."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ragviz.records import Grounding
from ragviz.store import TraceFilter
from ragviz.ui import filters

WORDS = st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cs", "Zl", "Zp")), min_size=1, max_size=12)
NUMBERS = st.one_of(st.none(), st.floats(0, 1).map(lambda v: round(v, 9)))
RANGES = st.tuples(st.sampled_from(filters.SCORES), NUMBERS, NUMBERS).filter(lambda r: r[1] is not None or r[2] is not None)


@given(st.builds(
    TraceFilter, text=st.one_of(st.just(""), WORDS), quadrants=st.lists(st.sampled_from(["good", "off_topic"]), unique=True, max_size=2).map(tuple),
    causes=st.lists(st.sampled_from(["none", "source_wrong"]), unique=True, max_size=2).map(tuple),
    verdicts=st.lists(st.sampled_from(list(Grounding)), unique=True, max_size=3).map(tuple), tags=st.dictionaries(WORDS, WORDS, max_size=3),
    source=st.one_of(st.none(), WORDS), ranges=st.lists(RANGES, max_size=2).map(tuple), failing=st.booleans(),
))
def test_a_filter_comes_back_from_its_url(where: TraceFilter) -> None:
    """What one page writes, the other reads, whatever signs are in tags and words."""
    params = filters.to_params(where)

    if all(len(value) <= 300 for value in params.values()):
        assert filters.from_params(params) == where


def test_a_long_tag_in_any_script_comes_back() -> None:
    """A value of a hundred characters is not three times as long in an address because it is not Latin; links of earlier versions are read too."""
    where = TraceFilter(tags={"話題": "返品と交換" * 20, "a;b": "100 %: x\ny"})

    assert filters.from_params(filters.to_params(where)) == where
    assert filters.from_params({"tag": "%E8%A9%B1:a%3Ab"}) == TraceFilter(tags={"話": "a:b"})


def test_a_tag_no_database_takes_is_none() -> None:
    """A NUL hidden behind an escape; signs that could not be written again."""
    assert filters.from_params({"tag": "topic:%00"}) == filters.from_params({"tag": "a:" + "%" * 290}) == TraceFilter()


def test_below_includes_all_but_the_limit() -> None:
    """"Below 1" keeps 0.999999 and leaves 1 out."""
    ((name, low, high),) = filters.below("faithfulness", 1.0).ranges

    assert (name, low) == ("faithfulness", None)
    assert high is not None
    assert 0.999999 < high < 1


def test_unknown_words_are_dropped() -> None:
    """Columns that are no score, verdicts that are none, numbers that are none."""
    where = filters.from_params({"range": "trace_id::1;faithfulness:x:1;relevance::1.2.3", "verdict": "entailed,supported", "cause": "DROP TABLE"})

    assert where == TraceFilter(verdicts=(Grounding.SUPPORTED,))


def test_ends_that_cannot_be_written_again_are_rounded_or_dropped() -> None:
    """A page would otherwise hand another filter on than it was given."""
    where = filters.from_params({"range": "relevance:0.12345678949:;latency_ms::99999999999999999999999"})

    assert where.ranges == (("relevance", 0.123456789, None),)
    assert filters.from_params(filters.to_params(where)) == where


def test_conditions_in_words() -> None:
    """What "nothing found" says."""
    where = TraceFilter(text="refund", quadrants=("good",), tags={"topic": "billing"}, ranges=(("faithfulness", None, 1 - 1e-9), ("correctness", 0.5, None)))

    assert filters.describe(where, {"faithfulness": "faithfulness"}) == [
        ("q", "words “refund”"), ("quadrant", "quadrant good"), ("tag", "topic = billing"), ("range", "faithfulness below 1, correctness at least 0.5"),
    ]


def test_days_are_whole_and_in_words() -> None:
    """The first moment of the first day to the last of the last; the URL holds the days."""
    where = filters.from_params({"since": "1970-01-02", "until": "1970-01-03", "range": "faithfulness::0.5"})

    assert where.ranges == (("faithfulness", None, 0.5), ("started_at", 86_400.0, 3 * 86_400.0 - 0.001))
    assert filters.to_params(where) == {"since": "1970-01-02", "until": "1970-01-03", "range": "faithfulness::0.5"}
    assert filters.describe(where, {})[1:] == [("since", "time from 1970-01-02"), ("until", "time to 1970-01-03")]
    assert filters.from_params({"since": "1970-13-02", "until": "yesterday"}) == TraceFilter()
