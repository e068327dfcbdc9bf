"""Words of a claim in another language as the passage inflects them: "Prüfungen" for "Prüfung", "Mitgliedsbeitrag" for "Beitrag der Mitglieder"."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache, partial
from typing import NamedTuple

from ragviz.consistency.gloss_table import in_english
from ragviz.consistency.lexicon import LIGHT, root
from ragviz.consistency.tongues import TONGUES
from ragviz.consistency.wordings import WORD
from ragviz.evidence.windows import IndexedPremise
from ragviz.text.tokens import STEMS, STOP_WORDS
from ragviz.text.units import unit_named
from ragviz.text.word_table import WordTable

_LEAST = 4
"""Letters of a word that may be inflected."""
_COMPOUNDING = frozenset({"german", "dutch"})
_LEAST_PART = 4
"""Letters of a part of a compound, its joint aside."""


def inflected(claim: str, premise: IndexedPremise, units: Sequence[int], tongue: str) -> list[tuple[int, int, str]]:
    """
    Words of the claim that the passage has in another form.

    Args:
        claim: The claim, in the language ``tongue``.
        premise: The passage.
        units: Its units in the order in which they are asked, the likeliest first.
        tongue: One of TONGUES (consistency/tongues.py).

    Returns:
        Start and end in the claim, and the word of the passage, in text order.
    """
    postings = premise.postings
    lacking = [word for word in _longer(claim, tongue) if word.stem not in postings]
    if not lacking:
        return []
    wanted = {word.form for word in lacking}
    found: list[tuple[int, int, str]] = []
    done: set[int] = set()
    for unit in units:
        forms = _forms(premise.units[unit].span.of(premise.text), tongue)
        for word in lacking if not forms.keys().isdisjoint(wanted) else ():
            if word.form in forms and word.start not in done:
                done.add(word.start)
                found.append((word.start, word.end, forms[word.form]))
        if tongue in _COMPOUNDING:
            joined = _compounds([word for word in lacking if word.start not in done], forms)
            done.update([start for start, _, _ in joined])
            found += joined
    return sorted(found)


class _Longer(NamedTuple):
    """A word that may stand in the passage in another form."""

    start: int
    end: int
    stem: str
    form: str
    """What all forms of it share, never ""."""
    root: str


@lru_cache(maxsize=8192)
def _longer(claim: str, tongue: str) -> tuple[_Longer, ...]:
    """Longer words of content of a claim; remembered, since it is asked about every passage."""
    forms = _FORM[tongue]
    return tuple([
        _Longer(match.start(), match.end(), STEMS[lower], forms[lower], root(lower, tongue))
        for match in WORD.finditer(claim) for lower in [match.group().lower()] if forms[lower]
    ])


def _form(lower: str, tongue: str) -> str:
    """
    What all forms of a word share: its root, or that of its English word ("cierra", "cerrado"); "" for short words and for words of grammar and of
    figures, which the checks compare.
    """
    if len(lower) < _LEAST or not lower.isalpha() or lower in STOP_WORDS:
        return ""
    english = in_english(lower, tongue)
    if english is None:
        return root(lower, tongue)
    is_figure = unit_named(english) is not None or not english.isalpha() or english[0].isupper()
    return "" if is_figure or english in LIGHT else f"={root(english)}"


_FORM = {tongue: WordTable(partial(_form, tongue=tongue)) for tongue in TONGUES}
"""The same by word, for each language."""


@lru_cache(maxsize=4096)
def _forms(text: str, tongue: str) -> dict[str, str]:
    """Root of each longer word of a sentence → the word as it stands there, the first of several."""
    form_of = _FORM[tongue]
    forms: dict[str, str] = {}
    words = WORD.findall(text)
    for n, word in enumerate(words):
        lower = word.lower()
        form = form_of[lower]
        if form and form not in forms:
            forms[form] = lower if n == 0 and tongue != "german" and text.startswith(word) else word
    return forms


def _compounds(lacking: Sequence[_Longer], forms: dict[str, str]) -> list[tuple[int, int, str]]:
    """Two words of the claim that the passage has in one."""
    out: list[tuple[int, int, str]] = []
    wholes = [(compound, compound.lower()) for compound in forms.values()] if len(lacking) > 1 else []
    for last in lacking:
        part = last.root
        if len(part) < _LEAST_PART:
            continue
        for compound, whole in wholes:
            at = whole.rfind(part)
            if at < _LEAST_PART - 1 or len(whole) - at - len(part) > 2:
                continue
            first = next(
                (word for word in lacking if word.start != last.start and whole.startswith(word.root[: at - 1]) and len(word.root) >= _LEAST_PART - 1), None
            )
            if first is not None:
                out += [(last.start, last.end, compound), (first.start, first.end, compound)]
                return out
    return out
