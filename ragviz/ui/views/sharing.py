"""Share: the run as one file for people who do not read traces."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import streamlit as st
from msgspec.structs import replace

from ragviz.contracts import View
from ragviz.pipeline.briefing import brief
from ragviz.pipeline.comparing import Seen
from ragviz.pipeline.held_out import look_at
from ragviz.records import LookKind, RunManifest, Split
from ragviz.reports.briefing import briefing_html
from ragviz.reports.briefing_markdown import briefing_markdown
from ragviz.store import Store
from ragviz.store.splits import questions_of
from ragviz.ui import resources, widgets


def draw(view: View, run: RunManifest, other: RunManifest | None) -> None:
    """A menu of two downloads; the file is made when one is pressed. ``other``: the run that the page compares with."""
    with st.popover("Share", width="stretch"):
        st.markdown("**A report for people who do not read traces**")
        since = f"what changed since {widgets.md(other.name, limit=40)}" if other else "what changed, once you choose a run under “Compare with”"
        st.caption(
            f"Large numbers with their range, the three worst failures with evidence and clash, {since}. One file: no account, no network; prints on A4."
        )
        stem = "".join(c if c.isalnum() or c in "-_" else "_" for c in run.name)[:60] or "run"
        base = None if other is None else _other(view, other)
        for label, ending, mime, written in (
            ("Web page, to mail or print", "html", "text/html", briefing_html),
            ("Markdown", "md", "text/markdown", briefing_markdown),
        ):
            st.download_button(
                label,
                data=partial(make, resources.store(), view, base, written),
                file_name=f"{stem}_report.{ending}",
                mime=mime,
                key=f"share-{ending}",
                width="stretch",
                on_click="ignore",
            )


def make(store: Store, view: View, base: View | None, written: Callable[..., str]) -> bytes:
    """The file's content. No Streamlit: runs on its own thread. Held-out traces in it are a look like another."""
    held = questions_of(store, view.run_id, Split.HELD_OUT)
    if held:
        look_at(store, list(held), who="somebody", kind=LookKind.OPENED, place="report")
    return written(brief(Seen(store, view), base=None if base is None else Seen(store, base))).encode("utf-8", "replace")


def _other(view: View, other: RunManifest) -> View | None:
    """The earlier run through the same judge; None where that judge has not read it."""
    known = any((o.fingerprint, o.claim_set) == (view.judge, view.claim_set) for o in resources.judge_options(other.run_id))
    return replace(view, run_id=other.run_id) if known else None
