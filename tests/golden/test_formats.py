"""Every key of every entry of the reference formats' expected.json holds, whatever the file is called."""

from __future__ import annotations

import io
import json
import os
import re
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest

from ragviz.loaders import Companion, detect, loaders, peek, read_many
from ragviz.loaders.bundle import FileReport
from ragviz.loaders.format import Format
from ragviz.loaders.opening import opened
from ragviz.records import LoadIssue, Side, Trace, Verdict
from ragviz.records.codec import decode, encode

REPO = Path(__file__).resolve().parents[2]
FORMATS = Path(os.environ.get("RAGVIZ_SHARED", REPO.parent / "shared")) / "formats"

ABOUT_THE_FILE = {
    "note", "columns", "lines", "spans_per_trace", "runs", "roots", "retriever_runs", "calls", "passages_from", "answer_column", "retrieval_gt", "latency_from",
    "first_trace_retriever_spans", "first_trace_documents_total", "second_trace_reranker_output", "task_types", "error",
}
"""Keys that describe the file or the way to read it, not what comes out."""

ROLES = {
    "documents": "documents", "corpus": "documents", "source half": "sources", "sidecar: claims": "claims", "sidecar: scores": "scores", "scores": "scores",
    "sidecar: passages": "passages", "aggregate": "aggregate", "sidecar: aggregate": "aggregate", "run list": "aggregate", "input": "traces",
}

LOADERS_OF = {
    "beir": {"beir", "beir_texts", "trec_qrels"},
    "trec": {"trec", "trec_qrels", "trec_scores"},
    "tutorial_trace": {"tutorial", "documents"},
    "langsmith": {"langsmith", "langsmith_dataset"},
    "langfuse": {"langfuse", "langfuse_otlp", "langfuse_scores"},
    "ragtruth": {"ragtruth", "ragtruth_sources"},
    "phoenix": {"phoenix", "phoenix_annotations", "phoenix_documents", "phoenix_experiment", "phoenix_dataset", "openinference", "chat_lines"},
    "autorag": {"autorag", "autorag_corpus", "averages"},
    "alce": {"alce", "averages"},
    "haystack": {"haystack", "averages"},
    "trulens": {"trulens", "averages"},
    "ragas": {"ragas", "generic"},
    "llamaindex": {"llamaindex", "generic"},
}


def entries() -> list[Any]:
    """(folder, file, expectation) of every entry; one skipped entry where the reference data is missing."""
    if not FORMATS.is_dir():
        return [pytest.param("", "", {}, marks=pytest.mark.skip(reason="reference data not found beside the checkout"))]
    found = []
    for expected in sorted(FORMATS.glob("*/expected.json")):
        for name, entry in json.loads(expected.read_text(encoding="utf-8")).items():
            found.append(pytest.param(expected.parent.name, name, entry, id=f"{expected.parent.name}/{name}"))
    return found


class Loaded:
    """One file as read, alone."""

    def __init__(self, path: Path) -> None:
        reading = read_many([path])
        parts = list(reading)
        self.traces = [p for p in parts if isinstance(p, Trace)]
        self.issues = [p for p in parts if isinstance(p, LoadIssue)]
        self.report: FileReport = reading.files[0]
        self.companion = _companion(path, self.report)


def _companion(path: Path, report: FileReport) -> Companion | None:
    if report.role == "traces" or not report.format:
        return None
    loader = loaders.make(report.format)
    assert isinstance(loader, Format)
    with opened(path) as source:
        return next((p for p in loader.parts(source, filename=path.name) if isinstance(p, Companion)), None)


@lru_cache(maxsize=4)
def load(path: Path) -> Loaded:
    """The file, read once for all tests of it."""
    return Loaded(path)


def claims_of(trace: Trace, side: Side = Side.RESPONSE) -> list[Any]:
    return [c for c in trace.claims or () if c.side is side]


def scores_of(trace: Trace) -> dict[str, float | None]:
    return {s.name: s.value for s in trace.scores}


def line_of(trace: Trace) -> int:
    return int(trace.origin.rsplit(":", 1)[-1]) if ":" in trace.origin else 0


def number_matches(wanted: Any, found: int) -> bool:
    """4 · "3 or 4" · "recovered prefix (3)" · "recovered prefix or 0" · ">=2 (…)" · "1 (…)"."""
    if isinstance(wanted, int):
        return found == wanted
    if wanted.startswith(">="):
        return found >= int(re.findall(r"\d+", wanted)[0])
    if wanted == "recovered prefix or 0":
        return found >= 0
    numbers = re.findall(r"\d+", wanted.split("(")[0]) or re.findall(r"\d+", wanted)
    return found in [int(n) for n in numbers]


def check(key: str, wanted: Any, loaded: Loaded, folder: str) -> None:
    """One key of an expectation."""
    traces, issues, report, companion = loaded.traces, loaded.issues, loaded.report, loaded.companion
    first = traces[0] if traces else None
    if key == "traces":
        assert number_matches(wanted, len(traces) if traces or companion is None else companion.rows), (len(traces), issues)
    elif key == "queries":
        assert len(companion.grades if companion is not None else traces) == wanted
    elif key == "rows":
        if companion is not None:
            assert report.n_rows == wanted
        elif folder in ("trec", "beir"):
            assert sum(len(t.passages or ()) for t in traces) == wanted
    elif key == "role":
        assert report.role == ("refused" if wanted.startswith("refuse") else ROLES[wanted.split(" with")[0].removesuffix(": refuse")])
    elif key == "warnings":
        assert number_matches(wanted, len(issues)), issues
    elif key in ("first_question", "first_question_by_time"):
        found = next(iter(companion.questions.values())) if first is None and companion is not None else first.question  # type: ignore[union-attr]
        assert found == (wanted or "")
    elif key == "first_question_in_file":
        assert min(traces, key=line_of).question == wanted
    elif key in ("first_passages", "documents"):
        assert len(first.passages or ()) == wanted  # type: ignore[union-attr]
    elif key in ("passages_per_trace", "passages_by_time"):
        assert [len(t.passages or ()) for t in traces] == wanted
    elif key == "passages_per_question":
        assert {t.question: len(t.passages or ()) for t in traces} == wanted
    elif key in ("first_doc_ids", "doc_ids"):
        assert [p.doc_id for p in first.passages] == (wanted if wanted is not None else [None] * len(first.passages))  # type: ignore[union-attr,arg-type]
    elif key == "first_doc_id":
        assert first.passages[0].doc_id == wanted  # type: ignore[union-attr,index]
    elif key == "first_chunk_ids":
        assert [p.metadata["chunk_id"] for p in first.passages] == wanted  # type: ignore[union-attr]
    elif key == "ranks":
        lo, hi = map(int, re.findall(r"\d+", wanted))
        assert [p.rank - 1 for p in first.passages] == list(range(lo, hi + 1))  # type: ignore[union-attr]
    elif key == "reference_present":
        assert (first.reference is not None) is wanted  # type: ignore[union-attr]
    elif key in ("relevant_doc_ids", "relevant_doc_uris"):
        assert first.relevant_ids == frozenset(wanted)  # type: ignore[union-attr]
    elif key == "first_scores":
        assert {k: scores_of(first)[k] for k in wanted} == pytest.approx(wanted)  # type: ignore[arg-type]
    elif key == "third_scores":
        assert {k: scores_of(traces[2])[k] for k in wanted} == wanted
    elif key == "passes":
        assert sum(value == 1.0 for t in traces for name, value in scores_of(t).items() if name.endswith(" pass")) == wanted
    elif key == "first_claims":
        claims = companion.claims[0] if companion is not None else claims_of(first)  # type: ignore[arg-type]
        assert [[c.text, int(c.verdicts[0].verdict is Verdict.ENTAILED)] for c in claims] == wanted  # type: ignore[union-attr]
    elif key == "first_claims_from":
        assert claims_of(first)  # type: ignore[arg-type]
    elif key == "response_claims":
        counts = [len(claims_of(t)) for t in traces]
        assert (counts if isinstance(wanted, list) else counts[0]) == wanted
    elif key == "reference_claims":
        assert len(claims_of(first, Side.REFERENCE)) == wanted  # type: ignore[arg-type]
    elif key in ("supported_by_passages", "supported_by_reference"):
        table = "response_x_" + key.rsplit("_", 1)[-1]
        assert sum(any(v.table == table and v.verdict is Verdict.ENTAILED for v in c.verdicts) for c in claims_of(first)) == wanted  # type: ignore[arg-type]
    elif key == "claims":
        assert [None if t.claims is None else len(claims_of(t)) for t in traces] == wanted
    elif key == "spans":
        if isinstance(wanted, list):
            assert [sum(len(c.spans) for c in claims_of(t)) for t in traces] == wanted
    elif key == "first_spans":
        assert sum(len(c.spans) for c in claims_of(first)) == wanted  # type: ignore[arg-type]
    elif key == "labels":
        assert [claims_of(t)[0].verdicts[0].label for t in traces] == wanted
    elif key == "overall":
        assert [t.scores[0].label for t in traces] == wanted
    elif key == "names":
        if companion is not None:
            assert {s.name for scores in companion.scores.values() for s in scores} == set(wanted)
        else:
            assert [t.id for t in traces] == wanted
    elif key == "qids":
        assert [t.id for t in traces] == wanted
    elif key == "relevant":
        assert sum(grade > 0 for grades in companion.grades.values() for grade in grades.values()) == wanted  # type: ignore[union-attr]
    elif key == "values":
        for name, value in wanted.items():
            question, metric = name.split()
            assert {s.name: s.value for s in companion.scores[question]}[metric] == value  # type: ignore[union-attr]
    elif key == "trace_count":
        assert len(companion.passages) == wanted  # type: ignore[union-attr]
    elif key == "model":
        assert first.model == wanted  # type: ignore[union-attr]
    elif key == "cost":
        assert first.usage.cost_usd == pytest.approx(wanted)  # type: ignore[union-attr]
    elif key == "cost_total":
        assert float(first.tags["run_cost_usd"]) == wanted  # type: ignore[union-attr]
    elif key in ("latency_s", "latency_ms"):
        assert first.usage.latency_ms == pytest.approx(wanted * (1000 if key == "latency_s" else 1))  # type: ignore[union-attr]
    elif key == "tokens":
        assert [first.usage.tokens_in, first.usage.tokens_out] == wanted  # type: ignore[union-attr]
    elif key == "citations":
        assert [p for c in first.citations for p in c.passage_ids] == wanted  # type: ignore[union-attr]
    elif key == "citations_in_answer":
        assert [first.passage(p).rank for c in first.citations for p in c.passage_ids] == wanted  # type: ignore[union-attr]
    elif key == "answered":
        assert scores_of(first)["has_successful_answer"] == float(wanted)  # type: ignore[arg-type]
    elif key == "first_passage_text":
        if wanted is None:
            assert (first.passages[0].text, first.passages_are) == ("", "ids")  # type: ignore[union-attr,index]
        else:  # emptied by the tool: the summary stands in, and says so
            assert first.passages[0].metadata["text_is"] == "summary"  # type: ignore[union-attr,index]
    elif key == "fourth_passage_has_text":
        assert bool(traces[3].passages[0].text) is wanted  # type: ignore[index]
    elif key == "with_source":
        joined = [p for p in read_many([FORMATS / folder / "response.jsonl", FORMATS / folder / "source_info.jsonl"]) if isinstance(p, Trace)]
        assert (joined[0].question, len(joined[0].passages or ())) == (wanted["first_question"], wanted["first_passages"])
    else:
        assert key in ABOUT_THE_FILE, f"no check for {key}"


@pytest.mark.parametrize(("folder", "name", "entry"), entries())
def test_every_key_holds(folder: str, name: str, entry: dict[str, Any]) -> None:
    """Traces, passages, ids, scores, claims, verdicts, costs and warnings come out as expected."""
    loaded = load(FORMATS / folder / name)

    for key, wanted in entry.items():
        check(key, wanted, loaded, folder)
    assert loaded.traces or loaded.issues
    assert all(decode(encode(part), type(part)) == part for part in (*loaded.traces, *loaded.issues))
    assert all(i.message and "Traceback" not in i.message for i in loaded.issues)


@pytest.mark.parametrize(("folder", "name", "entry"), entries())
def test_content_decides_not_the_name(folder: str, name: str, entry: dict[str, Any]) -> None:
    """Renamed to x.dat the file is recognised as the same format, and that format is the tool's own."""
    path = FORMATS / folder / name
    with opened(path) as source:
        head = peek(source)
    found = [loader.name for loader, _ in detect(head, "x.dat")]
    report = load(path).report
    stream = read_many([("x.dat", io.BytesIO(path.read_bytes()))])
    count = sum(isinstance(p, Trace) for p in stream)

    assert (found[0] if found else "") == report.format == stream.files[0].format
    assert count == len(load(path).traces)
    if "error" not in entry:
        assert found[0] in LOADERS_OF.get(folder, {folder})
