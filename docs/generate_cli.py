"""Writes docs/CLI.md from the command line's own parser; `--check` fails when the page is stale."""

from __future__ import annotations

import argparse
import sys
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
    (commands,) = (a for a in parser._actions if isinstance(a, argparse._SubParsersAction))  # noqa: SLF001 - argparse offers no other way
    summaries = {a.dest: a.help for a in commands._choices_actions}  # noqa: SLF001
    parts = [HEAD]
    for name, command in commands.choices.items():
        parts.append(f"\n## ragviz {name}\n\n{_sentence(summaries[name])}\n\n| argument | meaning |\n|---|---|")
        parts += [f"| `{_usage(a)}` | {_sentence(a.help or '')} |" for a in command._actions if a.dest != "help"]  # noqa: SLF001
    return "\n".join(parts) + "\n"


def _usage(action: argparse.Action) -> str:
    value = action.metavar or (f"{{{','.join(map(str, action.choices))}}}" if action.choices else "" if action.nargs == 0 else action.dest.upper())
    return " ".join(part for part in (", ".join(action.option_strings), str(value)) if part).replace("|", "\\|")


def _sentence(text: str) -> str:
    return (text[0].upper() + text[1:] + ("" if text.endswith(".") else ".")).replace("|", "\\|") if text else ""


if __name__ == "__main__":
    if "--check" in sys.argv:
        sys.exit(PAGE.read_text(encoding="utf-8") != page())
    PAGE.write_text(page(), encoding="utf-8")
