"""Attributes and events of the GenAI conventions (and of OpenLLMetry, Vercel's AI SDK and Pydantic AI) as steps."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from ragviz.loaders.asked import unquoted
from ragviz.loaders.building import score_of
from ragviz.loaders.cells import is_null, number, structure, text_of, words
from ragviz.loaders.messages import gathered, messages_of
from ragviz.loaders.passages import Draft, draft_of, drafts_of
from ragviz.loaders.passages_inside import beside, given_back
from ragviz.loaders.steps import Step

_CHATS = ("chat", "text_completion", "generate_content")
_TOKENS = (("tokens_in", ("input_tokens", "prompt_tokens")), ("tokens_out", ("output_tokens", "completion_tokens")))
_SAID = {"gen_ai.system.message": "system", "gen_ai.user.message": "user", "gen_ai.assistant.message": "assistant", "gen_ai.tool.message": "tool"}
"""Events of one message each, as the conventions had them up to 1.36, and who speaks."""
_FOUND = ("db.query.result", "db.search.result")
"""Events of OpenLLMetry on the span of a vector store: one for each document."""

_SEARCHES = re.compile(r"retriev|rerank|vector_?(?:store|search)|similarity_?search", re.IGNORECASE)
"""Names of steps that look documents up: OpenLLMetry has no kind of its own for them."""


def of_genai(step: Step, names: Mapping[str, Any]) -> None:
    """Fill a step from gen_ai.* and traceloop.* attributes, flat."""
    operation = text_of(names.get("gen_ai.operation.name"))
    found = gathered(names, "gen_ai.retrieval.documents")
    if operation == "retrieval" or found is not None:
        step.kind = "retriever"
        step.input = step.input or names.get("gen_ai.retrieval.query.text")
        step.documents = step.documents or (drafts_of(found) if isinstance(found, list) else None) or []
    elif operation in _CHATS or "gen_ai.completion.0.content" in names:
        step.kind = "llm"
    elif operation == "execute_tool":
        step.kind, step.tool = "tool", given_back(gathered(names, "gen_ai.tool.call.result"))
    step.input = (
        step.input
        or gathered(names, "gen_ai.input.messages")
        or messages_of(names, "gen_ai.prompt")
        or names.get("gen_ai.prompt")
        or names.get("traceloop.entity.input")
    )
    step.output = (
        step.output
        or gathered(names, "gen_ai.output.messages")
        or names.get("gen_ai.completion.0.content")
        or names.get("gen_ai.completion")
        or names.get("traceloop.entity.output")
    )
    if step.kind == "other" and text_of(names.get("traceloop.span.kind")) in ("task", "tool") and (searched := _SEARCHES.search(step.name)):
        found = _found(unquoted(step.output))
        if found is not None:
            step.kind, step.documents = "reranker" if searched.group().lower() == "rerank" else "retriever", found
    step.model = step.model or words(names.get("gen_ai.response.model")) or words(names.get("gen_ai.request.model"))
    for field, keys in _TOKENS:
        if getattr(step, field) is None:
            setattr(step, field, next((v for k in keys if (v := number(names.get(f"gen_ai.usage.{k}"))) is not None), None))


def _found(output: Any) -> list[Draft] | None:
    """What a step of OpenLLMetry gave back that searches by its name: a list of texts or documents, or an object with one; None where that is not what it gave."""
    if isinstance(output, Mapping):
        inner = output.get("outputs")
        return beside(output, inner) if not isinstance(inner, list) else _found(inner)
    return drafts_of(output) if isinstance(output, list) else None


def of_vercel(step: Step, names: Mapping[str, Any]) -> None:
    """Vercel's AI SDK: ai.prompt, ai.response.text, ai.toolCall.result."""
    step.input = gathered(names, "ai.prompt.messages") or gathered(names, "ai.prompt")
    step.output = names.get("ai.response.text") or names.get("ai.result.text") or names.get("ai.response.object")
    if "ai.toolCall.name" in names:
        step.kind, step.tool = "tool", given_back(structure(names.get("ai.toolCall.result")))
    elif text_of(names.get("ai.operationId")).endswith((".doGenerate", ".doStream")):
        step.kind = "llm"
    step.model = words(names.get("ai.response.model")) or words(names.get("ai.model.id"))
    step.tokens_in = number(names.get("ai.usage.inputTokens", names.get("ai.usage.promptTokens")))
    step.tokens_out = number(names.get("ai.usage.outputTokens", names.get("ai.usage.completionTokens")))


def of_pydantic(step: Step, names: Mapping[str, Any]) -> None:
    """Pydantic AI: the whole conversation of an agent's run on its span."""
    said = gathered(names, "pydantic_ai.all_messages") or gathered(names, "all_messages_events")
    step.input = step.input or said
    step.output = step.output or names.get("final_result") or said
    step.model = step.model or words(names.get("model_name"))


def of_event(step: Step, name: str, names: Mapping[str, Any], body: Any = None) -> None:
    """What was recorded as an event on the span or as a log record: scores, messages, documents."""
    if name == "gen_ai.evaluation.result":
        step.scores.append(score_of(
            text_of(names.get("gen_ai.evaluation.name")), names.get("gen_ai.evaluation.score.value"), label=names.get("gen_ai.evaluation.score.label"),
            reason=names.get("gen_ai.evaluation.explanation"),
        ))
    elif name in _FOUND:
        given = {key: names.get(f"{name}.{key}") for key in ("id", "document", "metadata")}
        score = names.get(f"{name}.score", names.get(f"{name}.distance"))
        draft = draft_of({"id": given["id"], "text": given["document"], "metadata": structure(given["metadata"]), "score": score})
        step.kind, step.documents = "retriever", [*(step.documents or ()), draft]
    elif name in _SAID or name == "gen_ai.choice":
        _said(step, name, {**names, **(body if isinstance(body, Mapping) else {})})
    elif name in ("gen_ai.client.inference.operation.details", "gen_ai.content.prompt", "gen_ai.content.completion"):
        inner = {**names, **(body if isinstance(body, Mapping) else {})}
        step.input = step.input or gathered(inner, "gen_ai.input.messages") or gathered(inner, "gen_ai.prompt")
        step.output = step.output or gathered(inner, "gen_ai.output.messages") or gathered(inner, "gen_ai.completion")


def _said(step: Step, name: str, given: Mapping[str, Any]) -> None:
    message = structure(given.get("message")) if not is_null(given.get("message")) else gathered(given, "message")
    content = message.get("content") if isinstance(message, Mapping) else given.get("content", message)
    if name == "gen_ai.choice":
        step.output = step.output or content
        return
    held = step.input if isinstance(step.input, list) else [] if step.input is None else None
    if held is not None:  # attributes of the span say more than its events
        step.input = [*held, {"role": text_of(given.get("role")) or _SAID[name], "content": content}]
