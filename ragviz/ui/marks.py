"""Verdicts, quadrants and causes in our own words, with the mark that stands beside each: colour is never alone."""

from __future__ import annotations

from ragviz.records import Grounding, Verdict
from ragviz.store import FAILING_QUADRANTS

GLYPH = {
    Grounding.SUPPORTED: "✓", Grounding.CONFLICTED: "⇄", Grounding.NOT_SUPPORTED: "?", Grounding.CONTRADICTED: "✕", Grounding.UNJUDGED: "○",
}
GROUNDING_LABEL = {
    Grounding.SUPPORTED: "supported", Grounding.CONFLICTED: "conflicted", Grounding.NOT_SUPPORTED: "not supported",
    Grounding.CONTRADICTED: "contradicted", Grounding.UNJUDGED: "unjudged",
}
VERDICT_LABEL = {Verdict.ENTAILED: "✓ supports", Verdict.CONTRADICTED: "✕ contradicts", Verdict.NEUTRAL: "· silent", Verdict.UNJUDGED: "○ unjudged"}

QUADRANT_LABEL = {
    "good": "Good", "extra_claim": "Extra claim", "lucky_guess": "Lucky guess", "wrong_mirror": "Wrong mirror", "fabrication": "Fabrication",
    "off_topic": "Off-topic", "abstained": "Abstained", "unknown": "Unknown",
}
FAILING = FAILING_QUADRANTS


def chip(grounding: Grounding | str | None) -> str:
    """Mark and word for tables: "✕ contradicted"; "–" for nothing."""
    if grounding is None:
        return "–"
    known = Grounding(grounding)
    return f"{GLYPH[known]} {GROUNDING_LABEL[known]}"


def quadrant(name: str) -> str:
    """A quadrant as people read it; an unknown name is shown as it is, in words."""
    return QUADRANT_LABEL.get(name, words(name).capitalize())


def words(name: str) -> str:
    """A name of ours with spaces: ``generator_added`` becomes "generator added"."""
    return name.replace("_", " ")
