"""Laying a claim beside a premise: which clause speaks of the same thing, and how surely."""

from __future__ import annotations

from ragviz.consistency.analysis import Analysis, Detail
from ragviz.consistency.lexicon import irregular_verbs
from ragviz.text.names import Name, NameKind, same_name
from ragviz.text.word_sets import word_set
from ragviz.text.word_table import WordTable

_CHUNK_END_WORDS = """
in on at of by for from with to into onto over under about between among through during after before until since as than that which who whose where when
is are was were be been being has have had will would can could may might must shall should does do did not and or but
ist sind war waren hat haben wird werden wurde kann muss im am bei von mit für auf est sont a ont sera dans de du des à pour par avec und et
"""
_CHUNK_ENDS = frozenset(_CHUNK_END_WORDS.split())
FORGIVEN = 0.95
"""Share of a missing name that is forgiven where the premise says "it" or "the film" instead."""


class Pairing:
    """One claim and one premise side by side."""

    __slots__ = ("_rows", "aliases", "claim", "matches", "name_keys", "premise", "premise_keys")

    def __init__(self, claim: Analysis, premise: Analysis) -> None:
        self.claim = claim
        self.premise = premise
        self.name_keys = claim.name_keys
        self.premise_keys = premise.all_keys
        compared = claim.names and premise.names
        self.matches = _matches(claim, premise) if compared else [[] for _ in claim.names]
        """For each name of the claim, the premise's names that can stand for it."""
        self.aliases = [
            (frozenset(premise.keys[theirs.first : theirs.last + 1]), frozenset(claim.keys[ours.first : ours.last + 1]))
            for ours, found in zip(claim.names, self.matches, strict=True)
            for theirs in found
            if _name(ours).parts != _name(theirs).parts
        ] if compared else []
        """(premise keys, claim keys) of names that stand for each other: "Cruz" covers "Penélope Cruz"."""
        self._rows: dict[frozenset[str], list[float]] = {}

    def keys_of(self, clause: int) -> frozenset[str]:
        """What the claim's clause is about; a clause of one or two words borrows from the rest of the claim."""
        keys = self.claim.clause_keys[clause]
        return keys if len(keys) > 2 else keys | self.claim.all_keys

    def row(self, keys: frozenset[str]) -> list[float]:
        """For each clause of the premise: how much of ``keys`` it covers, in [0, 1]."""
        row = self._rows.get(keys)
        if row is None:
            row = self._rows[keys] = [self._cover(keys, c) for c in range(self.premise.n_clauses)]
        return row

    def _cover(self, keys: frozenset[str], clause: int) -> float:
        total = float(len(keys))
        if not total:
            return 0.0
        context = self.premise.context[clause]
        if self.aliases:
            context = context.union(*(ours for theirs, ours in self.aliases if not theirs.isdisjoint(context)))
        hits = len(keys & context)
        if hits < total and self.premise.open_subject[clause]:
            total -= FORGIVEN * len((keys - context) & self.name_keys)
        return hits / total if hits else 0.0

    def best(self, keys: frozenset[str]) -> tuple[int, float]:
        """The clause of the premise that covers most, the earliest of several; (0, 0.0) for none."""
        best, score = 0, 0.0
        for c, value in enumerate(self.row(keys)):
            if value > score:
                best, score = c, value
        return best, score

    def other_subject(self, clause: int, premise_clause: int, apart: tuple[int, int] = (-1, -1)) -> bool:
        """
        True when the two clauses speak of different things: both begin with a noun that the other lacks.

        "The pump weighs …" and "The motor weighs …"; but not "Mara leads …" and "She leads …".

        Args:
            clause: Of the claim.
            premise_clause: Of the premise.
            apart: A token of the claim and one of the premise that are under comparison and so do not count.
        """
        if self._labels_differ(clause, premise_clause):
            return True
        context = self.premise.context[premise_clause]
        if self.aliases:
            context = context.union(*(ours for theirs, ours in self.aliases if not theirs.isdisjoint(context)))
        keys = self.claim.all_keys
        theirs = [
            i for i in subject_chunk(self.premise, premise_clause)
            if self.premise.keys[i] not in keys and i != apart[1] and not self._is_alias(i) and not _is_shared_label(self.premise, i, self.claim)
        ]
        if not theirs:
            return False
        ours = [
            i for i in subject_chunk(self.claim, clause)
            if self.claim.keys[i] not in context and i != apart[0] and not _is_shared_label(self.claim, i, self.premise)
        ]
        if not ours:
            return self._begins_otherwise(clause, premise_clause, theirs)
        if self._of_one_noun(clause, premise_clause, set(ours), set(theirs)):
            return True
        our_name = any(self.claim.is_name[i] for i in ours)
        their_name = any(self.premise.is_name[i] for i in theirs)
        return our_name == their_name or not self.premise.open_subject[premise_clause]

    def _of_one_noun(self, clause: int, premise_clause: int, ours: set[int], theirs: set[int]) -> bool:
        """True for "the Starter plan" and "the free plan"."""
        mine, other = subject_chunk(self.claim, clause), subject_chunk(self.premise, premise_clause)
        return len(mine) == len(other) == 2 and self.claim.keys[mine[1]] == self.premise.keys[other[1]] and mine[0] in ours and other[0] in theirs

    def _begins_otherwise(self, clause: int, premise_clause: int, theirs: list[int]) -> bool:
        """True when the premise's clause begins with nothing of the claim: "Pictures are exported as files" says nothing of what a file may be."""
        ours = {self.claim.keys[i] for i in subject_chunk(self.claim, clause) if not self.claim.is_name[i]}
        chunk = subject_chunk(self.premise, premise_clause)
        return (
            bool(ours) and len(theirs) == len(chunk) and not any(self.premise.is_name[i] for i in chunk)
            and not self.premise.open_subject[premise_clause] and ours.isdisjoint(self.premise.keys[i] for i in chunk)
        )

    def _labels_differ(self, clause: int, premise_clause: int) -> bool:
        """True when one clause is about article 5 and the other about article 9."""
        ours, theirs = self.claim.labels.get(clause), self.premise.labels.get(premise_clause)
        return bool(ours and theirs) and any(noun in theirs and theirs[noun] != number for noun, number in (ours or {}).items() if theirs)

    def _is_alias(self, i: int) -> bool:
        return any(self.premise.keys[i] in theirs for theirs, _ in self.aliases)


def _is_shared_label(text: Analysis, i: int, other: Analysis) -> bool:
    """True for the Saturday of "Saturday delivery" when the other text has it too; details have no keys to compare."""
    return bool(text.detail[i]) and text.lowers[i] in other.lowers


def _name(detail: Detail) -> Name:
    assert isinstance(detail.record, Name)
    return detail.record


def _matches(claim: Analysis, premise: Analysis) -> list[list[Detail]]:
    """For each name of the claim: the premise's names that can stand for it."""
    theirs = [(d, _name(d)) for d in premise.names]
    starts = frozenset(part[:3] for _, name in theirs for part in name.parts)
    out: list[list[Detail]] = []
    for ours in claim.names:
        name = _name(ours)
        # Two names share the beginning of a word, or one is short for the other.
        likely = name.kind is NameKind.ACRONYM or len(name.parts) > 2 or not starts.isdisjoint(part[:3] for part in name.parts)
        out.append([d for d, other in theirs if same_name(name, other)] if likely else [])
    return out


_HELPERS_WORDS = "is are was were be been being gets got to will would can could may might must shall should has have had did does do not who which that it he she they wird werden wurde wurden est sont fut"
_HELPERS = frozenset(_HELPERS_WORDS.split())
_NOUN_BEFORE_WORDS = (
    "the a an der die das den dem le la les un une his her its their every each of in by for with from on at these this those our my your no and or"
)
_NOUN_BEFORE = frozenset(_NOUN_BEFORE_WORDS.split())


_UNCHANGING = frozenset({"beat", "cut", "hit", "let", "put", "set", "shut", "hurt", "cast", "burst", "split", "spread", "quit", "bet"})
_HELPS = WordTable(lambda word: word in _HELPERS or word.endswith(("n't", "n’t")))
_INFLECTED = WordTable(lambda word: word.endswith(("s", "ed")) or word in irregular_verbs() or word in _UNCHANGING)


def looks_verbal(text: Analysis, i: int) -> bool:
    """A guess without a tagger: an inflected word, or one behind an auxiliary, that no article or preposition makes a noun."""
    before = text.lowers[i - 1] if i else ""
    word = text.lowers[i]
    if _HELPS[before]:
        return True
    if before in _NOUN_BEFORE or (i and text.value[i - 1]) or not i:
        return False
    return _INFLECTED[word] or (bool(text.tongue) and word.endswith(("t", "te", "en", "ent", "é")))


def subject_chunk(text: Analysis, clause: int) -> list[int]:
    """
    Content tokens with which a clause begins, up to its first preposition, auxiliary, comma or number; verbs in -ed are left out. Kept with the
    analysis.
    """
    chunk = text.chunks.get(clause)
    if chunk is None:
        chunk = text.chunks[clause] = _subject_chunk(text, clause)
    return chunk


def _subject_chunk(text: Analysis, clause: int) -> list[int]:
    out: list[int] = []
    start = behind_lead(text, clause)
    if text.lowers[start].endswith(("ed", "ing")) and not text.is_name[start]:
        return out  # "Distributed by …, the film …": the subject comes later
    for i in range(start, min(len(text.lowers), start + 8)):
        word = text.lowers[i]
        if text.clause[i] == clause and text.detail[i] and not out and text.is_label(i):
            out.append(i)  # "Saturday delivery", "the Q4 printer": it tells which one
            continue
        if text.clause[i] != clause or text.detail[i] or (word in _CHUNK_ENDS and i > start and i not in text.letters):
            break
        if text.content[i] and (text.is_name[i] or not out or not looks_verbal(text, i)):
            out.append(i)
        if text.commas[i]:
            break
    return out


_LEADS = word_set("in on at under by for from with within during after before until since according per through throughout despite")
_LEAD_ENDS = word_set("the a an no every each all any this these those its his her their our your")
_LEAD_REACH = 10


def behind_lead(text: Analysis, clause: int) -> int:
    """Where a clause begins behind a phrase that leads in: "Under rule 4 | the tenant …", "In winter, | the pool …"."""
    start = text.first_of(clause)
    if text.lowers[start] not in _LEADS or text.tongue:
        return start
    said = False
    for i in range(start + 1, min(len(text.lowers), start + _LEAD_REACH)):
        if text.clause[i] != clause:
            break
        if said and text.lowers[i] in _LEAD_ENDS and text.lowers[i - 1] not in _CHUNK_ENDS:
            return i
        said = said or text.content[i] or text.detail[i]
        if text.commas[i] and said and i + 1 < len(text.lowers) and text.clause[i + 1] == clause:
            return i + 1
    return start


def head_keys(text: Analysis, detail: Detail, *, reach: int = 4, past_and: bool = False, past_of: bool = False) -> list[str]:
    """Keys of the first two content words right behind a detail: what is counted."""
    out: list[str] = []
    for i in range(detail.last + 1, min(len(text.lowers), detail.last + 1 + reach)):
        if text.clause[i] != detail.clause or text.commas[i - 1]:
            break
        if text.content[i]:
            out.append(text.keys[i])
        elif (text.lowers[i] in _CHUNK_ENDS and not past_of and text.lowers[i] != "of" and not (past_and and text.lowers[i] == "and")) or (
            past_of and text.lowers[i] in {"and", "or", "but", "to"}
        ):
            break
        if len(out) == 2:
            break
    return out


def governor_keys(text: Analysis, detail: Detail, *, count: int = 2, reach: int = 7, with_names: bool = False) -> list[str]:
    """Keys of the nearest content words before a detail that are no names, nearest first: the verb or noun it belongs to."""
    out: list[str] = []
    for i in range(detail.first - 1, max(-1, detail.first - 1 - reach), -1):
        if text.clause[i] != detail.clause:
            break
        if text.content[i] and (with_names or not text.is_name[i]):
            out.append(text.keys[i])
            if len(out) == count:
                break
    return out


def belongs_better(pair: Pairing, detail: Detail, one: Detail, other: Detail) -> bool:
    """
    True when the words around a claim's detail are those around ``one`` and not those around ``other``, both in one clause.

    "scored 7 goals and conceded 2 goals": what was conceded belongs to 2.
    """
    def around(text: Analysis, place: Detail) -> tuple[str, list[str]]:
        return next(iter(governor_keys(text, place, count=1)), ""), head_keys(text, place, past_of=True)

    ours, heads = around(pair.claim, detail)
    first, first_heads = around(pair.premise, one)
    second, second_heads = around(pair.premise, other)
    if second_heads and all(k in pair.claim.index for k in second_heads) and first_heads and not any(k in pair.claim.index for k in first_heads):
        return False  # "12 EUR for adults and 6 EUR for children", and the claim names the children
    if ours and ours == first != second and second not in pair.claim.index and set(heads) <= set(first_heads):
        return True
    ours_set, one_set, other_set = set(heads), set(first_heads), set(second_heads)
    if ours_set and ours_set <= other_set and not ours_set <= one_set:
        return False
    if ours_set and ours_set <= one_set and not ours_set <= other_set and any(k not in pair.claim.index for k in other_set):
        return True
    return governed_better(pair, detail, one, other)


def governed_better(pair: Pairing, detail: Detail, one: Detail, other: Detail) -> bool:
    """True when a word that governs the claim's detail governs ``one``, and what governs ``other`` is not in the claim."""
    ours = governor_keys(pair.claim, detail, with_names=True)
    first, second = governor_keys(pair.premise, one, with_names=True), governor_keys(pair.premise, other, with_names=True)
    if not ours or not second or not (set(ours) & set(first)) - set(second) or first[0] not in pair.claim.index:
        return False
    return second[0] not in pair.claim.index or any(k not in pair.claim.index for k in set(second) - set(first))
