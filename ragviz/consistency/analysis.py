"""Everything the checks need to know about one text, found once and kept."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from decimal import Decimal
from functools import lru_cache
from itertools import compress
from typing import Any, NamedTuple

from ragviz.consistency.clauses import OPENERS, cut
from ragviz.consistency.lexicon import LIGHT, Entry, entries
from ragviz.consistency.negation import Cue, cues, parities
from ragviz.consistency.plain import RARE, in_english, plain
from ragviz.consistency.tongues import language
from ragviz.text.date_mention import DateMention
from ragviz.text.dates import DATE_WORDS, dates
from ragviz.text.lexical import stem_weight
from ragviz.text.names import GIVEN, Name, NameKind, names
from ragviz.text.quantities import NUMBER_WORDS, quantities
from ragviz.text.quantity import Quantity, QuantityKind, outside
from ragviz.text.word_table import WordTable

_DIGIT = re.compile(r"[\d½⅓⅔¼¾]")
_PRONOUNS = frozenset({"it", "its", "he", "she", "they", "his", "her", "their", "this", "these", "er", "sie", "es", "il", "elle", "ils", "elles"})
_SUBJECT_PRONOUNS = frozenset({"it", "he", "she", "they"})
_DETERMINERS = frozenset({"the", "this", "that"})
_HYPHENS = frozenset({"-", "\u2010", "\u2011"})
MAX_LANGUAGE = 400
MAX_DETAILS = 60
"""Numbers, dates and names of one text that are compared; a window of three sentences has a dozen."""
MAX_PLACES = 20
"""Places of one word that are looked at."""


_IS_CODE = WordTable(lambda word: word[0].isalpha() and any(c.isdigit() for c in word))


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
        "_index", "all_keys", "bases", "chunks", "clause", "clause_keys", "commas", "content", "context", "cues", "dates", "detail", "ends", "firsts", "folds", "is_name", "keys", "labels", "letters", "lowers", "modals", "n_clauses", "name_keys", "names", "open_subject",
        "parity", "parts", "plain", "qualifiers", "quantifiers", "quantities", "reports", "roots", "said", "sentence", "sides", "starts", "text", "tongue", "value",
    )

    roots: Sequence[str]

    def __init__(self, text: str, tongue: str = "") -> None:
        self.plain = plain(text)
        self.text = self.plain.text
        self.tongue = tongue
        # Filled by whoever needs them first.
        self._index: dict[str, list[int]] | None = None
        self.qualifiers: list[Any] | None = None
        self.quantifiers: list[Any] | None = None
        self.reports: list[int] | None = None
        self.modals: list[Any] | None = None
        self.folds: dict[str, list[int]] | None = None
        self.bases: frozenset[str] | None = None
        self.chunks: dict[int, list[int]] = {}
        self.said: list[frozenset[str]] | None = None
        self.parts: list[Any] | None = None
        self.sides: tuple[dict[tuple[int, int], list[int]], dict[int, list[int]]] | None = None
        negates, dated, counted = self._split(text)
        self._details(dated=dated, counted=counted)
        self._clauses(negates=negates)

    def _split(self, written: str) -> tuple[bool, bool, bool]:
        """Words, clauses and what the lexicon knows of each word; whether some word negates, begins a date, is part of a number."""
        self._cut()
        lowers = self.lowers
        tongue = self.tongue = self.tongue or language(lowers if len(lowers) < MAX_LANGUAGE else lowers[:MAX_LANGUAGE])
        if tongue:
            self.plain = in_english(self.plain, written, tongue)
            self.text = self.plain.text
            self._cut()
            lowers = self.lowers
        known = self._known(tongue) if tongue else entries(lowers)
        self.roots, keys, content, negates, dated, counted = zip(*known, strict=True) if lowers else ((), (), (), (), (), ())
        self.keys, self.content = list(keys), list(content)
        for i in self.letters:
            self.keys[i] = self.text[self.starts[i] : self.ends[i]]
            self.content[i] = True
        return True in negates, True in dated, True in counted

    def _cut(self) -> None:
        self.lowers, self.starts, self.ends, self.commas, self.clause, self.firsts, self.sentence, letters = cut(self.text, caseless=self.plain.caseless)
        self.n_clauses = len(self.firsts)
        self.letters = frozenset(letters)

    def _known(self, tongue: str) -> list[Entry]:
        """Entries of the words: what was put in is English, the others are of their own language."""
        english = self.plain.english
        found: list[Entry] = []
        at = 0
        for start, ours, theirs in zip(self.starts, entries(self.lowers), entries(self.lowers, tongue), strict=True):
            while at < len(english) and english[at][1] <= start:
                at += 1
            found.append(ours if at < len(english) and english[at][0] <= start else theirs)
        return found

    def _details(self, *, dated: bool, counted: bool) -> None:
        text = self.text
        digits = _DIGIT.search(text) is not None
        found_dates = dates(text, in_words=dated) if digits or not DATE_WORDS.isdisjoint(self.lowers) else []
        found_names = names(text)
        n = len(self.lowers)
        self.value, self.detail, self.is_name = [False] * n, [False] * n, [False] * n
        self.dates = self._place(found_dates, mark=True) if found_dates else []
        some = digits or bool(self.tongue) or not NUMBER_WORDS.isdisjoint(self.lowers)
        amounts = quantities(text, foreign=True if self.tongue else None, in_words=counted or not text.isascii()) if some else []
        taken = [d.span for d in found_dates] + [n.span for n in found_names if n.kind is NameKind.IDENTIFIER] if amounts else []
        self.quantities = self._place(outside(amounts, sorted(taken)) if taken else amounts, mark=True) if amounts else []
        self.names = self._place(found_names, mark=False) if found_names else []
        self.labels: dict[int, dict[str, Decimal | None]] = {}
        for d in self.quantities:
            if isinstance(d.record, Quantity) and d.record.kind is QuantityKind.LABEL and self._begins(d):
                self.labels.setdefault(d.clause, {})[d.record.noun] = d.record.low
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

    def _clauses(self, *, negates: bool) -> None:
        lowers, clause, keys, firsts = self.lowers, self.clause, self.keys, self.firsts
        content = self.content
        for i in compress(range(len(keys)), self.value) if True in self.value else ():
            content[i] = i in self.letters
        found: list[Cue] = cues(lowers, clause, content, self.commas) if negates else []
        if negates and "free" in lowers:
            found = sorted([*found, *self._hyphened()], key=lambda cue: cue.at)
        self.parity = parities(len(lowers), found) if found else [0] * len(lowers)
        self.cues = found[:MAX_PLACES]
        if self.n_clauses == 1:
            self.all_keys = frozenset(compress(keys, content))
            self.clause_keys = [self.all_keys]
        else:
            self.clause_keys = [frozenset(compress(keys[begin:end], content[begin:end])) for begin, end in zip(firsts, [*firsts[1:], len(keys)], strict=False)]
            self.all_keys = frozenset().union(*self.clause_keys)
        self.name_keys = (
            frozenset([keys[i] for name in self.names for i in range(name.first, name.last + 1) if self.is_name[i] and content[i]])
            if self.names
            else frozenset()
        )
        self._contexts()

    def _hyphened(self) -> list[Cue]:
        """"Interest-free" denies the word in front of it, as "free of interest" and "without interest" do."""
        return [
            Cue(i, i - 1, i) for i in range(1, len(self.lowers))
            if self.lowers[i] == "free" and self.text[self.ends[i - 1] : self.starts[i]] in _HYPHENS and not self.lowers[i - 1].isdecimal()
        ]

    @property
    def index(self) -> Mapping[str, Sequence[int]]:
        """Places of each key; made where it is first asked for."""
        if self._index is None:
            index = self._index = {}
            for i, key in enumerate(self.keys):
                if key in index:
                    index[key].append(i)
                else:
                    index[key] = [i]
        return self._index

    def _contexts(self) -> None:
        """Each clause with the subject it inherits: from its sentence's beginning, or from the sentence before a pronoun."""
        late = (
            {self.clause[i] for i in range(1, len(self.lowers)) if self.commas[i - 1] and (self.lowers[i] in _PRONOUNS or self.lowers[i] == "the")}
            if True in self.commas
            else ()
        )
        self.open_subject: list[bool] = []
        if self.n_clauses == 1:
            self.context = self.clause_keys
            self.open_subject = [bool(late) or self._has_pronoun(0, 0) or self._is_determined(0)]
            return
        context: list[frozenset[str]] = []
        previous: frozenset[str] = frozenset()
        head: frozenset[str] = frozenset()
        head_open = opened = False
        for c, first in enumerate(self.firsts):
            word = self.lowers[first]
            begins = opened or c == 0 or self.sentence[c] != self.sentence[c - 1]
            opened = word in OPENERS and begins
            if begins:
                pronoun = self._has_pronoun(first, c)
                inherited = previous | head if pronoun else frozenset()
                head = inherited.union(self._subject(first, c))
                head_open = pronoun or self._is_determined(first)
                previous = frozenset()
            keys = self.clause_keys[c]
            context.append(keys if head <= keys else keys | head)
            previous = previous | keys if previous else keys
            self.open_subject.append(head_open or word in _PRONOUNS or c in late)
        self.context = context

    def first_of(self, clause: int) -> int:
        """The first token of a clause."""
        return self.firsts[clause] if clause < len(self.firsts) else 0

    def is_label(self, i: int) -> bool:
        """True for a word that reads as a date or number but names a thing: "Saturday delivery", "the Q4 prints"."""
        follows = i + 1 < len(self.lowers) and self.clause[i + 1] == self.clause[i] and self.content[i + 1] and not self.detail[i + 1]
        return bool(follows) and (self._is_code(i) or self.lowers[i] in _WEEKDAYS)

    def _is_code(self, i: int) -> bool:
        """True for letters and digits in one word, letters first: P2, Q4, MX-500."""
        return i < len(self.lowers) and _IS_CODE[self.lowers[i]]

    def _has_pronoun(self, first: int, clause: int) -> bool:
        """True where a clause begins with a pronoun, if need be after a phrase: "In 2023 it had …"."""
        lowers = self.lowers
        if lowers[first] in _PRONOUNS:
            return True
        if _SUBJECT_PRONOUNS.isdisjoint(lowers):
            return False
        for i in range(first, min(first + 6, len(lowers))):
            if self.clause[i] != clause or self.content[i]:
                return False
            if lowers[i] in _SUBJECT_PRONOUNS:
                return True
        return False

    def _is_determined(self, first: int) -> bool:
        """True for a clause whose subject was spoken of before: "the pump …", and not "the P2 …"."""
        return self.lowers[first] in _DETERMINERS and not self._is_code(first + 1)

    def _subject(self, first: int, clause: int) -> list[str]:
        return [self.keys[i] for i in range(first, min(first + 12, len(self.lowers))) if self.content[i] and self.clause[i] == clause][:4]


@lru_cache(maxsize=16384)
def analyse(text: str, tongue: str = "") -> Analysis:
    """
    The analysis of a text; equal texts share one. Linear in its length.

    Args:
        text: Any text.
        tongue: "german" or "french" to read it so; "" decides by its function words.
    """
    return Analysis(text, tongue)
