"""
What is looked at: run, judge, policy, trace, claim, k. The URL is the only source of truth.

Every value in the URL is hostile: capped in length, matched against what exists, and replaced by the default when it does not fit.
Nothing here is bound with ``bind="query-params"``: bound keys can neither be written by ``select`` nor passed to ``st.switch_page``.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass

import streamlit as st

from ragviz.records import Policy
from ragviz.ui import callbacks, written

MAX_VALUE = 300
"""Longest query value that is looked at, in characters."""

SCOPE = ("run", "judge", "policy")
"""Keys that follow the reader from page to page."""

OWN = (*SCOPE, "trace", "claim", "k")
"""Keys that ``select`` may write. Pages may have more of their own."""

_SCOPE_MEMORY = "_rv_scope"
_SHOWN_RUN = "_rv_run"
_GONE_RUN = "_rv_gone_run"
_URL_MEMORY = "_rv_url"
_UNPRINTABLE = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")


@dataclass(frozen=True)
class Selection:
    """The words of the URL after cleaning; ids are not yet known to exist."""

    run: str | None = None
    """Run id, or run name as people type it."""
    judge: str | None = None
    """Short label of the judge whose verdicts count (``resources.judge_choices``)."""
    policy: Policy = Policy.DEFAULT
    trace: str | None = None
    claim: str | None = None
    k: int | None = None
    """Only the first k passages count as evidence; None = all."""

    @property
    def scope(self) -> dict[str, str]:
        """Query parameters that carry this scope to another page; defaults are left out."""
        return {name: value for name, value in self.params.items() if name in SCOPE}

    @property
    def params(self) -> dict[str, str]:
        """All of it as query parameters; defaults are left out."""
        given = {"run": self.run, "judge": self.judge, "policy": None if self.policy is Policy.DEFAULT else self.policy.value,
                 "trace": self.trace, "claim": self.claim, "k": None if self.k is None else str(self.k)}
        return {name: value for name, value in given.items() if value is not None}


def text(params: Mapping[str, str], name: str) -> str | None:
    """One query value, or None when it is missing, empty, longer than MAX_VALUE or not printable."""
    value = params.get(name)
    if not value or len(value) > MAX_VALUE or _UNPRINTABLE.search(value):
        return None
    return value


def number(params: Mapping[str, str], name: str, *, low: int, high: int) -> int | None:
    """A whole number in low..high, else None."""
    value = text(params, name)
    if value is None or not re.fullmatch(r"[0-9]{1,9}", value):
        return None
    return int(value) if low <= int(value) <= high else None


def choice(params: Mapping[str, str], name: str, allowed: Collection[str]) -> str | None:
    """A value out of ``allowed``, else None."""
    value = text(params, name)
    return value if value in allowed else None


def parse(params: Mapping[str, str]) -> Selection:
    """A Selection from raw query parameters."""
    policy = choice(params, "policy", [p.value for p in Policy])
    return Selection(run=text(params, "run"), judge=text(params, "judge"), policy=Policy(policy) if policy else Policy.DEFAULT,
                     trace=text(params, "trace"), claim=text(params, "claim"), k=number(params, "k", low=1, high=10_000))


def current() -> Selection:
    """The selection of this session's URL; in a callback of the URL as this session knows it, which the browser may not have heard of yet."""
    if callbacks.is_in_a_callback():
        written.catch_up()
    return parse(st.query_params)


def select(**changes: str | int | Policy | None) -> None:
    """
    Write changes to the URL; None removes. Nothing is written, and no history entry made, when nothing changes.

    Other parameters (a page's own filters) stay. Choosing another trace forgets claim and k.
    """
    unknown = changes.keys() - set(OWN)
    if unknown:
        raise ValueError(f"not part of the selection: {sorted(unknown)}")
    written.catch_up()
    if "trace" in changes and changes["trace"] != current().trace:
        changes = {"claim": None, "k": None} | changes
    written.change({name: None if value is None or value is Policy.DEFAULT else str(value) for name, value in changes.items()})
    remember(current())


def settle() -> None:
    """
    To be called before ``st.rerun()`` in a fragment that runs by a timer.

    The browser's timer message carries the URL as the browser last saw it, which may be older than a choice whose answer is still on
    its way; a rerun would take that old URL for the truth and undo the choice. Nobody can press Back through a timer, so what this
    session knew last is right.
    """
    written.catch_up()
    known: Mapping[str, str] | None = st.session_state.get(_URL_MEMORY)
    if known is not None and known != current().params:
        select(**(dict.fromkeys(OWN) | dict(known)))


def remember(selection: Selection) -> None:
    """Keep the scope for the next page, and the whole selection for ``settle``."""
    st.session_state[_SCOPE_MEMORY] = selection.scope
    st.session_state[_URL_MEMORY] = selection.params


def recall_scope() -> None:
    """First thing of every run: give a URL without scope the scope of the page before."""
    params = st.query_params.to_dict()
    kept: Mapping[str, str] = st.session_state.get(_SCOPE_MEMORY, {})
    if kept and not any(name in params for name in SCOPE):
        written.change(kept)
    remember(current())


def show_run(run_id: str | None, *, gone: bool = False) -> None:
    """
    Which run the pages show, also where the URL names none: decided once, before anything is drawn, so that sidebar, page and fragments speak of the same
    run when another comes meanwhile; and links carry it. ``gone``: the URL names a run that is not there any more, which no link carries on.
    """
    st.session_state[_SHOWN_RUN] = (current().run, run_id)
    st.session_state[_GONE_RUN] = current().run if gone else None


def shown_run() -> str | None:
    """What ``show_run`` was told under the URL as it is now; None where the URL names another run since, or nobody has decided yet."""
    wanted, run_id = st.session_state.get(_SHOWN_RUN, (None, None))
    return run_id if wanted == current().run else None


def open_page(name: str, **params: str | int | None) -> None:
    """
    Go to a page and keep the scope. Ends this run.

    Args:
        name: File name in ``pages`` without ``.py``: ``inspector``.
        params: Query parameters of that page: ``trace``, ``claim``, its own filters. None leaves one out.
    """
    st.switch_page(f"pages/{name}.py", query_params=link_params(**params))


def link_params(**params: str | int | None) -> dict[str, str]:
    """Query parameters for ``st.page_link(f"pages/{name}.py", query_params=…)``: the run that is shown, the scope, and ``params`` over them."""
    _, shown = st.session_state.get(_SHOWN_RUN, (None, None))
    scope = dict(current().scope)
    if scope.get("run") is not None and scope["run"] == st.session_state.get(_GONE_RUN):
        del scope["run"]
    return ({"run": shown} if shown else {}) | scope | {name: str(value) for name, value in params.items() if value is not None}


def link_to(page: str, **params: str | int | None) -> dict[str, str]:
    """``link_params`` for a link to that page, which may be the one that is shown."""
    return link_params(**params) | ({written.WANTED_PAGE: page} if written.is_shown(page) else {})
