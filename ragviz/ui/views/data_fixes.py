"""Advice that loaders give for the command line, as advice for the Data page."""

from __future__ import annotations

import re

_PLACES = "say where question, answer and passages stand, under Where things are"
_ON_THE_PAGE = (
    (re.compile(r".*--map.*", re.DOTALL), _PLACES),
    (re.compile(r".*`ragviz feedback .*", re.DOTALL), "the Trends page takes such rows and puts them onto the traces of a run"),
    (re.compile(r".*`ragviz calibrate .*", re.DOTALL), "the Judges page takes labels, under Labels as a file"),
    (re.compile(r"\(--documents\)"), "(box Texts of the passages)"),
    (re.compile(r"read the file with --format ([a-z_]+)"), r"choose the format \1 under Read as"),
)


def on_the_page(fix: str) -> str:
    """The same advice without options of the command line."""
    for pattern, words in _ON_THE_PAGE:
        fix = pattern.sub(words, fix, count=1)
    return fix
