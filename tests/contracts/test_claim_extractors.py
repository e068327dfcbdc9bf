"""The laws every claim extractor keeps."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragviz.backends.anthropic_client import AnthropicClient
from ragviz.claims import AnthropicExtractor, extractors
from ragviz.contracts import ClaimExtractor
from ragviz.errors import JudgeUnavailable
from ragviz.records import Side, Trace
from ragviz.testing import MessagesServer, Scripted, message
from ragviz.testing.messages_server import prompt_of

TEXTS = (
    "Express shipping takes 2 business days, and it is free [1]. Sources: [1], [2]",
    "Leider steht dazu nichts in den Unterlagen [2].",
    "",
    " \n\t",
    "Hello! Based on the passages:\n\n## Returns\n- **Window:** 30 days [1]\n- Free [2]\n\n| A | B |\n|---|---|\n| x | 5 € |\n\n```\ncode\n```",
    "<script>alert(1)</script> The tower is 69 m\x00 high \u202eRUE\u202c. 😀 مرحبا. これはペンです。",
    "A" * 5_000,
    "x is y; " * 600,
)


def traces(texts: tuple[str, ...] = TEXTS) -> list[Trace]:
    return [Trace(id=f"t{n}", question="?", response=text, reference=text or None, passages=()) for n, text in enumerate(texts)]


def check_one_list_a_trace(extractor: ClaimExtractor) -> None:
    assert len(extractor.extract(traces(), side=Side.RESPONSE)) == len(TEXTS)
    assert extractor.extract([], side=Side.RESPONSE) == []


def check_spans_lie_in_the_text_and_ascend(extractor: ClaimExtractor) -> None:
    for side in Side:
        for trace, claims in zip(traces(), extractor.extract(traces(), side=side), strict=True):
            spans = [span for claim in claims for span in claim.spans]
            assert all(span.fits(trace.response) for span in spans)
            assert all(a.end <= b.start for a, b in itertools.pairwise(spans))


def check_names_and_ids(extractor: ClaimExtractor) -> None:
    for side, letter in ((Side.RESPONSE, "c"), (Side.REFERENCE, "r")):
        for trace, claims in zip(traces(), extractor.extract(traces(), side=side), strict=True):
            assert [c.id for c in claims] == [f"{letter}{n}" for n in range(1, len(claims) + 1)]
            assert all(c.trace_id == trace.id and c.side is side and c.extractor == extractor.name and c.text.strip() for c in claims)


def check_same_text_same_claims(extractor: ClaimExtractor) -> None:
    together = extractor.extract(traces(), side=Side.RESPONSE)
    alone = [extractor.extract([trace], side=Side.RESPONSE)[0] for trace in traces()]
    assert together == alone


def check_nothing_from_nothing(extractor: ClaimExtractor) -> None:
    refusals = traces(("", "  ", "I don't know.", "The passages do not mention the price."))
    assert extractor.extract(refusals, side=Side.RESPONSE) == [[], [], [], []]


def check_any_text_is_taken(extractor: ClaimExtractor) -> None:
    @settings(max_examples=60, deadline=None)
    @given(st.text(alphabet="ab1 .,;:!?*_`-\n|#[]()\"'and it is“”。\u200b\u0301😀", max_size=120))
    def any_text(text: str) -> None:
        for claim in extractor.extract(traces((text,)), side=Side.RESPONSE)[0]:
            assert claim.text.strip()
            assert all(span.fits(text) for span in claim.spans)

    any_text()


CHECKS = (
    check_one_list_a_trace,
    check_spans_lie_in_the_text_and_ascend,
    check_names_and_ids,
    check_same_text_same_claims,
    check_nothing_from_nothing,
    check_any_text_is_taken,
)


@pytest.mark.parametrize("check", CHECKS, ids=lambda c: c.__name__)
@pytest.mark.parametrize("name", extractors.names())
def test_extractor_contract(name: str, check: Callable[[ClaimExtractor], None]) -> None:
    """Each registered extractor keeps each law."""
    extractor = extractors.make(name)
    if isinstance(extractor, AnthropicExtractor):
        assert not extractor.available().ok
        assert extractor.extract([], side=Side.RESPONSE) == []
        with pytest.raises(JudgeUnavailable, match="no API key"):
            extractor.extract(traces(("It is so.",)), side=Side.RESPONSE)
        pytest.skip("anthropic needs a service; it is driven below")
    check(extractor)


def by_lines(request: dict[str, Any]) -> Scripted:
    """A service that makes a claim of every line and sentence, and quotes it word for word."""
    (answer,) = re.findall(r"\[\w+ BEGIN ANSWER\]\n(.*?)\n\[\w+ END ANSWER\]", prompt_of(request), re.DOTALL)
    pieces = [piece for piece in re.split(r"(?<=[.!?])\s+|\n", answer) if piece.strip()]
    return message(json.dumps({"claims": [{"text": piece, "quote": piece} for piece in pieces]}))


@pytest.mark.parametrize("check", CHECKS, ids=lambda c: c.__name__)
def test_hosted_extractor_contract(check: Callable[[ClaimExtractor], None]) -> None:
    """Through the real SDK, over the wire."""
    with MessagesServer(by_lines) as server:
        check(AnthropicExtractor(client=AnthropicClient(api_key="test", base_url=server.url, max_retries=0)))
