"""Everything the checks need to know about one text, found once and kept."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from decimal import Decimal
from functools import lru_cache
from typing import Any, NamedTuple

from ragviz.consistency.lexicon import LIGHT, entries, language
from ragviz.consistency.negation import Cue, cues, parities
from ragviz.consistency.plain import RARE, plain
from ragviz.text.date_mention import DateMention
from ragviz.text.dates import DATE_WORDS, dates
from ragviz.text.lexical import stem_weight
from ragviz.text.names import GIVEN, Name, NameKind, names
from ragviz.text.quantities import NUMBER_WORDS, quantities
from ragviz.text.quantity import Quantity, QuantityKind

_TOKEN = re.compile(r"\d+(?:[.,:]\d+)*|[^\W_]+(?:['’][^\W_]+)*")
_DIGIT = re.compile(r"[\d½⅓⅔¼¾]")
_HARD = re.compile(r"[.!?;:\n(){}\[\]—•|]|\s[-–]+\s|--")
_SENTENCE = re.compile(r"[.!?\n•|]")
_CONJUNCTION_WORDS = "and but while whereas although though which who whom whose where when because since so yet however or und aber während sondern et mais tandis alors"
_CONJUNCTIONS = frozenset(_CONJUNCTION_WORDS.split())
_BREAKS = frozenset({"but", "while", "whereas", "although", "though", "because", "however", "unless", "aber", "sondern", "mais"})
_OPENERS = frozenset({"unlike", "although", "though", "while", "whereas", "despite", "because", "since", "when", "if", "once", "besides", "obwohl", "während", "wenn", "weil", "bien", "contrairement", "aunque", "mientras"})
"""A clause that begins with one of these ends at its comma, and what follows has its own subject."""
_SUBJECTS = frozenset({"the", "a", "an", "it", "its", "he", "she", "they", "his", "her", "their", "there", "this", "these", "we", "you", "der", "die", "das", "le", "la", "les", "il", "elle"})
_TURNS = _BREAKS | _SUBJECTS
_PRONOUNS = frozenset({"it", "its", "he", "she", "they", "his", "her", "their", "this", "these", "er", "sie", "es", "il", "elle", "ils", "elles"})
_SUBJECT_PRONOUNS = frozenset({"it", "he", "she", "they"})
_DETERMINERS = frozenset({"the", "this", "that"})


_SURE = frozenset({QuantityKind.MEASURE, QuantityKind.MONEY})
"""Amounts with a unit are no part of a name or date."""
MAX_LANGUAGE = 400
MAX_DETAILS = 60
"""Numbers, dates and names of one text that are compared; a window of three sentences has a dozen."""
MAX_PLACES = 20
"""Places of one word that are looked at."""


class Detail(NamedTuple):
    """A number, date or name with its place among the tokens."""

    record: Quantity | DateMention | Name
    first: int
    last: int
    """Tokens first..last, both included."""
    clause: int


_WEEKDAYS = frozenset(["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "weekend", "weekday"])


class Analysis:
    """One text, taken apart. Lists are indexed by token unless said otherwise."""

    __slots__ = (
        "all_keys", "bases", "clause", "clause_keys", "commas", "content", "context", "cues", "dates", "detail", "ends", "entries", "firsts", "folds", "index", "is_name", "keys", "labels", "letters", "lowers", "modals", "n_clauses", "name_keys", "names", "open_subject",
        "parity", "parts", "plain", "qualifiers", "quantifiers", "quantities", "reports", "roots", "said", "sentence", "sides", "starts", "text", "tongue", "value",
    )

    def __init__(self, text: str, tongue: str = "") -> None:
        self.plain = plain(text)
        self.text = self.plain.text
        self.tongue = tongue
        # Filled by the checks that need them, once.
        self.qualifiers: list[Any] | None = None
        self.quantifiers: list[Any] | None = None
        self.reports: list[int] | None = None
        self.modals: list[Any] | None = None
        self.folds: dict[str, list[int]] | None = None
        self.bases: frozenset[str] | None = None
        self.said: list[frozenset[str]] | None = None
        self.parts: list[Any] | None = None
        self.sides: tuple[dict[tuple[int, int], list[int]], dict[int, list[int]]] | None = None
        self._split()
        self._details()
        self._clauses()

    def _split(self) -> None:
        text = self.text
        spans = [match.span() for match in _TOKEN.finditer(text)]
        if text.isascii():
            small = text.lower()
            lowers = [small[start:end] for start, end in spans]
        else:
            lowers = [text[start:end].lower() for start, end in spans]
        commas = [False] * len(lowers)
        clause: list[int] = []
        letters: list[int] = []
        at = n_clause = n_sentence = 0
        sentences = [0]
        opener = lowers[0] if lowers else ""
        for i, (start, end) in enumerate(spans):
            word = lowers[i]
            gap = text[at:start] if i else ""
            at = end
            if gap and (gap != " " or word in _TURNS):
                before = n_clause
                if gap != " ":
                    comma = commas[i - 1] = "," in gap
                    if _HARD.search(gap) and not _is_abbreviation(gap, lowers[i - 1], lower_follows=text[start].islower() and not self.plain.caseless):
                        n_clause += 1
                        n_sentence += _SENTENCE.search(gap) is not None
                    elif comma and (word in _CONJUNCTIONS or opener in _OPENERS or (opener.endswith(("ed", "ing")) and word in _SUBJECTS)):
                        n_clause += 1
                if n_clause == before and (word in _BREAKS or (word in _SUBJECTS and lowers[i - 1] in {"and", "und", "et"} and "between" not in lowers[max(0, i - 6) : i])):
                    n_clause += 1
                if n_clause != before:
                    sentences.append(n_sentence)
                    opener = word
            if end - start == 1 and gap == " " and word != text[start] and word != "i" and lowers[i - 1] not in LIGHT:
                letters.append(i)
            clause.append(n_clause)
        starts, ends = [start for start, _ in spans], [end for _, end in spans]
        self.lowers, self.starts, self.ends, self.commas, self.clause = lowers, starts, ends, commas, clause
        self.sentence, self.n_clauses = sentences, n_clause + 1 if lowers else 0
        tongue = self.tongue = self.tongue or language(lowers if len(lowers) < MAX_LANGUAGE else lowers[:MAX_LANGUAGE])
        self.entries = entries(lowers, tongue)
        self.roots = [e.root for e in self.entries]
        self.keys = [e.key for e in self.entries]
        for i in letters:
            self.keys[i] = text[starts[i] : ends[i]]
        self.letters = frozenset(letters)

    def _details(self) -> None:
        text = self.text
        digits = _DIGIT.search(text) is not None
        found_dates = dates(text) if digits or not DATE_WORDS.isdisjoint(self.lowers) else []
        found_names = names(text)
        taken = [d.span for d in found_dates] + [n.span for n in found_names if n.kind is NameKind.IDENTIFIER]
        taken.sort()
        self.value = [False] * len(self.lowers)
        self.detail = [False] * len(self.lowers)
        self.dates = self._place(found_dates, mark=True)
        amounts: list[Quantity] = []
        i = 0
        counted = digits or bool(self.tongue) or not NUMBER_WORDS.isdisjoint(self.lowers)
        for amount in quantities(text, foreign=True if self.tongue else None) if counted else ():
            while i < len(taken) and taken[i].end <= amount.span.start:
                i += 1
            if amount.kind in _SURE or not (i < len(taken) and taken[i].overlaps(amount.span)):
                amounts.append(amount)
        self.quantities = self._place(amounts, mark=True)
        self.names = self._place(found_names, mark=False)
        self.labels: dict[int, dict[str, Decimal | None]] = {}
        for d in self.quantities:
            if isinstance(d.record, Quantity) and d.record.kind is QuantityKind.LABEL and self._begins(d):
                self.labels.setdefault(d.clause, {})[d.record.noun] = d.record.low
        self.is_name = [False] * len(self.lowers)
        for name in self.names:
            if isinstance(name.record, Name) and name.record.first and stem_weight(self.roots[name.first]) < RARE and name.record.parts[0] not in GIVEN:
                continue  # a common word at the beginning of a sentence
            for k in range(name.first, name.last + 1):
                self.is_name[k] = True

    def _place(self, records: list[Quantity] | list[DateMention] | list[Name], *, mark: bool) -> list[Detail]:
        out: list[Detail] = []
        i, n = 0, len(self.starts)
        for record in records:
            start, end = record.span.start, record.span.end
            i = bisect_right(self.ends, start, i)
            j = max(i, bisect_left(self.starts, end, i) - 1)
            if i < n:
                out.append(Detail(record, i, j, self.clause[i]))
                if mark:
                    for k in range(i, j + 1):
                        self.detail[k] = True
                if mark and not (isinstance(record, Quantity) and record.kind is QuantityKind.ORDINAL and record.word):
                    for k in range(self._first_bounding(record, i), j + 1):
                        self.value[k] = True
        return out[:MAX_DETAILS]

    def _begins(self, detail: Detail) -> bool:
        """True for a label that says what its clause is about: "Room 7 has …"."""
        return all(self.clause[i] != detail.clause or self.lowers[i] in LIGHT for i in range(max(0, detail.first - 3), max(0, detail.first - 1)))

    def _first_bounding(self, record: Quantity | DateMention | Name, first: int) -> int:
        """Token with which "more than 50" begins, for the number at token ``first``."""
        if isinstance(record, Quantity):
            while first and self.starts[first - 1] >= record.outer.start:
                first -= 1
        return first

    def _clauses(self) -> None:
        lowers, clause, value = self.lowers, self.clause, self.value
        self.content = [e.content and not v for e, v in zip(self.entries, value, strict=True)] if True in value else [e.content for e in self.entries]
        for i in self.letters:
            self.content[i] = True
        found: list[Cue] = cues(lowers, clause, self.content, self.commas) if any(e.negates for e in self.entries) else []
        self.parity = parities(len(lowers), found)
        self.cues = found[:MAX_PLACES]
        index: dict[str, list[int]] = {}
        sets: list[set[str]] = [set() for _ in range(self.n_clauses)]
        content = self.content
        for i, k in enumerate(self.keys):
            index.setdefault(k, []).append(i)
            if content[i]:
                sets[clause[i]].add(k)
        self.index = index
        self.clause_keys = [frozenset(s) for s in sets]
        self._contexts()

    def _contexts(self) -> None:
        """Each clause with the subject it inherits: from its sentence's beginning, or from the sentence before a pronoun."""
        firsts: dict[int, int] = {}
        self.firsts = firsts
        for i, c in enumerate(self.clause):
            if c not in firsts:
                firsts[c] = i
        late = {self.clause[i] for i in range(1, len(self.lowers)) if self.commas[i - 1] and (self.lowers[i] in _PRONOUNS or self.lowers[i] == "the")} if True in self.commas else ()
        context: list[frozenset[str]] = []
        self.open_subject: list[bool] = []
        previous: frozenset[str] = frozenset()
        head: frozenset[str] = frozenset()
        head_open = opened = False
        for c in range(self.n_clauses):
            first = firsts.get(c, 0)
            word = self.lowers[first] if first < len(self.lowers) else ""
            begins = opened or c == 0 or self.sentence[c] != self.sentence[c - 1]
            opened = word in _OPENERS and begins
            if begins:
                pronoun = word in _PRONOUNS or self._late_pronoun(first, c)
                inherited = previous | head if pronoun else frozenset()
                head = inherited.union(self._subject(first, c))
                head_open = pronoun or (word in _DETERMINERS and not self._is_code(first + 1))
                previous = frozenset()
            keys = self.clause_keys[c]
            context.append(keys if head <= keys else keys | head)
            previous = previous | keys if previous else keys
            self.open_subject.append(head_open or word in _PRONOUNS or c in late)
        self.context = context
        self.all_keys = self.clause_keys[0] if self.n_clauses == 1 else previous.union(*self.clause_keys)
        self.name_keys = frozenset([k for k, name, content in zip(self.keys, self.is_name, self.content, strict=True) if name and content]) if self.names else frozenset()

    def first_of(self, clause: int) -> int:
        """The first token of a clause."""
        return self.firsts.get(clause, 0)

    def is_label(self, i: int) -> bool:
        """True for a word that reads as a date or number but names a thing: "Saturday delivery", "the Q4 prints"."""
        follows = i + 1 < len(self.lowers) and self.clause[i + 1] == self.clause[i] and self.content[i + 1] and not self.detail[i + 1]
        return bool(follows) and (self._is_code(i) or self.lowers[i] in _WEEKDAYS)

    def _is_code(self, i: int) -> bool:
        """True for letters and digits in one word, letters first: P2, Q4, MX-500."""
        if i >= len(self.lowers):
            return False
        word = self.lowers[i]
        return word[0].isalpha() and any(c.isdigit() for c in word)

    def _late_pronoun(self, first: int, clause: int) -> bool:
        """True for "In 2023 it had …"."""
        for i in range(first, min(first + 6, len(self.lowers))):
            if self.clause[i] != clause or self.content[i]:
                return False
            if self.lowers[i] in _SUBJECT_PRONOUNS:
                return True
        return False

    def _subject(self, first: int, clause: int) -> list[str]:
        return [self.keys[i] for i in range(first, min(first + 12, len(self.lowers))) if self.content[i] and self.clause[i] == clause][:4]


def _is_abbreviation(gap: str, word: str, *, lower_follows: bool) -> bool:
    """True for the dot in "St. John", "J. R.", "approx. 5", "U.S. film"."""
    if not gap.startswith(".") or gap.strip() != ".":
        return False
    return len(word) == 1 or word in {"st", "mr", "mrs", "dr", "vs", "approx", "ca", "no", "nr", "inc", "prof", "bros", "jr", "sr", "mio", "mrd", "bzw", "max", "min"} or lower_follows


@lru_cache(maxsize=16384)
def analyse(text: str, tongue: str = "") -> Analysis:
    """
    The analysis of a text; equal texts share one. Linear in its length.

    Args:
        text: Any text.
        tongue: "german" or "french" to read it so; "" decides by its function words.
    """
    return Analysis(text, tongue)
