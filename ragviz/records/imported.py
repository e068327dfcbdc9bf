"""Claims, verdicts and scores that another tool wrote into the file. They stay that tool's word."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from ragviz.records.span import Span
from ragviz.records.verdict import Side, Table, Verdict


class ImportedVerdict(msgspec.Struct, frozen=True, kw_only=True, gc=False, omit_defaults=True):
    """What the other tool said about one claim and one premise."""

    table: Table
    premise_id: str
    """Passage id; ``reference`` or ``response`` for those premises; ``*`` when it judged all passages together."""
    verdict: Verdict
    label: str
    """Its own word, unchanged: "Entailment", "no", "NS", …"""
    quote: str | None = None
    """Evidence it quoted, unchecked."""
    reason: str = ""
    confidence: float | None = None


class ImportedClaim(msgspec.Struct, frozen=True, kw_only=True, gc=False, omit_defaults=True):
    """A claim as the file has it."""

    side: Side
    text: str
    spans: tuple[Span, ...] = ()
    """In the text of its side, where the file gives them."""
    attribute: str | None = None
    """Set together with ``value`` for annotated attribute-value pairs."""
    value: str | None = None
    verdicts: tuple[ImportedVerdict, ...] = ()

    def __post_init__(self) -> None:
        if (self.attribute is None) != (self.value is None):
            raise ValueError("attribute and value come together")


class ImportedScore(msgspec.Struct, frozen=True, kw_only=True, gc=False, omit_defaults=True):
    """A number or label the file gives for a trace."""

    name: str
    value: float | None
    """None when the tool wrote NaN or failed; ``reason`` then says so."""
    label: str | None = None
    reason: str = ""
    made_with: Mapping[str, str] = {}
    """Library, version, model and settings, where ragviz had the tool run; {} for what a file brought."""

    @property
    def maker(self) -> str:
        """Library, model and settings in one line; "" for what a file brought."""
        known = {word: value for word, value in self.made_with.items() if word != "metric"}
        first = [known.pop(word) for word in ("library", "model") if word in known]
        return ", ".join([*first, *(f"{word} {value}" for word, value in known.items())])

    def __hash__(self) -> int:
        return hash((self.name, self.value, self.label, self.reason, *sorted(self.made_with.items())))  # a mapping has no hash of its own
