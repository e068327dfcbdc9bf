"""Where a line is wrapped changes no verdict; quotes are of the text as it was written."""

from __future__ import annotations

import itertools
import re
import textwrap

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragviz.judges.local import LocalJudge
from ragviz.records import Judgement, Pair, PairKey, Table
from ragviz.text.soft_breaks import unwrapped

PAIRS = [
    ("The warranty covers water damage.", "The warranty does not cover water damage."),
    ("Employees may work from home.", "Employees may not work from home on a day of their choice."),
    ("You can cancel free of charge.", "You cannot cancel free of charge."),
    ("Dogs are allowed in the hotel.", "No dogs are allowed in the hotel."),
    ("Everyone gets a discount.", "Only members who paid the annual fee get a discount."),
    ("The shop is open on Sunday.", "The shop is never open on a Sunday."),
    ("Returns are possible within 90 days of delivery.", "Returns are possible within 30 days of delivery."),
    ("The warranty lasts nine years.", "The warranty of the kettle lasts two years."),
    ("The warranty of the kettle lasts two years.", "For two years the warranty covers the kettle, and parts of it for five years."),
    ("The museum was opened in 1998 by the mayor.", "The mayor opened the museum in 1998, after a long delay of more than 3 years."),
    ("The fee is 20 euros for adults.", "The fee is 12 euros for adults and free for children under 6 years of age."),
    ("Prices rose in the last quarter.", "Prices fell in the last quarter because of a weak demand."),
]
BREAKS = ("\n", "\r\n", "\u2028", "\n  ")
JUDGE = LocalJudge(embeddings=False)


def asked(claim: str, passage: str) -> Pair:
    return Pair(key=PairKey(Table.RESPONSE_X_PASSAGES, "t", "c", "p"), premise=passage, hypothesis=claim)


def soft(text: str) -> list[int]:
    """Blanks of a sentence at which a line may be wrapped and still be seen to go on."""
    return [m.start() for m in re.finditer(r" (?=[a-z])|(?<= in| of|the| is|for|sts|hin) ", text)]


def same(a: Judgement, b: Judgement) -> bool:
    """Whether two verdicts say the same of the same words."""
    gaps = re.compile(r"\s+")
    told = [(j.verdict, j.confidence, [gaps.sub(" ", e.quote) for e in j.evidence], [c.kind for c in j.clashes]) for j in (a, b)]
    return told[0] == told[1]


@pytest.mark.parametrize(("claim", "passage"), PAIRS)
def test_a_wrapped_line_changes_no_verdict(claim: str, passage: str) -> None:
    """At whatever blank the passage or the claim is wrapped, the verdict and its evidence stay, and quotes are exact."""
    whole = JUDGE.judge([asked(claim, passage)])[0]
    pairs = [asked(claim, passage[:at] + wrap + passage[at + 1 :]) for at in soft(passage) for wrap in BREAKS]
    pairs += [asked(claim[:at] + wrap + claim[at + 1 :], passage) for at in soft(claim) for wrap in BREAKS]

    for pair, found in zip(pairs, JUDGE.judge(pairs), strict=True):
        assert same(found, whole), (pair.hypothesis, pair.premise)
        assert all(e.quote == e.span.of(pair.premise) for e in found.evidence)
        for clash in found.clashes:
            assert clash.hypothesis_span is None or clash.hypothesis_span.fits(pair.hypothesis)
            assert clash.premise_span is None or clash.premise_span.fits(pair.premise)


@pytest.mark.parametrize("width", [72, 78, 80, 90, 100])
def test_a_wrapped_paragraph_reads_as_one_line(width: int) -> None:
    """A paragraph through a text editor is the paragraph, wherever its lines end."""
    filler = "According to the terms of the service contract that was signed in spring,"
    for (claim, passage), n in itertools.product(PAIRS, range(0, 40, 9)):
        text = f"{filler} {'very ' * (n // 5)}{passage[0].lower()}{passage[1:]} Further details are found in the annex, which both sides have received."
        one, wrapped = JUDGE.judge([asked(claim, text), asked(claim, textwrap.fill(text, width))])
        assert same(one, wrapped), (claim, n)


@pytest.mark.parametrize(
    "text",
    [
        "Price: 5 euros\nWeight: 3 kg",
        "price: 5 euros\ndelivery time: 3 days",
        "```\nif not\n    open\n```",
        "- sugar\n- no salt",
        "| a | b |\n| c | d |",
        "# Not in the\nScope",
        "the shop is open on sunday\nthe museum is closed",
        "Opening hours\nMonday 9 to 5",
        "It does not.\n\ncover this.",
        "The shop is not open.\nThe museum is.",
    ],
)
def test_lines_of_their_own_stay(text: str) -> None:
    """Labels, code, bullets, rows, headings, paragraphs and whole sentences keep their line ends."""
    assert unwrapped(text) == text


@given(
    st.lists(
        st.sampled_from(["The shop", "is", "not", "open", "5", "km", ".", ",", ":", "\n", "\r\n", "\n\n", "- ", "# ", "```", "|", "\u2028", "  "]), max_size=30
    ).map(" ".join)
    | st.text(max_size=80)
)
def test_only_line_breaks_become_blanks(text: str) -> None:
    """Nothing moves, nothing but breaks is touched, and reading twice changes nothing that was read once in words."""
    read = unwrapped(text)

    assert len(read) == len(text)
    assert all(a == b or (a in "\n\r\u2028\u2029" and b == " ") for a, b in zip(text, read, strict=True))
