"""
A person's word on the answer as a whole: that it answers, or that it is a refusal.

It stands above what the words of the answer are taken for, in every claim set. Whoever says "an answer" gives it claims, split as of an answer and unjudged
until judged; whoever says "a refusal" takes all of them out of every figure. Nothing is deleted: when the word is taken back, what the text is taken for holds
again.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

import msgspec

from ragviz.records import Annotation, Claim, JudgedTrace, Side, Trace
from ragviz.text.polarity import is_refusal

ANSWERS = "answers"
"""Claim set of words on answers as a whole; their claim id is ""."""


def word_on_answer(notes: Collection[Annotation]) -> Annotation | None:
    """
    The person's word on the whole answer that counts; None where nobody spoke, or all took their words back.

    The latest one; a note that says neither takes back everything its author said before.
    """
    standing: list[Annotation] = []
    for note in sorted((n for n in notes if n.claim_set == ANSWERS), key=lambda n: n.at):
        if note.declines is None:
            standing = [n for n in standing if n.author != note.author]
        else:
            standing.append(note)
    return standing[-1] if standing else None


def is_said_to_answer(case: JudgedTrace) -> bool:
    """True when a person's word in force says that the answer answers."""
    word = word_on_answer(case.annotations) if case.annotations else None
    return word is not None and word.declines is False


def with_claims(case: JudgedTrace, claims: Sequence[Claim]) -> JudgedTrace:
    """The trace with those of these claims that count."""
    return msgspec.structs.replace(case, claims=that_count(claims, case.trace, case.annotations))


def that_count(claims: Sequence[Claim], trace: Trace, notes: Collection[Annotation]) -> tuple[Claim, ...]:
    """The claims that count: without those of an answer that a person calls a refusal, and without those split only because of a word that was taken back."""
    if not any(note.claim_set == ANSWERS for note in notes):
        return tuple(claims)
    word = word_on_answer(notes)
    if word is None:
        # Claims that the file brings are there whoever says what; the others are there only where the text is taken for an answer.
        own = any(claim.side is Side.RESPONSE for claim in trace.claims or ())
        declines = not own and is_refusal(trace.response)
    else:
        declines = bool(word.declines)
    return tuple(claim for claim in claims if not declines or claim.side is not Side.RESPONSE)
