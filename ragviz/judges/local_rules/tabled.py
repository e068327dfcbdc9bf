"""What a table says of a claim: the value of its row and column, its yes or no, and which row has the least or most."""

from __future__ import annotations

import re
from typing import NamedTuple

from ragviz.consistency import Findings
from ragviz.consistency.analysis import Analysis
from ragviz.judges.local_rules.grids import Cell, Grid, Grids, Place, column_of, figure, grids, places, row_of, words
from ragviz.records import Clash, ClashKind, Span
from ragviz.text.word_sets import word_set

_FIGURE = re.compile(r"\d+(?:[.,]\d+)*")
_COMPARES = word_set(
    "more less than between difference total together both save saves cheaper dearer over under above below except unless if when times twice half "
    "not each sum average"
)
_YES, _NO = (
    frozenset({"yes", "✓", "✔", "ja", "oui", "included", "true"}),
    frozenset({"no", "✗", "✘", "×", "–", "-", "nein", "non", "not included", "false", "none"}),
)
_PERIODS = word_set("hour day night week month quarter year hourly daily weekly monthly yearly annual annually annum")
_BOUNDS = re.compile(r"\b(?:max|maximum|min|minimum|up to|limit|from|at least|at most|over|under|above|below|about|ca)\b|[<>≤≥~]", re.IGNORECASE)
"""Heads and cells that give a bound: five users are no other value than at most twenty."""
_LEAST = re.compile(r"\b(?:lowest|cheapest|smallest|fewest|shortest|least(?: expensive)?|lightest)\b", re.IGNORECASE)
_MOST = re.compile(r"\b(?:highest|dearest|largest|biggest|greatest|longest|most(?: expensive)?|heaviest)\b", re.IGNORECASE)
_PRICED = re.compile(r"\b(?:cheapest|dearest|(?:most|least) expensive)\b", re.IGNORECASE)
_MONEY = re.compile(r"[€$£¥]|\b(?:EUR|USD|GBP|CHF|prices?|costs?|fees?|rates?|charges?)\b|\bp/|\bct/", re.IGNORECASE)
_CURRENCY = re.compile(r"[€$£¥]|\b(?:EUR|USD|GBP|CHF)\b")
_AMONG = re.compile(r"\b(?:one of|among|second|third|next|nearly|almost|not)\b|n['’]t\b", re.IGNORECASE)
_SAID_OF_ALL = words("has have cost costs price priced is are tariff plan option offer room one model per")
"""Words that say no more than the table does."""
_EVERY = re.compile(r"^(?:all|every|each|both)\b", re.IGNORECASE)
_NEVER_A_FIGURE = frozenset({"none", "no", "unlimited", "free", "not available", "not included", "no limit", "–", "-", "✗", "✘", "×"})
"""Cells that are no value of another row."""
_MEASURED = re.compile(r"(?<![\d.,])\d+(?:[.,]\d+)*[ \u00a0-]?(%|°C|[^\W\d_]+)")
_HAVE = words("has have includes include comes offers offer gives give get gets provides with customers users you")


class Tabled(NamedTuple):
    """What a table says."""

    says: bool
    full: bool
    findings: Findings | None


def by_table(text: str, claim: Analysis, premise: str) -> Tabled | None:
    """What the tables of a passage say of a claim; None where they do not decide."""
    if premise.count("|") < 6 or (found := grids(premise)) is None:
        return None
    said = words(text)
    told = _by_superlative(text, said, found)
    if told is not None:
        return told
    if (told := _by_all(text, said, claim, found)) is not None:
        return told
    spots = places(found, said) or _priced(text, said, found) or _measured(text, said, found)
    if len(spots) != 1:
        return None
    spot = spots[0]
    return _by_word(text, said, claim, spot, found) or _by_value(text, said, claim, spot, found)


def _priced(text: str, said: frozenset[str], found: Grids) -> list[Place]:
    """The price of the row that a claim names, where it names no column: "Team costs €5" of a table with one column of prices."""
    out = []
    for grid in found.tables if _CURRENCY.search(text) is not None else ():
        row = row_of(grid, said)
        columns = [n for n in range(1, len(grid.heads)) if all(_CURRENCY.search(cells[n].text) for cells in grid.rows)]
        if row is not None and len(columns) == 1:
            out.append(Place(grid, row, columns[0], True, False))
    return out


def _measured(text: str, said: frozenset[str], found: Grids) -> list[Place]:
    """The cell in the unit of the claim's value: "plan B includes 20 GB" of a table with one column of GB."""
    units = {m[1].lower() for m in _MEASURED.finditer(text)}
    out = []
    for grid in found.tables if len(units) == 1 else ():
        row = row_of(grid, said)
        columns = [n for n in range(1, len(grid.heads)) if sum(not units.isdisjoint(_units(cells[n].text)) for cells in grid.rows) > 1]
        if row is not None and len(columns) == 1:
            out.append(Place(grid, row, columns[0], True, False))
    return out


def _units(text: str) -> set[str]:
    return {m[1].lower() for m in _MEASURED.finditer(text)}


def _by_all(text: str, said: frozenset[str], claim: Analysis, found: Grids) -> Tabled | None:
    """"All plans have a minimum term" of a table in whose column "minimum term" a cell says "none"."""
    if _EVERY.match(text) is None or claim.cues or _FIGURE.search(text) is not None or not _COMPARES.isdisjoint(claim.lowers):
        return None
    for grid in found.tables:
        named = [n for n, head in enumerate(grid.heads) if n and head.words and head.words <= said]
        if len(named) != 1 or row_of(grid, said) is not None:
            continue
        without = [cells for cells in grid.rows if cells[named[0]].text.casefold() in _NO]
        if without:
            first = _EVERY.match(text)
            assert first is not None
            return _denied(text, Span(*first.span()), cell=without[0][named[0]], kind=ClashKind.QUANTIFIER)
    return None


def _by_value(text: str, said: frozenset[str], claim: Analysis, spot: Place, found: Grids) -> Tabled | None:
    label, head = spot.grid.rows[spot.row][0], spot.grid.heads[spot.column]
    given = [m for m in _FIGURE.finditer(text) if figure(m[0]) not in label.figures | head.figures]
    if len(given) != 1 or claim.cues or not _COMPARES.isdisjoint(claim.lowers):
        return None
    value = figure(given[0][0])
    if not spot.cell.figures:
        taken = any(value in cells[spot.column].figures for cells in spot.grid.rows)
        is_value = spot.cell.text.casefold() in _NEVER_A_FIGURE and spot.named_row and taken
        return _denied(text, Span(*given[0].span()), cell=spot.cell, kind=ClashKind.NUMBER) if is_value else None
    periods = {w for w in map(str.lower, re.findall(r"[^\W\d_]+", head.text)) if w in _PERIODS}
    if periods and any(w in _PERIODS and periods.isdisjoint({w, f"{w}ly", w.removesuffix("ly")}) for w in claim.lowers):
        return None
    if value in spot.cell.figures:
        return Tabled(True, said - {value} <= found.known | _SAID_OF_ALL, None)
    # Another figure of the row or column was taken; any other only where it stands nowhere in the text around.
    if value in found.outside or len(spot.cell.figures) > 1 or _BOUNDS.search(f"{head.text} {spot.cell.text} {label.text}") is not None:
        return None
    return _denied(text, Span(*given[0].span()), cell=spot.cell, kind=ClashKind.NUMBER)


def _by_word(text: str, said: frozenset[str], claim: Analysis, spot: Place, found: Grids) -> Tabled | None:
    """A cell that says yes or no, or what the text explains below."""
    cell = spot.cell.text.casefold()
    means = found.legend.get(cell)
    if cell not in _YES and cell not in _NO and means is None:
        return None
    label, head = spot.grid.rows[spot.row][0], spot.grid.heads[spot.column]
    if not {figure(m) for m in _FIGURE.findall(text)} <= label.figures | head.figures | (means or frozenset()):
        return None
    rest = said - label.words - head.words
    denied = len(claim.cues) % 2 == 1
    if means is not None:
        if means and means <= said:
            return _denied_cell(text, spot) if denied and cell in _YES else Tabled(True, not denied, None) if not denied else None
        others = [other for key, other in found.legend.items() if key != cell and other - means and other - means <= rest]
        if others and not (means - frozenset().union(*others)) & rest:
            return None if denied and cell in _NO else _denied_cell(text, spot) if not denied else None
        return None
    if not _COMPARES.isdisjoint(set(claim.lowers) - {"not", "both", "together"}) or not spot.named_row or not spot.named_column:
        return None
    if denied is (cell in _YES):
        return _denied_cell(text, spot)
    return Tabled(True, rest <= _SAID_OF_ALL | _HAVE and not found.outside, None)


def _denied_cell(text: str, spot: Place) -> Tabled:
    bare = text.rstrip(" .!")
    return _denied(text, Span(0, len(bare)), cell=spot.cell, kind=ClashKind.NEGATION)


def _by_superlative(text: str, said: frozenset[str], found: Grids) -> Tabled | None:
    """"River Fix 24 has the lowest standing charge" of a table in which another row has."""
    least, most = _LEAST.search(text), _MOST.search(text)
    if (
        (least is None) is (most is None)
        or _AMONG.search(text) is not None
        or _FIGURE.search(" ".join(w for w in text.split() if figure(w.strip(".,;:!")) not in said)) is not None
    ):
        return None
    word = least or most
    assert word is not None
    spots = [(grid, row, column) for grid in found.tables if (row := row_of(grid, said)) is not None and (column := _compared(grid, text, said)) is not None]
    if len(spots) != 1:
        return None
    grid, row, column = spots[0]
    values = [_number(cells[column].figures) for cells in grid.rows]
    own = values[row]
    known = [value for value in values if value is not None]
    if own is None or len(known) < len(values):
        return None
    if own == (min(known) if least is not None else max(known)):
        lacking = said - grid.rows[row][0].words - grid.heads[column].words - words(word[0]) - _SAID_OF_ALL - found.known
        return Tabled(True, not lacking, None)
    cell = grid.rows[row][column]
    return _denied(text, Span(*word.span()), cell=cell, kind=ClashKind.NUMBER)


def _compared(grid: Grid, text: str, said: frozenset[str]) -> int | None:
    """The column that is compared: the one whose head is named, or the only one with prices where something is cheap or dear."""
    named = column_of(grid, said)
    if named is not None or _PRICED.search(text) is None:
        return named
    priced = [n for n in range(1, len(grid.heads)) if _MONEY.search(grid.heads[n].text) or all(_MONEY.search(row[n].text) for row in grid.rows)]
    return priced[0] if len(priced) == 1 else None


def _number(found: frozenset[str]) -> float | None:
    return float(next(iter(found))) if len(found) == 1 else None


def _denied(text: str, ours: Span, *, cell: Cell, kind: ClashKind) -> Tabled:
    clash = Clash(
        kind=kind, hypothesis_span=ours, premise_span=Span(cell.start, cell.start + len(cell.text)), hypothesis_value=ours.of(text), premise_value=cell.text
    )
    return Tabled(False, True, Findings(clashes=(clash,), alignment=1.0, coverage=1.0, certain=True))
