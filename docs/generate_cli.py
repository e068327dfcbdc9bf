"""Writes docs/CLI.md from the command line's own parser; `--check` fails when the page is stale."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

from ragviz.cli.arguments import add_commands

PAGE = Path(__file__).with_name("CLI.md")
HEAD = """# Command line

Written by `python docs/generate_cli.py`; do not edit.

Errors are one sentence, then one that says how to fix it, on stderr; never a traceback for a user's mistake. Exit codes: 0 fine, 1 a gate or check failed
or a budget ran out, 2 unusable input or set-up, 130 interrupted (what was finished is kept).
"""


def page() -> str:
    """The whole page."""
    parser = argparse.ArgumentParser(prog="ragviz")
    add_commands(parser)
    parts = [HEAD]
    for name, command, summary in _commands(parser):
        parts.append(f"\n## ragviz {name}\n\n{_sentence(summary)}\n\n| argument | meaning |\n|---|---|")
        parts += [f"| `{_usage(a)}` | {_sentence(a.help or '')} |" for a in command._actions if a.dest != "help"]  # noqa: SLF001
    return "\n".join(parts) + "\n"


def _commands(parser: argparse.ArgumentParser, above: str = "") -> Iterator[tuple[str, argparse.ArgumentParser, str]]:
    """Every command with its words and what it does; of one that only parts into others, these."""
    for part in (a for a in parser._actions if isinstance(a, argparse._SubParsersAction)):  # noqa: SLF001 - argparse offers no other way
        summaries = {a.dest: a.help or "" for a in part._choices_actions}  # noqa: SLF001
        for name, command in part.choices.items():
            deeper = list(_commands(command, f"{above}{name} "))
            yield from deeper or [(above + name, command, summaries[name])]


def _usage(action: argparse.Action) -> str:
    value = action.metavar or (f"{{{','.join(map(str, action.choices))}}}" if action.choices else "" if action.nargs == 0 else action.dest.upper())
    return " ".join(part for part in (", ".join(action.option_strings), str(value)) if part).replace("|", "\\|")


def _sentence(text: str) -> str:
    return (text[0].upper() + text[1:] + ("" if text.endswith(".") else ".")).replace("|", "\\|") if text else ""


if __name__ == "__main__":
    if "--check" in sys.argv:
        sys.exit(PAGE.read_text(encoding="utf-8") != page())
    PAGE.write_text(page(), encoding="utf-8")
