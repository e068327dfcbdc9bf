"""What goes with what inside one sentence: "born in Lisbon and now lives in Porto" says nothing of living in Lisbon."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import takewhile
from typing import NamedTuple

from ragviz.consistency.align import Pairing, subject_chunk
from ragviz.consistency.amounts import kind_of
from ragviz.consistency.analysis import Analysis, Detail
from ragviz.consistency.date_relations import relate_dates
from ragviz.consistency.gathered import Gathered
from ragviz.consistency.lexicon import irregular_verbs
from ragviz.consistency.magnitudes import Relation, relate
from ragviz.records import ClashKind
from ragviz.text.date_mention import DateMention
from ragviz.text.names import Name, same_name
from ragviz.text.quantity import Quantity, QuantityKind
from ragviz.text.verbs import FINITE
from ragviz.text.word_sets import word_set

MAX_WORDS = 8
"""Words of content of a claim that says one thing; a longer one pairs several."""
MAX_PARTS = 24
_PRONOUNS = word_set("it he she they this that these which who es er sie il elle")
_JOINS = word_set("and or but while whereas then plus und oder et ou y o")
_BEHIND = word_set("in at on by to from for into near with of as im am bei von nach aus à au en dans par pour de por")


class Part(NamedTuple):
    """A stretch of a sentence that says one thing."""

    first: int
    last: int
    """Tokens first..last."""
    keys: frozenset[str]
    """Its words of content."""
    bound: frozenset[str]
    """Those that what it gives belongs to: its verb and what follows; all of them where it has no verb."""
    verb: int | None
    """Token of its first verb."""
    given: tuple[Detail, ...]
    """Amounts, dates, and names behind a preposition."""


def parts(text: Analysis) -> list[Part]:
    """The stretches of a text, cut where another verb, amount, date or place follows a comma or "and". Kept with the analysis."""
    if text.parts is None:
        text.parts = list(_parts(text))
    return text.parts


def _parts(text: Analysis) -> Iterator[Part]:
    given = sorted([*text.quantities, *text.dates, *(d for d in text.names if d.first and text.lowers[d.first - 1] in _BEHIND)], key=lambda d: d.first)
    inside = {k for d in given for k in range(d.first + 1, d.last + 1)}
    begins = [0]
    starts = {d.first for d in given}
    for i in range(1, len(text.lowers)):
        if i in inside:
            continue
        if text.clause[i] != text.clause[i - 1] or text.commas[i - 1] or text.lowers[i] in _JOINS or text.lowers[i] == "including":
            begins.append(i)
    # A stretch without a verb and without anything given is an item of the list before it.
    kept: list[int] = []
    for n, first in enumerate(begins):
        end = begins[n + 1] if n + 1 < len(begins) else len(text.lowers)
        own = any(i in starts or is_verb(text, i) for i in range(first, end))
        if own or not kept or text.clause[first] != text.clause[first - 1]:
            kept.append(first)
    for n, first in enumerate(kept[:MAX_PARTS]):
        end = kept[n + 1] if n + 1 < len(kept) else len(text.lowers)
        own_given = tuple(d for d in given if first <= d.first < end)
        verb = next((i for i in range(first, end) if is_verb(text, i)), None)
        keys = frozenset(text.keys[i] for i in range(first, end) if text.content[i])
        bound = keys if verb is None else frozenset(text.keys[i] for i in range(verb, end) if text.content[i])
        yield Part(first, end - 1, keys, bound, verb, own_given)


def is_verb(text: Analysis, i: int) -> bool:
    """True for a word that is a verb as a rule."""
    word = text.lowers[i]
    if not (word in FINITE or word in irregular_verbs() or (word.endswith("ed") and len(word) > 4)):
        return False
    # French "a" is a verb
    return not (i and text.lowers[i - 1] in {"the", "a", "an", "of"}) and (word != "a" or bool(text.tongue))


def check_pairings(pair: Pairing, out: Gathered) -> bool:
    """Add a clash where the claim gives to one part of a sentence what another part of it has. True when one was found."""
    claim, premise = pair.claim, pair.premise
    if (
        not (claim.quantities or claim.dates or claim.names)
        or len(claim.all_keys) > MAX_WORDS
        or len(premise.quantities) + len(premise.dates) + len(premise.names) < 2
    ):
        return False
    found = parts(premise)
    if len(found) < 2:
        return False
    for detail in [*claim.quantities, *claim.dates, *claim.names]:
        if _is_label(detail) or claim.parity[detail.first]:
            continue
        here = [n for n, part in enumerate(found) if any(_is_same(detail, other) for other in _told(premise, part))]
        if not here:
            continue
        words = [i for i in range(len(claim.lowers)) if claim.content[i] and not detail.first <= i <= detail.last and claim.keys[i] in pair.premise_keys]
        for i in words:
            there = [n for n, part in enumerate(found) if claim.keys[i] in part.keys]
            if not there or not set(here).isdisjoint(there) or any(_binds(premise, found, here, there, claim.keys[k]) for k in words if k != i):
                continue
            if isinstance(detail.record, Quantity) and not is_verb(claim, i) and not any(_has_own_noun(pair, found[n]) for n in here):
                continue  # "by 1946 only 42,000 remained": of what was counted before
            rival = _rival(pair, detail, (here, there), claim.keys[i])
            if rival is not None:
                out.clash(_kind(detail), detail, rival, _label(detail), _label(rival))
                return True
    return False


def check_contrasts(pair: Pairing, out: Gathered) -> None:
    """
    Add what is dropped where the claim joins the subject of one clause with what a sentence says of the subject of another: "members enter free;
    guests pay 8 EUR".
    """
    claim, premise = pair.claim, pair.premise
    keys = claim.all_keys & pair.premise_keys
    if premise.n_clauses < 2 or len(claim.all_keys) > MAX_WORDS or len(keys) < 2 or any(claim.parity):
        return
    heads = [frozenset(premise.keys[i] for i in takewhile(lambda i: not is_verb(premise, i), subject_chunk(premise, c))) for c in range(premise.n_clauses)]
    for m, head in enumerate(heads):
        own = premise.clause_keys[m]
        if not head & keys or not own - head - keys:
            continue
        for n, other in enumerate(heads):
            if n == m or not other or premise.sentence[n] != premise.sentence[m]:
                continue
            both = own & premise.clause_keys[n]  # what the clauses share tells neither from the other
            subject = head & keys - both
            told = (premise.clause_keys[n] - other) & keys - own
            if subject and told and subject | told >= keys - both and not other & keys - both:
                first = subject_chunk(premise, n)
                out.word_drop(ClashKind.ROLE, None, (first[0], first[-1]))
                return


def _binds(premise: Analysis, found: list[Part], here: list[int], there: list[int], word: str) -> bool:
    """True for a word that only the parts with the detail have, and that the other parts do not take over from them."""
    having = [n for n, part in enumerate(found) if word in part.keys]
    if not having or not set(having) <= set(here):
        return False
    return any(not _takes_over(premise, found[m], found[n], word) for n in having for m in there)


def _takes_over(premise: Analysis, part: Part, before: Part, word: str) -> bool:
    """True where a part goes on with a word of the part before it: with its subject where it has none, with all up to what differs where it has no verb."""
    if premise.sentence[premise.clause[part.first]] != premise.sentence[premise.clause[before.first]]:
        return False
    if part.verb is None:
        end = before.given[0].first if before.given else before.last + 1
        return any(premise.keys[i] == word for i in range(before.first, end))
    own = [i for i in range(part.first, part.verb) if premise.content[i] or premise.lowers[i] in _PRONOUNS]
    return not own and word not in before.bound


def _has_own_noun(pair: Pairing, part: Part) -> bool:
    text = pair.premise
    return any(text.content[i] and text.keys[i] not in pair.claim.all_keys and not is_verb(text, i) for i in range(part.first, part.last + 1))


def _told(premise: Analysis, part: Part) -> list[Detail]:
    return [*part.given, *(d for d in premise.names if part.first <= d.first <= part.last)]


def _rival(pair: Pairing, detail: Detail, places: tuple[list[int], list[int]], word: str) -> Detail | None:
    """
    What the part with the word gives in place of the claim's detail; None where it does not give anything of that kind, or the two parts may say
    one thing together.
    """
    premise, claim = pair.premise, pair.claim
    found = parts(premise)
    here, there = places
    for n in here:
        if found[n].keys <= claim.all_keys:
            return None  # nothing else is said there of the claim's detail
    for m in there:
        part = found[m]
        if word not in part.bound:
            return None
        near = [n for n in here if premise.sentence[premise.clause[found[n].first]] == premise.sentence[premise.clause[part.first]]]
        if not near:
            return None
        rivals = [d for d in part.given if _competes(pair, detail, d, found, near) and not any(_is_same(own, d) for own in _all(claim))]
        if not rivals:
            return None
    return rivals[0]


def _competes(pair: Pairing, detail: Detail, other: Detail, found: list[Part], near: list[int]) -> bool:
    """True for two details of one kind: both dates, both amounts that can be compared, both names behind one preposition."""
    ours, theirs = detail.record, other.record
    if isinstance(ours, DateMention) and isinstance(theirs, DateMention):
        return relate_dates(ours, theirs) is Relation.OTHER
    if isinstance(ours, Quantity) and isinstance(theirs, Quantity):
        return theirs.kind is ours.kind and relate(ours, theirs) is Relation.OTHER
    if isinstance(ours, Name) and isinstance(theirs, Name):
        lowers = pair.premise.lowers
        behind = {lowers[d.first - 1] for n in near for d in found[n].given if _is_same(detail, d)}
        if detail.first and pair.claim.lowers[detail.first - 1] in _BEHIND:
            behind = {pair.claim.lowers[detail.first - 1]}
        return lowers[other.first - 1] in behind
    return False


def _all(text: Analysis) -> list[Detail]:
    return [*text.quantities, *text.dates, *text.names]


def _is_label(detail: Detail) -> bool:
    return isinstance(detail.record, Quantity) and detail.record.kind in {QuantityKind.LABEL, QuantityKind.ORDINAL}


def _is_same(a: Detail, b: Detail) -> bool:
    ours, theirs = a.record, b.record
    if isinstance(ours, Quantity) and isinstance(theirs, Quantity):
        return theirs.kind is ours.kind and relate(ours, theirs) is Relation.SAME
    if isinstance(ours, DateMention) and isinstance(theirs, DateMention):
        return relate_dates(ours, theirs) in {Relation.SAME, Relation.VAGUE}
    return isinstance(ours, Name) and isinstance(theirs, Name) and same_name(ours, theirs)


def _kind(detail: Detail) -> ClashKind:
    if isinstance(detail.record, Quantity):
        return kind_of(detail.record)
    return ClashKind.DATE if isinstance(detail.record, DateMention) else ClashKind.NAME


def _label(detail: Detail) -> str:
    record = detail.record
    return record.text if isinstance(record, Name) else record.label
