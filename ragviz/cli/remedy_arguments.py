"""Options of ``ragviz remedy``."""

from __future__ import annotations

import argparse

from ragviz.cli.argument_types import place, run_name

REMEDIES = ("gate", "constrained", "structured", "verify", "refine")
SCORES = ("retriever", "lexical", "embedding")


def share(text: str) -> float:
    """A number from 0 to 1."""
    return _within(text, 0.0, 1.0, "from 0 to 1")


def money(text: str) -> float:
    """Dollars, above 0."""
    return _within(text, 1e-9, 1e9, "above 0")


def number(text: str) -> float:
    """Any finite number."""
    return _within(text, -1e18, 1e18, "a finite number")


def rounds(text: str) -> int:
    """1 to 10."""
    found = _within(text, 1, 10, "a whole number from 1 to 10")
    if found != int(found):
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 1 to 10")
    return int(found)


def count(text: str) -> int:
    """A whole number from 1."""
    found = _within(text, 1, 1e6, "a whole number from 1")
    if found != int(found):
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 1")
    return int(found)


def _within(text: str, low: float, high: float, words: str) -> float:
    try:
        found = float(text)
    except ValueError:
        found = float("nan")
    if not low <= found <= high:
        raise argparse.ArgumentTypeError(f"{text!r} is not {words}")
    return found


def add_remedy(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("run", metavar="RUN", help="run of the store whose answers failed")
    parser.add_argument("--remedy", required=True, choices=REMEDIES, help="gate and verify ask nobody; the others ask a hosted model")
    parser.add_argument(
        "--select",
        metavar="WHAT",
        action="append",
        default=[],
        help="which traces: failing (default; all for gate), all, trace=ID,…, quadrant=NAME, cause=NAME, verdict=NAME, tag=NAME:VALUE, source=ID; may be repeated",
    )
    parser.add_argument("--limit", type=count, metavar="N", help="only the first N of them")
    parser.add_argument("--target", type=share, default=0.95, metavar="0.95", help="refine: faithfulness at which it stops")
    parser.add_argument("--rounds", type=rounds, default=3, metavar="3", help="refine: at most so many rounds")
    parser.add_argument("--threshold", type=number, metavar="X", help="gate: passages must score at least this")
    parser.add_argument("--passages", type=count, default=1, metavar="N", help="gate: so many passages must (default: 1)")
    parser.add_argument("--scores", choices=SCORES, default="retriever", help="gate: which score")
    parser.add_argument("--lower-is-better", action="store_true", help="gate: the scores are distances")
    parser.add_argument("--flag", action="store_true", help="verify: mark unsupported claims instead of removing them")
    parser.add_argument("--min-confidence", type=share, default=0.0, metavar="0", help="structured: leave out claims the model is less sure of")
    parser.add_argument("--model", metavar="NAME", help="model to ask; the key comes from ANTHROPIC_API_KEY")
    parser.add_argument("--max-usd", type=money, metavar="X", help="stop before a call that starts above this; the same command goes on")
    parser.add_argument("--max-tokens", type=count, metavar="N", help="the same in tokens")
    parser.add_argument("--turn", type=count, default=1, metavar="N", help="2 makes the calls that failed in turn 1 again, as a run of its own")
    parser.add_argument("--name", metavar="NAME", type=run_name, help="name of the new run (default: the old one's and the remedy's)")
    parser.add_argument("-k", type=count, metavar="N", help="only the first N passages are shown to the model and count as evidence")
    parser.add_argument("--judge", metavar="NAME", help="who says what is unsupported, before and after (default: local)")
    parser.add_argument("--claims", metavar="NAME", help="who splits texts into claims: rules, anthropic[:model] (default: rules)")
    parser.add_argument("--plan", action="store_true", help="print calls, money and minutes, and stop")
    parser.add_argument("--store", metavar="PATH|URL", type=place, help="database file or URL (else RAGVIZ_STORE, else a file in your data folder)")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
