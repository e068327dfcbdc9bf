"""What is wrong with an answer, in a sentence: the first claim that speaks against it, and the judge's reason."""

from __future__ import annotations

from ragviz.grounding import groundings, reason_of
from ragviz.records import SPLIT_TAG, Grounding, JudgedTrace, Split, Table
from ragviz.text.unmarked import unmarked

MOST = 160
"""Characters of a claim, and of a reason."""
AGAINST = (
    (Table.RESPONSE_X_REFERENCE, Grounding.CONTRADICTED, "{claim}, and the expected answer says otherwise"),
    (Table.RESPONSE_X_PASSAGES, Grounding.CONTRADICTED, "{claim}, and a passage says otherwise"),
    (Table.RESPONSE_X_PASSAGES, Grounding.NOT_SUPPORTED, "{claim}, which no passage says"),
    (Table.REFERENCE_X_RESPONSE, Grounding.CONTRADICTED, "expected was {claim}, and the answer says otherwise"),
    (Table.REFERENCE_X_RESPONSE, Grounding.NOT_SUPPORTED, "expected was {claim}, which the answer does not say"),
    (Table.RESPONSE_X_REFERENCE, Grounding.NOT_SUPPORTED, "{claim}, which the expected answer does not say"),
)
"""In the order of what says most."""


def is_closed(case: JudgedTrace) -> bool:
    """Whether its words are not to be shown."""
    return Split.of(case.trace.tags.get(SPLIT_TAG)) is Split.HELD_OUT


def blame(case: JudgedTrace) -> str:
    """
    The claim that speaks most against the answer, and why.

    Returns:
        For people, without a full stop; "" where no claim does, or the trace is held out. Words of the trace and of a judge that read it: as hostile as these.
    """
    if is_closed(case):
        return ""
    texts = {claim.id: claim.text for claim in case.claims}
    for table, verdict, sentence in AGAINST:
        for claim_id, found in groundings(case, table).items():
            if found.grounding is verdict and claim_id in texts:
                reason = reason_of(case, found, table)
                if not table.against_passages:
                    # A judge calls whatever it holds a claim against "the passage".
                    reason = reason.replace("the passage", "the expected answer" if table is Table.RESPONSE_X_REFERENCE else "the answer")
                told = sentence.format(claim=f"“{_short(unmarked(texts[claim_id]))}”")
                return f"{told} ({_short(reason)})" if reason else told
    return ""


def _short(text: str) -> str:
    return text if len(text) <= MOST else text[: MOST - 1] + "…"
