"""A claim and a premise side by side: which units come near, which words they lack, what the checks say. No model."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from ragviz.consistency import Findings
from ragviz.evidence.injection import addressing, may_address_judge
from ragviz.evidence.select import Choice, choose_for_sentences
from ragviz.evidence.windows import IndexedPremise, index_premise, plain
from ragviz.judges.local_wording import Wording, moved, reworded
from ragviz.judges.visible import check_visible
from ragviz.records import Span
from ragviz.text.lexical import stem_weight
from ragviz.text.polarity import may_negate, negations
from ragviz.text.sentences import sentence_spans
from ragviz.text.signs import Signs
from ragviz.text.tokens import STEMS, STOP_WORDS, content_stems, lower_words, word_spans
from ragviz.text.word_table import WordTable

MAX_NEAR = 12
"""Units of the premise that are looked at closely. Unrelated text around them changes nothing."""
MAX_CLAIM_SENTENCES = 12
_MAX_CHECKS = 3
_REWORDED_FROM = 0.34
"""Share of the claim's weight that must stand in the passage once the claim is said in its words; else the passage speaks of something else."""
CHECK_FROM = 0.3
"""Share of the claim's weight below which a unit cannot be about the same thing."""


EXCEPTS = Signs(
    r"\b(?:except\w*|excluding|apart from|other than|nothing but|(?:no one|nobody|none|everyone|everybody|everything|all|any\w+) but|(?:all|every|each|any|no) (?:[\w'’-]+ ){1,4}but|unless)\b"
)
"""Signs of an exception."""


_LETTERS_OF_EXCEPTIONS = ("xcept", "nless", "xcluding", "part from", "ther than", " but", "XCEPT", "NLESS", "XCLUDING", "PART FROM", "THER THAN", " BUT")


def _may_except(text: str) -> bool:
    """Whether a text has a sign of an exception; a few letters tell ten times faster that most have none."""
    return any(map(text.__contains__, _LETTERS_OF_EXCEPTIONS)) and EXCEPTS.stand_in(text)


class Word(NamedTuple):
    """A word of content of the claim."""

    stem: str
    weight: float
    is_figure: bool


class ClaimView(NamedTuple):
    """A claim taken apart."""

    text: str
    words: tuple[Word, ...]
    """In text order, repeats included."""
    distinct: tuple[Word, ...]
    """The same without repeats."""
    weight: float
    """Sum over ``distinct``."""
    lowers: tuple[str, ...]
    """All its words in lower case, function words too."""
    sentences: tuple[frozenset[str], ...]
    """Stems of each sentence."""
    negated: bool
    wanted: frozenset[str]
    """Stems of ``distinct``."""
    spoken: frozenset[str]
    """Stems of all sentences."""


class PremiseView(NamedTuple):
    """A premise taken apart, without the sentences that address the judge."""

    indexed: IndexedPremise
    excluded: frozenset[int]
    alarm: str | None
    first: tuple[int, ...]
    """The first MAX_NEAR units, those that address the judge left out."""
    excepts: bool = False
    """It has a sign of an exception: "except", "unless", "nothing but"."""


class Look(NamedTuple):
    """What one pair shows."""

    claim: ClaimView
    """The claim in the words of the premise, as far as the word list knows them; ``text`` is the claim as it was written."""
    premise: PremiseView
    chosen: tuple[Choice, ...]
    near: tuple[int, ...]
    """Units that share most with the claim, best first; those chosen are among them."""
    findings: tuple[tuple[int, Findings], ...]
    """Findings by unit, best unit first."""
    together: Findings | None
    """Findings on the chosen units read as one text; spans of the premise are of no use here."""
    joined: bool = False
    """True where the chosen units follow each other: then the places in ``together`` are places of the premise."""
    wording: str = ""
    """The claim in the words of the premise, where it differs from the claim as written."""
    reworded: float = 0.0
    """Share of the claim's weight that the passage says in other words, in [0, 1]."""
    question: str = ""
    """What was asked; a condition that it names need not be said again."""


_WORDS: WordTable[Word | None] = WordTable(
    lambda lower: None if lower in STOP_WORDS else Word(STEMS[lower], stem_weight(STEMS[lower]), any(c.isdigit() for c in lower))
)


@lru_cache(maxsize=8192)
def view_claim(text: str) -> ClaimView:
    """The claim taken apart; remembered, since it is asked about every passage."""
    bare = plain(text)
    lowers = lower_words(bare)
    told = words = [word for word in map(_WORDS.__getitem__, lowers) if word is not None]
    negators = {span.start for span in negations(bare)} if may_negate(bare, lowers) else set()
    if negators:
        words = [word for lower, (start, _) in zip(lowers, word_spans(bare), strict=True) if start not in negators and (word := _WORDS[lower]) is not None]
    spans = _claim_sentences(bare)
    said = [frozenset([word.stem for word in told])] if len(spans) == 1 else [frozenset(content_stems(span.of(bare))) for span in spans]
    sentences = [stems for stems in said if stems]
    wanted = frozenset([word.stem for word in words])
    distinct = tuple(words) if len(wanted) == len(words) else tuple(dict.fromkeys(words))
    return ClaimView(
        text,
        tuple(words),
        distinct,
        sum([word.weight for word in distinct]),
        tuple(lowers),
        tuple(sentences),
        bool(negators),
        wanted,
        sentences[0] if len(sentences) == 1 else frozenset().union(*sentences),
    )


def _claim_sentences(text: str) -> list[Span]:
    spans = sentence_spans(text)
    if len(spans) <= MAX_CLAIM_SENTENCES:
        return spans
    # A very long claim: what goes beyond the limit is read as one last sentence, so nothing is left out.
    return [*spans[: MAX_CLAIM_SENTENCES - 1], Span(spans[MAX_CLAIM_SENTENCES - 1].start, spans[-1].end)]


@lru_cache(maxsize=4096)
def view_premise(text: str) -> PremiseView:
    """The premise taken apart; remembered, since many claims are asked about it."""
    indexed = index_premise(text)
    if not may_address_judge(text):
        return PremiseView(indexed, frozenset(), None, tuple(range(min(MAX_NEAR, len(indexed.units)))), _may_except(text))
    told = addressing([unit.span.of(text) for unit in indexed.units], text)
    alarm = " ".join(indexed.units[i].span.of(text) for i in sorted(told)) or None
    return PremiseView(indexed, told, alarm, tuple([i for i in range(min(MAX_NEAR, len(indexed.units))) if i not in told]), _may_except(text))


def look(claim: ClaimView, premise: PremiseView, question: str = "") -> Look:
    """Everything words and checks can say about the pair; ``question`` is what was asked, if anything."""
    # Most passages are about something else.
    apart = premise.indexed.postings.keys().isdisjoint(claim.spoken)
    near = () if apart else near_units(claim, premise)
    said = _said(claim, premise, near)
    view = claim
    share = 0.0
    if said is not None:
        view = view_claim(said.text)._replace(text=claim.text)
        share = _replaced_share(claim, view)
        apart = premise.indexed.postings.keys().isdisjoint(view.spoken)
    if apart:
        return Look(claim, premise, (), (), (), None)
    if said is not None:
        near = near_units(view, premise)
    chosen = choose_for_sentences(view.sentences, premise.indexed, exclude=premise.excluded)
    taken = [choice.unit for choice in chosen]
    near = tuple(taken + [unit for unit in near if unit not in taken])[: max(MAX_NEAR, len(chosen))]
    findings, together = _check(view, premise, chosen, near, said)
    return Look(
        view, premise, chosen, near, findings, together, len(chosen) > 1 and _adjoin(chosen, premise), said.text if said is not None else "", share, question
    )


def _adjoin(chosen: Sequence[Choice], premise: PremiseView) -> bool:
    """True where no unit lies between the chosen ones, and none of them is left out."""
    units = sorted(choice.unit for choice in chosen)
    return units[-1] - units[0] == len(units) - 1 and premise.excluded.isdisjoint(units)


def _said(claim: ClaimView, premise: PremiseView, near: Sequence[int]) -> Wording | None:
    """The claim in the words of the premise; None where nothing changes, or where the premise would still lack most of it."""
    postings = premise.indexed.postings
    if not claim.weight or (near and claim.wanted <= postings.keys()):
        return None
    said = reworded(claim.text, premise.indexed, near or premise.first)
    if said is None:
        return None
    view = view_claim(said.text)
    there = sum([word.weight for word in view.distinct if word.stem in postings])
    return said if there >= _REWORDED_FROM * view.weight else None


def _replaced_share(claim: ClaimView, view: ClaimView) -> float:
    """Weight of the words that only the reworded claim has, as a share."""
    own = {word.stem for word in claim.distinct}
    return sum([word.weight for word in view.distinct if word.stem not in own]) / view.weight if view.weight else 0.0


def near_units(claim: ClaimView, premise: PremiseView, *, limit: int = MAX_NEAR) -> tuple[int, ...]:
    """Units by the weight of the claim's words they hold, best first; equal ones in text order."""
    indexed = premise.indexed
    gains: dict[int, float] = {}
    postings = indexed.postings
    if postings.keys().isdisjoint(claim.wanted):
        return ()
    for word in claim.distinct:
        if word.stem in postings:
            for unit in postings[word.stem]:
                gains[unit] = gains.get(unit, 0.0) + word.weight
    ranked = [unit for unit in gains if unit not in premise.excluded]
    if len(ranked) < 2:
        return tuple(ranked)
    ranked.sort(key=lambda unit: (-round(gains[unit], 6), unit))
    # A passage retrieved twice must not push others out.
    distinct = {indexed.units[unit].order: unit for unit in reversed(ranked)}
    return tuple([unit for unit in ranked if distinct[indexed.units[unit].order] == unit][:limit])


def _check(
    claim: ClaimView, premise: PremiseView, chosen: Sequence[Choice], near: Sequence[int], said: Wording | None
) -> tuple[tuple[tuple[int, Findings], ...], Findings | None]:
    """Checks on the units that could be about the same thing, and on the chosen ones together."""
    indexed = premise.indexed
    if not claim.weight:
        return (), None
    text = claim.text if said is None else said.text
    found = []
    for unit in _worth_checking(claim, premise, chosen, near):
        span = indexed.units[unit].span
        found.append((unit, _findings(text, span.of(indexed.text), span.start, said, claim)))
    if not chosen:
        return tuple(found), None
    if len(chosen) == 1:
        together = found[0][1]  # the first chosen unit is the first one checked
    elif _adjoin(chosen, premise):
        spans = [indexed.units[choice.unit].span for choice in chosen]
        begin, end = min(span.start for span in spans), max(span.end for span in spans)
        together = _findings(text, indexed.text[begin:end], begin, said, claim)
    else:
        together = _findings(text, " ".join(indexed.units[c.unit].span.of(indexed.text) for c in sorted(chosen, key=lambda c: c.unit)), 0, said, claim)
    return tuple(found), together


def _worth_checking(claim: ClaimView, premise: PremiseView, chosen: Sequence[Choice], near: Sequence[int]) -> list[int]:
    """The first chosen unit, and others that could be about the same thing, best first."""
    if chosen and len(near) == 1:
        return list(near)
    # The figure is what may differ: the unit about the same thing is found by the other words.
    others = [word for word in claim.distinct if not word.is_figure] or claim.distinct
    others_total = sum([word.weight for word in others])
    about: dict[int, float] = {}
    for unit in near:
        stems = premise.indexed.units[unit].stems
        about[unit] = sum([word.weight for word in others if word.stem in stems]) / others_total
    by_topic = sorted(near, key=lambda unit: -round(about[unit], 6))
    first = [choice.unit for choice in chosen[:1]]
    return [unit for unit in dict.fromkeys([*first, *by_topic]) if about[unit] >= CHECK_FROM or unit in first][:_MAX_CHECKS]


def _findings(text: str, window: str, start: int, said: Wording | None, claim: ClaimView) -> Findings:
    """Findings on a window that begins at ``start``, for the claim as it was written."""
    found = check_visible(text, window, start=start)
    return found if said is None else moved(found, said, claim.text)
