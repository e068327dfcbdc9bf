"""
Private details in a text, hidden without moving anything: each hidden character becomes one ``█``.

Because the length stays, every offset into the text (a claim, a citation, evidence) stays right. What is lost with the detail is
what it said: two hidden addresses of equal length look alike. Patterns find what is written the usual way, no more: libraries that
find more need a language model, or a country to read phone numbers by.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from ragviz.errors import InputError

MASK = "█"
EMAILS, PHONES = "emails", "phones"
BUILT_IN = (EMAILS, PHONES)
_GLUED = 16
"""Details in a row without anything between them that are told apart; more are no private details but a trap for the reader's time."""

# Possessive repeats: each character is looked at once, however long a word without an @ is.
_EMAIL = re.compile(r"(?<![\w.%+'-])[\w.%+'-]++@[\w-]++(?:\.[\w-]++)+")
_PHONE = re.compile(r"(?<![\w.,/+-])(?:\(?\+\(?|\(?(?=0\d))\d[\d ()./\u00a0\u2010-\u2013-]{5,24}(?<=\d)(?!\w)")
_GROUP_END = re.compile(r"\d(?=\D|$)")
_LOCAL = re.compile(r"(?<![\w.,/+-])(?:\(\d{3}\) ?|\d{3}[ .\u00a0\u2010-\u2013-])\d{3}[ .\u00a0\u2010-\u2013-]\d{4}(?![\w-])")
_WORD = re.compile(r"\d+(?:[.,\u00a0\u202f]\d+)*|[^\W\d_█]+")
_DATE = re.compile(r"\d{4}[-./]\d\d?[-./]\d\d?|\d\d?[-./]\d\d?[-./]\d{2,4}")


class Rule(NamedTuple):
    """What is to be hidden: one of the built-in kinds, or a pattern of one's own."""

    name: str
    pattern: re.Pattern[str] | None = None
    """None for a built-in kind."""


class Redactor:
    """Hides what its rules find."""

    def __init__(self, rules: Sequence[Rule], *, key: bytes) -> None:
        """
        Args:
            rules: What to hide.
            key: Known to nobody else: identifiers get a code made with it, so that they stay different and nobody can try out guesses.
        """
        self.rules = tuple(rules)
        self._key = key

    @property
    def fingerprint(self) -> str:
        """One word for the rules: equal rules hide the same."""
        return hashlib.sha256("\x1f".join(f"{r.name}={r.pattern.pattern if r.pattern else ''}" for r in self.rules).encode()).hexdigest()[:12]

    def found(self, text: str) -> list[tuple[int, int]]:
        """
        Ranges to hide, in order, none overlapping.

        What a neighbour kept from being seen ("a@b.example+49 30 1234567") is looked for again once the neighbour is hidden.
        """
        spans = _merged(span for rule in self.rules for span in _matches(rule, text))
        built_in = [rule for rule in self.rules if rule.pattern is None]
        for _ in range(_GLUED if built_in else 0):
            hidden = _hidden(text, spans)
            more = _merged([*spans, *(span for rule in built_in for span in _matches(rule, hidden))]) if spans else spans
            if more == spans:
                break
            spans = more
        return spans

    def text(self, text: str) -> str:
        """The text with what was found hidden; as long as before."""
        return _hidden(text, self.found(text))

    def words(self, texts: Iterable[str]) -> frozenset[str]:
        """The words and numbers inside what is hidden in these texts, for ``without``."""
        return frozenset(_bare(m.group()) for text in texts for start, end in self.found(text) for m in _WORD.finditer(text, start, end))

    def without(self, text: str, words: frozenset[str]) -> str:
        """A text about other texts: also without single words of what was hidden there ("the passage does not give: 49, 30, 1234567")."""
        hidden = self.text(text)
        if not words:
            return hidden
        return _WORD.sub(lambda m: MASK * len(m.group()) if _bare(m.group()) in words else m.group(), hidden)

    def name(self, text: str) -> str:
        """An identifier: what was found becomes a code, the same for the same detail."""
        spans = self.found(text)
        codes = ["hidden-" + hmac.new(self._key, text[start:end].encode("utf-8", "surrogatepass"), "sha256").hexdigest()[:10] for start, end in spans]
        return "".join(_pieces(text, spans, codes)) if spans else text


def built_in(names: Sequence[str]) -> list[Rule]:
    """Rules of the built-in kinds."""
    return [Rule(name) for name in names]


def rules_of(asked: Sequence[str]) -> list[Rule]:
    """
    Rules from words: ``emails``, ``phones``, or the content of a TOML file with ``hide = ["emails"]`` and ``[[pattern]]`` tables.

    Raises:
        InputError: A word that is none, or a file or pattern that cannot be read.
    """
    rules: list[Rule] = []
    for word in asked:
        rules += [Rule(word)] if word in BUILT_IN else _from_toml(word)
    return list(dict.fromkeys(rules))


def _from_toml(content: str) -> list[Rule]:
    shape = 'write hide = ["emails", "phones"] and, for each pattern of your own, [[pattern]] with name and regex'
    try:
        told = tomllib.loads(content)
    except tomllib.TOMLDecodeError as exc:
        raise InputError(f"the redaction rules are not TOML: {exc}", fix=shape) from exc
    hide, patterns = told.get("hide", []), told.get("pattern", [])
    if not isinstance(hide, list) or not isinstance(patterns, list) or not (hide or patterns) or not all(isinstance(one, dict) for one in patterns):
        raise InputError("the redaction rules say nothing to hide", fix=shape)
    unknown = next((one for one in hide if one not in BUILT_IN), None)
    if unknown is not None:
        raise InputError(f"the redaction rules hide {unknown!r}, which is unknown", fix=shape)
    rules = built_in(hide)
    for one in patterns:
        name, regex = str(one.get("name", "")), one.get("regex")
        try:
            pattern = re.compile(str(regex) if isinstance(regex, str) and regex else "(")
        except re.error as exc:
            raise InputError(
                f"the redaction pattern {name!r} is no regular expression: {exc}",
                fix="write it as in Python's re module, in single quotes: regex = 'NIM-\\d{6}'",
            ) from exc
        rules.append(Rule(name, pattern))
    return rules


def _merged(found: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    merged: list[tuple[int, int]] = []
    for start, end in sorted(found):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


def _hidden(text: str, spans: Sequence[tuple[int, int]]) -> str:
    return "".join(_pieces(text, spans, [MASK * (end - start) for start, end in spans])) if spans else text


def _matches(rule: Rule, text: str) -> Iterator[tuple[int, int]]:
    if rule.name == PHONES and rule.pattern is None:
        yield from _phones(text)
        return
    for match in (rule.pattern or _EMAIL).finditer(text):
        if match.end() > match.start():
            yield match.span()


def _phones(text: str) -> Iterator[tuple[int, int]]:
    """Numbers that begin as phone numbers do (+49 …, 0049 …, 030 …), and those in the groups of North America."""
    yield from (local.span() for local in _LOCAL.finditer(text))
    at = 0
    while (match := _PHONE.search(text, at)) is not None:
        start = match.start()
        ends = [start + m.end() for m in _GROUP_END.finditer(match.group())]
        end = next((end for end in reversed(ends) if _is_phone(text[start:end])), None)
        if end is not None:
            number = text[start:end]
            yield start + (number[0] == "(" and number.count("(") > number.count(")")), end
        # A number that is none may hide the beginning of one: go on behind its first group.
        at = end if end is not None else ends[0]


def _is_phone(text: str) -> bool:
    if not 7 <= sum(c.isdigit() for c in text) <= 15 or _DATE.match(text):
        return False
    # A national number is written in groups; 0123456789 alone may be anything.
    return text.lstrip("(").startswith(("+", "00")) or any(not c.isdigit() for c in text)


def _bare(word: str) -> str:
    return "".join(c for c in word.casefold() if c.isalnum())


def _pieces(text: str, spans: Sequence[tuple[int, int]], shown: Sequence[str]) -> Iterator[str]:
    bounds = [(0, 0), *spans, (len(text), len(text))]
    for (_, last), (first, _), word in zip(bounds, bounds[1:], [*shown, ""], strict=False):
        yield text[last:first]
        yield word
    assert all(a[1] <= b[0] for a, b in pairwise(bounds))
