"""
What all sessions of this process share: the store, the pool of background work, and what is remembered of the store.

With ``resources`` the only places with ``st.cache_resource`` and ``st.cache_data``.
"""

from __future__ import annotations

import os
import sys

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from ragviz.backends import encoder_choice
from ragviz.grounding import memory as grounding_memory
from ragviz.pipeline import corpora
from ragviz.pipeline.jobs import Jobs
from ragviz.records import RunManifest
from ragviz.store import Store, data_folder, open_store
from ragviz.ui import forgetting
from ragviz.ui.remembering import Remembered

MOST_SMALL, MOST_LARGE, MOST_HUGE = 16 * 2**20, 64 * 2**20, 128 * 2**20
"""Bytes of small, of large and of huge results in memory; of each kind the newest one is kept, however large."""


def store_location() -> str | None:
    """Where the store is: ``--store X`` behind ``--`` on Streamlit's command line, else RAGVIZ_STORE, else None (the user's data folder)."""
    arguments = sys.argv[1:]
    if "--store" in arguments[:-1]:
        return arguments[arguments.index("--store") + 1]
    return os.environ.get("RAGVIZ_STORE") or None


@st.cache_resource(show_spinner=False)
def store() -> Store:
    """The store of this process. The first that every page needs, so what else the whole process has to know is told here."""
    encoder_choice.look_in(lambda: data_folder(os.environ), forced=os.environ.get(encoder_choice.VARIABLE, ""))
    opened = open_store(store_location(), env=os.environ)
    opened.on_write(_written)
    opened.on_delete(forget)
    return opened


@st.cache_resource(show_spinner=False)
def jobs() -> Jobs:
    """The process-wide pool for judging and importing in the background."""
    return Jobs()


def api_key() -> str | None:
    """Key of the hosted judges, out of the environment; never sent to a browser."""
    return os.environ.get("ANTHROPIC_API_KEY") or None


def data_version() -> str:
    """A word that changes whenever anything was written to the store, by this process or another. Part of every cache key."""
    return store().data_version()


class Memory:
    """What this process remembers, and how often a reader has changed something."""

    def __init__(self) -> None:
        self.small = Remembered(most=512, most_bytes=MOST_SMALL, copies=True)
        self.large = Remembered(most=128, most_bytes=MOST_LARGE, copies=False)
        self.huge = Remembered(most=4, most_bytes=MOST_HUGE, copies=False)
        """What takes so long that no other answer may push it out."""
        self.n_own = 0
        self.runs = forgetting.Runs()

    def forget(self) -> None:
        """Keep nothing, and show nobody what was worked out before."""
        for part in (self.small, self.large, self.huge):
            part.forget()
        self.runs = forgetting.Runs()
        self.n_own += 1


@st.cache_resource(show_spinner=False)
def memory() -> Memory:
    """The one of this process."""
    return Memory()


def _written() -> None:
    """A page wrote: whoever clicked there sees what follows from it. Jobs in the background are others."""
    if get_script_run_ctx(suppress_warning=True) is not None:
        refresh()


def all_runs() -> list[RunManifest]:
    """The runs of the store, newest first. Where one is gone that was there before, another program has deleted it."""
    found = store().runs()
    if memory().runs.lost_one(run.run_id for run in found):
        store().let_go()
        corpora.let_go(store())
        forget()
        memory().runs.lost_one(run.run_id for run in found)
    return found


def forget() -> None:
    """A run was deleted: what this process remembers of texts goes."""
    memory().forget()
    grounding_memory.let_go()
    forgetting.texts()
    forgetting.downloads()


def refresh() -> None:
    """From now on nobody is shown what was worked out before."""
    memory().n_own += 1
