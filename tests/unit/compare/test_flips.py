"""Claims that changed their verdict between two runs, why, and how many of them the judge's own noise explains."""

from __future__ import annotations

import numpy as np
import pytest

from ragviz.compare import (
    check_noise,
    claim_flips,
    mean_noise,
    noise_floor,
    trace_flip,
)
from ragviz.records import Grounding, JudgedTrace, Table
from tests.build import a_case, a_claim, a_judgement, a_passage, a_trace


class TestFlips:
    BASE = a_case("ab", response_x_passages={"a": "EN", "b": "NN"})

    def test_a_case_against_itself_has_none(self) -> None:
        """Nothing changed."""
        assert claim_flips(self.BASE, self.BASE) == []
        assert trace_flip(self.BASE, self.BASE, "good", "good") is None

    def test_only_the_verdict_changed(self) -> None:
        """Same claim, same passages: the judge changed its mind."""
        (flip,) = claim_flips(self.BASE, a_case("ab", response_x_passages={"a": "NN", "b": "NN"}))

        assert (flip.before, flip.after, flip.reason, flip.worse) == (Grounding.SUPPORTED, Grounding.NOT_SUPPORTED, "only_verdict_changed", True)

    def test_other_passages_and_another_order(self) -> None:
        """A passage replaced, or two exchanged."""
        other = a_case("ab", response_x_passages={"a": "NN", "b": "NN"}, passages=(a_passage(1), a_passage(2, "Something new.")))
        turned = a_case("ab", response_x_passages={"a": "NN", "b": "NN"}, passages=(a_passage(1, "Text of passage 2."), a_passage(2, "Text of passage 1.")))

        assert [f.reason for f in claim_flips(self.BASE, other)] == ["passages_changed"]
        assert [f.reason for f in claim_flips(self.BASE, turned)] == ["rank_changed"]

    def test_claims_that_come_and_go(self) -> None:
        """A new unsupported claim is worse, an unsupported claim gone is better, a supported one that goes is no flip."""
        trace = self.BASE.trace
        base = JudgedTrace(trace=trace, claims=(a_claim("a", text="Parcels arrive on Monday."), a_claim("b", text="Gifts are wrapped.")), judgements=(
            a_judgement(Table.RESPONSE_X_PASSAGES, "a", "p1", "E"), *(a_judgement(Table.RESPONSE_X_PASSAGES, "b", p, "N") for p in ("p1", "p2")),
        ))
        candidate = JudgedTrace(trace=trace, claims=(a_claim("a", text="Nobody answers the phone."),), judgements=tuple(
            a_judgement(Table.RESPONSE_X_PASSAGES, "a", p, "N") for p in ("p1", "p2")
        ))

        come, gone = claim_flips(base, candidate)

        assert (come.base_claim, come.worse, come.reason) == (None, True, "claims_changed")
        assert (gone.candidate_claim, gone.worse, gone.base_claim.text) == (None, False, "Gifts are wrapped.")

    def test_a_claim_in_other_words(self) -> None:
        """Shown side by side, as a change of the claim."""
        trace = self.BASE.trace
        said = [(text, a_judgement(Table.RESPONSE_X_PASSAGES, "a", "p1", v)) for text, v in (("It takes 30 days.", "E"), ("It takes 90 days.", "C"))]
        base, candidate = (JudgedTrace(trace=trace, claims=(a_claim("a", text=t),), judgements=(j,)) for t, j in said)

        (flip,) = claim_flips(base, candidate)

        assert (flip.before, flip.after, flip.reason, flip.worse) == ("supported", "contradicted", "claims_changed", True)

    def test_quadrant_flip_has_its_reason(self) -> None:
        """The claims are the same and the passages are not."""
        other = a_case("ab", response_x_passages={"a": "NN", "b": "NN"}, passages=(a_passage(1), a_passage(2, "Something new.")))
        flip = trace_flip(self.BASE, other, "good", "lucky_guess")

        assert flip is not None
        assert (flip.reason, flip.detail) == ("passages_changed", "1 passage no longer retrieved, 1 new")

    def test_a_lost_passage_is_named_also_where_the_answer_changed(self) -> None:
        """An answer that no longer has its passage says other things: the passage is where to look."""
        base = a_case("a", response_x_passages={"a": "NE"}, passages=(a_passage(1, doc_id="faq"), a_passage(2, "Returns take 30 days.", doc_id="returns")))
        other = JudgedTrace(trace=a_trace(passages=(a_passage(1, doc_id="faq"),)), claims=(a_claim("z", text="Nobody knows."),), judgements=())
        flip = trace_flip(base, other, "good", "fabrication")

        assert flip is not None
        assert (flip.reason, flip.detail) == ("claims_changed", "claims: 1 new, 1 gone; 1 passage no longer retrieved (returns)")


class TestNoise:
    def judged_twice(self, n: int, flips: int) -> tuple[dict, dict]:
        first = {("t", str(i)): Grounding.SUPPORTED for i in range(n)}
        return first, {key: Grounding.NOT_SUPPORTED if int(key[1]) < flips else g for key, g in first.items()}

    def test_rate_with_interval(self) -> None:
        """27 of 100 flips."""
        floor = noise_floor(*self.judged_twice(100, 27))

        assert (floor.rate, floor.flips, floor.by_change) == (0.27, 27, {("supported", "not_supported"): 27})
        assert floor.ci95 is not None
        assert floor.ci95.lo == pytest.approx(0.186, abs=0.002)

    def test_flips_within_noise(self) -> None:
        """As many as the floor says are expected; twice as many are not noise."""
        floor = noise_floor(*self.judged_twice(200, 54))

        assert check_noise(floor, observed=27, n=100).within
        assert check_noise(floor, observed=27, n=100).expected == pytest.approx(27)
        assert not check_noise(floor, observed=54, n=100).within

    def test_claims_that_flip_together_know_less(self) -> None:
        """Of 20 answers with five claims each four flip whole: as much is known as of 20 claims, and a fifth of 20 is 5.7 to 43.7 %."""
        first = {(f"t{i}", str(j)): Grounding.SUPPORTED for i in range(20) for j in range(5)}
        second = {key: Grounding.NOT_SUPPORTED if int(key[0][1:]) < 4 else g for key, g in first.items()}
        floor = noise_floor(first, second)

        assert floor.ci95 is not None
        assert (floor.flips, floor.rate, floor.clustering) == (20, 0.2, pytest.approx(5 * 20 / 19 * (2.093024 / 1.984217) ** 2))
        assert floor.ci95.lo < 0.058
        assert floor.ci95.hi > 0.436

    def test_a_judge_whose_answers_waver_whole_cries_no_more_than_stated(self) -> None:
        """400 seeds: noise measured on 20 answers, then 40 others; beyond noise 5 of 100 times at most, 35 of 400 with what so few seeds allow."""
        cries = 0
        for seed in range(400):
            rng = np.random.default_rng([3, seed])
            first = {(f"t{i}", str(j)): Grounding.SUPPORTED for i in range(20) for j in range(5)}
            whole = rng.random(20) < 0.15
            second = {key: Grounding.NOT_SUPPORTED if whole[int(key[0][1:])] else g for key, g in first.items()}
            cries += not check_noise(noise_floor(first, second), observed=5 * int((rng.random(40) < 0.15).sum()), n=200).within

        assert cries <= 35

    def test_without_a_measurement_every_flip_is_real(self) -> None:
        """Nothing known of the noise: the floor is 0."""
        nothing = noise_floor({}, {})

        assert check_noise(nothing, observed=0, n=10).within
        assert not check_noise(nothing, observed=1, n=10).within

    def test_unjudged_claims_are_no_flips(self) -> None:
        """A judge that failed once did not change its mind."""
        assert noise_floor({("t", "a"): Grounding.UNJUDGED}, {("t", "a"): Grounding.SUPPORTED}).n == 0

    def test_noise_of_a_mean(self) -> None:
        """100 traces, every fifth moves by 0.5 either way: t(100) · sqrt(0.05 / 100), t being 1.984."""
        first = {str(i): 0.5 for i in range(100)}
        second = {str(i): 0.5 if i % 5 else 0.5 + (0.5 if i % 10 else -0.5) for i in range(100)}

        assert mean_noise(first, second) == pytest.approx(1.983972 * (0.05 / 100) ** 0.5)
        assert mean_noise({}, {}) is None
