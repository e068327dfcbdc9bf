"""``ragviz.check``: do these passages say so?"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

from ragviz.contracts import Judge
from ragviz.errors import InputError
from ragviz.pipeline.checking import Checked, check_claim
from ragviz.pipeline.choices import DEFAULT_JUDGE, working_judge
from ragviz.records import Passage

Passages = str | Sequence[str] | Mapping[str, str]
_FIX = "give one text, a list of texts, or a dict of texts by id"


def check(claim: str, passages: Passages, *, question: str = "", judge: str | Judge | None = None, api_key: str | None = None) -> Checked:
    """
    Whether passages support a claim, and the words that say so.

    Args:
        claim: One statement; it is not split, so ask for each of several alone.
        passages: One text, texts in rank order (they are called "1", "2", …), or texts by id.
        question: What was asked; completes a claim such as "Up to 31 minutes.".
        judge: Name, or a judge; None = ``local``.
        api_key: For judges that need one; None = what ``ANTHROPIC_API_KEY`` holds.

    Returns:
        Verdict, confidence, certificates (``passage[start:end] == quote``), clashing details and the judge's reason.

    Raises:
        InputError: The claim is empty, or a passage is not a text.
        JudgeUnavailable: The judge cannot work here; says what helps.

    Example:
        >>> found = ragviz.check("The warranty lasts five years.", ["The kettle comes with a two-year warranty."])
        >>> found.verdict, found.clashes[0].passage_value
        ('contradicted', '2 years')
    """
    if not isinstance(claim, str) or not claim.strip():
        raise InputError(
            "the claim is empty" if isinstance(claim, str) else f"the claim is no text but {type(claim).__name__}",
            fix="give one statement as a text, then the passages",
        )
    made = working_judge(DEFAULT_JUDGE if judge is None else judge, api_key=api_key or os.environ.get("ANTHROPIC_API_KEY") or None)
    return check_claim(claim, _numbered(passages), made, question=question)


def _numbered(passages: Passages) -> tuple[Passage, ...]:
    if isinstance(passages, str):
        named = {"1": passages}
    elif isinstance(passages, Mapping):
        named = {str(name): text for name, text in passages.items()}
    elif not isinstance(passages, Sequence):
        raise InputError(f"passages cannot be read from {type(passages).__name__}", fix=_FIX)
    else:
        named = {str(n): text for n, text in enumerate(passages, start=1)}
    for name, text in named.items():
        if not isinstance(text, str):
            raise InputError(f"passage {name} is no text but {type(text).__name__}", fix=_FIX)
    return tuple(Passage(id=name, text=text, rank=rank) for rank, (name, text) in enumerate(named.items(), start=1))
