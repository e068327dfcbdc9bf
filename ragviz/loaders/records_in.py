"""One record with a question, an answer or passages under any of the usual names, as a trace."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ragviz.loaders.asked import HUMAN, MACHINE, answered, asked, is_empty_reply, last_question, role_of
from ragviz.loaders.building import assemble, first_text, ids_of, score_of, texts_of, usage_of, warning
from ragviz.loaders.cells import is_blank, is_null, number, structure, text_of, words
from ragviz.loaders.claims_in import claims_in, pairs_in
from ragviz.loaders.fields import PREDICTED, SYNONYMS, Record
from ragviz.loaders.passage_columns import passages_in
from ragviz.loaders.passages_inside import beside, from_tools
from ragviz.loaders.printed import fields_in, is_object
from ragviz.loaders.rows import Row
from ragviz.loaders.scores_in import rest_of
from ragviz.loaders.squad import accepted, are_accepted
from ragviz.loaders.times import HOW, moment
from ragviz.loaders.turns import CONVERSATIONS, messages_in, turns_of
from ragviz.records import ImportedClaim, LoadIssue, Side, Trace, Turn, Usage


def trace_of_row(row: Row, *, scores: Mapping[str, Any] | None = None, notes: list[LoadIssue] | None = None) -> Iterator[Trace | LoadIssue]:
    """One record under synonyms; further numeric columns become scores, further text becomes tags."""
    record = Record(row.value)
    conversation = _conversation(record.named("question"))
    question = conversation[-1].text if conversation else _question(record.values.get(present(record, "question")))
    answer, gold = _answer_beside_gold(record)
    response = _answer(answer) if answer is not None else _empty_reply(record)
    said = structure(record.pick("messages", *CONVERSATIONS))
    messages = messages_in(said) or said or turns_of(record)
    if isinstance(messages, list) and question is None:
        question, response = asked(messages), response or answered(messages)
        conversation = _conversation(messages)
    drafts, doubts = passages_in(record)
    if drafts is None:
        drafts = beside(answer, record.values.get("input"), record.values.get("metadata"), record.values.get("meta"))
    if drafts is None and isinstance(messages, list):
        drafts = from_tools(messages)
    if drafts is None and isinstance(steps := structure(answer), list):
        drafts = from_tools(steps)
    if drafts is None and isinstance(messages, list):
        drafts = beside(*reversed(messages[(turn := last_question(messages)) :]))
        if drafts is None and (drafts := beside(*reversed(messages[:turn]))) is not None:
            doubts.append("the passages stand in an earlier turn of the conversation, and none in the last one")
    if response is None and question is not None and drafts and isinstance(record.values.get("text"), str):
        response = _answer(record.pick("text"))  # beside a question and what was found for it a text is the answer
    relevant = _relevant(record)
    texts = texts_of(record.named("relevant_texts"))
    if texts is None and "retrieval_context" in record and "context" in record:
        texts = texts_of(record.pick("context"))
    reference = _reference(record, sure=response is not None or "ctxs" in record or any(d.relevance is not None for d in drafts or ())) if gold is None else first_text(gold)
    if question is None and response is None and not drafts:
        yield LoadIssue(
            where=row.where,
            message="no question, no answer and no passages in this record",
            fix="name the columns with --map question=…, --map response=…, --map passages=…",
        )
        return
    history = _history(record.pick("history", "chat_history"))
    usage = _usage(record)
    answerable = _answerable(record)
    found = record.named("id")
    claims = _claims(record)
    written = record.named("started_at")
    started = moment(written)
    if started is None and not is_null(written):
        yield warning(row.where, f"the time {text_of(written)[:40]!r} cannot be read, or in more than one way; it is left out", HOW)
    model, group = words(record.named("model")), words(record.named("group"))
    given, tags = rest_of(record)
    yield from assemble(
        row.where, row.n, id=found, question=question, response=response, drafts=drafts, reference=reference, relevant_ids=relevant,
        relevant_texts=texts, answerable=answerable,
        history=conversation[:-1] or history or None, usage=usage, started_at=started, model=model, group=group, tags=tags, claims=claims,
        scores=(*given, *(score_of(k, v) for k, v in (scores or {}).items())),
    )
    yield from (warning(row.where, doubt, "check the columns of ids and passages") for doubt in doubts)
    if isinstance(messages, list) and response is None and question is not None and any(isinstance(m, Mapping) and role_of(m) in MACHINE for m in messages):
        yield warning(row.where, "the conversation ends with a question that nobody answers", "write the answer behind it, or leave the question out")
    if (several := _answers(answer)) > 1:
        yield warning(row.where, f"{several} answers in one record; the first was read", "write one record per answer to see the others")
    yield from notes or ()


def _usage(record: Record) -> Usage | None:
    seconds, millis = number(record.named("latency_s")), number(record.named("latency_ms"))
    tokens = record.pick("tokens", "usage")
    tokens = tokens if isinstance(tokens, Mapping) else {}
    return usage_of(
        latency_ms=millis if millis is not None else None if seconds is None else seconds * 1000,
        tokens_in=record.named("tokens_in")
        if not tokens
        else next((tokens[k] for k in ("in", "prompt_tokens", "input_tokens", "prompt") if k in tokens), None),
        tokens_out=record.named("tokens_out")
        if not tokens
        else next((tokens[k] for k in ("out", "completion_tokens", "output_tokens", "completion") if k in tokens), None),
        cost_usd=record.named("cost_usd"),
    )


def _answer_beside_gold(record: Record) -> tuple[Any, Any]:
    """
    What the system answered, and the expected answer where it has the name of an answer.

    A question set has ``answer``; who lets a system answer it writes ``prediction`` beside it. None: no expected answer under such a name.
    """
    predicted = next((name for name in PREDICTED if record.filled(name)), None)
    if predicted is None or not record.filled("answer") or any(record.filled(name) for name in SYNONYMS["reference"]):
        return record.named("response"), None
    record.used.update((predicted, "answer"))
    return record.values[predicted], record.values["answer"]


def _relevant(record: Record) -> frozenset[str] | None:
    """Ids of the documents that hold the answer; HotpotQA's supporting facts name them, as [title, number of the sentence] or as the two columns."""
    relevant = ids_of(record.named("relevant_ids"))
    facts = structure(record.pick("supporting_facts")) if relevant is None else None
    if not facts or not isinstance(facts, (Mapping, list)):
        return relevant
    return ids_of(facts.get("title") if isinstance(facts, Mapping) else [one[0] for one in facts if isinstance(one, list) and one])


def _reference(record: Record, *, sure: bool) -> str | None:
    """The expected answer; else the first of the accepted ones, as reading-comprehension sets have them: with their places, or as texts beside a prediction or labelled passages."""
    expected = structure(record.named("reference"))
    reference = answered(expected) if isinstance(expected, Mapping) else first_text(expected)
    answers = structure(record.values.get("answers"))
    if reference is None and are_accepted(answers):
        record.used.add("answers")
        return accepted(answers)
    return first_text(record.pick("answers")) if reference is None and sure and isinstance(answers, list) else reference


def _answerable(record: Record) -> bool | None:
    said = record.named("answerable")
    answers = structure(record.values.get("answers"))
    if said is None and are_accepted(answers) and not answers["text"]:
        return False  # as SQuAD 2 says of a question that the paragraph does not answer
    return bool(structure(said)) if isinstance(said, (bool, int)) else _truth(said)


def _answers(value: Any) -> int:
    """How many answers a list of texts holds; 1 for anything else."""
    given = structure(value) if not isinstance(value, str) or value[:1] == "[" else value
    return sum(not is_blank(one) for one in given) if isinstance(given, list) and all(one is None or isinstance(one, str) for one in given) else 1


def present(record: Record, field: str) -> str:
    """The filled column of a field; "" when there is none."""
    return next((k for k in SYNONYMS[field] if record.filled(k)), "")


def _question(value: Any) -> str | None:
    value = structure(value)
    return asked(value) if isinstance(value, Mapping) else first_text(value)


def _answer(value: Any) -> str | None:
    """The answer: text, the first of several, or the text inside an object. "[1]" is a text: no list of numbers is an answer."""
    if (
        isinstance(value, str)
        and isinstance(inner := structure(value) if value[:1] == "[" else None, list)
        and not any(isinstance(one, (str, Mapping)) for one in inner)
    ):
        return text_of(value)
    if isinstance(value, str):
        value = structure(value) if value[:1] in "[{" or is_object(value) else fields_in(value) or value
    else:
        value = structure(value)
    if isinstance(value, list) and value and isinstance(value[0], Mapping) and isinstance(value[0].get("answer"), str):
        value = value[0]  # KILT's outputs
    if isinstance(value, list) and value and isinstance(value[-1], Mapping) and {"role", "type"} & value[-1].keys():
        value = value[-1].get("content")
    if isinstance(value, Mapping):
        value = (
            next((value[k] for k in ("answer", "response", "output", "text", "content", "result") if isinstance(value.get(k), str)), None)
            or answered(value)
            or value
        )
    return first_text(value)


def _empty_reply(record: Record) -> str | None:
    """An empty text under a name of the answer: the system replied, with nothing. None: the record does not say what was answered."""
    names = [name for name in SYNONYMS["response"] if is_empty_reply(record.values.get(name))]
    record.used.update(names)
    return "" if names else None


def _conversation(value: Any) -> tuple[Turn, ...]:
    """Turns up to and with the last one of the user; () when the question is plain text."""
    value = structure(value)
    if not isinstance(value, list) or not value or not all(isinstance(m, Mapping) and ("content" in m or "text" in m) for m in value):
        return ()
    turns = [Turn(role=role_of(m), text=_said(m.get("content", m.get("text")))) for m in value]
    last = max((i for i, t in enumerate(turns) if t.role in HUMAN), default=len(turns) - 1)
    return tuple(turns[: last + 1])


def _said(content: Any) -> str:
    """The text of a message, or of its parts."""
    parts = (
        [text_of(part.get("text")) for part in content if isinstance(part, Mapping) and isinstance(part.get("text"), str)] if isinstance(content, list) else []
    )
    return "\n".join(parts) if parts else text_of(content)


def _history(value: Any) -> tuple[Turn, ...]:
    value = structure(value)
    if not isinstance(value, list):
        return ()
    return tuple(
        Turn(role=text_of(m.get("role", m.get("type", ""))), text=text_of(m.get("content", m.get("text", ""))))
        if isinstance(m, Mapping)
        else Turn(role="", text=text_of(m))
        for m in value
    )


def _claims(record: Record) -> tuple[ImportedClaim, ...] | None:
    """Claims of both sides; None when the record has no such column."""
    found: list[ImportedClaim] = []
    said = False
    for names, side in ((("claims", "response_claims"), Side.RESPONSE), (("reference_claims", "expected_claims", "gt_answer_claims"), Side.REFERENCE)):
        value = record.pick(*names)
        claims = pairs_in(value, side) if value is not None else None
        claims = claims or claims_in(value, side)
        if claims is not None:
            said = True
            found += claims
    return tuple(found) if said else None


def _truth(value: Any) -> bool | None:
    word = words(value)
    return None if word is None else {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}.get(word.lower())
