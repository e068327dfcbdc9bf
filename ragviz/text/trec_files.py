"""TREC run and qrels files, line by line: any white space between columns, anything after the last one."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

from ragviz.errors import InputError
from ragviz.records import LoadIssue

RUN_FORM = "query Q0 document rank score tag, separated by white space"
QRELS_FORM = "query 0 document level, separated by white space"
_HEADINGS = ("query-id", "query_id")
"""What the first line of BEIR's labels begins with."""


def read_trec_run(lines: Iterable[str | bytes], *, filename: str = "run", issues: list[LoadIssue] | None = None) -> dict[str, dict[str, float]]:
    """
    Scores by query and document.

    The rank column is not read: trec_eval orders by score. A document named twice for one query keeps its better score.

    Args:
        lines: The file, opened as text or as bytes, or its lines.
        filename: For messages.
        issues: Receives one remark per repeated document.

    Raises:
        InputError: A line is too short or its score is no number; the message starts with file:line.
    """
    run: dict[str, dict[str, float]] = {}
    for where, fields in _rows(lines, filename):
        if len(fields) < 5:
            swapped = "; these look like relevance labels, which come second" if len(fields) == 4 and fields[3].lstrip("-").isdigit() else ""
            raise InputError(f"{where}: a run line has at least 5 columns, this one has {len(fields)}", fix=RUN_FORM + swapped)
        query, document = fields[0], fields[2]
        score = _score(fields[4], where)
        ranking = run.setdefault(query, {})
        if document in ranking:
            if issues is not None:
                message = f"document {document} is there twice for query {query}"
                issues.append(LoadIssue(where=where, message=message, fix="its better score counts", rejected=False))
            score = max(score, ranking[document])
        ranking[document] = score
    return run


def read_qrels(lines: Iterable[str | bytes], *, filename: str = "qrels", issues: list[LoadIssue] | None = None) -> dict[str, dict[str, int]]:
    """
    Relevance levels by query and document; BEIR's three columns (query, document, level, with a line of headings) are read too. Where a document is judged
    twice for one query, the last level counts and is remarked on.

    Raises:
        InputError: A line is too short or its level is no whole number; the message starts with file:line.
    """
    qrels: dict[str, dict[str, int]] = {}
    width = 0
    for where, given in _rows(lines, filename):
        fields = [part.strip() for part in given[0].split(",")] if len(given) == 1 and given[0].count(",") == 2 else given
        if not width and fields[0] in _HEADINGS:
            continue
        # The first line says which form the file has: a line that lost a column is not of the other one.
        width = width or (3 if len(fields) == 3 and fields[2].lstrip("-").replace(".", "", 1).isdigit() else 4)
        if len(fields) < width or (width == 3 and len(fields) > 3):
            raise InputError(f"{where}: a qrels line has {width} columns, this one has {len(fields)}", fix=QRELS_FORM)
        query, document = fields[0], fields[width - 2]
        level = _level(fields[width - 1], where)
        levels = qrels.setdefault(query, {})
        if issues is not None and levels.get(document, level) != level:
            message = f"document {document} has two levels for query {query}: {levels[document]} and {level}"
            issues.append(LoadIssue(where=where, message=message, fix="the last one counts", rejected=False))
        levels[document] = level
    return qrels


def _rows(lines: Iterable[str | bytes], filename: str) -> Iterator[tuple[str, list[str]]]:
    """Place and columns of each line that is not blank."""
    for number, line in enumerate(lines, start=1):
        where = f"{filename}:{number}"
        if isinstance(line, bytes):
            try:
                text = line.decode("utf-8")
            except UnicodeDecodeError as exc:
                raise InputError(f"{where}: not UTF-8 text", fix=f"a text file of lines: {RUN_FORM}") from exc
        else:
            text = line
        fields = text.lstrip("\ufeff").split()
        if fields:
            yield where, fields


def _score(word: str, where: str) -> float:
    try:
        score = float(word)
    except ValueError:
        score = math.nan
    if math.isnan(score):
        raise InputError(f"{where}: the score {word!r} is not a number", fix=RUN_FORM)
    return score


def _level(word: str, where: str) -> int:
    try:
        level = float(word)
    except ValueError:
        level = math.nan
    if not level.is_integer():
        raise InputError(f"{where}: the relevance level {word!r} is not a whole number", fix=QRELS_FORM)
    return int(level)
