"""Objects as Python prints them, ``NodeWithScore(node=TextNode(text='…'), score=0.8)``, as plain data: what ``DataFrame.to_csv`` leaves of them in a cell."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any, NamedTuple

_TOKEN = re.compile(
    r"""\s*(?:
      (?P<string>[bBrRuU]{0,2}(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"))
    | (?P<number>-?(?:\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+))(?![\w.])
    | (?P<tag><[A-Za-z_][^<>]*>)
    | (?P<name>\w[\w.\-]*)
    | (?P<sign>[\[\](){},:=])
    )""",
    re.DOTALL | re.VERBOSE,
)
_OBJECT = re.compile(r"[A-Z]\w*(?:Document|Node|NodeWithScore|Chunk|Response|Message|Answer|Result|Output)\(\w+=|(?:Document|Response)\(\w+=|(?:(?:np|numpy)\.)?array\(\[|deque\(\[")
"""How a cell begins that is one object, or an array with its name: any other text in brackets may be what somebody said."""
_FIELDS = re.compile(r"(?:content|response|text|page_content)=(['\"])")
"""How an object begins whose printing leaves its own name out: ``content='…' additional_kwargs={} …``, a LangChain message."""
_SPACE = re.compile(r"\s*")
_WORDS: dict[str, Any] = {"None": None, "True": True, "False": False, "nan": None, "NaN": None, "inf": None, "-inf": None, "NaT": None, "NA": None}
_VALUES = re.compile(r"(?:\w+\.)*(?:array|UUID|ObjectId|Decimal|Timestamp|ZoneInfo|\w*Path|OrderedDict|defaultdict|Counter|deque|frozenset|set|str_|(?:float|int|uint|bool)\w*)")
"""Calls that stand for the value they are given."""
_CLASS = re.compile(r"(?:\w+\.)*[A-Z]\w{2,}")
_HAYSTACK = re.compile(r"([\w-]+), content: '")
_AFTER = re.compile(r"', (?:blob|meta|score|embedding|sparse_embedding): ")
_HAYSTACK_CUT = 100
_DEPTH = 60


class _Token(NamedTuple):
    kind: str
    text: str


def printed(text: str) -> Any:
    """The list or object that a text is the printing of; None where it is none. Nothing of what is named in it is looked up or called."""
    if "Document(id=" in text:
        text = _well_quoted(text)
    try:
        parser = _Parser(text)
        value = parser.value(0)
        parser.end()
    except (ValueError, SyntaxError, StopIteration, RecursionError, MemoryError):
        return None
    return value if isinstance(value, (list, dict)) else None


def is_object(text: str) -> bool:
    """True where a text begins and ends as the printing of an object or an array, with its name before it."""
    return text[-1:] == ")" and _OBJECT.match(text) is not None


def fields_in(text: str) -> dict[str, Any] | None:
    """``content='…' additional_kwargs={} id='…'`` as an object: a message printed without its name. None for any other text, and for a single field."""
    if _FIELDS.match(text) is None:
        return None
    try:
        parser = _Parser(text)
        found = dict(parser.arguments(0, closed=False)[1])
    except (ValueError, SyntaxError, StopIteration, RecursionError, MemoryError):
        return None
    return found if len(found) > 1 else None


def cut_by_haystack(text: str) -> bool:
    """True for a text that Haystack's printing has shortened: its first 100 characters and three dots. The rest is not in the file."""
    return len(text) == _HAYSTACK_CUT + 3 and text.endswith("...")


def _well_quoted(text: str) -> str:
    """Haystack's documents as other objects: it prints a text between quotes without marking the quotes inside, so only what follows tells where it ends."""
    before, *rest = text.split("Document(id=")
    found = [before]
    for part in rest:
        begun = _HAYSTACK.match(part)
        if begun is None:
            found.append(f"Document(id={part}")
            continue
        after = _AFTER.search(part, begun.end())
        end = after.start() if after else part.rfind("')")
        if end < begun.end():
            end = len(part)
        found.append(f"Document(id={begun[1]!r}, content={part[begun.end() : end]!r}{part[end + 1 :]}")
    return "".join(found)


class _Parser:
    """Literals, collections and calls with their arguments."""

    def __init__(self, text: str) -> None:
        self._text = text.strip()
        self._at = 0

    def _next(self) -> _Token:
        match = _TOKEN.match(self._text, self._at)
        if match is None or match.lastgroup is None:
            raise ValueError("no printing of an object")
        self._at = match.end()
        return _Token(match.lastgroup, match[match.lastgroup])

    def _is(self, sign: str) -> bool:
        return self._text.startswith(sign, self._begin())

    def _begin(self) -> int:
        """Where the next token stands."""
        match = _SPACE.match(self._text, self._at)
        return match.end() if match else self._at

    def _skip(self, sign: str) -> bool:
        if self._is(sign):
            self._next()
            return True
        return False

    def end(self) -> None:
        if self._begin() < len(self._text):
            raise ValueError("something follows")

    def value(self, depth: int, *, bare: bool = False) -> Any:
        """One value; ``bare``: a word may stand for itself, as an id without quotes does behind its name."""
        if depth > _DEPTH:
            raise ValueError("nested too deeply")
        kind, text = self._next()
        if kind == "string":
            found = ast.literal_eval(text)
            return found.decode("utf-8", "replace") if isinstance(found, bytes) else found
        if kind == "number":
            return float(text) if any(sign in text for sign in ".eE") else int(text)
        if kind == "tag":  # <NodeRelationship.SOURCE: '1'>, <class 'dict'>
            told = text[1:-1].rsplit(": ", 1)[-1].strip()
            return told.strip("'\"")
        if kind == "name":
            if self._is("("):
                self._next()
                return _called(text, *self.arguments(depth + 1, closed=True))
            if text in _WORDS:
                return _WORDS[text]
            if bare:
                return text
            raise ValueError("a word that is no value")
        closing = {"[": "]", "(": ")", "{": "}"}.get(text)
        if closing is None:
            raise ValueError("a sign that begins nothing")
        return self._collected(closing, depth + 1)

    def _collected(self, closing: str, depth: int) -> Any:
        found: list[Any] = []
        pairs: dict[str, Any] = {}
        while not self._skip(closing):
            one = self.value(depth)
            if closing == "}" and self._skip(":"):
                pairs[str(one)] = self.value(depth)
            else:
                found.append(one)
            if not self._skip(",") and not self._is(closing):
                raise ValueError("no comma")
        return pairs if closing == "}" and not found else found

    def arguments(self, depth: int, *, closed: bool) -> tuple[list[Any], dict[str, Any]]:
        """What a call is given, up to its bracket (or to the end of the text): by place, and by name."""
        places: list[Any] = []
        names: dict[str, Any] = {}
        while not self._skip(")") if closed else self._begin() < len(self._text):
            before = self._at
            token = self._next()
            if token.kind == "name" and (self._skip("=") or self._skip(":")):
                names[token.text] = self.value(depth, bare=True)
            elif not closed:
                raise ValueError("a field without a name")
            else:
                self._at = before
                places.append(self.value(depth))
            if not self._skip(",") and closed and not self._is(")"):
                raise ValueError("no comma")
        return places, names


def _called(name: str, places: list[Any], names: Mapping[str, Any]) -> Any:
    if name.rsplit(".", 1)[-1] in ("datetime", "date") and places:
        return _iso(places)
    if name.split(".", 1)[0] == "datetime":
        return None
    if _VALUES.fullmatch(name):
        inner = next((one for one in places if isinstance(one, (Mapping, list))), places[0] if places else None)
        if name.endswith("OrderedDict") and isinstance(inner, list) and all(isinstance(one, list) and len(one) == 2 for one in inner):
            return {str(key): value for key, value in inner}
        return inner
    if _CLASS.fullmatch(name) and names and not places:
        return {"type": name.rsplit(".", 1)[-1], **names} if name.endswith("Message") else dict(names)
    raise ValueError("a call that is no object")


def _iso(numbers: list[Any]) -> str | None:
    given: Iterator[int] = (n for n in numbers[:7] if isinstance(n, int))
    try:
        return datetime(*given, tzinfo=UTC).isoformat()  # type: ignore[arg-type,misc]
    except (ValueError, TypeError):
        return None
