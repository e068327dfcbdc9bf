"""The laws of judges, run on every registered judge; those that need a network or weights run on stand-ins."""

from __future__ import annotations

import copy
import random
from collections.abc import Callable

import pytest

from ragviz.contracts import Judge
from ragviz.errors import JudgeUnavailable
from ragviz.judges import fingerprint, judges
from ragviz.records import Fact, ImportedVerdict, Judgement, Pair, PairKey, Table, Verdict

JudgeCheck = Callable[[Judge], None]
DECIDED = (Verdict.ENTAILED, Verdict.CONTRADICTED)

POLICY = "Unopened items can be sent back within 30 days. Express parcels arrive in 2 business days. The shop is closed on Sundays."
ODD_TEXTS = (
    "", " ", "\n\t", "\x00", "a\x00b", "<script>alert(1)</script> 30 days", "😀" * 40, "עברית: 30 ימים", "\u202eRUE 001\u202c", "日本語の文章です。30日以内。",
    "\ud800 lone", "x" * 5000, "word " * 3000, "e\u0301" * 50, "** ** __ ``", "1.410,00 EUR" * 20,
)


def pair(n: int, premise: str, hypothesis: str, **more: object) -> Pair:
    key = PairKey(Table.RESPONSE_X_PASSAGES, "t1", f"c{n}", f"p{n}")
    facts = (Fact(attribute="window", value="30 days"),)
    said = ImportedVerdict(table=Table.RESPONSE_X_PASSAGES, premise_id=f"p{n}", verdict=Verdict.ENTAILED, label="Entailment", quote=hypothesis)
    filled: dict[str, object] = {"premise_facts": facts, "hypothesis_fact": facts[0], "imported": said, **more}
    return Pair(key=key, premise=premise, hypothesis=hypothesis, question="Until when may I return it?", context=hypothesis, **filled)


PAIRS = [
    pair(1, POLICY, "Unopened items can be sent back within 30 days."),
    pair(2, POLICY, "Unopened items can be sent back within 90 days."),
    pair(3, POLICY, "Express parcels arrive in 2 business days."),
    pair(4, POLICY, "Gift boxes are made of glass."),
    pair(5, "The mast is 21 metres high.", "The mast is 21 metres high."),
    pair(6, "", "The mast is 21 metres high."),
    pair(7, "The mast is 21 metres high.", ""),
    pair(8, POLICY, "The shop is open on Sundays.", premise_facts=None, hypothesis_fact=None, imported=None),
]


def said(judgements: list[Judgement]) -> list[tuple[object, ...]]:
    """What must agree between two askings; confidence to six digits."""
    return [(j.key, j.verdict, None if j.confidence is None else round(j.confidence, 6), j.evidence, j.clashes, j.alarm, j.provenance) for j in judgements]


def check_one_answer_per_pair(judge: Judge) -> None:
    assert [p.key for p in PAIRS] == [j.key for j in judge.judge(PAIRS)]


def check_nothing_in_nothing_out(judge: Judge) -> None:
    assert judge.judge([]) == []


def check_batching_changes_nothing(judge: Judge) -> None:
    assert said(judge.judge(PAIRS)) == said(judge.judge(PAIRS[:3])) + said(judge.judge(PAIRS[3:]))


def check_order_changes_nothing(judge: Judge) -> None:
    shuffled = random.Random(4).sample(PAIRS, len(PAIRS))
    by_key = {j.key: j for j in judge.judge(PAIRS)}
    assert said([by_key[p.key] for p in shuffled]) == said(judge.judge(shuffled))


def check_duplicates_answered_alike(judge: Judge) -> None:
    answers = judge.judge([PAIRS[0], PAIRS[1], PAIRS[0]])
    assert said(answers[:1]) == said(answers[2:])


def check_certificates(judge: Judge) -> None:
    for p, j in zip(PAIRS, judge.judge(PAIRS), strict=True):
        for e in j.evidence:
            assert e.span.fits(p.premise)
            assert e.quote == e.span.of(p.premise)
            assert 0 <= e.weight <= 1
        if j.verdict in DECIDED and p.premise and judge.info.claim_set == "text":
            assert j.evidence, f"{j.verdict} without a certificate"
        for clash in j.clashes:
            assert clash.hypothesis_span is None or clash.hypothesis_span.fits(p.hypothesis)
            assert clash.premise_span is None or clash.premise_span.fits(p.premise)


def check_confidence(judge: Judge) -> None:
    assert all(j.confidence is None or 0 <= j.confidence <= 1 for j in judge.judge(PAIRS))


def check_provenance(judge: Judge) -> None:
    judgements = judge.judge(PAIRS)
    assert {fingerprint(judge)} == {j.provenance.fingerprint for j in judgements}
    assert all(j.provenance.judge == judge.info.name and j.provenance.judge_version == judge.info.version for j in judgements)


def check_odd_texts(judge: Judge) -> None:
    odd = [pair(i, text, "Items can be sent back within 30 days.") for i, text in enumerate(ODD_TEXTS)]
    odd += [pair(100 + i, POLICY, text) for i, text in enumerate(ODD_TEXTS)]
    judgements = judge.judge([*odd, PAIRS[0]])
    assert [p.key for p in [*odd, PAIRS[0]]] == [j.key for j in judgements]
    assert said(judgements[-1:]) == said(judge.judge(PAIRS[:1]))
    assert all(j.rationale for j in judgements if j.verdict is Verdict.UNJUDGED)
    for p, j in zip(odd, judgements, strict=False):
        assert all(e.quote == e.span.of(p.premise) for e in j.evidence)


def check_nothing_truncated(judge: Judge) -> None:
    filler = "Room 12 has a wooden floor and four windows. " * 400
    long = pair(1, filler + POLICY, "Express parcels arrive in 2 business days.")
    short = pair(1, POLICY, "Express parcels arrive in 2 business days.")
    far, near = judge.judge([long])[0], judge.judge([short])[0]
    assert far.verdict in (near.verdict, Verdict.UNJUDGED)


def check_inputs_unchanged(judge: Judge) -> None:
    before = copy.deepcopy(PAIRS)
    judge.judge(PAIRS)
    assert before == PAIRS


def check_repeats_itself(judge: Judge) -> None:
    if judge.info.deterministic:
        assert said(judge.judge(PAIRS)) == said(judge.judge(PAIRS))


def check_available_never_raises(judge: Judge) -> None:
    state = judge.available()
    assert state.ok or (state.reason and state.fix)


CHECKS: list[JudgeCheck] = [value for name, value in sorted(globals().items()) if name.startswith("check_")]


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize("name", judges.names())
def test_judge_contract(name: str, check: JudgeCheck) -> None:
    """Each registered judge keeps each law."""
    check(_for_test(name))


def _for_test(name: str) -> Judge:
    """The judge without weights or network; one that cannot do without is skipped here and tested in its own room."""
    settings: dict[str, object] = {"embeddings": False} if name == "local" else {}
    judge = judges.make(name, **settings)
    if judge.info.network or not judge.available().ok:
        with pytest.raises(JudgeUnavailable):
            judge.judge(PAIRS[:1])
        pytest.skip(f"{name} needs what is not here: {judge.available().reason or 'a network'}; its own tests drive it")
    return judge
