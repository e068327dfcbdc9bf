"""Span attributes of every family (OpenInference, GenAI, Langfuse, TruLens, MLflow) as steps."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from ragviz.loaders.asked import unquoted
from ragviz.loaders.building import score_of, tags_of
from ragviz.loaders.cells import is_null, number, structure, text_of, words
from ragviz.loaders.genai_attributes import of_genai, of_pydantic, of_vercel
from ragviz.loaders.messages import messages_of
from ragviz.loaders.passages import Draft, draft_of, drafts_of
from ragviz.loaders.passages_inside import given_back
from ragviz.loaders.steps import Step

_DOCUMENT = re.compile(r"^(retrieval\.documents|reranker\.output_documents)[.\[](\d+)\]?\.document\.(.+)$")


_ANSWERING = ("LLM", "CHAIN", "AGENT")
"""Kinds of spans that give an answer, whatever documents are noted on them."""


def flat(attributes: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """Nested objects and lists of objects as dotted names; lists of plain values stay values."""
    found: dict[str, Any] = {}
    for name, value in attributes.items():
        key = f"{prefix}{name}"
        if isinstance(value, Mapping):
            found.update(flat(value, f"{key}."))
        elif isinstance(value, list) and value and all(isinstance(v, Mapping) for v in value):
            for n, element in enumerate(value):
                found.update(flat(element, f"{key}.{n}."))
        elif value is not None:
            found[key] = value
    return found


def describe(step: Step, attributes: Mapping[str, Any], *, kind: str = "") -> Step:
    """Fill a step from its attributes, by the first family that is present."""
    names = flat(attributes)
    if any(n.startswith("langfuse.") for n in names):
        _langfuse(step, names)
    elif any(n.startswith("mlflow.") for n in names):
        _mlflow(step, names)
    elif any(n.startswith("ai.observability.") for n in names):
        _trulens(step, names)
    elif kind or any(n.startswith(("openinference.", "retrieval.documents", "reranker.", "input.", "output.", "llm.")) for n in names):
        _openinference(step, names, kind)
    elif any(n.startswith("ai.") for n in names):
        of_vercel(step, names)
    if any(n.startswith(("gen_ai.", "traceloop.")) for n in names):
        of_genai(step, names)
    if names.keys() & {"final_result", "all_messages_events", "pydantic_ai.all_messages"}:
        of_pydantic(step, names)
    session = names.get("session.id") or names.get("gen_ai.conversation.id")
    if session is not None:
        step.tags["session"] = text_of(session)
    return step


def documents_in(names: Mapping[str, Any], prefix: str) -> list[Draft]:
    """Documents by NUMERIC index (10 comes after 9), gaps allowed; the index stays the rank."""
    found: dict[int, dict[str, Any]] = {}
    for name, value in names.items():
        match = _DOCUMENT.match(name)
        if match and match[1] == prefix:
            document = found.setdefault(int(match[2]), {"metadata": {}})
            if match[3].startswith("metadata."):
                document["metadata"][match[3].removeprefix("metadata.")] = value
            elif match[3] == "metadata":
                given = structure(value)
                document["metadata"].update(given if isinstance(given, Mapping) else {})
            else:
                document[match[3]] = value
    whole = structure(names.get(prefix))
    if not found and isinstance(whole, list):  # all of them as JSON in one attribute
        return drafts_of(whole) or []
    if not found and isinstance(texts := structure(names.get(f"{prefix}.contents")), list):  # Arize AX: a column of texts, one of ids, …
        columns = {ours: structure(names.get(f"{prefix}.{theirs}")) for ours, theirs in (("id", "ids"), ("score", "scores"), ("metadata", "metadatas"))}
        found = {
            n: {"content": text, **{name: cells[n] for name, cells in columns.items() if isinstance(cells, list) and n < len(cells)}}
            for n, text in enumerate(texts)
        }
    drafts = []
    for index in sorted(found):
        draft = draft_of(found[index])
        draft.rank = index + 1
        drafts.append(draft)
    return drafts


def _openinference(step: Step, names: Mapping[str, Any], kind: str) -> None:
    kind = text_of(names.get("openinference.span.kind") or kind).upper()
    found = documents_in(names, "retrieval.documents")
    ranked = documents_in(names, "reranker.output_documents")
    step.input, step.output = names.get("input.value"), names.get("output.value")
    # The plain SDK keeps 128 attributes and drops the oldest, the kind among them: documents make a retriever whatever it is called.
    if kind == "RERANKER" or ranked:
        step.kind, step.documents = "reranker", ranked
    elif kind == "RETRIEVER" or (found and kind not in _ANSWERING):
        step.kind, step.documents = "retriever", _with_output(found, step.output)
    elif kind == "LLM":
        step.kind = "llm"
        said = [message["content"] for message in messages_of(names, "llm.output_messages") if not is_null(message["content"])]
        step.output = next(filter(None, said), None) or step.output
        step.input = messages_of(names, "llm.input_messages") or step.input
    elif kind == "TOOL":
        step.kind, step.tool = "tool", given_back(unquoted(step.output))
    if found and kind in _ANSWERING:
        step.fallback = found  # one span for the whole answer, as people write them by hand
    step.model = words(names.get("llm.model_name"))
    step.tokens_in, step.tokens_out = number(names.get("llm.token_count.prompt")), number(names.get("llm.token_count.completion"))
    step.cost_usd = number(names.get("llm.cost.total"))
    labels = structure(names.get("tag.tags"))
    if isinstance(labels, list):
        step.tags["tags"] = ", ".join(map(text_of, labels))
    meta = structure(names.get("metadata"))
    step.tags.update(tags_of(meta if isinstance(meta, Mapping) else {n.removeprefix("metadata."): v for n, v in names.items() if n.startswith("metadata.")}))


def _with_output(drafts: list[Draft], output: Any) -> list[Draft]:
    """Documents with the ids that LangChain's instrumentation leaves only in the output value, by position."""
    if all(d.doc_id is not None for d in drafts) and drafts:
        return drafts
    given = unquoted(output)
    given = given.get("documents", given.get("output")) if isinstance(given, Mapping) else given
    others = drafts_of(given) if isinstance(given, list) and given else None
    if not others:
        return drafts
    if not drafts:
        return others
    for draft, other in zip(drafts, others, strict=False):
        if draft.doc_id is None and (not other.text or other.text == draft.text):
            draft.doc_id = other.doc_id
            draft.metadata = {**other.metadata, **draft.metadata}
            for field in ("title", "source", "revision", "effective_date", "authority", "score"):
                if getattr(draft, field) is None:
                    setattr(draft, field, getattr(other, field))
    return drafts


def _langfuse(step: Step, names: Mapping[str, Any]) -> None:
    kind = text_of(names.get("langfuse.observation.type")).lower()
    step.input, step.output = (
        names.get("langfuse.observation.input", names.get("langfuse.trace.input")),
        names.get("langfuse.observation.output", names.get("langfuse.trace.output")),
    )
    if kind == "retriever" or (kind in ("span", "") and "retriev" in step.name.lower()):
        step.kind, step.documents = "retriever", drafts_of(unquoted(step.output))
    elif kind == "generation":
        step.kind = "llm"
    step.model = words(names.get("langfuse.observation.model.name"))
    usage, cost = structure(names.get("langfuse.observation.usage_details")), structure(names.get("langfuse.observation.cost_details"))
    if isinstance(usage, Mapping):
        step.tokens_in, step.tokens_out = number(usage.get("input")), number(usage.get("output"))
    if isinstance(cost, Mapping):
        step.cost_usd = number(cost.get("total"))
    labels = structure(names.get("langfuse.trace.tags"))
    if isinstance(labels, list):
        step.tags["tags"] = ", ".join(map(text_of, labels))


def _mlflow(step: Step, names: Mapping[str, Any]) -> None:
    """Values are JSON inside text: decoded twice."""
    kind = text_of(unquoted(names.get("mlflow.spanType"))).upper()
    step.input, step.output = _decoded(step, names, "mlflow.spanInputs"), _decoded(step, names, "mlflow.spanOutputs")
    if kind == "RETRIEVER":
        step.kind, step.documents = "retriever", drafts_of(step.output)
    elif kind == "RERANKER":
        step.kind, step.documents = "reranker", drafts_of(step.output)
    elif kind in ("LLM", "CHAT_MODEL"):
        step.kind = "llm"
    elif kind == "TOOL":
        step.kind, step.tool = "tool", given_back(step.output)
    step.model = words(unquoted(names.get("mlflow.llm.model")))
    usage = {n.rsplit(".", 1)[-1]: v for n, v in names.items() if n.startswith("mlflow.chat.tokenUsage.")} or unquoted(names.get("mlflow.chat.tokenUsage"))
    if isinstance(usage, Mapping) and step.kind == "llm":
        step.tokens_in, step.tokens_out = number(usage.get("input_tokens")), number(usage.get("output_tokens"))


def _decoded(step: Step, names: Mapping[str, Any], name: str) -> Any:
    """An attribute value, taken out of its JSON text; a doubt where it is cut off."""
    nested = {n.removeprefix(f"{name}."): v for n, v in names.items() if n.startswith(f"{name}.")}
    value = names.get(name, nested or None)
    if not isinstance(value, str) or value.strip()[:1] not in ('"', "{", "["):
        return value
    decoded = unquoted(value)
    if decoded is value or (isinstance(decoded, str) and value.strip()[:1] in "{["):
        step.doubts.append(f"{name.rsplit('.', 1)[-1]} of step {step.name or step.id} is not complete JSON")
        return None
    return decoded


def _trulens(step: Step, names: Mapping[str, Any]) -> None:
    known = {n.removeprefix("ai.observability."): v for n, v in names.items() if n.startswith("ai.observability.")}
    kind = text_of(known.get("span_type")).lower()
    if kind == "retrieval" or "retrieval.retrieved_contexts" in known:
        step.kind, step.input = "retriever", known.get("retrieval.query_text")
        step.documents = drafts_of(structure(known.get("retrieval.retrieved_contexts"))) or []
    elif kind == "generation":
        step.kind = "llm"
    elif kind == "record_root":
        step.input, step.output = known.get("record_root.input"), known.get("record_root.output")
        step.reference = words(known.get("record_root.ground_truth_output"))
    elif kind == "eval_root" and known.get("eval_root.metric_name"):
        step.scores = [score_of(text_of(known["eval_root.metric_name"]), known.get("eval_root.score"), reason=known.get("eval_root.explanation"))]
    step.model = words(known.get("cost.model"))
    step.tokens_in, step.tokens_out, step.cost_usd = (
        number(known.get("cost.num_prompt_tokens")),
        number(known.get("cost.num_completion_tokens")),
        number(known.get("cost.cost")),
    )
