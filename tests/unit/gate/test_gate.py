"""A gate that neither passes by accident nor fails without saying why."""

from __future__ import annotations

import pytest

from ragviz.errors import InputError
from ragviz.gate.candidate import join_candidate
from ragviz.gate.cases import GateCase, GateClaim
from ragviz.gate.check import check
from ragviz.gate.rules import Bounds, Rules, default_rules, read_rules
from ragviz.records import Grounding, ImportedClaim, Interval, Passage, Score, ScoreStatus, Side, Summary, Trace


def a_score(metric: str, value: float | None, **more: object) -> Score:
    """A score with or without value."""
    status = ScoreStatus.OK if value is not None else ScoreStatus.UNDEFINED
    return Score(metric=metric, metric_version="1", trace_id="t", value=value, status=status, reason="" if value is not None else "no claims", **more)  # type: ignore[arg-type]


def a_summary(macro: float | None, lo: float = 0.0, hi: float = 1.0) -> Summary:
    """A mean with its interval."""
    return Summary(metric="m", macro=macro, micro=None, n=2, undefined=0, coverage=1.0, ci95=Interval(lo=lo, hi=hi))


def a_trace(name: str, **more: object) -> Trace:
    """A trace with one passage."""
    fields = {"question": "q", "response": "r", "passages": (Passage(id="p", text="x", rank=1),)} | more
    return Trace(id=name, **fields)  # type: ignore[arg-type]


class TestJoining:
    @pytest.mark.parametrize(
        ("names", "word"),
        [(["a"], "missing: b"), (["a", "b", "b"], "more than once: b"), (["a", "b", "c"], "unknown: c")],
    )
    def test_each_case_is_answered_exactly_once(self, names: list[str], word: str) -> None:
        """Missing, doubled and unknown rows are named."""
        with pytest.raises(InputError, match=word):
            join_candidate([a_trace("a"), a_trace("b")], [a_trace(n) for n in names])

    def test_the_candidate_brings_no_ground_truth(self) -> None:
        """Its own reference, labels and reference claims are ignored."""
        gold = a_trace("a", reference="30 days", relevant_ids=frozenset({"p"}), claims=(ImportedClaim(side=Side.REFERENCE, text="gold"),))
        row = a_trace("a", response="90 days", reference="90 days", relevant_ids=frozenset(),
                      claims=(ImportedClaim(side=Side.RESPONSE, text="own"), ImportedClaim(side=Side.REFERENCE, text="forged")),
                      passages=(Passage(id="p", text="x", rank=1, relevance=1),))

        (joined,) = join_candidate([gold], [row])

        assert (joined.response, joined.reference, joined.relevant_ids) == ("90 days", "30 days", frozenset({"p"}))
        assert [c.text for c in joined.claims or ()] == ["own", "gold"]
        assert joined.passages is not None
        assert joined.passages[0].relevance is None


class TestRules:
    def test_a_bare_number_is_a_minimum(self) -> None:
        """The common case is short."""
        rules = read_rules("[each]\nfaithfulness = 0.9\n[mean]\nhallucination = {max = 0.1, upper_bound = 0.2}", filename="g.toml")

        assert rules.each == {"faithfulness": Bounds(min=0.9)}
        assert rules.mean == {"hallucination": Bounds(max=0.1, upper_bound=0.2)}

    @pytest.mark.parametrize(
        "text", ["[each", "[eahc]\na=1", "[each]\nx = {minimum = 1}", "missing = 'maybe'", "[[must_pass]]\ncase='a'\nclaim='b'\nverdict='true'", "each = 3"]
    )
    def test_mistakes_are_named_with_the_file(self, text: str) -> None:
        """A rule that is not understood must not pass silently."""
        with pytest.raises(InputError, match=r"g\.toml"):
            read_rules(text, filename="g.toml")


class TestChecking:
    def test_names_case_metric_value_and_limit(self) -> None:
        """0.5 is below 0.95; the claim to blame is listed."""
        report = check([GateCase(id="a", scores={"f": a_score("f", 0.5, claim_ids=("c2",))})], {}, Rules(each={"f": Bounds(min=0.95)}))

        (line,) = report.failures
        assert (line.scope, line.metric, line.value, line.limit, line.claim_ids) == ("a", "f", 0.5, "at least 0.95", ("c2",))

    def test_a_missing_value_fails_unless_told_otherwise(self) -> None:
        """No answer is no proof."""
        cases = [GateCase(id="a", scores={"f": a_score("f", None)})]

        assert not check(cases, {}, Rules(each={"f": Bounds(min=0.1)})).passed
        assert check(cases, {}, Rules(each={"f": Bounds(min=0.1)}, missing="skip")).passed

    def test_a_rule_about_nothing_is_refused(self) -> None:
        """Unknown metric, case or slice: exit 2, not a pass."""
        cases = [GateCase(id="a", scores={"f": a_score("f", 1.0)})]

        with pytest.raises(InputError, match="fff"):
            check(cases, {}, Rules(each={"fff": Bounds(min=0.1)}))
        with pytest.raises(InputError, match="'b'"):
            check(cases, {}, Rules(quarantine=("b",)))
        with pytest.raises(InputError, match="topic=x"):
            check(cases, {}, read_rules("[slice.topic.x]\nf = 1.0", filename="g"))

    def test_quarantine_reports_without_blocking(self) -> None:
        """A flaky case is listed, not hidden."""
        report = check([GateCase(id="a", scores={"f": a_score("f", 0.0)})], {}, Rules(each={"f": Bounds(min=1.0)}, quarantine=("a",)))

        assert report.passed
        assert [(line.passed, line.quarantined) for line in report.lines] == [(False, True)]

    def test_the_lower_bound_looks_at_the_interval(self) -> None:
        """Mean 0.9 with an interval from 0.7 does not reach a lower bound of 0.8."""
        cases = [GateCase(id="a", scores={"f": a_score("f", 0.9)})]

        assert not check(cases, {"f": a_summary(0.9, lo=0.7)}, Rules(mean={"f": Bounds(min=0.8, lower_bound=0.8)})).passed
        assert check(cases, {"f": a_summary(0.9, lo=0.85)}, Rules(mean={"f": Bounds(min=0.8, lower_bound=0.8)})).passed

    def test_must_pass_claims_stand_apart_from_averages(self) -> None:
        """By id or by words; an answer that no longer makes the claim fails too."""
        case = GateCase(id="a", scores={}, claims=(GateClaim(id="c1", text="It takes 30 days", grounding=Grounding.SUPPORTED),))
        rule = "[[must_pass]]\ncase = 'a'\nclaim = '{}'\nverdict = '{}'"

        assert check([case], {}, read_rules(rule.format("30 DAYS", "supported"), filename="g")).passed
        assert not check([case], {}, read_rules(rule.format("c1", "contradicted"), filename="g")).passed
        assert not check([case], {}, read_rules(rule.format("free", "supported"), filename="g")).passed

    def test_defaults_follow_k(self) -> None:
        """recall_at_2 for -k 2."""
        assert "recall_at_2" in default_rules(2).each


class TestRulesThatCheckNothing:
    @pytest.mark.parametrize(
        "written",
        [
            "",
            "quarantine = []",
            "[each]\nfaithfulness = nan",
            "[mean]\nfaithfulness = inf",
            "[each]\nfaithfulness = {}",
            "[each]\nfaithfulness = {min = 0.9, max = 0.1}",
            "[each]\nfaithfulness = {lower_bound = 0.9}",
            '[[must_pass]]\ncase = "a"\nclaim = " "\nverdict = "supported"',
            "each = [1]",
            "[each]\nfaithfulness = true",
        ],
    )
    def test_are_refused(self, written: str) -> None:
        """A slip in the rules must not let everything pass."""
        with pytest.raises(InputError) as caught:
            read_rules(written, filename="gate.toml")

        assert caught.value.message.startswith("gate.toml: ")
        assert caught.value.fix

    def test_a_byte_order_mark_is_no_fault(self) -> None:
        """Windows editors write one."""
        assert read_rules("\ufeff[each]\nfaithfulness = 0.9\n", filename="gate.toml").each["faithfulness"].min == 0.9
