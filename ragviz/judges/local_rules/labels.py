"""Lists and tables with labels: what stands under "E15:" is not said of E14, and what stands in the column "Team" not of "Free"."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from ragviz.judges.local_rules.scene import Scene
from ragviz.text.tokens import STOP_WORDS, tokens

MAX_CHARS = 20_000
MAX_LABELS = 60
_LABEL = re.compile(r"(?:(?<=\n)|(?<=[.!?;] )|(?<=^))[ \t>*•·-]*([^\W_][^.:;!?|\n()]{0,38}?)[ \t]?(?:\([^()\n]{1,40}\))?[ \t*]*:[ \t\n]", re.MULTILINE)
_ROW = re.compile(r"^[ \t]*\|(.+)\|[ \t]*$", re.MULTILINE)
_RULE = re.compile(r"[\s|:–-]*")
_NO_LABEL = frozenset({"q", "a", "question", "answer", "note", "notes", "important", "tip", "warning", "example", "from", "to", "subject", "re", "hint", "attention", "frage", "antwort", "hinweis"})
SHORT = 2
"""Letters of words that are units as a rule."""
FEW = 3
"""Words of content a label has at most."""


class Block(NamedTuple):
    """What stands under one label."""

    label: frozenset[str]
    """Stems that no other label of the text has."""
    body: frozenset[str]


class Labelled(NamedTuple):
    """A text with labels."""

    blocks: tuple[Block, ...]
    outside: frozenset[str]
    """Stems that stand under no label, or in front of the rows of a table."""


def stands_under_another(scene: Scene) -> bool:
    """True when the claim names one label, and more of what else it says stands only under others than stands under it."""
    seen = scene.seen
    found = labelled(seen.premise.indexed.text[:MAX_CHARS])
    if found is None:
        return False
    stems = {word.stem for word in seen.claim.words}
    named = [block for block in found.blocks if block.label and block.label <= stems]
    if len(named) != 1:
        return False
    own = named[0]
    rest = [
        word for word in seen.claim.distinct if word.stem not in own.label and word.stem not in found.outside and (word.is_figure or len(word.stem) > SHORT)
    ]
    others = frozenset().union(*(block.body | block.label for block in found.blocks if block is not own))
    apart = [word for word in rest if word.stem in others and word.stem not in own.body]
    inside = [word for word in rest if word.stem in own.body]
    return bool(apart) and (any(word.is_figure for word in apart) or sum(word.weight for word in inside) < sum(word.weight for word in apart))


@lru_cache(maxsize=2048)
def labelled(text: str) -> Labelled | None:
    """The blocks of a text with two labels or more; None for running text."""
    if ":" not in text and "|" not in text:
        return None
    return _table(text) or _list(text)


def _list(text: str) -> Labelled | None:
    marks = [m for m in _LABEL.finditer(text) if 1 <= len(_stems(m[1])) <= FEW and m[1].strip().lower() not in _NO_LABEL][:MAX_LABELS]
    if len(marks) < 2:
        return None
    ends = [m.start() for m in marks[1:]] + [_end(text, marks[-1].end())]
    return _apart(
        [(_stems(m[1]), _stems(text[m.end() : end])) for m, end in zip(marks, ends, strict=True)], _stems(text[: marks[0].start()]) | _stems(text[ends[-1] :])
    )


def _end(text: str, at: int) -> int:
    """Where the last block ends: with its line, where the labels stand in lines."""
    line = text.find("\n", at)
    return len(text) if line < 0 else line


def _table(text: str) -> Labelled | None:
    rows = [[cell.strip() for cell in m[1].split("|")] for m in _ROW.finditer(text) if not _RULE.fullmatch(m[1])][:MAX_LABELS]
    if len(rows) < 2 or len(rows[0]) < 2 or any(len(row) != len(rows[0]) for row in rows):
        return None
    columns = [(_stems(head), frozenset().union(*(_stems(row[n]) for row in rows[1:]))) for n, head in enumerate(rows[0]) if n]
    return _apart(columns, frozenset().union(_stems(_ROW.sub(" ", text)), *(_stems(row[0]) for row in rows)))


def _apart(blocks: list[tuple[frozenset[str], frozenset[str]]], outside: frozenset[str]) -> Labelled:
    counts: dict[str, int] = {}
    for label, _ in blocks:
        for stem in label:
            counts[stem] = counts.get(stem, 0) + 1
    return Labelled(tuple(Block(frozenset(s for s in label if counts[s] == 1), body) for label, body in blocks), outside)


def _stems(text: str) -> frozenset[str]:
    return frozenset(t.stem for t in tokens(text) if t.lower not in STOP_WORDS)
