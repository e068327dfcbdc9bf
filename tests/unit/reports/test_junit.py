"""JUnit XML that a strict parser reads, whatever the traces hold."""

from __future__ import annotations

from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragviz.gate.check import GateLine, GateReport
from ragviz.reports.junit import junit


def test_counts_failures_and_quarantine_apart() -> None:
    """One failure blocks, one is skipped."""
    lines = tuple(
        GateLine(scope="a", metric=m, value=0.5, limit="at least 1", passed=p, quarantined=q, reason="r")
        for m, p, q in (("x", False, False), ("y", False, True), ("z", True, False))
    )

    (suite,) = ET.fromstring(junit(GateReport(lines=lines, n_cases=1), name="run"))

    assert (suite.get("tests"), suite.get("failures"), suite.get("skipped")) == ("3", "1", "1")


@given(st.text())
def test_any_text_is_valid_xml(text: str) -> None:
    """Control characters, markup and surrogates in names and reasons do not break the file."""
    raw = junit(GateReport(lines=(GateLine(scope=text, metric=text, value=None, limit=text, passed=False, reason=text),), n_cases=1), name=text)

    assert ET.fromstring(raw).tag == "testsuites"


@pytest.mark.parametrize(
    "sign", [*"\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f\u061c\u2028\u2029\u0085\r"], ids=lambda sign: f"U+{ord(sign):04X}"
)
def test_no_text_turns_a_line_or_begins_one(sign: str) -> None:
    """Direction signs and rare line ends, in every text of the report: the words around them stay."""
    text = f"before{sign}after"
    raw = junit(GateReport(lines=(GateLine(scope=text, metric=text, value=None, limit=text, passed=False, reason=text),), n_cases=1), name=text)
    read = ET.fromstring(raw)

    said = [value for element in read.iter() for value in element.attrib.values()]
    assert not any(sign in value for value in said)
    assert sum(value.startswith("before") and "after" in value for value in said) >= 4
