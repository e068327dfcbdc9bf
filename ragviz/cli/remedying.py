"""``ragviz remedy``: try a remedy on answers that failed; the new answers become a run of their own."""

from __future__ import annotations

import argparse
import sys

import msgspec

from ragviz.backends.anthropic_client import DEFAULT_MODEL, AnthropicClient
from ragviz.backends.budget import Budget
from ragviz.cli.interrupting import stop_on_interrupt
from ragviz.cli.printing import Progress, number, plain, print_json, table
from ragviz.cli.stores import api_key, opened_store, require_run
from ragviz.contracts import View
from ragviz.errors import BackendError, Cancelled, InputError
from ragviz.figures.plot_text import counted
from ragviz.pipeline.choices import make_judge
from ragviz.pipeline.judging import judge_run
from ragviz.pipeline.remedy_effect import RemedyEffect, own_judge, remedy_effect
from ragviz.pipeline.remedy_plan import RemedyPlan, plan_remedy
from ragviz.pipeline.remedy_selection import chosen_ids, read_selection
from ragviz.pipeline.remedy_settings import remedy_named, verifier
from ragviz.pipeline.remedying import RemedyReport, remedy_run
from ragviz.records import RemedySettings, RunManifest, ScoreKind
from ragviz.store import Store
from ragviz.text.sums import dollars


def run(args: argparse.Namespace) -> int:
    """Plan, ask, judge, compare."""
    remedy = remedy_named(args.remedy)
    settings = _settings(args)
    budget = Budget(max_usd=args.max_usd, max_tokens=args.max_tokens)
    client = AnthropicClient(api_key=api_key(), model=args.model or DEFAULT_MODEL, budget=budget) if remedy.info.hosted else None
    progress = Progress("traces treated")
    with opened_store(args.store) as store:
        manifest = require_run(store, args.run)
        try:
            with stop_on_interrupt() as cancel:
                judge, claims = verifier(store, manifest.run_id, args.judge, claims=args.claims, api_key=api_key(), cancel=cancel, budget=budget)
                # A selection by verdict needs verdicts; what is judged already is not judged again.
                view = judge_run(store, manifest.run_id, judge, k=args.k, claims=claims, api_key=api_key(), on_progress=Progress("traces judged"), cancel=cancel,
                                 budget=budget).view
                seen = _file_verdicts(store, manifest, args) or view
                ids = chosen_ids(store, seen, read_selection(args.select or (["all"] if args.remedy == "gate" else ["failing"])), limit=args.limit)
                if not ids:
                    raise InputError(f"no trace of {manifest.name!r} is selected", fix="--select all takes every trace")
                planned = plan_remedy(store, view, args.remedy, settings, ids, client=client)
                if args.plan:
                    _print_plan(planned, args)
                    return 0
                if not args.json:
                    sys.stderr.write(_plan_words(planned))
                report = remedy_run(
                    store, manifest.run_id, remedy, settings=settings, trace_ids=ids, judge_name=judge, claims=claims, seen=seen, client=client, api_key=api_key(),
                    run_name=args.name, turn=args.turn, on_progress=progress, cancel=cancel, budget=budget,
                )
        except (BackendError, Cancelled):
            progress.end()
            if budget.spent_tokens:
                sys.stderr.write(f"Spent so far by this call: {dollars(budget.spent_usd)}, {counted(budget.spent_tokens, 'token')}.\n")
            raise
        finally:
            progress.end()
        effect = remedy_effect(store, report.before, report.after)
        _print_report(report, effect, manifest, args, doubt=own_judge(store.run(report.run_id).remedy, effect, report.after))
    return 0


def _file_verdicts(store: Store, manifest: RunManifest, args: argparse.Namespace) -> View | None:
    """The run through the judge that was named, where that one reads only what the file brings: a remedy without a model can act on its words."""
    if args.judge is None or make_judge(args.judge).info.claim_set == "text":
        return None
    return judge_run(store, manifest.run_id, args.judge, k=args.k).view


def _settings(args: argparse.Namespace) -> RemedySettings:
    if args.remedy == "gate" and args.threshold is None:
        raise InputError("the retrieval gate has no threshold", fix="give --threshold; the Lab page shows what each one does to the run")
    return RemedySettings(
        scores=ScoreKind(args.scores), threshold=args.threshold, min_passages=args.passages, higher_is_better=not args.lower_is_better, flag=args.flag, target=args.target,
        max_rounds=args.rounds, min_confidence=args.min_confidence, k=args.k,
    )


def _print_plan(planned: RemedyPlan, args: argparse.Namespace) -> None:
    if args.json:
        print_json(msgspec.to_builtins(planned))
    else:
        sys.stdout.write(_plan_words(planned))


def _plan_words(planned: RemedyPlan) -> str:
    if not planned.model:
        return f"{counted(planned.n_traces, 'trace')}, nothing is sent anywhere.\n"
    upto = f"{planned.calls:,} to {counted(planned.most_calls, 'call')}" if planned.most_calls > planned.calls else counted(planned.calls, "call")
    money = "at an unknown price" if planned.cost_usd is None else f"at most about {dollars(planned.cost_usd)}"
    return f"{counted(planned.n_traces, 'trace')}, {planned.n_untouched:,} of them need no call; {upto} to {planned.model}, {money}, about {planned.seconds / 60:.1f} min.\n"


def _print_report(report: RemedyReport, effect: RemedyEffect, parent: RunManifest, args: argparse.Namespace, *, doubt: str) -> None:
    if args.json:
        print_json({
            "run": report.run, "run_id": report.run_id, "parent": parent.name, "remedy": report.remedy, "judge": report.after.judge, "traces": report.n_traces,
            "already": report.n_already, "statuses": report.statuses, "calls": report.n_calls, "repeated": report.n_repeated, "cost_usd": report.cost_usd,
            "unpriced_calls": report.unpriced_calls, "tokens": report.tokens, "judge_usd": report.judge_usd, "seconds": round(report.seconds, 3),
            "effect": msgspec.to_builtins(effect),
        })
        return
    sys.stdout.write(words(report, effect, parent, doubt=doubt))


def words(report: RemedyReport, effect: RemedyEffect, parent: RunManifest, *, doubt: str = "") -> str:
    """What came of it, for people. ``doubt``: what the figures cannot show."""
    done = ", ".join(f"{n:,} {status}" for status, n in report.statuses.items() if n)
    lines = [f"Run {plain(report.run)!r} from {plain(parent.name)!r} by {report.remedy}: {counted(report.n_traces, 'trace')}, {done}."]
    lines += [f"  failed, old answer kept: {plain(reason)} ({n:,})" for reason, n in effect.failures.items()]
    rows = [
        [m.metric, number(m.before), number(m.after), "–" if m.difference is None else f"{m.difference:+.3f}".replace("-", "−"),
         f"{m.ci95.lo:+.3f} to {m.ci95.hi:+.3f}".replace("-", "−") if m.ci95 else "too few" if m.n_pairs else "–", f"{m.n_before:,}", f"{m.n_after:,}", f"{m.n_pairs:,}"] for m in effect.metrics
    ]
    lines += [table(rows, heading=["metric", "before", "after", "difference", "95 % interval", "n before", "n after", "pairs"], right=range(1, 8))]
    lines.append(f"Answered: {effect.answered_before:,} before, {effect.answered_after:,} after, of {effect.n:,}.")
    if effect.n_removed or effect.n_lost:
        lines.append(f"{counted(effect.n_removed, 'unsupported claim')} removed or marked; {effect.n_lost:,} supported ones went with them." + (f" {doubt}" if doubt else ""))
    if effect.n_rejected:
        lines.append(f"{counted(effect.n_rejected, 'claim')} rejected, each with its reason on the Lab page.")
    if report.n_calls or report.n_repeated:
        lines.append(f"{counted(report.n_calls, 'call')}, {report.n_repeated:,} answered from stored replies, {counted(report.tokens, 'token')}, {dollars(report.cost_usd)}"
                     + (f" and {counted(report.unpriced_calls, 'call')} of unknown price" if report.unpriced_calls else "") + f", {report.seconds:.1f} s.")
    return "\n".join(lines) + "\n"

