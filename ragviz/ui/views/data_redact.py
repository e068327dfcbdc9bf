"""Private details to hide, chosen by the reader: at import, before anything is stored, or in a file that is downloaded."""

from __future__ import annotations

import json
from collections.abc import Sequence

import streamlit as st

from ragviz.errors import InputError
from ragviz.text.redaction import BUILT_IN, rules_of
from ragviz.ui import widgets

OWN = "own"
LABELS = {"emails": "e-mail addresses", "phones": "phone numbers", OWN: "patterns of your own"}
MOST_PATTERNS = 50


def choose(when: str, *, key: str) -> tuple[str, ...] | None:
    """
    The box, and one for patterns when these are asked for: words for ``text.redaction.rules_of``.

    Args:
        when: What hiding means here, for the question mark beside the box.
        key: Of the widgets.

    Returns:
        () when nothing is to be hidden; None when a pattern is no regular expression, which is said in place.
    """
    chosen = st.multiselect(
        "Hide private details",
        [*BUILT_IN, OWN],
        key=f"hide-{key}",
        format_func=LABELS.__getitem__,
        placeholder="nothing",
        help=f"{when} Lengths stay, so that claims, citations and quotes stay where they are. Patterns find what is written the usual way: look before you share.",
    )
    asked = [word for word in BUILT_IN if word in chosen]
    if OWN in chosen:
        typed = st.text_area("Patterns, one regular expression a line", key=f"hide-own-{key}", height=84, placeholder=r"NIM-\d{6}")
        patterns = [line.strip() for line in typed.splitlines() if line.strip()][:MOST_PATTERNS]
        asked += [as_rules(patterns)] if patterns else []
    try:
        rules_of(asked)
    except InputError as exc:
        widgets.problem(exc.message, exc.fix, key=f"hide-{key}")
        return None
    return tuple(asked)


def as_rules(patterns: Sequence[str]) -> str:
    """The patterns as the TOML file that ``--redact`` reads; its strings are written as JSON writes them."""
    return "\n".join(f'[[pattern]]\nname = "pattern {n}"\nregex = {json.dumps(pattern)}' for n, pattern in enumerate(patterns, start=1))
