"""What a single sentence says or denies of a claim in so many words: nothing of it is weighed."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from ragviz.consistency import Findings
from ragviz.consistency.analysis import Analysis, analyse
from ragviz.judges.local_rules.bearers import by_bearer
from ragviz.judges.local_rules.ellipses import may_borrow
from ragviz.judges.local_rules.entries import by_entry
from ragviz.judges.local_rules.keeping import refuses_way
from ragviz.judges.local_rules.rule import STATED, Beside, SentenceRule, Told
from ragviz.judges.local_rules.scene import MAX_CHARS
from ragviz.judges.local_rules.table import ABROAD, OUTRIGHT, always
from ragviz.judges.local_rules.tabled import by_table
from ragviz.judges.local_rules.tongue_figures import by_foreign_figure
from ragviz.judges.local_view import Look
from ragviz.records import Clash, Span
from ragviz.text.signs import Signs

MAX_WORDS = 14
"""Distinct words of content of a claim that one sentence can say."""
BORROWS = 120
"""Characters of a sentence that may have no verb of its own."""
NEAREST = 3
"""Sentences that are looked at although they were not compared, where the claim names a day."""


def outright(seen: Look) -> tuple[bool, bool, Findings | None] | None:
    """Whether a sentence says the claim outright or says otherwise, whether it says all of it, and with what words it denies it; None where no rule decides."""
    if not seen.chosen or len(seen.claim.sentences) != 1 or len(seen.claim.distinct) > MAX_WORDS:
        return None
    ours = seen.claim.text[:MAX_CHARS]
    claim = analyse(ours)
    for rule in (by_table, by_entry, by_bearer):
        if (listed := rule(ours, claim, seen.premise.indexed.text)) is not None:
            return listed
    if not claim.lowers:
        return None
    if claim.quantities and _nearest_tongue(seen) != claim.tongue:
        return by_foreign_figure(ours, claim, seen.premise.indexed.text)
    said: tuple[bool, bool, Findings | None] | None = None
    for start, text, before in _sentences(seen, claim):
        told = _told(ours, text, before)
        if told is None:
            continue
        if told.says:
            said = said or (True, told.full, None)
        elif not _is_stated(seen, start):
            return False, True, _findings(ours, text, start, told)
    return said


def _nearest_tongue(seen: Look) -> str:
    """The language of the sentence that shares most with the claim; "" for English and where nothing tells."""
    indexed = seen.premise.indexed
    return analyse(indexed.units[seen.chosen[0].unit].span.of(indexed.text)[:MAX_CHARS]).tongue


def _is_stated(seen: Look, start: int) -> bool:
    """True where another sentence than the one that begins at ``start`` says the claim."""
    units = seen.premise.indexed.units
    return any(units[n].span.start != start and not found.clashes and not found.n_missing and found.coverage >= STATED for n, found in seen.findings)


def _sentences(seen: Look, claim: Analysis) -> Iterator[tuple[int, str, str]]:
    """Begin and text of each sentence that may tell, and the text of the one before it."""
    indexed = seen.premise.indexed
    units = dict.fromkeys([*(choice.unit for choice in seen.chosen), *(n for n, _ in seen.findings), *(seen.near[:NEAREST] if claim.dates else ())])
    asked = _asks_more(claim)
    if claim.tongue and not any(rule.when(claim) for rule in ABROAD):
        return
    for unit in units:
        span = indexed.units[unit].span
        text = span.of(indexed.text)[:MAX_CHARS]
        if claim.tongue or _has_words(text) or (asked and _has_signs(text)):
            yield (
                span.start,
                text,
                indexed.units[unit - 1].span.of(indexed.text)[:MAX_CHARS] if unit and (claim.dates or (len(text) <= BORROWS and (may_borrow(text) or refuses_way(text)))) else "",
            )


def _asked(claim: Analysis) -> tuple[SentenceRule, ...]:
    """The rules that may tell something of a claim."""
    return tuple([rule for rule in (ABROAD if claim.tongue else OUTRIGHT) if rule.when(claim)])


def _asks_more(claim: Analysis) -> bool:
    """True where a rule is asked that is not asked of every claim."""
    return any(rule.when(claim) for rule in _OF_SOME)


_OF_SOME = tuple(rule for rule in OUTRIGHT if rule.when is not always)
_WORDS = Signs("|".join(rule.signs for rule in OUTRIGHT if rule.when is always))
_SIGNS = Signs("|".join(rule.signs for rule in _OF_SOME))


@lru_cache(maxsize=16_384)
def _has_words(text: str) -> bool:
    """Whether a sentence has a sign without which no rule that is asked of every claim tells anything; many claims are asked of it."""
    return _WORDS.stand_in(text)


@lru_cache(maxsize=16_384)
def _has_signs(text: str) -> bool:
    """The same for the other rules."""
    return _SIGNS.stand_in(text)


@lru_cache(maxsize=8192)
def _told(ours: str, theirs: str, last: str) -> Told | None:
    """What a sentence tells of a claim, given the sentence before it; remembered, since claims are asked again."""
    claim, unit = analyse(ours), analyse(theirs)
    if not unit.lowers or unit.tongue != claim.tongue:
        return None
    beside = Beside(claim, unit, analyse(last) if last else None)
    return next((told for rule in _asked(claim) if (told := rule.tells(beside)) is not None), None)


def _findings(text: str, sentence: str, start: int, told: Told) -> Findings:
    """The clash, with both sides as they are written."""
    claim, unit = analyse(text), analyse(sentence)
    ours = claim.plain.original(Span(claim.starts[told.ours[0]], claim.ends[told.ours[1]]))
    theirs = unit.plain.original(Span(unit.starts[told.theirs[0]], unit.ends[told.theirs[1]]))
    clash = Clash(
        kind=told.kind, hypothesis_span=ours, premise_span=theirs.shift(start), hypothesis_value=ours.of(text), premise_value=theirs.of(sentence)
    )
    return Findings(clashes=(clash,), alignment=1.0, coverage=1.0, certain=True)
