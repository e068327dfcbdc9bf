"""What a database complains about, in one sentence with a fix."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy.exc import DBAPIError, InvalidRequestError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from ragviz.errors import StoreError

# First words that fit win; "{where}" is the file or address without its password.
SAYINGS: tuple[tuple[str, str, str], ...] = (
    ("locked", "{where} is in use by another program that is writing to it", "wait until it is done, or close it, and try again"),
    ("disk is full", "no space left on the disk of {where}", "free some space and start again; what was finished is kept"),
    ("readonly database", "{where} cannot be written to", "give yourself write permission on the file and its folder, or choose another place with --store"),
    ("unable to open", "{where} cannot be opened", "check that the folder exists and that you may write to it, or choose another place with --store"),
    ("not a database", "{where} is not a ragviz database", "choose another file with --store; this one was left as it is"),
    ("malformed", "{where} is damaged", "put a backup back, or recover what is left with: sqlite3 FILE .recover"),
    ("disk i/o", "the disk of {where} failed to read or write", "check the disk and its free space, then try again"),
    ("fatal:  database", "{where} has no such database", "make it with createdb, or check the name in the address"),
    ("fatal:  role", "{where} knows no such user", "check the user in the address, or have the role created"),
    ("connection is bad", "{where} cannot be reached", "check that the server runs and that address, user and password are right"),
    ("failed to resolve host", "{where} cannot be reached", "check the host in the address, and the network"),
    ("could not connect", "{where} cannot be reached", "check that the server runs and that address, user and password are right"),
    ("connection failed", "{where} cannot be reached", "check that the server runs and that address, user and password are right"),
    ("connection refused", "{where} cannot be reached", "check that the server runs and that address, user and password are right"),
    *(
        (said, "{where} ended the connection", "wait until the server runs again, and try once more; what was finished is kept")
        for said in (
            "terminating connection",
            "server closed the connection",
            "connection is lost",
            "connection is closed",
            "connection has been closed",
            "connection not open",
            "starting up",
            "shutting down",
        )
    ),
    ("password authentication", "{where} refused the user or password", "check user and password in the address"),
    ("permission denied", "{where} refuses to let this user write", "ask for the right to create tables, or use another user"),
)


def explain(exc: BaseException, where: str) -> StoreError:
    """The fault as our own error; ``where`` names the database for people."""
    said = str(getattr(exc, "orig", None) or exc)
    folded = said.lower()
    for words, message, fix in SAYINGS:
        if words in folded:
            return StoreError(message.format(where=where), fix=fix)
    first_line = said.strip().splitlines()[0] if said.strip() else type(exc).__name__
    return StoreError(f"{where}: the database refused: {first_line}", fix="if this happens again, please report it with this sentence")


@contextmanager
def explained(where: str) -> Iterator[None]:
    """Database errors leave as StoreError."""
    try:
        yield
    except (DBAPIError, PoolTimeout, InvalidRequestError, sqlite3.Error) as exc:
        raise explain(exc, where) from exc
