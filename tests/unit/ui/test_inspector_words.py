"""What the Inspector says in words, on the trace with all five verdicts."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from msgspec.structs import replace

from ragviz.diagnosis.causes import Cause
from ragviz.diagnosis.conflicts import source_faults
from ragviz.grounding import groundings
from ragviz.metrics import metrics
from ragviz.metrics.cited import cited_claims
from ragviz.records import Annotation, Grounding, Policy, Table
from ragviz.store import Word
from ragviz.ui.views.inspector_history import judgings
from ragviz.ui.views.inspector_passages import citation_words, passage_flags, survival
from ragviz.ui.views.inspector_words import (
    certificate_words,
    crumb,
    no_claims,
    reference_note,
    score_strip,
    strict_share,
    took,
)
from tests.browser.scenario import a_rich_case

CASE = a_rich_case()


def test_citations_say_what_the_cited_source_does() -> None:
    """Supports but disputed, supports, another source, contradicts, invented."""
    found = {claim: rows[0][1:] for claim, rows in citation_words(CASE, cited_claims(CASE)).items()}

    assert found == {
        "c1": ("cited source supports, disputed", True), "c2": ("cited source supports", True), "c3": ("another source: #5", True),
        "c4": ("cited source contradicts", True), "c5": ("invented, 5 were given", False),
    }


def test_fewer_passages_take_claims_down_one_by_one() -> None:
    """#5 carries c3, #4 the contradiction of c1, #3 that of c4, #2 the support of c1."""
    assert survival(CASE) == (
        "at 4, c3 loses its only support; at 3, c1 loses its contradiction and reads as supported; at 2, c4 loses its contradiction; at 1, c1 "
        "loses its only support."
    )
    assert survival(a_rich_case(k=1)) == ""


def test_the_certificate_names_judge_source_and_failure() -> None:
    """c1 rests on a weaker source; c6 says why it has no verdict."""
    grounded = groundings(CASE, Table.RESPONSE_X_PASSAGES)
    words = certificate_words(CASE, grounded, source_faults(CASE))

    assert "more authoritative passage says otherwise: returns_current" in words["c1"]["src"]
    assert words["c1"]["who"] == "local 1 · 24 ms"
    assert words["c6"]["why"] == "the judge gave no answer in 30 s, three times"
    assert passage_flags(CASE, source_faults(CASE)) == {"returns_mirror": "less official than #4"}


def test_the_strip_calls_a_cause_as_the_box_below_does() -> None:
    """"Evidence ignored" in both, not a name of ours in one of them; nothing where there is nothing to explain."""
    scores = {name: metrics.make(name).score(CASE) for name in ("faithfulness", "correctness", "relevance")}

    told = [score_strip(CASE, scores, "wrong_mirror", Cause(name=name, detail=""), strict=None)[0] for name in ("generator_ignored", "none")]

    assert [small for _, _, small, _ in told] == ["cause: evidence ignored", ""]


def test_the_strict_share_is_what_the_metric_says() -> None:
    """Two of six: the conflicted claim and the unjudged one count against."""
    strict = metrics.make("faithfulness").score(replace(CASE, policy=Policy.STRICT)).value

    assert strict == strict_share(groundings(CASE, Table.RESPONSE_X_PASSAGES)) == 2 / 6
    assert strict_share({}) is None


def test_small_words() -> None:
    """Where from, how long, and no claim about a reference nobody judged."""
    assert crumb(CASE) == "support assistant · 12 Mar 2026, 14:02"
    assert (took(12), took(1900)) == ("12 ms", "1.9 s")
    assert reference_note(CASE) == ""


def test_history_puts_pair_verdicts_together_by_judging() -> None:
    """Five pairs make one judging; the same judge again makes a second; a person's word is one by itself."""
    claim = CASE.claims[0]
    start = datetime(2026, 3, 12, 14, tzinfo=UTC)
    said = [j for j in CASE.judgements if j.key.claim_id == "c1"]
    note = Annotation(
        trace_id="tr-0417", claim_id="c1", grounding=Grounding.CONTRADICTED, author="Ada", reason="the policy is binding", at=start + timedelta(minutes=9)
    )
    words = [Word(at=start, said=j) for j in said] + [Word(at=start + timedelta(minutes=5), said=j) for j in said] + [Word(at=note.at, said=note)]

    rows = judgings(words[::-1], CASE, claim)

    assert [(r.who, r.grounding) for r in rows] == [("Ada", Grounding.CONTRADICTED), ("local 1", Grounding.CONFLICTED), ("local 1", Grounding.CONFLICTED)]
    assert [(r.confidence, r.elapsed_ms) for r in rows[1:]] == [(0.93, 24.0)] * 2
    assert "supports: “an unopened item can be sent back within 90 days of delivery” (#2 returns_mirror, characters 39–99, exact)" in rows[1].evidence


def test_why_there_is_no_claim_is_told_apart() -> None:
    """An answer that is not in the file, one that is empty, one that declines, one that nobody has looked at."""
    trace = replace(CASE.trace, response="")
    said = [
        no_claims(replace(trace, response_is="absent"), abstained=False),
        no_claims(trace, abstained=True),
        no_claims(CASE.trace, abstained=True),
        no_claims(CASE.trace, abstained=False),
    ]

    assert [line.split(",")[0].split(":")[0] for line in said] == [
        "The file does not say what was answered", "The answer is an empty text", "The answer declines", "No claim was found in this answer",
    ]


def test_what_reads_as_a_refusal_is_quoted() -> None:
    """Nobody can overrule where there is no claim, so the page says which words were taken for a refusal."""
    trace = replace(CASE.trace, response="Sorry. I don't have this information.")

    assert (
        no_claims(trace, abstained=True)
        == "Read as declining, so there is nothing to judge. Why: it says “I don't have this information.”, and states nothing beside it."
    )
