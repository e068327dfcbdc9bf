"""Verdicts that came with the file."""

from __future__ import annotations

from ragviz.judges.imported import ImportedJudge
from ragviz.records import ImportedVerdict, Pair, PairKey, Table, Verdict

PREMISE = "The bridge opened in 1998. It is 300 metres long."


def pair(verdict: Verdict | None, quote: str | None = None, premise: str = PREMISE, confidence: float | None = None) -> Pair:
    said = None if verdict is None else ImportedVerdict(
        table=Table.RESPONSE_X_PASSAGES, premise_id="p", verdict=verdict, label=verdict.value, quote=quote, confidence=confidence, reason="says so",
    )
    return Pair(key=PairKey(Table.RESPONSE_X_PASSAGES, "t", "c1", "p"), premise=premise, hypothesis="The bridge opened in 1998.", imported=said)


class TestImportedJudge:
    def test_quote_is_located(self) -> None:
        """The file's quote becomes a certificate."""
        (found,) = ImportedJudge().judge([pair(Verdict.ENTAILED, "opened in 1998", confidence=0.8)])

        assert (Verdict.ENTAILED, 0.8) == (found.verdict, found.confidence)
        assert ["opened in 1998"] == [e.quote for e in found.evidence]
        assert "says so" in found.rationale

    def test_without_quote_the_nearest_sentence(self) -> None:
        """We point at the nearest sentence, and say that it was us."""
        (found,) = ImportedJudge().judge([pair(Verdict.ENTAILED)])

        assert ["The bridge opened in 1998."] == [e.quote for e in found.evidence]
        assert "the nearest sentence is shown" in found.rationale

    def test_invented_quote(self) -> None:
        """A quote that is not there is said not to be there; the verdict stays the file's."""
        (found,) = ImportedJudge().judge([pair(Verdict.CONTRADICTED, "opened in 2001")])

        assert Verdict.CONTRADICTED is found.verdict
        assert "not in the passage" in found.rationale

    def test_no_verdict_in_the_file(self) -> None:
        """Silence of the file is unjudged, never neutral."""
        (found,) = ImportedJudge().judge([pair(None)])

        assert Verdict.UNJUDGED is found.verdict
        assert found.rationale

    def test_neutral_needs_no_evidence(self) -> None:
        """Nothing is pointed at for a neutral word; a confidence outside 0 to 1 is dropped."""
        (found,) = ImportedJudge().judge([pair(Verdict.NEUTRAL, confidence=7.0)])

        assert ((), None) == (found.evidence, found.confidence)
