"""Scores that a record brings: an object by name, a list of entries, or columns of their own; what is no score is a tag."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from ragviz.loaders.building import is_score, score_of, tags_of
from ragviz.loaders.cells import is_null, structure, text_of, words
from ragviz.loaders.fields import Record
from ragviz.records import ImportedScore

_NAME = ("name", "metric", "metric_name", "key")
_VALUE = ("value", "score", "result")
_REASON = ("reason", "comment", "explanation", "rationale")


def scores_in(given: Any) -> list[ImportedScore]:
    """
    Scores of a column ``scores``: {name: value}, {name: {value, reason}}, or a list of {name, value, label, reason, made_with} as our own records have it.

    Entries of a list without a name are left out: nobody could say what they measure.
    """
    if isinstance(given, Mapping):
        return [_entry({"name": name, **value}) if isinstance(value, Mapping) else score_of(str(name), value) for name, value in given.items()]
    if isinstance(given, list):
        return [_entry(row) for row in given if isinstance(row, Mapping) and _first(row, _NAME) is not None]
    return []


def _entry(row: Mapping[str, Any]) -> ImportedScore:
    found = score_of(text_of(_first(row, _NAME)), _first(row, _VALUE), label=row.get("label"), reason=_first(row, _REASON))
    made = row.get("made_with")
    return msgspec.structs.replace(found, made_with={str(k): text_of(v) for k, v in made.items()}) if isinstance(made, Mapping) and made else found


def _first(row: Mapping[str, Any], names: tuple[str, ...]) -> Any:
    return next((row[name] for name in names if not is_null(row.get(name)) and words(row[name])), None)


def rest_of(record: Record) -> tuple[list[ImportedScore], dict[str, str]]:
    """Columns nobody asked for: numbers are scores, texts are tags."""
    scores = scores_in(structure(record.pick("scores")))
    tags: dict[str, Any] = {}
    for name in ("tags", "metadata", "additional_metadata"):
        value = structure(record.pick(name))
        if isinstance(value, Mapping):
            tags.update(value)
        elif isinstance(value, list):
            tags[name] = ", ".join(map(text_of, value))
        elif value is not None:
            tags[name] = value
    for name, value in record.rest().items():
        if is_score(value):
            scores.append(score_of(name, value))
        elif is_null(value) and _looks_like_metric(name):
            scores.append(score_of(name, None))
        else:
            tags[name] = value
    return scores, tags_of(tags)


def _looks_like_metric(name: str) -> bool:
    """True for empty columns whose name is a metric's: the tool failed there, which must be seen."""
    lowered = name.lower()
    return any(
        word in lowered
        for word in ("score", "faithful", "relevan", "precision", "recall", "correctness", "similarity", "accuracy", "ground", "hallucinat", "f1")
    )
