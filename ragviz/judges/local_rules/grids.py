"""Tables of a passage, cell by cell, with the row and the column that a claim speaks of."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from ragviz.text.tokens import STEMS, STOP_WORDS

MAX_CHARS = 20_000
MAX_CELLS = 600
_LINE = re.compile(r"^[ \t]*\|(.+)\|[ \t]*$", re.MULTILINE)
_RULE = re.compile(r"[\s|:–-]*")
_WORD = re.compile(r"[^\W\d_]+|\d+(?:[.,]\d+)*")
_FIGURE = re.compile(r"\d+(?:[.,]\d+)*")
_LEGEND = re.compile(r"(?:^|[;,.\n(])\s*([^\W_][^=;,.\n|]{0,24}?|[✓✔✗✘×–-])\s*=\s*([^=;\n|]{1,80}?)(?=[;.)\n]|$)")


class Cell(NamedTuple):
    """One cell."""

    text: str
    start: int
    """Where it begins in the text."""
    words: frozenset[str]
    """Stems of its words and figures, words that say little left out."""
    figures: frozenset[str]


class Grid(NamedTuple):
    """A table: heads in the first row, labels in the first column."""

    heads: tuple[Cell, ...]
    rows: tuple[tuple[Cell, ...], ...]


class Grids(NamedTuple):
    """The tables of a text and what stands around them."""

    tables: tuple[Grid, ...]
    legend: Mapping[str, frozenset[str]]
    """What "yes" or "with distance" in a cell means, as the text explains it: stems."""
    outside: frozenset[str]
    """Figures of the text around the tables."""
    known: frozenset[str]
    """Stems of the whole text."""


class Place(NamedTuple):
    """A cell that a claim speaks of."""

    grid: Grid
    row: int
    column: int
    named_row: bool
    """The claim has all words of the row's label."""
    named_column: bool

    @property
    def cell(self) -> Cell:
        """The cell itself."""
        return self.grid.rows[self.row][self.column]


def figure(digits: str) -> str:
    """A figure without the commas of thousands and the noughts behind its point."""
    bare = digits.replace(",", "").rstrip(".")
    return bare.rstrip("0").rstrip(".") if "." in bare else bare


@lru_cache(maxsize=8192)
def words(text: str) -> frozenset[str]:
    """Stems of the words of content, and figures; a capital behind another word is a word too ("tariff S"), though "s" and "a" say little elsewhere."""
    found = [(m[0], m.start()) for m in _WORD.finditer(text)]
    return frozenset(
        figure(w) if w[0].isdigit() else STEMS[w.lower()]
        for w, at in found
        if (w.lower() not in STOP_WORDS and w.lower() != "per") or (at and w.isupper() and len(w) == 1 and w != "I" and text[at - 1] == " ")
    )


def figures(text: str) -> frozenset[str]:
    """The figures of a text."""
    return frozenset(figure(m) for m in _FIGURE.findall(text))


@lru_cache(maxsize=512)
def grids(text: str) -> Grids | None:
    """The tables of a text with two rows or more below their heads; None without any."""
    text = text[:MAX_CHARS]
    blocks: list[list[re.Match[str]]] = []
    end = -2
    for match in _LINE.finditer(text):
        if match.start() > end + 1 or not blocks:
            blocks.append([])
        blocks[-1].append(match)
        end = match.end()
    tables = [grid for block in blocks if (grid := _grid(block)) is not None]
    if not tables:
        return None
    around = _LINE.sub(" ", text)
    legend = {m[1].strip().casefold(): words(m[2]) for m in _LEGEND.finditer(around)}
    return Grids(tuple(tables), legend, figures(around), words(text))


def _grid(block: Sequence[re.Match[str]]) -> Grid | None:
    rows = [_cells(m) for m in block if not _RULE.fullmatch(m[1])]
    if len(rows) < 3 or len(rows[0]) < 2 or any(len(row) != len(rows[0]) for row in rows) or len(rows) * len(rows[0]) > MAX_CELLS:
        return None
    return Grid(rows[0], tuple(rows[1:]))


def _cells(match: re.Match[str]) -> tuple[Cell, ...]:
    cells, at = [], match.start(1)
    for piece in match[1].split("|"):
        bare = piece.strip().strip("*_` ")
        start = at + (piece.index(bare) if bare else 0)
        cells.append(Cell(bare, start, words(bare), figures(bare)))
        at += len(piece) + 1
    return tuple(cells)


def places(found: Grids, said: frozenset[str]) -> list[Place]:
    """
    The cells that a claim with these words speaks of; none where it does not tell.

    Either it has all words of one row's label and of no other, and most of the words that only one head has; or the same with rows and heads exchanged.
    """
    out = []
    for grid in found.tables:
        labels = [row[0].words for row in grid.rows]
        heads = [head.words for head in grid.heads[1:]]
        rows, columns = _named(labels, said), _named(heads, said)
        if len(rows) == 1 and len(columns) == 1:
            out.append(Place(grid, rows[0], columns[0] + 1, True, True))
        elif (len(rows) == 2 and sorted(rows) == sorted(columns) and labels[rows[0]] == heads[columns[0]]) or (
            len(rows) == 2 and {labels[r] for r in rows} == {heads[c] for c in columns}
        ):
            # A matrix of things against themselves.
            pairs = [Place(grid, r, c + 1, True, True) for r in rows for c in columns if labels[r] != heads[c]]
            if len({place.cell.text.casefold() for place in pairs}) == 1:
                out.append(pairs[0])
        elif len(rows) == 1 and not columns and (best := _nearest(heads, said)) is not None:
            out.append(Place(grid, rows[0], best + 1, True, False))
        elif len(columns) == 1 and not rows and (best := _nearest(labels, said)) is not None:
            out.append(Place(grid, best, columns[0] + 1, False, True))
    return out


def row_of(grid: Grid, said: frozenset[str]) -> int | None:
    """The one row whose label the words have."""
    rows = _named([row[0].words for row in grid.rows], said)
    return rows[0] if len(rows) == 1 else None


def column_of(grid: Grid, said: frozenset[str]) -> int | None:
    """The column whose head the words come nearest to."""
    best = _nearest([head.words for head in grid.heads[1:]], said)
    return None if best is None else best + 1


def _named(labels: Sequence[frozenset[str]], said: frozenset[str]) -> list[int]:
    """Labels all of whose words are said; "Basic" is not named where "Basic Plus" is."""
    found = [i for i, label in enumerate(labels) if label and label <= said]
    return [i for i in found if not any(labels[i] < labels[j] for j in found)]


def _nearest(labels: Sequence[frozenset[str]], said: frozenset[str]) -> int | None:
    shared = [len([w for w in label & said if sum(w in other for other in labels) == 1]) for label in labels]
    most = max(shared, default=0)
    return shared.index(most) if most and shared.count(most) == 1 else None
