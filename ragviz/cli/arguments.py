"""Commands and their options, word for word as documented."""

from __future__ import annotations

import argparse

from ragviz.cli.remedy_arguments import add_remedy
from ragviz.errors import InputError

MAX_PORT = 65535
SPLITS = ("development", "regression", "held-out", "fresh")
PROBES = ("repeated", "shuffled", "distractor", "reworded")
POLICIES = ("default", "strict", "ragas", "deepeval", "ragchecker")

Commands = argparse._SubParsersAction  # noqa: SLF001 - argparse has no public name for it


def add_commands(parser: argparse.ArgumentParser) -> None:
    """Declare every command on the parser. ``args.module`` then names the module whose ``run(args)`` does the work."""
    commands = parser.add_subparsers(title="commands", metavar="COMMAND")
    _add_open(commands)
    _add_import(commands)
    _add_watch(commands)
    _add_receive(commands)
    _add_judge(commands)
    _add_evaluate(commands)
    _add_ragas(commands)
    _add_compare(commands)
    _add_report(commands)
    _add_gate(commands)
    add_remedy(_command(commands, "remedy", "remedying", "try a remedy on answers that failed; the new answers become a run to compare with"))
    _add_feedback(commands)
    _add_calibrate(commands)
    _add_stability(commands)
    _add_retrieval(commands)
    _add_lists(commands)
    _add_doctor(commands)
    _add_export(commands)
    _add_store(commands)


def positive(text: str) -> int:
    """A whole number from 1."""
    try:
        number = int(text)
    except ValueError:
        number = 0
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 1")
    return number


def amount(text: str) -> float:
    """Dollars above 0."""
    try:
        number = float(text)
    except ValueError:
        number = 0.0
    if not 0 < number < float("inf"):
        raise argparse.ArgumentTypeError(f"{text!r} is not an amount of dollars above 0")
    return number


def whole(text: str) -> int:
    """A whole number from 0."""
    return 0 if text.strip() == "0" else positive(text)


def port(text: str) -> int:
    """A number that a server can listen on."""
    number = positive(text)
    if number > MAX_PORT:
        raise argparse.ArgumentTypeError(f"{text!r} is not a port: they end at {MAX_PORT}")
    return number


def cutoffs(text: str) -> list[int]:
    """``1,2,5`` as whole numbers from 1, ascending, each once."""
    return sorted({positive(part.strip()) for part in text.split(",")})


def field_mapping(text: str) -> tuple[str, str]:
    """``question=prompt`` as (our field, path in the file)."""
    from ragviz.loaders import parse_map  # noqa: PLC0415 - only those who name fields wait for the loaders

    ours, equals, theirs = text.partition("=")
    if not equals or not ours.strip() or not theirs.strip():
        raise argparse.ArgumentTypeError(f"{text!r} is not FIELD=PATH, as in passages=chunks[].body")
    try:
        return next(iter(parse_map([text]).items()))
    except InputError as exc:
        raise argparse.ArgumentTypeError(f"{exc.message.removeprefix(f'--map {text}: ')}; {exc.fix}") from exc


def _command(commands: Commands[argparse.ArgumentParser], name: str, module: str, summary: str) -> argparse.ArgumentParser:
    parser = commands.add_parser(name, help=summary, description=f"{summary[0].upper()}{summary[1:]}.")
    parser.set_defaults(module=module)
    return parser


def _store(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--store", metavar="PATH|URL", help="database file or URL (else RAGVIZ_STORE, else a file in your data folder)")


def _judge(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--judge", metavar="NAME", help="facts, local, imported, anthropic[:model], nli:<model>, cascade (default: the file's own verdicts, else local)")


def _claims_and_raters(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--claims", metavar="NAME", help="who splits texts into claims: rules, anthropic[:model] (default: the file's own claims, else rules)")
    parser.add_argument("--raters", metavar="NAME,…", type=_names, default=[],
                        help="further raters beside those that need no network: anthropic[:model] (both), anthropic_relevance, anthropic_passages")


def _budget(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--max-usd", metavar="N", type=amount, help="spend at most so many dollars on a service, then stop with exit code 1; what is judged stays")
    parser.add_argument("--max-tokens", metavar="N", type=positive, help="the same in tokens, sent and received together")


def _names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",") if name.strip()]


def _json(parser: argparse._ActionsContainer) -> None:
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def _reading(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--run", metavar="NAME", help="name of the run (default: the file's name)")
    parser.add_argument("--format", metavar="NAME", help="read as this format (default: recognised by content; `ragviz formats` lists them)")
    parser.add_argument("--documents", metavar="FILE", help="file with the passages' texts, for traces that hold ids only")
    parser.add_argument("--map", dest="field_map", metavar="FIELD=PATH", type=field_mapping, action="append", default=[],
                        help="where a field stands in an unknown shape: --map question=prompt --map 'passages=chunks[].body'")


def _redact(parser: argparse.ArgumentParser, when: str) -> None:
    parser.add_argument("--redact", metavar="WHAT,…", type=_names, default=[],
                        help=f"hide private details {when}: emails, phones, a TOML file with patterns of your own; lengths and offsets stay")


def _splits(parser: argparse.ArgumentParser) -> None:
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--split", choices=SPLITS, help="what these traces are kept for; held-out ones are opened only after a question, and every look is counted")
    which.add_argument("--split-column", metavar="COLUMN", help="column that says so of each trace (train, dev and test are understood too)")


def _add_open(commands: Commands[argparse.ArgumentParser]) -> None:
    parser = _command(commands, "open", "opening", "import files if given, and open the dashboard")
    parser.add_argument("files", nargs="*", metavar="FILE")
    _store(parser)
    _reading(parser)
    _redact(parser, "before anything is stored")
    parser.add_argument("--port", type=port, help="port (default: 8501, or the next free one)")
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on (default: this machine only)")
    parser.add_argument("--allowed-host", metavar="NAME", action="append", default=[],
                        help="a further name the server answers to, as dash.example.com or *.example.com; all other names are refused")
    parser.add_argument("--i-understand-no-auth", action="store_true", help="allow an address that others can reach although nobody has to sign in: anyone there can read every trace")
    parser.add_argument("--no-browser", action="store_true", help="do not open a browser window")


def _add_import(commands: Commands[argparse.ArgumentParser]) -> None:
    parser = _command(commands, "import", "importing", "read files into the store")
    parser.add_argument("files", nargs="+", metavar="FILE", help="files, folders, globs; - for standard input")
    _reading(parser)
    _splits(parser)
    _store(parser)
    _redact(parser, "before anything is stored")
    parser.add_argument("--rejects", metavar="OUT", help="save the rejected rows with reasons (CSV)")
    _json(parser)


def _add_watch(commands: Commands[argparse.ArgumentParser]) -> None:
    parser = _command(commands, "watch", "watching", "import and judge the files of a folder as they appear, until Ctrl+C")
    parser.add_argument("folder", metavar="FOLDER", help="watched with its subfolders; hidden and temporary files are left out")
    parser.add_argument("--run", metavar="NAME", help="name of the run that all files go to (default: the folder's name)")
    _judge(parser)
    parser.add_argument("--once", action="store_true", help="end when every file was read")
    _store(parser)


def _add_receive(commands: Commands[argparse.ArgumentParser]) -> None:
    parser = _command(commands, "receive", "receiving", "receive OpenTelemetry spans (OTLP over HTTP) as traces, and judge them, until Ctrl+C")
    parser.add_argument("--port", type=port, default=4318, help="port (default: 4318, where tracers look first)")
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on (default: this machine only)")
    parser.add_argument("--run", metavar="NAME", default="received", help="name of the run that the traces go to (default: received)")
    _judge(parser)
    parser.add_argument("--no-judge", action="store_true", help="store the traces only")
    parser.add_argument("--i-understand-no-auth", action="store_true", help="allow an address that others can reach without RAGVIZ_RECEIVE_TOKEN: anyone there can write traces")
    _store(parser)


def _add_judge(commands: Commands[argparse.ArgumentParser]) -> None:
    parser = _command(commands, "judge", "judging", "judge the claims of a run that is in the store, or of a folder of Parquet files")
    parser.add_argument("run", metavar="RUN", help="a run of the store; with --out: a folder, or an address such as s3://bucket/traces, with Parquet that ragviz exported")
    parser.add_argument("--out", metavar="FOLDER", help="write judged traces there as Parquet, past the store; `ragviz import FOLDER` reads them back with their verdicts")
    _judge(parser)
    _claims_and_raters(parser)
    _budget(parser)
    parser.add_argument("--batch", action="store_true", help="send everything through the service's batches: half the price, within a day; stop at any time, the same command goes on")
    parser.add_argument("--engine", choices=("local", "ray"), default="local", help="where batches run: in this process, or on the workers of a Ray cluster (needs 'ragviz[ray]')")
    parser.add_argument("--address", metavar="ADDRESS", help="with --engine ray: a cluster that runs, auto on one of its nodes (default: one is started on this machine)")
    parser.add_argument("--workers", type=positive, metavar="N", help="with --engine ray: processes that hold the model (default: one for each processor)")
    parser.add_argument("--limit", type=positive, metavar="N", help="only the first N traces")
    _store(parser)
    _json(parser)


def _add_evaluate(commands: Commands[argparse.ArgumentParser]) -> None:
    parser = _command(commands, "evaluate", "evaluating", "judge a file or a run and print every score")
    parser.add_argument("files", nargs="+", metavar="FILE|RUN", help="a file (several that belong together), or a run of the store")
    _judge(parser)
    _claims_and_raters(parser)
    parser.add_argument("-k", type=positive, metavar="N", help="only the first N passages count as evidence, and retrieval is cut at N")
    parser.add_argument("--strict-k", action="store_true", help="refuse traces without exactly N distinct passages")
    parser.add_argument("--policy", choices=POLICIES, default="default", help="convention for refusals, conflicts, unjudged and empty claims")
    _reading(parser)
    _store(parser)
    out = parser.add_mutually_exclusive_group()
    _json(out)
    out.add_argument("--markdown", action="store_true", help="print Markdown")
    out.add_argument("--html", metavar="OUT", help="write a page that needs nothing else")


def _add_ragas(commands: Commands[argparse.ArgumentParser]) -> None:
    parser = _command(commands, "ragas", "foreign_scoring", "score a run of the store with Ragas' own metrics, kept as imported scores (needs 'ragviz[ragas]')")
    parser.add_argument("run", metavar="RUN")
    parser.add_argument("--metrics", metavar="NAME,…", type=_names, default=["faithfulness"],
                        help="faithfulness, answer_relevancy, context_precision, context_recall, factual_correctness, … as Ragas names them (default: faithfulness)")
    parser.add_argument("--model", required=True, metavar="NAME", help="the model that Ragas asks")
    parser.add_argument("--provider", choices=("anthropic", "openai"), default="anthropic", help="whose wire format; the key comes from ANTHROPIC_API_KEY or OPENAI_API_KEY")
    parser.add_argument("--base-url", metavar="URL", help="another address that speaks the same wire format")
    parser.add_argument("--embeddings", metavar="NAME", default="local", help="for answer_relevancy and the like: local, or an embedding model of the OpenAI-compatible address")
    parser.add_argument("--limit", type=positive, metavar="N", help="only the first N traces")
    _store(parser)
    _json(parser)


def _add_compare(commands: Commands[argparse.ArgumentParser]) -> None:
    parser = _command(commands, "compare", "comparing", "compare two runs, trace by trace and claim by claim")
    parser.add_argument("base", metavar="BASE", help="file or run")
    parser.add_argument("candidate", metavar="CANDIDATE", help="file or run")
    _judge(parser)
    parser.add_argument("-k", type=positive, metavar="N", help="only the first N passages count as evidence, and retrieval is cut at N")
    _noise(parser, "0, not at all")
    parser.add_argument("--slices", metavar="METRIC", default="faithfulness", help="the metric whose difference is shown by slice (default: faithfulness)")
    _store(parser)
    out = parser.add_mutually_exclusive_group()
    _json(out)
    out.add_argument("--markdown", action="store_true", help="print Markdown")
    out.add_argument("--html", metavar="OUT", help="write a page that needs nothing else")


def _add_report(commands: Commands[argparse.ArgumentParser]) -> None:
    parser = _command(commands, "report", "reporting", "write a report for people who do not read traces: large numbers, the worst failures with their evidence, what changed")
    parser.add_argument("run", metavar="RUN", help="file or run")
    parser.add_argument("out", metavar="OUT", help="ending decides: .html (prints well on A4, needs nothing else) or .md")
    parser.add_argument("--since", metavar="BASE", help="file or run of an earlier version: the report says what changed since")
    _judge(parser)
    parser.add_argument("-k", type=positive, metavar="N", help="only the first N passages count as evidence")
    _store(parser)


def _noise(parser: argparse.ArgumentParser, default: str) -> None:
    parser.add_argument("--noise", metavar="N", type=whole, help=f"measure the judge's own noise: ask it again about N traces of the candidate (default: {default})")


def _add_gate(commands: Commands[argparse.ArgumentParser]) -> None:
    parser = _command(commands, "gate", "gating", "pass or fail a candidate against known cases: exit 0 pass, 1 fail, 2 unusable input")
    parser.add_argument("candidate", metavar="CANDIDATE", help="the candidate's outputs; never its own ground truth")
    parser.add_argument("--against", metavar="GOLD", required=True, help="the cases with their ground truth")
    parser.add_argument("--baseline", metavar="RUN|FILE", help="an earlier version's answers to the same cases, for the rules no_regression")
    parser.add_argument("--rules", metavar="gate.toml", help="thresholds, must-pass cases, what may not get worse than the baseline")
    parser.add_argument("-k", type=positive, metavar="N", help="only the first N passages count as evidence, and retrieval is cut at N")
    _judge(parser)
    _noise(parser, "20 where a rule is about a baseline and the judge may answer differently each time")
    _store(parser)
    parser.add_argument("--expect-failures", action="store_true", help="the candidate is a set of known failures: check that each is still detected")
    parser.add_argument("--junit", metavar="OUT", help="write JUnit XML")
    parser.add_argument("--markdown", metavar="OUT", help="write Markdown for a pull request")
    _json(parser)


def _add_feedback(commands: Commands[argparse.ArgumentParser]) -> None:
    parser = _command(commands, "feedback", "feedback", "put errors that users reported onto the traces of a run")
    parser.add_argument("file", metavar="FILE", help="CSV, JSON or JSON Lines: trace_id or question; optionally claim, verdict, reporter, reason, time")
    parser.add_argument("--run", metavar="RUN", required=True, help="the run they speak of")
    _judge(parser)
    parser.add_argument("--reporter", metavar="NAME", default="user", help="who reported, for rows that do not say (default: user)")
    _store(parser)
    _json(parser)


def _add_calibrate(commands: Commands[argparse.ArgumentParser]) -> None:
    parser = _command(commands, "calibrate", "calibrating", "measure a judge against people's labels")
    parser.add_argument("labels", nargs="+", metavar="LABELS.jsonl")
    _judge(parser)
    parser.add_argument("--limit", type=positive, metavar="N", help="only the first N labels")
    parser.add_argument("--fit", action="store_true", help="correct the judge's confidence on a part of the labels and store that; the figures are those of the other part")
    parser.add_argument("--split", metavar="FRACTION|NAME", help="with --fit: the share of groups to fit on (default 0.5), or the rows whose own split has this name")
    parser.add_argument("--seed", type=int, metavar="N", help="with --fit: parts the groups otherwise (default 0)")
    _store(parser)
    _json(parser)


def _add_stability(commands: Commands[argparse.ArgumentParser]) -> None:
    parser = _command(commands, "stability", "steadying", "ask a judge again, and the same in another dress: how many verdicts change")
    parser.add_argument("source", metavar="RUN|LABELS.jsonl", help="a run of the store, or a file with claims and passages")
    _judge(parser)
    parser.add_argument("--sample", type=positive, default=100, metavar="N", help="claims that are asked about, drawn by chance, one of each answer first (default 100)")
    parser.add_argument("--repeats", type=positive, default=2, metavar="N", help="how often each is asked anew (default 2)")
    parser.add_argument("--probes", type=_names, default=list(PROBES), metavar="NAME,…", help=f"of {', '.join(PROBES)} (default: all)")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="draws other claims and asks anew (default 0)")
    _store(parser)
    _json(parser)


def _add_retrieval(commands: Commands[argparse.ArgumentParser]) -> None:
    parser = _command(commands, "retrieval", "ranking", "retrieval metrics of a TREC run, equal to trec_eval's")
    parser.add_argument("trec_run", metavar="RUN.trec")
    parser.add_argument("qrels", metavar="QRELS")
    parser.add_argument("-k", type=cutoffs, default=[1, 2, 3, 5, 10, 20], metavar="1,2,3,5,10,20")
    parser.add_argument("--relevance-level", type=positive, default=1, metavar="1", help="lowest grade that counts as relevant")
    _json(parser)


def _add_lists(commands: Commands[argparse.ArgumentParser]) -> None:
    for name, summary in (("formats", "list the file formats and what each is recognised by"), ("judges", "list the judges and what each needs"),
                          ("metrics", "list the metrics; --json adds formula, edge cases and source")):
        parser = _command(commands, name, "listing", summary)
        parser.set_defaults(kind=name)
        if name == "metrics":
            parser.add_argument("name", nargs="?", metavar="NAME", help="explain one: definition, formula, edge cases, source")
        _json(parser)


def _add_doctor(commands: Commands[argparse.ArgumentParser]) -> None:
    parser = _command(commands, "doctor", "doctor", "say what works here: packages, weights, keys, store; exit 1 when a requested judge cannot work")
    parser.add_argument("--judge", metavar="NAME,…", type=_names, default=[], help="check these judges only, and ask each something (a hosted one for a fraction of a cent)")
    _store(parser)
    _json(parser)


def _add_export(commands: Commands[argparse.ArgumentParser]) -> None:
    parser = _command(commands, "export", "exporting", "write a run to a file")
    parser.add_argument("run", metavar="RUN")
    parser.add_argument("out", metavar="OUT", help="ending decides: .jsonl, .parquet, .csv, .html, .md, .ragas.jsonl, .ragchecker.json, .ragviz (everything), .provenance.html or .provenance.md (what it takes to repeat the numbers)")
    _judge(parser)
    _redact(parser, "in the file; the store keeps them")
    _store(parser)


def _add_store(commands: Commands[argparse.ArgumentParser]) -> None:
    parser = _command(commands, "store", "copying", "copy a store into another one: a file into a team's PostgreSQL, or back")
    parser.add_argument("action", choices=("copy",), metavar="copy")
    parser.add_argument("source", metavar="SOURCE", help="database file or URL (postgresql+psycopg://…) that is read")
    parser.add_argument("target", metavar="TARGET", help="the one that is written; what it holds stays")
    parser.add_argument("--run", metavar="NAME", action="append", default=[], help="only this run; may be given several times")
    _json(parser)
