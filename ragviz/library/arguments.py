"""What is given to a call in Python is of the kind it should be, or the call says what it should have been."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from ragviz.errors import InputError
from ragviz.pipeline import Evaluation
from ragviz.records import Policy
from ragviz.store import Store


def whole_k(k: Any) -> int | None:
    """A number of passages, from 1; None = all."""
    if k is None:
        return None
    if isinstance(k, bool) or not hasattr(k, "__index__") or k.__index__() < 1:
        raise InputError(f"k is {k!r}, and should be a whole number from 1", fix="k=3 takes the first three passages of each trace; leave it out for all")
    return int(k.__index__())


def policy_of(policy: Any) -> Policy:
    """A policy by its name."""
    try:
        return Policy(policy)
    except ValueError as exc:
        raise InputError(f"there is no policy {policy!r}", fix=f"one of {', '.join(Policy)}") from exc


def place_of(store: Any) -> Any:
    """Where a run is kept: an address, a path, a store; None = nowhere."""
    if store is None or isinstance(store, (Store, str, Path, os.PathLike)):
        return store
    raise InputError(f"store is {type(store).__name__}, and should be a path, an address or an open store", fix='for example store="runs.sqlite"')


def evaluation_of(found: Any) -> Evaluation:
    """What ``evaluate`` returned."""
    if isinstance(found, Evaluation):
        return found
    raise InputError(f"{type(found).__name__} is no evaluation", fix="give what ragviz.evaluate(…) returned")
