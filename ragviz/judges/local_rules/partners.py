"""What one clause of a sentence says of its subject is not said of the other clause's: "tariff S includes roaming; tariff M includes streaming"."""

from __future__ import annotations

from typing import NamedTuple

from ragviz.consistency.align import looks_verbal
from ragviz.consistency.analysis import Analysis
from ragviz.consistency.pairings import is_verb
from ragviz.judges.local_rules.scene import Scene
from ragviz.text.word_sets import word_set

_JOINS = word_set("and while whereas but")
_PRONOUNS = word_set("it he she they this that these those which who we you there")
_NO_SUBJECT = word_set("no not never no longer then also now still only later soon thus therefore both either")
"""What a stretch begins with that goes on with the subject before it."""
_MOST_WORDS = 8
"""Words of content of a claim that says one thing."""
_MOST_SUBJECT = 5
_FIRST = 2


class Stretch(NamedTuple):
    """A part of a sentence with a subject and a verb of its own."""

    subject: frozenset[str]
    said: frozenset[str]


def is_of_the_other_clause(scene: Scene) -> bool:
    """True for "tariff M includes roaming", where the sentence says it of tariff S, and of tariff M something else."""
    claim = scene.claim
    ours = _words(claim, 0, len(claim.lowers))
    if claim.cues or not 1 < len(ours) <= _MOST_WORDS:
        return False
    found = False
    for unit in scene.units:
        parts = stretches(unit)
        told = _told(ours, parts) if len(parts) >= _FIRST else None
        if told is None:
            if len(parts) < _FIRST and ours <= unit.all_keys:
                return False  # another sentence says it
            continue
        if not told:
            return False
        found = True
    return found


def _told(ours: frozenset[str], parts: list[Stretch]) -> bool | None:
    """True where only another stretch than that of the claim's subject says what the claim says; None where the claim is about none or several of them."""
    shared = frozenset().union(*(a.subject & b.subject for n, a in enumerate(parts) for b in parts[n + 1 :]))
    about = [n for n, part in enumerate(parts) if part.subject - shared and part.subject - shared <= ours]
    touched = [n for n, part in enumerate(parts) if (part.subject - shared) & ours]
    if len(about) != 1 or touched != about:
        return None
    here = parts[about[0]]
    there = frozenset().union(*(part.said for n, part in enumerate(parts) if n != about[0]))
    rest = ours - here.subject - shared
    apart = (rest & there) - here.said
    if not rest or not rest <= here.said | there:
        return None
    return bool(apart) and not (rest & here.said) - there


def stretches(text: Analysis) -> list[Stretch]:
    """The parts of a text of one sentence that have a subject and a verb; none where one begins with a pronoun, which may stand for anything before it."""
    if not text.lowers or text.sentence[-1] != text.sentence[0] or (text.n_clauses < _FIRST and _JOINS.isdisjoint(text.lowers)):
        return []
    begins = [0, *(i for i in range(1, len(text.lowers)) if text.clause[i] != text.clause[i - 1] or text.lowers[i] in _JOINS)]
    out: list[Stretch] = []
    for n, first in enumerate(begins):
        end = begins[n + 1] if n + 1 < len(begins) else len(text.lowers)
        start = first + (text.lowers[first] in _JOINS)
        if start < end and text.lowers[start] in _PRONOUNS:
            return []
        goes_on = start < end and text.lowers[start] in _NO_SUBJECT
        verb = (
            None
            if goes_on
            else next((i for i in range(start + 1, min(end, start + 1 + _MOST_SUBJECT)) if not _hyphened(text, i) and (is_verb(text, i) or (i + 1 < end and looks_verbal(text, i) and not is_verb(text, i + 1)))), None)
        )
        subject = _words(text, start, verb) if verb is not None else frozenset()
        if verb is None or not subject:
            if out:
                out[-1] = out[-1]._replace(said=out[-1].said | _words(text, start, end))
            continue
        out.append(Stretch(subject, _words(text, verb, end)))
    return out


def _hyphened(text: Analysis, i: int) -> bool:
    """True for the "time" of "part-time employees"."""
    return text.starts[i] > 0 and text.text[text.starts[i] - 1] in "-\u2010\u2011"


def _words(text: Analysis, first: int, end: int) -> frozenset[str]:
    return frozenset(text.keys[i] for i in range(first, end) if text.content[i] or text.detail[i] or text.is_name[i] or _hyphened(text, i) or (i + 1 < len(text.lowers) and _hyphened(text, i + 1)))
