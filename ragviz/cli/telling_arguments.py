"""Options of the commands that tell what is known: compare, report, gate, retrieval, the lists, doctor, export, store, runs."""

from __future__ import annotations

from ragviz.cli.argument_types import ExampleRules, cutoffs, names, positive, run_name
from ragviz.cli.shared_options import (
    Commands,
    command,
    json_option,
    judge_option,
    k_option,
    noise_option,
    output_options,
    redact_option,
    store_option,
)


def add_compare(commands: Commands) -> None:
    """Declare ``ragviz compare``."""
    parser = command(commands, "compare", "comparing", "compare two runs, trace by trace and claim by claim")
    parser.add_argument("base", metavar="BASE", help="file or run")
    parser.add_argument("candidate", metavar="CANDIDATE", help="file or run")
    judge_option(parser)
    k_option(parser)
    noise_option(parser, "0, not at all")
    parser.add_argument("--slices", metavar="METRIC", default="faithfulness", help="the metric whose difference is shown by slice (default: faithfulness)")
    store_option(parser)
    output_options(parser)


def add_report(commands: Commands) -> None:
    """Declare ``ragviz report``."""
    parser = command(
        commands, "report", "reporting", "write a report for people who do not read traces: large numbers, the worst failures with their evidence, what changed"
    )
    parser.add_argument("run", metavar="RUN", help="file or run")
    parser.add_argument("out", metavar="OUT", help="ending decides: .html (prints well on A4, needs nothing else) or .md")
    parser.add_argument("--since", metavar="BASE", help="file or run of an earlier version: the report says what changed since")
    judge_option(parser)
    parser.add_argument("-k", type=positive, metavar="N", help="only the first N passages count as evidence")
    store_option(parser)


def add_gate(commands: Commands) -> None:
    """Declare ``ragviz gate``."""
    parser = command(commands, "gate", "gating", "pass or fail a candidate against known cases: exit 0 pass, 1 fail, 2 unusable input")
    parser.add_argument("candidate", metavar="CANDIDATE", help="the candidate's outputs, a file or a stored run; never its own ground truth")
    parser.add_argument("--against", metavar="GOLD", required=True, help="the cases with their ground truth, a file or a stored run")
    parser.add_argument("--baseline", metavar="RUN|FILE", help="an earlier version's answers to the same cases, for the rules no_regression")
    parser.add_argument(
        "--rules",
        metavar="gate.toml",
        help="thresholds, must-pass cases, what may not get worse than the baseline (default: faithfulness from 0.95, relevance, and with labels correctness and recall)",
    )
    k_option(parser)
    judge_option(parser)
    noise_option(parser, "20, or five rounds of up to eight cases, where a rule is about a baseline and the judge may answer differently each time")
    store_option(parser)
    parser.add_argument("--expect-failures", action="store_true", help="the candidate is a set of known failures: check that each is still detected")
    parser.add_argument("--example", action=ExampleRules, help="print rules to start with, and nothing else: ragviz gate --example > gate.toml")
    parser.add_argument("--junit", metavar="OUT", help="write JUnit XML")
    parser.add_argument("--markdown", metavar="OUT", help="write Markdown for a pull request")
    json_option(parser)


def add_retrieval(commands: Commands) -> None:
    """Declare ``ragviz retrieval``."""
    parser = command(commands, "retrieval", "ranking", "retrieval metrics of a TREC run, equal to trec_eval's")
    parser.add_argument("trec_run", metavar="RUN.trec")
    parser.add_argument("qrels", metavar="QRELS")
    parser.add_argument("-k", type=cutoffs, default=[1, 2, 3, 5, 10, 20], metavar="1,2,3,5,10,20")
    parser.add_argument("--relevance-level", type=positive, default=1, metavar="1", help="lowest grade that counts as relevant")
    json_option(parser)


def add_lists(commands: Commands) -> None:
    """Declare ``ragviz lists``."""
    for name, summary in (("formats", "list the file formats and what each is recognised by"), ("judges", "list the judges and what each needs"),
                          ("metrics", "list the metrics; --json adds formula, edge cases and source")):
        parser = command(commands, name, "listing", summary)
        parser.set_defaults(kind=name)
        if name == "metrics":
            parser.add_argument("name", nargs="?", metavar="NAME", help="explain one: definition, formula, edge cases, source")
        json_option(parser)


def add_doctor(commands: Commands) -> None:
    """Declare ``ragviz doctor``."""
    parser = command(
        commands,
        "doctor",
        "doctor",
        "say what works here: packages, weights, keys, store; with 'ragviz[onnx]', time what can run the sentence embeddings and keep the faster; "
        "exit 1 when a requested judge cannot work",
    )
    parser.add_argument(
        "--judge", metavar="NAME,…", type=names, default=[], help="check these judges only, and ask each something (a hosted one for a fraction of a cent)"
    )
    store_option(parser)
    json_option(parser)


def add_export(commands: Commands) -> None:
    """Declare ``ragviz export``."""
    parser = command(commands, "export", "exporting", "write a run to a file")
    parser.add_argument("run", metavar="RUN")
    parser.add_argument(
        "out",
        metavar="OUT",
        help="ending decides: .jsonl, .parquet, .csv, .claims.csv, .html, .md, .ragas.jsonl, .ragchecker.json, .ragviz (everything), .provenance.html or .provenance.md (what it takes to repeat the numbers)",
    )
    judge_option(parser)
    redact_option(parser, "in the file; the store keeps them")
    store_option(parser)


def add_store(commands: Commands) -> None:
    """Declare ``ragviz store``."""
    parser = commands.add_parser(
        "store", help="copy a store into another one, or delete runs from it", description="Copy a store into another one, or delete runs from it."
    )
    actions = parser.add_subparsers(title="actions", metavar="ACTION", required=True)
    _add_copy(actions)
    _add_delete(actions)


def _add_copy(actions: Commands) -> None:
    """Declare ``ragviz store copy``."""
    parser = command(actions, "copy", "copying", "copy a store into another one: a file into a team's PostgreSQL, or back")
    parser.add_argument("source", metavar="SOURCE", help="database file or URL (postgresql+psycopg://…) that is read")
    parser.add_argument("target", metavar="TARGET", help="the one that is written; what it holds stays")
    parser.add_argument("--run", metavar="NAME", type=run_name, action="append", default=[], help="only this run; may be given several times")
    json_option(parser)


def _add_delete(actions: Commands) -> None:
    """Declare ``ragviz store delete``."""
    parser = command(actions, "delete", "deleting", "delete runs with their verdicts and everything people said about them; no text of them stays in the store")
    parser.add_argument("runs", nargs="+", metavar="RUN", help="name or id; `ragviz runs` lists them")
    parser.add_argument("--yes", action="store_true", help="do not ask; needed where no terminal is there to ask at")
    store_option(parser)
    json_option(parser)


def add_runs(commands: Commands) -> None:
    """Declare ``ragviz runs``."""
    parser = command(commands, "runs", "listing_runs", "say where the store is and which runs it holds")
    store_option(parser)
    json_option(parser)
