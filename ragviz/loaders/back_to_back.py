"""JSON values one behind the other, as when exports are put together into one file (``cat a.json b.json``)."""

from __future__ import annotations

from typing import Any, NamedTuple

from ragviz.errors import InputError
from ragviz.loaders.jsontext import ends_with_a_comma, salvage, values


class Several(NamedTuple):
    """More than one value."""

    elements: list[Any]
    """Elements of lists, and objects, in order; of a last list that is cut off those before the cut."""
    cut_at_line: int | None
    """Where the text is cut off; None where it is whole."""


def on_one_line(line: bytes) -> list[dict[str, Any]] | None:
    """Objects that stand back to back in one line, or before a comma; None where anything else is there."""
    try:
        found = [value for _, value in values(line.decode())]
    except (UnicodeDecodeError, InputError):
        return None
    return found if found and all(isinstance(value, dict) for value in found) else None


def several(text: str) -> Several | None:
    """The records of values written back to back; None where there is but one, whatever stands behind it."""
    found = list(values(text))
    whole = [value for _, value in found if isinstance(value, (dict, list))]
    if len(found) < 2 or not whole or not isinstance(found[0][1], (dict, list)):
        return None
    at, last = found[-1]
    rest = text[at:] if last is None else ""
    if len(whole) == 1 and isinstance(whole[0], list) and rest[:1] not in ("[", "{"):
        return None
    cut, used = salvage(rest, whole_records=True) if rest[:1] == "[" else (None, 0)
    elements = [element for value in (*whole, cut or []) for element in (value if isinstance(value, list) else [value])]
    return Several(elements, text.count("\n", 0, at) + 1 if rest and not ends_with_a_comma(rest[used:]) else None)
