"""What the values of options may be; anything else is told in argparse's own words."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from importlib import resources
from typing import Any, NoReturn

from ragviz.errors import InputError

MAX_PORT = 65535
MAX_COUNT = 1 << 53
"""No file holds more of anything, and no store counts beyond twice to the power of 63."""


def positive(text: str) -> int:
    """A whole number from 1."""
    number = _from_one(text)
    if number > MAX_COUNT:
        raise argparse.ArgumentTypeError(f"{text!r} is too large a number")
    return number


def _from_one(text: str) -> int:
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
    return sorted({_from_one(part.strip()) for part in text.split(",")})


def place(text: str) -> str:
    """Where a store may be; an option that was taken for one would become a file of that name, and a variable that is not set is no place."""
    if not text.strip():
        raise argparse.ArgumentTypeError("a store needs a place: give a file or an address, or leave the option out")
    if text.startswith("-"):
        raise argparse.ArgumentTypeError(f"{text!r} looks like an option, not like a place; a file of that name is ./{text}")
    return text


def run_name(text: str) -> str:
    """What a run is called: something that people can read and type."""
    if not text.strip():
        raise argparse.ArgumentTypeError("a run needs a name: give one, or leave the option out")
    return text


def names(text: str) -> list[str]:
    """``a, b`` as ["a", "b"]."""
    return [name.strip() for name in text.split(",") if name.strip()]


def one_path_each(pairs: Sequence[tuple[str, str]]) -> dict[str, str] | None:
    """
    What ``--map`` says, given once or several times; None without any.

    Raises:
        InputError: One field is looked for in two places; the first would be lost unsaid.
    """
    found: dict[str, str] = {}
    for ours, theirs in pairs:
        if found.setdefault(ours, theirs) != theirs:
            raise InputError(
                f"--map {ours} is given twice, as {found[ours]} and as {theirs}",
                fix="name one place; several passages of a row stand in one list, as in passages=chunks[].text",
            )
    return found or None


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


class ExampleRules(argparse.Action):
    """``--example``: prints rules for the gate and ends, whatever else is missing, as ``--help`` does. The file travels with the package."""

    def __init__(self, option_strings: Sequence[str], dest: str, **more: Any) -> None:
        super().__init__(option_strings, dest, nargs=0, default=argparse.SUPPRESS, **more)

    def __call__(self, parser: argparse.ArgumentParser, namespace: argparse.Namespace, values: object, option_string: str | None = None) -> NoReturn:  # noqa: ARG002 - argparse calls it with all four
        """Print and end with exit code 0."""
        sys.stdout.write(resources.files("ragviz.gate").joinpath("example.toml").read_text(encoding="utf-8"))
        parser.exit()
