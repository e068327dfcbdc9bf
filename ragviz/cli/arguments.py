"""Commands, in the order in which the help lists them."""

from __future__ import annotations

import argparse

from ragviz.cli.bringing_arguments import add_feedback, add_import, add_open, add_receive, add_watch
from ragviz.cli.judging_arguments import add_calibrate, add_evaluate, add_judge, add_ragas, add_stability
from ragviz.cli.remedy_arguments import add_remedy
from ragviz.cli.shared_options import command
from ragviz.cli.telling_arguments import (
    add_compare,
    add_doctor,
    add_export,
    add_gate,
    add_lists,
    add_report,
    add_retrieval,
    add_runs,
    add_store,
)


def add_commands(parser: argparse.ArgumentParser) -> None:
    """Declare every command on the parser. ``args.module`` then names the module whose ``run(args)`` does the work."""
    commands = parser.add_subparsers(title="commands", metavar="COMMAND")
    add_open(commands)
    add_import(commands)
    add_watch(commands)
    add_receive(commands)
    add_judge(commands)
    add_evaluate(commands)
    add_ragas(commands)
    add_compare(commands)
    add_report(commands)
    add_gate(commands)
    add_remedy(command(commands, "remedy", "remedying", "try a remedy on answers that failed; the new answers become a run to compare with"))
    add_feedback(commands)
    add_calibrate(commands)
    add_stability(commands)
    add_retrieval(commands)
    add_lists(commands)
    add_doctor(commands)
    add_export(commands)
    add_runs(commands)
    add_store(commands)
