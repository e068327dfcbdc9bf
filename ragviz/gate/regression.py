"""
A failure becomes a test: the case, and what its claim must come out as, kept in two files that ``ragviz gate`` reads.

``cases.jsonl`` holds the cases (question, reference, labels, and the answer that failed), ``gate.toml`` the rules about their claims.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import NamedTuple

from ragviz.errors import InputError, StoreError
from ragviz.gate.rules import MustPass, Rules, read_rules
from ragviz.loaders import read, write_native
from ragviz.records import Grounding, LoadIssue, Trace
from ragviz.records.codec import clean

CASES, RULES = "cases.jsonl", "gate.toml"


class Kept(NamedTuple):
    """What was written."""

    folder: Path
    new_case: bool
    """False: the case was there before, only a rule was added."""
    new_rule: bool
    n_cases: int
    n_rules: int

    @property
    def command(self) -> str:
        """What checks a candidate's answers against it."""
        return f"ragviz gate CANDIDATE --against '{self.folder / CASES}' --rules '{self.folder / RULES}'"


def keep(folder: Path, trace: Trace, *, claim: str, verdict: Grounding) -> Kept:
    """
    Add a case and a rule; doing it twice changes nothing.

    Args:
        folder: Made if it is not there.
        trace: The case. Its id is its name.
        claim: Words that the claim of a good answer contains, or a claim id.
        verdict: How that claim must come out.

    Raises:
        InputError: The words are empty; another case has that name; one of the files was damaged by hand.
        StoreError: The folder cannot be written.
    """
    words = clean(claim).strip()
    if not words:
        raise InputError("a regression test needs words that the claim must contain", fix="write the words that a good answer says")
    rule = MustPass(case=clean(trace.id), claim=words, verdict=verdict)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        cases, rules = _cases(folder / CASES), _rules(folder / RULES)
        before = next((c for c in cases if c.id == trace.id), None)
        if before is not None and before.question != trace.question:
            raise InputError(f"another case is already called {trace.id!r}", fix=f"rename it in {folder / CASES}")
        if before is None:
            _append(folder / CASES, b"".join(write_native([trace])).decode())
        new_rule = rule not in rules.must_pass
        if new_rule:
            _append(folder / RULES, toml_of(rule))
    except OSError as exc:
        raise StoreError(f"{folder} cannot be written: {exc.strerror or exc}", fix="check the folder's permissions and the space on its disk") from exc
    return Kept(folder, before is None, new_rule, len(cases) + (before is None), len(rules.must_pass) + new_rule)


def toml_of(rule: MustPass) -> str:
    """One entry of a rules file."""
    return f"[[must_pass]]\ncase = {_quoted(rule.case)}\nclaim = {_quoted(rule.claim)}\nverdict = {_quoted(rule.verdict.value)}\n"


def _quoted(text: str) -> str:
    # A JSON string is a TOML string, but for one control character that JSON allows.
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _cases(file: Path) -> list[Trace]:
    if not file.exists():
        return []
    rows = list(read(file, format="native"))
    fault = next((row for row in rows if isinstance(row, LoadIssue) and row.rejected), None)
    if fault is not None:
        raise InputError(f"{file}: {fault.message}", fix=fault.fix)
    return [row for row in rows if isinstance(row, Trace)]


def _rules(file: Path) -> Rules:
    text = file.read_text(encoding="utf-8") if file.exists() else ""
    return read_rules(text, filename=str(file)) if text.strip() else Rules()


def _append(file: Path, text: str) -> None:
    """The old content and the new, written beside it and put in its place: a stop half-way leaves the old file whole."""
    old = file.read_text(encoding="utf-8") if file.exists() else ""
    joint = "" if not old or old.endswith("\n") else "\n"
    gap = "\n" if old and file.name == RULES else ""
    beside = file.with_name(f".{file.name}.new")
    beside.write_text(old + joint + gap + text, encoding="utf-8", newline="\n")
    beside.replace(file)
