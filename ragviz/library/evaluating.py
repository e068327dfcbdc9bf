"""``ragviz.evaluate`` and ``ragviz.difference``: traces in, verdicts and scores out."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

from ragviz.compare.report import Comparison
from ragviz.contracts import Judge, Rater
from ragviz.errors import InputError
from ragviz.library.arguments import place_of, policy_of, whole_k
from ragviz.library.kept import keep, seen
from ragviz.library.rows import sources_of
from ragviz.library.wording import in_python, of_rows, told_in_python
from ragviz.loaders import parse_map
from ragviz.pipeline import Evaluation, Progress, import_files, judge_run
from ragviz.pipeline.comparing import Seen, compare_seen
from ragviz.pipeline.evaluating import evaluation
from ragviz.pipeline.evaluation import IssueLine
from ragviz.records import Policy
from ragviz.store import Store, open_store


def evaluate(
    traces: Any, *, judge: str | Judge | None = None, k: int | None = None, policy: Policy | str = Policy.DEFAULT, run: str | None = None,
    store: str | Path | Store | None = None, format: str | None = None, documents: str | Path | None = None,  # noqa: A002 - the word of the command line
    fields: Mapping[str, str] | None = None, claims: str | None = None, raters: Sequence[str | Rater] = (), api_key: str | None = None,
    on_progress: Progress | None = None,
) -> Evaluation:
    """
    Read, judge and score traces: what ``ragviz evaluate`` prints, as an object.

    Args:
        traces: A file (or several, a folder, a glob, an archive), dicts in any shape such a file may have, a pandas data frame, or the name of a run of ``store``.
        judge: Name, or a judge; None = the verdicts that came along, else ``local``.
        k: Only the first k passages are evidence, and retrieval is cut at k; None = all, and 5.
        policy: Convention for refusals, conflicts, unjudged and empty claims.
        run: What the run is called in the store.
        store: Where the run stays, so that the dashboard can open it; None = nowhere.
        format: Name of a loader; None = recognised by content.
        documents: A file with the passages' texts.
        fields: Where our fields are in an unknown shape: ``{"question": "prompt"}``.
        claims: Who splits answers into claims: "rules" or "anthropic[:model]"; None = those that came along, else the rules.
        raters: Raters that need a network, by name.
        api_key: For judges that need one; None = what ``ANTHROPIC_API_KEY`` holds.
        on_progress: Told how many of how many traces are judged.

    Returns:
        Judge, scores and claims of every trace, summary with intervals, and the rows that could not be read.

    Raises:
        InputError: Nothing could be read, ``fields`` names no field of ours, or an argument is of another kind than it should be.
        JudgeUnavailable: The judge cannot work here; says what helps.
    """
    key = api_key or os.environ.get("ANTHROPIC_API_KEY") or None
    k, convention = whole_k(k), policy_of(policy)
    with told_in_python(), ExitStack() as stack:
        field_map = parse_map([f"{ours}={theirs}" for ours, theirs in fields.items()]) if fields else None
        place = _opened(store, stack)
        run_id = _stored(place, traces) if store is not None else None
        if run_id is None:
            run_id = _imported(place, traces, run, format=format, documents=documents, field_map=field_map)
        done = judge_run(place, run_id, judge, k=k, policy=convention, claims=claims, rater_names=raters, api_key=key, on_progress=on_progress)
        found = evaluation(place, done.view, done.judge)
        if store is None:
            stack.pop_all()  # the store lives as long as the result, see ``keep``
    found.issues = [IssueLine(where=issue.where, message=in_python(issue.message), fix=in_python(issue.fix)) for issue in found.issues]
    keep(found, place if store is None else store, done.view, ours=store is None)
    return found


def difference(base: Any, candidate: Any, *, judge: str | Judge | None = None, k: int | None = None, api_key: str | None = None) -> Comparison:
    """
    Two sets of traces side by side: what ``ragviz compare`` prints, as an object.

    Args:
        base: What was; as for ``evaluate``, or an ``Evaluation`` that it returned, of which nothing is judged again.
        candidate: What is to be; the same.
        judge: For sides that are not judged yet, the same for both; None = the verdicts that came along, else ``local``.
        k: As for ``evaluate``.
        api_key: As for ``evaluate``.

    Returns:
        Differences with intervals and p-values over paired traces, and the claims whose verdict changed, with the reason.

    Raises:
        InputError: A side could not be read, or is an ``Evaluation`` that no longer knows its traces (a copy).
        JudgeUnavailable: The judge cannot work here; says what helps.
    """
    key = api_key or os.environ.get("ANTHROPIC_API_KEY") or None
    k = whole_k(k)
    with told_in_python(), ExitStack() as stack:
        memory = _opened(None, stack)
        sides = [
            seen(traces, stack) if isinstance(traces, Evaluation) else Seen(memory, judge_run(memory, _imported(memory, traces, name), judge, k=k, api_key=key).view)
            for traces, name in ((base, "base"), (candidate, "candidate"))
        ]
        return compare_seen(*sides)


def _imported(
    store: Store, traces: Any, name: str | None, *, format: str | None = None, documents: str | Path | None = None, field_map: Mapping[str, str] | None = None,  # noqa: A002
) -> str:
    """The run that the traces became."""
    sources = sources_of(traces)
    report = import_files(store, sources, run_name=name, format=format, documents=documents, field_map=field_map)
    if not report.n_traces:
        issue = next(iter(report.issues), None)
        where = f"{issue.where}: " if issue is not None and not issue.message.startswith(issue.where) else ""
        message = f"{where}{issue.message}" if issue else "no trace found"
        raise InputError(of_rows(message) if any(isinstance(source, tuple) for source in sources) else message, fix=issue.fix if issue else "")
    return report.run_id


def _stored(store: Store, traces: Any) -> str | None:
    """The run of that id or name, the newest of several; None where there is none, or a file of that name."""
    if not isinstance(traces, str) or Path(traces).exists():
        return None
    return next((run.run_id for run in store.runs() if traces in (run.run_id, run.name)), None)


def _opened(place: str | Path | Store | None, stack: ExitStack) -> Store:
    """A store by its address, or one in memory, closed with ``stack``; one that is open already stays so."""
    if isinstance(place_of(place), Store):
        return place  # type: ignore[return-value]
    return stack.enter_context(closing(open_store(":memory:" if place is None else str(place), env=os.environ)))
