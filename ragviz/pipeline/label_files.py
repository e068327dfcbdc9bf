"""Files of labelled claims: JSON Lines, one claim with its passages and a person's word a row."""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NoReturn

import msgspec

from ragviz.errors import InputError
from ragviz.records import Grounding, Passage, Span

LABELS = (Grounding.SUPPORTED, Grounding.NOT_SUPPORTED, Grounding.CONTRADICTED)
_KINDS: Mapping[type, str] = {dict: "an object", list: "a list", str: "a text", bool: "true or false", int: "a number", float: "a number", type(None): "null"}
SHAPE = 'one JSON object a line with "claim", "passages" (texts, or [{"id", "text"}]) and "label" (supported, not_supported or contradicted)'


class LabelRow(msgspec.Struct, frozen=True, kw_only=True):
    """One claim, its passages, and what a person said of it."""

    id: str
    dataset: str
    claim: str
    passages: tuple[Passage, ...]
    label: Grounding
    evidence: tuple[tuple[int, str, Span], ...] = ()
    """(set, passage id, span): spans of one set belong together, each set alone is enough."""
    question: str = ""
    group: str = ""
    split: str = ""
    """What the file itself says of its split; "" where it says nothing."""


def read_labels(lines: Iterable[str | bytes], *, filename: str = "labels") -> Iterator[LabelRow]:
    """
    Label rows of a JSONL file, one a line; blank lines are skipped.

    Raises:
        InputError: A line is no label row; the message names the line and what is wrong with it, the fix how to mend it.
    """
    for n, line in enumerate(lines, start=1):
        if line.strip():
            yield _Line(f"{filename}:{n}", n).read(line)


class _Line:
    """One line, and where it stands: every fault of it is told in one sentence."""

    def __init__(self, where: str, n: int) -> None:
        self.where = where
        self.n = n

    def wrong(self, what: str, fix: str) -> NoReturn:
        """Tell it."""
        raise InputError(f"{self.where}: {what}", fix=fix)

    def read(self, line: str | bytes) -> LabelRow:
        """The row."""
        raw = self._object(line)
        label = self._label(raw)
        claim = self._text(raw, "claim")
        passages = self._passages(raw)
        row_id = self._word(raw, "id") or str(self.n)
        return LabelRow(
            id=row_id, dataset=self._word(raw, "dataset") or "all", claim=claim, passages=passages, label=label, evidence=self._evidence(raw, passages),
            question=self._word(raw, "question"), group=self._word(raw, "group") or row_id, split=self._word(raw, "split"),
        )

    def _object(self, line: str | bytes) -> dict[str, Any]:
        try:
            text = line.decode("utf-8-sig") if isinstance(line, bytes) else line
        except UnicodeDecodeError as exc:
            self.wrong(f"byte {exc.start + 1} of the line is not UTF-8", "save the file as UTF-8")
        try:
            raw = json.loads(text)
        except json.JSONDecodeError as exc:
            self.wrong(
                f"not JSON from character {exc.pos + 1} on",
                "write each row as one whole JSON object on one line; a quote, comma or bracket is missing, or the line was cut off",
            )
        except (RecursionError, ValueError):
            self.wrong("the JSON is nested too deeply, or holds a number too long to read", SHAPE)
        if not isinstance(raw, dict):
            self.wrong(f"the line is {_kind(raw)}, not an object", SHAPE)
        return raw

    def _text(self, raw: Mapping[str, Any], name: str) -> str:
        if name not in raw:
            near = difflib.get_close_matches(name, list(raw), n=1)
            self.wrong(f'"{name}" is missing' + (f'; there is "{near[0]}"' if near else ""), SHAPE)
        value = raw[name]
        if not isinstance(value, str) or not value.strip():
            self.wrong(f'"{name}" is {_kind(value) if not isinstance(value, str) else "empty"}', f'give "{name}" as a text of at least one character')
        return value

    def _word(self, raw: Mapping[str, Any], name: str) -> str:
        """An optional name: a text or a number; "" without one."""
        value = raw.get(name)
        if not isinstance(value, str | int | None) or isinstance(value, bool):
            self.wrong(f'"{name}" is {_kind(value)}', f'give "{name}" as a text, or leave it out')
        return "" if value is None else str(value)

    def _label(self, raw: Mapping[str, Any]) -> Grounding:
        word = self._text(raw, "label").strip()
        found = next((g for g in LABELS if g.value == word.casefold().replace(" ", "_").replace("-", "_")), None)
        if found is None:
            self.wrong(f'the label "{word[:60]}" is none of {", ".join(LABELS)}', "use one of these three words; a partly supported claim is not_supported")
        return found

    def _passages(self, raw: Mapping[str, Any]) -> tuple[Passage, ...]:
        if "passages" not in raw:
            self._text(raw, "passages")
        listed = raw["passages"]
        if not isinstance(listed, list):
            self.wrong(f'"passages" is {_kind(listed)}, not a list', 'give "passages" as a list of texts or of {"id", "text"}; [] where nothing was retrieved')
        found: dict[str, Passage] = {}
        # A plain text is called by its place: "1", "2", …
        for rank, passage in enumerate(({"id": str(n), "text": p} if isinstance(p, str) else p for n, p in enumerate(listed, start=1)), start=1):
            if not isinstance(passage, dict):
                self.wrong(f"passage {rank} is {_kind(passage)}, not a text or an object", 'give each passage as a text or as {"id", "text"}')
            name = self._word(passage, "id")
            if not name or not isinstance(passage.get("text"), str):
                self.wrong(f'passage {rank} has no "{"text" if name else "id"}"', 'give each passage as {"id", "text"}')
            if name in found:
                self.wrong(f'passages {found[name].rank} and {rank} have the same id "{name[:60]}"', "give each passage of a row an id of its own")
            found[name] = Passage(id=name, text=passage["text"], rank=rank)
        return tuple(found.values())

    def _evidence(self, raw: Mapping[str, Any], passages: tuple[Passage, ...]) -> tuple[tuple[int, str, Span], ...]:
        listed = raw.get("evidence")
        if listed is None:
            return ()
        fix = 'give "evidence" as a list of {"passage_id", "start", "end"} in characters of that passage, or leave it out'
        if not isinstance(listed, list):
            self.wrong(f'"evidence" is {_kind(listed)}, not a list', fix)
        texts = {p.id: p.text for p in passages}
        found = []
        for n, entry in enumerate(listed, start=1):
            if not isinstance(entry, dict):
                self.wrong(f"evidence {n} is {_kind(entry)}, not an object", fix)
            name = self._word(entry, "passage_id")
            start, end, number = (self._whole(value, f"evidence {n}", fix) for value in (entry.get("start"), entry.get("end"), entry.get("set", 0)))
            if name not in texts:
                self.wrong(f'evidence {n} names passage "{name[:60]}", which the row does not have', fix)
            if not 0 <= start < end <= len(texts[name]):
                self.wrong(f"evidence {n} is characters {start} to {end}, but the passage has {len(texts[name])}", fix)
            found.append((number, name, Span(start, end)))
        return tuple(found)

    def _whole(self, value: object, what: str, fix: str) -> int:
        if not isinstance(value, int) or isinstance(value, bool):
            self.wrong(f'{what} lacks a whole number for "start", "end" or "set"', fix)
        return value


def _kind(value: object) -> str:
    return _KINDS.get(type(value), "something else")
