"""Which name means what: heading synonyms, and the map a user gives for shapes nobody has seen."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

from ragviz.errors import InputError
from ragviz.loaders.cells import is_blank, is_null, structure
from ragviz.loaders.headings import OTHER_LANGUAGES

_SYSTEMS = ("bot", "chatbot", "assistant", "agent", "ai", "llm", "rag", "gpt", "model", "system", "final", "generated")
_SAID_BY_SYSTEM = tuple(f"{who}_{what}" for who in _SYSTEMS for what in ("answer", "response", "reply", "output"))
_ASKED_BY_USER = tuple(f"{who}_{what}" for who in ("user", "customer", "human") for what in ("question", "query", "prompt", "message", "request"))
"""What a logger of one's own calls them: who, and what was said."""
SYNONYMS: dict[str, tuple[str, ...]] = {
    "id": ("id", "trace_id", "query_id", "question_id", "qid", "sample_id", "example_id", "case_id", "uuid", "request_id", "req_id", "interaction_id", "log_id",
           "record_id", "name"),
    "question": ("question", "query", "user_input", "input", "prompt", "user_query", "questions", "user_question", "user_message", "inputs", *_ASKED_BY_USER,
                 "question_text", "query_text"),
    "response": ("response", "answer", "output", "actual_output", "generated_answer", "prediction", "model_response", "result", "generated_texts",
                 "predicted_answers", "responses", "generation", "completion", "model_answer", "llm_answer", "generated_response", "bot_answer", "outputs", "llm_response", "ai_response",
                 "assistant_response", "bot_response", "system_answer", "system_response", "final_answer", "generated_text", "reply", "prediction_text", "generated", "model_output", "model_prediction",
                 *_SAID_BY_SYSTEM, "bot_message", "assistant_message", "ai_message", "answer_text", "reply_text", "response_text", "output_text", "text_response"),
    "passages": ("passages", "contexts", "retrieved_contexts", "retrieval_context", "retrieved_context", "context", "documents", "source_documents",
                 "retrieved_documents", "retrieved_contents", "source_nodes", "retrieved", "chunks", "retrieved_chunks", "retrieved_passages", "sources",
                 "ctxs", "retrieved_docs", "source_docs", "search_results", "retrieval_results", "retrieved_text", "retrieved_texts", "retrieved_passage",
                 "retrieved_chunk", "context_chunks", "context_documents", "context_docs",
                 "passage", "passage_text", "paragraphs", "chunk_text", "retriever_resources", "retrieved_nodes", "retrievals"),
    "passage_ids": ("retrieved_context_ids", "retrieved_ids", "doc_ids", "context_ids", "passage_ids", "retrieved_doc_ids", "document_ids", "chunk_ids"),
    "passage_scores": ("retrieve_scores", "retrieved_scores", "passage_scores", "retrieval_scores"),
    "reference": ("reference", "reference_answer", "ground_truth", "ground_truths", "expected_output", "expected_answer", "gt_answer", "ideal",
                  "ground_truth_answers", "grading_notes", "generation_gt", "gold_answer", "reference_output", "expected_response", "golden_answer", "expected", "gold", "target_answer",
                  "reference_outputs", "reference.answer", "reference.output", "reference.response", "reference_outputs.answer", "reference_outputs.output"),
    "relevant_ids": ("reference_context_ids", "relevant_ids", "relevant_doc_ids", "relevant_documents", "retrieval_gt", "gold_doc_ids", "expected_doc_ids"),
    "relevant_texts": ("reference_contexts", "relevant_texts", "ground_truth_contexts", "gold_contexts"),
    "model": ("model", "model_name", "llm_model", "llm", "llm_name", "model_id"),
    "started_at": ("started_at", "timestamp", "start_time", "created_at", "ts", "datetime", "date_time", "logged_at", "requested_at", "asked_at"),
    "latency_ms": ("latency_ms", "duration_ms", "elapsed_ms", "response_time_ms"),
    "latency_s": ("latency_s", "latency", "completion_time", "duration_s", "elapsed_s", "response_time_s"),
    "cost_usd": ("cost_usd", "cost", "total_cost", "token_cost", "price_usd", "total_cost_usd", "cost_in_usd", "usd_cost"),
    "tokens_in": ("tokens_in", "prompt_tokens", "input_tokens", "input_token_count"),
    "tokens_out": ("tokens_out", "completion_tokens", "output_tokens", "output_token_count"),
    "answerable": ("answerable", "is_answerable"),
    "group": ("group",),
}
PREDICTED = (
    "prediction",
    "predicted_answer",
    "predicted_answers",
    "model_prediction",
    "model_answer",
    "llm_answer",
    "generated_answer",
    "generated",
    "prediction_text",
    "pred",
)
"""Names of an answer that speak of a system so clearly that ``answer`` beside them is the expected one."""
for _field, _names in OTHER_LANGUAGES.items():
    SYNONYMS[_field] += _names
SYNONYMS = {field: tuple(dict.fromkeys(names)) for field, names in SYNONYMS.items()}
_SAID = frozenset(name for field in ("question", "response", "reference") for name in SYNONYMS[field])
_SKIP = re.compile(r"^(unnamed:?_?\d*|index|level_0|__index_level_\d+__|)$")


_UNIT = re.compile(r"\s*[(\[](ms|s|usd)[)\]]$")
"""The unit behind a heading of a spreadsheet: "Latency (ms)" is ``latency_ms``."""


@lru_cache(maxsize=4096)
def normal(name: str) -> str:
    """A heading as we compare it: "User Input", "user-input", "userInput" and "inputs.user_input" are ``user_input``."""
    if not name.isascii():
        name = unicodedata.normalize("NFC", name)  # some keyboards write é as two characters
    name = re.sub(r"^(?:inputs?|outputs?)\.(?=\w)", "", name)
    name = re.sub(r"(?<=[a-z0-9])(?=[A-Z][a-z])", "_", name.strip())
    return re.sub(r"[\s\-]+", "_", _UNIT.sub(r" \1", name.lower()))


def is_index(name: str) -> bool:
    """True for the headings pandas gives to row numbers, and for empty ones."""
    return _SKIP.match(name) is not None


class Record:
    """A row of named values, looked up by any synonym; remembers what was used."""

    def __init__(self, row: Mapping[str, Any]) -> None:
        """Names are compared after ``normal``; of two equal headings the first counts."""
        self.values: dict[str, Any] = {}
        self.names: dict[str, str] = {}
        for name, value in row.items():
            key = normal(str(name))
            if not _SKIP.match(key) and key not in self.values:
                self.values[key] = value
                self.names[key] = str(name).strip()
        self.used: set[str] = set()

    def __contains__(self, key: str) -> bool:
        """True when the row has such a column, filled or not."""
        return key in self.values

    def filled(self, key: str) -> bool:
        """True when there is something in this column. A question or an answer may well be "None"; what a table means by it is gone already."""
        value = self.values.get(key)
        return not (is_blank(value) if key in _SAID else is_null(value))

    def take(self, *keys: str) -> Any:
        """The first of the columns that is there and filled, else None; all of them count as used when one fits."""
        found = None
        for key in keys:
            if key in self.values:
                self.used.add(key)
                if found is None and self.filled(key):
                    found = self.values[key]
        return found

    def pick(self, *keys: str) -> Any:
        """The first of the columns that is there and filled; only that one counts as used."""
        for key in keys:
            if self.filled(key):
                self.used.add(key)
                return self.values[key]
        return None

    def named(self, what: str) -> Any:
        """The value under any synonym of one of our fields."""
        return self.pick(*SYNONYMS[what])

    def has(self, what: str) -> bool:
        """True when there is a column for this field, filled or not."""
        present = [k for k in SYNONYMS[what] if k in self.values]
        self.used.update(k for k in present if not self.filled(k))
        return bool(present)

    def rest(self) -> dict[str, Any]:
        """What nobody asked for, under the names of the file."""
        return {self.names[k]: v for k, v in self.values.items() if k not in self.used}


def has_synonym(names: Iterable[str], *fields: str) -> bool:
    """True when the (normalised) names hold a synonym of any of the fields."""
    names = set(names)
    return any(name in names for field in fields for name in SYNONYMS[field])


def translated(headings: Mapping[str, str]) -> str:
    """
    ``Frage = question, Antwort = answer``: what headings of other languages are taken for; "" without any.

    Args:
        headings: Written name of each column by its normalised one.
    """
    told = []
    for field, names in OTHER_LANGUAGES.items():
        first = next((name for name in SYNONYMS[field] if name in headings), None)
        if first in names:
            told.append(f"{headings[first]} = {'answer' if field == 'response' else field}")
    return ", ".join(told)


def parse_map(pairs: Iterable[str]) -> dict[str, str]:
    """
    ``["question=prompt", "passages=chunks[].body"]`` as a map.

    Raises:
        InputError: A pair without "=" or a field we do not know.
    """
    known = {*SYNONYMS, "answer", "tags"}
    found: dict[str, str] = {}
    for pair in pairs:
        field, equals, path = pair.partition("=")
        field = {"answer": "response", "doc_ids": "passage_ids"}.get(field.strip(), field.strip())
        if not equals or not path.strip():
            raise InputError(f"--map {pair}: expected FIELD=PATH", fix="for example --map question=prompt --map passages=chunks[].body")
        if field not in known:
            raise InputError(f"--map {pair}: no field named {field!r}", fix=f"fields: {', '.join(sorted(known))}")
        found[field] = path.strip()
    return found


def follow(value: Any, path: str) -> Any:
    """
    What ``chunks[].body`` (or ``a.b[0].c``) leads to; None when it leads nowhere.

    ``[]`` means each element, so the result is a list; a key that itself contains dots is tried first.
    """
    if not path:
        return value
    if isinstance(value, Mapping) and path in value:
        return value[path]
    match = re.match(r"^\[(\d*)\]\.?|^([^.\[]+)\.?", path)
    if match is None:
        return None
    rest = path[match.end():]
    if match[2] is not None:
        return follow(value[match[2]], rest) if isinstance(value, Mapping) and match[2] in value else None
    if isinstance(value, str):

        value = structure(value)
    if not isinstance(value, list):
        return None
    if match[1]:
        return follow(value[int(match[1])], rest) if int(match[1]) < len(value) else None
    return [follow(element, rest) for element in value]
