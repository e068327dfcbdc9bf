"""
Clauses: where one sentence makes two statements.

Cut only between two complete statements: before "and", "but", … or at a semicolon, when a finite verb with its own subject stands on
both sides, or when a second predicate shares the first one's subject. Never inside numbers, quotations, brackets, links, code,
"between A and B", lists of things, relative clauses or under an "if".
"""

from __future__ import annotations

import re

import msgspec

from ragviz.claims.subjects import (
    begins_instruction,
    begins_statement,
    is_elliptical,
    leading_pronoun_verb,
    may_have_verb,
    shared_predicate,
    subject_of,
)
from ragviz.records import Span
from ragviz.text.verbs import SCOPES, words_of

__all__ = ["Clause", "clauses"]


class Clause(msgspec.Struct, frozen=True, kw_only=True):
    """A statement inside a sentence."""

    span: Span
    subject: str | None = None
    """Set when the clause lacks its subject ("costs 5 €") or begins with a pronoun for it ("it is free")."""
    skip: int = 0
    """Characters of the span that the subject replaces."""

    def complete(self, words: str) -> str:
        """``words`` (the clause, or its beginning) with its subject."""
        return words if self.subject is None else f"{self.subject} {words[self.skip :].lstrip()}"


_JOIN = re.compile(
    r"\s*;\s+(?:(?:and|but|und|aber|et|mais|y|pero)\s+)?"
    r"|(?:,\s*|\s+)(?:and|but|yet|while|whereas|so|und|aber|jedoch|sondern|während|et|mais|tandis que|y|pero|mientras que)\s+(?:also\s+|therefore\s+|auch\s+|aussi\s+|también\s+)?"
    # "the blue stands for peace, the red for blood, and the star for hope": only where a joining word follows later
    r"|(?P<weak>,\s+)(?=(?:the|a|an|its|his|her|their|der|die|das|le|la|les|el|los|las)\s)",
    re.IGNORECASE,
)
_PROTECTED = re.compile(
    r"\([^()\n]{0,600}\)|\[[^\[\]\n]{0,600}\]|`[^`\n]{0,600}`|\u201c[^\u201c\u201d]{0,600}\u201d|\u201e[^\u201e\u201c\u201d]{0,600}[\u201c\u201d]|\u00ab[^\u00ab\u00bb]{0,600}\u00bb"
    r"|(?<![^\s(\[])\"[^\"\n]{0,600}\"|(?<![^\s(\[])'[^'\n]{2,600}'(?![^\W_])|https?://\S{1,600}",
)
_CONDITION = r"(?:if|unless|when|whenever|until|provided|assuming|whether|so that|in order|wenn|falls|sofern|sobald|ob|dass|damit|si|quand|lorsque|afin que|cuando|para que)"
_AFTERWARDS = r"(?:once|after|because|since|although|though|nachdem|weil|da|obwohl|parce que|après|porque|aunque)"
# What follows a condition belongs to it; cutting would turn it into a bare statement.
_CONDITION_FIRST = re.compile(rf"\W*(?:(?:and|but|so|only|even|und|aber|auch|nur|mais|pero|solo)\W+)?{_CONDITION}\b", re.IGNORECASE)
_SUBORDINATE = re.compile(rf"\b(?:{_CONDITION}|{_AFTERWARDS})\b", re.IGNORECASE)
_REPORTED = re.compile(
    r"\b(?:says?|said|states?|stated|claims?|claimed|believes?|thinks?|thought|reports?|reported|argues?|argued|suggests?|not true|false|unlikely|possible)\s+that\b",
    re.IGNORECASE,
)
_PAIRED = re.compile(r"\b(?:between|both|either|neither|zwischen|sowohl|entre|ni)\b(?!.*\b(?:and|or|nor|und|noch|et|y)\b)", re.IGNORECASE | re.DOTALL)
_RELATIVE = re.compile(r"[^,]*(?:,\s*)?\b(?:which|who|whom|whose|where)\b[^,]*$", re.IGNORECASE)
_LONGEST_SENTENCE = 3_000
_MOST_JOINS = 200


def clauses(sentence: str) -> list[Clause]:
    """
    The statements of one sentence, in order, with spans in ``sentence``; one clause when it is not to be cut.

    A sentence over 3,000 characters is not cut.
    """
    whole = Clause(span=Span(0, len(sentence)))
    if len(sentence) > _LONGEST_SENTENCE:
        return [whole]
    protected = [m.span() for m in _PROTECTED.finditer(sentence)]
    joins = [m for m in _JOIN.finditer(sentence) if not any(a < m.end() and m.start() < b for a, b in protected)]
    found: list[Clause] = []
    start = 0
    pending: Clause | None = None
    for n, join in enumerate(joins[:_MOST_JOINS]):
        stop = joins[n + 1].start() if n + 1 < len(joins) else len(sentence)
        if ";" in join.group() and not may_have_verb(sentence[join.end() : stop]):
            # "Members can't; only owners and admins may": the verb stands behind a list, and a semicolon parts more than its "and".
            stop = next((later.start() for later in joins[n + 1 :] if ";" in later.group()), len(sentence))
        if join["weak"] and all(later["weak"] for later in joins[n + 1 : _MOST_JOINS]):
            break
        right = _statement(sentence, start, join, stop, pending)
        if right is None:
            continue
        left_end = join.start()
        found.append(_with_end(pending, start, left_end))
        start, pending = right.span.start, right
    if not found:
        return [whole]
    return [*found, _with_end(pending, start, len(sentence))]


def _with_end(opened: Clause | None, start: int, end: int) -> Clause:
    return Clause(span=Span(start, end)) if opened is None else Clause(span=Span(start, end), subject=opened.subject, skip=opened.skip)


def _statement(sentence: str, start: int, join: re.Match[str], stop: int, opened: Clause | None) -> Clause | None:
    """The clause that begins after ``join``, when both sides are complete statements; None when it must not be cut there."""
    left, right = sentence[start : join.start()], sentence[join.end() : stop]
    if opened is not None:
        left = opened.complete(left)
    if not left.strip() or not right.strip() or is_elliptical(right):
        return None
    if _CONDITION_FIRST.match(left) or _REPORTED.search(left) or _PAIRED.search(left) or not may_have_verb(left):
        return None
    if _begins_with_scope(left):
        return None
    if join["weak"]:
        return Clause(span=Span(join.end(), stop)) if begins_statement(right) and not _SUBORDINATE.search(left) and not _RELATIVE.match(left) else None
    if _SUBORDINATE.search(left):
        # "You pay when it arrives, and the label is free": only a comma and a subject of its own leave the subordinate clause.
        return Clause(span=Span(join.end(), stop)) if join.group()[0] in ",;" and begins_statement(right) else None
    subject = subject_of(left)
    end = join.end()
    if _RELATIVE.match(left) and join.group()[0] not in ",;":
        return None
    verb = leading_pronoun_verb(right)
    if verb is not None:
        resolved = subject.text if subject is not None and subject.agrees(verb.pronoun, verb.verb) else None
        return Clause(span=Span(end, stop), subject=resolved, skip=verb.pronoun_end if resolved else 0)
    if begins_statement(right) or (";" in join.group() and (may_have_verb(right) or begins_instruction(right))):
        return Clause(span=Span(end, stop))
    if subject is not None and shared_predicate(left, right):
        return Clause(span=Span(end, stop), subject=subject.text)
    return None


def _begins_with_scope(left: str) -> bool:
    """"In 2019, A opened, and B closed": the time or place in front holds for both, so neither is taken out."""
    words = words_of(left)
    return bool(words) and words[0][2] in SCOPES
