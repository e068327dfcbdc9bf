"""Random judged traces for Hypothesis."""

from __future__ import annotations

from hypothesis import strategies as st

from ragviz.records import REFERENCE, RESPONSE, JudgedTrace, Policy, RatingKind, Side, Table
from tests.build import a_claim, a_judgement, a_passage, a_rating, a_trace


@st.composite
def judged_cases(draw: st.DrawFn, *, with_reference: bool | None = None, unjudged: bool = True, min_claims: int = 0, policies: bool = False) -> JudgedTrace:
    """
    A trace with up to 5 claims a side and 5 passages, and a verdict on each pair.

    Args:
        draw: Hypothesis.
        with_reference: Whether there is one; None = either.
        unjudged: Whether verdicts may be missing or UNJUDGED.
        min_claims: At least so many claims a side.
        policies: Any policy instead of the default one.
    """
    letters = "ECN?-" if unjudged else "ECN"
    n_passages = draw(st.integers(1 if not unjudged else 0, 5))
    n_claims, n_expected = draw(st.integers(min_claims, 5)), draw(st.integers(min_claims, 5))
    has_reference = draw(st.booleans()) if with_reference is None else with_reference
    n_expected = n_expected if has_reference else 0
    passages = tuple(a_passage(i + 1, relevance=draw(st.sampled_from([None, 0, 1, 2]))) for i in range(n_passages))
    ids = draw(st.none() | st.frozensets(st.sampled_from(["p1", "p2", "p3", "x"])))
    trace = a_trace(
        passages=passages, reference="It is so." if has_reference else None, relevant_ids=ids, answerable=draw(st.sampled_from([None, True, False]))
    )
    claims = [a_claim(f"c{i + 1}") for i in range(n_claims)] + [a_claim(f"r{i + 1}", side=Side.REFERENCE) for i in range(n_expected)]
    judgements = []
    for table in Table:
        premises = [p.id for p in passages] if table.against_passages else [REFERENCE if table is Table.RESPONSE_X_REFERENCE else RESPONSE]
        if table is Table.RESPONSE_X_REFERENCE and not has_reference:
            continue
        for claim in claims:
            if claim.side is table.side:
                for premise in premises:
                    letter = draw(st.sampled_from(letters))
                    if letter != "-":
                        judgements.append(a_judgement(table, claim.id, premise, letter))
    ratings = tuple(
        a_rating(draw(st.none() | st.floats(-1, 1)), kind, target_id="p1" if kind is RatingKind.QUESTION_TO_PASSAGE else RESPONSE, reason="asked")
        for kind in draw(st.sets(st.sampled_from(sorted(RatingKind))))
    )
    policy = draw(st.sampled_from(sorted(Policy))) if policies else Policy.DEFAULT
    k = draw(st.sampled_from([None, 1, 3]))
    return JudgedTrace(
        trace=trace, claims=tuple(claims), judgements=tuple(judgements), ratings=ratings, policy=policy, k=k if unjudged else None,
        retrieval_k=draw(st.integers(1, 6)),
    )
