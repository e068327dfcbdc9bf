"""Annotated pairs, compared exactly."""

from __future__ import annotations

from ragviz.judges.facts import FactsJudge
from ragviz.records import Fact, Pair, PairKey, Table, Verdict

PREMISE = "Returns: an unopened item can be sent back within 30 days."


def pair(claim: tuple[str, str] | None, facts: list[tuple[str, str]] | None, premise: str = PREMISE) -> Pair:
    fact = Fact(attribute=claim[0], value=claim[1]) if claim else None
    known = None if facts is None else tuple(Fact(attribute=a, value=v) for a, v in facts)
    hypothesis = fact.sentence if fact else "some sentence"
    return Pair(key=PairKey(Table.RESPONSE_X_PASSAGES, "t", "c1", "p"), premise=premise, hypothesis=hypothesis, premise_facts=known, hypothesis_fact=fact)


class TestFactsJudge:
    def test_same_pair(self) -> None:
        """The same pair is entailed, and its value is pointed at in the text."""
        (found,) = FactsJudge().judge([pair(("window", "30 days"), [("window", "30 days")])])

        assert Verdict.ENTAILED is found.verdict
        assert ["30 days"] == [e.quote for e in found.evidence]

    def test_other_value(self) -> None:
        """Another value of the same attribute contradicts; both values are named and located."""
        (found,) = FactsJudge().judge([pair(("window", "90 days"), [("window", "30 days")])])

        assert Verdict.CONTRADICTED is found.verdict
        (clash,) = found.clashes
        assert ("90 days", "30 days") == (clash.hypothesis_value, clash.premise_value)
        assert clash.premise_span is not None
        assert "30 days" == clash.premise_span.of(PREMISE)

    def test_one_of_several_values(self) -> None:
        """An attribute may have several values; one of them is enough."""
        (found,) = FactsJudge().judge([pair(("colour", "red"), [("colour", "blue"), ("colour", "red")])])

        assert Verdict.ENTAILED is found.verdict

    def test_absent_attribute(self) -> None:
        """Silence is neutral."""
        (found,) = FactsJudge().judge([pair(("price", "free"), [("window", "30 days")])])

        assert Verdict.NEUTRAL is found.verdict

    def test_annotated_with_nothing(self) -> None:
        """A premise known to state nothing is neutral; one nobody annotated cannot be judged."""
        empty, unknown, sentence = FactsJudge().judge([pair(("a", "b"), []), pair(("a", "b"), None), pair(None, [("a", "b")])])

        assert (Verdict.NEUTRAL, Verdict.UNJUDGED, Verdict.UNJUDGED) == (empty.verdict, unknown.verdict, sentence.verdict)
        assert unknown.rationale
        assert sentence.rationale

    def test_value_not_in_the_text(self) -> None:
        """Facts may be worded otherwise in the text: then there is nothing to point at."""
        (found,) = FactsJudge().judge([pair(("tracking", "included"), [("tracking", "included")], "Tracking comes with every parcel.")])

        assert Verdict.ENTAILED is found.verdict
        assert found.evidence == ()
