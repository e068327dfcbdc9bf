"""Another run to hold beside the selected one, chosen in the URL by id or name."""

from __future__ import annotations

import streamlit as st

from ragviz.records import RunManifest
from ragviz.ui import address, resources, scope, selection

BASE = "base"


def others(run: RunManifest) -> dict[str, RunManifest]:
    """All other runs, newest first."""
    return {r.run_id: r for r in resources.runs() if r.run_id != run.run_id}


def gone() -> str | None:
    """The other run that the URL names and the store does not hold; None where it names none or one that is there."""
    asked = selection.text(st.query_params, BASE)
    return asked if asked is not None and not any(asked in (r.run_id, r.name) for r in resources.runs()) else None


def choose(run: RunManifest, *, title: str = "Compare with", none: str = "nothing") -> RunManifest | None:
    """
    The select box.

    Args:
        run: The selected run.
        title: Label of the box.
        none: What choosing none is called.
    """
    known = others(run)
    asked = selection.text(st.query_params, BASE)
    by_name = next((r.run_id for r in known.values() if r.name == asked), None)
    if by_name is not None and asked not in known:
        address.put(**{BASE: by_name})
    labels = {"": none} | scope.run_labels(list(known.values()))
    return known.get(address.select_box(title, BASE, ["", *known], labels=labels, disabled=not known))
