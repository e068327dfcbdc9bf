"""The words of judging: sides, tables, verdicts on a pair, groundings of a claim."""

from __future__ import annotations

from enum import StrEnum


class Side(StrEnum):
    """Whose claim it is."""

    RESPONSE = "response"
    REFERENCE = "reference"


class Table(StrEnum):
    """Which claims are judged against which premise; read "claims of X judged against Y"."""

    RESPONSE_X_PASSAGES = "response_x_passages"
    RESPONSE_X_REFERENCE = "response_x_reference"
    REFERENCE_X_PASSAGES = "reference_x_passages"
    REFERENCE_X_RESPONSE = "reference_x_response"

    @property
    def side(self) -> Side:
        """The side whose claims are judged."""
        return Side.RESPONSE if self.value.startswith("response") else Side.REFERENCE

    @property
    def against_passages(self) -> bool:
        """True when the premises are the trace's passages, False when it is one text."""
        return self.value.endswith("passages")


JOINED = "*"
"""Premise id of all passages joined (``*3``: of the first three): a claim may need two of them together."""
REFERENCE = "reference"
"""Premise id of the expected answer."""
RESPONSE = "response"
"""Premise id of the answer itself."""


class Verdict(StrEnum):
    """What a judge says of ONE pair (claim, premise)."""

    ENTAILED = "entailed"
    CONTRADICTED = "contradicted"
    NEUTRAL = "neutral"
    UNJUDGED = "unjudged"


class Grounding(StrEnum):
    """What follows for a CLAIM from all its pairs of one table."""

    SUPPORTED = "supported"
    NOT_SUPPORTED = "not_supported"
    CONTRADICTED = "contradicted"
    CONFLICTED = "conflicted"
    UNJUDGED = "unjudged"

    @property
    def is_supported(self) -> bool:
        """As the published metrics count: some premise entails it."""
        return self in (Grounding.SUPPORTED, Grounding.CONFLICTED)


class Policy(StrEnum):
    """A convention for refusals, conflicts, unjudged and empty claims."""

    DEFAULT = "default"
    STRICT = "strict"
    RAGAS = "ragas"
    DEEPEVAL = "deepeval"
    RAGCHECKER = "ragchecker"


class RatingKind(StrEnum):
    """Relevance and similarity, where there is nothing to entail."""

    QUESTION_TO_RESPONSE = "question_to_response"
    """Answer relevance as published: questions generated from the answer, mean cosine with the asked one."""
    QUESTION_TO_RESPONSE_DIRECT = "question_to_response_direct"
    """Without a language model: does the answer give what the question asks for."""
    QUESTION_TO_PASSAGE = "question_to_passage"
    RESPONSE_TO_REFERENCE = "response_to_reference"
