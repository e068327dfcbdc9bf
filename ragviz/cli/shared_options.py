"""Options that several commands share, word for word the same in each."""

from __future__ import annotations

import argparse
from typing import TypeAlias

from ragviz.cli.argument_types import amount, field_mapping, names, place, positive, run_name, whole

SPLITS = ("development", "regression", "held-out", "fresh")

Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"  # noqa: SLF001 - argparse has no public name for it


def command(commands: Commands, name: str, module: str, summary: str) -> argparse.ArgumentParser:
    """A command of its own; ``args.module`` names the module whose ``run(args)`` does its work."""
    parser = commands.add_parser(name, help=summary, description=f"{summary[0].upper()}{summary[1:]}.")
    parser.set_defaults(module=module)
    return parser


def store_option(parser: argparse.ArgumentParser) -> None:
    """``--store``."""
    parser.add_argument("--store", metavar="PATH|URL", type=place, help="database file or URL (else RAGVIZ_STORE, else a file in your data folder)")


def judge_option(parser: argparse.ArgumentParser) -> None:
    """``--judge``."""
    parser.add_argument(
        "--judge",
        metavar="NAME",
        help="who judges: facts, local, imported, anthropic[:model], nli:<model>, cascade (default: the file's own verdicts, else local)",
    )


def claims_and_raters(parser: argparse.ArgumentParser) -> None:
    """``--claims`` and ``--raters``."""
    parser.add_argument("--claims", metavar="NAME", help="who splits texts into claims: rules, anthropic[:model] (default: the file's own claims, else rules)")
    parser.add_argument("--raters", metavar="NAME,…", type=names, default=[],
                        help="further raters beside those that need no network: anthropic[:model] (both), anthropic_relevance, anthropic_passages")


def budget_options(parser: argparse.ArgumentParser) -> None:
    """``--max-usd`` and ``--max-tokens``."""
    parser.add_argument(
        "--max-usd", metavar="N", type=amount, help="spend at most so many dollars on a service, then stop with exit code 1; what is judged stays"
    )
    parser.add_argument("--max-tokens", metavar="N", type=positive, help="the same in tokens, sent and received together")


def k_option(parser: argparse.ArgumentParser) -> None:
    """``-k`` of commands that judge and rank."""
    parser.add_argument("-k", type=positive, metavar="N", help="only the first N passages count as evidence, and retrieval is cut at N")


def output_options(parser: argparse.ArgumentParser) -> None:
    """``--json``, ``--markdown`` or ``--html``: one of them, else a table for people."""
    out = parser.add_mutually_exclusive_group()
    json_option(out)
    out.add_argument("--markdown", action="store_true", help="print Markdown")
    out.add_argument("--html", metavar="OUT", help="write a page that needs nothing else")


def json_option(parser: argparse._ActionsContainer) -> None:
    """``--json``."""
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def reading_options(parser: argparse.ArgumentParser) -> None:
    """How files are read, and what the run is called."""
    parser.add_argument("--run", metavar="NAME", type=run_name, help="name of the run (default: the file's name)")
    parser.add_argument("--format", metavar="NAME", help="read as this format (default: recognised by content; `ragviz formats` lists them)")
    parser.add_argument("--documents", metavar="FILE", help="file with the passages' texts, for traces that hold ids only")
    parser.add_argument("--map", dest="field_map", metavar="FIELD=PATH", type=field_mapping, action="append", default=[],
                        help="where a field stands in an unknown shape: --map question=prompt --map 'passages=chunks[].body'")


def redact_option(parser: argparse.ArgumentParser, when: str) -> None:
    """``--redact``; when: what happens to what, for the help."""
    parser.add_argument("--redact", metavar="WHAT,…", type=names, default=[],
                        help=f"hide private details {when}: emails, phones, a TOML file with patterns of your own; lengths and offsets stay")


def split_options(parser: argparse.ArgumentParser) -> None:
    """``--split`` and ``--split-column``, one of them."""
    which = parser.add_mutually_exclusive_group()
    which.add_argument(
        "--split", choices=SPLITS, help="what these traces are kept for; held-out ones are opened only after a question, and every look is counted"
    )
    which.add_argument("--split-column", metavar="COLUMN", help="column that says so of each trace (train, dev and test are understood too)")


def noise_option(parser: argparse.ArgumentParser, default: str) -> None:
    """``--noise``; default: what happens without it, for the help."""
    parser.add_argument(
        "--noise", metavar="N", type=whole, help=f"measure the judge's own noise: ask it again about N traces of the candidate, for the gate of the baseline and the candidate in turns (default: {default})"
    )
