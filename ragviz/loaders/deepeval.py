"""DeepEval: test runs, evaluation results, data sets of goldens and test cases."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any, BinaryIO

import msgspec

from ragviz.loaders.building import score_of, warning
from ragviz.loaders.cells import is_null, structure, text_of
from ragviz.loaders.claims_in import claim_text
from ragviz.loaders.companions import Part
from ragviz.loaders.deepeval_turns import are_cases, conversation, holds_turns
from ragviz.loaders.fields import Record, normal
from ragviz.loaders.format import Format, guarded
from ragviz.loaders.outline import Outline
from ragviz.loaders.records_in import trace_of_row
from ragviz.loaders.rows import Row, read_rows
from ragviz.loaders.sqlite import database, rows_of
from ragviz.records import JOINED, ImportedClaim, ImportedVerdict, LoadIssue, Side, Table, Trace, Verdict

_VERDICTS = {"yes": Verdict.ENTAILED, "no": Verdict.CONTRADICTED, "idk": Verdict.UNJUDGED}
"""DeepEval's "no" means that the context contradicts the claim; what is merely absent is "idk"."""
_DROPPED = frozenset({"flaky", "success", "order", "index", "conversational", "multimodal", "run_duration", "evaluation_cost", "turns", "custom_column_key_values",
                      "expectations", "classifications", "tools_called", "expected_tools", "source_file", "comments", "mllm", "trace"})


def read(source: BinaryIO, filename: str) -> Iterator[Part]:
    """Test cases wherever they lie in the file."""
    start = source.tell()
    magic = source.read(15)
    source.seek(start)
    if magic == b"SQLite format 3":
        with database(source) as found:
            cases = [_from_database(row) for row in rows_of(found, "SELECT * FROM test_cases")]
        for n, case in enumerate(cases):
            yield from guarded(Row(f"{filename}:{n + 1}", n, case), _case)
        return
    for row in read_rows(source, filename=filename):
        if isinstance(row, LoadIssue):
            yield row
            continue
        top = row.value.get("testRunData") if isinstance(row.value.get("testRunData"), Mapping) else row.value
        assert isinstance(top, Mapping)
        cases = top.get("testCases", top.get("test_results", top.get("test_cases")))
        if isinstance(cases, list) or isinstance(top.get("conversationalTestCases"), list):
            model = _model(top)
            for n, case in enumerate(cases if isinstance(cases, list) else ()):
                yield from guarded(Row(f"{filename}:{n + 1}", n, case), partial(_case, model=model))
        else:
            yield from guarded(row, _case)
        talks = top.get("conversationalTestCases")
        for n, talk in enumerate(talks if isinstance(talks, list) else (), start=len(cases) if isinstance(cases, list) else 0):
            yield from guarded(Row(f"{filename}:{n + 1}", n, talk), partial(_case, model=_model(top)))


def _model(top: Mapping[str, Any]) -> str | None:
    settings = top.get("hyperparameters")
    return text_of(settings["model"]) if isinstance(settings, Mapping) and not is_null(settings.get("model")) else None


def _case(row: Row, *, model: str | None = None) -> Iterator[Trace | LoadIssue]:
    if holds_turns(row.value):
        yield from _conversation(row, model)
        return
    record = Record(row.value)
    value = {name: given for name, given in record.values.items() if name not in _DROPPED}
    metrics = value.pop("metrics_data", None)
    notes: list[LoadIssue] = []
    for name in ("retrieval_context", "context"):
        if isinstance(value.get(name), str):
            value[name] = _split(value[name], row.where, notes)
    if "context" in value:
        value["reference_contexts"] = value.pop("context")
    meta = structure(value.get("additional_metadata", value.get("metadata")))
    contexts = value.get("retrieval_context")
    if isinstance(meta, Mapping) and isinstance(contexts, list):
        ids = next(
            (v for k, v in meta.items() if normal(str(k)) in ("doc_ids", "context_ids", "retrieved_ids", "retrieved_context_ids") and isinstance(v, list)), None
        )
        if ids is not None and len(ids) == len(contexts):
            value["doc_ids"] = ids
    if model is not None:
        value.setdefault("model", model)
    for part in trace_of_row(row._replace(value=value), notes=notes):
        yield _judged(part, metrics) if isinstance(part, Trace) else part


def _conversation(row: Row, model: str | None) -> Iterator[Trace | LoadIssue]:
    """Its scores, which are of the whole, stand at its last trace."""
    parts = list(conversation(row, model=model))
    last = max((n for n, part in enumerate(parts) if isinstance(part, Trace)), default=None)
    metrics = Record(row.value).values.get("metrics_data")
    yield from (_judged(part, metrics) if n == last and isinstance(part, Trace) else part for n, part in enumerate(parts))


def _judged(trace: Trace, metrics: Any) -> Trace:
    """The trace with its metrics as scores and the faithfulness verdicts as claims."""
    scores = []
    claims: tuple[ImportedClaim, ...] | None = None
    for metric in metrics if isinstance(metrics, list) else ():
        if not isinstance(metric, Mapping):
            continue
        given = Record(metric)
        name, error = text_of(given.values.get("name", given.values.get("metric"))), given.values.get("error")
        success = given.values.get("success")
        scores.append(
            score_of(
                name,
                given.values.get("score"),
                label=None if success is None else "pass" if success else "fail",
                reason=error if not is_null(error) else given.values.get("reason"),
            )
        )
        if claims is None and normal(name).startswith("faithfulness"):
            claims = _claims(given.values.get("verbose_logs"))
    return msgspec.structs.replace(trace, scores=(*trace.scores, *scores), claims=claims if claims is not None else trace.claims)


def _claims(log: Any) -> tuple[ImportedClaim, ...] | None:
    """The lists after "Claims:" and "Verdicts:" of the verbose log, one to one."""
    if not isinstance(log, str):
        return None
    claims, verdicts = _list_after(log, "Claims:"), _list_after(log, "Verdicts:")
    if claims is None:
        return None
    found = []
    for n, element in enumerate(claims):
        text = claim_text(element)
        said = verdicts[n] if verdicts is not None and n < len(verdicts) and isinstance(verdicts[n], Mapping) else None
        label = text_of(said.get("verdict")).strip().lower() if said is not None else ""
        given = (
            ()
            if not label
            else (
                ImportedVerdict(
                    table=Table.RESPONSE_X_PASSAGES,
                    premise_id=JOINED,
                    verdict=_VERDICTS.get(label, Verdict.UNJUDGED),
                    label=label,
                    reason=text_of(said.get("reason") if said else None),
                ),
            )
        )
        if text:
            found.append(ImportedClaim(side=Side.RESPONSE, text=text, verdicts=given))
    return tuple(found)


def _list_after(log: str, word: str) -> list[Any] | None:
    at = log.find(word)
    start = log.find("[", at)
    if at < 0 or start < 0:
        return None
    try:
        value, _ = json.JSONDecoder().raw_decode(log, start)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, list) else None


def _split(text: str, where: str, notes: list[LoadIssue]) -> Any:
    """Passages that the CSV and JSONL export joined with "|" (";" in old versions)."""
    if not text.strip():
        return None
    parsed = structure(text)
    if isinstance(parsed, list):
        return parsed
    if "|" in text:
        parts = text.split("|")
        if any(part != part.strip() for part in parts):
            notes.append(
                warning(
                    where,
                    'passages were joined with "|" and one of them contains it: it may have been cut in two',
                    "export the data set as JSON, which keeps lists",
                )
            )
        return parts
    parts = re.split(r";(?=\S)", text)
    if len(parts) > 1:
        notes.append(
            warning(where, 'passages were joined with ";" (old DeepEval): they may have been cut wrongly', "export the data set as JSON, which keeps lists")
        )
    return parts


def _from_database(row: Mapping[str, Any]) -> dict[str, Any]:
    """A row of test_cases; the case itself may be JSON in one of its columns."""
    cells = {name: structure(cell) for name, cell in row.items()}
    inner = next((cell for cell in cells.values() if isinstance(cell, Mapping) and ("input" in cell or "actualOutput" in cell)), None)
    return {**cells, **inner} if inner is not None else cells


def matches(look: Outline) -> bool:
    """Results of a test run, or test cases and goldens by their column names."""
    if look.container == "sqlite":
        return {"test_runs", "test_cases"} <= look.tables
    top = look.top.get("testRunData") if isinstance(look.top.get("testRunData"), dict) else look.top
    assert isinstance(top, Mapping)
    cases = top.get("testCases", top.get("test_results", top.get("conversationalTestCases")))
    if are_cases(look):
        return True
    if isinstance(cases, list):
        return bool(top.keys() & {"metricsScores", "testPassed", "test_run_id", "testFile", "conversationalTestCases"}) or _is_case(cases[0] if cases else None)
    return "input" in look.names and bool(look.names & {"actual_output", "expected_output", "retrieval_context"}) and look.container != "text"


def _is_case(case: Any) -> bool:
    return holds_turns(case) or (isinstance(case, dict) and "input" in case and bool(case.keys() & {"actualOutput", "actual_output", "metricsData", "metrics_data"}))


LOADER = Format(
    name="deepeval", label="DeepEval test runs and data sets", order=44, matches=matches, read=read, suffixes=(".json", ".jsonl", ".csv", ".db"),
    recognised_by="testCases or test_results; input with actual_output, expected_output or retrieval_context (also in camel case); or turns with retrieval_context, or beside a scenario",
)
