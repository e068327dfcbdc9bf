"""``ragviz evaluate``: every score of a file or run, for people, machines and reports."""

from __future__ import annotations

import argparse
import sys
import threading
from functools import partial
from pathlib import Path

from ragviz.cli.argument_types import one_path_each
from ragviz.cli.causes_told import NAME_WIDTH, causes
from ragviz.cli.interrupting import stop_on_interrupt
from ragviz.cli.looking import measured
from ragviz.cli.printing import Progress, measure, number, plain, table
from ragviz.cli.read_only import workable
from ragviz.cli.stores import api_key, find_run, known_standing, opened_store
from ragviz.diagnosis.standings import WITHOUT_REFERENCE, in_words
from ragviz.errors import InputError
from ragviz.figures.plot_text import counted
from ragviz.judges import judges
from ragviz.loaders.sources import place_of
from ragviz.metrics.scoring import NO_ANSWER, NO_PASSAGES
from ragviz.pipeline import Evaluation, evaluate, evaluate_run
from ragviz.pipeline.choices import make_judge
from ragviz.pipeline.evaluating import places_in_words, stands_without_reference
from ragviz.pipeline.exporting import whole_file
from ragviz.records import Policy, Split
from ragviz.stats.bootstrap import why_none
from ragviz.store import Store
from ragviz.store.splits import questions_of
from ragviz.text.unmarked import unmarked

HEADLINES = ("faithfulness", "hallucination", "correctness", "relevance")
MARKS = {"supported": "✓", "not_supported": "?", "contradicted": "✕", "conflicted": "⇄", "unjudged": "○"}
LEAST_SHOWN = 0.0995
"""Below it three decimals are fewer than three digits."""
"""Of a fact that the file notes at a passage: it settles the claim, and no place in the text says it."""
FAILING = ("not_supported", "contradicted", "conflicted", "unjudged")


def run(args: argparse.Namespace) -> int:
    """Judge and print; exit 2 when nothing could be read."""
    found = evaluation_of(args, args.files)
    if args.json:
        sys.stdout.write(found.to_json().decode("utf-8", "backslashreplace") + "\n")
    elif args.markdown:
        from ragviz.reports.markdown import evaluation_markdown  # noqa: PLC0415 - only this output needs it

        sys.stdout.write(evaluation_markdown(found))
    elif args.html:
        from ragviz.reports.html import evaluation_html  # noqa: PLC0415

        with whole_file(Path(args.html)) as target:
            target.write(evaluation_html(found).encode("utf-8", "replace"))
        sys.stdout.write(f"Written to {args.html}.\n")
    else:
        sys.stdout.write(words(found) + _together(args.files))
        sys.stderr.write(weaker(found))
    return 0


def _together(files: list[str]) -> str:
    """That several files were taken as one run, and what to do with two versions; "" for one file."""
    files = list({place_of(file): file for file in files}.values())
    if len(files) < 2:
        return ""
    named = ", ".join(plain(Path(file).name or file, 60) for file in files[:5]) + (", …" if len(files) > 5 else "")
    return f"\n{counted(len(files), 'file')} were read as one run: {named}. Two versions of a system are two runs: `ragviz compare BASE CANDIDATE` takes one file of each.\n"


def weaker(found: Evaluation) -> str:
    """That the judge worked here without its model, and how it gets that; "" where it had all it can use."""
    if found.judge.judge not in judges.names() or found.judge.model is not None:
        return ""
    state = make_judge(found.judge.judge).available()
    return f"{state.degraded[:1].upper()}{state.degraded[1:]}. {state.fix} adds what is missing.\n" if state.ok and state.degraded else ""


def evaluation_of(args: argparse.Namespace, files: list[str]) -> Evaluation:
    """
    The evaluation of files, or of a stored run of that name.

    A file goes into a store only with --store or --run; otherwise it leaves nothing behind.
    """
    progress = Progress("traces judged")
    policy, strict = Policy(getattr(args, "policy", "default")), bool(getattr(args, "strict_k", False))
    run_name = getattr(args, "run", None)
    claims, raters = getattr(args, "claims", None), getattr(args, "raters", ())

    def of_files(store: Store | None, cancel: threading.Event) -> Evaluation:
        return evaluate(files, store=store, cancel=cancel, stands=None if store else partial(known_standing, None), judge=args.judge, k=args.k, strict_k=strict, policy=policy, claims=claims, rater_names=raters, api_key=api_key(), on_progress=progress, run_name=run_name,
                        format=getattr(args, "format", None), documents=getattr(args, "documents", None), field_map=one_path_each(getattr(args, "field_map", ())))

    is_file = len(files) > 1 or files[0] == "-" or Path(files[0]).exists() or any(c in files[0] for c in "*?[")
    try:
        if is_file and not args.store and not run_name:
            with stop_on_interrupt() as cancel:
                return of_files(None, cancel)
        with opened_store(args.store) as store, stop_on_interrupt() as cancel:
            if is_file:
                return of_files(store, cancel)
            manifest = find_run(store, files[0])
            if manifest is None:
                raise InputError(f"{files[0]} is neither a file nor a run of the store", fix="check the path; `ragviz import FILE` makes a run")
            measured(questions_of(store, manifest.run_id, Split.HELD_OUT), command="ragviz evaluate", store=store)
            with workable(store, manifest.run_id, judge=args.judge, k=args.k, policy=policy, claims=claims) as place:
                return evaluate_run(
                    place,
                    manifest.run_id,
                    judge=args.judge,
                    k=args.k,
                    strict_k=strict,
                    policy=policy,
                    claims=claims,
                    rater_names=raters,
                    api_key=api_key(),
                    on_progress=progress,
                    cancel=cancel,
                )
    finally:
        progress.end()


def cites_nothing(found: Evaluation) -> bool:
    """Claims there are, and not one of them carries a citation."""
    claims = [c for t in found.traces for c in t.claims]
    return bool(claims) and not any(c.citations for c in claims)


def unanswered(found: Evaluation) -> str:
    """What figures of a run without a single claim do not mean, and the way out; "" where an answer says anything."""
    if not found.traces or any(t.claims for t in found.traces):
        return ""
    absent = sum("abstained" in t.scores and t.scores["abstained"].reason == NO_ANSWER for t in found.traces)
    if absent + sum(t.quadrant == "abstained" for t in found.traces) < len(found.traces):
        return ""
    counts = (
        "no trace has an answer"
        if absent == len(found.traces)
        else "every trace counts as abstained"
        if not absent
        else "every trace that has an answer counts as abstained"
    )
    return (f"No answer states anything, so there is no claim to judge: {counts}. If these are retrieval results, "
            "`ragviz retrieval RUN.trec QRELS` scores them; if the file holds answers, name their column with --map response=COLUMN.")


def unchecked(found: Evaluation) -> str:
    """What cannot be said of traces without passages, and the way out; "" where all have some."""
    bare = sum(t.scores["faithfulness"].reason == NO_PASSAGES for t in found.traces if "faithfulness" in t.scores)
    if not bare:
        return ""
    who = "No trace names" if bare == len(found.traces) else f"{bare:,} of {counted(len(found.traces), 'trace')} do not name"
    return (f"{who} what was retrieved: their claims cannot be checked, and faithfulness, hallucination and citations have no value. "
            "If the file holds the passages, name the column with --map passages=COLUMN; else add a column passages, a JSON list of texts in each row.")


def imported(found: Evaluation) -> list[str]:
    """Means of what other tools gave the traces, under their own heading: nothing of ours is computed from them."""
    if not found.imported_scores:
        return []
    rows = [[plain(name, 60), short(s.mean), str(s.n), str(s.missing)] for name, s in found.imported_scores.items()]
    return [
        "Scores of other tools that came with the traces (theirs, not recomputed):",
        table(rows, heading=["imported score", "mean", "n", "no number"], right=range(1, 4)),
        "",
    ]


def short(value: float | None) -> str:
    """Of a figure whose scale nobody knows: as any other, and a small one with digits enough to be told from 0."""
    return number(value) if not value or abs(value) >= LEAST_SHOWN else f"{value:.3g}"


def words(found: Evaluation) -> str:
    """Means, then one line per trace, then the claims that went wrong."""
    judge = found.judge
    model = f", {judge.model}" if judge.model else ""
    lines = [f"Run {plain(found.run)}: {counted(len(found.traces), 'trace')}, judge {judge.judge} {judge.judge_version}{model}, policy {found.policy}"
             + (f", first {counted(found.k, 'passage')}" if found.k else ""), ""]
    rows = [
        [
            name,
            measure(name, s.macro),
            measure(name, s.micro),
            f"{measure(name, s.ci95[0])} to {measure(name, s.ci95[1])}" if s.ci95 else why_none(s.n),
            str(s.n),
            str(s.undefined),
            number(s.coverage, 2),
        ]
        for name, s in found.summary.items()
        if s.n
    ]
    lines += [table(rows, heading=["metric", "macro", "micro", "95 % interval", "n", "undefined", "coverage"], right=range(1, 7)), ""]
    lines += imported(found)
    lines += (
        [f"Confidence of this judge: {plain(judge.calibration_note)}.", ""]
        if judge.calibration_note and any(c.confidence is not None for t in found.traces for c in t.claims)
        else []
    )
    bare = unanswered(found) or unchecked(found)
    lines += [bare, ""] if bare else ["No answer cites anything: citation recall and coverage are 0 for that reason alone.", ""] if cites_nothing(found) else []
    stand = stands_without_reference(found)
    traces = [[plain(t.id, 24), place, *(number(t.scores[name].value, 2) if name in t.scores else "–" for name in HEADLINES), plain(t.question, 56)]
              for t, place in zip(found.traces, places_in_words(found), strict=True)]
    if any(t.quadrant != "unknown" or any(name in t.scores and t.scores[name].value is not None for name in HEADLINES) for t in found.traces):
        lines += [table(traces, heading=["trace", "standing" if stand else "quadrant", *HEADLINES, "question"], right=range(2, 2 + len(HEADLINES)))]
    if stand:
        lines += ["", f"Where the answers stand ({WITHOUT_REFERENCE}): {in_words(stand).lower()}."]
    wrong = [(t, c) for t in found.traces for c in t.claims if c.verdict in FAILING]
    if wrong:
        lines += ["", f"Claims to look at ({len(wrong):,}):"]
        for trace, claim in wrong:
            lines.append(f"  {MARKS[claim.verdict]} {claim.verdict.replace('_', ' ')}  {plain(trace.id, 24)} {claim.id}: {plain(unmarked(claim.text), 120)}")
            lines += [f"      {plain(e.name, NAME_WIDTH)} [{e.start}:{e.end}] “{plain(e.quote, 110)}”" for e in claim.evidence[:3]]
    lines += causes(found)
    if found.issues:
        lines += ["", f"Rows with issues ({len(found.issues):,}):"]
        lines += [f"  {plain(i.where)}: {plain(i.message)}" + (f" → {plain(i.fix)}" if i.fix else "") for i in found.issues[:20]]
    return "\n".join(lines) + "\n"
