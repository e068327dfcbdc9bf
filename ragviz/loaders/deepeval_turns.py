"""DeepEval's conversational test cases: each answer with passages of its own is a trace, what was said before is its history."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ragviz.loaders.building import assemble, tags_of
from ragviz.loaders.cells import is_blank, structure, text_of, words
from ragviz.loaders.fields import Record
from ragviz.loaders.outline import Outline
from ragviz.loaders.passages import drafts_of
from ragviz.loaders.rows import Row, left_out
from ragviz.records import LoadIssue, Trace, Turn

_OF_TURNS = frozenset({"retrieval_context", "retrievalContext", "tools_called", "toolsCalled", "user_id", "userId"})
_OF_CASES = frozenset({"scenario", "expected_outcome", "expectedOutcome", "user_description", "userDescription", "chatbot_role", "chatbotRole"})


def holds_turns(case: Any) -> bool:
    """True for a case whose turns have names of DeepEval's, or stand beside some."""
    turns = structure(case.get("turns")) if isinstance(case, Mapping) else None
    known = [turn for turn in turns if isinstance(turn, Mapping) and "role" in turn and "content" in turn] if isinstance(turns, list) else []
    return bool(known) and (bool(_OF_CASES & case.keys()) or any(_OF_TURNS & turn.keys() for turn in known))


def are_cases(look: Outline) -> bool:
    """Rows of a data set of conversations."""
    return any(holds_turns(row) for row in look.rows)


def conversation(row: Row, *, model: str | None) -> Iterator[Trace | LoadIssue]:
    """
    A trace for each answer that names what was retrieved for it; the last answer alone where none does.

    What was scored is the conversation as a whole, so its scores are not here.
    """
    case = Record(row.value)
    given = structure(case.values.get("turns"))
    yield from left_out(row.where, "turns", given)
    turns = [Record(turn) for turn in given if isinstance(turn, Mapping)] if isinstance(given, list) else []
    said = [Turn(role=text_of(turn.values.get("role")).strip().lower(), text=text_of(turn.values.get("content"))) for turn in turns]
    answers = [n for n, turn in enumerate(said) if turn.role == "assistant"]
    wanted = [n for n in answers if turns[n].values.get("retrieval_context") is not None] or answers[-1:]
    if not wanted:
        yield LoadIssue(where=row.where, message="the conversation holds no answer of the assistant", fix="write its replies as turns with role assistant and content")
    name, meta = words(case.values.get("name")), structure(case.values.get("additional_metadata", case.values.get("metadata")))
    about = {key: case.values.get(key) for key in ("scenario", "expected_outcome", "user_description", "chatbot_role", "comments")}
    for n in wanted:
        asked = max((at for at in range(n) if said[at].role == "user"), default=None)
        content = turns[n].values.get("content")
        yield from assemble(
            row.where,
            row.n,
            id=f"{name or f'row-{row.n + 1}'}-turn-{n + 1}" if len(said) > 2 or len(wanted) > 1 else name,
            question=None if asked is None else said[asked].text,
            response=None if content is None else "" if is_blank(content) else text_of(content),
            drafts=drafts_of(turns[n].values.get("retrieval_context")),
            history=tuple(said[:asked]) or None,
            group=(name or f"row-{row.n + 1}") if len(wanted) > 1 else None,
            model=model,
            tags=tags_of({**about, **(meta if isinstance(meta, Mapping) else {})}),
        )
