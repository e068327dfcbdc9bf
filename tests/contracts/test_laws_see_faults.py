"""Each law fails on the fault it is there for: a loader or a metric that is sound but for that one."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import Any, BinaryIO

import pytest
from msgspec.structs import replace

from ragviz.contracts import Loader, Metric
from ragviz.loaders import loaders
from ragviz.metrics import metrics
from ragviz.records import JudgedTrace, LoadIssue, Score, Trace, Usage
from tests.build import a_case
from tests.contracts import loader_damage_laws as damage
from tests.contracts import loader_laws, metric_laws
from tests.contracts.loader_samples import SAMPLES, Sample

Parts = list[Trace | LoadIssue]
_numbers = itertools.count(1)


class SpoiltLoader:
    """A registered loader with one fault: in what it reads, or in what it says of itself."""

    def __init__(self, whole: str, fault: Callable[[bytes, Parts], Parts] | None = None, **words: Any) -> None:
        self._whole: Loader = loaders.make(whole)
        self._fault = fault or (lambda _raw, parts: parts)
        vars(self).update(words)

    def __getattr__(self, word: str) -> Any:
        return getattr(self._whole, word)

    def load(self, source: BinaryIO, *, filename: str) -> Iterator[Trace | LoadIssue]:
        raw = source.read()
        source.seek(0)
        yield from self._fault(raw, list(self._whole.load(source, filename=filename)))


def traces(change: Callable[[Trace], Trace]) -> Callable[[bytes, Parts], Parts]:
    """A fault in every trace."""
    return lambda _raw, parts: [change(part) if isinstance(part, Trace) else part for part in parts]


def issues(change: Callable[[LoadIssue], LoadIssue]) -> Callable[[bytes, Parts], Parts]:
    """A fault in every issue."""
    return lambda _raw, parts: [change(part) if isinstance(part, LoadIssue) else part for part in parts]


def refuse(raw: bytes, parts: Parts) -> Parts:
    """A traceback for what is nothing of the kind."""
    if not any(isinstance(part, Trace) for part in parts):
        raise ValueError(raw[:20])
    return parts


LOADER_FAULTS: dict[str, tuple[Callable[[Loader, Sample], None], SpoiltLoader, str]] = {
    "another is surer of the sample": (loader_laws.check_recognises_its_own, SpoiltLoader("native", name="ragas"), "native"),
    "surer than sure": (loader_laws.check_sniff_never_raises, SpoiltLoader("native", sniff=lambda _head, _name: 2.0), "native"),
    "a row is lost": (loader_laws.check_every_row_comes_out, SpoiltLoader("native", lambda _raw, parts: parts[1:]), "native"),
    "a companion does not say what it needs": (loader_laws.check_every_row_comes_out, SpoiltLoader("documents", issues(lambda i: replace(i, fix=""))), "documents"),
    "ids change from load to load": (loader_laws.check_loads_twice_alike, SpoiltLoader("native", traces(lambda t: replace(t, id=f"{t.id}-{next(_numbers)}"))), "native"),
    "two traces of one id": (loader_laws.check_loads_twice_alike, SpoiltLoader("native", traces(lambda t: replace(t, id="t0"))), "native"),
    "two passages of one id": (loader_laws.check_traces_hold_together, SpoiltLoader("native", traces(lambda t: replace(t, passages=(t.passages or ()) * 2))), "native"),
    "nobody knows where it comes from": (loader_laws.check_traces_hold_together, SpoiltLoader("native", traces(lambda t: replace(t, origin=""))), "native"),
    "a traceback for junk": (loader_laws.check_junk_gives_issues, SpoiltLoader("native", refuse), "native"),
    "an issue without a word": (loader_laws.check_junk_gives_issues, SpoiltLoader("native", issues(lambda i: replace(i, message=""))), "native"),
    "a mark in front hides all": (loader_laws.check_bom_changes_nothing, SpoiltLoader("native", lambda raw, parts: [] if raw.startswith(b"\xef\xbb\xbf") else parts), "native"),
    "UTF-16 is not read": (loader_laws.check_utf16_changes_nothing, SpoiltLoader("native", lambda raw, parts: [] if raw.startswith((b"\xff\xfe", b"\xfe\xff")) else parts), "native"),
    "letters of Windows-1252 are guessed without a word": (
        loader_laws.check_windows_1252_is_read_and_told, SpoiltLoader("ragas", lambda _raw, parts: [p for p in parts if isinstance(p, Trace)]), "ragas",
    ),
    "a class that JSON does not know": (loader_laws.check_traces_can_be_stored, SpoiltLoader("native", traces(lambda t: replace(t, tags={"at": datetime(2026, 1, 1, tzinfo=UTC)}))), "native"),
    "no label": (loader_laws.check_says_what_it_is, SpoiltLoader("native", label=""), "native"),
    "one odd passage costs the file": (damage.check_an_odd_element_costs_no_trace, SpoiltLoader("native", lambda raw, parts: [] if b'"odd"' in raw else parts), "native"),
    "an odd record is passed over": (damage.check_an_odd_record_is_told_with_its_place, SpoiltLoader("refchecker", lambda _raw, parts: [p for p in parts if isinstance(p, Trace)]), "refchecker"),
    "an odd record somewhere": (damage.check_an_odd_record_is_told_with_its_place, SpoiltLoader("refchecker", issues(lambda i: replace(i, where="a list", message="odd"))), "refchecker"),
    "Python's own words": (damage.check_no_issue_speaks_python, SpoiltLoader("refchecker", issues(lambda i: replace(i, message="'NoneType' object is not subscriptable"))), "refchecker"),
    "a figure costs the file": (damage.check_no_figure_is_too_large_for_a_store, SpoiltLoader("ragas", lambda raw, parts: [] if b"1e+30" in raw else parts), "ragas"),
    "a figure that no store takes": (damage.check_no_figure_is_too_large_for_a_store, SpoiltLoader("ragas", traces(lambda t: replace(t, usage=Usage(tokens_in=10**30)))), "ragas"),
    "less than no time": (damage.check_no_figure_is_too_large_for_a_store, SpoiltLoader("ragas", traces(lambda t: replace(t, usage=Usage(latency_ms=-7.0)))), "ragas"),
}


@pytest.mark.parametrize("fault", LOADER_FAULTS)
def test_a_loader_with_one_fault_is_told_apart(fault: str) -> None:
    """The sound one keeps the law (``test_loaders.py``), this one does not."""
    law, loader, sample = LOADER_FAULTS[fault]

    with pytest.raises((AssertionError, ValueError)):
        law(loader, SAMPLES[sample])


def test_every_law_of_loaders_has_its_fault() -> None:
    """A law that nothing breaks says nothing."""
    assert {law for law, _, _ in LOADER_FAULTS.values()} == {*loader_laws.LAWS, *damage.DAMAGE_LAWS}


class SpoiltMetric:
    """Faithfulness with one fault."""

    def __init__(self, fault: Callable[[JudgedTrace, Score], Score]) -> None:
        self._whole: Metric = metrics.make("faithfulness")
        self._fault = fault

    @property
    def info(self) -> Any:
        return self._whole.info

    def score(self, case: JudgedTrace) -> Score:
        return self._fault(case, self._whole.score(case))


CASE = a_case("abc", "x", response_x_passages={"a": "EN", "b": "NN", "c": "?N"}, response_x_reference={"a": "E"})
METRIC_FAULTS: dict[str, Callable[[JudgedTrace, Score], Score]] = {
    "check_value_lies_in_the_declared_range": lambda _case, score: replace(score, value=1.5),
    "check_score_says_whose_it_is": lambda _case, score: replace(score, metric="correctness"),
    "check_ratio_is_what_it_says": lambda _case, score: replace(score, numerator=(score.numerator or 0) + 1),
    "check_depends_on_declared_needs_only": lambda case, score: replace(score, unjudged=len(case.judgements)),
    "check_order_of_claims_and_verdicts_changes_nothing": lambda case, score: replace(score, claim_ids=(case.claims[0].id,)),
    "check_unjudged_is_no_evidence": lambda case, score: replace(score, support=len(case.judgements)),
    "check_same_case_same_score": lambda _case, score: replace(score, unjudged=next(_numbers)),
}


@pytest.mark.parametrize("law", metric_laws.LAWS, ids=lambda law: law.__name__)
def test_a_metric_with_one_fault_is_told_apart(law: Callable[[Metric, JudgedTrace], None]) -> None:
    """The sound one keeps the law on the same case, this one does not; a new law brings its fault."""
    law(metrics.make("faithfulness"), CASE)

    with pytest.raises(AssertionError):
        law(SpoiltMetric(METRIC_FAULTS[law.__name__]), CASE)
