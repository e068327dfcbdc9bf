"""Commands that compute numbers on held-out traces note it, and say how often these were looked at."""

from __future__ import annotations

import getpass
import sys
from collections.abc import Sequence

from ragviz.cli.stores import opened_store
from ragviz.errors import StoreError
from ragviz.pipeline.held_out import HeldOut, look_at
from ragviz.records import LookKind
from ragviz.store import Store


def user() -> str:
    """Who calls, as the system knows them."""
    try:
        return getpass.getuser()
    except (KeyError, OSError, ImportError):
        return "unknown"


def measured(questions: Sequence[str], *, command: str, address: str | None = None, store: Store | None = None) -> HeldOut | None:
    """
    Note that a command measured held-out traces, in the user's store (or the one given), and say on stderr how often they were looked at.

    A store that cannot be written stops no measurement: it is told instead.
    """
    if not questions:
        return None
    try:
        if store is not None:
            found = look_at(store, questions, who=user(), kind=LookKind.MEASURED, place=command)
        else:
            with opened_store(address) as opened:
                found = look_at(opened, questions, who=user(), kind=LookKind.MEASURED, place=command)
    except StoreError as exc:
        sys.stderr.write(f"{len(questions):,} held-out, but this look cannot be noted: {exc.message}.\n")
        return HeldOut(n=len(questions))
    if found is not None:
        sys.stderr.write(f"These numbers rest on {found.words}.\n")
    return found
