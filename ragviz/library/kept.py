"""Where the traces behind a result are, so that two results can be compared without judging anything again."""

from __future__ import annotations

import os
import weakref
from contextlib import ExitStack, closing
from pathlib import Path
from typing import NamedTuple

from ragviz.contracts import View
from ragviz.errors import InputError
from ragviz.pipeline import Evaluation
from ragviz.pipeline.comparing import Seen
from ragviz.store import Store, open_store


class _Kept(NamedTuple):
    place: str | Path | Store
    view: View
    ours: bool
    """True for a store in memory that nobody else has: it goes with the result."""


_KEPT: dict[int, _Kept] = {}
"""By identity: two equal results may come from two stores."""


def keep(found: Evaluation, place: str | Path | Store, view: View, *, ours: bool) -> None:
    """Remember as long as the result is in use. ``ours``: the store is closed with it."""
    _KEPT[id(found)] = _Kept(place, view, ours)
    weakref.finalize(found, _forget, id(found))


def seen(found: Evaluation, stack: ExitStack) -> Seen:
    """
    The judged run behind a result; what must be opened for it is closed with ``stack``.

    Raises:
        InputError: The result was copied, or read from a file: only the numbers are there.
    """
    kept = _KEPT.get(id(found))
    if kept is None:
        raise InputError(
            "this Evaluation does not know its traces: it is a copy, or was read from a file",
            fix="give the Evaluation that ragviz.evaluate returned, or the traces",
        )
    store = kept.place if isinstance(kept.place, Store) else stack.enter_context(closing(open_store(str(kept.place), env=os.environ)))
    return Seen(store, kept.view)


def _forget(identity: int) -> None:
    kept = _KEPT.pop(identity, None)
    if kept is not None and kept.ours and isinstance(kept.place, Store):
        kept.place.close()
