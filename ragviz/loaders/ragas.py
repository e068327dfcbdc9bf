"""Ragas: datasets, evaluate() results, experiments, and the traces of its judge."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import count
from typing import Any, BinaryIO

from ragviz.loaders.building import first_text
from ragviz.loaders.cells import structure, text_of
from ragviz.loaders.claims_in import claim_in
from ragviz.loaders.companions import Companion, Part
from ragviz.loaders.fields import normal
from ragviz.loaders.format import Format, guarded
from ragviz.loaders.outline import Outline
from ragviz.loaders.records_in import trace_of_row
from ragviz.loaders.rows import Row, read_rows
from ragviz.records import ImportedClaim, ImportedScore, LoadIssue, Side, Trace

_V01 = ({"question", "answer", "contexts", "ground_truth"}, {"question", "answer", "contexts"}, {"question", "answer", "contexts", "ground_truths"})


def read(source: BinaryIO, filename: str) -> Iterator[Part]:
    """Samples; or, for the saved ``result.traces``, claims with verdicts by row order."""
    prompts: list[tuple[Row, tuple[ImportedClaim, ...] | None]] = []
    for row in read_rows(source, filename=filename):
        if isinstance(row, LoadIssue):
            yield row
        elif _is_prompt_log(row.value):
            prompts.append((row, _statements(row.value)))
        else:
            yield from guarded(row, _sample)
    if prompts:
        yield Companion(
            role="claims",
            rows=len(prompts),
            where=filename,
            claims=[claims for _, claims in prompts],
            fix="open it together with the evaluate() result, row for row",
            alone=[_from_prompts(row, claims) for row, claims in prompts],
        )


def _sample(row: Row) -> Iterator[Trace | LoadIssue]:
    names = {normal(str(k)): k for k in row.value}
    messages = structure(row.value.get(names.get("user_input", ""))) if "user_input" in names else None
    if isinstance(messages, list) and messages and isinstance(messages[0], Mapping):
        row = row._replace(value={**row.value, **_turns(messages)})
    several = structure(row.value.get("multi_responses"))
    if isinstance(several, list) and not row.value.get("response"):
        row = row._replace(value={**row.value, "response": first_text(several)})
    yield from trace_of_row(row)


def _turns(messages: list[Any]) -> dict[str, Any]:
    """A multi-turn sample: the last human message asks, later tool messages are passages, the last ai message answers."""
    turns = [m for m in messages if isinstance(m, Mapping)]
    asked = max((i for i, m in enumerate(turns) if m.get("type", m.get("role")) in ("human", "user")), default=-1)
    after = turns[asked + 1 :]
    tools = [m.get("content") for m in after if m.get("type", m.get("role")) == "tool"]
    answers = [m.get("content") for m in after if m.get("type", m.get("role")) in ("ai", "assistant")]
    found: dict[str, Any] = {"user_input": turns[: asked + 1], "response": answers[-1] if answers else None}
    return {**found, "retrieved_contexts": tools} if tools else found


def _is_prompt_log(value: Mapping[str, Any]) -> bool:
    """A row of ``result.traces``: metric → {prompt name: {input, output}}."""
    return (
        bool(value) and all(isinstance(part, Mapping) for part in value.values()) and any(str(k).endswith("_prompt") for part in value.values() for k in part)
    )


def _statements(value: Mapping[str, Any]) -> tuple[ImportedClaim, ...] | None:
    """Claims of faithfulness with verdict 1 (supported) or 0 (not inferable: Ragas cannot tell a contradiction)."""
    for part in value.values():
        prompt = part.get("n_l_i_statement_prompt") or part.get("nli_statement_prompt")
        output = prompt.get("output") if isinstance(prompt, Mapping) else None
        statements = output.get("statements") if isinstance(output, Mapping) else None
        if isinstance(statements, list):
            claims = (claim_in(s, Side.RESPONSE) for s in statements)
            return tuple(claim for claim in claims if claim is not None)
    return None


def _from_prompts(row: Row, claims: tuple[ImportedClaim, ...] | None) -> Trace:
    """A trace out of what the judge was shown: question and answer; the passages were joined, so they are unknown."""
    asked: Mapping[str, Any] = {}
    for part in row.value.values():
        for name, prompt in part.items():
            given = prompt.get("input") if isinstance(prompt, Mapping) else None
            if str(name).startswith("statement_generator") and isinstance(given, Mapping):
                asked = given
    return Trace(
        id=f"row-{row.n + 1}", question=text_of(asked.get("question")), response=text_of(asked.get("answer")), passages=None, claims=claims, origin=row.where,
    )


def matches(look: Outline) -> bool:
    """``user_input``, the exact columns of 0.1, or the prompt log of the judge."""
    if look.container not in ("json", "jsonl", "table", "parquet", "objects"):
        return False
    if "user_input" in look.names:
        return True
    if set(look.names) in _V01:
        return True
    return look.container in ("json", "jsonl", "objects") and not look.top and bool(look.rows) and _is_prompt_log(look.row)


def write_ragas(traces: Iterable[Trace]) -> Iterator[bytes]:
    """
    Traces as Ragas samples (``SingleTurnSample``), one JSON object a line, with imported scores as columns.

    A score of the file has its name; one that ragviz had another tool make has its maker behind it, so that two tools' faithfulness stay two columns.
    """
    for trace in traces:
        sample: dict[str, Any] = {"user_input": trace.question, "response": trace.response}
        if trace.passages is not None:
            sample["retrieved_contexts"] = [p.text for p in trace.passages]
            if any(p.doc_id is not None for p in trace.passages):
                sample["retrieved_context_ids"] = [p.matching_id for p in trace.passages]
        if trace.reference is not None:
            sample["reference"] = trace.reference
        if trace.relevant_texts is not None:
            sample["reference_contexts"] = list(trace.relevant_texts)
        if trace.relevant_ids is not None:
            sample["reference_context_ids"] = sorted(trace.relevant_ids)
        yield json.dumps(sample | _columns(trace.scores, taken=sample.keys()), ensure_ascii=False).encode() + b"\n"


def _columns(scores: Iterable[ImportedScore], *, taken: Collection[str]) -> dict[str, float | None]:
    """One column a score: what shares name and maker with an earlier one is numbered."""
    found: dict[str, float | None] = {}
    for score in scores:
        name = f"{score.name} ({score.maker})" if score.maker else score.name
        column = next(column for n in count(1) if (column := name if n == 1 else f"{name} {n}") not in found and column not in taken)
        found[column] = score.value
    return found


LOADER = Format(
    name="ragas", label="Ragas (0.1 to 0.4)", order=46, companion=True,
    recognised_by="user_input; or exactly the columns question, answer, contexts, ground_truth; or a list of *_prompt logs (result.traces)",
    matches=matches, read=read, suffixes=(".jsonl", ".csv", ".json", ".parquet"),
)
