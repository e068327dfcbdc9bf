"""Files or a run to the one object that ``ragviz evaluate --json`` prints."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence

from ragviz.contracts import ClaimExtractor, Judge, Rater, View
from ragviz.diagnosis.quadrants import Quadrant, standing_of
from ragviz.diagnosis.standings import counts_without_reference
from ragviz.errors import InputError
from ragviz.loaders.bundle import Source
from ragviz.metrics.aggregate import summarise
from ragviz.pipeline.choices import refuse_what_is_not_there
from ragviz.pipeline.evaluation import EvaluatedTrace, Evaluation, IssueLine, JudgeLine, SummaryLine, trace_line
from ragviz.pipeline.imported_scores import imported_summary
from ragviz.pipeline.importing import import_files
from ragviz.pipeline.judging import judge_run
from ragviz.pipeline.named_figures import NamedFigures
from ragviz.pipeline.scoring import Progress
from ragviz.pipeline.standing import Standing, standing
from ragviz.records import ImportedScore, LoadIssue, Policy, Provenance, Score, Summary, Trace
from ragviz.store import Store, open_store
from ragviz.text.counts import counted

MAX_NAMED = 10
Stands = Callable[[str], Standing]


def evaluate(
    paths: Sequence[Source], *, judge: str | Judge | None = None, k: int | None = None, strict_k: bool = False, policy: Policy = Policy.DEFAULT,
    run_name: str | None = None, format: str | None = None, documents: Source | None = None,  # noqa: A002 - the word of the command line
    field_map: Mapping[str, str] | None = None, store: Store | None = None, claims: str | ClaimExtractor | None = None,
    rater_names: Sequence[str | Rater] = (), api_key: str | None = None, on_progress: Progress | None = None, cancel: threading.Event | None = None,
    stands: Stands | None = None,
) -> Evaluation:
    """
    Read, judge and score files.

    Args:
        paths: Files that belong together.
        judge: Name or a judge; None = the file's own verdicts, else ``local``.
        k: Only the first k passages are evidence, and retrieval is cut at k; None = all, and 5.
        strict_k: Refuse traces without exactly k distinct passages.
        policy: Convention for refusals, conflicts, unjudged and empty claims.
        run_name: As for ``import_files``.
        format: As for ``import_files``.
        documents: As for ``import_files``.
        field_map: As for ``import_files``.
        store: Where the run stays; None = nowhere.
        claims: As for ``judge_run``.
        rater_names: As for ``judge_run``.
        api_key: For judges that need one.
        on_progress: Told how many of how many traces are judged.
        cancel: Stops between batches.
        stands: What a judge's confidence is worth, by its fingerprint; None = what the store knows.

    Raises:
        InputError: Nothing could be read, ``strict_k`` refuses a trace, or the judge compares annotated facts and the file has none.
        JudgeUnavailable: The judge cannot work here.
    """
    refuse_strict_without_k(k, strict_k=strict_k)
    target = store or open_store(":memory:")
    try:
        report = import_files(
            target, paths, run_name=run_name, format=format, documents=documents, field_map=field_map, cancel=cancel,
        )
        if not report.n_traces:
            issue = report.issues[0] if report.issues else LoadIssue(where=str(paths[0]), message="no trace found")
            raise InputError(f"{issue.where}: {issue.message}" if not issue.message.startswith(issue.where) else issue.message, fix=issue.fix)
        return evaluate_run(
            target, report.run_id, judge=judge, k=k, strict_k=strict_k, policy=policy, claims=claims, rater_names=rater_names, api_key=api_key,
            on_progress=on_progress, cancel=cancel, stands=stands,
        )
    finally:
        if store is None:
            target.close()


def evaluate_run(
    store: Store, run_id: str, *, judge: str | Judge | None = None, k: int | None = None, strict_k: bool = False, policy: Policy = Policy.DEFAULT,
    claims: str | ClaimExtractor | None = None, rater_names: Sequence[str | Rater] = (), api_key: str | None = None, on_progress: Progress | None = None,
    cancel: threading.Event | None = None, stands: Stands | None = None,
) -> Evaluation:
    """Judge what is not judged yet of a stored run, and give everything there is to say about it."""
    manifest = store.run(run_id)
    if claims is None:  # otherwise what is asked does not go together, whatever the file has
        refuse_what_is_not_there(judge, store.traits(manifest.run_id))
    refuse_strict_without_k(k, strict_k=strict_k)
    if strict_k and k is not None:
        check_strict(store, manifest.run_id, k)
    report = judge_run(
        store, manifest.run_id, judge, k=k, policy=policy, claims=claims, rater_names=rater_names, api_key=api_key, on_progress=on_progress, cancel=cancel
    )
    return evaluation(store, report.view, report.judge, stands=stands)


def refuse_strict_without_k(k: int | None, *, strict_k: bool) -> None:
    """
    Raises:
        InputError: Exactly how many passages are meant was not said.
    """
    if strict_k and k is None:
        raise InputError("--strict-k needs -k: the number of passages each trace must have", fix="add for example -k 5")


def check_strict(store: Store, run_id: str, k: int) -> None:
    """
    Raises:
        InputError: Traces without exactly k distinct passages, by name.
    """
    wrong = [(trace.id, n) for trace in store.traces(run_id) if (n := _distinct(trace)) != k]
    if wrong:
        named = ", ".join(f"{trace_id} ({n if n >= 0 else 'unknown'})" for trace_id, n in wrong[:MAX_NAMED])
        more = f" and {len(wrong) - MAX_NAMED} more" if len(wrong) > MAX_NAMED else ""
        raise InputError(
            f"exactly {counted(k, 'distinct passage')} {'is' if k == 1 else 'are'} required, but not found in: {named}{more}",
            fix="mend these traces, or leave out --strict-k",
        )


def _distinct(trace: Trace) -> int:
    """Number of distinct passages; -1 when one is repeated or the file cannot say."""
    if trace.passages is None:
        return -1
    ids = [passage.matching_id for passage in trace.passages]
    return len(ids) if len(set(ids)) == len(ids) else len(set(ids))


def evaluation(store: Store, view: View, judge: Provenance, *, stands: Stands | None = None) -> Evaluation:
    """The whole object of a view whose results are computed. ``stands``: as for ``evaluate``."""
    worth = stands(judge.fingerprint) if stands is not None else standing(store, judge.fingerprint)
    results = {result.trace_id: result for result in store.results(view)}
    lines: list[EvaluatedTrace] = []
    scores: dict[str, list[Score]] = {}
    groups: list[str] = []
    theirs: list[tuple[str, Sequence[ImportedScore]]] = []
    by_makers: bool | None = None
    for case in store.judged(view):
        sure = [j.calibrated for j in case.judgements if j.confidence is not None and j.provenance.fingerprint == judge.fingerprint]
        by_makers = any(sure) or bool(by_makers) if sure else by_makers
        result = results[case.trace.id]
        lines.append(trace_line(case, result, worth))
        theirs.append((case.trace.id, case.trace.scores))
        groups.append(case.trace.group if case.trace.group is not None else case.trace.question)
        for name, score in result.scores.items():
            scores.setdefault(name, []).append(score)
    summary = NamedFigures(
        {name: _line(summarise(name, found, groups if len(found) == len(groups) else None, policy=view.policy)) for name, found in scores.items()}
    )
    manifest = store.run(view.run_id)
    issues = [IssueLine(where=i.where, message=i.message, fix=i.fix) for i in store.issues(view.run_id)]
    return Evaluation(
        run=manifest.name, k=view.k, judge=JudgeLine.of(judge, worth, by_makers=by_makers), policy=view.policy, traces=lines, summary=summary, issues=issues,
        imported_scores=imported_summary(theirs),
    )


def _line(summary: Summary) -> SummaryLine:
    interval = summary.ci95
    return SummaryLine(
        macro=summary.macro, micro=summary.micro, n=summary.n, undefined=summary.undefined, coverage=summary.coverage,
        ci95=(interval.lo, interval.hi) if interval is not None else None,
    )


def stands_without_reference(found: Evaluation) -> dict[str, int] | None:
    """Traces by standing where no answer has a correctness; None where the quadrants say more."""
    f, c, r = ([t.scores[name].value if name in t.scores else None for t in found.traces] for name in ("faithfulness", "correctness", "relevance"))
    return counts_without_reference(f, c, r, [t.quadrant == "abstained" for t in found.traces])


def places_in_words(found: Evaluation) -> list[str]:
    """For each trace its quadrant; in a run without expected answers what can be said without one, as ``stands_without_reference`` counts it."""
    bare = stands_without_reference(found) is not None

    def place(trace: EvaluatedTrace) -> str:
        relevance, faithfulness = (trace.scores[name].value if name in trace.scores else None for name in ("relevance", "faithfulness"))
        told = bare and trace.quadrant == Quadrant.UNKNOWN
        return (standing_of(relevance, faithfulness) if told else trace.quadrant).replace("_", " ")

    return [place(trace) for trace in found.traces]
