"""
What the expected answer shows about the sources of a claim: that it denies the claim is evidence, that it merely does not say it is none.

A judge may read a denial out of two texts that say the same in other words. Its other verdicts on the same trace speak against it then: the claim's own
words state what was expected, or the passage behind the claim does.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from ragviz.diagnosis.superseded import states
from ragviz.grounding import ClaimGrounding, groundings, verdict_grid
from ragviz.metrics.passages import supporting_passages
from ragviz.records import Claim, Clash, ClashKind, Evidence, Grounding, JudgedTrace, Judgement, Side, Table, Verdict
from ragviz.text.tokens import tokens

WORDED = frozenset({ClashKind.NEGATION, ClashKind.ANTONYM, ClashKind.QUANTIFIER, ClashKind.NAME, ClashKind.ROLE, ClashKind.QUALIFIER})
"""Details that are words of the text, not values worked out from it."""
MOST_WORDS = 4
"""So many words are a detail; more are the sentence that it is missing from."""
NEEDED, SAID, CORRECT = Table.REFERENCE_X_PASSAGES, Table.REFERENCE_X_RESPONSE, Table.RESPONSE_X_REFERENCE
HUMAN = "human"


def shown_wrong(case: JudgedTrace, claim: Claim, grounding: ClaimGrounding, beside: ClaimGrounding, used: Sequence[str]) -> tuple[str, ...] | None:
    """
    Of the passages that support a claim, those which the expected answer shows to be wrong; None where it shows nothing.

    Args:
        case: The trace, seen through a judge.
        claim: A claim of the answer.
        grounding: The claim against the passages, supported.
        beside: The same claim against the expected answer.
        used: The passages that support it; () where nothing tells which: then the result is () too, if the claim is denied.
    """
    if beside.grounding is Grounding.CONTRADICTED:
        return _denied(case, claim, grounding, beside, used)
    if beside.grounding is Grounding.NOT_SUPPORTED:
        return tuple(p for p in used if _denies_what_was_expected(case, claim, grounding, p)) or None
    return None


def on_one_word(case: JudgedTrace, claim: Claim, grounding: ClaimGrounding, wrong: Sequence[str]) -> bool:
    """
    Whether nothing but the judge's "supported" says that these passages make the claim that the expected answer denies: then it may be the judge that is wrong.

    Beside it can speak: a person, an annotated fact, a sentence of a passage with the claim's words and no detail that differs, or another verdict, that a
    passage denies what was expected.
    """
    if not wrong or grounding.by == HUMAN or claim.fact is not None:
        return False
    texts = [p.text for p in map(case.trace.passage, wrong) if p is not None]
    expected = [c for c in case.claims if c.side is Side.REFERENCE]
    return not any(states(claim.text, t) for t in texts) and all(_verdict(case, expected, p) is not Verdict.CONTRADICTED for p in wrong)


def doubt(case: JudgedTrace, answer: Mapping[str, ClaimGrounding]) -> str:
    """
    Why the expected answer shows nothing against the sources of supported claims which it does not confirm; "" where there is no such claim.

    One sentence without a full stop, for people.
    """
    right = groundings(case, CORRECT)
    open_ = [c for c, g in answer.items() if g.grounding.is_supported and c in right]
    denied = [c for c in open_ if right[c].grounding is Grounding.CONTRADICTED and right[c].by != HUMAN]
    if denied:
        said = [c for c in denied if answer[c].by == HUMAN]
        if said:
            return f"a person found {said[0]} supported; that the expected answer denies it is the judge's word alone"
        return f"the judge reads a denial of {denied[0]} out of the expected answer, and its other verdicts do not bear that out"
    unsaid = [c for c in open_ if right[c].grounding is Grounding.NOT_SUPPORTED]
    return f"the expected answer does not say {unsaid[0] if len(unsaid) == 1 else f'{len(unsaid)} of its claims'}, or says it in other words" if unsaid else ""


def clashes_shown(judgement: Judgement, reference: str) -> list[Clash]:
    """
    The clashes of a verdict against the expected answer whose words stand in it.

    A judge reads a short expected answer together with its question: a word that it found there is no detail of the expected answer.
    """
    return [c for c in judgement.clashes if not _is_from_elsewhere(c, reference)]


def _is_from_elsewhere(clash: Clash, reference: str) -> bool:
    if clash.kind not in WORDED or clash.premise_span is None or not clash.premise_span.fits(reference):
        return False
    words = clash.premise_span.of(reference)
    return len(words.split()) > MOST_WORDS and clash.premise_value.casefold() not in words.casefold()


def _denied(case: JudgedTrace, claim: Claim, grounding: ClaimGrounding, beside: ClaimGrounding, used: Sequence[str]) -> tuple[str, ...] | None:
    if beside.by == HUMAN:
        return tuple(used)
    expected = _expected_there(case, beside)
    if any(_says_itself(case, claim, e) for e in expected):
        return None
    bare = claim.fact is None and bool(expected) and all(len(tokens(e.text)) <= 1 for e in expected)
    if bare or (grounding.by == HUMAN and claim.fact is None):
        # A bare "No" denies nothing by itself, and a person's word on the passages is worth more than a machine's on the expected answer: only a passage that
        # itself denies what was expected is wrong.
        return tuple(p for p in used if _verdict(case, expected, p) is Verdict.CONTRADICTED) or None
    right = _stating_what_was_gainsaid(case)
    wrong = tuple(p for p in used if p not in right and _verdict(case, expected, p) is not Verdict.ENTAILED)
    return wrong if wrong or not used else None


def _denies_what_was_expected(case: JudgedTrace, claim: Claim, grounding: ClaimGrounding, passage_id: str) -> bool:
    """True where the passage denies, at the place that supports the claim, something expected that the answer does not say."""
    said = groundings(case, SAID)
    mine = [e for j in grounding.supporting for e in j.evidence if (e.passage_id or j.key.premise_id) == passage_id]
    for expected_id, found in groundings(case, NEEDED).items():
        if expected_id in said and said[expected_id].grounding.is_supported:
            continue
        theirs = [e for j in found.contradicting for e in j.evidence if (e.passage_id or j.key.premise_id) == passage_id]
        denies = any(passage_id in (j.key.premise_id, *(e.passage_id for e in j.evidence)) for j in found.contradicting)
        if denies and (not mine or not theirs or claim.fact is not None or _meet(mine, theirs)):
            return True
    return False


def _expected_there(case: JudgedTrace, beside: ClaimGrounding) -> list[Claim]:
    """The claims of the expected answer at the place that denies; all of them where no place is known."""
    expected = [c for c in case.claims if c.side is Side.REFERENCE]
    places = [e.span for j in beside.contradicting for e in j.evidence]
    there = [c for c in expected if any(s.overlaps(p) for s in c.spans for p in places)]
    return there or expected


def _says_itself(case: JudgedTrace, claim: Claim, expected: Claim) -> bool:
    """True where the judge finds what was expected in the very words of the claim which it finds denied."""
    found = groundings(case, SAID).get(expected.id)
    if found is None or found.grounding is not Grounding.SUPPORTED or claim.fact is not None:
        return False
    return any(s.overlaps(e.span) for j in found.supporting for e in j.evidence for s in claim.spans)


def _verdict(case: JudgedTrace, expected: Iterable[Claim], passage_id: str) -> Verdict | None:
    """What one passage says of expected claims: a denial before a statement; None where it says nothing."""
    grid = verdict_grid(case, NEEDED)
    told = {grid[e.id][passage_id].verdict for e in expected if passage_id in grid.get(e.id, {})}
    return next((v for v in (Verdict.CONTRADICTED, Verdict.ENTAILED) if v in told), None)


def _stating_what_was_gainsaid(case: JudgedTrace) -> set[str]:
    """Passages that state an expected claim which the answer denies: they are right, whatever else a judge reads out of them."""
    needed = groundings(case, NEEDED)
    said = groundings(case, SAID)
    denied = [c for c, g in said.items() if g.grounding is Grounding.CONTRADICTED and c in needed]
    return {p for c in denied for p in supporting_passages(needed[c])}


def _meet(mine: Sequence[Evidence], theirs: Sequence[Evidence]) -> bool:
    return any(e.span.overlaps(other.span) for e in mine for other in theirs)
