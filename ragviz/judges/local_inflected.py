"""Words of a claim in another language as the passage inflects them: "Prüfungen" for "Prüfung", "Mitgliedsbeitrag" for "Beitrag der Mitglieder"."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from ragviz.consistency.gloss_table import in_english
from ragviz.consistency.lexicon import LIGHT, root
from ragviz.consistency.wordings import WORD
from ragviz.evidence.windows import IndexedPremise
from ragviz.text.tokens import STEMS, STOP_WORDS
from ragviz.text.units import unit_named

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
    lacking = [
        (match.start(), match.end(), lower) for match in WORD.finditer(claim) for lower in [match.group().lower()]
        if len(lower) >= _LEAST and lower.isalpha() and lower not in STOP_WORDS and STEMS[lower] not in premise.postings and _form(lower, tongue)
    ]
    if not lacking:
        return []
    found: list[tuple[int, int, str]] = []
    for unit in units:
        forms = _forms(premise.units[unit].span.of(premise.text), tongue)
        for start, end, lower in lacking:
            if (surface := forms.get(_form(lower, tongue))) is not None and all(start != done for done, _, _ in found):
                found.append((start, end, surface))
        if tongue in _COMPOUNDING:
            found += _compounds([word for word in lacking if all(word[0] != done for done, _, _ in found)], forms, tongue)
    return sorted(found)


def _form(lower: str, tongue: str) -> str:
    """
    What all forms of a word share: its root, or that of its English word ("cierra", "cerrado"); "" for words of grammar and of figures, which the
    checks compare.
    """
    english = in_english(lower, tongue)
    if english is None:
        return root(lower, tongue)
    is_figure = unit_named(english) is not None or not english.isalpha() or english[0].isupper()
    return "" if is_figure or english in LIGHT else f"={root(english)}"


@lru_cache(maxsize=4096)
def _forms(text: str, tongue: str) -> dict[str, str]:
    """Root of each longer word of a sentence → the word as it stands there, the first of several."""
    forms: dict[str, str] = {}
    for match in WORD.finditer(text):
        word = match.group()
        lower = word.lower()
        if len(lower) >= _LEAST and lower.isalpha() and lower not in STOP_WORDS and _form(lower, tongue):
            forms.setdefault(_form(lower, tongue), lower if match.start() == 0 and tongue != "german" else word)
    return forms


def _compounds(lacking: Sequence[tuple[int, int, str]], forms: dict[str, str], tongue: str) -> list[tuple[int, int, str]]:
    """Two words of the claim that the passage has in one."""
    out: list[tuple[int, int, str]] = []
    for start, end, last in lacking:
        for compound in forms.values():
            whole = compound.lower()
            part = root(last, tongue)
            at = whole.rfind(part)
            if len(part) < _LEAST_PART or at < _LEAST_PART - 1 or len(whole) - at - len(part) > 2:
                continue
            first = next(
                (
                    word
                    for word in lacking
                    if word[0] != start and whole.startswith(root(word[2], tongue)[: at - 1]) and len(root(word[2], tongue)) >= _LEAST_PART - 1
                ),
                None,
            )
            if first is not None:
                out += [(start, end, compound), (first[0], first[1], compound)]
                return out
    return out
