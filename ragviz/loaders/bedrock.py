"""Amazon Bedrock: replies of RetrieveAndGenerate, and the lines that RAG and model evaluation jobs read and write."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, BinaryIO

from ragviz.loaders.building import assemble, deduplicated, score_of, tags_of, warning
from ragviz.loaders.cells import id_of, number, text_of, words
from ragviz.loaders.fields import SYNONYMS
from ragviz.loaders.format import Format, per_row
from ragviz.loaders.outline import Outline
from ragviz.loaders.passages import Draft
from ragviz.loaders.rows import Row, kind_of, left_out
from ragviz.records import ImportedScore, LoadIssue, Trace, Turn

_CHUNK, _URI = "x-amz-bedrock-kb-chunk-id", "x-amz-bedrock-kb-source-uri"
_AROUND = ("response", "result", "output")
"""Where people keep the reply beside the question they asked."""


def read(source: BinaryIO, filename: str) -> Iterator[Trace | LoadIssue]:
    """A trace for each reply, or for each turn of a conversation."""
    return per_row(source, filename, _record)


def _record(row: Row) -> Iterator[Trace | LoadIssue]:
    value = row.value
    if isinstance(value.get("conversationTurns"), list):
        yield from _conversation(row, value["conversationTurns"])
    elif "automatedEvaluationResult" in value:
        yield from _model_evaluation(row)
    else:
        yield from _reply(row)


def _conversation(row: Row, turns: list[Any]) -> Iterator[Trace | LoadIssue]:
    """A line of a RAG evaluation, before or after the job: what the job was given stands in ``inputRecord`` then."""
    if not turns:
        yield LoadIssue(where=row.where, message="conversationTurns holds no turn", fix="write each turn with prompt and output")
    history: list[Turn] = []
    for n, turn in enumerate(turns, start=1):
        if not isinstance(turn, Mapping):
            yield LoadIssue(where=row.where, message=f"turn {n} should be an object, found {kind_of(turn)}", fix="write it with prompt and output")
            continue
        given = turn["inputRecord"] if isinstance(turn.get("inputRecord"), Mapping) else turn
        output = turn.get("output") if isinstance(turn.get("output"), Mapping) else {}
        assert isinstance(output, Mapping)
        question, answer = _content(given.get("prompt")), output.get("text")
        found = output.get("retrievedPassages", output.get("retrievedResults"))
        results = found.get("retrievalResults") if isinstance(found, Mapping) else None
        references, contexts = _texts(given.get("referenceResponses")), _texts(given.get("referenceContexts"))
        yield from assemble(
            row.where,
            row.n,
            id=f"row-{row.n + 1}-turn-{n}" if len(turns) > 1 else None,
            question=question,
            response=answer,
            drafts=_passages(_listed(results)) if isinstance(results, (list, Mapping)) else None,
            reference=references[0] if references else None,
            relevant_texts=tuple(contexts) or None,
            history=tuple(history) or None,
            model=words(output.get("modelIdentifier")),
            scores=_scores(turn.get("results")),
            tags=tags_of({"knowledge_base": output.get("knowledgeBaseIdentifier")}),
        )
        yield from left_out(row.where, f"retrievalResults of turn {n}", results)
        yield from left_out(row.where, f"referenceResponses of turn {n}", given.get("referenceResponses"))
        yield from left_out(row.where, f"referenceContexts of turn {n}", given.get("referenceContexts"))
        history += [Turn(role="user", text=text_of(question)), Turn(role="assistant", text=text_of(answer))]


def _model_evaluation(row: Row) -> Iterator[Trace | LoadIssue]:
    """A line of a model evaluation: one answer, and nothing retrieved."""
    given = row.value.get("inputRecord") if isinstance(row.value.get("inputRecord"), Mapping) else {}
    assert isinstance(given, Mapping)
    replies = row.value.get("modelResponses", given.get("modelResponses"))
    reply = replies[0] if isinstance(replies, list) and replies and isinstance(replies[0], Mapping) else {}
    result = row.value["automatedEvaluationResult"]
    yield from assemble(
        row.where,
        row.n,
        question=given.get("prompt"),
        response=reply.get("response"),
        drafts=None,
        reference=words(given.get("referenceResponse")),
        model=words(reply.get("modelIdentifier")),
        scores=_scores(result.get("scores") if isinstance(result, Mapping) else None),
        tags=tags_of({"category": given.get("category")}),
    )


def _reply(row: Row) -> Iterator[Trace | LoadIssue]:
    """A reply of RetrieveAndGenerate. It holds what was cited, not all that was retrieved, and not the question unless somebody kept it beside."""
    reply = _reply_in(row.value)
    if reply is None:
        yield LoadIssue(
            where=row.where,
            message="no reply with output and citations in this record",
            fix='write what RetrieveAndGenerate gave, or beside its question: {"question": "…", "response": {…}}',
        )
        return
    beside = {**row.value, **({} if reply is row.value else reply)}
    asked = beside.get("input")
    question = (
        asked.get("text") if isinstance(asked, Mapping) else next((beside[name] for name in SYNONYMS["question"] if isinstance(beside.get(name), str)), None)
    )
    parts = [part for part in reply["citations"] if isinstance(part, Mapping)]
    cited = [one for part in parts for one in _listed(part.get("retrievedReferences"))]
    yield from assemble(
        row.where,
        row.n,
        id=beside.get("id"),
        question=question,
        response=reply["output"].get("text"),
        drafts=deduplicated(_passages(cited)),
        passages_are="cited",
        tags=tags_of({"session": reply.get("sessionId"), "guardrail": reply.get("guardrailAction")}),
    )
    yield from left_out(row.where, "citations", reply["citations"])
    for n, part in enumerate(reply["citations"], start=1):
        if isinstance(part, Mapping):
            yield from left_out(row.where, f"retrievedReferences of citation {n}", part.get("retrievedReferences"))
    if question is None:
        yield warning(row.where, "the reply of RetrieveAndGenerate does not hold the question", 'keep it beside the reply: {"question": "…", "response": {…}}')


def _reply_in(value: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """The reply itself, or the one that somebody kept beside the question; None where there is none."""
    for one in (value, *(value.get(name) for name in _AROUND)):
        if not isinstance(one, Mapping) or not isinstance(one.get("output"), Mapping) or not isinstance(one.get("citations"), list):
            continue
        parts = one["citations"]
        if "text" in one["output"] and (any(isinstance(part, Mapping) and "retrievedReferences" in part for part in parts) if parts else "sessionId" in one):
            return one
    return None


def _content(value: Any) -> str | None:
    """The text of ``{"content": [{"text": …}]}``."""
    parts = value.get("content") if isinstance(value, Mapping) else None
    texts = [text_of(part["text"]) for part in parts if isinstance(part, Mapping) and "text" in part] if isinstance(parts, list) else []
    return "\n".join(texts) if texts else None


def _listed(value: Any) -> list[Any]:
    """The list, one object as a list of itself, and nothing of anything else."""
    return value if isinstance(value, list) else [value] if isinstance(value, Mapping) else []


def _texts(value: Any) -> list[str]:
    """The texts of a list of contents."""
    return [text for one in _listed(value) if (text := _content(one)) is not None]


def _passages(results: list[Any]) -> list[Draft]:
    """Retrieved results or cited references. A name is an id where each has one of its own, as those have who name their documents there."""
    given = [one for one in results if isinstance(one, Mapping)]
    names = [id_of(one.get("name")) for one in given]
    are_ids = None not in names and len(set(names)) == len(names)
    drafts = []
    for one, name in zip(given, names, strict=True):
        content, meta = one.get("content"), one.get("metadata")
        meta = meta if isinstance(meta, Mapping) else {}
        drafts.append(
            Draft(
                text=text_of(content.get("text")) if isinstance(content, Mapping) else text_of(content),
                doc_id=id_of(meta.get(_CHUNK)) or (name if are_ids else None),
                title=None if are_ids else name,
                source=_place(one.get("location")) or words(meta.get(_URI)),
                score=number(one.get("score")),
                metadata=tags_of({k: v for k, v in meta.items() if k not in (_CHUNK, _URI)}),
            )
        )
    return drafts


def _place(location: Any) -> str | None:
    """The address in a location, whatever kind of store it is in."""
    for inner in location.values() if isinstance(location, Mapping) else ():
        found = next((words(inner[name]) for name in ("uri", "url", "id") if name in inner), None) if isinstance(inner, Mapping) else None
        if found:
            return found
    return None


def _scores(results: Any) -> tuple[ImportedScore, ...]:
    """What the job's metrics gave, under their own names, with the evaluator's explanation."""
    found = []
    for one in results if isinstance(results, list) else ():
        if isinstance(one, Mapping) and one.get("metricName") is not None:
            details = one.get("evaluatorDetails")
            first = details[0] if isinstance(details, list) and details and isinstance(details[0], Mapping) else {}
            found.append(score_of(text_of(one["metricName"]), one.get("result"), reason=first.get("explanation")))
    return tuple(found)


def matches(look: Outline) -> bool:
    """A reply with its citations, or a line of an evaluation job."""
    row = look.row
    turns = row.get("conversationTurns")
    if isinstance(turns, list):
        return any(isinstance(turn, Mapping) and turn.keys() & {"prompt", "inputRecord"} for turn in turns)
    return {"automatedEvaluationResult", "inputRecord"} <= row.keys() or _reply_in(row) is not None


LOADER = Format(
    name="bedrock", label="Amazon Bedrock replies and evaluation jobs", order=47, matches=matches, read=read, suffixes=(".jsonl", ".json"),
    recognised_by="output with citations whose parts have retrievedReferences; conversationTurns with prompt or inputRecord; automatedEvaluationResult with inputRecord",
)
