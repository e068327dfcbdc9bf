"""Loose parts to a trace, and the doubts about it to warnings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ragviz.loaders.cells import id_of, is_blank, is_null, number, structure, text_of, words
from ragviz.loaders.passages import Draft, draft_of, drafts_of, numbered
from ragviz.records import ImportedScore, LoadIssue, Trace, Usage
from ragviz.text.counts import counted

_BETWEEN_IDS = ("|||", "|", ";", ",", "\n")
_YES_NO = {"true": 1.0, "yes": 1.0, "pass": 1.0, "passed": 1.0, "false": 0.0, "no": 0.0, "fail": 0.0, "failed": 0.0}


def warning(where: str, message: str, fix: str = "") -> LoadIssue:
    """A doubt about a row that was loaded all the same."""
    return LoadIssue(where=where, message=message, fix=fix, rejected=False)


def assemble(where: str, index: int, *, drafts: list[Draft] | None, id: Any = None, question: Any = "", response: Any = None, **rest: Any) -> Iterator[Trace | LoadIssue]:  # noqa: A002
    """
    One trace with its warnings.

    Args:
        where: ``file:line``; becomes ``origin``.
        index: Number of the record, from 0; makes the id when the file has none.
        drafts: Passages; None when the file cannot say what was retrieved.
        id: Id in the file, if any.
        question: Text, or None.
        response: Text; "" for a reply that is empty; None when the file does not say what was answered.
        **rest: Further fields of Trace.
    """
    passages, doubts = (None, []) if drafts is None else numbered(drafts)
    if passages and not any(p.text.strip() for p in passages) and "passages_are" not in rest:
        rest["passages_are"] = "ids"
    if response is None:
        rest["response_is"] = "absent"
    yield Trace(
        id=id_of(id) or f"row-{index + 1}", question=text_of(question), response=text_of(response), passages=passages, origin=where,
        **{name: value for name, value in rest.items() if value is not None},
    )
    for doubt in doubts:
        yield warning(where, doubt, "check the retriever")


def with_ids(drafts: list[Draft] | None, ids: Any, scores: Any = None) -> tuple[list[Draft] | None, list[str]]:
    """Passages together with their ids and scores from other columns, and what does not fit in words."""
    doubts: list[str] = []
    wanted = structure(ids)
    wanted = wanted if isinstance(wanted, list) else None if is_null(wanted) else _listed_ids(wanted, len(drafts or ()))
    if wanted is not None:
        if drafts is None:
            drafts = [Draft() for _ in wanted]
        if len(wanted) != len(drafts):
            doubts.append(f"{counted(len(wanted), 'passage id')} for {counted(len(drafts), 'passage')}")
        for draft, one in zip(drafts, wanted, strict=False):
            draft.doc_id = id_of(one) or draft.doc_id
    values = structure(scores)
    if isinstance(values, list) and drafts is not None:
        for draft, value in zip(drafts, values, strict=False):
            draft.score = number(value)
    return drafts, doubts


def _listed_ids(cell: Any, n: int) -> list[Any]:
    """``a1|a17|a2`` beside three passages as three ids; one id otherwise."""
    parts = [cell.split(mark) for mark in _BETWEEN_IDS if isinstance(cell, str) and n > 1 and mark in cell]
    return next(([part.strip() for part in found] for found in parts if len(found) == n), [cell])


def deduplicated(drafts: Iterable[Draft]) -> list[Draft]:
    """The first of passages with the same document id (or, without id, the same text)."""
    seen: set[str] = set()
    kept = []
    for draft in drafts:
        key = draft.doc_id if draft.doc_id is not None else f"\x00{draft.text}"
        if key not in seen:
            seen.add(key)
            kept.append(draft)
    return kept


_TOLD = 10
"""Of several numbers under one name so many are told one by one."""


def score_of(name: str, value: Any, *, label: Any = None, reason: Any = None) -> ImportedScore:
    """A score as the file has it: numbers, true and false, pass and fail; a label where it is only a word. Several numbers are their mean, and it is said."""
    value = structure(value)
    if isinstance(value, list) and len(value) > 1 and all(is_score(each) for each in value):
        several = [score_of(name, each).value or 0.0 for each in value]
        told = f"mean of {len(several)} in the file: {', '.join(f'{each:g}' for each in several[:_TOLD])}{', …' if len(several) > _TOLD else ''}"
        return ImportedScore(name=name, value=sum(several) / len(several), label=words(label), reason=". ".join(filter(None, [words(reason), told])))
    if isinstance(value, list):
        value = value[0] if len(value) == 1 else None if not value else text_of(value)
    found = float(value) if isinstance(value, bool) else number(value)
    word = words(label)
    if found is None and isinstance(value, str) and not is_null(value):
        word = word or text_of(value)
        found = _YES_NO.get(value.strip().lower())
    why = words(reason) or ""
    if found is None and word is None and not why:
        why = "no value in the file"
    return ImportedScore(name=name, value=found, label=word, reason=why)


def is_score(value: Any) -> bool:
    """True for what a column of scores holds: a number, a truth value, pass or fail."""
    return isinstance(value, bool) or number(value) is not None or (isinstance(value, str) and value.strip().lower() in _YES_NO)


def usage_of(*, latency_ms: Any = None, tokens_in: Any = None, tokens_out: Any = None, cost_usd: Any = None) -> Usage | None:
    """Usage, or None when nothing is known."""
    latency, cost = number(latency_ms), number(cost_usd)
    before, after = number(tokens_in), number(tokens_out)
    if latency is None and cost is None and before is None and after is None:
        return None
    return Usage(
        latency_ms=latency, cost_usd=cost, tokens_in=None if before is None else int(before), tokens_out=None if after is None else int(after),
    )


def ids_of(value: Any) -> frozenset[str] | None:
    """A set of document ids out of any nesting of lists; None when the cell says nothing."""
    value = structure(value)
    if is_null(value):
        return None
    found: set[str] = set()
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, (list, tuple)):
            waiting += one
        elif isinstance(one, Mapping):
            waiting.append(next((one[k] for k in ("doc_id", "id", "doc_uri", "document_id") if k in one), None))
        elif (name := id_of(one)) is not None:
            found.add(name)
    return frozenset(found)


def texts_of(value: Any) -> tuple[str, ...] | None:
    """A list of texts; None when the cell says nothing."""
    drafts = drafts_of(value)
    return None if drafts is None else tuple(d.text for d in drafts if d.text)


def first_text(value: Any) -> str | None:
    """Text, or the first of a list of texts; None when there is none."""
    value = structure(value)
    if isinstance(value, list):
        value = next((v for v in value if not is_blank(v)), None)
    if isinstance(value, Mapping):
        value = draft_of(value).text or value
    return None if is_blank(value) else text_of(value)


def tags_of(values: Mapping[str, Any], *, limit: int = 500) -> dict[str, str]:
    """Short texts to filter by; empty and very long ones are left out."""
    return {str(k): text for k, v in values.items() if not is_null(v) and len(text := text_of(v)) <= limit}
