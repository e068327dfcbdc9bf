"""Values as tables hold them: lists and objects inside a cell, written as JSON, Python or numpy would."""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Mapping
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any

from ragviz.errors import InputError
from ragviz.loaders.jsontext import parse, scrub
from ragviz.loaders.limits import CELL_LITERAL_CHARS
from ragviz.loaders.printed import is_object, printed
from ragviz.records.codec import clean

_NULLS = frozenset({"", "nan", "none", "null", "na", "n/a", "<na>", "nat", "#n/a"})
_QUOTED = r"""(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")"""
_STRING = re.compile(_QUOTED, re.DOTALL)
_HELD = re.compile("\ue000(\\d+)\ue001")
_DATETIME = re.compile(r"\bdatetime\.(?:datetime|date)\(([^()]*(?:\([^()]*\)[^()]*)*)\)")
_OTHER_CALLS = (
    (re.compile(r"\bdatetime\.\w+(?:\.\w+)?(?:\((?:[^()]|\([^()]*\))*\))?"), "None"),
    (re.compile(r"\b(?:Timestamp|UUID|Decimal|(?:np|numpy)\.str_|\w*Path|ZoneInfo)\((\ue000\d+\ue001)[^()]*\)"), r"\1"),
    (re.compile(r"\b(?:np|numpy)\.(?:float|int|uint|bool)\w*\(([^()]*)\)"), r"\1"),
    (re.compile(r"<[A-Za-z_][\w.]*: (\ue000\d+\ue001|-?\d+)>"), r"\1"),
    (re.compile(r"(?<![\w.])-?(?:nan|NaN|inf|Infinity|NaT|<NA>)(?!\w)"), "None"),
)
_DOCUMENT = re.compile(r"\b(?:\w{1,60}\.){0,6}\w{0,60}(?:Document|Node|Chunk)\(([^()]*)\)")
"""A record of a library as Python prints it, ``Document(id='d1', page_content='…')``, once calls inside it are gone."""
_ARGUMENT = re.compile(r"(?<![\w.])([A-Za-z_]\w*)=")
_GAP = re.compile(r"['\"]\s*['\"]")
"""Two quotes with nothing but white space between: numpy's writing, or part of a text."""
_NO_LITERAL = (ValueError, SyntaxError, RecursionError, MemoryError, TypeError)
_ARRAY = re.compile(r"\barray\((\[[^()]*\])(?:,\s*dtype=[\w.]+)?(?:,\s*shape=\([^()]*\))?\)")


def is_null(value: Any) -> bool:
    """True for what tables write when there is nothing."""
    if value is None:
        return True
    if isinstance(value, float):
        return math.isnan(value)
    return isinstance(value, str) and value.strip().lower() in _NULLS


def is_blank(value: Any) -> bool:
    """True for nothing at all, and for a text without a word. What somebody said may well be "None" or "N/A": only tables mean nothing by it."""
    return not value.strip() if isinstance(value, str) else is_null(value)


def as_in_table(cell: Any) -> Any:
    """A cell of a table: None for the words that tables write when there is nothing ("nan", "N/A"). A text without a word stays: it may be a reply."""
    return None if isinstance(cell, str) and len(cell) < 20 and cell.strip() and is_null(cell) else cell


def plain(value: Any) -> Any:
    """Arrays and tuples as lists, numpy scalars as numbers, NaN as None; dicts and text stay."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, (tuple, set, frozenset)):
        value = list(value)
    if isinstance(value, list):
        return [plain(v) for v in value]
    if isinstance(value, Mapping):
        return {str(k): plain(v) for k, v in value.items()}
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    return value


def listed(value: Any) -> list[Any]:
    """The list itself; nothing of what should be one and is none."""
    return value if isinstance(value, list) else []


def structure(cell: Any) -> Any:
    r"""
    The list or object a cell stands for; the cell itself when it is ordinary text.

    JSON first, then numpy's print-out (before Python: ``literal_eval("['a'\n 'b']")`` silently joins the two), then a Python literal.
    """
    if not isinstance(cell, str):
        return plain(cell)
    text = cell.strip()
    if len(text) < 2 or text[-1] not in "]})" or (text[0] not in "[{(" and not is_object(text)):
        return cell
    try:
        return parse(text)
    except InputError:
        pass
    if len(text) > CELL_LITERAL_CHARS:
        return cell
    literal = _literal(text)
    if literal is None and (found := printed(text)) is not None:
        literal = scrub(found)
    return cell if literal is None else literal


def nested(cell: Any) -> Any:
    """An object, or a list of objects or lists, that was written into a cell; anything else stays as it is (an answer may well be "[1]")."""
    if not isinstance(cell, str) or cell[:1] not in ("{", "["):
        return cell
    found = structure(cell)
    if isinstance(found, dict) or (isinstance(found, list) and found and isinstance(found[0], (dict, list))):
        return found
    return cell


def _literal(text: str) -> Any:
    """A list or object in Python's or numpy's writing; None when it is neither."""
    if not _GAP.search(text):  # surely not numpy's: the quick way
        try:
            return _collection(ast.literal_eval(text))
        except _NO_LITERAL:
            pass
    return _rewritten(text)


def cut_by_numpy(cell: Any) -> bool:
    """True when numpy printed only the two ends of a long array, with ``...`` between them: the rest is not in the file."""
    return (
        isinstance(cell, str)
        and cell.lstrip()[:1] == "["
        and "..." in cell
        and re.search(r"['\"]\s+\.\.\.\s+['\"]", cell) is not None
        and "..." in _STRING.sub("", cell)
    )


def _collection(value: Any) -> Any:
    return scrub(plain(value)) if isinstance(value, (list, tuple, dict, set)) else None


def _rewritten(text: str) -> Any:
    """The literal after numpy's gaps got commas, and calls such as ``Timestamp('…')`` became text."""
    held: list[str] = []

    def hold(match: re.Match[str]) -> str:
        held.append(match.group())
        return f"\ue000{len(held) - 1}\ue001"

    if "\ue000" in text:
        return None
    masked = _STRING.sub(hold, text)
    # numpy puts only white space between two elements, Python always a comma.
    masked = re.sub("\ue001(\\s+|(?=\ue000))\\.{0,3}\\s*(?=[\ue000\\]])", "\ue001, ", masked) if "\ue001" in masked else masked
    masked = _DATETIME.sub(lambda m: repr(_iso(m.group(1))), masked)
    for pattern, replacement in _OTHER_CALLS:
        masked = pattern.sub(replacement, masked)
    for _ in range(4 if "(" in masked else 0):
        masked = _ARRAY.sub(r"\1", masked)
        masked = re.sub(r"(?<!\w)\(([^()]*)\)", r"[\1]", masked)  # a tuple among its metadata
        masked = _DOCUMENT.sub(lambda m: "{" + _ARGUMENT.sub(r'"\1": ', m.group(1)) + "}", masked)
    masked = re.sub(r"([\d.\]})])\s+(?=[-\d\[{])", r"\1, ", masked)
    try:
        return _collection(ast.literal_eval(_HELD.sub(lambda m: held[int(m.group(1))], masked)))
    except _NO_LITERAL:
        return None


def _iso(arguments: str) -> str:
    """``2026, 3, 1, 12, 0`` as an ISO date."""
    numbers = [int(n) for n in re.findall(r"(?:^|,)\s*(\d+)\s*(?=,|$)", arguments)][:7]
    try:
        return datetime(*numbers, tzinfo=UTC).isoformat() if len(numbers) >= 3 else ""  # type: ignore[arg-type,misc]
    except ValueError:
        return ""


def text_of(value: Any) -> str:
    """A value as text for people: null is "", lists and objects are JSON."""
    if value is None:
        return ""
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    if isinstance(value, (datetime, date)):
        return value.isoformat()
    if isinstance(value, (list, dict, tuple)) or hasattr(value, "tolist"):
        import json  # noqa: PLC0415 - rare

        return clean(json.dumps(plain(value), ensure_ascii=False, default=str))
    return clean(str(value))


def words(value: Any) -> str | None:
    """Text, or None where a table says there is nothing."""
    return None if is_null(value) else text_of(value)


def id_of(value: Any) -> str | None:
    """An id as text: 17 and "17" are the same document."""
    if is_null(value) or isinstance(value, (dict, list)):
        return None
    return text_of(value).strip() or None


def number(value: Any) -> float | None:
    """A finite number out of a number, a numeric text or a percentage; None for anything else (true and false too)."""
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, (int, float, Decimal)):
        try:
            found = float(value)
        except (OverflowError, ValueError):
            return None
        return found if math.isfinite(found) else None
    if isinstance(value, str):
        text = value.strip()
        if not text or len(text) > 40 or text[-1] not in "0123456789.%" or text.startswith("_"):
            return None
        try:
            found = float(text.rstrip("%")) / (100 if text.endswith("%") else 1)
        except ValueError:
            return None
        return found if math.isfinite(found) and "_" not in text else None
    if hasattr(value, "item"):
        return number(value.item())
    return None


def whole(value: Any) -> int | None:
    """A whole number, or None; also None beyond 2**63, where no store can hold it."""
    found = number(value)
    return int(found) if found is not None and abs(found) < 1 << 63 else None
