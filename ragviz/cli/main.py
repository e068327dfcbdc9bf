"""The ``ragviz`` command: words, options, and how errors are told. What a command does stands in its own module, loaded when it is asked for."""

from __future__ import annotations

import argparse
import importlib
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

from ragviz import __version__
from ragviz.backends import encoder_choice
from ragviz.backends.collector import look_rarely
from ragviz.cli.arguments import add_commands
from ragviz.cli.printing import plain
from ragviz.errors import BudgetSpent, Cancelled, RagvizError, SetupError

EXIT_OK, EXIT_FAILED, EXIT_UNUSABLE, EXIT_INTERRUPTED = 0, 1, 2, 130


def main(argv: Sequence[str] | None = None) -> int:
    """
    Run one command.

    Returns:
        0 when it worked, 1 when a gate or check failed or a budget ran out, 2 for unusable input or set-up, 130 when interrupted.
    """
    _speak_utf8()
    if argv is None:  # a process of our own, not a test or a program that calls this
        look_rarely()
    parser = Parser(prog="ragviz", description="See which sentence of which answer is wrong, against which passage, and why.")
    parser.add_argument("--version", action="version", version=f"ragviz {__version__}")
    add_commands(parser)
    args = parser.parse_args(argv)
    if not getattr(args, "module", None):
        parser.print_help()
        return EXIT_UNUSABLE
    try:
        encoder_choice.look_in(_data_folder, forced=os.environ.get(encoder_choice.VARIABLE, ""))
        return int(importlib.import_module(f"ragviz.cli.{args.module}").run(args))
    except BudgetSpent as exc:
        tell(exc)
        return EXIT_FAILED
    except Cancelled:
        sys.stderr.write("Stopped. What was finished is kept; the same command goes on from there.\n")
        return EXIT_INTERRUPTED
    except RagvizError as exc:
        return tell(exc)
    except KeyboardInterrupt:
        sys.stderr.write("\nStopped. What was finished is kept; the same command goes on from there.\n")
        return EXIT_INTERRUPTED
    except BrokenPipeError:
        # The reader (head, less) has left; point stdout elsewhere so that the interpreter's last flush stays quiet.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return EXIT_OK
    except OSError as exc:
        where = f" ({exc.filename})" if exc.filename else ""
        return tell(RagvizError(f"{exc.strerror or exc}{where}", fix="check that the path exists, is readable and has room"))


def _data_folder() -> Path:
    from ragviz.store import data_folder  # noqa: PLC0415 - only a command that loads the model asks

    return data_folder(os.environ)


class Parser(argparse.ArgumentParser):
    """Wrong options are told like every other mistake: one sentence, and one that helps."""

    def error(self, message: str) -> NoReturn:
        """End with exit code 2."""
        raise SystemExit(tell(SetupError(message, fix=f"see {self.prog} --help")))


def tell(exc: RagvizError) -> int:
    """One sentence, and one that helps, on stderr."""
    sys.stderr.write(f"Error: {_sentence(exc.message)}\n")
    sys.stderr.write(f"Fix: {_sentence(exc.fix or 'see ragviz --help')}\n")
    return EXIT_UNUSABLE


def _sentence(text: str) -> str:
    text = plain(text)  # names out of files and stores must not steer the terminal
    return text if text.endswith((".", "!", "?")) else f"{text}."


def _speak_utf8() -> None:
    """
    Traces hold every script. Files and pipes get UTF-8 whatever the locale says, since JSON in another encoding is none;
    a terminal that cannot show a character gets a replacement, not a crash. A closed stream swallows what is written.
    """
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:  # closed by the caller, as in `ragviz … >&-`
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115, PTH123 - lives as long as the program
            continue
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is None:
            continue
        if stream.isatty():
            reconfigure(errors="replace")
        else:
            reconfigure(encoding="utf-8", errors="backslashreplace")
